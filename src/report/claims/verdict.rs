//! What figures say of a claim. A test has a region in which its figure lies if the claim is true. An interval wholly
//! inside reproduces it; one wholly elsewhere contradicts it, at this size only if the figure comes nearer with the
//! size of the search, and fast enough to come level within the doublings that count. Between the two nothing is shown;
//! if the size of the run made that likely from the start, it is the size that cannot decide. A difference in rating
//! has two intervals, with less and with more time for a move, and both must agree.

use super::figure::Size;
use super::file::{Claim, Measure, Test};
use crate::choices::choices;
use crate::statistics::Interval;

choices! {
    /// Verdict of figures on a claim or on a test.
    pub enum ClaimVerdict, "verdict";
    /// The figures show it to be true.
    Reproduced "reproduced",
    /// The figures show it to be false.
    Contradicted "contradicted",
    /// The figures show it to be false of searches of this size, and it may be true of larger ones.
    ContradictedHere "contradicted at this size",
    /// The figures show neither, though the run was large enough to.
    NotShown "not shown",
    /// The figures show neither, and the run was too small to.
    CannotDecide "this size cannot decide",
    /// The searches are too small for their processors to say anything of the claim.
    TooSmall "too small to judge",
    /// A run is missing.
    NotRun "not run",
}

/// Figures that were found for a test.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Finding {
    /// The figure, with an interval that holds together with those of all tests of the claim; of a rating that with
    /// more time for a move.
    pub found: Option<Interval>,
    /// Of a rating: the figure with less time for a move.
    pub with_less: Option<Interval>,
    /// Growth of the figure when the time of one processor, or that for a move, doubles: a factor, or points.
    pub growth: Option<Interval>,
    /// Size of the searches.
    pub size: Option<Size>,
}

/// Verdict on a claim from those of its tests.
pub(super) fn of_all(tests: impl Iterator<Item = ClaimVerdict> + Clone) -> ClaimVerdict {
    use ClaimVerdict::{CannotDecide, Contradicted, ContradictedHere, NotRun, NotShown, Reproduced, TooSmall};
    let has = |verdict| tests.clone().any(|one| one == verdict);
    let order = [NotRun, Contradicted, ContradictedHere, TooSmall, CannotDecide, NotShown];
    let first = order.into_iter().find(|&verdict| has(verdict));
    first.unwrap_or(Reproduced)
}

/// Where an interval lies by a region.
#[derive(Clone, Copy, PartialEq)]
enum Place {
    Inside,
    Below,
    Above,
    Across,
}

impl Place {
    fn of(found: Interval, [low, high]: [f64; 2]) -> Self {
        match () {
            () if found.low > low && found.high < high => Self::Inside,
            // An end of a rating may be infinite, and an end of a region that is open is.
            () if found.low > low && high == f64::INFINITY => Self::Inside,
            () if found.high < high && low == f64::NEG_INFINITY => Self::Inside,
            () if found.high < low => Self::Below,
            () if found.low > high => Self::Above,
            () => Self::Across,
        }
    }
}

impl Test {
    /// Fewest doublings of the size of the search after which a figure that lies elsewhere and is shown to come nearer
    /// is level with the claim: from the nearer end of its interval, at the upper end of its growth.
    pub(super) fn doublings_to_claim(&self, finding: &Finding) -> Option<f64> {
        let (found, growth) = (finding.found?, finding.growth?);
        let [low, high] = self.region().map(|end| self.on_scale(end));
        let [from, to, slow, fast] = [found.low, found.high, growth.low, growth.high].map(|value| self.on_scale(value));
        match Place::of(found, self.region()) {
            Place::Below if slow > 0.0 => Some((low - to) / fast),
            Place::Above if fast < 0.0 => Some((high - from) / slow),
            _ => None,
        }
    }

    /// Fewest doublings after which a difference in rating that lies where it was claimed, and is shown to shrink, may
    /// have left it.
    pub(super) fn doublings_to_leave(&self, finding: &Finding) -> Option<f64> {
        let (found, growth) = (finding.found?, finding.growth.filter(|_| self.measure == Measure::Elo)?);
        if Place::of(found, self.region()) != Place::Inside {
            return None;
        }
        let [low, high] = self.region();
        match () {
            () if growth.high < 0.0 && low.is_finite() => Some((found.low - low) / -growth.low),
            () if growth.low > 0.0 && high.is_finite() => Some((high - found.high) / growth.high),
            () => None,
        }
    }

    /// Verdict of a test of a claim. `can_decide` says whether the run was large enough, `seconds_each` how large a
    /// search is at least for each processor.
    pub(super) fn verdict(
        &self,
        claim: &Claim,
        finding: &Finding,
        can_decide: bool,
        seconds_each: f64,
    ) -> ClaimVerdict {
        let Some(found) = finding.found else { return ClaimVerdict::NotRun };
        if finding.size.is_some_and(|size| size.each_s < seconds_each) {
            return ClaimVerdict::TooSmall;
        }
        let reach = claim.reach(finding.size.map(|size| size.alone_s));
        let is_within_reach = |doublings: Option<f64>| doublings.is_some_and(|doublings| doublings <= reach);
        let place = Place::of(found, self.region());
        // What is shown with more time needs the same with less, or a growth that leads there.
        let agrees = || {
            let Some(with_less) = finding.with_less else { return self.measure != Measure::Elo };
            let grows = finding.growth.map_or(0.0, |growth| match () {
                () if growth.low > 0.0 => 1.0,
                () if growth.high < 0.0 => -1.0,
                () => 0.0,
            });
            let leads_there = match place {
                Place::Inside => grows * if self.above.is_some() { 1.0 } else { -1.0 } > 0.0,
                Place::Below => grows < 0.0,
                Place::Above => grows > 0.0,
                Place::Across => false,
            };
            Place::of(with_less, self.region()) == place || leads_there
        };
        match place {
            Place::Inside if agrees() && !is_within_reach(self.doublings_to_leave(finding)) => ClaimVerdict::Reproduced,
            Place::Below | Place::Above if agrees() => match is_within_reach(self.doublings_to_claim(finding)) {
                true => ClaimVerdict::ContradictedHere,
                false => ClaimVerdict::Contradicted,
            },
            _ if can_decide => ClaimVerdict::NotShown,
            _ => ClaimVerdict::CannotDecide,
        }
    }
}
