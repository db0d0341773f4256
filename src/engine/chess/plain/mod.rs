//! Boards to compare with: those that the literature starts from or rejects, in their plain form. Each is a
//! [`Grid`], which says how squares are numbered and what lies beside them, and a [`Finder`], which says where the
//! pieces are. Whatever is asked is found by walking from square to square.
//!
//! They serve comparisons: of perft, of micro-measurements, of searches in simulated time, and on real threads of the
//! searches that the program of `src/boards` compiles.

mod array;
mod borderless;
mod finder;
mod walk;
mod x88;

use std::fmt::Debug;

use super::board::{Board, Footprint, Unsupported};
use super::geometry;
use super::moves::{Move, MoveKind, MoveList};
use super::parts::{DerivedPart, InParts};
use super::placement::Placement;
use super::state::State;
use super::zobrist::Keys;
use super::{Color, Piece, PieceKind::*, Square, SquareSet};
use finder::{Finder, Linked, Lists, Scan};

/// 64 bytes and nothing else: the simple representation. Pieces are found by looking at every square.
pub type Array = Plain<array::Files, Scan>;
/// 16 x 8 cells, of which the left half is the board: one test of a bit pattern tells whether a step leaves it.
pub type X88 = Plain<x88::Padded, Lists<false>>;
/// 16 x 8 cells like [`X88`], with lists of pieces that are read from their ends.
pub type X88Reversed = Plain<x88::Padded, Lists<true>>;
/// 16 x 8 cells like [`X88`], with doubly linked lists of pieces.
pub type X88Linked = Plain<x88::Padded, Linked>;
/// 64 bytes without a border: a table tells the next square in each direction.
pub type Borderless = Plain<borderless::Next, Lists<false>>;

/// Numbering of squares, and what lies beside each.
pub trait Grid: Copy + Debug + Send + Sync + 'static {
    /// Contents of all cells.
    type Cells: Copy + Debug + PartialEq + Send + Sync + AsRef<[Option<Piece>]> + AsMut<[Option<Piece>]>;
    /// A board without pieces.
    const NO_PIECES: Self::Cells;
    /// Bytes of shared tables.
    const TABLE_BYTES: usize;

    /// The cell of a square.
    #[inline(always)]
    fn cell(square: Square) -> usize {
        square.index()
    }

    /// The square of a cell.
    #[inline(always)]
    fn square(cell: usize) -> Square {
        Square::wrapping(cell)
    }

    /// The cell beside another in one of the [directions](walk::STEPS); none beyond the edge of the board.
    fn step(cell: usize, direction: usize) -> Option<usize>;
}

/// A board of cells without a border.
#[derive(Clone, Debug)]
pub struct Plain<G: Grid, F: Finder> {
    cells: G::Cells,
    finder: F,
    state: State,
    keys: &'static Keys,
}

impl<G: Grid, F: Finder> Plain<G, F> {
    #[inline(always)]
    fn at(&self, cell: usize) -> Option<Piece> {
        self.cells.as_ref()[cell]
    }

    #[inline(always)]
    fn set(&mut self, square: Square, piece: Option<Piece>) {
        self.cells.as_mut()[G::cell(square)] = piece;
    }
}

impl<G: Grid, F: Finder> PartialEq for Plain<G, F> {
    fn eq(&self, other: &Self) -> bool {
        // The order in which pieces are listed means nothing.
        let are_listed_alike = Piece::all().all(|piece| self.set_of(piece) == other.set_of(piece));
        (self.cells, self.state) == (other.cells, other.state)
            && are_listed_alike
            && std::ptr::eq(self.keys, other.keys)
    }
}

impl<G: Grid, F: Finder> Board for Plain<G, F> {
    fn empty(state: State, keys: &'static Keys) -> Result<Self, Unsupported> {
        Ok(Self { cells: G::NO_PIECES, finder: F::default(), state, keys })
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
            squares: size_of::<G::Cells>(),
            piece_lists: F::LIST_BYTES,
            index_board: size_of::<F>() - F::LIST_BYTES,
            other_tables: G::TABLE_BYTES,
            ..Footprint::default()
        }
    }

    #[inline(always)]
    fn piece_on(&self, square: Square) -> Option<Piece> {
        self.at(G::cell(square))
    }

    #[inline(always)]
    fn squares_of(&self, piece: Piece) -> impl Iterator<Item = Square> + '_ {
        self.finder.squares(piece, move |square| self.piece_on(square))
    }

    #[inline(always)]
    fn count(&self, piece: Piece) -> u32 {
        self.squares_of(piece).count() as u32
    }

    #[inline]
    fn attacks_from(&self, square: Square) -> SquareSet {
        let mut attacks = SquareSet::EMPTY;
        if let Some(piece) = self.piece_on(square) {
            self.visit_reached(piece, G::cell(square), &mut |to| attacks |= SquareSet::of(G::square(to)));
        }
        attacks
    }

    #[inline]
    fn is_attacked(&self, square: Square, by: Color) -> bool {
        walk::attackers::<G, _>(G::cell(square), by, |cell| self.at(cell)).next().is_some()
    }

    #[inline]
    fn attackers(&self, square: Square, by: Color) -> SquareSet {
        walk::attackers::<G, _>(G::cell(square), by, |cell| self.at(cell)).map(G::square).collect()
    }

    #[inline]
    fn revealed_attackers(&self, target: Square, vacated: Square, gone: SquareSet) -> SquareSet {
        let Some(direction) = walk::direction(target, vacated) else { return SquareSet::EMPTY };
        let look = |cell| self.at(cell).filter(|_| !gone.contains(G::square(cell)));
        let attacker = |by| walk::attacker_along::<G>(G::cell(target), direction, by, &look);
        Color::ALL.into_iter().filter_map(attacker).map(G::square).collect()
    }

    fn is_consistent(&self) -> bool {
        let on_cells = |piece| Square::all().filter(move |square| self.piece_on(*square) == Some(piece));
        Piece::all().all(|piece| {
            self.set_of(piece) == on_cells(piece).collect() && self.squares_of(piece).count() == on_cells(piece).count()
        })
    }

    #[inline]
    fn moves(&self, list: &mut MoveList) {
        self.pseudo_legal(true, &mut |mv| list.push(mv));
    }

    #[inline]
    fn noisy_moves(&self, list: &mut MoveList) {
        self.pseudo_legal(false, &mut |mv| list.push(mv));
    }

    #[inline]
    fn legal_moves(&self, list: &mut MoveList) {
        self.legal(&mut |mv| list.push(mv));
    }

    #[inline]
    fn count_legal_moves(&self) -> usize {
        let mut count = 0;
        self.legal(&mut |_| count += 1);
        count
    }

    #[inline]
    fn is_legal(&self, mv: Move, in_check: bool) -> bool {
        let (us, from, to) = (self.state.turn(), mv.from(), mv.to());
        if mv.kind() == MoveKind::Castling {
            return true;
        }
        let king = if mv.piece() == King { to } else { self.king(us) };
        let stays_shut = mv.piece() != King && geometry::line(king, from).is_empty();
        if !in_check && stays_shut && mv.kind() != MoveKind::EnPassant {
            return true;
        }
        // The board as it is after the move, as far as attacks on the king go.
        let (origin, target, victim) = (G::cell(from), G::cell(to), G::cell(mv.victim_square()));
        let look = |cell| match cell {
            _ if cell == target => Some(Piece::new(us, mv.piece())),
            _ if cell == origin || cell == victim => None,
            _ => self.at(cell),
        };
        walk::attackers::<G, _>(G::cell(king), !us, look).next().is_none()
    }
}

impl<G: Grid, F: Finder> Placement for Plain<G, F> {
    #[inline(always)]
    fn shift(&mut self, piece: Piece, from: Square, to: Square) {
        self.finder.shift(piece, from, to);
        self.set(from, None);
        self.set(to, Some(piece));
    }

    #[inline(always)]
    fn capture(&mut self, piece: Piece, from: Square, victim: Piece, to: Square) {
        self.finder.take(victim, to);
        self.shift(piece, from, to);
    }

    #[inline(always)]
    fn uncapture(&mut self, piece: Piece, from: Square, victim: Piece, to: Square) {
        self.shift(piece, to, from);
        self.put(victim, to);
    }

    #[inline(always)]
    fn put(&mut self, piece: Piece, square: Square) {
        self.finder.put(piece, square);
        self.set(square, Some(piece));
    }

    #[inline(always)]
    fn take(&mut self, piece: Piece, square: Square) {
        self.finder.take(piece, square);
        self.set(square, None);
    }

    fn clear(&mut self) {
        (self.cells, self.finder) = (G::NO_PIECES, F::default());
    }

    #[inline(always)]
    fn state_mut(&mut self) -> &mut State {
        &mut self.state
    }
}

impl<G: Grid, F: Finder> InParts for Plain<G, F> {
    const BASE_BYTES: usize = size_of::<G::Cells>() + size_of::<State>();

    fn derived_parts() -> &'static [DerivedPart] {
        F::PARTS
    }

    #[inline]
    fn copy_parts(&mut self, from: &Self, parts: usize) {
        (self.cells, self.state) = (from.cells, from.state);
        if parts > 0 {
            self.finder = from.finder.clone();
        }
    }

    #[inline]
    fn rebuild_parts(&mut self, parts: usize) {
        if parts == 0 {
            self.finder = F::default();
            for square in Square::all() {
                if let Some(piece) = self.piece_on(square) {
                    self.finder.put(piece, square);
                }
            }
        }
    }
}
