//! What the engine and all behind it use: named choices, settings, counts of a search, statistics, random numbers. It
//! changes seldom, since all else is compiled after it; what is kept in files stands behind it, in `data`.
//!
//! No interface is promised: what later versions keep are the command line, run folders and their columns.
#![forbid(unsafe_code)]
// They panic when nothing can be written.
#![cfg_attr(not(test), deny(clippy::print_stdout, clippy::print_stderr))]

pub mod checksum;
pub mod choices;
pub mod color;
pub mod counts;
pub mod distinct;
pub mod duration;
pub mod fingerprint;
pub mod random;
pub mod settings;
pub mod share;
pub mod statistics;
pub mod suggestion;
