//! Material and piece squares: the whole evaluation of the 2004 thesis.
//!
//! It is a sum over pieces, so what a move changes can be added to what was. The printed program added up all pieces
//! anew for each evaluation.

mod squares;

use super::Evaluation;
use crate::chess::PieceKind::{self, King, Rook};
use crate::chess::{Board, Color, Move, MoveKind, Piece, Score, Square, castling, see};

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

    #[inline]
    fn from_scratch<B: Board>(board: &B) -> Balance {
        let mut sum = Balance::default();
        for color in Color::ALL {
            for kind in PieceKind::ALL {
                let piece = Piece::new(color, kind);
                for square in board.squares_of(piece) {
                    sum.add(piece, square);
                }
            }
        }
        sum
    }

    #[inline(always)]
    fn after<B: Board>(mut sum: Balance, board: &B, mv: Move) -> Balance {
        let us = board.turn();
        let piece = Piece::new(us, mv.piece());
        sum.remove(piece, mv.from());
        if let Some(kind) = mv.captured() {
            sum.remove(Piece::new(!us, kind), mv.victim_square());
        }
        match mv.promoted() {
            Some(kind) => sum.add(Piece::new(us, kind), mv.to()),
            None => sum.add(piece, mv.to()),
        }
        if mv.kind() == MoveKind::Castling {
            let (from, to) = castling::rook_way(mv.to());
            sum.remove(Piece::new(us, Rook), from);
            sum.add(Piece::new(us, Rook), to);
        }
        sum
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

impl Balance {
    #[inline(always)]
    fn add(&mut self, piece: Piece, square: Square) {
        let share = SHARES[piece.code()][square.index()];
        self.material += share.material;
        self.squares += share.squares;
    }

    #[inline(always)]
    fn remove(&mut self, piece: Piece, square: Square) {
        let share = SHARES[piece.code()][square.index()];
        self.material -= share.material;
        self.squares -= share.squares;
    }
}

#[inline(always)]
fn seen_by(color: Color, white: i32) -> Score {
    Score(if color == Color::White { white } else { -white })
}
