//! A move in 21 bits, and a list of moves that lives on the stack.
//!
//! The layout is the one of the 2004 thesis: from, to, moving piece, captured piece, promotion, from the low bits up.
//! The three promotion bits have four values to spare; they tell the special moves apart, so that a move needs no
//! second look at the board to be made or taken back.

use std::fmt;
use std::mem::MaybeUninit;
use std::num::NonZeroU32;
use std::ops::{Deref, DerefMut};

use super::PieceKind::{self, *};
use super::{Color, Square};

/// Kind of move: what making it does besides moving a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum MoveKind {
    /// A piece moves to its target and captures what stands there.
    Plain,
    /// En passant capture: the captured pawn stands beside the origin, not on the target.
    EnPassant,
    PromoteToKnight,
    PromoteToBishop,
    PromoteToRook,
    PromoteToQueen,
    /// Castling, written as the king's move; the rook follows.
    Castling,
    /// Double step of a pawn.
    DoublePush,
}

impl MoveKind {
    /// Promotions, in the order in which they are generated.
    pub(super) const PROMOTIONS: [Self; 4] =
        [Self::PromoteToQueen, Self::PromoteToRook, Self::PromoteToBishop, Self::PromoteToKnight];
}

/// A move. It knows the moving and the captured piece, so that taking it back needs no record of them.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub struct Move(NonZeroU32);

const TO: u32 = 6;
const PIECE: u32 = 12;
const CAPTURED: u32 = 15;
const KIND: u32 = 18;

impl Move {
    /// Number of bits that a move needs.
    pub const BITS: u32 = 21;

    /// A move from its parts. The parts are trusted to belong together.
    #[inline(always)]
    pub(super) const fn new(
        kind: PieceKind,
        from: Square,
        to: Square,
        captured: Option<PieceKind>,
        move_kind: MoveKind,
    ) -> Self {
        let captured = match captured {
            None => 0,
            Some(kind) => kind.code(),
        };
        let bits = from as u32
            | (to as u32) << TO
            | (kind.code() as u32) << PIECE
            | (captured as u32) << CAPTURED
            | (move_kind as u32) << KIND;
        // A piece's code is never 0, so neither are the bits.
        match NonZeroU32::new(bits) {
            Some(bits) => Self(bits),
            None => unreachable!(),
        }
    }

    /// An en passant capture.
    #[inline(always)]
    pub(super) const fn en_passant(from: Square, to: Square) -> Self {
        Self::new(Pawn, from, to, Some(Pawn), MoveKind::EnPassant)
    }

    /// The move as 21 bits, as a transposition table keeps it. Never 0.
    #[inline(always)]
    pub const fn bits(self) -> u32 {
        self.0.get()
    }

    /// Origin and target of a move with these bits.
    #[inline(always)]
    pub(super) const fn squares_of_bits(bits: u32) -> (Square, Square) {
        (Square::wrapping(bits as usize), Square::wrapping((bits >> TO) as usize))
    }

    /// Whether a move with these bits castles, captures en passant or promotes.
    #[inline(always)]
    pub(super) const fn is_special_in_bits(bits: u32) -> bool {
        let kind = bits >> KIND & 7;
        kind != MoveKind::Plain as u32 && kind != MoveKind::DoublePush as u32
    }

    /// Square that the piece leaves.
    #[inline(always)]
    pub const fn from(self) -> Square {
        Square::wrapping(self.bits() as usize)
    }

    /// Square that the piece moves to.
    #[inline(always)]
    pub const fn to(self) -> Square {
        Square::wrapping((self.bits() >> TO) as usize)
    }

    /// Kind of the moving piece; for a promotion, the pawn.
    #[inline(always)]
    pub const fn piece(self) -> PieceKind {
        // SAFETY: `new` is the only constructor, and it stores a kind's code in these three bits.
        unsafe { std::mem::transmute::<u8, PieceKind>((self.bits() >> PIECE & 7) as u8) }
    }

    /// Kind of the captured piece.
    #[inline(always)]
    pub const fn captured(self) -> Option<PieceKind> {
        PieceKind::from_code((self.bits() >> CAPTURED & 7) as u8)
    }

    /// Kind of the move.
    #[inline(always)]
    pub const fn kind(self) -> MoveKind {
        // SAFETY: three bits, and the enumeration has eight values.
        unsafe { std::mem::transmute::<u8, MoveKind>((self.bits() >> KIND & 7) as u8) }
    }

    /// Kind of piece that a pawn is promoted to.
    #[inline(always)]
    pub const fn promoted(self) -> Option<PieceKind> {
        match self.kind() {
            MoveKind::PromoteToKnight => Some(Knight),
            MoveKind::PromoteToBishop => Some(Bishop),
            MoveKind::PromoteToRook => Some(Rook),
            MoveKind::PromoteToQueen => Some(Queen),
            MoveKind::Plain | MoveKind::EnPassant | MoveKind::Castling | MoveKind::DoublePush => None,
        }
    }

    /// Whether the move is a capture.
    #[inline(always)]
    pub const fn is_capture(self) -> bool {
        self.bits() >> CAPTURED & 7 != 0
    }

    /// Whether the move is neither a capture nor a promotion.
    #[inline(always)]
    pub const fn is_quiet(self) -> bool {
        !self.is_capture() && self.promoted().is_none()
    }

    /// Square of the captured piece: beside the target for an en passant capture, else the target.
    #[inline(always)]
    pub const fn victim_square(self) -> Square {
        match self.kind() {
            MoveKind::EnPassant => Square::wrapping(self.to().index() ^ 8),
            _ => self.to(),
        }
    }
}

/// Coordinate notation as in the UCI protocol: `e2e4`, `e7e8q`, castling as the king's move.
impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from(), self.to())?;
        match self.promoted() {
            Some(kind) => write!(f, "{}", kind.letter().to_ascii_lowercase()),
            None => Ok(()),
        }
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The square behind a pawn that has just made a double step.
#[inline(always)]
pub(super) const fn behind(pawn: Square, color: Color) -> Square {
    match color {
        Color::White => Square::wrapping(pawn.index() - 8),
        Color::Black => Square::wrapping(pawn.index() + 8),
    }
}

/// A list of moves of fixed capacity. It is not cleared when made, so making one costs nothing.
pub struct MoveList {
    length: usize,
    moves: [MaybeUninit<Move>; MoveList::CAPACITY],
}

impl MoveList {
    /// Upper bound of the number of moves in a position. A side has at most 16 pieces, of which 9 may be queens: king 8
    /// + 2, queens 9 x 27, rooks 2 x 14, bishops 2 x 13, knights 2 x 8 make 323.
    pub const CAPACITY: usize = 324;

    /// An empty list.
    #[inline(always)]
    pub const fn new() -> Self {
        Self { length: 0, moves: [const { MaybeUninit::uninit() }; Self::CAPACITY] }
    }

    /// Appends a move.
    ///
    /// # Panics
    /// If the list is full, which generated moves cannot bring about.
    #[inline(always)]
    pub fn push(&mut self, mv: Move) {
        self.moves[self.length] = MaybeUninit::new(mv);
        self.length += 1;
    }

    /// Keeps those moves only of which this is true, in their order.
    #[inline(always)]
    pub fn retain(&mut self, mut is_kept: impl FnMut(Move) -> bool) {
        let mut kept = 0;
        for place in 0..self.length {
            let mv = self[place];
            if is_kept(mv) {
                self.moves[kept] = MaybeUninit::new(mv);
                kept += 1;
            }
        }
        self.length = kept;
    }

    /// Empties the list.
    #[inline(always)]
    pub fn clear(&mut self) {
        self.length = 0;
    }
}

impl Default for MoveList {
    fn default() -> Self {
        Self::new()
    }
}

impl Deref for MoveList {
    type Target = [Move];

    #[inline(always)]
    fn deref(&self) -> &[Move] {
        // SAFETY: the first `length` elements have been written, and `Move` has the layout of `MaybeUninit<Move>`.
        unsafe { std::slice::from_raw_parts(self.moves.as_ptr().cast(), self.length) }
    }
}

impl DerefMut for MoveList {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [Move] {
        // SAFETY: as for `deref`.
        unsafe { std::slice::from_raw_parts_mut(self.moves.as_mut_ptr().cast(), self.length) }
    }
}

impl<'a> IntoIterator for &'a MoveList {
    type Item = &'a Move;
    type IntoIter = std::slice::Iter<'a, Move>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl fmt::Debug for MoveList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}
