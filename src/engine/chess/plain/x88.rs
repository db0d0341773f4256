//! 128 cells, 16 in a row: a number of a cell has bit 3 or bit 7 set if, and only if, it is not on the board.

use super::Grid;
use super::walk::STEPS;
use crate::chess::{Piece, Square};

/// Cells of which every other eight are none of the board's.
#[derive(Clone, Copy, Debug)]
pub struct Padded;

const CELLS: usize = 128;
const OUTSIDE: usize = 0x88;

/// Difference of the numbers of cells for each direction.
const DELTAS: [isize; STEPS.len()] = {
    let mut deltas = [0; STEPS.len()];
    let mut i = 0;
    while i < STEPS.len() {
        deltas[i] = STEPS[i].0 as isize + 16 * STEPS[i].1 as isize;
        i += 1;
    }
    deltas
};

impl Grid for Padded {
    type Cells = [Option<Piece>; CELLS];
    const NO_PIECES: Self::Cells = [None; CELLS];
    const TABLE_BYTES: usize = size_of_val(&DELTAS);

    #[inline(always)]
    fn cell(square: Square) -> usize {
        square.index() + (square.index() & !7)
    }

    #[inline(always)]
    fn square(cell: usize) -> Square {
        Square::wrapping((cell & 7) + (cell >> 4) * 8)
    }

    #[inline(always)]
    fn step(cell: usize, direction: usize) -> Option<usize> {
        let to = cell.wrapping_add_signed(DELTAS[direction]);
        (to & OUTSIDE == 0).then_some(to & (CELLS - 1))
    }
}
