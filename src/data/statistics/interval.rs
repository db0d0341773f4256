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
