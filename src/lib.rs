//! Splitpoint: a research laboratory for parallel game-tree search.
#![warn(missing_docs)]

pub mod chess;
pub mod eval;
pub mod machine;
pub mod parallel;
pub mod random;
pub mod search;
pub mod settings;
