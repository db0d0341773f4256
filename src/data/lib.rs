//! Plain data that outlives the engine: records and run folders, and tables for people and programs. What it is made of
//! (counts, statistics, named choices) is in `base`, and can be had from here too.
//!
//! No interface is promised: what later versions keep are the command line, run folders and their columns.
#![forbid(unsafe_code)]
// They panic when nothing can be written.
#![cfg_attr(not(test), deny(clippy::print_stdout, clippy::print_stderr))]

pub use splitpoint_base::{
    choices, color, counts, distinct, duration, fingerprint, random, settings, share, statistics, suggestion,
};

use splitpoint_base::checksum;

pub mod pixels;
pub mod record;
pub mod sha256;
pub mod table;
