//! Material and piece squares: the whole evaluation of the 2004 thesis.
//!
//! It is a sum over pieces, so what a move changes can be added to what was. The printed program added up all pieces
//! anew for each evaluation.

mod squares;

use super::Evaluation;
use crate::chess::PieceKind::{self, King};
use crate::chess::{Board, Color, Piece, Score, Square, see};

/// Evaluation by material and piece squares.
pub struct Thesis;

/// Sums of material and of squares over all pieces, White's minus Black's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Balance {
    material: i32,
    squares: i32,
}

/// Share of each piece on each square in the sums, by the piece's code; Black's are negative.
static SHARES: [[Balance; Square::COUNT]; 16] = {
    let mut table = [[Balance { material: 0, squares: 0 }; Square::COUNT]; 16];
    let mut kind = 0;
    while kind < PieceKind::ALL.len() {
        let mut i = 0;
        while i < Square::COUNT {
            let (piece, square) = (PieceKind::ALL[kind], Square::wrapping(i));
            // Kings are never exchanged, and each side has one.
            let material = if matches!(piece, King) { 0 } else { see::value(piece).0 };
            let (white, black) = (squares::gain(piece, square), squares::gain(piece, square.flipped()));
            table[Piece::new(Color::White, piece).code()][i] = Balance { material, squares: white };
            table[Piece::new(Color::Black, piece).code()][i] = Balance { material: -material, squares: -black };
            i += 1;
        }
        kind += 1;
    }
    table
};

impl Evaluation for Thesis {
    type State = Balance;
    type Cache = ();

    const IS_INLINED: bool = true;

    #[inline(always)]
    fn change(sum: &mut Balance, piece: Piece, square: Square, count: i32) {
        let share = SHARES[piece.code()][square.index()];
        sum.material += share.material * count;
        sum.squares += share.squares * count;
    }

    #[inline(always)]
    fn material(sum: Balance, color: Color) -> Score {
        seen_by(color, sum.material)
    }

    #[inline(always)]
    fn score<B: Board>(sum: Balance, _: &mut (), board: &B) -> Score {
        seen_by(board.turn(), sum.material + sum.squares)
    }
}

#[inline(always)]
fn seen_by(color: Color, white: i32) -> Score {
    Score(if color == Color::White { white } else { -white })
}
