//! Searches that a limit ended. A search to a depth that was cut off took longer than its limit: its time is bounded
//! from below, and a speedup made with it is a bound, not an estimate. Searches limited by time or nodes have no common
//! depth, and instead of a time speedup they have the depth that they reached.

use crate::statistics::{Contrast, Interval, LEVEL, Scope};

use super::cut::{self, Beyond};
use super::grouping::{Gathered, Run};
use super::logs::log_time;
use super::scope::Holds;

/// Bound of a time speedup.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bound {
    /// Side on which the time speedup lies.
    pub side: Beyond,
    /// End of the interval on the other side, for these positions, with the limit in place of every time that exceeds
    /// it.
    pub ratio: f64,
}

/// Searches of a group that a limit ended.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Limited {
    /// Number of searches that were cut off before they had reached their depth.
    pub cut: usize,
    /// Number of searches of the baseline that were cut off.
    pub baseline_cut: usize,
    /// Bound of the time speedup, where searches were cut off on one side.
    pub bound: Option<Bound>,
    /// Depth that was reached, of searches without a common depth: the mean over positions.
    pub depth: Option<Interval>,
    /// Plies by which that is deeper than the baseline.
    pub depth_gain: Option<Interval>,
}

impl Limited {
    /// Searches of a group, divided by these of its baseline, that a limit ended.
    pub(super) fn of(group: &Gathered<'_>, baseline: Option<&Gathered<'_>>, holds: Holds) -> Self {
        let count = |of: &Gathered<'_>| of.cut.iter().map(Vec::len).sum();
        let has_depth = group.has_common_depth() && baseline.is_none_or(Gathered::has_common_depth);
        let interval = |contrast: Option<Contrast>| Some(holds.interval(&contrast.filter(|_| !has_depth)?));
        Self {
            cut: count(group),
            baseline_cut: baseline.map_or(0, count),
            bound: baseline.filter(|_| has_depth).and_then(|baseline| bound(group, baseline)),
            depth: interval(group.mean(depth)),
            depth_gain: interval(baseline.and_then(|baseline| group.less(baseline, depth))),
        }
    }
}

fn depth(run: Run<'_>) -> Option<f64> {
    Some(f64::from(run.measured.depth))
}

/// Bound of the time speedup of a group. With the limit in place of times that exceed it, the mean of the logarithms of
/// times is too small, by an amount that is not known: so the speedup is too large if only searches of the group were
/// cut off, and too small if only searches of the baseline were. The end of the interval takes in the noise; on the
/// other side there is none. Nothing if both were cut off, or none.
fn bound(group: &Gathered<'_>, baseline: &Gathered<'_>) -> Option<Bound> {
    let side = cut::side(group.is_cut(), baseline.is_cut())??;
    let contrast = Contrast::unpaired(&times(baseline), &times(group))?;
    let interval = contrast.interval(Scope::ThesePositions, LEVEL)?.exp();
    let ratio = if side == Beyond::Below { interval.high } else { interval.low };
    ratio.is_finite().then_some(Bound { side, ratio })
}

/// Logarithms of the times of all searches, those that were cut off with their limits.
fn times(group: &Gathered<'_>) -> Vec<Vec<f64>> {
    let mut times = group.figures(log_time);
    for (times, cut) in times.iter_mut().zip(&group.cut) {
        times.extend(cut.iter().filter_map(|record| Some((record.exceeds_ns()? as f64 * 1e-9).ln())));
    }
    times
}
