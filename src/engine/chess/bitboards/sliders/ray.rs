//! Sliding with next to no tables: on each line the nearest piece below and above the slider are found by arithmetic.
//!
//! The lower half of a line gives its highest piece (a count of leading zeros); subtracting that piece from the pieces
//! of the upper half borrows up to the nearest one there, and so marks everything from the one to the other
//! ("obstruction difference", Leorik and others, about 2020).

use super::{Sliders, plain_occupancy};
use crate::chess::board::Unsupported;
use crate::chess::geometry::{BISHOP_STEPS, ROOK_STEPS, Step, const_table, slide};
use crate::chess::{Square, SquareSet};

/// Sliding method that computes attacks line by line.
#[derive(Clone, Copy, Debug)]
pub struct Ray(());

/// Line through a square, without the square.
#[derive(Clone, Copy)]
struct Line {
    below: u64,
    above: u64,
}

type Lines = [[Line; 2]; 64];

static ROOK: Lines = lines(&ROOK_STEPS);
static BISHOP: Lines = lines(&BISHOP_STEPS);

const fn lines(steps: &[Step; 4]) -> Lines {
    const_table!([Line { below: 0, above: 0 }; 2]; 64, |i| [line(i, steps[0]), line(i, steps[1])])
}

const fn line(from: usize, (files, ranks): Step) -> Line {
    let line = slide(Square::wrapping(from), &[(files, ranks), (-files, -ranks)], SquareSet::EMPTY).0;
    let below = (1 << from) - 1;
    Line { below: line & below, above: line & !below }
}

impl Line {
    #[inline(always)]
    fn attacks(self, occupied: u64) -> u64 {
        let (below, above) = (occupied & self.below, occupied & self.above);
        // Without a piece below, everything from the edge up is marked.
        let nearest_below = 1_u64 << (63 - (below | 1).leading_zeros());
        let difference = above ^ above.wrapping_sub(nearest_below);
        (self.below | self.above) & difference
    }
}

#[inline(always)]
fn both(lines: &[Line; 2], occupied: SquareSet) -> SquareSet {
    SquareSet(lines[0].attacks(occupied.0) | lines[1].attacks(occupied.0))
}

impl Sliders for Ray {
    plain_occupancy!();

    fn prepare() -> Result<Self, Unsupported> {
        Ok(Self(()))
    }

    fn table_bytes() -> usize {
        2 * size_of::<Lines>()
    }

    #[inline(always)]
    fn bishop(self, from: Square, occupied: SquareSet) -> SquareSet {
        both(&BISHOP[from.index()], occupied)
    }

    #[inline(always)]
    fn rook(self, from: Square, occupied: SquareSet) -> SquareSet {
        both(&ROOK[from.index()], occupied)
    }
}
