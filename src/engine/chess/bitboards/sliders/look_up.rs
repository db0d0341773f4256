//! The tables of magic and PEXT sliding: each square looks only at the squares whose occupation matters, and its
//! answers lie in one array, square after square, mostly none with more room than it needs (Romstad's layout of 2007).

use std::fmt::Debug;
use std::marker::PhantomData;

use super::filled::Filled;
use super::{Sliders, plain_occupancy};
use crate::chess::board::Unsupported;
use crate::chess::geometry::{BISHOP_STEPS, ROOK_STEPS, Step, slide};
use crate::chess::{Square, SquareSet};

/// Number of answers for rooks: 800 KiB.
const ROOK_ANSWERS: usize = 102_400;
/// Number of answers for bishops: 41 KiB.
const BISHOP_ANSWERS: usize = 5_248;
/// Answers of all squares, none with more room than it needs.
pub type Minimal = [SquareSet; ROOK_ANSWERS + BISHOP_ANSWERS];

/// Kind of sliding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slider {
    /// Along ranks and files.
    Rook,
    /// Along diagonals.
    Bishop,
}

impl Slider {
    const fn steps(self) -> &'static [Step; 4] {
        match self {
            Self::Rook => &ROOK_STEPS,
            Self::Bishop => &BISHOP_STEPS,
        }
    }

    /// Squares that the slider attacks.
    pub const fn attacks(self, from: Square, occupied: SquareSet) -> SquareSet {
        slide(from, self.steps(), occupied)
    }

    /// Squares whose occupation matters: the slider's lines without their last squares, which stop it either way.
    pub fn mask(self, from: Square) -> SquareSet {
        let mut mask = SquareSet::EMPTY;
        for (files, ranks) in self.steps() {
            let ahead = |square: Square| square.offset(*files, *ranks);
            let line = std::iter::successors(ahead(from), |square| ahead(*square));
            mask |= line.filter(|square| ahead(*square).is_some()).collect();
        }
        mask
    }
}

/// Every way in which the squares of the mask can be occupied, the empty one first.
pub fn subsets(mask: SquareSet) -> impl Iterator<Item = SquareSet> {
    let mut next = Some(0_u64);
    std::iter::from_fn(move || {
        let subset = next?;
        // The carry ripples through the bits of the mask only, and comes back to 0 at the end.
        let following = subset.wrapping_sub(mask.0) & mask.0;
        next = (following != 0).then_some(following);
        Some(SquareSet(subset))
    })
}

/// Data of one square for finding its answers among those of all squares.
///
/// # Safety
/// Answers are looked up without a check: [`place`](Self::place) must keep to its bounds for every occupation, and
/// [`check`](Self::check) must not succeed on a processor that cannot run it.
pub unsafe trait Entry: Copy + Debug + Send + Sync + 'static {
    /// Entry of a table that is not filled yet.
    const BLANK: Self;

    /// Answers of all squares, those of rooks first.
    type Answers: AsRef<[SquareSet]> + AsMut<[SquareSet]> + Copy + Send + Sync + 'static;

    /// Answers before they are filled in.
    const NO_ANSWERS: Self::Answers;

    /// Room for the answers of a square with a mask of `squares` squares; at least 2^`squares`.
    fn room(_slider: Slider, squares: u32) -> usize {
        1 << squares
    }

    /// Entry of a square whose relevant squares are these, and whose first answer has this place.
    fn new(slider: Slider, from: Square, mask: SquareSet, first: usize) -> Self;

    /// Place of an answer for this slider: below `first` + [`room`](Self::room), and the same for two occupations only
    /// if they have the same answer.
    ///
    /// # Safety
    /// [`check`](Self::check) must have succeeded.
    unsafe fn place(&self, slider: Slider, occupied: SquareSet) -> usize;

    /// The one table of this kind of entries.
    fn tables() -> &'static Filled<Tables<Self>>;

    /// Whether this processor can find places.
    fn check() -> Result<(), Unsupported> {
        Ok(())
    }
}

/// Entries by square, and the answers of all squares, those of rooks first.
pub struct Tables<E: Entry> {
    rook: [E; 64],
    bishop: [E; 64],
    answers: E::Answers,
}

impl<E: Entry> Tables<E> {
    pub(super) const BLANK: Self = Self { rook: [E::BLANK; 64], bishop: [E::BLANK; 64], answers: E::NO_ANSWERS };

    /// Fills the table.
    ///
    /// # Safety
    /// As for [`Entry::place`].
    unsafe fn fill(&mut self) {
        let mut first = 0;
        for (slider, entries) in [(Slider::Rook, &mut self.rook), (Slider::Bishop, &mut self.bishop)] {
            for from in Square::all() {
                let mask = slider.mask(from);
                let entry = E::new(slider, from, mask, first);
                for occupied in subsets(mask) {
                    // SAFETY: the caller vouches for it.
                    self.answers.as_mut()[unsafe { entry.place(slider, occupied) }] = slider.attacks(from, occupied);
                }
                entries[from.index()] = entry;
                first += E::room(slider, mask.len());
            }
        }
    }
}

/// Sliding method that looks attacks up by the occupation of the squares that matter.
#[derive(Clone, Copy, Debug)]
pub struct LookUp<E>(PhantomData<E>);

impl<E: Entry> LookUp<E> {
    #[inline(always)]
    fn tables(self) -> &'static Tables<E> {
        // SAFETY: `self` was made by `prepare`, which filled them.
        unsafe { E::tables().get() }
    }

    #[inline(always)]
    fn answer(self, entry: &E, slider: Slider, occupied: SquareSet) -> SquareSet {
        // SAFETY: `prepare` checked the processor, and `fill` gave each entry room for every place within the bounds
        // to which `Entry::place` keeps.
        unsafe { *self.tables().answers.as_ref().get_unchecked(entry.place(slider, occupied)) }
    }
}

impl<E: Entry> Sliders for LookUp<E> {
    plain_occupancy!();

    fn prepare() -> Result<Self, Unsupported> {
        E::check()?;
        // SAFETY: checked just before.
        E::tables().fill(|tables| unsafe { tables.fill() });
        Ok(Self(PhantomData))
    }

    fn table_bytes() -> usize {
        size_of::<Tables<E>>()
    }

    #[inline(always)]
    fn bishop(self, from: Square, occupied: SquareSet) -> SquareSet {
        self.answer(&self.tables().bishop[from.index()], Slider::Bishop, occupied)
    }

    #[inline(always)]
    fn rook(self, from: Square, occupied: SquareSet) -> SquareSet {
        self.answer(&self.tables().rook[from.index()], Slider::Rook, occupied)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_layout_needs_exactly_this_many_answers() {
        let answers = |slider: Slider| Square::all().map(|from| 1 << slider.mask(from).len()).sum::<usize>();
        assert_eq!(answers(Slider::Rook), ROOK_ANSWERS);
        assert_eq!(answers(Slider::Bishop), BISHOP_ANSWERS);
    }

    #[test]
    fn subsets_are_complete() {
        let mask = Slider::Bishop.mask(Square::E4);
        let all: std::collections::HashSet<_> = subsets(mask).collect();
        assert_eq!(all.len(), 1 << mask.len());
        assert!(all.iter().all(|subset| (*subset - mask).is_empty()));
        assert_eq!(subsets(SquareSet::EMPTY).count(), 1);
    }
}
