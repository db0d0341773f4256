//! 64 cells and a table of two dimensions: the next cell from each cell in each direction.

use super::Grid;
use super::walk::STEPS;
use crate::chess::geometry::const_table;
use crate::chess::{Piece, Square};

/// Cells numbered like squares, each of which knows its neighbours.
#[derive(Clone, Copy, Debug)]
pub struct Next;

/// Stands for a neighbour that is not on the board.
const NONE: u8 = Square::COUNT as u8;

static NEXT: [[u8; Square::COUNT]; STEPS.len()] = const_table!([0; Square::COUNT]; STEPS.len(), |direction| {
    let (files, ranks) = STEPS[direction];
    const_table!(NONE; Square::COUNT, |i| match Square::wrapping(i).offset(files, ranks) {
        Some(square) => square as u8,
        None => NONE,
    })
});

impl Grid for Next {
    type Cells = [Option<Piece>; Square::COUNT];
    const NO_PIECES: Self::Cells = [None; Square::COUNT];
    const TABLE_BYTES: usize = size_of_val(&NEXT);

    #[inline(always)]
    fn step(cell: usize, direction: usize) -> Option<usize> {
        let next = NEXT[direction][cell];
        (next != NONE).then_some(next.into())
    }
}
