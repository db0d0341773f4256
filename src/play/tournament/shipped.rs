//! The tournaments that ship with the program.

pub use splitpoint_experiments::TOURNAMENTS;
