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
    /// The workers of each team use one history.
    Team "team",
}

choices! {
    /// Quantity that the history of a quiet move counts.
    pub enum HistoryForm, "form of history";
    /// The square of the draft for each cutoff.
    Squares "squares",
    /// One for each cutoff.
    Ones "ones",
    /// One for each cutoff, by ply of the line.
    Plies "by-ply",
    /// Cutoffs for each trial at nodes with a cutoff (Winands et al. 2004).
    Relative "relative",
    /// A balance of cutoffs and failures, both by the square of the draft, that forgets as it grows.
    Gravity "gravity",
}

impl HistoryForm {
    /// Whether a count alone is a move's worth.
    pub(super) fn is_plain(self) -> bool {
        matches!(self, Self::Squares | Self::Ones | Self::Gravity)
    }
}

const MOVES: usize = 64 * 64;
/// Counts of both sides.
const PLANE: usize = 2 * MOVES;
/// Plies that have counts of their own; further ones share the last.
const PLIES: usize = 64;
/// Count of a cutoff in [`HistoryForm::Relative`].
const CUTOFF: u32 = 100;
/// Largest balance in [`HistoryForm::Gravity`], either way.
const LARGEST_BALANCE: i32 = 16_384;
/// Largest change of a balance.
const LARGEST_CHANGE: i32 = 1_200;

/// A balance that is changed, the less the further it is out already.
#[inline(always)]
pub(super) fn pulled(balance: i32, change: i32) -> i32 {
    let change = change.clamp(-LARGEST_CHANGE, LARGEST_CHANGE);
    balance + change - balance * change.abs() / LARGEST_BALANCE
}

/// Counts of all quiet moves.
pub(crate) struct QuietHistory {
    counts: Box<[AtomicU32]>,
    form: HistoryForm,
    area: Area,
}

impl QuietHistory {
    /// Bound below which counts stay, as keys of moves below those of killers.
    pub const BOUND: u32 = 50_000;
    /// Size of the counts of both sides.
    pub const BYTES: usize = PLANE * size_of::<AtomicU32>();

    /// A history in which no move has cut.
    pub fn new(form: HistoryForm) -> Self {
        let planes = match form {
            HistoryForm::Plies => PLIES,
            HistoryForm::Relative => 2,
            HistoryForm::Squares | HistoryForm::Ones | HistoryForm::Gravity => 1,
        };
        let counts = (0..planes * PLANE).map(|_| AtomicU32::new(0)).collect();
        Self { counts, form, area: Area::new(planes * Self::BYTES) }
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

    /// Counts of moves, where these alone are their worth.
    #[inline(always)]
    pub fn plain(&self) -> Option<Plain<'_>> {
        self.form.is_plain().then(|| self.counts.first_chunk().map(Plain)).flatten()
    }

    /// Worth of a move at this ply of the line.
    #[inline(always)]
    pub fn of(&self, color: Color, mv: Move, ply: usize) -> i32 {
        let count = self.count(self.place(color, mv, ply));
        match self.form {
            HistoryForm::Relative => (count / (self.count(PLANE + place(color, mv)) + 1)) as i32,
            _ => count as i32,
        }
    }

    #[inline(always)]
    fn count(&self, place: usize) -> u32 {
        self.counts[place].load(Ordering::Relaxed)
    }

    #[inline(always)]
    fn place(&self, color: Color, mv: Move, ply: usize) -> usize {
        match self.form {
            HistoryForm::Plies => PLANE * ply.min(PLIES - 1) + place(color, mv),
            _ => place(color, mv),
        }
    }

    /// Notes a move that has cut; `amount` is the square of the draft. If a count would reach the bound, all are halved
    /// first.
    #[inline(always)]
    pub fn add(&self, color: Color, mv: Move, ply: usize, amount: u32, bound: u32) {
        let place = self.place(color, mv, ply);
        let amount = match self.form {
            HistoryForm::Squares => amount,
            HistoryForm::Ones | HistoryForm::Plies => 1,
            HistoryForm::Relative => CUTOFF,
            HistoryForm::Gravity => return self.pull(place, amount as i32),
        };
        let mut count = self.count(place);
        while count.saturating_add(amount) >= bound {
            self.halve();
            count = self.count(place);
        }
        self.counts[place].store(count.wrapping_add(amount), Ordering::Relaxed);
    }

    /// Notes a move that was tried and did not cut, at a node where a later one has.
    #[inline(always)]
    pub fn failed(&self, color: Color, mv: Move, ply: usize, amount: u32) {
        match self.form {
            HistoryForm::Relative => {
                let trials = &self.counts[PLANE + place(color, mv)];
                trials.store(trials.load(Ordering::Relaxed) + 1, Ordering::Relaxed);
            }
            HistoryForm::Gravity => {
                self.pull(self.place(color, mv, ply), -(amount as i32));
            }
            HistoryForm::Squares | HistoryForm::Ones | HistoryForm::Plies => {}
        }
    }

    #[inline(always)]
    fn pull(&self, place: usize, change: i32) {
        let after = pulled(self.count(place) as i32, change);
        self.counts[place].store(after as u32, Ordering::Relaxed);
    }

    /// Gives to all histories what each has added since they were last equal to `base`, and renews `base`. Counts reach
    /// `most` at most.
    pub fn merge(all: &[&Self], base: &Self, most: u32) {
        let is_balance = base.form == HistoryForm::Gravity;
        for (place, base) in base.counts.iter().enumerate() {
            let before = base.load(Ordering::Relaxed);
            let found = all.iter().map(|history| history.counts[place].load(Ordering::Relaxed));
            let together = if is_balance {
                let changes: i32 = found.map(|count| count as i32 - before as i32).sum();
                (before as i32 + changes).clamp(-LARGEST_BALANCE, LARGEST_BALANCE) as u32
            } else {
                // Halving may have taken away more than was added.
                found.map(|count| count.saturating_sub(before)).fold(before, u32::saturating_add).min(most)
            };
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

/// Counts that are the worth of moves.
#[derive(Clone, Copy)]
pub(crate) struct Plain<'a>(&'a [AtomicU32; PLANE]);

impl Plain<'_> {
    /// Worth of a move.
    #[inline(always)]
    pub fn of(self, color: Color, mv: Move) -> i32 {
        self.0[place(color, mv)].load(Ordering::Relaxed) as i32
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
        let history = QuietHistory::new(HistoryForm::Squares);
        for (i, mv) in list.iter().enumerate() {
            history.add(Color::White, *mv, 0, 10 + i as u32, u32::MAX);
        }
        for (i, mv) in list.iter().enumerate() {
            assert_eq!(history.of(Color::White, *mv, 0), 10 + i as i32);
            assert_eq!(history.of(Color::Black, *mv, 0), 0);
        }
        history.add(Color::White, list[0], 0, 95, 100);
        assert_eq!(history.of(Color::White, list[0], 0), 2 + 95);
        assert_eq!(history.of(Color::White, list[19], 0), 29 / 4);
    }

    #[test]
    fn merging_adds_what_each_has_added() {
        let board = Mailbox::set_up(&Setup::start(), Keys::of_seed(0)).unwrap();
        let mut list = MoveList::new();
        board.moves(&mut list);
        let all: Vec<_> = (0..3).map(|_| QuietHistory::new(HistoryForm::Squares)).collect();
        let base = QuietHistory::new(HistoryForm::Squares);
        let mut expected = 0;
        for round in 1..4 {
            for (i, history) in all.iter().enumerate() {
                history.add(Color::White, list[0], 0, 10 * round + i as u32, u32::MAX);
                expected += 10 * round + i as u32;
            }
            QuietHistory::merge(&all.iter().collect::<Vec<_>>(), &base, 1_000);
            assert!(all.iter().chain([&base]).all(|history| history.of(Color::White, list[0], 0) == expected as i32));
        }
        all[1].add(Color::White, list[0], 0, 5_000, u32::MAX);
        QuietHistory::merge(&all.iter().collect::<Vec<_>>(), &base, 1_000);
        assert!(all.iter().all(|history| history.of(Color::White, list[0], 0) == 1_000));
    }
}
