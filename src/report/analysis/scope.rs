//! Kind of interval that an experiment asks for, applied to a difference of logarithms. What cannot be known is said to
//! be unknown: positions of one game never stand for others, and single runs say nothing of their spread.

use crate::record::{Description, IntervalKind};
use crate::statistics::{Contrast, Interval, LEVEL, Scope};

/// Scope of the experiment's intervals and tests; nothing if it asks for a kind that its positions cannot give.
#[derive(Clone, Copy)]
pub(crate) struct Holds(pub Option<Scope>);

impl Holds {
    /// Scope that an experiment asks for.
    pub fn of(description: &Description) -> Self {
        Self::of_kind(description.interval, description.is_one_game)
    }

    /// Scope of intervals of this kind, over positions that come from one game or not.
    pub fn of_kind(kind: IntervalKind, is_one_game: bool) -> Self {
        Self(Some(kind).filter(|kind| !is_one_game || *kind == IntervalKind::ThesePositions))
    }

    /// Ratio of which this contrast is the logarithm, with its interval.
    pub fn ratio(self, contrast: &Contrast) -> Interval {
        self.interval(contrast).exp()
    }

    /// Difference with an interval that holds together with those of `count` in all (Bonferroni).
    pub fn interval_among(self, contrast: &Contrast, count: usize) -> Interval {
        self.interval_at(contrast, 1.0 - (1.0 - LEVEL) / count.max(1) as f64)
    }

    /// Difference with its interval.
    pub fn interval(self, contrast: &Contrast) -> Interval {
        self.interval_at(contrast, LEVEL)
    }

    /// Ratio of which this contrast is the logarithm, with the interval that belongs to a test at this level.
    pub fn tested(self, contrast: &Contrast, level: f64) -> Interval {
        self.interval_of_test(contrast, level).exp()
    }

    /// Difference with the interval that belongs to a test at this level.
    pub fn interval_of_test(self, contrast: &Contrast, level: f64) -> Interval {
        let interval = self.0.and_then(|scope| contrast.interval_of_test(scope, level));
        interval.unwrap_or(Interval::unknown(contrast.estimate()))
    }

    fn interval_at(self, contrast: &Contrast, level: f64) -> Interval {
        let interval = self.0.and_then(|scope| contrast.interval(scope, level));
        interval.unwrap_or(Interval::unknown(contrast.estimate()))
    }

    /// P value of the difference.
    pub fn p_value(self, contrast: &Contrast) -> Option<f64> {
        contrast.p_value(self.0?)
    }
}
