//! The position as sets of squares: one for each kind of piece, one for each colour. A byte array beside them answers
//! at once which piece is on a square.

mod generate;
mod parts;
mod sets;
pub mod sliders;

use super::board::{Board, Footprint, Unsupported};
use super::geometry;
use super::moves::{Move, MoveKind, MoveList};
use super::placement::Placement;
use super::state::State;
use super::zobrist::Keys;
use super::{Color, Piece, PieceKind, PieceKind::*, Square, SquareSet, primitives};
use generate::{Count, Write};
use sliders::Sliders;

pub use sets::Bitboards;

use sets::{BY_KIND, BY_PIECE};
use sliders::{Beyond, Homogeneous, Lines, Magic, Rotated};

/// Twelve sets of pieces and two of colours (Szabo 2023).
pub type Pieces = Bitboards<Magic, BY_PIECE>;
/// Twelve sets of pieces, two of colours and three rotated ones: the seventeen sets of the 2004 thesis.
pub type RotatedPieces = Bitboards<Rotated, BY_PIECE>;
/// Bitboards that keep all that either side attacks.
pub type AttackMaps = Bitboards<Magic, BY_KIND, 2>;
/// Bitboards with equal rooms for all squares in the tables of magic sliding.
pub type MagicHomogeneous = Bitboards<Homogeneous>;
/// Bitboards with tables of single lines.
pub type MagicLines = Bitboards<Lines>;
/// Bitboards whose sliders take away what lies beyond each blocker.
pub type BlockersAndBeyond = Bitboards<Beyond>;

impl<S: Sliders, const SETS: usize, const ATTACKS: usize> PartialEq for Bitboards<S, SETS, ATTACKS> {
    fn eq(&self, other: &Self) -> bool {
        (self.kinds, self.colors, self.attacks, self.kept, self.squares, self.state)
            == (other.kinds, other.colors, other.attacks, other.kept, other.squares, other.state)
            && std::ptr::eq(self.keys, other.keys)
    }
}

impl<S: Sliders, const SETS: usize, const ATTACKS: usize> Board for Bitboards<S, SETS, ATTACKS> {
    fn empty(state: State, keys: &'static Keys) -> Result<Self, Unsupported> {
        let (kinds, attacks) = ([SquareSet::EMPTY; SETS], [SquareSet::EMPTY; ATTACKS]);
        let (colors, kept, squares) = (Default::default(), Default::default(), [None; 64]);
        Ok(Self { kinds, colors, attacks, kept, squares, state, keys, sliders: S::prepare()? })
    }

    #[inline(always)]
    fn state(&self) -> &State {
        &self.state
    }

    #[inline(always)]
    fn keys(&self) -> &'static Keys {
        self.keys
    }

    fn own_footprint() -> Footprint {
        Footprint {
            squares: size_of::<[Option<Piece>; 64]>(),
            bitboards: (SETS + 2 + ATTACKS) * size_of::<SquareSet>() + size_of::<S::Kept>(),
            slider_tables: S::table_bytes(),
            other_tables: geometry::TABLE_BYTES,
            ..Footprint::default()
        }
    }

    #[inline(always)]
    fn has(&self, piece: Piece, square: Square) -> bool {
        self.set(piece.color(), piece.kind()).contains(square)
    }

    #[inline(always)]
    fn piece_on(&self, square: Square) -> Option<Piece> {
        self.squares[square.index()]
    }

    #[inline(always)]
    fn squares_of(&self, piece: Piece) -> impl Iterator<Item = Square> + '_ {
        self.set(piece.color(), piece.kind())
    }

    #[inline(always)]
    fn has_any(&self, piece: Piece) -> bool {
        !self.set(piece.color(), piece.kind()).is_empty()
    }

    #[inline(always)]
    fn count(&self, piece: Piece) -> u32 {
        self.set(piece.color(), piece.kind()).len()
    }

    #[inline(always)]
    fn attacks_from(&self, square: Square) -> SquareSet {
        match self.piece_on(square) {
            None => SquareSet::EMPTY,
            Some(piece) if piece.kind() == Pawn => geometry::pawn(piece.color(), square),
            Some(piece) => self.reach(piece.kind(), square, self.occupied()),
        }
    }

    #[inline(always)]
    fn set_of(&self, piece: Piece) -> SquareSet {
        self.set(piece.color(), piece.kind())
    }

    #[inline(always)]
    fn attacks_of(&self, piece: Piece, square: Square) -> SquareSet {
        match piece.kind() {
            Pawn => geometry::pawn(piece.color(), square),
            kind => self.reach(kind, square, self.occupied()),
        }
    }

    #[inline(always)]
    fn lines_from(&self, square: Square) -> SquareSet {
        self.reach(Queen, square, self.occupied())
    }

    #[inline(always)]
    fn is_attacked(&self, square: Square, by: Color) -> bool {
        match ATTACKS {
            0 => self.is_attacked_when(square, by, self.color(by), self.occupied()),
            _ => self.attacks[by.index()].contains(square),
        }
    }

    #[inline(always)]
    fn attackers(&self, square: Square, by: Color) -> SquareSet {
        let own = self.color(by);
        own & (self.leapers(square, by) | self.sliders_among(own, square, self.occupied()))
    }

    #[inline(always)]
    fn king(&self, color: Color) -> Square {
        // The index is never 64: every board has both kings.
        Square::wrapping(primitives::lowest(self.set(color, King).0) as usize)
    }

    #[inline(always)]
    fn revealed_attackers(&self, target: Square, _vacated: Square, gone: SquareSet) -> SquareSet {
        let all = self.all();
        let occupied = S::toggled(self.occupied(), all & gone);
        self.sliders_among(all - gone, target, occupied)
    }

    #[inline(always)]
    fn attackers_without(&self, target: Square, gone: SquareSet) -> [SquareSet; 2] {
        let (all, pawns) = (self.all(), self.kind(Pawn));
        let occupied = S::toggled(self.occupied(), all & gone);
        let pieces = (geometry::knight(target) & self.kind(Knight))
            | (geometry::king(target) & self.kind(King))
            | self.sliders_among(all, target, occupied);
        // Not by `map` of an array, which a build in several units calls instead of inlining it.
        let by = |color: Color| ((geometry::pawn(!color, target) & pawns | pieces) & self.color(color)) - gone;
        [by(Color::White), by(Color::Black)]
    }

    #[inline(always)]
    fn are_empty(&self, squares: SquareSet) -> bool {
        (squares & self.all()).is_empty()
    }

    #[inline(always)]
    fn by_color(&self, squares: SquareSet) -> [SquareSet; 2] {
        [squares & self.colors[0], squares & self.colors[1]]
    }

    #[inline(always)]
    fn least_valuable(&self, squares: SquareSet) -> Option<(PieceKind, Square)> {
        if squares.is_empty() {
            return None;
        }
        for kind in [Pawn, Knight, Bishop, Rook, Queen] {
            if let Some(square) = (squares & self.kind(kind)).next() {
                return Some((kind, square));
            }
        }
        squares.into_iter().next().map(|square| (King, square))
    }

    fn is_consistent(&self) -> bool {
        let mut kept = S::Kept::default();
        self.all().for_each(|square| S::toggle(&mut kept, square));
        let fits = |piece, square| self.has(piece, square) == (self.squares[square.index()] == Some(piece));
        kept == self.kept
            && Color::ALL.iter().zip(self.attacks).all(|(by, attacks)| self.attacks_by(*by) == attacks)
            && self.kinds.iter().map(|set| set.len()).sum::<u32>() == self.all().len()
            && (self.colors[0] & self.colors[1]).is_empty()
            && Square::all().all(|square| Piece::all().all(|piece| fits(piece, square)))
    }

    #[inline]
    fn moves(&self, list: &mut MoveList) {
        self.pseudo_legal(&self.everything(), &mut Write { squares: &self.squares, list });
    }

    #[inline]
    fn noisy_moves(&self, list: &mut MoveList) {
        self.pseudo_legal(&self.captures_and_promotions(), &mut Write { squares: &self.squares, list });
    }

    #[inline]
    fn quiet_moves(&self, list: &mut MoveList) {
        self.pseudo_legal(&self.quiet(), &mut Write { squares: &self.squares, list });
    }

    #[inline]
    fn legal_moves(&self, list: &mut MoveList) {
        self.legal(&mut Write { squares: &self.squares, list });
    }

    #[inline]
    fn count_legal_moves(&self) -> usize {
        let mut count = Count::default();
        self.legal(&mut count);
        count.0 as usize
    }

    #[inline(always)]
    fn is_legal(&self, mv: Move, in_check: bool) -> bool {
        // Most moves reveal nothing, as can be seen at once: the rest is not carried along wherever this is asked.
        let is_usual = !in_check && mv.piece() != King && mv.kind() != MoveKind::EnPassant;
        let line = geometry::line(self.king(self.state.turn()), mv.from());
        is_usual && (line.is_empty() || line.contains(mv.to())) || self.leaves_king_safe(mv, in_check)
    }
}

impl<S: Sliders, const SETS: usize, const ATTACKS: usize> Bitboards<S, SETS, ATTACKS> {
    /// Whether a move is legal, of whatever kind it is.
    #[inline(never)]
    fn leaves_king_safe(&self, mv: Move, in_check: bool) -> bool {
        let us = self.state.turn();
        let (from, to) = (mv.from(), mv.to());
        let (origin, target) = (SquareSet::of(from), SquareSet::of(to));
        let enemies = self.color(!us);
        let is_en_passant = match mv.kind() {
            MoveKind::Castling => return true,
            move_kind => move_kind == MoveKind::EnPassant,
        };
        if mv.piece() == King {
            // The king must not hide behind himself.
            let occupied = S::toggled(self.occupied(), origin);
            return !self.is_attacked_when(to, !us, enemies, occupied);
        }
        let king = self.king(us);
        let victim = SquareSet::of(mv.victim_square());
        // Only what leaves or enters a square changes what is occupied: not the target of a plain capture.
        let toggled = origin | (target - self.all()) | if is_en_passant { victim } else { SquareSet::EMPTY };
        if in_check || is_en_passant {
            return !self.is_attacked_when(king, !us, enemies - victim, S::toggled(self.occupied(), toggled));
        }
        self.sliders_among(enemies - victim, king, S::toggled(self.occupied(), toggled)).is_empty()
    }
}

impl<S: Sliders, const SETS: usize, const ATTACKS: usize> Placement for Bitboards<S, SETS, ATTACKS> {
    #[inline(always)]
    fn shift(&mut self, piece: Piece, from: Square, to: Square) {
        self.toggle(piece, SquareSet::of(from) | SquareSet::of(to));
        self.squares[from.index()] = None;
        self.squares[to.index()] = Some(piece);
        S::toggle(&mut self.kept, from);
        S::toggle(&mut self.kept, to);
    }

    #[inline(always)]
    fn capture(&mut self, piece: Piece, from: Square, victim: Piece, to: Square) {
        self.toggle(victim, SquareSet::of(to));
        self.toggle(piece, SquareSet::of(from) | SquareSet::of(to));
        self.squares[from.index()] = None;
        self.squares[to.index()] = Some(piece);
        S::toggle(&mut self.kept, from);
    }

    #[inline(always)]
    fn uncapture(&mut self, piece: Piece, from: Square, victim: Piece, to: Square) {
        self.toggle(piece, SquareSet::of(from) | SquareSet::of(to));
        self.toggle(victim, SquareSet::of(to));
        self.squares[from.index()] = Some(piece);
        self.squares[to.index()] = Some(victim);
        S::toggle(&mut self.kept, from);
    }

    #[inline(always)]
    fn put(&mut self, piece: Piece, square: Square) {
        self.toggle(piece, SquareSet::of(square));
        self.squares[square.index()] = Some(piece);
        S::toggle(&mut self.kept, square);
    }

    #[inline(always)]
    fn take(&mut self, piece: Piece, square: Square) {
        self.toggle(piece, SquareSet::of(square));
        self.squares[square.index()] = None;
        S::toggle(&mut self.kept, square);
    }

    #[inline]
    fn clear(&mut self) {
        (self.kinds, self.attacks) = ([SquareSet::EMPTY; SETS], [SquareSet::EMPTY; ATTACKS]);
        (self.colors, self.kept, self.squares) = (Default::default(), Default::default(), [None; 64]);
    }

    #[inline(always)]
    fn settle(&mut self) {
        if ATTACKS > 0 {
            for by in Color::ALL {
                self.attacks[by.index()] = self.attacks_by(by);
            }
        }
    }

    #[inline(always)]
    fn state_mut(&mut self) -> &mut State {
        &mut self.state
    }
}
