//! Splitpoint: a research laboratory for parallel game-tree search.
#![warn(missing_docs)]
// They panic when nothing can be written; `cli::output` and the writers of results do not.
#![cfg_attr(not(test), deny(clippy::print_stdout, clippy::print_stderr))]

pub mod chess;
mod choices;
pub mod cli;
pub mod counts;
mod distinct;
pub mod engine;
pub mod eval;
mod fingerprint;
pub mod lab;
pub mod machine;
pub mod outside;
pub mod parallel;
pub mod play;
pub mod random;
pub mod record;
pub mod report;
pub mod search;
pub mod settings;
mod statistics;
pub mod suggestion;
mod table;
