//! Estimates with their uncertainty.

use serde::{Deserialize, Serialize};

/// Confidence level of every interval that is shown.
pub const LEVEL: f64 = 0.95;

/// Estimate and the confidence interval that belongs to it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Interval {
    /// Best guess.
    pub estimate: f64,
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

impl Interval {
    /// Estimate whose uncertainty is not known: both ends are not numbers.
    pub const fn unknown(estimate: f64) -> Self {
        Self { estimate, low: f64::NAN, high: f64::NAN }
    }

    /// Interval that reaches as far below the estimate as above it.
    pub const fn around(estimate: f64, half_width: f64) -> Self {
        Self { estimate, low: estimate - half_width, high: estimate + half_width }
    }

    /// Whether both ends are known.
    pub const fn is_known(self) -> bool {
        self.low.is_finite() && self.high.is_finite()
    }

    /// How far a ratio is from 1 for certain: the logarithm of the end of its interval that is nearer to 1, negative if
    /// 1 lies within. Without an interval, that of the estimate; for exactly 1 and for what is no ratio, less than any
    /// other.
    pub fn certain_effect(self) -> f64 {
        let [estimate, low, high] = [self.estimate, self.low, self.high].map(f64::ln);
        let effect = match self.is_known() {
            false => estimate.abs(),
            true if estimate < 0.0 => -high,
            true => low,
        };
        if effect.is_nan() || estimate == 0.0 { f64::NEG_INFINITY } else { effect }
    }

    /// Interval of an increasing function of the figure.
    #[must_use]
    pub fn map(self, of: impl Fn(f64) -> f64) -> Self {
        Self { estimate: of(self.estimate), low: of(self.low), high: of(self.high) }
    }

    /// Interval of one divided by the figure, which is positive.
    #[must_use]
    pub fn inverse(self) -> Self {
        Self { estimate: self.estimate.recip(), low: self.high.recip(), high: self.low.recip() }
    }

    /// Interval of the figure of which this one is the logarithm.
    #[must_use]
    pub fn exp(self) -> Self {
        self.map(f64::exp)
    }
}
