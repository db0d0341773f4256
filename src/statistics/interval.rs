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
    /// The same on the scale of which this is the logarithm.
    #[must_use]
    pub fn exp(self) -> Self {
        Self { estimate: self.estimate.exp(), low: self.low.exp(), high: self.high.exp() }
    }
}
