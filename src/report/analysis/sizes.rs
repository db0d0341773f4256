//! What the size of a copy costs: searches that differ only in the bytes that travel with each position, and the size
//! at which the search is slower by one in a hundred. Time a node is what counts: how many nodes are searched has more
//! to do with chance.

use std::collections::BTreeMap;

use crate::record::Configuration;
use crate::record::axes::COPY;
use crate::statistics::{Contrast, Interval, mean_of_means};

use super::grouping::{Gathered, Gathering};
use super::logs::log_nps;
use super::pairing::{paired, pairing, partners_of};
use super::scope::Holds;

/// Sweep of the size of copies, with all else the same.
#[derive(Clone, Debug, PartialEq)]
pub struct Sizes {
    /// Place in [`groups`](super::Analysis::groups) of the group with the smallest copies.
    pub smallest: usize,
    /// Points by size, the smallest first.
    pub points: Vec<Size>,
    /// Bytes more than the smallest by which time a node grows by a hundredth, if it grows evenly with the bytes. The
    /// interval has no upper end where it is not shown to grow.
    pub one_percent: Option<Interval>,
}

/// Point of a sweep.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Size {
    /// Place of the group.
    pub group: usize,
    /// Mean bytes of a copy.
    pub bytes: f64,
    /// Time a node relative to that with the smallest copies.
    pub slowdown: Interval,
}

/// Fewest sizes that make a sweep.
const FEWEST: usize = 3;

/// Sweeps of an experiment.
pub(super) fn sizes(gathering: &Gathering<'_>, holds: Holds) -> Vec<Sizes> {
    let mut sweeps: BTreeMap<(Configuration, String), Vec<(usize, f64)>> = BTreeMap::new();
    for (at, group) in gathering.groups.iter().enumerate() {
        let Some(copy) = &group.configuration.copy else { continue };
        let Some(bytes) = mean_bytes(group) else { continue };
        // The bytes that are added to a form stand after it: `trimmed+4096`.
        let form = copy.split('+').next().unwrap_or_default().to_owned();
        sweeps.entry((COPY.without(group.configuration), form)).or_default().push((at, bytes));
    }
    let mut sweeps: Vec<Vec<(usize, f64)>> = sweeps.into_values().filter(|sweep| sweep.len() >= FEWEST).collect();
    sweeps.iter_mut().for_each(|sweep| sweep.sort_by(|one, other| one.1.total_cmp(&other.1)));
    sweeps.sort_by_key(|sweep| sweep[0].0);
    sweeps.into_iter().filter_map(|sweep| of_sweep(&sweep, gathering, holds)).collect()
}

fn mean_bytes(group: &Gathered<'_>) -> Option<f64> {
    let bytes = group.figures(|run| {
        let copies = run.measured.sharing.times?.paid;
        (copies > 0).then_some(run.measured.count("copied_bytes")? as f64 / copies as f64)
    });
    mean_of_means(&bytes)
}

fn of_sweep(sweep: &[(usize, f64)], gathering: &Gathering<'_>, holds: Holds) -> Option<Sizes> {
    let &(smallest, fewest) = sweep.first()?;
    // Of the logarithms of nodes a second, the first less the second: the smallest copies come second.
    let against = |at: usize| paired(&partners_of([&gathering.groups[at], &gathering.groups[smallest]]), log_nps);
    let point = |&(group, bytes): &(usize, f64)| {
        let slowdown = if group == smallest { Interval::unknown(1.0) } else { holds.ratio(&against(group)?) };
        Some(Size { group, bytes, slowdown })
    };
    let points: Vec<Size> = sweep.iter().filter_map(point).collect();
    let extra: Vec<f64> = sweep.iter().map(|(_, bytes)| bytes - fewest).collect();
    let slope = slope(sweep, &extra, gathering).map(|contrast| holds.interval(&contrast));
    let one_percent = slope.filter(|slope| slope.estimate > 0.0).map(|slope| {
        let bytes = |slope: f64| if slope > 0.0 { 1.01_f64.ln() / slope } else { f64::INFINITY };
        Interval { estimate: bytes(slope.estimate), low: bytes(slope.high), high: bytes(slope.low) }
    });
    Some(Sizes { smallest, points, one_percent })
}

/// Slope of the logarithm of time a node over the bytes, by least squares, run by run: each run of a position searched
/// with the same seed at every size gives one slope.
fn slope(sweep: &[(usize, f64)], extra: &[f64], gathering: &Gathering<'_>) -> Option<Contrast> {
    let mean = extra.iter().sum::<f64>() / extra.len() as f64;
    let squares: f64 = extra.iter().map(|bytes| (bytes - mean).powi(2)).sum();
    if squares <= 0.0 {
        return None;
    }
    let weights = extra.iter().map(|bytes| (bytes - mean) / squares);
    let sides: Vec<(f64, &Gathered<'_>)> = weights.zip(sweep.iter().map(|(at, _)| &gathering.groups[*at])).collect();
    let of_position = |place: usize| -> Vec<f64> {
        let mut slopes: BTreeMap<(u64, u32), Vec<f64>> = BTreeMap::new();
        for (weight, group) in &sides {
            for &run in &group.runs[place] {
                slopes.entry(pairing(run)).or_default().extend(log_nps(run).map(|log| weight * -log));
            }
        }
        slopes.into_values().filter(|parts| parts.len() == sides.len()).map(|parts| parts.iter().sum()).collect()
    };
    let positions = gathering.groups.first()?.runs.len();
    Contrast::paired(&(0..positions).map(of_position).collect::<Vec<_>>())
}
