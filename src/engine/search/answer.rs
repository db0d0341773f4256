//! Answer of a search, and the iterations that led to it.

use crate::chess::{Move, Score};

/// Result of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// Move to play; none if there is no legal one.
    pub best: Option<Move>,
    /// Score of the deepest completed iteration.
    pub score: Score,
    /// Depth of the deepest completed iteration in plies; 0 if the search was stopped before one was completed.
    pub depth: u32,
    /// Principal variation, as far as it is known. It begins with `best`.
    pub line: Vec<Move>,
    /// Completed iterations.
    pub iterations: Vec<Iteration>,
    /// Nanoseconds of the machine from the start of the run to the start of this worker's search.
    pub began: u64,
    /// Nanoseconds of the machine from the first node of the first iteration to the answer.
    pub nanoseconds: u64,
}

/// A completed iteration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Iteration {
    /// Depth in plies.
    pub depth: u32,
    /// Number of better moves of the root that this iteration left out.
    pub rank: usize,
    /// Score of the root.
    pub score: Score,
    /// Principal variation.
    pub line: Vec<Move>,
    /// Nodes that this worker has searched since the search began.
    pub nodes: u64,
    /// Leaves of the main search that this worker has reached since the search began.
    pub leaves: u64,
    /// Plies of the longest line that this worker has searched since then, quiescence included.
    pub deepest: u64,
    /// Nanoseconds since the search began.
    pub nanoseconds: u64,
    /// Whether the score lay outside the aspiration window, so that the root was searched twice.
    pub failed_window: bool,
}
