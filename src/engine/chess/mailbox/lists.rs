//! The board of bytes, its lists and its index board, and how a piece moves on all three.

use std::fmt::Debug;
use std::marker::PhantomData;
use std::ops::Range;

use super::cells::{CELLS, Code, EMPTY, FIRST, NOTHING, SPAN};
use crate::chess::geometry::const_table;
use crate::chess::placement::Placement;
use crate::chess::see::Asker;
use crate::chess::state::State;
use crate::chess::zobrist::Keys;
use crate::chess::{Color, Move, Piece, PieceKind, PieceKind::*, Square, SquareSet, Task, least_by_square};

/// Listener to the accesses of a mailbox board.
pub trait Tally: Copy + Debug + Send + Sync + Sized + 'static {
    /// A list with this number of pieces is about to be read.
    #[inline(always)]
    fn list(_pieces: usize) {}

    /// The first piece from a cell along a line was found, or the border, after this number of empty cells.
    #[inline(always)]
    fn ray(_steps: usize) {}

    /// A task of the search begins.
    #[inline(always)]
    fn begin(_task: Task) {}

    /// The task that began last ends.
    #[inline(always)]
    fn end() {}

    /// A move is about to be made.
    #[inline(always)]
    fn making(_mv: Move) {}

    /// Answers [`Board::least_valuable`](crate::chess::Board::least_valuable), of equal pieces in any order.
    #[inline(always)]
    fn least_valuable(board: &ListBoard<Self>, squares: SquareSet) -> Option<(PieceKind, Square)> {
        least_by_square(board, squares)
    }

    /// The search is about to ask what a move wins on its target square.
    #[inline(always)]
    fn exchange(_board: &ListBoard<Self>, _mv: Move, _asker: Asker) {}
}

/// Listener of the ordinary board, which does nothing.
#[derive(Clone, Copy, Debug)]
pub struct Untallied;

impl Tally for Untallied {}

/// A mailbox board whose accesses are told to a [`Tally`].
#[derive(Clone, Debug)]
pub struct ListBoard<T: Tally> {
    /// Content of each cell.
    pub(super) board: [Code; CELLS],
    /// For each cell with a piece, from `a1` to `h8`: the place of the cell in `lists`.
    pub(super) index: [u8; SPAN],
    /// The cells of the pieces, list after list. Unused places hold some square's cell too.
    pub(super) lists: [u8; 2 * LIST_SPAN],
    /// Length of each list.
    pub(super) counts: [u8; 2 * LISTS],
    pub(super) state: State,
    pub(super) keys: &'static Keys,
    pub(super) tally: PhantomData<T>,
}

/// The lists of a side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum List {
    King,
    Pawns,
    Knights,
    LightBishops,
    DarkBishops,
    Rooks,
    Queens,
}

pub(super) const LISTS: usize = 7;
/// Capacity of each list: the most pieces that promotions can give it.
const CAPACITY: [usize; LISTS] = [1, 8, 10, 9, 9, 10, 9];
pub(super) const LIST_SPAN: usize = 56;

/// First place of each list in `lists`.
pub(super) static BEGIN: [u8; 2 * LISTS] = {
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
pub(super) const fn number(color: Color, list: List) -> usize {
    color.index() * LISTS + list as usize
}

/// List of the bishops that can reach a cell: light squares are even cells.
#[inline(always)]
pub(super) const fn bishops_on(cell: usize) -> List {
    if cell & 1 == 0 { List::LightBishops } else { List::DarkBishops }
}

/// The lists that together hold one kind of piece.
#[inline(always)]
pub(super) const fn lists_of(kind: PieceKind) -> (List, Option<List>) {
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
pub(super) fn list_of(piece: Piece, cell: usize) -> usize {
    usize::from(LIST_OF[piece.code()][cell & 1])
}

/// Message of the panic with which tests meet an access that is not checked otherwise.
pub(super) const OUTSIDE: &str = "a cell outside of the board";

impl<T: Tally> ListBoard<T> {
    #[inline(always)]
    pub(super) fn at(&self, cell: usize) -> Code {
        if cfg!(any(test, debug_assertions)) {
            assert!(cell < CELLS, "{OUTSIDE}");
        }
        // SAFETY: `cell` is a square's, or one step or leap from a square's, or was reached from there over empty
        // cells. Squares' cells come from `cells::cell` or from `lists`, which never holds any other. A leap is at most
        // 31, and the border is that wide (33 cells below `a1`, 34 above `h8`). Walking ends on the border, whose cells
        // are never written, and nothing steps on from there.
        unsafe { *self.board.get_unchecked(cell) }
    }

    /// The places of a list in `lists`, as far as it is filled.
    #[inline(always)]
    pub(super) fn places(&self, number: usize) -> Range<usize> {
        let begin = usize::from(BEGIN[number]);
        begin..begin + usize::from(self.counts[number])
    }

    /// The cells of a list.
    #[inline(always)]
    pub(super) fn list(&self, color: Color, list: List) -> impl ExactSizeIterator<Item = usize> + '_ {
        let cells = &self.lists[self.places(number(color, list))];
        // The king's list is no list: where he stands is known.
        if list != List::King {
            T::list(cells.len());
        }
        cells.iter().map(|cell| usize::from(*cell))
    }

    #[inline(always)]
    pub(super) fn king_cell(&self, color: Color) -> usize {
        usize::from(self.lists[usize::from(BEGIN[number(color, List::King)])])
    }

    #[inline(always)]
    pub(super) fn place(&self, cell: usize) -> usize {
        if cfg!(any(test, debug_assertions)) {
            assert!((FIRST..FIRST + SPAN).contains(&cell), "{OUTSIDE}");
        }
        // SAFETY: only asked of squares' cells, all of which lie in this range.
        usize::from(unsafe { *self.index.get_unchecked(cell - FIRST) })
    }

    /// Moves whatever is on one cell to another, on the board and in its list.
    #[inline(always)]
    pub(super) fn carry(&mut self, from: usize, to: usize) {
        let place = self.place(from);
        self.index[to - FIRST] = place as u8;
        self.lists[place] = to as u8;
        self.board[to] = self.board[from];
        self.board[from] = EMPTY;
    }

    /// Appends a cell to the list of its piece.
    #[inline(always)]
    pub(super) fn enlist(&mut self, piece: Piece, cell: usize) {
        let list = list_of(piece, cell);
        let place = BEGIN[list] + self.counts[list];
        self.counts[list] += 1;
        self.lists[usize::from(place)] = cell as u8;
        self.index[cell - FIRST] = place;
    }

    /// Removes a cell from the list of its piece; the last cell of the list moves into its place.
    #[inline(always)]
    pub(super) fn delist(&mut self, piece: Piece, cell: usize) {
        let list = list_of(piece, cell);
        self.counts[list] -= 1;
        let last = self.lists[usize::from(BEGIN[list] + self.counts[list])];
        let place = self.place(cell);
        self.lists[place] = last;
        self.index[usize::from(last) - FIRST] = place as u8;
    }

    /// Legality of an en passant capture. Two pieces leave their lines at once, so the move is tried on a copy.
    pub(super) fn is_legal_en_passant(&self, mv: Move) -> bool {
        let us = self.state.turn();
        let mut after = self.clone();
        after.take(Piece::new(!us, Pawn), mv.victim_square());
        after.shift(Piece::new(us, Pawn), mv.from(), mv.to());
        !after.is_cell_attacked(after.king_cell(us), !us, NOTHING)
    }
}
