//! The laboratory: from an experiment file to a plan of cells, from the plan to records in a journal.

mod environment;
pub mod estimate;
mod experiment;
mod laboratory;
mod measurement;
pub mod pace;
mod plan;
mod reuse;
mod runner;
pub mod validation;

pub use environment::Session;
pub use experiment::{Conduct, Experiment, FileError, Until, axes, duration, schema, shipped};
pub use laboratory::{Finding, Laboratory, Searcher};
pub use plan::{Plan, PlanError, Shard};
pub use reuse::reuse;
pub use runner::{Judge, Observer, Runner, SharedJournal};
