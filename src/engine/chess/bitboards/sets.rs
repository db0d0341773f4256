//! The sets of squares, and what is asked of them.

use super::sliders::Sliders;
use crate::chess::geometry;
use crate::chess::state::State;
use crate::chess::zobrist::Keys;
use crate::chess::{Color, Piece, PieceKind, PieceKind::*, Square, SquareSet};

/// Bitboards whose bishops and rooks slide by the method `S`.
#[derive(Clone, Debug)]
pub struct Bitboards<S: Sliders> {
    pub(super) kinds: [SquareSet; 6],
    pub(super) colors: [SquareSet; 2],
    pub(super) kept: S::Kept,
    pub(super) squares: [Option<Piece>; 64],
    pub(super) state: State,
    pub(super) keys: &'static Keys,
    pub(super) sliders: S,
}

impl<S: Sliders> Bitboards<S> {
    #[inline(always)]
    pub(super) fn kind(&self, kind: PieceKind) -> SquareSet {
        self.kinds[kind.index()]
    }

    #[inline(always)]
    pub(super) fn color(&self, color: Color) -> SquareSet {
        self.colors[color.index()]
    }

    #[inline(always)]
    pub(super) fn set(&self, color: Color, kind: PieceKind) -> SquareSet {
        self.color(color) & self.kind(kind)
    }

    #[inline(always)]
    pub(super) fn all(&self) -> SquareSet {
        self.colors[0] | self.colors[1]
    }

    #[inline(always)]
    pub(super) fn occupied(&self) -> S::Occupied {
        S::occupied(self.all(), self.kept)
    }

    #[inline(always)]
    pub(super) fn diagonal_sliders(&self) -> SquareSet {
        self.kind(Bishop) | self.kind(Queen)
    }

    #[inline(always)]
    pub(super) fn straight_sliders(&self) -> SquareSet {
        self.kind(Rook) | self.kind(Queen)
    }

    /// Squares that a piece other than a pawn attacks.
    #[inline(always)]
    pub(super) fn reach(&self, kind: PieceKind, from: Square, occupied: S::Occupied) -> SquareSet {
        match kind {
            Knight => geometry::knight(from),
            Bishop => self.sliders.bishop(from, occupied),
            Rook => self.sliders.rook(from, occupied),
            Queen => self.sliders.bishop(from, occupied) | self.sliders.rook(from, occupied),
            King | Pawn => geometry::king(from),
        }
    }

    /// The knights and kings of both sides, and the pawns of the side `by`, that attack a square.
    #[inline(always)]
    pub(super) fn leapers(&self, target: Square, by: Color) -> SquareSet {
        (geometry::pawn(!by, target) & self.kind(Pawn))
            | (geometry::knight(target) & self.kind(Knight))
            | (geometry::king(target) & self.kind(King))
    }

    /// The sliders among `candidates` that attack a square, when these squares are occupied.
    #[inline(always)]
    pub(super) fn sliders_among(&self, candidates: SquareSet, target: Square, occupied: S::Occupied) -> SquareSet {
        let diagonal = candidates & self.diagonal_sliders() & geometry::bishop_lines(target);
        let straight = candidates & self.straight_sliders() & geometry::rook_lines(target);
        let mut attackers = SquareSet::EMPTY;
        // Mostly nobody stands on a line with the square, and then nothing needs to be looked up.
        if !diagonal.is_empty() {
            attackers |= diagonal & self.sliders.bishop(target, occupied);
        }
        if !straight.is_empty() {
            attackers |= straight & self.sliders.rook(target, occupied);
        }
        attackers
    }

    #[inline(always)]
    pub(super) fn is_attacked_when(
        &self,
        target: Square,
        by: Color,
        enemies: SquareSet,
        occupied: S::Occupied,
    ) -> bool {
        !(self.leapers(target, by) & enemies).is_empty() || !self.sliders_among(enemies, target, occupied).is_empty()
    }

    /// Turns squares of a piece from empty to occupied or back, in the sets of its kind and of its colour.
    #[inline(always)]
    pub(super) fn toggle(&mut self, piece: Piece, squares: SquareSet) {
        self.kinds[piece.kind().index()] ^= squares;
        self.colors[piece.color().index()] ^= squares;
    }
}
