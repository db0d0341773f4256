//! Magic multiplication with as much room for each square as the one needs that needs most: all squares have one shift
//! in common, and the first answer of a square follows from its number.

use super::filled::Filled;
use super::look_up::{self, LookUp, Slider, Tables};
use super::magic_multipliers::multiplier;
use crate::chess::{Square, SquareSet};

/// Sliding method of magic bitboards, with tables of equal parts.
pub type Homogeneous = LookUp<Entry>;

#[derive(Clone, Copy, Debug)]
pub struct Entry {
    mask: SquareSet,
    multiplier: u64,
    first: usize,
}

/// Most squares that matter to a slider.
const fn widest(slider: Slider) -> u32 {
    match slider {
        Slider::Rook => 12,
        Slider::Bishop => 9,
    }
}

static TABLES: Filled<Tables<Entry>> = Filled::new(Tables::BLANK);

// SAFETY: a product of which the shift leaves n bits is below 2^n, and every processor multiplies.
unsafe impl look_up::Entry for Entry {
    const BLANK: Self = Self { mask: SquareSet::EMPTY, multiplier: 0, first: 0 };
    type Answers = [SquareSet; 64 * ((1 << 12) + (1 << 9))];
    const NO_ANSWERS: Self::Answers = [SquareSet::EMPTY; 64 * ((1 << 12) + (1 << 9))];

    fn room(slider: Slider, _: u32) -> usize {
        1 << widest(slider)
    }

    fn new(slider: Slider, from: Square, mask: SquareSet, first: usize) -> Self {
        Self { mask, multiplier: multiplier(slider, from), first }
    }

    #[inline(always)]
    unsafe fn place(&self, slider: Slider, occupied: SquareSet) -> usize {
        let product = (occupied & self.mask).0.wrapping_mul(self.multiplier);
        self.first + (product >> (64 - widest(slider))) as usize
    }

    #[inline(always)]
    fn tables() -> &'static Filled<Tables<Self>> {
        &TABLES
    }
}
