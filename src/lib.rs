//! Splitpoint: a research laboratory for parallel game-tree search.
#![warn(missing_docs)]
// They panic when nothing can be written.
#![cfg_attr(not(test), deny(clippy::print_stdout, clippy::print_stderr))]

pub mod cli;

pub use splitpoint_data::{choices, counts, random, record, settings, suggestion};
use splitpoint_data::{distinct, statistics, table};
pub use splitpoint_engine::{self as engine, chess, eval, machine, on_every_board, parallel, search};
pub use splitpoint_lab::{self as lab, outside};
pub use splitpoint_micro as micro;
pub use splitpoint_play as play;
pub use splitpoint_report as report;
