//! The laboratory: from an experiment file to a plan of cells, from the plan to records in a journal.

mod axes;
pub mod calendar;
mod cell;
mod description;
mod document;
pub mod duration;
mod environment;
mod experiment;
mod factorial;
pub mod folder;
pub mod journal;
mod laboratory;
mod measurement;
mod plan;
mod record;
mod section;

pub use cell::{Cell, Configuration, Depth, MachineKind, SEQUENTIAL};
pub use description::{Baseline, Description, Factorial, IntervalKind, PositionInfo};
pub use document::FileError;
pub use environment::Session;
pub use experiment::{Conduct, Experiment, Until};
pub use laboratory::{Finding, Laboratory, Searcher};
pub use plan::{Plan, PlanError, Shard};
pub use record::{Activities, CellResult, Measured, Record, SplitCounts, Surroundings, WorkerRecord, WorkerWatch};
