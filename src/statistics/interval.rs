//! An estimate with its uncertainty.

use serde::{Deserialize, Serialize};

/// The level of every interval that is shown.
pub const LEVEL: f64 = 0.95;

/// An estimate and the interval that belongs to it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Interval {
    /// The best guess.
    pub estimate: f64,
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl Interval {
    /// An estimate whose uncertainty is not known: both ends are not numbers.
    pub const fn unknown(estimate: f64) -> Self {
        Self { estimate, low: f64::NAN, high: f64::NAN }
    }

    /// Whether both ends are known.
    pub const fn is_known(self) -> bool {
        !self.low.is_nan() && !self.high.is_nan()
    }

    /// The same on the scale of which this is the logarithm.
    #[must_use]
    pub fn exp(self) -> Self {
        Self { estimate: self.estimate.exp(), low: self.low.exp(), high: self.high.exp() }
    }
}
