//! The laboratory: from an experiment file to a plan of cells, from the plan to records in a journal.
//!
//! No interface is promised: what later versions keep are the command line, run folders and their columns.
#![forbid(unsafe_code)]
// They panic when nothing can be written.
#![cfg_attr(not(test), deny(clippy::print_stdout, clippy::print_stderr))]

use splitpoint_data::{choices, counts, distinct, fingerprint, random, record, share, statistics, suggestion, table};
use splitpoint_engine::{self as engine, chess, machine, parallel, search};

pub mod outside;

use std::sync::OnceLock;

/// Tells the build of the program, which every session records. The program sets it as it begins.
pub static BUILD: OnceLock<fn() -> record::Build> = OnceLock::new();

pub mod advice;
pub mod beside;
mod choice;
pub mod companions;
mod conditions;
mod conduct;
mod engines;
mod environment;
mod equals;
pub mod estimate;
mod experiment;
mod fill;
pub mod judge;
mod laboratory;
mod measure_error;
mod measurement;
pub mod micro;
pub mod pace;
pub mod pilot;
mod plan;
pub mod promises;
mod reuse;
mod runner;
mod side_by_side;
mod single;
mod sizing;
pub mod so_far;
mod tables;
pub mod validation;

pub use advice::warnings;
pub use choice::Choice;
pub use conditions::Conditions;
pub use conduct::{Audience, ConductError, Order};
pub use environment::{begin_session, host_name};
use equals::Equals;
pub use experiment::{Conduct, Experiment, FileError, Listed, SearchedBy, WhatRan, shipped};
pub use experiment::{axes, duration, file, position_info, schema, share};
pub(crate) use fill::Fill;
pub use laboratory::{Laboratory, Measurement, Searcher};
pub use measure_error::MeasureError;
pub use plan::{Plan, PlanError, Shard};
pub use runner::{Ledger, Observer, Runner, SharedJournal, kind_of_failure, without_details};
pub use single::{default_configuration, single_cell};
pub use tables::{NoTables, Stock};
