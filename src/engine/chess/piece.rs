//! Colours, kinds of pieces, and pieces, which are both together in one byte.

use std::num::NonZeroU8;

pub use splitpoint_base::color::Color;

/// Kind of piece, in the order of value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum PieceKind {
    Pawn = 1,
    Knight,
    Bishop,
    Rook,
    Queen,
    King,
}

use PieceKind::*;

impl PieceKind {
    /// All kinds, in the order of value.
    pub const ALL: [Self; 6] = [Pawn, Knight, Bishop, Rook, Queen, King];

    /// Index of the kind: 0 for the pawn, 5 for the king.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self as usize - 1
    }

    /// The number that stands for the kind in a packed move or piece: 1 for the pawn, 6 for the king.
    #[inline(always)]
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// The kind with this code; `None` for every other number.
    #[inline(always)]
    pub const fn from_code(code: u8) -> Option<Self> {
        match code {
            1 => Some(Pawn),
            2 => Some(Knight),
            3 => Some(Bishop),
            4 => Some(Rook),
            5 => Some(Queen),
            6 => Some(King),
            _ => None,
        }
    }

    /// The capital letter of FEN and SAN.
    pub const fn letter(self) -> char {
        ['P', 'N', 'B', 'R', 'Q', 'K'][self.index()]
    }

    /// The kind with this capital letter.
    pub fn from_letter(letter: char) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.letter() == letter)
    }

    /// English name, in lower case.
    pub const fn name(self) -> &'static str {
        ["pawn", "knight", "bishop", "rook", "queen", "king"][self.index()]
    }
}

/// A piece: a colour and a kind. `Option<Piece>` is one byte, and 0 is `None`.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub struct Piece(NonZeroU8);

const COLOR_BIT: u32 = 3;

impl Piece {
    /// The piece of this colour and kind.
    #[inline(always)]
    pub const fn new(color: Color, kind: PieceKind) -> Self {
        // A kind's code is never 0, so neither is the sum.
        match NonZeroU8::new(kind.code() | (color as u8) << COLOR_BIT) {
            Some(code) => Self(code),
            None => unreachable!(),
        }
    }

    /// All twelve pieces, White's first.
    pub fn all() -> impl Iterator<Item = Self> {
        Color::ALL.into_iter().flat_map(|color| PieceKind::ALL.map(|kind| Self::new(color, kind)))
    }

    /// Colour of the piece.
    #[inline(always)]
    pub const fn color(self) -> Color {
        if self.0.get() >> COLOR_BIT == 0 { Color::White } else { Color::Black }
    }

    /// Kind of the piece.
    #[inline(always)]
    pub const fn kind(self) -> PieceKind {
        // SAFETY: `new` is the only constructor, and it stores a kind's code in these three bits.
        unsafe { std::mem::transmute::<u8, PieceKind>(self.0.get() & 7) }
    }

    /// Index below 16 for tables by piece.
    #[inline(always)]
    pub const fn code(self) -> usize {
        (self.0.get() & 15) as usize
    }

    /// The piece with this code; `None` for every other number.
    #[inline(always)]
    pub const fn from_code(code: u8) -> Option<Self> {
        let color = if code >> COLOR_BIT == 0 { Color::White } else { Color::Black };
        match PieceKind::from_code(code & 7) {
            Some(kind) if code < 16 => Some(Self::new(color, kind)),
            _ => None,
        }
    }

    /// FEN letter: a capital for White.
    pub const fn letter(self) -> char {
        match self.color() {
            Color::White => self.kind().letter(),
            Color::Black => self.kind().letter().to_ascii_lowercase(),
        }
    }

    /// The piece with this FEN letter.
    pub fn from_letter(letter: char) -> Option<Self> {
        let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        Some(Self::new(color, PieceKind::from_letter(letter.to_ascii_uppercase())?))
    }
}

impl std::fmt::Debug for Piece {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.letter())
    }
}
