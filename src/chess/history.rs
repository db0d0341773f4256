//! The positions that led here, as far as they can come again: what repetition is judged by.
//!
//! It stands beside the board and not in it. The thesis kept 1600 bytes of it in every position it copied; a helper needs
//! 8 bytes for each ply that can still be repeated, and mostly that is none.

use super::State;

/// The keys of the positions before the present one, oldest first.
#[derive(Debug)]
pub struct History {
    keys: Vec<u64>,
    /// Where the keys of positions after the root begin; beyond all keys as long as there is no root.
    tree: usize,
}

/// How often the present position has occurred before.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Repetitions {
    /// After the root of the search.
    pub in_tree: u32,
    /// At the root or in the game before it.
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

    /// How often the position with this state occurred among those that a reversible line connects it with.
    #[inline(always)]
    pub fn repetitions(&self, state: &State) -> Repetitions {
        self.occurrences(state.key(), state.reversible().into())
    }

    /// How often a position with this key, and the same side to move as now, occurred in the last `plies` plies.
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

    /// Takes over what a helper at a position with this state needs from another's history, without allocating if there
    /// is room. Returns how many bytes were copied.
    pub fn copy_reversible_from(&mut self, other: &Self, state: &State) -> usize {
        // Null moves count for the clock: who looks across them finds what there is.
        let first = other.keys.len() - usize::from(state.halfmove_clock()).min(other.keys.len());
        self.keys.clear();
        self.keys.extend_from_slice(&other.keys[first..]);
        self.tree = if other.tree == usize::MAX { usize::MAX } else { other.tree.saturating_sub(first) };
        size_of_val(&self.keys[..])
    }
}
