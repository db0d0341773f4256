//! 64 cells: whether a step leaves the board is seen from file and rank.

use super::Grid;
use super::walk::STEPS;
use crate::chess::{Piece, Square};

/// Cells numbered like squares.
#[derive(Clone, Copy, Debug)]
pub struct Files;

impl Grid for Files {
    type Cells = [Option<Piece>; Square::COUNT];
    const NO_PIECES: Self::Cells = [None; Square::COUNT];
    const TABLE_BYTES: usize = size_of_val(&STEPS);

    #[inline(always)]
    fn step(cell: usize, direction: usize) -> Option<usize> {
        let (files, ranks) = STEPS[direction];
        Square::wrapping(cell).offset(files, ranks).map(Square::index)
    }
}
