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
mod merge;
mod quietness;
mod result;
mod states;
pub mod validation;

pub use attempts::{Attempts, Run, attempts};
pub use cell::{Cell, Configuration, Depth, DisturbedBy, Field, MachineKind, SEQUENTIAL, Seconds};
pub use description::{Baseline, Description, Factorial, IntervalKind, PositionInfo, Reference};
pub use environment::{Environment, Finding, Session};
pub use merge::{MergeError, Merged, merge};
pub use quietness::{Account, DISTURBING_NEIGHBOURS, DISTURBING_SHARE, Quietness, judge};
pub use result::{
    Activities, CellResult, Measured, OVERSUBSCRIBED, Record, SplitCounts, Surroundings, WorkerRecord, WorkerWatch,
};
