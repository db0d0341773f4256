//! Keys of the earlier positions of the game and of the line that is searched, for detecting repetitions.
//!
//! The history is kept beside the board, not in it. The thesis copied 1600 bytes of it with every position; a helper
//! needs 8 bytes for each ply that can still be repeated, and mostly that is none.

use super::State;

/// Keys of the positions before the present one, oldest first.
///
/// ```
/// use splitpoint_engine::chess::mailbox::Mailbox;
/// use splitpoint_engine::chess::notation::parse_san;
/// use splitpoint_engine::chess::{Board, History, Keys, Repetitions, Setup};
///
/// let mut board = Mailbox::set_up(&Setup::start(), Keys::of_seed(0)).unwrap();
/// let mut history = History::with_capacity(8);
/// for text in ["Nf3", "Nf6", "Ng1", "Ng8"] {
///     history.push(board.key());
///     let mv = parse_san(&board, text).unwrap();
///     let _ = board.make(mv);
/// }
/// assert_eq!(history.repetitions(board.state()), Repetitions { in_tree: 0, in_game: 1 });
/// ```
#[derive(Clone, Debug)]
pub struct History {
    keys: Vec<u64>,
    /// Index of the first key after the root of the search; beyond all keys as long as there is no root.
    tree: usize,
}

/// Number of earlier occurrences of the present position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Repetitions {
    /// Occurrences after the root of the search.
    pub in_tree: u32,
    /// Occurrences at the root or in the game before it.
    pub in_game: u32,
}

impl History {
    /// An empty history with room for this many plies, so that pushing does not allocate.
    pub fn with_capacity(plies: usize) -> Self {
        Self { keys: Vec::with_capacity(plies), tree: usize::MAX }
    }

    /// Remembers the key of a position that a move is about to leave.
    #[inline(always)]
    pub fn push(&mut self, key: u64) {
        self.keys.push(key);
    }

    /// Forgets the last position, because the move is taken back.
    #[inline(always)]
    pub fn pop(&mut self) {
        self.keys.pop();
    }

    /// Number of positions that are remembered.
    pub fn plies(&self) -> usize {
        self.keys.len()
    }

    /// Declares the present position the root of a search.
    pub fn mark_root(&mut self) {
        self.tree = self.keys.len() + 1;
    }

    /// Earlier occurrences of the position with this state, as far back as moves have been reversible.
    #[inline(always)]
    pub fn repetitions(&self, state: &State) -> Repetitions {
        self.occurrences(state.key(), state.reversible().into())
    }

    /// Occurrences of a position with this key, and the same side to move as now, in the last `plies` plies.
    #[inline]
    pub fn occurrences(&self, key: u64, plies: usize) -> Repetitions {
        // It takes both sides two moves each to come back.
        const SOONEST: usize = 4;
        let mut found = Repetitions::default();
        let last = self.keys.len();
        for distance in (SOONEST..=plies.min(last)).step_by(2) {
            if self.keys[last - distance] == key {
                if last - distance >= self.tree {
                    found.in_tree += 1;
                } else {
                    found.in_game += 1;
                }
            }
        }
        found
    }

    /// Copies another history as it is, without allocating if there is room. Returns the number of copied bytes.
    pub fn copy_from(&mut self, other: &Self) -> usize {
        self.keys.clone_from(&other.keys);
        self.tree = other.tree;
        size_of_val(&self.keys[..])
    }

    /// Keys of the last `count` positions, oldest first; fewer if there are not so many.
    pub fn last(&self, count: usize) -> &[u64] {
        &self.keys[self.keys.len().saturating_sub(count)..]
    }

    /// Copies what a helper at a position with this state needs from another history, without allocating if there
    /// is room. Returns the number of copied bytes.
    pub fn copy_reversible_from(&mut self, other: &Self, state: &State) -> usize {
        // Null moves count for the clock: who looks across them finds what there is.
        let first = other.keys.len() - usize::from(state.halfmove_clock()).min(other.keys.len());
        self.keys.clear();
        self.keys.extend_from_slice(&other.keys[first..]);
        self.tree = if other.tree == usize::MAX { usize::MAX } else { other.tree.saturating_sub(first) };
        size_of_val(&self.keys[..])
    }
}
