//! Advice before anything is searched: on cells that will fail or tell nothing, and on a plan as a whole, which its
//! report repeats.

use std::collections::{BTreeMap, HashSet};

use super::laboratory::Laboratory;
use super::plan::Plan;
use crate::engine::{Setup, ranks};
use crate::machine::host::{Host, Topology, doubt};
use crate::record::{Cell, Configuration, MachineKind};
use crate::search::Strategy;
use crate::search::table::Scheme;
use crate::table::number::counted;

/// Warnings about cells, one for each reason, in sentences without a full stop.
pub fn warnings<'a>(cells: impl IntoIterator<Item = &'a Cell>, laboratory: &Laboratory) -> Vec<String> {
    let (mut reasons, mut seen) = (BTreeMap::<String, (usize, u32)>::new(), HashSet::new());
    for Cell { configuration, .. } in cells.into_iter().filter(|cell| seen.insert(&cell.configuration)) {
        let reason = match laboratory.setup_of(configuration) {
            Ok(setup) => setup.as_ref().and_then(is_useless),
            Err(error) => Some(error.to_string()),
        };
        if let Some(reason) = reason {
            let (count, most) = reasons.entry(reason).or_default();
            (*count, *most) = (*count + 1, configuration.threads.max(*most));
        }
    }
    let sentence = |(reason, (count, most)): (String, (usize, u32))| match count {
        1 => reason,
        _ => format!("{reason} ({count} configurations, up to {most} processors)"),
    };
    reasons.into_iter().map(sentence).collect()
}

/// Reason why a search tells nothing, if there is one.
fn is_useless(setup: &Setup) -> Option<String> {
    let (strategy, scheme) = (setup.strategy, setup.table.scheme);
    let has_table = !matches!(scheme, Scheme::None | Scheme::Private);
    (setup.processors > 1 && strategy.needs_common_table(setup.processors) && !has_table).then(|| {
        format!(
            "'{}' cannot work with scheme '{}': its processors share results only through a common transposition \
             table, and without one each of them searches the whole tree or more; limit_nodes ends such searches",
            strategy.name(),
            scheme.name()
        )
    })
}

/// Notes on a plan for a user of this computer, a sentence each.
pub fn notes(plan: &Plan) -> Vec<String> {
    let (topology, quota) = (Topology::of_system(), Host::quota_of_system());
    too_few_processors(plan, topology, quota).into_iter().chain(repeated_seeds(plan)).collect()
}

fn repeated_seeds(plan: &Plan) -> Option<String> {
    // The one seed of the thesis is repeated on purpose, and nobody lists it.
    plan.cells.iter().any(|cell| cell.repetition > 0 && cell.seed > 0).then(|| {
        "Repetitions of a listed seed measure the machine, not the search: runs of one seed count as one. For more \
         runs, give one seed and repetitions."
            .to_owned()
    })
}

/// Note on threads that do not get a processor each, or not an equal one.
fn too_few_processors(plan: &Plan, topology: &Topology, quota_cpus: Option<f64>) -> Option<String> {
    let real = plan.cells.iter().map(|cell| &cell.configuration).filter(|one| one.machine == MachineKind::Real);
    let here = |configuration: &Configuration| {
        let engine = configuration.engine_name().and_then(|name| plan.engines.get(name));
        let is_elsewhere = engine.is_some_and(|engine| engine.one_node_per_host);
        match ranks::of_process() {
            _ if is_elsewhere => configuration.threads_of_node(),
            Some(ranks) if configuration.engine_name().is_none() => {
                configuration.threads_of_node() * ranks.sharing(configuration.node_count() as usize) as u32
            }
            _ => configuration.threads,
        }
    };
    let most = real.map(|configuration| here(configuration)).max()?;
    let doubt = doubt(most as usize, topology, quota_cpus)?;
    Some(format!("Real searches use up to {}: {doubt}.", counted(u64::from(most), "thread", "threads")))
}

#[cfg(test)]
mod tests {
    use super::super::Experiment;
    use super::super::{Conditions, default_configuration, single_cell};
    use super::*;
    use crate::chess::suites;
    use crate::machine::host::LogicalCpu;
    use crate::record::{Configuration, MachineKind};
    use std::path::Path;

    #[test]
    fn what_cannot_work_is_named_once() {
        let laboratory = Laboratory::new(Conditions::default());
        let cell = |strategy: &str, scheme: &str, threads: u32, hash_mib: u32| {
            let configuration = Configuration {
                machine: MachineKind::Virtual,
                strategy: strategy.into(),
                scheme: scheme.to_owned(),
                threads,
                hash_mib,
                ..default_configuration()
            };
            single_cell(&configuration, &suites::position("BK12").unwrap(), 1)
        };
        let of = |cells: &[Cell]| warnings(cells, &laboratory);
        assert!(of(&[cell("ybwc", "none", 4, 1), cell("abdada", "lockless", 4, 1)]).is_empty());
        assert!(of(&[cell("abdada", "none", 1, 1)]).is_empty(), "one processor has nobody to learn from");
        let cells = [
            cell("lazy", "private", 2, 1),
            cell("abdada", "none", 4, 1),
            cell("abdada", "none", 512, 1),
            cell("abdada", "none", 512, 1),
        ];
        let found = of(&cells);
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(found[0].starts_with("'abdada' cannot work with scheme 'none': "), "{found:?}");
        assert!(found[0].ends_with("(2 configurations, up to 512 processors)"), "{found:?}");
        assert!(
            found[1].starts_with("'lazy' cannot work with scheme 'private'") && !found[1].contains("configurations")
        );
        #[cfg(target_os = "linux")]
        {
            let found = of(&[cell("ybwc", "lockless", 2, u32::MAX)]);
            assert!(found.len() == 1 && found[0].contains("does not fit into the memory"), "{found:?}");
        }
    }

    #[test]
    fn repetitions_of_listed_seeds_are_warned_of_where_they_are_made() {
        for (text, is_warned) in [
            ("axes.seed = [0, 1]\nrepetitions = 2", true),
            ("axes.seed = [0, 1]", false),
            ("axes.seed = [0, 1]\nrepetitions = 2\naxes.machine = \"virtual\"", false),
            ("repetitions = 2", false),
            ("repetitions = 2\nbaseline = \"one\"", false),
        ] {
            let text = format!("positions.first = 1\naxes.threads = 2\naxes.depth = 3\n{text}\n");
            let experiment = Experiment::parse(Path::new("x.toml"), &text, &[], &[]).unwrap();
            let note = repeated_seeds(&Plan::of(&experiment, "").unwrap());
            assert_eq!(note.is_some(), is_warned, "{text} {note:?}");
        }
    }

    #[test]
    fn more_threads_than_processors_are_warned_of() {
        let text = "positions.first = 1\n[axes]\nmachine = [\"real\", \"virtual\"]\nthreads = [1, 3]\ndepth = 3\n\
                    [[plan]]\n[[plan]]\nmachine = \"virtual\"\nthreads = 99\n";
        let experiment = Experiment::parse(Path::new("x.toml"), text, &[], &[]).unwrap();
        let plan = Plan::of(&experiment, "").unwrap();
        let computer = |cpus: usize| {
            let mut topology = Topology::of_system().clone();
            let cpu = topology.cpus[0].clone();
            let alone =
                |number: usize| LogicalCpu { cpu: number, siblings: [number].into_iter().collect(), ..cpu.clone() };
            topology.cpus = (0..cpus).map(alone).collect();
            topology.allowed = (0..cpus).collect();
            topology
        };
        assert_eq!(too_few_processors(&plan, &computer(3), None), None);
        let note = |cpus: usize, quota: Option<f64>| too_few_processors(&plan, &computer(cpus), quota).unwrap();
        let told = note(2, None);
        assert!(told.contains("use up to 3 threads: 3 threads take turns on 2 processors"), "{told}");
        let told = note(8, Some(1.5));
        assert!(told.contains("a quota limits this process to the time of 1.50 processors"), "{told}");
        let mut hybrid = computer(4);
        hybrid.cpus[2].kind = 1;
        hybrid.cpus[3].kind = 1;
        let told = too_few_processors(&plan, &hybrid, None).unwrap();
        assert!(told.contains("speedups are good to 2 threads, the number of fast cores"), "{told}");
    }
}
