//! The laboratory: from an experiment file to a plan of cells, from the plan to records in a journal.

pub(crate) mod advice;
pub(crate) mod beside;
mod build;
mod conduct;
mod engines;
mod environment;
pub(crate) mod estimate;
mod experiment;
mod fill;
pub(crate) mod judge;
mod laboratory;
pub(crate) mod means;
mod measurement;
pub mod micro;
pub(crate) mod pace;
pub(crate) mod pilot;
mod plan;
pub(crate) mod promises;
mod reuse;
mod runner;
mod setup;
mod single;
pub(crate) mod so_far;
mod tables;
pub(crate) mod validation;

pub(crate) use advice::warnings;
pub(crate) use conduct::{Audience, ConductError, Order};
pub(crate) use environment::begin_session;
pub use experiment::{Conduct, Experiment, FileError, Until, WhatRan, shipped};
pub(crate) use experiment::{axes, duration, file, position_info, schema, share};
pub(crate) use fill::Fill;
pub(crate) use laboratory::{Conditions, Laboratory, MeasureError, Measurement, Searcher};
pub use plan::{Plan, PlanError, Shard};
pub(crate) use runner::{Ledger, Observer, Runner, SharedJournal};
pub(crate) use single::{default_configuration, single_cell};
pub(crate) use tables::{NoTables, Stock};
