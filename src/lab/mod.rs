//! The laboratory: from an experiment file to a plan of cells, from the plan to records in a journal.

mod axes;
pub mod calendar;
mod cell;
mod description;
mod document;
pub mod duration;
mod environment;
pub mod estimate;
mod experiment;
mod factorial;
pub mod folder;
pub mod journal;
mod laboratory;
mod measurement;
mod merge;
pub mod pace;
mod plan;
mod record;
mod runner;
pub mod schema;
mod section;
pub mod shipped;
pub mod validation;

pub use cell::{Cell, Configuration, Depth, MachineKind, SEQUENTIAL};
pub use description::{Baseline, Description, Factorial, IntervalKind, PositionInfo, Reference};
pub use document::FileError;
pub use environment::Session;
pub use experiment::{Conduct, Experiment, Until};
pub use laboratory::{Finding, Laboratory, Searcher};
pub use merge::{MergeError, Merged, merge};
pub use plan::{Plan, PlanError, Shard};
pub use record::{Activities, CellResult, Measured, Record, SplitCounts, Surroundings, WorkerRecord, WorkerWatch};
pub use runner::{Judge, Observer, Runner, SharedJournal};
