//! The sets of squares, and what is asked of them.

use super::sliders::Sliders;
use crate::chess::geometry;
use crate::chess::state::State;
use crate::chess::zobrist::Keys;
use crate::chess::{Board, Color, Piece, PieceKind, PieceKind::*, Square, SquareSet};

/// Sets of the kinds of pieces, whatever their colour.
pub const BY_KIND: usize = 6;
/// Sets of the kinds of pieces of either colour.
pub const BY_PIECE: usize = 12;

/// Bitboards whose bishops and rooks slide by the method `S`, with a set for each kind ([`BY_KIND`]) or for each kind
/// and colour ([`BY_PIECE`]). They may keep all that either side attacks: in that case `ATTACKS` is 2, and else 0.
#[derive(Clone, Debug)]
pub struct Bitboards<S: Sliders, const SETS: usize = BY_KIND, const ATTACKS: usize = 0> {
    pub(super) kinds: [SquareSet; SETS],
    pub(super) colors: [SquareSet; 2],
    pub(super) attacks: [SquareSet; ATTACKS],
    pub(super) kept: S::Kept,
    pub(super) squares: [Option<Piece>; 64],
    pub(super) state: State,
    pub(super) keys: &'static Keys,
    pub(super) sliders: S,
}

impl<S: Sliders, const SETS: usize, const ATTACKS: usize> Bitboards<S, SETS, ATTACKS> {
    #[inline(always)]
    pub(super) fn kind(&self, kind: PieceKind) -> SquareSet {
        let other = if SETS == BY_KIND { SquareSet::EMPTY } else { self.kinds[BY_KIND + kind.index()] };
        self.kinds[kind.index()] | other
    }

    /// Place of a piece's set.
    #[inline(always)]
    pub(super) fn place(piece: Piece) -> usize {
        piece.kind().index() + if SETS == BY_KIND { 0 } else { BY_KIND * piece.color().index() }
    }

    #[inline(always)]
    pub(super) fn color(&self, color: Color) -> SquareSet {
        self.colors[color.index()]
    }

    #[inline(always)]
    pub(super) fn set(&self, color: Color, kind: PieceKind) -> SquareSet {
        match SETS {
            BY_KIND => self.color(color) & self.kind(kind),
            _ => self.kinds[Self::place(Piece::new(color, kind))],
        }
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
        self.kinds[Self::place(piece)] ^= squares;
        self.colors[piece.color().index()] ^= squares;
    }

    /// All that a side attacks.
    pub(super) fn attacks_by(&self, color: Color) -> SquareSet {
        self.color(color).fold(SquareSet::EMPTY, |attacks, from| attacks | self.attacks_from(from))
    }
}
