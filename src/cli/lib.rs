//! The command line of Splitpoint.
//!
//! No interface is promised: what later versions keep are the command line, run folders and their columns.
// They panic when nothing can be written; `commands::output` does not.
#![cfg_attr(not(test), deny(clippy::print_stdout, clippy::print_stderr))]

use splitpoint_data::{distinct, record, settings, share, statistics, suggestion, table};
use splitpoint_engine::{self as engine, chess, eval, machine, parallel, search};
use splitpoint_lab::{self as lab, outside};
use splitpoint_play as play;
use splitpoint_report as report;

mod commands;

pub use commands::built::of_this_program as build;
pub use commands::{board_args, end, error, hand_over, micro, of_usage, output, position_args, run, values};
