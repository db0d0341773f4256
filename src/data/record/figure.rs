//! Figures of a micro-measurement: plain data, like all that records hold.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::choices::choices;
use crate::statistics::Interval;

choices! {
    /// Unit of a figure.
    pub enum Unit, "unit";
    /// Nanoseconds.
    Nanoseconds "ns",
    /// Milliseconds.
    Milliseconds "ms",
    /// Quotient of two figures.
    Ratio "ratio",
    /// Share of a whole.
    Share "share",
    /// Number of things.
    Count "count",
    /// Bytes.
    Bytes "bytes",
}

/// Measured figure, with the published one where there is one.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Figure {
    /// Position, phase of the game or other circumstance of which the figure is.
    pub of: String,
    /// Name of the board; none if the figure is not of a board.
    pub board: Option<String>,
    /// Sliding method of the board, if it has several.
    pub sliders: Option<String>,
    /// Name of the figure.
    pub figure: String,
    /// Unit of estimate, interval and published value.
    pub unit: Unit,
    /// Measured value.
    pub estimate: f64,
    /// Interval of 95 % over batches; none for what is counted.
    pub interval: Option<[f64; 2]>,
    /// Published value.
    pub published: Option<f64>,
    /// Source of the published value.
    pub source: Option<String>,
}

choices! {
    /// Set of magic multipliers that is printed.
    pub enum MultiplierSet, "set of multipliers", by default Seeds;
    /// Seeds of a set, found from --seed, as the source keeps them.
    Seeds "seeds",
    /// Multipliers of that set, as comma-separated values.
    Multipliers "multipliers",
    /// For each square a multiplier with the fewest one-bits, as comma-separated values.
    Fewest "fewest",
    /// Multipliers for tables of half the size, found within 400 times the --time, as comma-separated values.
    Half "half",
}

/// Names of all micro-measurements, in the order of lists. They are made by a program of their own, so that what only
/// asks for them, and what only reads their figures, need not wait for its compiler.
pub const MICROS: [&str; 12] = [
    "make-unmake",
    "brute-force",
    "copy",
    "attacks",
    "sliders",
    "exchange",
    "lists",
    "profile",
    "magics",
    "magic-sets",
    "bits",
    "threads",
];

/// Time for each figure by default: every micro-measurement then takes a few seconds.
pub const MICRO_TIME: Duration = Duration::from_millis(50);

/// Smallest share that is compared with a published one.
const SMALLEST_SHARE: f64 = 0.01;

impl Figure {
    /// Estimate with its interval.
    pub fn value(&self) -> Interval {
        let [low, high] = self.interval.unwrap_or([f64::NAN; 2]);
        Interval { estimate: self.estimate, low, high }
    }

    /// Ratio of the figure to the published one. Shares below a hundredth have none: a few cases make all of them.
    pub fn over_published(&self) -> Option<f64> {
        let is_tiny = |value: f64| self.unit == Unit::Share && value < SMALLEST_SHARE;
        let published = self.published.filter(|&published| published != 0.0 && !is_tiny(published))?;
        (!is_tiny(self.estimate)).then(|| self.estimate / published)
    }

    /// Figure without an interval, and nothing published beside it.
    pub fn new(of: impl Into<String>, figure: impl Into<String>, unit: Unit, estimate: f64) -> Self {
        Self { of: of.into(), figure: figure.into(), unit, estimate, ..Self::default() }
    }

    /// Figure with an interval.
    pub fn measured(of: impl Into<String>, figure: impl Into<String>, unit: Unit, value: Interval) -> Self {
        let interval = value.is_known().then_some([value.low, value.high]);
        Self { interval, ..Self::new(of, figure, unit, value.estimate) }
    }

    /// The figure as one of this board.
    #[must_use]
    pub fn on(mut self, board: &str, sliders: Option<&str>) -> Self {
        self.board = Some(board.to_owned());
        self.sliders = sliders.map(str::to_owned);
        self
    }

    /// The figure beside a published one, if there is one.
    #[must_use]
    pub fn beside(mut self, published: Option<f64>, source: &str) -> Self {
        self.published = published;
        self.source = published.map(|_| source.to_owned());
        self
    }
}
