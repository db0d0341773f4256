//! What a search finds, and how it came to it.

use crate::chess::{Move, Score};

/// What a search has found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The move to play; none if there is no legal one.
    pub best: Option<Move>,
    /// The score of the deepest iteration that was completed.
    pub score: Score,
    /// The depth of that iteration in plies; 0 if the search was stopped before any was.
    pub depth: u32,
    /// The best play for both sides, as far as it is known. It begins with `best`.
    pub line: Vec<Move>,
    /// The iterations that were completed.
    pub iterations: Vec<Iteration>,
    /// When its worker began, in nanoseconds of the machine since the run began.
    pub began: u64,
    /// From the first node of the first iteration to the answer, in nanoseconds of the machine.
    pub nanoseconds: u64,
}

/// An iteration that was completed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Iteration {
    /// Its depth in plies.
    pub depth: u32,
    /// Its score.
    pub score: Score,
    /// Its best line.
    pub line: Vec<Move>,
    /// Nodes that the thinking worker has searched since the search began.
    pub nodes: u64,
    /// Nanoseconds since the search began.
    pub nanoseconds: u64,
    /// Whether the score lay outside the first window, so that the iteration was searched twice.
    pub failed_window: bool,
}
