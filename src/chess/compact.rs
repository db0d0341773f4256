//! A position in 40 bytes: which squares are occupied, by what, and the state. Enough to rebuild any board, and the least
//! that has to be copied to somebody who will.

use super::board::Board;
use super::state::State;
use super::{Piece, Square, SquareSet};

/// A legal position has no more pieces.
const MOST_PIECES: usize = 32;

/// What stands where, and the state.
#[derive(Clone, Copy, Debug)]
pub struct Compact {
    occupied: SquareSet,
    /// The pieces on the occupied squares, `a1` first, two in a byte.
    pieces: [u8; MOST_PIECES / 2],
    state: State,
}

impl Compact {
    /// The position of a board.
    pub fn of<B: Board>(board: &B) -> Self {
        let mut occupied = SquareSet::EMPTY;
        let mut pieces = [0; MOST_PIECES / 2];
        let mut count = 0;
        for square in Square::all() {
            if let Some(piece) = board.piece_on(square) {
                occupied |= SquareSet::of(square);
                pieces[count / 2] |= (piece.code() as u8) << (count % 2 * 4);
                count += 1;
            }
        }
        Self { occupied, pieces, state: *board.state() }
    }

    /// Makes a board be in this position, whatever it was in. It must have the keys of the board that this was taken of.
    pub fn rebuild<B: Board>(&self, board: &mut B) {
        board.clear();
        for (i, square) in self.occupied.enumerate() {
            let code = self.pieces[i / 2] >> (i % 2 * 4) & 15;
            if let Some(piece) = Piece::from_code(code) {
                board.put(piece, square);
            }
        }
        *board.state_mut() = self.state;
    }
}
