//! Time speedup at each depth on the way to the last, from the same runs, and its trend. A speedup at one depth says
//! little of deeper searches: trees that are shared grow differently with depth than those of one processor. Of
//! searches on one processor, nodes and times of each iteration too.

use crate::record::DepthAnswer;
use crate::statistics::Interval;

use super::grouping::{Gathered, Run};
use super::scope::Holds;

/// Time in seconds below which a search says nothing of its speedup: waking a thread takes some of its hundredths.
pub(super) const SHORTEST_S: f64 = 1e-3;
/// Smallest number of depths that have a trend.
const FEWEST_DEPTHS: u32 = 3;

/// Time speedup at each depth that all runs reached, and its trend.
#[derive(Clone, Debug, PartialEq)]
pub struct ByDepth {
    /// Speedups by depth; depths that take too short a time are left out.
    pub depths: Vec<AtDepth>,
    /// Factor by which the speedup changes with a ply; nothing if there are too few depths.
    pub per_ply: Option<Interval>,
}

/// Time speedup to a depth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AtDepth {
    /// Depth in plies.
    pub depth: u32,
    /// Time of the baseline to that depth, as a ratio to that of the group.
    pub time_speedup: Interval,
}

/// Searches on one processor up to a depth: geometric means over positions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AtIteration {
    /// Depth in plies.
    pub depth: u32,
    /// Nodes up to the end of that iteration.
    pub nodes: Interval,
    /// Seconds up to then.
    pub time_s: Interval,
    /// Seconds as a ratio to those up to the depth before, if these are not too few to be measured.
    pub growth: Option<Interval>,
    /// Leaves of the main search for each of the minimal trees.
    pub over_minimum: Option<Interval>,
}

/// Iterations of a group of searches on one processor, as far as all of them came.
pub(super) fn iterations(group: &Gathered<'_>, holds: Holds) -> Vec<AtIteration> {
    if group.configuration.threads != 1 {
        return Vec::new();
    }
    let mean = |figure: &dyn Fn(Run<'_>) -> Option<f64>| {
        let mean = group.mean(|run| figure(run).filter(|value| *value > 0.0).map(f64::ln));
        mean.map(|contrast| holds.ratio(&contrast))
    };
    let nanoseconds = |run: Run<'_>, depth: u32| answer_at(run, depth).map(|answer| answer.time_ns as f64);
    let at = |depth: u32| {
        let before = |run: Run<'_>| {
            let before = nanoseconds(run, depth.checked_sub(1).filter(|before| *before > 0)?);
            before.filter(|nanoseconds| nanoseconds * 1e-9 >= SHORTEST_S)
        };
        Some(AtIteration {
            depth,
            nodes: mean(&|run| answer_at(run, depth).map(|answer| answer.nodes as f64))?,
            time_s: mean(&|run| Some(nanoseconds(run, depth)? * 1e-9))?,
            growth: mean(&|run| Some(nanoseconds(run, depth)? / before(run)?)),
            over_minimum: mean(&|run| run.measured.leaves_over_minimum(answer_at(run, depth)?.leaves, depth)),
        })
    };
    (1..=least(group, deepest)).filter_map(at).collect()
}

/// Speedups by depth of a group; nothing if its records do not tell when they reached which depth.
pub(super) fn by_depth(group: &Gathered<'_>, baseline: &Gathered<'_>, holds: Holds) -> Option<ByDepth> {
    let last = least(group, deepest).min(least(baseline, deepest));
    let speedup = |depth: u32| {
        let contrast = baseline.less(group, |run| log_time_at(run, depth))?;
        Some(AtDepth { depth, time_speedup: holds.ratio(&contrast) })
    };
    let mean_time = |depth: u32| Some(group.mean(|run| log_time_at(run, depth))?.estimate().exp());
    let first = (1..=last).find(|&depth| mean_time(depth).is_some_and(|seconds| seconds >= SHORTEST_S))?;
    let depths: Vec<AtDepth> = (first..=last).filter_map(speedup).collect();
    let trusted = least(group, last_depth).min(last);
    let trend = baseline.less(group, |run| slope(run, first, trusted)).filter(|_| trusted + 1 >= first + FEWEST_DEPTHS);
    Some(ByDepth { depths, per_ply: trend.map(|trend| holds.ratio(&trend)) })
}

/// Depth that all runs of a group have, by this meaning of depth.
fn least(group: &Gathered<'_>, depth: fn(Run<'_>) -> u32) -> u32 {
    group.all().map(depth).min().unwrap_or(0)
}

/// Depth that a run reached by what it tells.
fn deepest(run: Run<'_>) -> u32 {
    run.measured.answers.last().map_or(0, |answer| answer.depth)
}

/// Last depth that a run has passed in the same way as a deeper search would. Workers that run ahead and know the
/// last depth all end there, which makes that depth another kind of search.
pub(super) fn last_depth(run: Run<'_>) -> u32 {
    match run.record.cell.depth {
        Some(asked) if run.record.cell.configuration.knows_its_end() => deepest(run).min(asked.saturating_sub(1)),
        _ => deepest(run),
    }
}

/// First answer of a run with this depth or more.
fn answer_at(run: Run<'_>, depth: u32) -> Option<&DepthAnswer> {
    run.measured.answers.iter().find(|answer| answer.depth >= depth)
}

/// Logarithm of the seconds until a run could answer with this depth.
pub(super) fn log_time_at(run: Run<'_>, depth: u32) -> Option<f64> {
    let answer = answer_at(run, depth)?;
    (answer.time_ns > 0).then(|| (answer.time_ns as f64 * 1e-9).ln())
}

/// Increase of the logarithm of a run's time with a ply, by least squares over these depths.
fn slope(run: Run<'_>, first: u32, last: u32) -> Option<f64> {
    let middle = f64::from(first + last) / 2.0;
    let (mut sum, mut squares) = (0.0, 0.0);
    for depth in first..=last {
        let away = f64::from(depth) - middle;
        sum += away * log_time_at(run, depth)?;
        squares += away * away;
    }
    (squares > 0.0).then(|| sum / squares)
}

#[cfg(test)]
mod tests {
    use super::super::Analysis;
    use super::super::samples::{measured, one_against_four};
    use crate::record::{Configuration, DepthAnswer};

    /// With 30 moves at each node, minimal trees of depths 1 and 2 have 30 and 59 leaves.
    #[test]
    fn iterations_worked_by_hand() {
        let (description, mut records) = one_against_four();
        for record in &mut records {
            let measured = measured(record);
            let answer = |(depth, time_ns, nodes, leaves)| DepthAnswer {
                depth,
                time_ns,
                nodes,
                leaves,
                ..DepthAnswer::default()
            };
            measured.answers = [(1, 1_000_000, 50, 30), (2, 3_000_000, 400, 178)].map(answer).to_vec();
            let counted = serde_json::json!({ "counted_moves": 300, "counted_nodes": 10 });
            measured.counters = serde_json::from_value(counted).unwrap();
        }
        let analysis = Analysis::of(description, &records);
        let [one, two] = &analysis.groups[0].iterations[..] else { panic!("{:?}", analysis.groups[0]) };
        let figures = [one.nodes, one.over_minimum.unwrap(), two.nodes, two.growth.unwrap(), two.over_minimum.unwrap()];
        for (found, expected) in figures.iter().zip([50.0, 1.0, 400.0, 3.0, 2.0]) {
            assert!((found.estimate - expected).abs() < 1e-9, "{found:?} {expected}");
        }
        assert_eq!(one.growth, None);
        assert!(analysis.groups[1].iterations.is_empty(), "nodes of one of four processors are not those of all");
    }

    /// Times in milliseconds at depths 1 to 4: of one processor they grow fourfold with a ply, of four threefold.
    #[test]
    fn speedups_by_depth_worked_by_hand() {
        let (description, mut records) = one_against_four();
        for record in &mut records {
            let is_shared = record.cell.configuration.threads == 4;
            // The first depth of four processors takes less than a millisecond.
            let times = if is_shared { [0.5, 1.5, 4.5, 13.5] } else { [1.0, 4.0, 16.0, 64.0] };
            let answer =
                |(depth, ms): (u32, f64)| DepthAnswer { depth, time_ns: (ms * 1e6) as u64, ..DepthAnswer::default() };
            measured(record).answers = (1..).zip(times).map(answer).collect();
        }
        let analysis = Analysis::of(description.clone(), &records);
        assert_eq!(analysis.groups[0].by_depth, None);
        let found = analysis.groups[1].by_depth.as_ref().unwrap();
        let speedups: Vec<(u32, f64)> = found.depths.iter().map(|at| (at.depth, at.time_speedup.estimate)).collect();
        for ((depth, speedup), expected) in speedups.iter().zip([(2, 4.0 / 1.5), (3, 16.0 / 4.5), (4, 64.0 / 13.5)]) {
            assert!(*depth == expected.0 && (speedup - expected.1).abs() < 1e-9, "{speedups:?}");
        }
        assert_eq!(speedups.len(), 3);
        assert!((found.per_ply.unwrap().estimate - 4.0 / 3.0).abs() < 1e-9, "{found:?}");

        // Workers that run ahead and know the last depth all pile up on it, which is no trend then.
        for (horizon, has_trend) in [("closed", false), ("open", true)] {
            let mut ahead = records.clone();
            for record in ahead.iter_mut().filter(|record| record.cell.configuration.threads == 4) {
                let horizon = Some(horizon.to_owned());
                let configuration = (*record.cell.configuration).clone();
                let teams = Configuration { strategy: "teams".into(), horizon, ..configuration };
                (record.cell.configuration, record.cell.depth) = (teams.into(), Some(4));
            }
            let analysis = Analysis::of(description.clone(), &ahead);
            let found = analysis.groups[1].by_depth.as_ref().unwrap();
            assert_eq!(found.per_ply.is_some(), has_trend, "{horizon}: {found:?}");
        }

        // A depth that one run did not reach is that of none.
        measured(&mut records[2]).answers.pop();
        let analysis = Analysis::of(description.clone(), &records);
        let found = analysis.groups[1].by_depth.as_ref().unwrap();
        assert_eq!((found.depths.len(), found.per_ply), (2, None));
        measured(&mut records[2]).answers.clear();
        assert_eq!(Analysis::of(description, &records).groups[1].by_depth, None);
    }
}
