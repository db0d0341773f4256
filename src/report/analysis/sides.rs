//! Two sides over the positions that both have searched: the one place where two groups of runs are compared, of one
//! experiment or of two folders. Runs with the same position, seed and repetition are pairs, so that what the seed does
//! cancels; where seeds are not common the runs of a position are compared without pairs. A speedup at a size, or a
//! product of several, is a [sum](super::sums) of more than two.
//!
//! A search that a limit cut off counts with the limit, so that no position leaves because of its outcome: with cuts on
//! one side the ratio of times is a bound. Where too many searches were disturbed, a difference must be shown by all
//! and by the quiet ones alone, and nothing is shown to be equal.

use std::collections::{BTreeSet, HashMap, HashSet};

use crate::record::{MachineKind, Measured, Record};
use crate::statistics::{Contrast, Interval, Test};

use super::conditions::{is_doubtful, p_value_of_both};
use super::cut;
use super::grouping::{Gathered, Run, in_common};
use super::logs::{log_nodes, log_nps, log_time};
use super::pairing::{Partners, differences, paired, paired_savings, partners_of};
use super::scope::Holds;

/// Two groups, restricted to the positions that both have searched.
pub(crate) struct Sides<'a> {
    /// The one that the other is divided by, and that other.
    pub groups: [Gathered<'a>; 2],
    pub holds: Holds,
    /// Whether runs are compared pair by pair.
    pub is_paired: bool,
    /// Runs with the same seed and repetition on both sides, by position.
    partners: Vec<Partners<'a, 2>>,
    /// Whether too many searches of a side were disturbed, or may have been.
    is_doubtful: bool,
}

/// Difference between two sides in one figure: the second side's as a ratio to the first's.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Difference {
    pub ratio: Interval,
    /// Logarithm of the ratio, from which intervals of other levels are computed.
    pub contrast: Contrast,
    /// Test of the difference; nothing if too little was repeated.
    pub test: Option<Test>,
    /// Test that the difference is smaller than a margin, if one was asked for.
    pub equivalence: Option<Test>,
    /// P value of the difference from the signs of its positions alone.
    pub sign_flip: Option<f64>,
    /// Whether the ratio is a bound, since searches of one side were cut off.
    pub is_bound: bool,
}

impl<'a> Sides<'a> {
    /// Two groups of one experiment. Positions that only one has searched are added to `left_out`.
    pub fn within(groups: [&Gathered<'a>; 2], holds: Holds, left_out: &mut BTreeSet<usize>) -> Self {
        let common = in_common(&groups, left_out);
        Self::of(groups.map(|group| group.at(&common)), holds)
    }

    /// Two groups of different experiments, at the positions with the same board and, unless that is ignored, the same
    /// depth. Nothing if there is none.
    pub fn across(groups: [&Gathered<'a>; 2], ignores_depth: bool, holds: Holds) -> Option<Self> {
        let groups = aligned(groups, ignores_depth);
        (!groups[0].runs.is_empty()).then(|| Self::of(groups, holds))
    }

    fn of(groups: [Gathered<'a>; 2], holds: Holds) -> Self {
        let partners = partners_of([&groups[0], &groups[1]]);
        let is_doubtful = groups.iter().any(is_doubtful);
        let mut sides = Self { groups, holds, is_paired: true, partners, is_doubtful };
        sides.is_paired = is_paired(
            &sides.partners,
            paired(&sides.partners, log_time).as_ref(),
            sides.unpaired(log_time).as_ref(),
            holds,
        );
        sides
    }

    /// Number of positions that both have searched.
    pub fn positions(&self) -> usize {
        (0..self.groups[0].runs.len()).filter(|&place| self.groups[0].is_searched_at(place)).count()
    }

    /// Number of runs of each side that are compared.
    pub fn runs(&self) -> [usize; 2] {
        match self.is_paired {
            true => [self.partners.iter().map(Vec::len).sum(); 2],
            false => self.groups.each_ref().map(|group| group.all().count()),
        }
    }

    /// Whether every run has a partner.
    pub fn are_all_paired(&self) -> bool {
        let pairs: usize = self.partners.iter().map(Vec::len).sum();
        self.groups.iter().all(|group| group.all().count() == pairs && !group.is_cut())
    }

    /// Whether this holds for all pairs of runs, where there are no others.
    pub fn all_pairs(&self, is_same: impl Fn(&Measured, &Measured) -> bool) -> bool {
        self.is_paired && self.partners.iter().flatten().all(|[one, other]| is_same(one.measured, other.measured))
    }

    /// Mean over positions of what is formed of each pair of runs.
    pub fn by_pair(&self, figure: impl Fn(&[Run<'_>; 2]) -> Option<f64>) -> Option<Contrast> {
        differences(&self.partners, figure)
    }

    /// Whether each run by virtual processors took as many nodes and nanoseconds as its partner: the two sides searched
    /// the same trees, and what differs between them never acted.
    pub fn are_the_same_searches(&self) -> bool {
        let are_virtual = self.groups.iter().all(|group| group.configuration.machine == MachineKind::Virtual);
        let is_same = |one: &Measured, other: &Measured| (one.nodes, one.time_ns) == (other.nodes, other.time_ns);
        are_virtual && self.are_all_paired() && self.all_pairs(is_same)
    }

    /// All runs of both sides at each position.
    pub fn by_position(&self) -> impl Iterator<Item = [&[Run<'a>]; 2]> {
        let [first, second] = &self.groups;
        first.runs.iter().zip(&second.runs).map(|(first, second)| [first.as_slice(), second.as_slice()])
    }

    /// Whether too many searches were disturbed for a difference to be shown by all together.
    pub fn is_doubtful(&self) -> bool {
        self.is_doubtful
    }

    fn unpaired(&self, figure: fn(Run<'_>) -> Option<f64>) -> Option<Contrast> {
        self.groups[1].less(&self.groups[0], figure)
    }

    fn contrast(&self, figure: fn(Run<'_>) -> Option<f64>) -> Option<Contrast> {
        if self.is_paired { paired(&self.partners, figure) } else { self.unpaired(figure) }
    }

    fn quiet(&self) -> Self {
        let groups = self.groups.each_ref().map(Gathered::quiet);
        Self { partners: partners_of([&groups[0], &groups[1]]), groups, is_doubtful: false, ..*self }
    }

    /// P value of a contrast of these sides, which the quiet runs alone must show too where many were disturbed.
    fn p_value(&self, all: &Contrast, again: impl Fn(&Self) -> Option<Contrast>) -> Option<f64> {
        match self.is_doubtful {
            false => self.holds.p_value(all),
            true => p_value_of_both(all, again(&self.quiet()).as_ref(), self.holds),
        }
    }

    /// Ratio of times; nothing if searches of both sides were cut off. It is one of times to the same depth if there is
    /// such a depth.
    pub fn times(&self, log_margin: Option<f64>) -> Option<Difference> {
        if !self.groups.iter().all(Gathered::has_common_depth) {
            return self.difference(log_time, log_margin);
        }
        let bounded = |sides: &Self| cut::times(&sides.groups[0], &sides.groups[1], self.is_paired);
        let all = bounded(self)?;
        let p = self.p_value(&all.contrast, |sides| Some(bounded(sides)?.contrast));
        Some(Difference {
            ratio: all.ratio(self.holds),
            test: all.p_value(p).map(Test::of),
            equivalence: self.equivalence(&all.contrast, log_margin.filter(|_| all.side.is_none())),
            sign_flip: all.contrast.sign_flip(),
            is_bound: all.side.is_some(),
            contrast: all.contrast,
        })
    }

    /// Ratio of nodes to the same depth; nothing if a search was cut off.
    pub fn nodes(&self, log_margin: Option<f64>) -> Option<Difference> {
        if self.groups.iter().any(Gathered::is_cut) {
            return None;
        }
        // On one processor nodes do not depend on time.
        let is_exact = self.groups.iter().all(|group| group.configuration.threads == 1);
        match is_exact && self.is_doubtful {
            true => Self { groups: self.groups.clone(), partners: self.partners.clone(), is_doubtful: false, ..*self }
                .difference(log_nodes, log_margin),
            false => self.difference(log_nodes, log_margin),
        }
    }

    /// Ratio of nodes a second.
    pub fn rates(&self) -> Option<Difference> {
        self.difference(log_nps, None)
    }

    fn difference(&self, figure: fn(Run<'_>) -> Option<f64>, log_margin: Option<f64>) -> Option<Difference> {
        let all = self.contrast(figure)?;
        let p = self.p_value(&all, |sides| sides.contrast(figure));
        Some(Difference {
            ratio: self.holds.ratio(&all),
            test: p.map(Test::of),
            equivalence: self.equivalence(&all, log_margin),
            sign_flip: all.sign_flip(),
            is_bound: false,
            contrast: all,
        })
    }

    /// Two one-sided tests against the margin. Disturbed searches show nothing to be equal.
    fn equivalence(&self, contrast: &Contrast, log_margin: Option<f64>) -> Option<Test> {
        let p = contrast.equivalence(self.holds.0?, log_margin?).filter(|_| !self.is_doubtful)?;
        Some(Test::of(p))
    }
}

/// Logarithm of the ratio of two speedups in a figure, each against its own baseline, and whether it is formed seed by
/// seed, where all four have the seed. Nothing if a search was cut off.
pub(crate) fn relative(
    groups: [&Gathered<'_>; 2],
    baselines: [&Gathered<'_>; 2],
    ignores_depth: bool,
    holds: Holds,
    figure: fn(Run<'_>) -> Option<f64>,
) -> Option<(Contrast, bool)> {
    let four = [groups[0], groups[1], baselines[0], baselines[1]];
    if four.iter().any(|group| group.is_cut()) {
        return None;
    }
    let four = aligned(four, ignores_depth);
    let partners = partners_of(four.each_ref());
    let pairs = paired_savings(&partners, figure);
    let [first, second, first_alone, second_alone] = four.each_ref().map(|group| group.figures(figure));
    let unpaired = Contrast::unpaired_sums(&[&second_alone, &first], &[&second, &first_alone]);
    let is_paired = is_paired(&partners, pairs.as_ref(), unpaired.as_ref(), holds);
    Some((if is_paired { pairs? } else { unpaired? }, is_paired))
}

/// Whether pairs are the better choice: there are some at every position, and either they say how certain the ratio is,
/// or nothing does. It depends on which runs there are, never on what they measured.
fn is_paired<const SIDES: usize>(
    partners: &[Partners<'_, SIDES>],
    pairs: Option<&Contrast>,
    unpaired: Option<&Contrast>,
    holds: Holds,
) -> bool {
    let is_certain = |contrast: Option<&Contrast>| contrast.is_some_and(|one| holds.ratio(one).is_known());
    let lacks_pairs = unpaired.is_some_and(|all| all.places().iter().any(|&place| partners[place].is_empty()));
    !lacks_pairs && (is_certain(pairs) || !is_certain(unpaired))
}

/// Groups, perhaps of different experiments, at the positions that all have searched, in the order of the first: those
/// with the same name and board, and the same depth unless that is ignored.
fn aligned<'a, const SIDES: usize>(groups: [&Gathered<'a>; SIDES], ignores_depth: bool) -> [Gathered<'a>; SIDES] {
    type Key<'a> = (&'a str, &'a str, Option<u32>);
    type Side<'a> = HashMap<Key<'a>, (Vec<Run<'a>>, Vec<&'a Record>)>;
    let key = |record: &'a Record| -> Key<'a> {
        let cell = &record.cell;
        (cell.position.as_str(), cell.fen.as_str(), cell.depth.filter(|_| !ignores_depth))
    };
    let mut order: Vec<Key<'a>> = Vec::new();
    let mut sides: Vec<Side<'a>> = Vec::new();
    for group in groups {
        let mut side: Side<'a> = HashMap::new();
        for run in group.all() {
            side.entry(key(run.record)).or_default().0.push(run);
        }
        for cut in group.cut.iter().flatten() {
            side.entry(key(cut)).or_default().1.push(cut);
        }
        if sides.is_empty() {
            let records = group.runs.iter().zip(&group.cut).flat_map(|(runs, cut)| {
                runs.iter().map(|run| run.record).chain(cut.iter().copied()).collect::<Vec<_>>()
            });
            let mut known = HashSet::new();
            order = records.map(key).filter(|key| known.insert(*key)).collect();
        }
        sides.push(side);
    }
    order.retain(|key| sides.iter().all(|side| side.contains_key(key)));
    std::array::from_fn(|at| {
        let of_key = |key: &Key<'a>| sides[at][key].clone();
        let (runs, cut) = order.iter().map(of_key).unzip();
        Gathered { configuration: groups[at].configuration, runs, cut, failed: Vec::new() }
    })
}
