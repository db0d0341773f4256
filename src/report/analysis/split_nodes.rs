//! Distributions over split nodes: what sharing each of them cost and brought. The thesis of 2004 wanted both to be
//! known of every node at which work is shared, and not only on average.

use crate::counts::{Bins, Distributions};
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

fn of_run<'a>(run: Run<'a>) -> Option<&'a Distributions> {
    run.measured.splits.distributions.as_deref()
}

/// Distributions of a group; none if its records do not tell.
pub(super) fn distributions(group: &Gathered<'_>, holds: Holds) -> Vec<Distribution> {
    let Some(first) = group.all().find_map(of_run) else { return Vec::new() };
    let quantities = first.each().into_iter().enumerate();
    let distribution = |(place, (name, _, parts)): (usize, (&'static str, &Bins, u64))| {
        let mut counts = std::collections::BTreeMap::new();
        for (bin, count) in group.all().filter_map(of_run).flat_map(|of| of.each()[place].1.filled()) {
            *counts.entry(bin).or_insert(0) += count;
        }
        let share = |is_in: &dyn Fn(usize) -> bool| {
            let of_one = |run: Run<'_>| {
                let bins = of_run(run)?.each()[place].1;
                let count: u64 = bins.filled().filter(|(bin, _)| is_in(*bin)).map(|(_, count)| count).sum();
                (bins.total() > 0).then(|| count as f64 / bins.total() as f64)
            };
            let interval = holds.interval(&group.mean(of_one)?);
            // No share is less than nothing or more than all.
            Some(Interval { low: interval.low.max(0.0), high: interval.high.min(1.0), ..interval })
        };
        let bin = |(&bin, &count): (&usize, &u64)| {
            let (from, below) = Bins::bounds(bin);
            let value = |value: u64| value as f64 / parts as f64;
            let (share, up_to) = (share(&|other| other == bin)?, share(&|other| other <= bin)?);
            Some(Bin { from: value(from), below: below.map(value), count, share, up_to })
        };
        Distribution { name, bins: counts.iter().filter_map(bin).collect() }
    };
    quantities.map(distribution).collect()
}

/// Share of split nodes at which sharing took at least as long as everything else did.
pub(super) fn costly(group: &Gathered<'_>, holds: Holds) -> Option<Interval> {
    let share = |run: Run<'_>| {
        let ratios = &of_run(run)?.cost_ratio;
        let is_costly = |bin: usize| Bins::bounds(bin).0 >= crate::counts::RATIO_PARTS;
        let costly: u64 = ratios.filled().filter(|(bin, _)| is_costly(*bin)).map(|(_, count)| count).sum();
        (ratios.total() > 0).then(|| costly as f64 / ratios.total() as f64)
    };
    let interval = holds.interval(&group.mean(share)?);
    Some(Interval { low: interval.low.max(0.0), high: interval.high.min(1.0), ..interval })
}
