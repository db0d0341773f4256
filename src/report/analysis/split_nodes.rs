//! Distributions over split nodes: what sharing each of them cost and brought. The thesis of 2004 wanted both to be
//! known of every node at which work is shared, and not only on average.

use std::collections::BTreeMap;

use crate::counts::{Bins, Distributions, RATIO_PARTS};
use crate::record::SplitDistributions;
use crate::statistics::{Contrast, Interval};

use super::grouping::{Gathered, Run, means_of_seeds};
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
    if group.all().all(|run| of_run(run).is_none()) {
        return Vec::new();
    }
    let distribution = |(place, (name, _, parts)): (usize, (&'static str, &Bins, u64))| {
        let mut counts: BTreeMap<usize, u64> = BTreeMap::new();
        for distributions in group.all().filter_map(of_run) {
            distributions.filled(place).for_each(|(bin, count)| *counts.entry(bin).or_default() += count);
        }
        // Of each run how many nodes lie in the bins before each of these, and in all.
        let before = |run: &Run<'_>| -> Option<Box<[u64]>> {
            let mut filled = of_run(*run)?.filled(place).peekable();
            let sums = counts.keys().scan(0, |sum, bin| {
                let before = *sum;
                *sum += filled.next_if(|(at, _)| at == bin).map_or(0, |(_, count)| count);
                Some(before)
            });
            let sums: Vec<u64> = sums.collect();
            let all = of_run(*run)?.filled(place).map(|(_, count)| count).sum();
            Some(sums.into_iter().chain([all]).collect())
        };
        let before: Vec<Vec<_>> = group.runs.iter().map(|runs| runs.iter().map(before).collect()).collect();
        let share = |from: usize, to: usize| {
            let of_one = |sums: &Option<Box<[u64]>>| {
                let sums = sums.as_ref()?;
                ratio(sums[to] - sums[from], *sums.last()?)
            };
            let at = |(runs, before): (&Vec<Run<'_>>, &Vec<_>)| {
                means_of_seeds(runs.iter().zip(before).map(|(run, sums)| (*run, of_one(sums))))
            };
            let shares = group.runs.iter().zip(&before).map(at).collect::<Vec<_>>();
            Some(of_shares(Contrast::paired(&shares)?, holds))
        };
        let bin = |(at, (&bin, &count)): (usize, (&usize, &u64))| {
            let value = |value: u64| value as f64 / parts as f64;
            let (from, below) = Bins::bounds(bin);
            let (share, up_to) = (share(at, at + 1)?, share(0, at + 1)?);
            Some(Bin { from: value(from), below: below.map(value), count, share, up_to })
        };
        Distribution { name, bins: counts.iter().enumerate().filter_map(bin).collect() }
    };
    Distributions::default().each().into_iter().enumerate().map(distribution).collect()
}

/// Share of split nodes at which sharing took at least as long as everything else did.
pub(super) fn costly(group: &Gathered<'_>, holds: Holds) -> Option<Interval> {
    let place = Distributions::default().each().iter().position(|(name, ..)| *name == "cost_ratio")?;
    let of_one = |run: Run<'_>| {
        let [mut costly, mut all] = [0; 2];
        for (bin, count) in of_run(run)?.filled(place) {
            all += count;
            costly += if Bins::bounds(bin).0 >= RATIO_PARTS { count } else { 0 };
        }
        ratio(costly, all)
    };
    Some(of_shares(group.mean(of_one)?, holds))
}

fn of_run<'a>(run: Run<'a>) -> Option<&'a SplitDistributions> {
    run.measured.sharing.distributions.as_ref()
}

fn ratio(count: u64, of: u64) -> Option<f64> {
    (of > 0).then(|| count as f64 / of as f64)
}

/// Interval of a mean over positions of shares, none of which is less than nothing or more than all.
fn of_shares(shares: Contrast, holds: Holds) -> Interval {
    let interval = holds.interval(&shares);
    Interval { low: interval.low.clamp(0.0, 1.0), high: interval.high.clamp(0.0, 1.0), ..interval }
}
