//! What outlives the engine: cells, configurations, records, journals and run folders. Plain data; no engine.
//!
//! The laboratory writes it and the report reads it. Neither knows the other.

mod attempts;
pub(crate) mod axes;
pub(crate) mod calendar;
mod cell;
mod description;
mod environment;
pub mod folder;
pub mod journal;
mod judgement;
mod merge;
mod result;
pub mod validation;

pub use attempts::{Attempts, Run, attempts};
pub use cell::{Cell, Configuration, Depth, DisturbedBy, Field, MachineKind, SEQUENTIAL, Seconds};
pub use description::{Asks, Baseline, Column, Description, Factorial, IntervalKind, PositionInfo, Reference};
pub use environment::{Environment, Finding, Session};
pub use judgement::{Judgement, Judging, Subject};
pub use merge::{MergeError, Merged, merge};
pub use result::{
    Activities, CellResult, DepthAnswer, Measured, Record, SplitCounts, Surroundings, WorkerRecord, WorkerWatch,
};
