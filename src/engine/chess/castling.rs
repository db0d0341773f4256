//! The four castling rights, and the squares that castling needs.

use std::fmt;

use super::{Color, Square, SquareSet};
use Square::*;

/// Set of the four castlings that are still allowed.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub struct CastlingRights(u8);

/// Castling of one side to one side: the squares of king and rook, and those that must be empty or safe.
#[derive(Debug)]
pub struct Castling {
    /// Side that castles.
    pub color: Color,
    /// Home square of the king.
    pub king_from: Square,
    /// Target of the king.
    pub king_to: Square,
    /// Home square of the rook.
    pub rook_from: Square,
    /// Target of the rook.
    pub rook_to: Square,
    /// Squares between king and rook, which must be empty.
    pub empty: SquareSet,
    /// Squares of the king's way, both ends included, which must not be attacked.
    pub king_way: [Square; 3],
    /// FEN letter.
    pub letter: char,
}

/// The four castlings, in the order of FEN and of the bits of [`CastlingRights`].
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

/// Origin and target of the rook in the castling whose king goes to this square.
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

/// For each square, the rights that are left after a move from or to it.
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

impl CastlingRights {
    /// No castling for anyone.
    pub const NONE: Self = Self(0);

    /// Rights with this index, modulo 16.
    #[inline(always)]
    pub(super) const fn from_index(index: usize) -> Self {
        Self((index & 15) as u8)
    }

    /// Index of the rights, below 16.
    #[inline(always)]
    pub const fn index(self) -> usize {
        (self.0 & 15) as usize
    }

    /// Whether the castling with this index in [`CASTLINGS`] is still allowed.
    #[inline(always)]
    pub const fn has(self, castling: usize) -> bool {
        self.0 >> castling & 1 == 1
    }

    /// The rights with the castling of this index in [`CASTLINGS`] as well.
    #[must_use]
    pub const fn with(self, castling: usize) -> Self {
        Self(self.0 | 1 << castling)
    }

    /// The rights with those of the two sides exchanged.
    #[must_use]
    pub const fn exchanged(self) -> Self {
        Self((self.0 >> 2 | self.0 << 2) & 15)
    }

    /// Rights that are left after a move between these squares.
    #[inline(always)]
    #[must_use]
    pub fn after(self, from: Square, to: Square) -> Self {
        Self(self.0 & OUTLIVE[from.index()] & OUTLIVE[to.index()])
    }

    /// Indices in [`CASTLINGS`] of one side's castlings, king's side first.
    #[inline(always)]
    pub const fn of(color: Color) -> [usize; 2] {
        match color {
            Color::White => [0, 1],
            Color::Black => [2, 3],
        }
    }
}

/// Castling rights as FEN writes them: `KQkq`, or `-` for none.
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
