//! How often each quiet move has cut, anywhere in the tree: the history heuristic (Schaeffer 1983), by side, origin and
//! target.
//!
//! All workers may share one. The counts are atomics that are read and written without a lock; an addition may be lost, which
//! changes an order of moves and nothing else. On a virtual machine the caller touches before it reads or adds.

use std::sync::atomic::{AtomicU32, Ordering};

use crate::chess::{Color, Move};

const MOVES: usize = 64 * 64;

/// The counts of all quiet moves.
pub struct QuietHistory(Box<[AtomicU32; 2 * MOVES]>);

impl QuietHistory {
    /// Nothing has cut yet.
    pub fn new() -> Self {
        Self(Box::new([const { AtomicU32::new(0) }; 2 * MOVES]))
    }

    /// The count of a move.
    #[inline(always)]
    pub fn of(&self, color: Color, mv: Move) -> u32 {
        self.0[place(color, mv)].load(Ordering::Relaxed)
    }

    /// A move has cut. If its count would reach the bound, all counts are halved first.
    #[inline(always)]
    pub fn add(&self, color: Color, mv: Move, amount: u32, bound: u32) {
        let mut count = self.of(color, mv);
        while count.saturating_add(amount) >= bound {
            self.halve();
            count = self.of(color, mv);
        }
        self.0[place(color, mv)].store(count.wrapping_add(amount), Ordering::Relaxed);
    }

    #[cold]
    fn halve(&self) {
        for count in self.0.iter() {
            count.store(count.load(Ordering::Relaxed) / 2, Ordering::Relaxed);
        }
    }
}

impl Default for QuietHistory {
    fn default() -> Self {
        Self::new()
    }
}

#[inline(always)]
fn place(color: Color, mv: Move) -> usize {
    // Origin and target are the lowest twelve bits of a move.
    color.index() * MOVES + (mv.bits() as usize & (MOVES - 1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::mailbox::Mailbox;
    use crate::chess::{Board, Keys, MoveList, Setup};

    #[test]
    fn counts_are_told_apart_and_bounded() {
        let board = Mailbox::set_up(&Setup::start(), Keys::of_seed(0)).unwrap();
        let mut list = MoveList::new();
        board.moves(&mut list);
        let history = QuietHistory::new();
        for (i, mv) in list.iter().enumerate() {
            history.add(Color::White, *mv, 10 + i as u32, u32::MAX);
        }
        for (i, mv) in list.iter().enumerate() {
            assert_eq!(history.of(Color::White, *mv), 10 + i as u32);
            assert_eq!(history.of(Color::Black, *mv), 0);
        }
        history.add(Color::White, list[0], 95, 100);
        assert_eq!(history.of(Color::White, list[0]), 2 + 95);
        assert_eq!(history.of(Color::White, list[19]), 29 / 4);
    }
}
