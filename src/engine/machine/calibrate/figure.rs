//! Figures of the experiments.

use serde::Serialize;

use super::super::processor::Waiting;
use crate::statistics::quantile;

/// Share of the batches that are shorter than the time that is taken for that of a quiet computer.
const LOW: f64 = 0.1;

/// Low quantile of times: about what a quiet computer takes. 0 of none.
pub fn low(times: &[f64]) -> f64 {
    quantile(times, LOW).unwrap_or(0.0)
}

/// Nanoseconds, measured in many batches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Figure {
    /// Tenth percentile of the batches: what prices follow from.
    pub low: f64,
    /// Median of the batches.
    pub median: f64,
    /// Ninetieth percentile of the batches.
    pub high: f64,
}

impl Figure {
    pub(super) fn of(batches: &[f64]) -> Self {
        let at = |share| quantile(batches, share).unwrap_or(0.0);
        Self { low: low(batches), median: at(0.5), high: at(1.0 - LOW) }
    }
}

/// Time of the same work on one processor alone and on all at once, measured by turns.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Sharing {
    /// Number of processors.
    pub processors: usize,
    /// Time on one processor, while the others do nothing with memory.
    pub alone: Figure,
    /// Time on one processor, while the others do the same.
    pub together: Figure,
}

/// Latency of waking.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct WakeUp {
    /// Waiting mode of the processor that is woken.
    pub waiting: Waiting,
    /// Time from the call until the processor goes on.
    pub nanoseconds: Figure,
    /// Time that the call took the caller.
    pub call_nanoseconds: Figure,
}
