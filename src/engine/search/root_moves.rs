//! The moves of the root.

use crate::chess::Move;

/// A legal move of the root.
#[derive(Clone, Copy, Debug)]
pub(super) struct RootMove {
    pub mv: Move,
    /// Effort of the move's last search, by which root moves are ordered.
    pub effort: u64,
    /// Whether the present search of the root has its score.
    pub is_searched: bool,
    /// Whether the move has been found to lose by mate.
    pub is_lost: bool,
}

/// The moves of the root, and what the present iteration knows of them.
#[derive(Debug, Default)]
pub(super) struct RootMoves {
    pub list: Vec<RootMove>,
    /// Whether legal moves are left out: then the score is not that of the position.
    pub are_restricted: bool,
    /// Move whose score was above the window that the present iteration began with.
    pub too_good: Option<Move>,
}
