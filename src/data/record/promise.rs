//! Precision that a plan promises before it is run, and that a report holds what came against. Plain data.

use serde::{Deserialize, Serialize};

use super::cell::{Configuration, MachineKind};
/// The claim that the intervals of an experiment make.
pub use crate::statistics::Scope as IntervalKind;

/// The name of an [`IntervalKind`] in `experiment.json`.
pub(super) mod hyphenated {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    use super::IntervalKind;

    pub fn serialize<S: Serializer>(kind: &IntervalKind, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&kind.hyphenated())
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<IntervalKind, D::Error> {
        String::deserialize(deserializer)?.replace('-', " ").parse().map_err(D::Error::custom)
    }
}

/// Half-widths of the intervals of time speedups to be expected of configurations that are run equally often.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Promise {
    /// Machine of the configurations.
    pub machine: MachineKind,
    /// Name of their strategy, without changes of its parameters.
    pub strategy: String,
    /// Number of positions.
    pub positions: u32,
    /// Number of runs of each position that are independent: those with one seed count as one.
    pub runs: u32,
    /// Number of runs of each position by one processor.
    pub baselines: u32,
    /// Standard deviation of the logarithm of time between runs of a position.
    pub run_deviation: f64,
    /// Standard deviation of the logarithm of time between runs of a position by one processor.
    pub baseline_deviation: f64,
    /// Standard deviation of the logarithm of the time speedup between positions, without the noise of runs.
    pub position_deviation: f64,
    /// Origin of the deviations.
    pub source: String,
    /// Half-width for these positions relative to the estimate: 0.05; none if there will be no interval.
    pub these_positions: Option<f64>,
    /// Half-width for positions like these.
    pub positions_like_these: Option<f64>,
    /// Smallest difference of time between two of the configurations that four of five such experiments find, relative
    /// to the smaller time; none if nothing is compared.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub difference_found: Option<f64>,
    /// Configurations that it is made for.
    pub members: Vec<Configuration>,
}

impl Promise {
    /// Half-width of the interval of this kind, relative to the estimate.
    pub fn half_width(&self, kind: IntervalKind) -> Option<f64> {
        match kind {
            IntervalKind::ThesePositions => self.these_positions,
            IntervalKind::PositionsLikeThese => self.positions_like_these,
        }
    }
}
