//! Material and squares of both sides against each other: the whole evaluation of the 2004 thesis.
//!
//! It is a sum over pieces, so what a move changes can be added to what was. The thesis added up all pieces anew each time,
//! [`evaluate`]; [`Balance::after`] gives the same number for the price of a few table reads, and knows nothing of boards.

use super::squares;
use crate::chess::PieceKind::{self, King, Rook};
use crate::chess::{Board, Color, Move, MoveKind, Piece, Score, Square, castling, see};

/// Both sums from White's view.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Balance {
    material: i32,
    squares: i32,
}

/// What each piece adds on each square, by the piece's code; Black's are negative.
static SHARES: [[Balance; Square::COUNT]; 16] = {
    let mut table = [[Balance { material: 0, squares: 0 }; Square::COUNT]; 16];
    let mut kind = 0;
    while kind < PieceKind::ALL.len() {
        let mut i = 0;
        while i < Square::COUNT {
            let (piece, square) = (PieceKind::ALL[kind], Square::wrapping(i));
            let (material, white, black) =
                (value(piece).0, squares::gain(piece, square), squares::gain(piece, square.flipped()));
            table[Piece::new(Color::White, piece).code()][i] = Balance { material, squares: white };
            table[Piece::new(Color::Black, piece).code()][i] = Balance { material: -material, squares: -black };
            i += 1;
        }
        kind += 1;
    }
    table
};

/// What a piece is worth by itself; kings are never exchanged and count nothing.
pub const fn value(kind: PieceKind) -> Score {
    match kind {
        King => Score(0),
        other => see::value(other),
    }
}

/// What the position is worth to the side to move, added up from nothing.
#[inline]
pub fn evaluate<B: Board>(board: &B) -> Score {
    Balance::of(board).score(board.turn())
}

impl Balance {
    /// Of this position, added up from nothing.
    #[inline]
    pub fn of<B: Board>(board: &B) -> Self {
        let mut sum = Self::default();
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

    /// After a move of this side.
    #[inline(always)]
    #[must_use]
    pub fn after(mut self, mv: Move, us: Color) -> Self {
        let piece = Piece::new(us, mv.piece());
        self.remove(piece, mv.from());
        if let Some(kind) = mv.captured() {
            self.remove(Piece::new(!us, kind), mv.victim_square());
        }
        match mv.promoted() {
            Some(kind) => self.add(Piece::new(us, kind), mv.to()),
            None => self.add(piece, mv.to()),
        }
        if mv.kind() == MoveKind::Castling {
            let (from, to) = castling::rook_way(mv.to());
            self.remove(Piece::new(us, Rook), from);
            self.add(Piece::new(us, Rook), to);
        }
        self
    }

    /// What this side has more than the other in material alone.
    #[inline(always)]
    pub fn material(self, color: Color) -> Score {
        seen_by(color, self.material)
    }

    /// What the position is worth to this side.
    #[inline(always)]
    pub fn score(self, color: Color) -> Score {
        seen_by(color, self.material + self.squares)
    }

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
    match color {
        Color::White => Score(white),
        Color::Black => Score(-white),
    }
}
