//! Time speedup at each depth on the way to the last, from the same runs, and its trend. A speedup at one depth says
//! little of deeper searches: trees that are shared grow differently with depth than those of one processor.

use crate::statistics::{Contrast, Interval};

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

/// Speedups by depth of a group; nothing if its records do not tell when they reached which depth.
pub(super) fn by_depth(group: &Gathered<'_>, baseline: &Gathered<'_>, holds: Holds) -> Option<ByDepth> {
    let deepest = |side: &Gathered<'_>| side.all().map(deepest).min().unwrap_or(0);
    let last = deepest(group).min(deepest(baseline));
    let speedup = |depth: u32| {
        let contrast = Contrast::unpaired(&logs(baseline, depth), &logs(group, depth))?;
        Some(AtDepth { depth, time_speedup: holds.ratio(&contrast) })
    };
    let first = (1..=last).find(|&depth| mean_time(group, depth).is_some_and(|seconds| seconds >= SHORTEST_S))?;
    let depths: Vec<AtDepth> = (first..=last).filter_map(speedup).collect();
    let slope = |side: &Gathered<'_>| side.figures(|run| slope(run, first, last));
    let trend = Contrast::unpaired(&slope(baseline), &slope(group)).filter(|_| last - first + 1 >= FEWEST_DEPTHS);
    Some(ByDepth { depths, per_ply: trend.map(|trend| holds.ratio(&trend)) })
}

/// Depth that a run reached by what it tells.
fn deepest(run: Run<'_>) -> u32 {
    run.measured.answers.last().map_or(0, |answer| answer.depth)
}

/// Logarithm of the seconds until a run could answer with this depth.
fn log_time_at(run: Run<'_>, depth: u32) -> Option<f64> {
    let answer = run.measured.answers.iter().find(|answer| answer.depth >= depth)?;
    (answer.time_ns > 0).then(|| (answer.time_ns as f64 * 1e-9).ln())
}

fn logs(side: &Gathered<'_>, depth: u32) -> Vec<Vec<f64>> {
    side.figures(|run| log_time_at(run, depth))
}

/// Geometric mean over positions of the time to a depth.
fn mean_time(side: &Gathered<'_>, depth: u32) -> Option<f64> {
    Contrast::paired(&logs(side, depth)).map(|contrast| contrast.estimate().exp())
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
    use crate::record::DepthAnswer;

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

        // A depth that one run did not reach is that of none.
        measured(&mut records[2]).answers.pop();
        let analysis = Analysis::of(description.clone(), &records);
        let found = analysis.groups[1].by_depth.as_ref().unwrap();
        assert_eq!((found.depths.len(), found.per_ply), (2, None));
        measured(&mut records[2]).answers.clear();
        assert_eq!(Analysis::of(description, &records).groups[1].by_depth, None);
    }
}
