//! Configurations that might be the fastest at one problem, each against each, pair by pair. What is compared are
//! times to the same depth; between problems there is no order.
//!
//! No position leaves because of its outcome. A search that a limit cut off counts with the limit: where only one side
//! was cut off the ratio is a bound, and where both were it says nothing.

use std::collections::BTreeSet;

use crate::distinct::found_or_added;
use crate::record::{Configuration, Measured};
use crate::statistics::{Interval, Test};

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

impl Rivalry {
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
