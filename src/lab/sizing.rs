//! Depths for sizes of searches: a file asks for searches of half a second, and a pilot finds for each position the
//! depth for which one processor takes nearest to that. The pilot has a seed of its own, so that what is measured
//! later does not depend on the luck by which its depth was chosen.
//!
//! Time of a virtual machine is the same on every computer, and so are the depths. On a real machine the pilot counts
//! the processor time of its thread, which other programs change little; what it finds there is kept in the folder of
//! the run, and holds for all its parts.

use std::path::Path;

use super::conditions::Conditions;
use super::experiment::{Experiment, FoundDepths, Problem};
use super::laboratory::{Laboratory, Searcher};
use super::plan::{self, PlanError};
use super::side_by_side;
use super::single::default_configuration;
use crate::record::folder;
use crate::record::{Cell, Configuration, Defined, Depth, MachineKind, Measured, PositionInfo};

/// Seed of the pilot's searches: none that an experiment counts up to.
const PILOT_SEED: u64 = 1 << 40;
/// Longest search of the pilot, relative to the size: where a ply takes so much longer that the next depth is beyond
/// it, the depth before is taken.
const LONGEST: f64 = 2.5;

/// Reason why a size has no depth.
#[derive(Debug, thiserror::Error)]
#[error("no depth was found for searches of {problem} at position {position}: {reason}")]
pub struct SizeError {
    problem: String,
    position: String,
    reason: String,
}

impl Experiment {
    /// Finds the depths for its sizes: those that its file or the folder that is resumed has, those on this real
    /// machine that other folders have, and those of a pilot. `begin` is called before the pilot with its number of
    /// searches.
    ///
    /// # Errors
    /// If a combination of values has no plan, or if the pilot finds no depth.
    pub fn find_depths(
        &mut self,
        resumed: Option<&Path>,
        others: &[&Path],
        begin: impl FnOnce(usize),
    ) -> Result<(), PlanError> {
        let (configurations, models, engines) = plan::sized(self)?;
        if configurations.is_empty() {
            return Ok(());
        }
        let known = self.known_depths(resumed, others);
        let mut problems: Vec<(Problem, &Configuration)> = configurations
            .iter()
            .filter_map(|configuration| Some((Problem::of(configuration)?, configuration)))
            .collect();
        problems.sort();
        problems.dedup_by(|(one, _), (other, _)| one == other);
        let mut found = FoundDepths::default();
        let mut tasks = Vec::new();
        for (problem, configuration) in &problems {
            for position in &self.description.positions {
                match known.depth(problem, &position.id) {
                    Some(depth) => found.add(problem, &position.id, depth),
                    None => tasks.push((problem, pilot(problem, configuration, position))),
                }
            }
        }
        if !tasks.is_empty() {
            begin(tasks.len());
        }
        let models = models.into_iter().chain(self.models.clone()).collect();
        let laboratory = Laboratory::new(Conditions { models, engines, ..Conditions::default() });
        search(tasks, &laboratory, &mut found)?;
        self.what_ran.keep_depths(&found);
        self.found_depths = found;
        Ok(())
    }

    /// Depths that need no pilot: the first that is known for a problem and a position counts.
    fn known_depths(&mut self, resumed: Option<&Path>, others: &[&Path]) -> FoundDepths {
        let from_file = std::mem::take(&mut self.found_depths);
        let positions = &self.description.positions;
        let of_others = others.iter().map(|folder| real_depths(folder, positions));
        let mut known = FoundDepths::default();
        for source in resumed.map(FoundDepths::of_folder).into_iter().chain([from_file]).chain(of_others) {
            source.all().for_each(|(problem, position, depth)| known.add(problem, position, depth));
        }
        known
    }
}

/// A search of the pilot, with the problem for which it finds the depth.
type Task<'p> = (&'p Problem, Cell);

/// Searches the tasks of the pilot, those on the virtual machine side by side, and adds their depths.
fn search(tasks: Vec<Task<'_>>, searcher: &dyn Searcher, found: &mut FoundDepths) -> Result<(), SizeError> {
    let (real, simulated): (Vec<_>, Vec<_>) =
        tasks.into_iter().partition(|(problem, _)| problem.machine == MachineKind::Real);
    let depth = |(problem, cell): &Task<'_>| depth_of(searcher, cell, problem.size.into());
    let mut keep = |(problem, cell): &Task<'_>, depth: Result<u32, String>| {
        let position = cell.position.to_string();
        match depth {
            Ok(depth) => {
                found.add(problem, &position, depth);
                Ok(())
            }
            Err(reason) => Err(SizeError { problem: problem.to_string(), position, reason }),
        }
    };
    for task in &real {
        keep(task, depth(task))?;
    }
    let mut depths = Vec::new();
    let places: Vec<usize> = (0..simulated.len()).collect();
    side_by_side::work(
        &places,
        || (),
        |(), &place| (place, depth(&simulated[place])),
        |outcome, _| {
            depths.push(outcome);
            Ok::<(), SizeError>(())
        },
    )?;
    depths.into_iter().try_for_each(|(place, depth)| keep(&simulated[place], depth))
}

/// Depths of real machines that the folder of another run has of these positions: those of the virtual machine are
/// found anew at any time.
fn real_depths(folder: &Path, positions: &[PositionInfo]) -> FoundDepths {
    let theirs = folder::description(folder).map(|description| description.positions).unwrap_or_default();
    let is_same = |id: &str| {
        let is_it = |one: &&PositionInfo| one.id == id;
        let (one, other) = (theirs.iter().find(is_it), positions.iter().find(is_it));
        one.zip(other).is_some_and(|(one, other)| one.fen == other.fen)
    };
    let mut wanted = FoundDepths::default();
    for (problem, id, depth) in FoundDepths::of_folder(folder).all() {
        if problem.machine == MachineKind::Real && is_same(id) {
            wanted.add(problem, id, depth);
        }
    }
    wanted
}

/// The search of the pilot: the problem of a configuration, by one processor that works as is usual.
fn pilot(problem: &Problem, configuration: &Configuration, position: &PositionInfo) -> Cell {
    let is_ours = problem.engine.is_none();
    let usual = default_configuration();
    let alone = configuration.baseline();
    let (board, sliders) = if is_ours { (usual.board, usual.sliders) } else { (alone.board, alone.sliders) };
    let configuration = Configuration {
        machine: problem.machine,
        board,
        sliders,
        features: problem.features.clone(),
        costs: problem.costs.clone().map(Defined::from),
        depth: Depth::Unlimited,
        time_s: Some((f64::from(problem.size) * LONGEST).into()),
        strategy: alone.strategy,
        threads: alone.threads,
        hash_mib: alone.hash_mib,
        scheme: alone.scheme,
        pin: alone.pin.as_ref().map(|_| "none".to_owned()),
        disturb: Default::default(),
        ..configuration.problem()
    };
    Cell {
        configuration: configuration.into(),
        position: (&position.id).into(),
        fen: (&position.fen).into(),
        depth: None,
        seed: PILOT_SEED,
        repetition: 0,
    }
}

/// The depth that one processor reaches in the time nearest to this, by a search that takes longer.
fn depth_of(searcher: &dyn Searcher, cell: &Cell, size_s: f64) -> Result<u32, String> {
    let (result, _) = side_by_side::caught(|| searcher.search(cell))?;
    let measured = result.figures().ok_or("the search failed")?;
    nearest(measured, size_s).ok_or_else(|| "the search reached no depth".to_owned())
}

/// The depth of the answer whose time, without that of other programs, is nearest to a size; the time is compared by
/// ratios.
fn nearest(measured: &Measured, size_s: f64) -> Option<u32> {
    let share = if measured.time_ns > 0 { measured.own_time_ns() / measured.time_ns as f64 } else { 1.0 };
    let distance = |time_ns: u64| (share * time_ns.max(1) as f64 / 1e9 / size_s).ln().abs();
    let answers = measured.answers.iter().filter(|answer| answer.depth > 0);
    answers
        .min_by(|one, other| distance(one.time_ns).total_cmp(&distance(other.time_ns)))
        .map(|answer| answer.depth)
        .or(Some(measured.depth).filter(|depth| *depth > 0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Plan;
    use crate::record::{DepthAnswer, Disturbance, WorkerRecord};

    fn searched(times_ms: &[u64]) -> Measured {
        let answer =
            |(depth, ms): (u32, &u64)| DepthAnswer { depth, time_ns: ms * 1_000_000, ..DepthAnswer::default() };
        let time_ns = times_ms.last().copied().unwrap_or_default() * 1_000_000;
        Measured { answers: (1..).zip(times_ms).map(answer).collect(), time_ns, ..Measured::default() }
    }

    #[test]
    fn the_depth_is_that_of_the_nearest_time() {
        // 0.3 s is 1.67 times too small, 0.8 s is 1.6 times too large.
        let times = searched(&[10, 100, 300, 800]);
        assert_eq!(
            [0.5, 0.45, 0.001, 60.0].map(|size_s| nearest(&times, size_s)),
            [Some(4), Some(3), Some(1), Some(4)]
        );
        assert_eq!(nearest(&Measured::default(), 1.0), None);
    }

    /// A thread that had its processor for half of the time reached the depth in half of the time.
    #[test]
    fn time_of_other_programs_does_not_count() {
        let mut times = searched(&[100, 400, 1_000]);
        let watch = Disturbance { wall_ns: 1_000, cpu_ns: Some(500), ..Disturbance::default() };
        times.workers = vec![WorkerRecord { watch: Some(watch), ..WorkerRecord::default() }];
        assert_eq!(nearest(&times, 0.5), Some(3));
        times.workers.clear();
        assert_eq!(nearest(&times, 0.5), Some(2));
    }

    fn experiment(text: &str) -> Experiment {
        Experiment::parse(Path::new("x.toml"), text, &[], &[]).unwrap()
    }

    const SIZED: &str = "baseline = 2\nschedules = 1\npositions.ids = [\"BK03\", \"BK09\"]\n\
                         [axes]\nmachine = \"virtual\"\n\
                         strategy = [\"ybwc\", \"lazy\"]\nthreads = 2\nsize = [\"2ms\", \"20ms\"]\n";

    #[test]
    fn a_size_is_the_same_depths_for_all_strategies_and_larger_ones_are_deeper() {
        let mut first = experiment(SIZED);
        assert!(matches!(Plan::of(&first, ""), Err(PlanError::Unsized(..))));
        let mut searches = 0;
        first.find_depths(None, &[], |count| searches = count).unwrap();
        assert_eq!(searches, 4);
        let plan = Plan::of(&first, "").unwrap();
        let depths = |size: f64, strategy: &str| -> Vec<u32> {
            let is_it = |cell: &&Cell| {
                cell.configuration.depth == Depth::Size(size.into()) && cell.configuration.strategy == strategy
            };
            plan.cells.iter().filter(is_it).filter(|cell| cell.seed == 0).filter_map(|cell| cell.depth).collect()
        };
        let small = depths(0.002, "lazy");
        assert_eq!(small.len(), 2);
        assert_eq!((depths(0.002, "sequential"), depths(0.002, "ybwc")), (small.clone(), small.clone()));
        assert!(small.iter().zip(depths(0.02, "lazy")).all(|(small, large)| *small < large), "{small:?}");
        assert!(plan.cells.iter().all(|cell| cell.seed != PILOT_SEED));
        assert!(plan.description.axes.contains(&"depth".to_owned()));

        // The file that is kept has the depths: nothing is searched again, and the plan is the same.
        let kept = first.what_ran.file(Some(7)).unwrap().text;
        let mut again = experiment(&kept);
        again.find_depths(None, &[], |_| panic!("a pilot")).unwrap();
        let planned = Plan::of(&again, "").unwrap();
        assert_eq!((planned.cells, planned.description.plan), (plan.cells, plan.description.plan));
        assert_eq!(again.what_ran.file(Some(7)).unwrap().text, kept);
    }

    /// One seed decides: the depths of the virtual machine never change, whoever finds them, and however often.
    #[test]
    fn the_depths_of_the_virtual_machine_are_the_same_everywhere() {
        let mut found = [(); 2].map(|()| {
            let mut one = experiment(SIZED);
            one.find_depths(None, &[], |_| ()).unwrap();
            one.found_depths
        });
        let [one, other] = &mut found;
        assert_eq!(one, other);
        assert_eq!(one.all().count(), 4);
    }

    #[test]
    fn what_is_no_size_is_refused() {
        let error = |axes: &str| {
            let text = format!("[axes]\nmachine = \"virtual\"\n{axes}\n");
            Experiment::parse(Path::new("x.toml"), &text, &[], &[]).unwrap_err().to_string()
        };
        for (axes, expected) in [
            ("size = \"2\\\"\"", "is not a duration"),
            ("size = \"0s\"", "is not a duration"),
            ("size = \"2h\"", "no size of a search: from 1ms to 1h"),
            ("size = \"1s..4s\"", "sizes are listed"),
            ("size = true", "expected a duration"),
            ("size = []", "this list is empty"),
            ("size = \"1s\"\ndepth = 9", "give a depth or a size"),
            ("size = \"1s\"\nnodes = 9", "give a size or a limit"),
        ] {
            let error = error(axes);
            assert!(error.contains(expected), "{axes}: {error}");
        }
    }
}
