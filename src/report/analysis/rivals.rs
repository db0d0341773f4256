//! Configurations that might be the fastest at one problem, each against each, pair by pair. What is compared are
//! times to the same depth; between problems there is no order.
//!
//! No position leaves because of its outcome. A search that a limit cut off counts with the limit: where only one side
//! was cut off the ratio is a bound, and where both were it says nothing.

use std::collections::BTreeSet;

use crate::distinct::found_or_added;
use crate::record::{Configuration, IntervalKind, Measured};
use crate::statistics::{Interval, LEVEL, Test, student_factor};

use super::by_size::{Outgrowth, outgrowth};
use super::grouping::Gathering;
use super::scope::Holds;
use super::sides::Sides;
use super::{Curve, Group};

/// Problem with the configurations that might be the fastest at it.
#[derive(Clone, Debug, PartialEq)]
pub struct Contest {
    /// Problem that was searched.
    pub problem: Configuration,
    /// Places in [`Analysis::groups`](super::Analysis::groups) of all that solved it on its largest number of
    /// processors and can be divided by a baseline, in the order of the plan.
    pub candidates: Vec<usize>,
    /// Each pair of them.
    pub rivalries: Vec<Rivalry>,
}

/// Two configurations that might be the fastest at a problem.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rivalry {
    /// Places of the two in [`Analysis::groups`](super::Analysis::groups).
    pub groups: [usize; 2],
    /// Time of the second as a ratio to that of the first.
    pub time: Interval,
    /// Test of the difference.
    pub test: Option<Test>,
    /// P value of the difference from the signs of its positions alone.
    pub sign_flip: Option<f64>,
    /// Difference in how their speedups grow with the size of the search, where records tell.
    pub outgrowth: Option<Outgrowth>,
    /// Whether all pairs took exactly the same time.
    pub is_identical: bool,
}

impl Contest {
    /// Rivalry of two candidates, as the time of the second relative to the first.
    pub fn between(&self, first: usize, second: usize) -> Option<Rivalry> {
        self.rivalries.iter().find_map(|one| match one.groups {
            [a, b] if [a, b] == [first, second] => Some(*one),
            [a, b] if [b, a] == [first, second] => Some(one.reversed()),
            _ => None,
        })
    }
}

/// Share of experiments that are to find a difference.
const POWER: f64 = 0.8;

impl Rivalry {
    /// Standard error of the logarithm of the ratio of times, if its interval is known.
    fn standard_error(&self, freedom: f64) -> Option<f64> {
        let half_width = (self.time.high / self.time.low).ln() / 2.0;
        (half_width.is_finite() && half_width > 0.0).then(|| half_width / student_factor(LEVEL, freedom))
    }

    /// Smallest difference of times, as a logarithm, that four of five experiments as precise as this one would find
    /// among this many tests.
    pub fn difference_found(&self, groups: &[Group], kind: IntervalKind, tests: usize) -> Option<f64> {
        let freedom = self.freedom(groups, kind);
        let level = 1.0 - (1.0 - LEVEL) / tests.max(1) as f64;
        let wanted = student_factor(level, f64::INFINITY) + student_factor(2.0 * POWER - 1.0, f64::INFINITY);
        Some(wanted * self.standard_error(freedom)?)
    }

    /// Multiple of the size of these searches at which both would take equally long, if the speedup of the second goes
    /// on to gain on that of the first as it did. Its interval is from the ends of both intervals, that of times and
    /// that of growth, which hold together; it has no end if the growth may be none.
    pub fn level_after(&self, groups: &[Group], kind: IntervalKind) -> Option<Interval> {
        let freedom = self.freedom(groups, kind).max(1.0);
        let together = 1.0 - (1.0 - LEVEL) / 2.0;
        let wider = student_factor(together, freedom) / student_factor(LEVEL, freedom);
        let ends = |ratio: Interval| {
            let [log, half] = [ratio.estimate.ln(), wider * (ratio.high / ratio.low).ln() / 2.0];
            [log - half, log, log + half]
        };
        let (gap, growth) = (ends(self.time), ends(self.outgrowth?.ratio));
        let high = if growth[0] > 0.0 { (gap[2] / growth[0]).exp2() } else { f64::INFINITY };
        let level = Interval { estimate: (gap[1] / growth[1]).exp2(), low: (gap[0].max(0.0) / growth[2]).exp2(), high };
        Some(level).filter(|level| growth[1] > 0.0 && level.low.is_finite())
    }

    /// Degrees of freedom of its intervals.
    fn freedom(&self, groups: &[Group], kind: IntervalKind) -> f64 {
        let [first, second] = self.groups.map(|place| &groups[place]);
        let positions = first.positions.min(second.positions).max(1);
        let freedom = match kind {
            IntervalKind::ThesePositions => positions * (first.runs.min(second.runs) / positions).saturating_sub(1),
            IntervalKind::PositionsLikeThese => positions - 1,
        };
        freedom as f64
    }

    fn reversed(self) -> Self {
        let [first, second] = self.groups;
        let outgrowth = self.outgrowth.map(|growth| Outgrowth { ratio: growth.ratio.inverse(), ..growth });
        Self { groups: [second, first], time: self.time.inverse(), outgrowth, ..self }
    }
}

/// Contests of an experiment, in the order of the plan. Of a factorial design only those runs take part that are
/// curves for themselves.
pub(super) fn contests(
    groups: &[Group],
    curves: &[Curve],
    has_effects: bool,
    gathering: &Gathering<'_>,
    holds: Holds,
) -> Vec<Contest> {
    let is_in_curve = |place: usize| !has_effects || curves.iter().any(|curve| curve.groups.contains(&place));
    let mut problems: Vec<(Configuration, Vec<usize>)> = Vec::new();
    for (place, group) in groups.iter().enumerate().filter(|(place, group)| takes_part(group) && is_in_curve(*place)) {
        let problem = group.configuration.problem();
        found_or_added(&mut problems, |(other, _)| *other == problem, || (problem.clone(), Vec::new())).1.push(place);
    }
    let contest = |(problem, mut candidates): (Configuration, Vec<usize>)| {
        let threads = |place: &usize| groups[*place].configuration.threads;
        let most = candidates.iter().map(threads).max();
        candidates.retain(|place| Some(threads(place)) == most);
        let pairs = candidates.iter().enumerate();
        let pairs = pairs.flat_map(|(at, &first)| candidates[at + 1..].iter().map(move |&second| [first, second]));
        let rivalries = pairs.filter_map(|pair| rivalry(pair, gathering, holds)).collect();
        Contest { problem, candidates, rivalries }
    };
    problems.into_iter().map(contest).collect()
}

/// Whether the group was measured with several processors and can be divided by its baseline, if only by a bound.
fn takes_part(group: &Group) -> bool {
    let has_speedup = group.time_speedup().is_finite() || group.limited.bound.is_some();
    group.configuration.threads > 1 && group.runs > 0 && has_speedup
}

fn rivalry(groups: [usize; 2], gathering: &Gathering<'_>, holds: Holds) -> Option<Rivalry> {
    let both = groups.map(|place| &gathering.groups[place]);
    let sides = Sides::within(both, holds, &mut BTreeSet::new());
    let time = sides.times(None).filter(|_| both.iter().all(|group| group.has_common_depth()))?;
    let figures = |measured: &Measured| (measured.time_ns, measured.nodes);
    Some(Rivalry {
        groups,
        time: time.ratio,
        test: time.test,
        sign_flip: time.sign_flip,
        outgrowth: outgrowth(both, gathering, holds),
        is_identical: sides.are_all_paired() && sides.all_pairs(|one, other| figures(one) == figures(other)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::charts::samples;
    use crate::record::MachineKind;

    /// Differences are found if they are larger than 1.96 + 0.84 standard errors; among ten tests larger ones.
    #[test]
    fn what_is_found_follows_from_the_spread_that_was_seen() {
        let groups = samples::processors(&[1, 4], &["ybwc", "lazy"], MachineKind::Virtual).groups;
        let freedom = (groups[1].positions * (groups[1].runs / groups[1].positions - 1)) as f64;
        let half = 0.05 * student_factor(LEVEL, freedom);
        let time = Interval { estimate: 1.1, low: (0.1 - half).exp(), high: (0.1 + half).exp() };
        let rivalry =
            Rivalry { groups: [1, 2], time, test: None, sign_flip: None, outgrowth: None, is_identical: false };
        let found = |tests| rivalry.difference_found(&groups, IntervalKind::ThesePositions, tests).unwrap();
        assert!((found(1) - 0.05 * 2.8016).abs() < 1e-3, "{}", found(1));
        assert!(found(10) > 1.2 * found(1));
        let unknown = Rivalry { time: Interval::unknown(1.1), ..rivalry };
        assert_eq!(unknown.difference_found(&groups, IntervalKind::ThesePositions, 1), None);
    }

    /// Three times the time, and a tenth gained with each doubling: level after 11.5 doublings. The interval has the
    /// true size at least as often as it says, and no end where the growth may be none.
    #[test]
    fn the_size_at_which_both_are_level_has_an_interval() {
        let groups = samples::processors(&[1, 4], &["ybwc", "lazy"], MachineKind::Virtual).groups;
        let of = |[time, growth]: [f64; 2], half: f64| {
            let around = |ratio: f64| Interval { estimate: ratio, low: ratio / half.exp(), high: ratio * half.exp() };
            let outgrowth = Some(Outgrowth { ratio: around(growth), test: None });
            let time = around(time);
            let rivalry = Rivalry { groups: [1, 2], time, test: None, sign_flip: None, outgrowth, is_identical: false };
            rivalry.level_after(&groups, IntervalKind::ThesePositions)
        };
        let level = of([3.0, 1.1], 0.01).unwrap();
        let doublings = 3.0_f64.ln() / 1.1_f64.ln();
        assert!((level.estimate.log2() - doublings).abs() < 1e-9, "{level:?}");
        // Wider than the ends of both intervals as they are.
        let [least, most] = [-0.01, 0.01].map(|half: f64| (3.0_f64.ln() + half) / (1.1_f64.ln() - half));
        assert!(level.low.log2() < least && level.high.log2() > most && most < 14.0, "{level:?}");
        assert_eq!(of([3.0, 1.1], 0.2).unwrap().high, f64::INFINITY);
        assert_eq!(of([1.1, 1.1], 0.2).unwrap().low, 1.0);
        assert_eq!(of([3.0, 0.9], 0.01), None);

        let mut random = crate::random::SplitMix::new(5);
        let (error, mut inside) = (0.02, 0);
        let freedom = of_groups(&groups);
        for _ in 0..1_000 {
            let half = error * student_factor(LEVEL, freedom);
            let [time, growth] = [0.5, 0.1].map(|truth: f64| (truth + error * random.normal()).exp());
            inside +=
                usize::from(of([time, growth], half).is_some_and(|level| level.low <= 32.0 && 32.0 <= level.high));
        }
        assert!(inside >= 950, "{inside}");
    }

    fn of_groups(groups: &[Group]) -> f64 {
        (groups[1].positions * (groups[1].runs / groups[1].positions - 1)) as f64
    }
}
