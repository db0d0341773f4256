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
mod lists;
mod parts;

use std::marker::PhantomData;

use super::board::{Board, Footprint, Unsupported};
use super::moves::{Move, MoveList};
use super::placement::{self, Placement};
use super::see::Asker;
use super::state::{State, Undo};
use super::task::Task;
use super::zobrist::Keys;
use super::{Color, Piece, PieceKind, Square, SquareSet};
use cells::{CELLS, EMPTY, FIRST, NOTHING, SPAN, cell, code, square};
use lists::{BEGIN, LIST_SPAN, LISTS, list_of, lists_of, number};

pub use lists::{ListBoard, Tally, Untallied};

/// A mailbox board of 15 x 12 cells with piece lists.
pub type Mailbox = ListBoard<Untallied>;

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
        T::begin(Task::Attacks);
        let mut set = SquareSet::EMPTY;
        self.visit_reached(cell(square), &mut |to| set |= SquareSet::of(cells::square(to)));
        T::end();
        set
    }

    #[inline(always)]
    fn lines_from(&self, square: Square) -> SquareSet {
        T::begin(Task::Attacks);
        let mut set = SquareSet::EMPTY;
        self.visit_lines(cell(square), &attacks::KING_STEPS, &mut |to| set |= SquareSet::of(cells::square(to)));
        T::end();
        set
    }

    #[inline(always)]
    fn mobility(&self, square: Square) -> u32 {
        T::begin(Task::Attacks);
        let mut count = 0;
        self.visit_reached(cell(square), &mut |_| count += 1);
        T::end();
        count
    }

    #[inline(always)]
    fn is_attacked(&self, square: Square, by: Color) -> bool {
        T::begin(Task::Attacks);
        let is_attacked = self.is_cell_attacked(cell(square), by, NOTHING);
        T::end();
        is_attacked
    }

    #[inline(always)]
    fn attackers(&self, square: Square, by: Color) -> SquareSet {
        T::begin(Task::Attacks);
        let attackers = self.attackers_of(cell(square), by);
        T::end();
        attackers
    }

    #[inline(always)]
    fn king(&self, color: Color) -> Square {
        square(self.king_cell(color))
    }

    #[inline(always)]
    fn revealed_attackers(&self, target: Square, vacated: Square, gone: SquareSet) -> SquareSet {
        T::begin(Task::Attacks);
        let revealed = self.slider_behind(cell(target), cell(vacated), gone);
        T::end();
        revealed
    }

    #[inline(always)]
    fn least_valuable(&self, squares: SquareSet) -> Option<(PieceKind, Square)> {
        T::least_valuable(self, squares)
    }

    #[inline(always)]
    fn make(&mut self, mv: Move) -> Undo {
        T::making(mv);
        T::begin(Task::Make);
        let undo = placement::make(self, mv);
        T::end();
        undo
    }

    #[inline(always)]
    fn unmake(&mut self, mv: Move, undo: Undo) {
        T::begin(Task::Unmake);
        placement::unmake(self, mv, undo);
        T::end();
    }

    #[inline(always)]
    fn begin(task: Task) {
        T::begin(task);
    }

    #[inline(always)]
    fn end() {
        T::end();
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
        T::begin(Task::AllMoves);
        self.pseudo_legal(true, &mut |mv| list.push(mv));
        T::end();
    }

    #[inline]
    fn noisy_moves(&self, list: &mut MoveList) {
        T::begin(Task::NoisyMoves);
        self.pseudo_legal(false, &mut |mv| list.push(mv));
        T::end();
    }

    #[inline]
    fn legal_moves(&self, list: &mut MoveList) {
        T::begin(Task::LegalMoves);
        self.legal(&mut |mv| list.push(mv));
        T::end();
    }

    #[inline]
    fn count_legal_moves(&self) -> usize {
        T::begin(Task::LegalMoves);
        let mut count = 0;
        self.legal(&mut |_| count += 1);
        T::end();
        count
    }

    #[inline]
    fn is_legal(&self, mv: Move, in_check: bool) -> bool {
        T::begin(Task::Legality);
        let is_legal = self.is_safe(mv, in_check);
        T::end();
        is_legal
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

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};

    use super::lists::OUTSIDE;
    use super::*;
    use crate::chess::suites::SUITES;
    use crate::machine::message_of;

    /// Moves of other positions make nonsense of a board, and may panic, but reach no memory that is not the board's.
    #[test]
    fn foreign_moves_stay_on_the_board() {
        let setups: Vec<_> = SUITES.iter().flat_map(|suite| suite.positions()).map(|epd| epd.setup).collect();
        let boards: Vec<_> =
            setups.iter().map(|setup| Mailbox::set_up(setup, Keys::of_seed(0)).unwrap()).step_by(7).collect();
        let mut moves = Vec::new();
        for board in &boards {
            let mut list = MoveList::new();
            board.moves(&mut list);
            moves.extend(list.iter().copied().step_by(5));
        }
        let mut random = crate::random::SplitMix::new(1);
        let mut made = 0;
        for board in boards.iter().cycle().take(2_000) {
            let mut board = board.clone();
            let foreign: Vec<Move> = (0..6).map(|_| moves[random.below(moves.len() as u64) as usize]).collect();
            let result = catch_unwind(AssertUnwindSafe(|| {
                let undone: Vec<_> = foreign.iter().map(|mv| (*mv, board.make(*mv))).collect();
                made += undone.len();
                let mut list = MoveList::new();
                board.moves(&mut list);
                board.noisy_moves(&mut list);
                Square::all().for_each(|square| {
                    let _ = (board.attackers(square, Color::White), board.attacks_from(square));
                });
                undone.into_iter().for_each(|(mv, undo)| board.unmake(mv, undo));
            }));
            if let Err(payload) = result {
                assert!(!message_of(payload.as_ref()).contains(OUTSIDE));
            }
        }
        // With debug assertions the first foreign move is noticed.
        assert!(made > 0 || cfg!(debug_assertions), "some moves are made");
    }
}
