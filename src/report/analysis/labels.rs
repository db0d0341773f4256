//! Labels of groups, and which groups are one curve. A label says only what distinguishes a group in this experiment.

use std::collections::{BTreeMap, BTreeSet};

use crate::distinct::found_or_added;
use crate::record::axes::{self, Decides, ENGINE, Form, MACHINE, STRATEGY, THREADS};
use crate::record::{AXES, Axis, Configuration, MachineKind, Named, Record, SEQUENTIAL, Word};

use super::Curve;
use super::grouping::Gathering;

/// Names that an experiment gives, and what they stand for.
pub(crate) type Names = BTreeMap<String, Named>;

/// The names of an experiment, with those that engines from outside give themselves. One that several have is no name.
pub(crate) fn with_programs(mut names: Names, records: &[Record]) -> Names {
    let told = |record: &'_ Record| {
        let program = record.measured()?.program.clone().filter(|program| !program.is_empty())?;
        Some((program, record.cell.configuration.engine.as_ref()?.name.clone()))
    };
    let all: BTreeSet<(Word, Named)> = records.iter().filter_map(told).collect();
    for (program, engine) in &all {
        if all.iter().filter(|(other, _)| other == program).count() == 1 {
            names.entry(program.to_string()).or_insert_with(|| engine.clone());
        }
    }
    names
}

/// Axes that are never in a label: the number of processors is an axis of every chart, and the machine has a column
/// of its own.
pub(super) const APART: [Axis; 2] = [THREADS, MACHINE];

/// Configuration that all groups of a curve have but for the number of processors. Two of them stand for any number but
/// one. On several nodes it is the number of nodes of one size that grows, and two nodes stand for any.
pub(super) fn curve_of(configuration: &Configuration) -> Configuration {
    let nodes = configuration.cluster_nodes.map(|nodes| nodes.min(2));
    let of_node = if nodes == Some(2) { configuration.threads_of_node() } else { 1 };
    Configuration { threads: 2 * of_node, cluster_nodes: nodes, ..configuration.clone() }
}

/// Labels that distinguish these configurations, the axes first. What is hidden is in no label.
pub(crate) fn labels(
    configurations: &[&Configuration],
    axes: &[String],
    names: &Names,
    hidden: &[&str],
) -> Vec<String> {
    let varying = |axis: &&Axis| !APART.contains(axis) && !hidden.contains(&axis.name) && varies(axis, configurations);
    let is_hash = |axis: &&Axis| axis.form == Form::Hash;
    let first = axes.iter().filter_map(|name| axes::named(name));
    let mut named: Vec<&Axis> = first.filter(varying).filter(|axis| !is_hash(axis)).collect();
    let mut labels = labels_by(&named, configurations, names);
    // Something may vary that is no axis. It is named only if labels would be the same without it; a hash, which tells
    // a reader nothing, only if nothing else tells them apart.
    let mut others: Vec<&Axis> = AXES.iter().filter(varying).filter(|axis| !named.contains(axis)).collect();
    others.sort_by_key(is_hash);
    for axis in others {
        let more = labels_by(&[named.as_slice(), &[axis]].concat(), configurations, names);
        if mistakable(&more, configurations) < mistakable(&labels, configurations) {
            named.push(axis);
            labels = more;
        }
    }
    labels
}

fn labels_by(axes: &[&Axis], configurations: &[&Configuration], names: &Names) -> Vec<String> {
    let label = |configuration: &&Configuration| {
        let words = axes.iter().map(|axis| in_words(axis, configuration, names)).filter(|words| !words.is_empty());
        let mut words: Vec<String> = words.collect();
        if !axes.contains(&&STRATEGY) {
            words.insert(0, in_words(&STRATEGY, configuration, names));
        }
        words.join(", ")
    };
    configurations.iter().map(label).collect()
}

/// Number of pairs of different curves of the same machine that have the same label.
fn mistakable(labels: &[String], configurations: &[&Configuration]) -> usize {
    let curves: Vec<Configuration> = configurations.iter().map(|configuration| curve_of(configuration)).collect();
    let pairs = (0..labels.len()).flat_map(|a| (0..a).map(move |b| (a, b)));
    let is_same_machine = |a: usize, b: usize| configurations[a].machine == configurations[b].machine;
    pairs.filter(|&(a, b)| labels[a] == labels[b] && curves[a] != curves[b] && is_same_machine(a, b)).count()
}

/// Whether an axis tells groups apart. That the baseline has another strategy, and no way to wait, is known without
/// saying; but where there is a strategy to be named it is.
fn varies(axis: &Axis, configurations: &[&Configuration]) -> bool {
    let differ = |accept: &dyn Fn(&Configuration) -> bool| {
        // What one kind of machine has and the other has not tells nobody apart.
        MachineKind::ALL.iter().any(|machine| {
            let of_machine = configurations.iter().filter(|c| c.machine == *machine && accept(c));
            let mut values = of_machine.map(|c| axis.text(c));
            values.next().is_some_and(|first| values.any(|value| value != first))
        })
    };
    if *axis == STRATEGY {
        return differ(&|_| true);
    }
    differ(&Configuration::is_baseline) || differ(&|c| !c.is_baseline())
}

/// Strategy, features or costs by the experiment's own name, or by the name that leaves least to be said, with what
/// then differs.
pub(crate) fn shortest(value: &Named, names: &Names) -> String {
    if let Some((name, _)) = names.iter().find(|(_, meaning)| *meaning == value) {
        return name.clone();
    }
    let by_name = |(name, meaning): (&String, &Named)| {
        // A change of nothing but words after the first is one; else it is the whole value again.
        let changed = meaning.changes_to(value);
        (*value != changed.as_str()).then(|| format!("{name},{changed}"))
    };
    let named = names.iter().filter_map(by_name).min_by_key(String::len);
    named.filter(|named| named.len() < value.len()).unwrap_or_else(|| value.to_string())
}

/// Value of an axis as it stands in a label: a bare number says too little.
pub(crate) fn in_words(axis: &Axis, configuration: &Configuration, names: &Names) -> String {
    let is_outside = configuration.is_outside();
    match (*axis == STRATEGY, *axis == ENGINE) {
        // On several processors the strategy of an engine from outside has its name.
        (_, true) if !configuration.is_baseline() => String::new(),
        (true, _) if is_outside && configuration.is_baseline() => "one thread".to_owned(),
        // What it calls itself, if records tell.
        (true, _) | (_, true) if is_outside => {
            let value = axis.text(configuration);
            names
                .iter()
                .find(|(_, meaning)| **meaning == *value)
                .map_or_else(|| value.clone(), |(name, _)| name.clone())
        }
        _ if axis.form == Form::WithChanges => shortest(&axis.text(configuration).into(), names),
        _ => axis.words(configuration),
    }
}

/// Labels without the parts that all of them share; one of nothing but these keeps them.
pub(crate) fn apart(labels: &[&str]) -> Vec<String> {
    let parts: Vec<Vec<&str>> = labels.iter().map(|label| label.split(", ").collect()).collect();
    let is_shared = |part: &str| parts.iter().all(|other| other.contains(&part));
    let own = |(parts, label): (&Vec<&str>, &&str)| {
        let own: Vec<&str> = parts.iter().copied().filter(|part| !is_shared(part)).collect();
        if own.is_empty() { (*label).to_owned() } else { own.join(", ") }
    };
    parts.iter().zip(labels).map(own).collect()
}

/// The parts that two labels share.
pub(crate) fn in_common(one: &str, other: &str) -> String {
    let others: Vec<&str> = other.split(", ").collect();
    one.split(", ").filter(|part| others.contains(part)).collect::<Vec<_>>().join(", ")
}

/// A problem in words: `modern, depth 13`.
pub(crate) fn of_problem(configuration: &Configuration) -> String {
    let usual = Configuration::default();
    let is_said = |axis: &&Axis| {
        let is_readable = axis.form != Form::Hash && !APART.contains(axis);
        axis.decides == Decides::Problem && is_readable && axis.differs(configuration, &usual)
    };
    AXES.iter().filter(is_said).map(|axis| axis.words(configuration)).collect::<Vec<_>>().join(", ")
}

/// Curves: groups that differ in the number of processors only, each with its baseline. A baseline that nothing is
/// divided by is a curve for itself.
pub(super) fn curves(gathering: &Gathering<'_>, labels: &[String]) -> Vec<Curve> {
    let configurations: Vec<&Configuration> = gathering.groups.iter().map(|group| group.configuration).collect();
    let (baselines, others): (Vec<usize>, Vec<usize>) =
        (0..configurations.len()).partition(|&group| configurations[group].is_baseline());
    let mut curves: Vec<(Configuration, Vec<usize>)> = Vec::new();
    for group in others {
        let key = curve_of(configurations[group]);
        let baseline = || gathering.find(&configurations[group].baseline()).into_iter().collect();
        found_or_added(&mut curves, |(known, _)| *known == key, || (key.clone(), baseline())).1.push(group);
    }
    let mut groups: Vec<Vec<usize>> = curves.into_iter().map(|(_, groups)| groups).collect();
    let is_used = |baseline: &usize| groups.iter().any(|groups| groups.contains(baseline));
    let unused: Vec<usize> = baselines.into_iter().filter(|baseline| !is_used(baseline)).collect();
    groups.extend(unused.into_iter().map(|baseline| vec![baseline]));
    let curve = |mut groups: Vec<usize>| {
        // All but a baseline have the label of the curve.
        let label = labels[groups[groups.len() - 1]].clone();
        groups.sort_by_key(|&group| (configurations[group].threads, configurations[group].strategy != SEQUENTIAL));
        Curve { label, groups }
    };
    groups.into_iter().map(curve).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Curves over nodes of one size are curves, and no point of theirs is one of another size.
    #[test]
    fn nodes_of_one_size_are_a_curve() {
        let on = |threads, nodes| Configuration {
            cluster_nodes: nodes,
            engine: Some("cluster".into()),
            ..Configuration::sample(MachineKind::Real, "cluster", threads)
        };
        let (of_2, of_4) = (curve_of(&on(4, Some(2))), curve_of(&on(8, Some(2))));
        assert_eq!(of_2, curve_of(&on(16, Some(8))));
        assert_eq!(of_4, curve_of(&on(32, Some(8))));
        assert_ne!(of_2, of_4);
        let of_one = curve_of(&on(2, Some(1)));
        assert_eq!(of_one, curve_of(&on(8, Some(1))));
        assert!(of_one != curve_of(&on(2, None)) && of_one != curve_of(&on(2, Some(2))));
        let all = [on(2, Some(1)), on(2, Some(2)), on(4, Some(2)), on(8, Some(4))];
        let labels = labels(&all.iter().collect::<Vec<_>>(), &["cluster_nodes".to_owned()], &Names::new(), &[]);
        let expected = ["one node", "nodes of 1 thread", "nodes of 2 threads", "nodes of 2 threads"];
        assert_eq!(labels, expected.map(|nodes| format!("cluster, {nodes}")));
    }

    #[test]
    fn the_name_of_the_experiment_goes_before_what_it_names() {
        let names = Names::from([("prices of 2004".to_owned(), "e15k".into())]);
        assert_eq!(shortest(&"e15k".into(), &names), "prices of 2004");
        assert_eq!(shortest(&"e15k,bus_line=20".into(), &names), "e15k,bus_line=20", "a longer one says no more");
    }

    #[test]
    fn labels_lose_what_all_of_them_say() {
        let labels = ["ybwc, bitboards, copy trimmed, reference", "lazy, bitboards, copy trimmed, e15k"];
        assert_eq!(apart(&labels), ["ybwc, reference", "lazy, e15k"]);
        assert_eq!(apart(&labels[..1]), labels[..1]);
        assert_eq!(apart(&["a", "a, b"]), ["a", "b"]);
    }
}
