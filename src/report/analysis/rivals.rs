//! Configurations that might be the fastest, each against each, pair by pair on the positions that both have searched.

use std::collections::BTreeSet;

use crate::record::MachineKind;
use crate::statistics::{Contrast, Interval};

use super::grouping::{Gathered, Gathering, in_common};
use super::pairing::{paired, paired_speedups, partners_of};
use super::ratios::{Pair, log_time};
use super::scope::Holds;
use super::{Curve, Group};

/// Two configurations that might be the fastest, with equally many processors of the same machine at the same costs.
#[derive(Clone, Debug, PartialEq)]
pub struct Rivalry {
    /// Places of the two in [`Analysis::groups`](super::Analysis::groups).
    pub groups: [usize; 2],
    /// Time of the second by that of the first; with baselines of their own, the first's time speedup by the second's.
    pub time: Interval,
    /// P value of the difference, adjusted for all claims of the report (Holm).
    pub p: Option<f64>,
    /// Whether all pairs took exactly the same time.
    pub is_identical: bool,
}

/// Places of the groups on each machine that have its largest number of processors and a time speedup.
pub(in crate::report) fn candidates(groups: &[Group], curves: &[Curve], has_effects: bool) -> Vec<usize> {
    let mut candidates = Vec::new();
    for &machine in MachineKind::ALL {
        // Of a factorial design only those runs are candidates that are curves for themselves.
        let is_in_curve = |place: &usize| !has_effects || curves.iter().any(|curve| curve.groups.contains(place));
        let is_candidate = |place: &usize| is_measured_together(&groups[*place], machine) && is_in_curve(place);
        let of_machine: Vec<usize> = (0..groups.len()).filter(is_candidate).collect();
        let threads = |place: &usize| groups[*place].configuration.threads;
        let most = of_machine.iter().map(threads).max();
        candidates.extend(of_machine.into_iter().filter(|place| Some(threads(place)) == most));
    }
    candidates
}

/// Whether the group was measured with several processors of this machine and can be divided by its baseline.
fn is_measured_together(group: &Group, machine: MachineKind) -> bool {
    let speedup = group.against_baseline.as_ref().map(|against| against.time_speedup.estimate);
    let configuration = &group.configuration;
    configuration.machine == machine
        && configuration.threads > 1
        && group.runs > 0
        && speedup.is_some_and(f64::is_finite)
}

/// Gives each candidate the interval of its speedup that holds together with those of its rivals.
pub(super) fn hold_together(groups: &mut [Group], candidates: &[usize], gathering: &Gathering<'_>, holds: Holds) {
    for &place in candidates {
        let count = alike(place, candidates, gathering).count();
        let common = in_common_of(place, candidates, gathering, &mut BTreeSet::new());
        let group = gathering.groups[place].at(&common);
        let pair = gathering.baseline(&group).and_then(|baseline| Pair::of(&group, baseline));
        let simultaneous = pair.and_then(|pair| pair.speedup_among(holds, count));
        if let Some(against) = groups[place].against_baseline.as_mut() {
            against.simultaneous = simultaneous;
        }
    }
}

/// Candidates that searched on the same machine at the same costs as this one, itself among them.
fn alike(place: usize, candidates: &[usize], gathering: &Gathering<'_>) -> impl Iterator<Item = usize> {
    let of = |place: usize| &gathering.groups[place];
    candidates.iter().copied().filter(move |&other| are_alike(of(place), of(other)))
}

/// Positions that a candidate, all that it may be compared with and their baselines have: an order is one over the same
/// positions.
fn in_common_of(
    place: usize,
    candidates: &[usize],
    gathering: &Gathering<'_>,
    left_out: &mut BTreeSet<usize>,
) -> BTreeSet<usize> {
    let groups = alike(place, candidates, gathering).map(|other| &gathering.groups[other]);
    let with_baselines: Vec<&Gathered<'_>> =
        groups.flat_map(|group| [Some(group), gathering.baseline(group)]).flatten().collect();
    in_common(&with_baselines, left_out)
}

/// Whether two candidates searched on the same machine at the same costs, and so can be rivals.
fn are_alike(one: &Gathered<'_>, other: &Gathered<'_>) -> bool {
    let [one, other] = [one.configuration, other.configuration];
    one.machine == other.machine && one.costs == other.costs
}

/// All pairs of candidates of the same machine and costs.
pub(super) fn rivalries(
    candidates: &[usize],
    gathering: &Gathering<'_>,
    holds: Holds,
    left_out: &mut BTreeSet<usize>,
) -> Vec<Rivalry> {
    let mut rivalries = Vec::new();
    for (at, &first) in candidates.iter().enumerate() {
        let common = in_common_of(first, candidates, gathering, left_out);
        for &other in &candidates[at + 1..] {
            let [one, two] = &[first, other].map(|place| gathering.groups[place].at(&common));
            if let Some(time) = are_alike(one, two).then(|| times(one, two, gathering)).flatten() {
                rivalries.push(Rivalry {
                    groups: [first, other],
                    time: holds.ratio(&time),
                    p: holds.p_value(&time),
                    is_identical: is_identical(one, two),
                });
            }
        }
    }
    rivalries
}

/// Contrast of the logarithms of times of the second and the first, or of speedups where baselines differ.
fn times(first: &Gathered<'_>, other: &Gathered<'_>, gathering: &Gathering<'_>) -> Option<Contrast> {
    if first.configuration.baseline() == other.configuration.baseline() {
        return paired(&partners_of([first, other]), log_time);
    }
    let baselines = [gathering.baseline(other)?, gathering.baseline(first)?];
    paired_speedups(&partners_of([other, first, baselines[0], baselines[1]]))
}

/// Whether the two have the same runs at the same positions, with equal times and nodes.
fn is_identical(first: &Gathered<'_>, other: &Gathered<'_>) -> bool {
    let pairs = partners_of([first, other]);
    let count = |group: &Gathered<'_>| group.all().count();
    let paired: usize = pairs.iter().map(Vec::len).sum();
    let figures = |run: &super::grouping::Run<'_>| (run.measured.time_ns, run.measured.nodes);
    paired == count(first)
        && paired == count(other)
        && pairs.iter().flatten().all(|[one, two]| figures(one) == figures(two))
}
