//! Distributions over split nodes: what sharing each of them cost and brought. The thesis of 2004 wanted both to be
//! known of every node at which work is shared, and not only on average.

use std::collections::BTreeMap;

use crate::counts::{Bins, Distributions, RATIO_PARTS};
use crate::statistics::Interval;

use super::grouping::{Gathered, Run};
use super::scope::Holds;

/// Distribution of a quantity over the split nodes of a group.
#[derive(Clone, Debug, PartialEq)]
pub struct Distribution {
    /// Name of the quantity, as among [`Distributions`].
    pub name: &'static str,
    /// Bins that hold something, from the lowest.
    pub bins: Vec<Bin>,
}

/// Part of a distribution.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bin {
    /// Least value.
    pub from: f64,
    /// Least value above the bin, unless it is the last.
    pub below: Option<f64>,
    /// Number of split nodes, of all runs.
    pub count: u64,
    /// Their share.
    pub share: Interval,
    /// Share of those whose value lies in this bin or below it.
    pub up_to: Interval,
}

/// Distributions of a group; none if its records do not tell.
pub(super) fn distributions(group: &Gathered<'_>, holds: Holds) -> Vec<Distribution> {
    let Some(first) = group.all().find_map(of_run) else { return Vec::new() };
    let distribution = |(place, (name, _, parts)): (usize, (&'static str, &Bins, u64))| {
        let bins = |distributions: &Distributions| *distributions.each()[place].1;
        let mut counts: BTreeMap<usize, u64> = BTreeMap::new();
        for distributions in group.all().filter_map(of_run) {
            bins(distributions).filled().for_each(|(bin, count)| *counts.entry(bin).or_default() += count);
        }
        let bin = |(&bin, &count): (&usize, &u64)| {
            let value = |value: u64| value as f64 / parts as f64;
            let (from, below) = Bins::bounds(bin);
            let share = share(group, holds, bins, |other| other == bin)?;
            let up_to = self::share(group, holds, bins, |other| other <= bin)?;
            Some(Bin { from: value(from), below: below.map(value), count, share, up_to })
        };
        Distribution { name, bins: counts.iter().filter_map(bin).collect() }
    };
    first.each().into_iter().enumerate().map(distribution).collect()
}

/// Share of split nodes at which sharing took at least as long as everything else did.
pub(super) fn costly(group: &Gathered<'_>, holds: Holds) -> Option<Interval> {
    share(group, holds, |distributions| distributions.cost_ratio, |bin| Bins::bounds(bin).0 >= RATIO_PARTS)
}

fn of_run<'a>(run: Run<'a>) -> Option<&'a Distributions> {
    run.measured.sharing.distributions.as_deref()
}

/// Share of split nodes in some bins of a distribution: mean over positions of means over runs.
fn share(
    group: &Gathered<'_>,
    holds: Holds,
    bins: impl Fn(&Distributions) -> Bins,
    is_in: impl Fn(usize) -> bool,
) -> Option<Interval> {
    let of_one = |run: Run<'_>| {
        let bins = bins(of_run(run)?);
        let count: u64 = bins.filled().filter(|(bin, _)| is_in(*bin)).map(|(_, count)| count).sum();
        (bins.total() > 0).then(|| count as f64 / bins.total() as f64)
    };
    let interval = holds.interval(&group.mean(of_one)?);
    // No share is less than nothing or more than all.
    Some(Interval { low: interval.low.clamp(0.0, 1.0), high: interval.high.clamp(0.0, 1.0), ..interval })
}
