//! Our engine as an engine for others: it speaks the universal chess interface (UCI).
//!
//! Commands come one in a line and are carried out in their order; a search runs beside, so that the engine always
//! listens. What is wrong is told as `info string` and otherwise left out: nothing that comes in ends the engine but
//! `quit`, and the end of the input or the output.

mod command;
mod options;
mod output;
mod server;
mod thinking;

pub use server::serve;
