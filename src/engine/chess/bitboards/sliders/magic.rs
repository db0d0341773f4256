//! Magic multiplication: the occupied squares that matter, times a multiplier found by trial, have the place of the
//! answer in their top bits (Kannan 2007).

use super::filled::Filled;
use super::look_up::{self, LookUp, Minimal, Slider, Tables};
use super::magic_multipliers::multiplier;
use crate::chess::{Square, SquareSet};

/// Sliding method of magic bitboards, with tables of minimal size.
pub type Magic = LookUp<Entry>;

#[derive(Clone, Copy, Debug)]
pub struct Entry {
    mask: SquareSet,
    multiplier: u64,
    first: u32,
    shift: u32,
}

static TABLES: Filled<Tables<Entry>> = Filled::new(Tables::BLANK);

// SAFETY: a product of which the shift leaves n bits is below 2^n, and every processor multiplies.
unsafe impl look_up::Entry for Entry {
    const BLANK: Self = Self { mask: SquareSet::EMPTY, multiplier: 0, first: 0, shift: 0 };
    type Answers = Minimal;
    const NO_ANSWERS: Minimal = [SquareSet::EMPTY; size_of::<Minimal>() / size_of::<SquareSet>()];

    fn new(slider: Slider, from: Square, mask: SquareSet, first: usize) -> Self {
        Self { mask, multiplier: multiplier(slider, from), first: first as u32, shift: 64 - mask.len() }
    }

    #[inline(always)]
    unsafe fn place(&self, _: Slider, occupied: SquareSet) -> usize {
        // A shift of 64 - n leaves n bits.
        let product = (occupied & self.mask).0.wrapping_mul(self.multiplier);
        self.first as usize + (product >> self.shift) as usize
    }

    #[inline(always)]
    fn tables() -> &'static Filled<Tables<Self>> {
        &TABLES
    }
}
