//! The virtual machine against this computer: what coordination and work cost here is measured, a cost model is made of it,
//! and the same searches are run on real and on virtual processors, side by side. Then each cost is halved and doubled.
//!
//! This room measures; what the measurements say is worked out by the report, from [`Measurements`] alone.

mod cells;
mod measure;
mod positions;
mod runs;
mod size;
mod work;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::machine::RealMachineError;
use crate::record::Record;

pub use cells::{MODEL, STRATEGY};
pub use measure::{Calibrated, calibrated, measure};
pub use runs::counting;
pub use size::Size;
pub use work::{WorkCost, WorkCosts, own_time_ns};

/// All that was measured: with what the report makes of it, the file that can be sent to others.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Measurements {
    /// The session: version, command, computer, findings and cost models, as in a run folder's `environment.json`.
    pub session: Value,
    /// How much was asked for.
    pub size: Size,
    /// What the small experiments on coordination found, in nanoseconds.
    pub coordination: Value,
    /// What work costs, and how well that is known.
    pub work: WorkCosts,
    /// The cost model made of both.
    pub model: Value,
    /// Its hash.
    pub model_hash: String,
    /// The positions, and what each was for.
    pub positions: Vec<UsedPosition>,
    /// The numbers of processors that were compared, beyond one: empty where there is only one.
    pub processors: Vec<u32>,
    /// Every search but those with changed costs.
    pub records: Vec<Record>,
    /// Every search with changed costs, and those they are compared with.
    pub cost_runs: Vec<CostRun>,
    /// Searches with changed costs that failed, and why.
    pub cost_failures: Vec<String>,
}

/// A position that was searched.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct UsedPosition {
    /// Its id.
    pub id: String,
    /// The position itself.
    pub fen: String,
    /// What it was for.
    pub role: Role,
    /// How deep it was searched.
    pub depth: u32,
}

/// What a position is for. None has two roles, so that a model is not checked with what it was made of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// The costs of work are fitted to it.
    Calibration,
    /// Real and virtual machine are compared at it.
    #[default]
    Check,
}

/// A search with a changed cost, in few words: there are thousands.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CostRun {
    /// The cost model, as `calibrated,lock_handoff*2`.
    pub costs: String,
    /// The id of the position.
    pub position: String,
    /// The seed.
    pub seed: u64,
    /// The number of processors.
    pub threads: u32,
    /// To the depth that was asked for, in virtual nanoseconds.
    pub time_ns: u64,
    /// What was searched.
    pub nodes: u64,
}

/// Is told what happens.
pub trait Watcher: Sync {
    /// So many steps of this kind come now.
    fn phase(&self, what: &str, steps: usize);
    /// One is done; about so many seconds are left of all phases, if that is known.
    fn step(&self, left_s: Option<f64>);
}

/// Why there is no validation.
#[derive(Debug, thiserror::Error)]
pub enum ValidationError {
    /// Threads cannot be had as they are needed.
    #[error(transparent)]
    Machine(#[from] RealMachineError),
    /// The searches on which the costs of work rest have failed.
    #[error("the costs of work cannot be found: {0}")]
    Work(String),
}
