//! What magic and PEXT tables have in common: each square looks only at the squares whose occupation matters, and its
//! answers lie in one array, the squares one after the other, none with more room than it needs (Romstad's layout of 2007).

use crate::chess::geometry::{BISHOP_STEPS, ROOK_STEPS, Step, slide};
use crate::chess::{Square, SquareSet};

/// Answers for rooks: 800 KiB.
pub const ROOK_ANSWERS: usize = 102_400;
/// Answers for bishops: 41 KiB.
pub const BISHOP_ANSWERS: usize = 5_248;
/// All answers; bishops follow rooks.
pub const ANSWERS: usize = ROOK_ANSWERS + BISHOP_ANSWERS;

/// Which of the two slides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Slider {
    Rook,
    Bishop,
}

impl Slider {
    const fn steps(self) -> &'static [Step; 4] {
        match self {
            Self::Rook => &ROOK_STEPS,
            Self::Bishop => &BISHOP_STEPS,
        }
    }

    /// Where it reaches.
    pub const fn attacks(self, from: Square, occupied: SquareSet) -> SquareSet {
        slide(from, self.steps(), occupied)
    }

    /// The squares whose occupation matters: its lines without their last squares, which stop it either way.
    pub const fn mask(self, from: Square) -> SquareSet {
        let mut mask = 0;
        let mut i = 0;
        while i < 4 {
            let (files, ranks) = self.steps()[i];
            let mut square = from.offset(files, ranks);
            while let Some(here) = square {
                square = here.offset(files, ranks);
                if square.is_some() {
                    mask |= SquareSet::of(here).0;
                }
            }
            i += 1;
        }
        SquareSet(mask)
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
