//! Plain data that outlives the engine: records, what is counted, statistics, and tables for people and programs.
#![forbid(unsafe_code)]
// They panic when nothing can be written.
#![cfg_attr(not(test), deny(clippy::print_stdout, clippy::print_stderr))]

mod checksum;
pub mod choices;
pub mod color;
pub mod counts;
pub mod distinct;
pub mod duration;
pub mod fingerprint;
pub mod pixels;
pub mod random;
pub mod record;
pub mod settings;
pub mod share;
pub mod statistics;
pub mod suggestion;
pub mod table;
