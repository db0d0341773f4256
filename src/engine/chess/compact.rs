//! A position in 40 bytes: the occupied squares, the pieces on them, and the state. Any board can be rebuilt from it,
//! and no handover of a position to another thread copies less.

use super::board::Board;
use super::state::State;
use super::{Piece, Square, SquareSet};

/// Most pieces that a legal position has.
const MOST_PIECES: usize = 32;

/// Position in 40 bytes: pieces and state.
///
/// ```
/// use splitpoint_engine::chess::bitboards::{Bitboards, sliders::Magic};
/// use splitpoint_engine::chess::mailbox::Mailbox;
/// use splitpoint_engine::chess::{Board, Compact, Keys, Setup};
///
/// let keys = Keys::of_seed(0);
/// let mut mailbox = Mailbox::set_up(&Setup::start(), keys).unwrap();
/// let endgame: Setup = "8/8/4k3/8/8/3QK3/8/8 w - - 0 1".parse().unwrap();
/// let bitboards = <Bitboards<Magic>>::set_up(&endgame, keys).unwrap();
///
/// Compact::of(&bitboards).rebuild(&mut mailbox);
/// assert_eq!((mailbox.setup(), mailbox.key()), (endgame, bitboards.key()));
/// assert_eq!(size_of::<Compact>(), 40);
/// ```
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

    /// Sets a board to this position. It must have the same [`Keys`](super::Keys) as the board that the position is
    /// from.
    pub fn rebuild<B: Board>(&self, board: &mut B) {
        board.clear();
        for (i, square) in self.occupied.enumerate() {
            let code = self.pieces[i / 2] >> (i % 2 * 4) & 15;
            if let Some(piece) = Piece::from_code(code) {
                board.put(piece, square);
            }
        }
        board.settle();
        *board.state_mut() = self.state;
    }
}
