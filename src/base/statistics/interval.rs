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

    /// Distance of a ratio from 1 for certain: the logarithm of the end of its interval nearer to 1, negative if
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_certain_effect_is_that_of_the_nearer_end() {
        let of = |estimate, low, high| Interval { estimate, low, high }.certain_effect();
        assert_eq!(of(0.5, 0.25, 0.8), -0.8_f64.ln());
        assert_eq!(of(2.0, 1.5, 3.0), 1.5_f64.ln());
        assert!(of(1.2, 0.9, 1.6) < 0.0 && of(0.9, 0.7, 1.1) < 0.0, "1 lies within");
        assert_eq!(Interval::unknown(0.5).certain_effect(), 2.0_f64.ln());
        assert_eq!([of(1.0, 1.0, 1.0), of(-1.0, -2.0, 1.0)], [f64::NEG_INFINITY; 2]);
    }
}
