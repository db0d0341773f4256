//! Magic multiplication: the occupied squares that matter, times a multiplier found by trial, have the place of the answer
//! in their top bits (Kannan 2007). The multipliers are the work of [`magic_search`](super::magic_search).

use super::filled::Filled;
use super::magic_multipliers::{BISHOP, ROOK};
use super::subsets::{ANSWERS, Slider, subsets};
use super::{Sliders, plain_occupancy};
use crate::chess::board::Unsupported;
use crate::chess::{Square, SquareSet};

/// Magic bitboards with tables of minimal size.
#[derive(Clone, Copy, Debug)]
pub struct Magic(());

#[derive(Clone, Copy)]
struct Entry {
    mask: SquareSet,
    multiplier: u64,
    first: u32,
    shift: u32,
}

struct Tables {
    rook: [Entry; 64],
    bishop: [Entry; 64],
    answers: [SquareSet; ANSWERS],
}

const BLANK: Entry = Entry { mask: SquareSet::EMPTY, multiplier: 0, first: 0, shift: 0 };
static TABLES: Filled<Tables> =
    Filled::new(Tables { rook: [BLANK; 64], bishop: [BLANK; 64], answers: [SquareSet::EMPTY; ANSWERS] });

impl Entry {
    #[inline(always)]
    fn index(&self, occupied: SquareSet) -> usize {
        let product = (occupied & self.mask).0.wrapping_mul(self.multiplier);
        self.first as usize + (product >> self.shift) as usize
    }
}

fn fill(tables: &mut Tables) {
    let Tables { rook, bishop, answers } = tables;
    let mut first = 0;
    for (slider, multipliers, entries) in [(Slider::Rook, &ROOK, rook), (Slider::Bishop, &BISHOP, bishop)] {
        for from in Square::all() {
            let mask = slider.mask(from);
            let entry = Entry { mask, multiplier: multipliers[from.index()], first, shift: 64 - mask.len() };
            for occupied in subsets(mask) {
                answers[entry.index(occupied)] = slider.attacks(from, occupied);
            }
            entries[from.index()] = entry;
            first += 1 << mask.len();
        }
    }
}

#[inline(always)]
fn look_up(tables: &'static Tables, entry: &Entry, occupied: SquareSet) -> SquareSet {
    // SAFETY: a shift of 64 - n leaves n bits, and `fill` gave each entry room for that many answers from `first` on.
    unsafe { *tables.answers.get_unchecked(entry.index(occupied)) }
}

impl Sliders for Magic {
    plain_occupancy!();

    fn prepare() -> Result<Self, Unsupported> {
        TABLES.fill(fill);
        Ok(Self(()))
    }

    fn table_bytes() -> usize {
        size_of::<Tables>()
    }

    #[inline(always)]
    fn bishop(self, from: Square, occupied: SquareSet) -> SquareSet {
        // SAFETY: `self` was made by `prepare`.
        let tables = unsafe { TABLES.get() };
        look_up(tables, &tables.bishop[from.index()], occupied)
    }

    #[inline(always)]
    fn rook(self, from: Square, occupied: SquareSet) -> SquareSet {
        // SAFETY: `self` was made by `prepare`.
        let tables = unsafe { TABLES.get() };
        look_up(tables, &tables.rook[from.index()], occupied)
    }
}
