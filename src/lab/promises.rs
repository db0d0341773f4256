//! Precision that a plan promises: half-widths of the intervals of its time speedups, for each kind of search with the
//! repetitions of its own block.

use std::collections::{BTreeMap, HashMap};

use super::pilot::{Evidence, Kind};
use super::plan::Plan;
use crate::record::{Baseline, Configuration, Depth, Promise};
use crate::statistics::{LEVEL, PlannedContrast, Scope};

/// Kinds of the searches in a plan that have time speedups.
pub fn kinds(plan: &Plan) -> Vec<Kind> {
    families(plan).into_iter().map(|family| family.kind).collect()
}

/// Promises of a plan, in its order; none without baselines.
pub fn promises(plan: &Plan, evidence: &Evidence) -> Vec<Promise> {
    let positions = plan.description.positions.len();
    let promise = |Family { kind, runs, baselines, members }: Family| {
        let (spread, source) = evidence.spread(&kind);
        let planned = PlannedContrast {
            positions,
            runs: runs as usize,
            baselines: baselines as usize,
            run_deviation: spread.run,
            baseline_deviation: spread.baseline,
            position_deviation: spread.position,
        };
        let half_width = |scope| planned.half_width(scope, LEVEL).map(f64::exp_m1);
        let like_these = if plan.description.is_one_game { None } else { half_width(Scope::PositionsLikeThese) };
        Promise {
            machine: kind.machine,
            strategy: kind.strategy,
            positions: positions as u32,
            runs,
            baselines,
            run_deviation: spread.run,
            baseline_deviation: spread.baseline,
            position_deviation: spread.position,
            source,
            these_positions: half_width(Scope::ThesePositions),
            positions_like_these: like_these,
            members,
        }
    };
    families(plan).into_iter().map(promise).collect()
}

/// Configurations of a kind that are run equally often.
struct Family {
    kind: Kind,
    runs: u32,
    baselines: u32,
    members: Vec<Configuration>,
}

fn families(plan: &Plan) -> Vec<Family> {
    let Some(first) = plan.description.positions.first() else { return Vec::new() };
    if plan.description.baseline == Baseline::None {
        return Vec::new();
    }
    let mut runs: HashMap<&Configuration, u32> = HashMap::new();
    let mut in_order = Vec::new();
    for cell in plan.cells.iter().filter(|cell| cell.position == first.id) {
        let count = runs.entry(&cell.configuration).or_default();
        *count += 1;
        if *count == 1 && !cell.configuration.is_baseline() && cell.configuration.depth != Depth::Unlimited {
            in_order.push(&cell.configuration);
        }
    }
    let mut families: Vec<Family> = Vec::new();
    let mut places = BTreeMap::new();
    for configuration in in_order {
        let baselines = runs.get(&configuration.baseline()).copied().unwrap_or_default();
        let key = (Kind::of(configuration), runs[configuration], baselines);
        let place = *places.entry(key.clone()).or_insert_with(|| {
            families.push(Family { kind: key.0, runs: key.1, baselines, members: Vec::new() });
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
        let text = "baseline = 4\n[axes]\nmachine = \"virtual\"\ndepth = 3\n\
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
}
