//! Precision that a plan promises: half-widths of the intervals of its time speedups, for each kind of search with the
//! repetitions of its own block.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::pilot::{Evidence, Kind, Spread};
use super::plan::Plan;
use crate::record::axes::{Axis, BOARD, FEATURES, MAKE, SLIDERS};
use crate::record::{Baseline, Cell, Configuration, Depth, Description, MachineKind, Promise};
use crate::statistics::{LEVEL, PlannedContrast, Scope};

/// Axes whose values are compared with each other, and not by their speedups, as a tree or its price differs.
const COMPARED: [Axis; 4] = [BOARD, SLIDERS, MAKE, FEATURES];

/// Kinds of the searches in a plan that have time speedups.
pub fn kinds(plan: &Plan) -> Vec<Kind> {
    families(plan, has_speedup(plan)).into_iter().map(|family| family.kind).collect()
}

/// Promises of a plan, in its order; none without baselines.
pub fn promises(plan: &Plan, evidence: &Evidence) -> Vec<Promise> {
    let families = families(plan, has_speedup(plan));
    let all: Vec<_> = families.iter().flat_map(|family| family.members.iter().map(asked)).collect();
    let promise = |family: Family| {
        let (spread, source) = evidence.spread(&family.kind);
        let claims = family.members.iter().map(|one| claims(&asked(one), &all)).max().unwrap_or_default();
        let planned = family.planned(plan, spread);
        let difference = if claims > 0 { planned.difference_found(claims) } else { None };
        let difference_found = difference.map(f64::exp_m1);
        Promise { difference_found, source, ..family.promise(plan, planned) }
    };
    families.into_iter().map(promise).collect()
}

/// Half-widths to expect of the ratios of time between configurations that differ in other things than processors and
/// strategy, or that are compared with a reference. Runs are paired by their seeds, which makes the intervals narrower
/// than this where the seed decides how long a search takes.
pub fn ratios(plan: &Plan, evidence: &Evidence) -> Vec<Promise> {
    let Description { references, axes, .. } = &plan.description;
    if references.is_empty() && !COMPARED.iter().any(|axis| axes.iter().any(|name| name == axis.name)) {
        return Vec::new();
    }
    let promise = |family: Family| {
        let (spread, source) = evidence.spread(&family.kind);
        let is_alone = family.members.iter().all(Configuration::is_baseline);
        let of_run = if is_alone { spread.baseline } else { spread.run };
        let of_pair = Spread { run: of_run * std::f64::consts::SQRT_2, baseline: 0.0, position: 0.0 };
        let planned = PlannedContrast { baselines: 0, ..family.planned(plan, of_pair) };
        Promise { source, run_deviation: of_run, ..family.promise(plan, planned) }
    };
    let is_compared = |one: &Configuration| one.depth != Depth::Unlimited;
    families(plan, is_compared).into_iter().map(promise).collect()
}

/// Difference between configurations on this machine that all of these promises will find, if there are some.
pub fn difference_found(promises: &[Promise], machine: MachineKind) -> Option<f64> {
    let on_machine = promises.iter().filter(|promise| promise.machine == machine);
    on_machine.filter_map(|promise| promise.difference_found).reduce(f64::max)
}

/// Least and largest number of processors of the searches that a promise is about.
pub fn processors(promise: &Promise) -> (u32, u32) {
    let threads = || promise.members.iter().map(|one| one.threads);
    (threads().min().unwrap_or(1), threads().max().unwrap_or(1))
}

/// Whether a search has a time speedup.
fn has_speedup(plan: &Plan) -> impl Fn(&Configuration) -> bool + use<> {
    let has_baselines = plan.description.baseline != Baseline::None;
    move |one| has_baselines && !one.is_baseline() && one.depth != Depth::Unlimited
}

/// Problem of a search, and its number of processors.
type Asked = (Configuration, u32);

fn asked(one: &Configuration) -> Asked {
    (one.problem(), one.threads)
}

/// Number of comparisons between all configurations of which this is asked.
fn claims(asked: &Asked, all: &[Asked]) -> usize {
    let rivals = all.iter().filter(|other| *other == asked).count();
    rivals * rivals.saturating_sub(1) / 2
}

/// Configurations of a kind that are run equally often.
struct Family {
    kind: Kind,
    runs: u32,
    baselines: u32,
    members: Vec<Configuration>,
}

impl Family {
    fn planned(&self, plan: &Plan, spread: Spread) -> PlannedContrast {
        PlannedContrast {
            positions: plan.description.positions.len(),
            runs: self.runs as usize,
            baselines: self.baselines as usize,
            run_deviation: spread.run,
            baseline_deviation: spread.baseline,
            position_deviation: spread.position,
        }
    }

    /// The half-widths of what is planned; the source is not told yet.
    fn promise(self, plan: &Plan, planned: PlannedContrast) -> Promise {
        let half_width = |scope| planned.half_width(scope, LEVEL).map(f64::exp_m1);
        let like_these = if plan.description.is_one_game { None } else { half_width(Scope::PositionsLikeThese) };
        Promise {
            machine: self.kind.machine,
            strategy: self.kind.strategy,
            positions: planned.positions as u32,
            runs: self.runs,
            baselines: planned.baselines as u32,
            run_deviation: planned.run_deviation,
            baseline_deviation: planned.baseline_deviation,
            position_deviation: planned.position_deviation,
            these_positions: half_width(Scope::ThesePositions),
            positions_like_these: like_these,
            members: self.members,
            ..Promise::default()
        }
    }
}

/// The configurations of a plan that are counted, by kind and by how often they run. Runs of one seed are one: what
/// differs between them is the machine.
fn families(plan: &Plan, is_counted: impl Fn(&Configuration) -> bool) -> Vec<Family> {
    let Some(first) = plan.description.positions.first() else { return Vec::new() };
    let mut classes: HashMap<&Configuration, HashSet<u64>> = HashMap::new();
    let mut in_order = Vec::new();
    let is_meant =
        |cell: &&Cell| *cell.position == *first.id && !plan.description.is_for_price_range(&cell.configuration);
    for cell in plan.cells.iter().filter(is_meant) {
        let is_new = !classes.contains_key(&*cell.configuration);
        classes.entry(&cell.configuration).or_default().insert(cell.seed_class());
        if is_new && is_counted(&cell.configuration) {
            in_order.push(&*cell.configuration);
        }
    }
    let runs = |one: &Configuration| classes.get(one).map_or(0, |classes| classes.len() as u32);
    let mut families: Vec<Family> = Vec::new();
    let mut places = BTreeMap::new();
    for configuration in in_order {
        let key = (Kind::of(configuration), runs(configuration), runs(&configuration.baseline()));
        let place = *places.entry(key.clone()).or_insert_with(|| {
            families.push(Family { kind: key.0, runs: key.1, baselines: key.2, members: Vec::new() });
            families.len() - 1
        });
        families[place].members.push(configuration.clone());
    }
    families
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::super::Experiment;
    use super::*;

    fn promised(text: &str) -> Vec<Promise> {
        let experiment = Experiment::parse(Path::new("x.toml"), text, &[], &[]).unwrap();
        promises(&Plan::of(&experiment, "").unwrap(), &Evidence::default())
    }

    /// Each block has the precision of its own repetitions, and not that of the largest.
    #[test]
    fn blocks_are_promised_apart() {
        let text = "baseline = 4\n[axes]\nmachine = \"virtual\"\nfeatures = \"thesis\"\ndepth = 3\n\
                    [[plan]]\nstrategy = [\"ybwc\", \"ybwc,minimum-draft=4\"]\nthreads = [2, 8]\nrepetitions = 4\n\
                    [[plan]]\nstrategy = [\"ybwc\", \"lazy\"]\nthreads = [2, 3]\n";
        let promises = promised(text);
        let rows: Vec<(&str, u32, u32, usize)> =
            promises.iter().map(|one| (one.strategy.as_str(), one.runs, one.baselines, one.members.len())).collect();
        assert_eq!(rows, [("ybwc", 4, 4, 4), ("ybwc", 1, 4, 1), ("lazy", 1, 4, 2)]);
        assert!(promises.iter().all(|one| one.source == "assumed" && one.positions == 10));
        // With one run nobody knows how runs vary.
        assert!(promises.iter().all(|one| one.these_positions.is_some() == (one.runs > 1)));
        let [four, one, _] = &promises[..] else { panic!("three rows") };
        // Of ten positions: t(9) = 2.262, sqrt((0.2^2 / 4 + 0.135^2 / 4 + 0.25^2) / 10).
        let variance: f64 = (0.04 + 0.018_225) / 4.0 + 0.062_5;
        let expected = (2.262_157_162_8 * (variance / 10.0).sqrt()).exp_m1();
        assert!((four.positions_like_these.unwrap() - expected).abs() < 1e-6, "{four:?} {expected}");
        assert!(one.positions_like_these > four.positions_like_these);
    }

    #[test]
    fn what_has_no_time_speedup_is_promised_none() {
        assert_eq!(promised("baseline = \"none\"\naxes = { threads = 2, depth = 3 }"), []);
        assert_eq!(promised("axes = { threads = 1, depth = 3 }"), []);
        assert_eq!(promised("axes = { threads = 2, nodes = 1000 }"), []);
        let of_a_game = promised("positions.suite = \"hyatt-24\"\naxes = { threads = 2, depth = 3 }\nrepetitions = 2");
        assert_eq!(of_a_game[0].positions_like_these, None);
    }

    /// Two seeds that are repeated are two runs, however often: the rest is noise of the machine.
    #[test]
    fn runs_of_one_seed_count_once() {
        let of = |text: &str| promised(&format!("{text}axes.threads = 2\naxes.depth = 3\n"))[0].clone();
        let (repeated, counted) = (of("repetitions = 5\naxes.seed = [0, 1]\n"), of("repetitions = 10\n"));
        assert_eq!((repeated.runs, counted.runs), (2, 10));
        assert!(repeated.these_positions > counted.these_positions);
        let thesis = of("repetitions = 5\nbaseline = \"one\"\n");
        assert_eq!((thesis.runs, thesis.these_positions), (1, None), "a single class has no interval");
    }

    #[test]
    fn differences_are_promised_where_something_is_compared() {
        let of = |strategies: &str| {
            let text = format!("repetitions = 4\naxes = {{ strategy = {strategies}, threads = 4, depth = 3 }}\n");
            promised(&format!("positions.first = 8\n{text}"))[0].difference_found
        };
        assert_eq!(of("\"ybwc\""), None);
        let (two, four) = (of("[\"ybwc\", \"lazy\"]"), of("[\"ybwc\", \"lazy\", \"root\", \"abdada\"]"));
        assert!(two.is_some() && two < four, "{two:?} {four:?}");
    }

    #[test]
    fn ratios_are_expected_where_boards_or_features_or_a_reference_are_compared() {
        let of = |text: &str| {
            let experiment = Experiment::parse(Path::new("x.toml"), text, &[], &[]).unwrap();
            ratios(&Plan::of(&experiment, "").unwrap(), &Evidence::default())
        };
        assert_eq!(of("axes = { threads = [1, 2], depth = 3 }").len(), 0);
        let boards = of("baseline = 4\naxes = { threads = 1, depth = 3, board = [\"bitboards\", \"mailbox\"] }");
        assert_eq!(boards.iter().map(|one| (one.runs, one.members.len())).collect::<Vec<_>>(), [(4, 2)]);
        let spread = boards[0].run_deviation;
        // t(30) = 2.042 for ten positions with four pairs each.
        let expected = (2.042_272_456 * spread * (2.0_f64 / 40.0).sqrt()).exp_m1();
        assert!((boards[0].these_positions.unwrap() - expected).abs() < 1e-6, "{boards:?} {expected}");
        let reference = of("axes = { threads = [2, 4], depth = 3 }\nreport.reference = { threads = 2 }");
        assert_eq!(reference.last().map(|one| one.members.len()), Some(2));
    }
}
