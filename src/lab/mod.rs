//! The laboratory: from an experiment file to a plan of cells, from the plan to records in a journal.

mod environment;
pub(crate) mod estimate;
mod experiment;
pub(crate) mod judge;
mod laboratory;
mod measurement;
pub(crate) mod pace;
mod plan;
mod reuse;
mod runner;
mod single;
mod tables;
pub(crate) mod validation;
mod warnings;

pub(crate) use environment::begin_session;
pub use experiment::{Conduct, Experiment, FileError, Until, shipped};
pub(crate) use experiment::{axes, duration, position_info, schema, share};
pub(crate) use laboratory::{Conditions, Laboratory, MeasureError, Measurement, Options, Searcher};
pub use plan::{Plan, PlanError, Shard};
pub(crate) use reuse::reuse;
pub(crate) use runner::{Observer, Runner, SharedJournal};
pub(crate) use single::{default_configuration, single_cell};
pub(crate) use warnings::warnings;
