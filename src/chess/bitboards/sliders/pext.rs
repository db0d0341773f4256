//! The parallel bit extract instruction of BMI2 gathers the occupied squares that matter into a number: the place of the
//! answer, with no multiplier to be found.
//!
//! The instruction is written in assembly, so that the program as a whole is built for any x86-64 processor and only the
//! boards of this type need one that has it. A function compiled for BMI2 would not be inlined into plain code.

use super::filled::Filled;
use super::subsets::{ANSWERS, Slider, subsets};
use super::{Sliders, plain_occupancy};
use crate::chess::board::Unsupported;
use crate::chess::{Square, SquareSet};

/// Bitboards with PEXT look-ups.
#[derive(Clone, Copy, Debug)]
pub struct Pext(());

#[derive(Clone, Copy)]
struct Entry {
    mask: SquareSet,
    first: usize,
}

struct Tables {
    rook: [Entry; 64],
    bishop: [Entry; 64],
    answers: [SquareSet; ANSWERS],
}

const BLANK: Entry = Entry { mask: SquareSet::EMPTY, first: 0 };
static TABLES: Filled<Tables> =
    Filled::new(Tables { rook: [BLANK; 64], bishop: [BLANK; 64], answers: [SquareSet::EMPTY; ANSWERS] });

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

/// Elsewhere no value of [`Pext`] exists that could ask for it.
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

fn fill(tables: &mut Tables) {
    let Tables { rook, bishop, answers } = tables;
    let mut first = 0;
    for (slider, entries) in [(Slider::Rook, rook), (Slider::Bishop, bishop)] {
        for from in Square::all() {
            let mask = slider.mask(from);
            entries[from.index()] = Entry { mask, first };
            // The n-th subset is the one whose bits, gathered, are n.
            for occupied in subsets(mask) {
                answers[first] = slider.attacks(from, occupied);
                first += 1;
            }
        }
    }
}

#[inline(always)]
unsafe fn look_up(tables: &'static Tables, entry: &Entry, occupied: SquareSet) -> SquareSet {
    // SAFETY: the mask has n bits, so the instruction (which the caller vouches for) gives a number below 2^n, and `fill`
    // gave each entry room for that many answers from `first` on.
    unsafe { *tables.answers.get_unchecked(entry.first + pext(occupied.0, entry.mask.0) as usize) }
}

impl Sliders for Pext {
    plain_occupancy!();

    fn prepare() -> Result<Self, Unsupported> {
        if !is_supported() {
            return Err(Unsupported { what: "pext", needs: "the BMI2 instructions", instead: "magic" });
        }
        TABLES.fill(fill);
        Ok(Self(()))
    }

    fn table_bytes() -> usize {
        size_of::<Tables>()
    }

    #[inline(always)]
    fn bishop(self, from: Square, occupied: SquareSet) -> SquareSet {
        // SAFETY: `self` was made by `prepare`, which filled the tables and found BMI2.
        unsafe {
            let tables = TABLES.get();
            look_up(tables, &tables.bishop[from.index()], occupied)
        }
    }

    #[inline(always)]
    fn rook(self, from: Square, occupied: SquareSet) -> SquareSet {
        // SAFETY: `self` was made by `prepare`, which filled the tables and found BMI2.
        unsafe {
            let tables = TABLES.get();
            look_up(tables, &tables.rook[from.index()], occupied)
        }
    }
}
