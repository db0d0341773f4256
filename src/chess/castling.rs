//! The four castling rights, and the squares that castling needs.

use std::fmt;

use super::board::Board;
use super::moves::{Manner, Move};
use super::{Color, PieceKind::King, Square, SquareSet};
use Square::*;

/// Which of the four castlings are still allowed.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub struct CastlingRights(u8);

/// One way of castling: where king and rook stand and go, and what must be empty and safe.
#[derive(Debug)]
pub struct Castling {
    /// Whose it is.
    pub color: Color,
    /// The king's home square.
    pub king_from: Square,
    /// Where the king goes.
    pub king_to: Square,
    /// The rook's home square.
    pub rook_from: Square,
    /// Where the rook goes.
    pub rook_to: Square,
    /// The squares between king and rook, which must be empty.
    pub empty: SquareSet,
    /// The king's way with both ends, which must not be attacked.
    pub king_way: [Square; 3],
    /// The letter of FEN.
    pub letter: char,
}

/// The four ways of castling, in the order of FEN and of the bits of [`CastlingRights`].
pub static CASTLINGS: [Castling; 4] = [
    Castling::new('K', Color::White, [E1, F1, G1], H1, SquareSet::of(F1).with(G1)),
    Castling::new('Q', Color::White, [E1, D1, C1], A1, SquareSet::of(B1).with(C1).with(D1)),
    Castling::new('k', Color::Black, [E8, F8, G8], H8, SquareSet::of(F8).with(G8)),
    Castling::new('q', Color::Black, [E8, D8, C8], A8, SquareSet::of(B8).with(C8).with(D8)),
];

impl Castling {
    const fn new(letter: char, color: Color, king_way: [Square; 3], rook_from: Square, empty: SquareSet) -> Self {
        let [king_from, rook_to, king_to] = king_way;
        Self { color, king_from, king_to, rook_from, rook_to, empty, king_way, letter }
    }
}

/// The rook's way in the castling whose king goes to this square.
#[inline(always)]
pub fn rook_way(king_to: Square) -> (Square, Square) {
    let castling = match king_to {
        Square::G1 => &CASTLINGS[0],
        Square::C1 => &CASTLINGS[1],
        Square::G8 => &CASTLINGS[2],
        _ => &CASTLINGS[3],
    };
    (castling.rook_from, castling.rook_to)
}

/// For each square, the rights that outlive a move from or to it.
static OUTLIVE: [u8; 64] = {
    let mut table = [0b1111; 64];
    let mut i = 0;
    while i < 4 {
        table[CASTLINGS[i].king_from as usize] &= !(1 << i);
        table[CASTLINGS[i].rook_from as usize] &= !(1 << i);
        i += 1;
    }
    table
};

/// Gives out the legal castling moves of the side to move. `is_clear` tells whether the squares
/// between king and rook are empty.
#[inline(always)]
pub(super) fn castling_moves<B: Board>(board: &B, is_clear: impl Fn(&Castling) -> bool, mut emit: impl FnMut(Move)) {
    let us = board.turn();
    for i in CastlingRights::of(us) {
        let castling = &CASTLINGS[i];
        if board.state().castling().has(i)
            && is_clear(castling)
            && !castling.king_way.iter().any(|square| board.is_attacked(*square, !us))
        {
            emit(Move::new(King, castling.king_from, castling.king_to, None, Manner::Castling));
        }
    }
}

impl CastlingRights {
    /// No castling for anyone.
    pub const NONE: Self = Self(0);

    /// The rights with this number, counted modulo 16.
    #[inline(always)]
    pub(super) const fn from_index(index: usize) -> Self {
        Self((index & 15) as u8)
    }

    /// All four bits as a number below 16.
    #[inline(always)]
    pub const fn index(self) -> usize {
        (self.0 & 15) as usize
    }

    /// Whether the way of castling with this index in [`CASTLINGS`] is still allowed.
    #[inline(always)]
    pub const fn has(self, castling: usize) -> bool {
        self.0 >> castling & 1 == 1
    }

    /// With the way of castling with this index in [`CASTLINGS`] allowed.
    #[must_use]
    pub const fn with(self, castling: usize) -> Self {
        Self(self.0 | 1 << castling)
    }

    /// What is left after a move between these squares.
    #[inline(always)]
    #[must_use]
    pub fn after(self, from: Square, to: Square) -> Self {
        Self(self.0 & OUTLIVE[from.index()] & OUTLIVE[to.index()])
    }

    /// The indices in [`CASTLINGS`] of one side's two ways, king's side first.
    #[inline(always)]
    pub const fn of(color: Color) -> [usize; 2] {
        match color {
            Color::White => [0, 1],
            Color::Black => [2, 3],
        }
    }

    /// With the colours exchanged.
    #[must_use]
    pub const fn flipped(self) -> Self {
        Self((self.0 >> 2) | (self.0 << 2 & 15))
    }
}

/// As in FEN: `KQkq`, or `-` for none.
impl fmt::Display for CastlingRights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Self::NONE {
            return write!(f, "-");
        }
        CASTLINGS
            .iter()
            .enumerate()
            .filter(|(i, _)| self.has(*i))
            .try_for_each(|(_, castling)| write!(f, "{}", castling.letter))
    }
}

impl fmt::Debug for CastlingRights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
