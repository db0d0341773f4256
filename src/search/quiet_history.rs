//! History heuristic (Schaeffer 1983): how often each quiet move has cut anywhere in the tree, by side, origin and
//! target.
//!
//! # Memory ordering
//! All workers may share one history. The counts are read and written `Relaxed`, without a lock: each is a number by
//! itself from which nothing else is inferred. An addition may be lost to another worker's, which changes an order of
//! moves and nothing else. On a virtual machine the caller touches before it reads or adds.

use std::sync::atomic::{AtomicU32, Ordering};

use crate::chess::{Color, Move};
use crate::choices::choices;
use crate::machine::{Access, Area};

choices! {
    /// Sharing of histories of quiet moves among workers.
    pub enum Histories, "use of histories";
    /// All workers use one history.
    Shared "shared",
    /// Each worker has its own history.
    Private "private",
    /// Each worker has its own history, and before each iteration all receive what the others have added since the
    /// last.
    Merged "merged",
}

const MOVES: usize = 64 * 64;

/// Counts of all quiet moves.
pub(crate) struct QuietHistory {
    counts: Box<[AtomicU32; 2 * MOVES]>,
    area: Area,
}

impl QuietHistory {
    /// Size of a history.
    pub const BYTES: usize = size_of::<[AtomicU32; 2 * MOVES]>();

    /// A history in which no move has cut.
    pub fn new() -> Self {
        Self { counts: Box::new([const { AtomicU32::new(0) }; 2 * MOVES]), area: Area::new(Self::BYTES) }
    }

    /// Access to the counts of this number of moves. Every second one is taken to need a cache line of its own.
    #[inline(always)]
    pub fn reading(&self, moves: usize) -> Access<'_> {
        Access::ReadArea { area: &self.area, lines: moves as u32 / 2 }
    }

    /// Access to a count that is going to be changed.
    #[inline(always)]
    pub fn writing(&self) -> Access<'_> {
        Access::WriteArea(&self.area)
    }

    /// Count of a move.
    #[inline(always)]
    pub fn of(&self, color: Color, mv: Move) -> u32 {
        self.counts[place(color, mv)].load(Ordering::Relaxed)
    }

    /// Adds to the count of a move that has cut. If it would reach the bound, all counts are halved first.
    #[inline(always)]
    pub fn add(&self, color: Color, mv: Move, amount: u32, bound: u32) {
        let mut count = self.of(color, mv);
        while count.saturating_add(amount) >= bound {
            self.halve();
            count = self.of(color, mv);
        }
        self.counts[place(color, mv)].store(count.wrapping_add(amount), Ordering::Relaxed);
    }

    /// Gives to all histories what each has added since they were last equal to `base`, and renews `base`. Counts reach
    /// `most` at most.
    pub fn merge(all: &[Self], base: &Self, most: u32) {
        for (place, base) in base.counts.iter().enumerate() {
            let before = base.load(Ordering::Relaxed);
            // Halving may have taken away more than was added.
            let added = all.iter().map(|history| history.counts[place].load(Ordering::Relaxed).saturating_sub(before));
            let together = added.fold(before, u32::saturating_add).min(most);
            if together != before || all.iter().any(|history| history.counts[place].load(Ordering::Relaxed) != before) {
                all.iter().for_each(|history| history.counts[place].store(together, Ordering::Relaxed));
                base.store(together, Ordering::Relaxed);
            }
        }
    }

    #[cold]
    fn halve(&self) {
        for count in self.counts.iter() {
            count.store(count.load(Ordering::Relaxed) / 2, Ordering::Relaxed);
        }
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

    #[test]
    fn merging_adds_what_each_has_added() {
        let board = Mailbox::set_up(&Setup::start(), Keys::of_seed(0)).unwrap();
        let mut list = MoveList::new();
        board.moves(&mut list);
        let all: Vec<_> = (0..3).map(|_| QuietHistory::new()).collect();
        let base = QuietHistory::new();
        let mut expected = 0;
        for round in 1..4 {
            for (i, history) in all.iter().enumerate() {
                history.add(Color::White, list[0], 10 * round + i as u32, u32::MAX);
                expected += 10 * round + i as u32;
            }
            QuietHistory::merge(&all, &base, 1_000);
            assert!(all.iter().chain([&base]).all(|history| history.of(Color::White, list[0]) == expected));
        }
        all[1].add(Color::White, list[0], 5_000, u32::MAX);
        QuietHistory::merge(&all, &base, 1_000);
        assert!(all.iter().all(|history| history.of(Color::White, list[0]) == 1_000));
    }
}
