//! The position as a board of bytes with a guard border, and lists of where each side's pieces are ("New
//! Architectures", Reul 2009).
//!
//! Leaving the board and running into a piece are the same event, so a slider's loop tests one thing. There is a list
//! for each colour and kind, and two for bishops, which only ever attack squares of their own colour. An index board
//! tells for every piece its place in its list; a captured piece's place is taken by the last of the list, so lists
//! permute as the game goes on, and nothing may depend on their order.

mod attacks;
mod cells;
mod generate;
mod parts;
mod tally;

use std::marker::PhantomData;
use std::ops::Range;

use super::board::{Board, Footprint, Unsupported};
use super::geometry::const_table;
use super::moves::{Move, MoveKind, MoveList};
use super::placement::Placement;
use super::see::Asker;
use super::state::State;
use super::zobrist::Keys;
use super::{Color, Piece, PieceKind, PieceKind::*, Square, SquareSet};
use attacks::NOTHING;
use cells::{CELLS, Code, EMPTY, FIRST, SPAN, cell, code, square};

pub use tally::{Tally, Untallied};

/// A mailbox board of 15 x 12 cells with piece lists.
pub type Mailbox = ListBoard<Untallied>;

/// A mailbox board whose accesses are told to a [`Tally`].
#[derive(Clone, Debug)]
pub struct ListBoard<T: Tally> {
    /// Content of each cell.
    board: [Code; CELLS],
    /// For each cell with a piece, from `a1` to `h8`: the place of the cell in `lists`.
    index: [u8; SPAN],
    /// The cells of the pieces, list after list. Unused places hold some square's cell too.
    lists: [u8; 2 * LIST_SPAN],
    /// Length of each list.
    counts: [u8; 2 * LISTS],
    state: State,
    keys: &'static Keys,
    tally: PhantomData<T>,
}

/// The lists of a side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
enum List {
    King,
    Pawns,
    Knights,
    LightBishops,
    DarkBishops,
    Rooks,
    Queens,
}

const LISTS: usize = 7;
/// Capacity of each list: the most pieces that promotions can give it.
const CAPACITY: [usize; LISTS] = [1, 8, 10, 9, 9, 10, 9];
const LIST_SPAN: usize = 56;

/// First place of each list in `lists`.
static BEGIN: [u8; 2 * LISTS] = {
    let mut begin = [0; 2 * LISTS];
    let mut next = 0;
    let mut i = 0;
    while i < begin.len() {
        begin[i] = next;
        next += CAPACITY[i % LISTS] as u8;
        i += 1;
    }
    assert!(next as usize == 2 * LIST_SPAN);
    begin
};

/// The number of a list among both sides' lists.
#[inline(always)]
const fn number(color: Color, list: List) -> usize {
    color.index() * LISTS + list as usize
}

/// List of the bishops that can reach a cell: light squares are even cells.
#[inline(always)]
const fn bishops_on(cell: usize) -> List {
    if cell & 1 == 0 { List::LightBishops } else { List::DarkBishops }
}

/// The lists that together hold one kind of piece.
#[inline(always)]
const fn lists_of(kind: PieceKind) -> (List, Option<List>) {
    match kind {
        Pawn => (List::Pawns, None),
        Knight => (List::Knights, None),
        Bishop => (List::LightBishops, Some(List::DarkBishops)),
        Rook => (List::Rooks, None),
        Queen => (List::Queens, None),
        King => (List::King, None),
    }
}

/// The number of the list in which each piece stands: first on light squares (even cells), then on dark ones.
static LIST_OF: [[u8; 2]; 16] = const_table!([0; 2]; 16, |i| match Piece::from_code(i as u8) {
    None => [0; 2],
    Some(piece) => {
        let (light, dark) = match lists_of(piece.kind()) {
            (list, None) => (list, list),
            (light, Some(dark)) => (light, dark),
        };
        [number(piece.color(), light) as u8, number(piece.color(), dark) as u8]
    }
});

/// The number of the list in which a piece on this cell stands.
#[inline(always)]
fn list_of(piece: Piece, cell: usize) -> usize {
    usize::from(LIST_OF[piece.code()][cell & 1])
}

impl<T: Tally> ListBoard<T> {
    #[inline(always)]
    fn at(&self, cell: usize) -> Code {
        debug_assert!(cell < CELLS);
        // SAFETY: `cell` is a square's, or one step or leap from a square's, or was reached from there over empty
        // cells. Squares' cells come from `cells::cell` or from `lists`, which never holds any other. A leap is at most
        // 31, and the border is that wide (33 cells below `a1`, 34 above `h8`). Walking ends on the border, whose cells
        // are never written, and nothing steps on from there.
        unsafe { *self.board.get_unchecked(cell) }
    }

    /// The places of a list in `lists`, as far as it is filled.
    #[inline(always)]
    fn places(&self, number: usize) -> Range<usize> {
        let begin = usize::from(BEGIN[number]);
        begin..begin + usize::from(self.counts[number])
    }

    /// The cells of a list.
    #[inline(always)]
    fn list(&self, color: Color, list: List) -> impl ExactSizeIterator<Item = usize> + '_ {
        let cells = &self.lists[self.places(number(color, list))];
        // The king's list is no list: where he stands is known.
        if list != List::King {
            T::list(cells.len());
        }
        cells.iter().map(|cell| usize::from(*cell))
    }

    #[inline(always)]
    fn king_cell(&self, color: Color) -> usize {
        usize::from(self.lists[usize::from(BEGIN[number(color, List::King)])])
    }

    #[inline(always)]
    fn place(&self, cell: usize) -> usize {
        debug_assert!((FIRST..FIRST + SPAN).contains(&cell));
        // SAFETY: only asked of squares' cells, all of which lie in this range.
        usize::from(unsafe { *self.index.get_unchecked(cell - FIRST) })
    }

    /// Moves whatever is on one cell to another, on the board and in its list.
    #[inline(always)]
    fn carry(&mut self, from: usize, to: usize) {
        let place = self.place(from);
        self.index[to - FIRST] = place as u8;
        self.lists[place] = to as u8;
        self.board[to] = self.board[from];
        self.board[from] = EMPTY;
    }

    /// Appends a cell to the list of its piece.
    #[inline(always)]
    fn enlist(&mut self, piece: Piece, cell: usize) {
        let list = list_of(piece, cell);
        let place = BEGIN[list] + self.counts[list];
        self.counts[list] += 1;
        self.lists[usize::from(place)] = cell as u8;
        self.index[cell - FIRST] = place;
    }

    /// Removes a cell from the list of its piece; the last cell of the list moves into its place.
    #[inline(always)]
    fn delist(&mut self, piece: Piece, cell: usize) {
        let list = list_of(piece, cell);
        self.counts[list] -= 1;
        let last = self.lists[usize::from(BEGIN[list] + self.counts[list])];
        let place = self.place(cell);
        self.lists[place] = last;
        self.index[usize::from(last) - FIRST] = place as u8;
    }

    /// Legality of an en passant capture. Two pieces leave their lines at once, so the move is tried on a copy.
    fn is_legal_en_passant(&self, mv: Move) -> bool {
        let us = self.state.turn();
        let mut after = self.clone();
        after.take(Piece::new(!us, Pawn), mv.victim_square());
        after.shift(Piece::new(us, Pawn), mv.from(), mv.to());
        !after.is_cell_attacked(after.king_cell(us), !us, NOTHING)
    }
}

impl<T: Tally> PartialEq for ListBoard<T> {
    fn eq(&self, other: &Self) -> bool {
        let sorted = |board: &Self, number: usize| {
            let mut cells: Vec<_> = board.places(number).map(|place| board.lists[place]).collect();
            cells.sort_unstable();
            cells
        };
        (self.board, self.counts, self.state) == (other.board, other.counts, other.state)
            && (0..2 * LISTS).all(|number| sorted(self, number) == sorted(other, number))
            && std::ptr::eq(self.keys, other.keys)
    }
}

impl<T: Tally> Board for ListBoard<T> {
    fn empty(state: State, keys: &'static Keys) -> Result<Self, Unsupported> {
        let (lists, counts) = ([FIRST as u8; 2 * LIST_SPAN], [0; 2 * LISTS]);
        Ok(Self { board: cells::BLANK, index: [0; SPAN], lists, counts, state, keys, tally: PhantomData })
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
            squares: CELLS,
            piece_lists: 2 * LIST_SPAN + 2 * LISTS,
            index_board: SPAN,
            other_tables: cells::TABLE_BYTES + size_of_val(&BEGIN),
            ..Footprint::default()
        }
    }

    #[inline(always)]
    fn has(&self, piece: Piece, square: Square) -> bool {
        self.at(cell(square)) == code(piece)
    }

    #[inline(always)]
    fn piece_on(&self, square: Square) -> Option<Piece> {
        cells::piece(self.at(cell(square)))
    }

    #[inline(always)]
    fn squares_of(&self, piece: Piece) -> impl Iterator<Item = Square> + '_ {
        let (first, second) = lists_of(piece.kind());
        let second = second.into_iter().flat_map(move |list| self.list(piece.color(), list));
        self.list(piece.color(), first).chain(second).map(square)
    }

    #[inline(always)]
    fn count(&self, piece: Piece) -> u32 {
        let (first, second) = lists_of(piece.kind());
        let length = |list| u32::from(self.counts[number(piece.color(), list)]);
        length(first) + second.map_or(0, length)
    }

    #[inline(always)]
    fn attacks_from(&self, square: Square) -> SquareSet {
        let mut set = SquareSet::EMPTY;
        self.visit_reached(cell(square), &mut |to| set |= SquareSet::of(cells::square(to)));
        set
    }

    #[inline(always)]
    fn lines_from(&self, square: Square) -> SquareSet {
        let mut set = SquareSet::EMPTY;
        self.visit_lines(cell(square), &attacks::KING_STEPS, &mut |to| set |= SquareSet::of(cells::square(to)));
        set
    }

    #[inline(always)]
    fn mobility(&self, square: Square) -> u32 {
        let mut count = 0;
        self.visit_reached(cell(square), &mut |_| count += 1);
        count
    }

    #[inline(always)]
    fn is_attacked(&self, square: Square, by: Color) -> bool {
        self.is_cell_attacked(cell(square), by, NOTHING)
    }

    #[inline(always)]
    fn attackers(&self, square: Square, by: Color) -> SquareSet {
        self.attackers_of(cell(square), by)
    }

    #[inline(always)]
    fn king(&self, color: Color) -> Square {
        square(self.king_cell(color))
    }

    #[inline(always)]
    fn revealed_attackers(&self, target: Square, vacated: Square, gone: SquareSet) -> SquareSet {
        self.slider_behind(cell(target), cell(vacated), gone)
    }

    #[inline(always)]
    fn note_exchange(&self, mv: Move, asker: Asker) {
        T::exchange(self, mv, asker);
    }

    fn is_consistent(&self) -> bool {
        let fits = |number: usize, place: usize| {
            let cell = usize::from(self.lists[place]);
            let piece = cells::piece(self.at(cell));
            self.place(cell) == place && piece.is_some_and(|piece| list_of(piece, cell) == number)
        };
        let lists = (0..2 * LISTS).all(|number| self.places(number).all(|place| fits(number, place)));
        let listed: usize = self.counts.iter().map(|count| usize::from(*count)).sum();
        lists && listed == Square::all().filter(|square| self.piece_on(*square).is_some()).count()
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
        let us = self.state.turn();
        let (from, to) = (cell(mv.from()), cell(mv.to()));
        match mv.kind() {
            MoveKind::Castling => return true,
            MoveKind::EnPassant => return self.is_legal_en_passant(mv),
            _ if mv.piece() == King => return !self.is_cell_attacked(to, !us, from),
            _ => {}
        }
        (!in_check || self.is_evasion(to)) && !self.is_pinned_against(from, to)
    }
}

impl<T: Tally> Placement for ListBoard<T> {
    #[inline(always)]
    fn shift(&mut self, piece: Piece, from: Square, to: Square) {
        debug_assert_eq!(self.at(cell(from)), code(piece));
        self.carry(cell(from), cell(to));
    }

    #[inline(always)]
    fn capture(&mut self, piece: Piece, from: Square, victim: Piece, to: Square) {
        let (from, to) = (cell(from), cell(to));
        debug_assert_eq!(self.at(from), code(piece));
        self.delist(victim, to);
        self.carry(from, to);
    }

    #[inline(always)]
    fn uncapture(&mut self, piece: Piece, from: Square, victim: Piece, to: Square) {
        let (from, to) = (cell(from), cell(to));
        debug_assert_eq!(self.at(to), code(piece));
        self.carry(to, from);
        self.enlist(victim, to);
        self.board[to] = code(victim);
    }

    #[inline(always)]
    fn put(&mut self, piece: Piece, square: Square) {
        let cell = cell(square);
        self.enlist(piece, cell);
        self.board[cell] = code(piece);
    }

    #[inline(always)]
    fn take(&mut self, piece: Piece, square: Square) {
        let cell = cell(square);
        self.delist(piece, cell);
        self.board[cell] = EMPTY;
    }

    #[inline]
    fn clear(&mut self) {
        // What the lists and the index hold beyond their counts means nothing, but is always some square's.
        self.board = cells::BLANK;
        self.counts = [0; 2 * LISTS];
    }

    #[inline(always)]
    fn state_mut(&mut self) -> &mut State {
        &mut self.state
    }
}
