//! Picking: the moves of one node, best first.
//!
//! The moves wait on a stack that the worker's nodes share; each time the best of what is left is picked, so that a
//! node that is cut at once has sorted nothing. `ranking` puts them there with their keys, all at once or in stages.

use crate::chess::Move;

/// A move with its key: greater is earlier, and no two are equal.
#[derive(Clone, Copy, Debug)]
pub struct Ranked {
    pub(super) key: i64,
    pub(super) mv: Move,
}

/// Moves of one node that have not been picked yet, on the worker's stack.
#[derive(Clone, Copy, Debug)]
pub struct Picker {
    start: usize,
    pub(super) next: usize,
    pub(super) end: usize,
    /// Whether captures and promotions have no keys yet.
    pub(super) is_unscored: bool,
    /// Whether what is left is in order.
    pub(super) is_sorted: bool,
    /// Moves that have not been generated yet.
    pub(super) pending: Pending,
    /// The table's move, if it was searched before others were generated.
    pub(super) first: Option<Move>,
    /// Ply of the node.
    pub(super) ply: u32,
    /// Place from which moves are sorted rather than picked one by one.
    pub(super) sorted_from: usize,
    /// Whether quiet moves that give no check are left out from now on.
    pub(super) is_without_quiet: bool,
    /// Whether moves have been skipped as they were listed for others.
    pub(super) has_skipped: bool,
    /// Number of moves that were put off; they lie from the start on.
    put_off: usize,
    /// Whether the moves that were put off are being picked.
    is_second_pass: bool,
}

/// Moves of a node that have not been generated yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pending {
    Nothing,
    Quiet,
    All,
}

/// Number of moves that are picked one by one; where none of them has cut, the others are sorted.
pub(super) const PICKED_ONE_BY_ONE: usize = 4;
/// Key of a move that has been picked, but not searched: it was illegal, or skipped.
pub(super) const UNTRIED: i64 = i64::MIN + 1;

impl Picker {
    /// Moves from `start` to `end` on the stack, all with keys.
    #[inline(always)]
    pub(super) fn ranked(start: usize, end: usize) -> Self {
        Self {
            start,
            next: start,
            end,
            is_unscored: false,
            is_sorted: false,
            pending: Pending::Nothing,
            first: None,
            ply: 0,
            sorted_from: start + PICKED_ONE_BY_ONE,
            is_without_quiet: false,
            has_skipped: false,
            put_off: 0,
            is_second_pass: false,
        }
    }

    /// Number of moves that have not been picked, illegal ones included.
    pub fn left(&self) -> usize {
        self.end - self.next + if self.is_second_pass { 0 } else { self.put_off }
    }

    /// Whether all moves have been picked.
    pub fn is_empty(&self) -> bool {
        self.left() == 0 && !self.is_pending()
    }

    /// Places on the stack of all moves.
    pub(super) fn all(&self) -> std::ops::Range<usize> {
        self.start..self.end
    }

    /// Places on the stack of the moves that have been picked.
    pub(super) fn picked(&self) -> std::ops::Range<usize> {
        self.start..if self.is_second_pass { self.end } else { self.next }
    }

    /// Whether there are moves that have still to be generated.
    #[inline(always)]
    pub(super) fn is_pending(&self) -> bool {
        self.pending != Pending::Nothing
    }

    /// Whether a move has been picked.
    #[inline(always)]
    pub(super) fn has_begun(&self) -> bool {
        self.next > self.start
    }

    /// Whether moves may have been left out of which no score is known.
    #[inline(always)]
    pub(super) fn has_left_out(&self) -> bool {
        self.is_without_quiet || self.has_skipped
    }

    /// Whether a move has been put off.
    pub fn has_put_off(&self) -> bool {
        self.put_off > 0
    }

    /// Whether the moves that were put off are being picked.
    pub fn is_second_pass(&self) -> bool {
        self.is_second_pass
    }

    /// Forgets moves that have been picked and lie beyond this place.
    pub fn forget_beyond(&mut self, height: usize) {
        (self.next, self.end) = (self.next.min(height), self.end.min(height));
    }

    /// Picks the best move that is left of those with keys.
    #[inline(always)]
    pub(super) fn pick(&mut self, moves: &mut [Ranked]) -> Option<Move> {
        if self.next == self.end {
            if self.put_off == 0 || self.is_second_pass {
                return None;
            }
            self.is_second_pass = true;
            (self.next, self.end) = (self.start, self.start + self.put_off);
        }
        if !self.is_second_pass {
            let left = &mut moves[self.next..self.end];
            if self.next < self.sorted_from {
                bring_best_forward(left);
            } else if !self.is_sorted {
                left.sort_unstable_by_key(|ranked| std::cmp::Reverse(ranked.key));
                self.is_sorted = true;
            }
        }
        self.next += 1;
        Some(moves[self.next - 1].mv)
    }

    /// Brings the best move that is left to the front, without picking it.
    #[inline(always)]
    pub(super) fn look_ahead<'m>(&self, moves: &'m mut [Ranked]) -> Option<&'m mut Ranked> {
        if self.next == self.end {
            return None;
        }
        let left = &mut moves[self.next..self.end];
        bring_best_forward(left);
        left.first_mut()
    }

    /// Puts off the move that was picked last: it is picked again after all others.
    pub(super) fn put_off(&mut self, moves: &mut [Ranked]) {
        debug_assert!(!self.is_second_pass);
        moves[self.start + self.put_off] = moves[self.next - 1];
        self.put_off += 1;
    }

    /// Marks the move that was picked last as not searched.
    #[inline(always)]
    pub(super) fn mark_untried(&self, moves: &mut [Ranked]) {
        moves[self.next - 1].key = UNTRIED;
    }
}

/// Picks the best of some moves, and brings it to their front. There must be one.
#[inline]
pub(crate) fn pick_from(moves: &mut [Ranked]) -> Move {
    bring_best_forward(moves);
    moves[0].mv
}

#[inline(always)]
fn bring_best_forward(moves: &mut [Ranked]) {
    let (mut best, mut key) = (0, moves[0].key);
    for (i, ranked) in moves.iter().enumerate().skip(1) {
        if ranked.key > key {
            (best, key) = (i, ranked.key);
        }
    }
    moves.swap(0, best);
}
