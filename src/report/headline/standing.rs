//! Who is ahead in a contest: which configurations tests tell apart, and speedups with intervals that hold together.
//! Whoever is named because it is ahead was chosen among several, so its interval is that of one among so many.

use crate::analysis::scope::Holds;
use crate::analysis::{AgainstBaseline, Analysis, Contest, Group, Rivalry};
use crate::distinct::distinct;
use crate::questions::is_shown;
use crate::statistics::{Interval, LEVEL, letters};
use crate::table::number::listed;

/// Configurations of a contest in the order in which they are spoken of.
pub(super) struct Standing<'a> {
    analysis: &'a Analysis,
    contest: &'a Contest,
    /// Places of the groups, the fastest first; those without a time last.
    pub ranked: Vec<usize>,
}

impl<'a> Standing<'a> {
    pub fn of(analysis: &'a Analysis, contest: &'a Contest) -> Self {
        let mut ranked = contest.candidates.clone();
        let speedup = |place: usize| Some(analysis.groups[place].time_speedup()).filter(|speedup| speedup.is_finite());
        ranked.sort_by(|&one, &other| match contest.between(one, other) {
            // Of configurations with baselines of their own times count, not speedups.
            Some(rivalry) if rivalry.time.estimate.is_finite() => 1.0_f64.total_cmp(&rivalry.time.estimate),
            _ => speedup(other).unwrap_or(0.0).total_cmp(&speedup(one).unwrap_or(0.0)),
        });
        Self { analysis, contest, ranked }
    }

    pub fn group(&self, place: usize) -> &'a Group {
        &self.analysis.groups[place]
    }

    /// The fastest by its estimate.
    pub fn leader(&self) -> Option<&'a Group> {
        self.ranked.first().map(|&place| self.group(place))
    }

    /// Whether a test shows that the one takes longer than the other.
    fn is_slower(&self, one: usize, than: usize) -> bool {
        self.contest.between(than, one).is_some_and(|rivalry| is_shown(rivalry.test) && rivalry.time.estimate > 1.0)
    }

    /// Whether any order was tested.
    pub fn is_tested(&self) -> bool {
        self.contest.rivalries.iter().any(|rivalry| rivalry.test.is_some())
    }

    /// Whether any order is shown.
    pub fn has_order(&self) -> bool {
        self.contest.rivalries.iter().any(|rivalry| is_shown(rivalry.test))
    }

    /// Whether all took the same time in every search.
    pub fn is_identical(&self) -> bool {
        let rivalries = &self.contest.rivalries;
        !rivalries.is_empty() && rivalries.iter().all(|rivalry| rivalry.is_identical)
    }

    /// Those that are not shown to take longer than any other.
    pub fn top(&self) -> Vec<usize> {
        let is_beaten = |one: usize| self.ranked.iter().any(|&other| self.is_slower(one, other));
        self.ranked.iter().copied().filter(|&one| !is_beaten(one)).collect()
    }

    /// Those that are shown to take longer, by whom each is beaten first, with whether it takes longer than all of the
    /// top.
    pub fn beaten(&self) -> Vec<(Rivalry, bool)> {
        let top = self.top();
        let by = |&one: &usize| {
            let first = self.ranked.iter().find(|&&other| self.is_slower(one, other))?;
            let by_all = top.iter().all(|&other| self.is_slower(one, other));
            Some((self.contest.between(*first, one)?, by_all))
        };
        self.ranked.iter().filter_map(by).collect()
    }

    /// Letters by configuration: those that share one are not shown to differ. Nothing where nothing was tested.
    pub fn letters(&self) -> Vec<String> {
        let differ = |one: usize, other: usize| {
            let [one, other] = [one, other].map(|at| self.ranked[at]);
            self.is_slower(one, other) || self.is_slower(other, one)
        };
        if self.is_tested() { letters(self.ranked.len(), differ) } else { Vec::new() }
    }

    /// Time speedup of a configuration beside the harder baseline, with an interval that holds together with those of
    /// all others of the contest. It leaves out 1 just where a test shows that the configuration is faster than one
    /// processor.
    pub fn speedup(&self, place: usize) -> Option<Interval> {
        let against = self.group(place).against_baseline.as_ref()?;
        let together = 1.0 - (1.0 - LEVEL) / self.ranked.len() as f64;
        let level = match against.harder().faster {
            Some(test) if !test.is_shown() => test.level().max(together),
            _ => together,
        };
        let speedup = against.harder_tested(level, Holds::of(&self.analysis.description));
        Some(speedup).filter(|speedup| speedup.estimate.is_finite())
    }

    /// Multiple of the size of searches at which both of two would be level.
    pub fn level_after(&self, rivalry: &Rivalry) -> Option<Interval> {
        rivalry.level_after(&self.analysis.groups, self.analysis.description.interval)
    }

    /// Words for the one processor that these are compared with: `one processor (for lazy one that leaves out
    /// iterations too)` where it is not the same for all.
    pub fn alone(&self, places: &[usize]) -> String {
        let harder = |&place: &usize| Some((self.group(place), self.group(place).against_baseline.as_ref()?.harder()));
        let all: Vec<_> = places.iter().filter_map(harder).collect();
        let leaving_out: Vec<String> =
            all.iter().filter(|(_, harder)| harder.step.is_some()).map(|(group, _)| group.label.clone()).collect();
        match &distinct(all.iter().map(|(_, harder)| harder.alone.clone()))[..] {
            [alone] => alone.clone(),
            _ if leaving_out.len() == all.len() => "one processor that leaves out iterations too".to_owned(),
            _ => format!("one processor (for {} one that leaves out iterations too)", listed(&leaving_out)),
        }
    }

    /// Whether a test shows that a configuration takes another time than one processor, and which.
    pub fn beside_one(&self, place: usize) -> BesideOne {
        let Some(harder) = self.group(place).against_baseline.as_ref().map(AgainstBaseline::harder) else {
            return BesideOne::NotTested;
        };
        match (harder.faster, harder.time_speedup.estimate) {
            (None, _) => BesideOne::NotTested,
            (test, speedup) if is_shown(test) && speedup > 1.0 => BesideOne::Faster,
            (test, speedup) if is_shown(test) && speedup < 1.0 => BesideOne::Slower,
            _ => BesideOne::NotShown,
        }
    }
}

/// A configuration beside one processor, as a test has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BesideOne {
    Faster,
    Slower,
    NotShown,
    NotTested,
}
