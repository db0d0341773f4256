//! Reports: from a journal to tables, charts and a page. This module reads files only: a report can be made again years
//! later without the engine.
//!
//! What a report is about answers a list of questions; page, terminal, Markdown and CSV files are made of the
//! answers. There are five kinds of subjects: an experiment (a `Source`, whose records become an `analysis` first),
//! `games`, a `validation`, folders side by side (`compare`), and published `claims`. The `headline` is
//! what a reader sees first.
//!
//! No interface is promised: what later versions keep are the command line, run folders and their columns.
#![forbid(unsafe_code)]
// They panic when nothing can be written.
#![cfg_attr(not(test), deny(clippy::print_stdout, clippy::print_stderr))]

#[cfg(test)]
use splitpoint_data::random;
use splitpoint_data::{choices, counts, distinct, pixels, record, sha256, share, statistics, suggestion, table};

pub(crate) mod analysis;
mod beside;
pub mod charts;
pub mod claims;
pub mod compare;
pub mod contributions;
mod error;
mod experiment;
pub mod export;
pub mod figures;
pub mod games;
mod headline;
mod make;
pub mod micro;
pub mod page;
mod published;
mod question;
pub(crate) mod questions;
mod sentence;
mod source;
pub mod tables;
mod terminal;
pub mod validation;

use analysis::state;
pub use error::ReportError;
pub use make::{Made, Wishes, make, try_to_make};
pub(crate) use source::Source;
pub use state::State;
