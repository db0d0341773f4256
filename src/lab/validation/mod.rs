//! The virtual machine against this computer: what coordination and work cost here is measured, a cost model is made of
//! it, and the same searches are run on real and on virtual processors, side by side. Micro-programs
//! show single mechanisms on both.
//!
//! This room measures; the report says what follows, from [`Measurements`](crate::record::validation::Measurements)
//! alone.

mod beside;
mod cells;
mod measure;
mod mechanisms;
mod positions;
mod together;
mod work;

pub use measure::{Calibrated, boards, calibrated, measure};

use crate::machine::RealMachineError;
use crate::record::folder::FolderError;

/// Callbacks of a validation, for a display.
pub trait PhaseObserver: Sync {
    /// Called before a phase of this number of steps.
    fn phase(&self, what: &str, steps: usize);
    /// Called after a step; about `left_s` seconds are left of all phases, if that is known.
    fn step(&self, left_s: Option<f64>);
}

/// Reason why there is no validation.
#[derive(Debug, thiserror::Error)]
pub enum ValidationError {
    /// Threads cannot be had as they are needed.
    #[error(transparent)]
    Machine(#[from] RealMachineError),
    /// The searches on which the costs of work rest have failed.
    #[error("the costs of work cannot be fitted: {0}")]
    Work(String),
    /// Records cannot be written.
    #[error(transparent)]
    Folder(#[from] FolderError),
}
