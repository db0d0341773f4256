//! The laboratory: from an experiment file to a plan of cells, from the plan to records in a journal.

pub mod calendar;
mod cell;
mod description;
mod environment;
pub mod estimate;
mod experiment;
pub mod folder;
pub mod journal;
mod laboratory;
mod measurement;
mod merge;
pub mod pace;
mod plan;
mod record;
mod reuse;
mod runner;
pub mod validation;

pub use cell::{Cell, Configuration, Depth, MachineKind, SEQUENTIAL};
pub use description::{Baseline, Description, Factorial, IntervalKind, PositionInfo, Reference};
pub use environment::Session;
pub use experiment::{Conduct, Experiment, FileError, Until, duration, schema, shipped};
pub use laboratory::{Finding, Laboratory, Searcher};
pub use merge::{MergeError, Merged, merge};
pub use plan::{Plan, PlanError, Shard};
pub use record::{Activities, CellResult, Measured, Record, SplitCounts, Surroundings, WorkerRecord, WorkerWatch};
pub use reuse::reuse;
pub use runner::{Judge, Observer, Runner, SharedJournal};
