//! A legal position, independent of any board: pieces, side to move, castling rights, en passant square, counters.
//!
//! Every `Setup` has passed [`Setup::new`], so a board that is set up from one need not doubt it: there is one king a
//! side, the side that is not to move is not in check, and no side has more pieces than promotions can explain.

use std::ops::Deref;

use super::castling::{CASTLINGS, CastlingRights};
use super::geometry::{self, BISHOP_STEPS, ROOK_STEPS, slide};
use super::moves::behind;
use super::{Color, Piece, PieceKind, PieceKind::*, Square, SquareSet};

/// Legal position. See the [module](self) for what that promises.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Setup(Parts);

impl Deref for Setup {
    type Target = Parts;

    fn deref(&self) -> &Parts {
        &self.0
    }
}

/// Reasons why a position is not legal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum IllegalPosition {
    /// A side has no king.
    #[error("{} has no king", .0.name())]
    NoKing(Color),
    /// A side has several kings.
    #[error("{} has {} kings", .0.name(), .1)]
    SeveralKings(Color, u32),
    /// A pawn on the first or last rank.
    #[error("there is a pawn on {0}, on the first or last rank")]
    PawnOnLastRank(Square),
    /// More than 16 pieces, more than 8 pawns, or more pieces of a kind than the missing pawns can have become.
    #[error("{} has more {}s than promotions can explain", .0.name(), .1.name())]
    TooMany(Color, PieceKind),
    /// The side that has just moved is in check.
    #[error("{} is in check, but {} is to move", .0.name(), (!*.0).name())]
    OpponentInCheck(Color),
    /// Castling right without king or rook at home.
    #[error("castling right {0}: there is no {1:?} on {2}")]
    Castling(char, Piece, Square),
    /// En passant square that no double step can have passed.
    #[error("en passant square {0}: {1}")]
    EnPassant(Square, &'static str),
    /// Halfmove clock that no game reaches.
    #[error("halfmove clock {0}: a game ends at {MAX_HALFMOVE_CLOCK} (the 75-move rule)")]
    HalfmoveClock(u32),
    /// Move number out of range.
    #[error("move number {0}: expected 1 to {MAX_FULLMOVE}")]
    Fullmove(u32),
}

/// Halfmove clock at which the 75-move rule ends a game.
pub const MAX_HALFMOVE_CLOCK: u32 = 150;
/// Bound of the move number: the 75-move rule leaves at most 8848 moves.
pub const MAX_FULLMOVE: u32 = 9999;

/// Parts of a position, not checked yet.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Parts {
    /// Piece on each square.
    pub pieces: [Option<Piece>; 64],
    /// Side to move.
    pub turn: Color,
    /// Castling rights.
    pub castling: CastlingRights,
    /// Square that a pawn has just passed with a double step.
    pub en_passant: Option<Square>,
    /// Plies since the last capture or pawn move.
    pub halfmove_clock: u32,
    /// Move number, 1 at the start of the game.
    pub fullmove: u32,
}

impl Setup {
    /// Checks that the parts make a legal position.
    pub fn new(parts: Parts) -> Result<Self, IllegalPosition> {
        check_men(&parts)?;
        check_castling(&parts)?;
        if is_attacked(&parts.pieces, king_square(&parts.pieces, !parts.turn), parts.turn) {
            return Err(IllegalPosition::OpponentInCheck(!parts.turn));
        }
        if let Some(square) = parts.en_passant {
            check_en_passant(&parts, square).map_err(|why| IllegalPosition::EnPassant(square, why))?;
        }
        if parts.halfmove_clock > MAX_HALFMOVE_CLOCK {
            return Err(IllegalPosition::HalfmoveClock(parts.halfmove_clock));
        }
        if !(1..=MAX_FULLMOVE).contains(&parts.fullmove) {
            return Err(IllegalPosition::Fullmove(parts.fullmove));
        }
        Ok(Self::trusted(parts))
    }

    /// Position that a board was in, and that is therefore legal.
    pub(super) fn trusted(parts: Parts) -> Self {
        Self(parts)
    }

    /// Piece on this square.
    pub fn piece_on(&self, square: Square) -> Option<Piece> {
        self.pieces[square.index()]
    }

    /// All pieces with their squares, `a1` first.
    pub fn pieces(&self) -> impl Iterator<Item = (Square, Piece)> + '_ {
        Square::all().filter_map(|square| Some((square, self.piece_on(square)?)))
    }
}

fn check_men(parts: &Parts) -> Result<(), IllegalPosition> {
    for color in Color::ALL {
        let of = |kind| squares_of(&parts.pieces, Piece::new(color, kind));
        match of(King).len() {
            0 => return Err(IllegalPosition::NoKing(color)),
            1 => {}
            several => return Err(IllegalPosition::SeveralKings(color, several)),
        }
        if let Some(square) = (of(Pawn) & (SquareSet::rank(0) | SquareSet::rank(7))).first() {
            return Err(IllegalPosition::PawnOnLastRank(square));
        }
        if of(Pawn).len() > 8 {
            return Err(IllegalPosition::TooMany(color, Pawn));
        }
        let light = (of(Bishop) & SquareSet::LIGHT).len();
        let dark = (of(Bishop) - SquareSet::LIGHT).len();
        let mut pawns_gone = 8 - of(Pawn).len();
        let promoted = [
            (Bishop, light.saturating_sub(1) + dark.saturating_sub(1)),
            (Knight, of(Knight).len().saturating_sub(2)),
            (Rook, of(Rook).len().saturating_sub(2)),
            (Queen, of(Queen).len().saturating_sub(1)),
        ];
        for (kind, count) in promoted {
            pawns_gone = pawns_gone.checked_sub(count).ok_or(IllegalPosition::TooMany(color, kind))?;
        }
    }
    Ok(())
}

fn check_castling(parts: &Parts) -> Result<(), IllegalPosition> {
    for (_, castling) in CASTLINGS.iter().enumerate().filter(|(i, _)| parts.castling.has(*i)) {
        for (kind, square) in [(King, castling.king_from), (Rook, castling.rook_from)] {
            let piece = Piece::new(castling.color, kind);
            if parts.pieces[square.index()] != Some(piece) {
                return Err(IllegalPosition::Castling(castling.letter, piece, square));
            }
        }
    }
    Ok(())
}

fn check_en_passant(parts: &Parts, square: Square) -> Result<(), &'static str> {
    let mover = !parts.turn;
    if square.rank() != mover.rank(2) {
        return Err("it is on the wrong rank for the side to move");
    }
    let (pawn, origin) = (behind(square, parts.turn), behind(square, mover));
    if parts.pieces[pawn.index()] != Some(Piece::new(mover, Pawn)) {
        return Err("there is no pawn in front of it that could have made a double step");
    }
    if parts.pieces[square.index()].is_some() || parts.pieces[origin.index()].is_some() {
        return Err("the squares of the double step are not empty");
    }
    let mut before = parts.pieces;
    before.swap(pawn.index(), origin.index());
    if is_attacked(&before, king_square(&before, parts.turn), mover) {
        return Err("the check against the side to move cannot result from a double step");
    }
    Ok(())
}

fn squares_of(pieces: &[Option<Piece>; 64], piece: Piece) -> SquareSet {
    Square::all().filter(|square| pieces[square.index()] == Some(piece)).collect()
}

fn king_square(pieces: &[Option<Piece>; 64], color: Color) -> Square {
    squares_of(pieces, Piece::new(color, King)).first().expect("the kings were counted before")
}

fn is_attacked(pieces: &[Option<Piece>; 64], target: Square, by: Color) -> bool {
    let occupied = Square::all().filter(|square| pieces[square.index()].is_some()).collect();
    let of = |kind| squares_of(pieces, Piece::new(by, kind));
    let attackers = (geometry::pawn(!by, target) & of(Pawn))
        | (geometry::knight(target) & of(Knight))
        | (geometry::king(target) & of(King))
        | (slide(target, &BISHOP_STEPS, occupied) & (of(Bishop) | of(Queen)))
        | (slide(target, &ROOK_STEPS, occupied) & (of(Rook) | of(Queen)));
    !attackers.is_empty()
}
