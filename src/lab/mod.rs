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
mod single;
pub mod validation;

pub use environment::begin_session;
pub use experiment::{Conduct, Experiment, FileError, Until, axes, duration, position_info, schema, shipped};
pub use laboratory::{Conditions, Finding, Laboratory, MeasureError, Measurement, Options, Searcher};
pub use plan::{Plan, PlanError, Shard};
pub use reuse::reuse;
pub use runner::{Judge, Observer, Runner, SharedJournal};
pub use single::{default_configuration, single_cell};
