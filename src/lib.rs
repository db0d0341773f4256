//! Splitpoint: a research laboratory for parallel game-tree search. This crate gathers the others under one name.
//!
//! No interface is promised: what later versions keep are the command line, run folders and their columns.

pub use splitpoint_data::{choices, counts, random, record, settings, statistics, suggestion};
pub use splitpoint_engine::{self as engine, chess, eval, machine, on_every_board, parallel, search};
pub use splitpoint_lab::{self as lab, outside};
pub use splitpoint_play as play;
pub use splitpoint_report as report;
