//! What a worker on a real machine had of its processor, and what others took.

use serde::{Deserialize, Serialize};

/// Disturbance of one worker while it was watched. `None` where the system does not tell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Disturbance {
    /// Wall-clock time of the worker.
    pub wall_ns: u64,
    /// Processor time that the worker had.
    pub cpu_ns: Option<u64>,
    /// Processor cycles that the worker used.
    pub cycles: Option<u64>,
    /// Time in which the worker stood in the queue for a processor.
    pub queued_ns: Option<u64>,
    /// Number of times that the worker gave up its processor to wait for something.
    pub voluntary_switches: Option<u64>,
    /// Number of times that the worker's processor was taken away.
    pub involuntary_switches: Option<u64>,
    /// Whether the worker began and ended on different CPUs.
    pub has_moved: Option<bool>,
}
