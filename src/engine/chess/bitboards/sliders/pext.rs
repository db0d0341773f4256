//! The parallel bit extract instruction of BMI2 gathers the occupied squares that matter into a number: the place of
//! the answer, with no multiplier to be found.
//!
//! The instruction is written in assembly, so that the program as a whole is built for any x86-64 processor and only
//! the boards of this type need one that has it. A function compiled for BMI2 would not be inlined into plain code.

use super::filled::Filled;
use super::look_up::{self, LookUp, Minimal, Slider, Tables};
use crate::chess::board::Unsupported;
use crate::chess::{Square, SquareSet};

/// Sliding method of PEXT look-ups.
pub type Pext = LookUp<Entry>;

#[derive(Clone, Copy, Debug)]
pub struct Entry {
    mask: SquareSet,
    first: usize,
}

static TABLES: Filled<Tables<Entry>> = Filled::new(Tables::BLANK);

/// Gathers the bits of `source` that `mask` selects into the low bits.
///
/// # Safety
/// The processor must have BMI2.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
unsafe fn pext(source: u64, mask: u64) -> u64 {
    let result;
    // SAFETY: the instruction reads and writes registers only and leaves the flags alone; the caller vouches for BMI2.
    unsafe {
        std::arch::asm!(
            "pext {result}, {source}, {mask}",
            result = lateout(reg) result,
            source = in(reg) source,
            mask = in(reg) mask,
            options(pure, nomem, nostack, preserves_flags),
        );
    }
    result
}

/// Never called: elsewhere no value of [`Pext`] exists.
#[cfg(not(target_arch = "x86_64"))]
#[inline(always)]
unsafe fn pext(_: u64, _: u64) -> u64 {
    0
}

#[cfg(target_arch = "x86_64")]
fn is_supported() -> bool {
    std::is_x86_feature_detected!("bmi2")
}

#[cfg(not(target_arch = "x86_64"))]
fn is_supported() -> bool {
    false
}

// SAFETY: n bits that are gathered are below 2^n, and `check` looks for BMI2.
unsafe impl look_up::Entry for Entry {
    const BLANK: Self = Self { mask: SquareSet::EMPTY, first: 0 };
    type Answers = Minimal;
    const NO_ANSWERS: Minimal = [SquareSet::EMPTY; size_of::<Minimal>() / size_of::<SquareSet>()];

    fn new(_: Slider, _: Square, mask: SquareSet, first: usize) -> Self {
        Self { mask, first }
    }

    #[inline(always)]
    unsafe fn place(&self, _: Slider, occupied: SquareSet) -> usize {
        // SAFETY: the caller vouches for BMI2. A mask of n bits gives a number below 2^n.
        self.first + unsafe { pext(occupied.0, self.mask.0) } as usize
    }

    #[inline(always)]
    fn tables() -> &'static Filled<Tables<Self>> {
        &TABLES
    }

    fn check() -> Result<(), Unsupported> {
        let unsupported = Unsupported { what: "pext", needs: "the BMI2 instructions", instead: "magic" };
        if is_supported() { Ok(()) } else { Err(unsupported) }
    }
}
