//! The interface of a board: the eight questions of the 2004 thesis that a chess program asks of a position, and
//! making, unmaking and generating moves. Nothing above this room knows which representation answers them.

use std::fmt::Debug;

use super::geometry;
use super::moves::{Move, MoveKind, MoveList};
use super::parts::InParts;
use super::placement::{self, Placement};
use super::see::asker::Asker;
use super::setup::{Parts, Setup};
use super::state::{State, Undo};
use super::task::Task;
use super::zobrist::Keys;
use super::{Color, Piece, PieceKind, PieceKind::*, Square, SquareSet};

/// Error of a representation that this processor cannot run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what} needs {needs}, which this processor does not have; use {instead}")]
pub struct Unsupported {
    /// Name of the representation.
    pub what: &'static str,
    /// Missing feature of the processor.
    pub needs: &'static str,
    /// Alternative without this need.
    pub instead: &'static str,
}

/// Sizes in bytes: of a board, by part, and of the tables that all boards of the process share.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Footprint {
    /// Piece on each square.
    pub squares: usize,
    /// Sets of squares, rotated ones included.
    pub bitboards: usize,
    /// Lists of pieces with their lengths.
    pub piece_lists: usize,
    /// Place of each piece in its list.
    pub index_board: usize,
    /// Key, clocks, castling rights, en passant square, side to move.
    pub state: usize,
    /// The reference to the Zobrist keys, and padding.
    pub other: usize,
    /// Whole board, as a plain copy copies it.
    pub total: usize,
    /// Game history for each reversible ply, kept beside the board.
    pub history_per_ply: usize,
    /// Shared, read-only tables for sliding on bitboards.
    pub slider_tables: usize,
    /// Shared, read-only tables of the board's geometry.
    pub other_tables: usize,
}

/// Position in some representation. Boards are equal if all their bytes are, but for the order of piece lists.
///
/// ```
/// use splitpoint_engine::chess::mailbox::Mailbox;
/// use splitpoint_engine::chess::{Board, Color, Keys, MoveList, Piece, PieceKind, Setup, Square};
///
/// /// Captures of the side to move, on whatever board.
/// fn captures<B: Board>(board: &B) -> Vec<String> {
///     let mut list = MoveList::new();
///     board.legal_moves(&mut list);
///     list.iter().filter(|mv| mv.is_capture()).map(|mv| mv.to_string()).collect()
/// }
///
/// let setup: Setup = "4k3/8/8/2pP4/8/8/8/4K3 w - c6 0 1".parse().unwrap();
/// let board = Mailbox::set_up(&setup, Keys::of_seed(0)).unwrap();
/// assert_eq!(captures(&board), ["d5c6"]);
/// assert_eq!(board.piece_on(Square::D5), Some(Piece::new(Color::White, PieceKind::Pawn)));
/// assert!(board.is_attacked(Square::E6, Color::White) && !board.in_check());
/// ```
///
/// Every move given to a board must come from it: generated in the present position, or one that compares equal to such
/// a move. Making a pseudo-legal move that leaves the king in check is allowed; what can be asked then is everything
/// but moves.
pub trait Board: Placement + InParts + Clone + Debug + PartialEq + Send + Sync + 'static {
    /// A board without pieces.
    fn empty(state: State, keys: &'static Keys) -> Result<Self, Unsupported>;

    /// Board with this position, whose key is made of these numbers.
    fn set_up(setup: &Setup, keys: &'static Keys) -> Result<Self, Unsupported> {
        let mut board = Self::empty(State::of(setup), keys)?;
        for (square, piece) in setup.pieces() {
            board.put(piece, square);
        }
        placement::complete_state(&mut board);
        Ok(board)
    }

    /// Key, clocks, castling rights, en passant square and side to move.
    fn state(&self) -> &State;

    /// Random numbers that the board's key is made of.
    fn keys(&self) -> &'static Keys;

    /// Sizes of the parts that this representation has of its own.
    fn own_footprint() -> Footprint;

    /// Sizes by part.
    fn footprint() -> Footprint {
        let own = Self::own_footprint();
        let (state, total) = (size_of::<State>(), size_of::<Self>());
        let other = total - own.squares - own.bitboards - own.piece_lists - own.index_board - state;
        Footprint { state, other, total, history_per_ply: size_of::<u64>(), ..own }
    }

    // The eight questions.

    /// 1. Is there a piece of this type on this square?
    #[inline(always)]
    fn has(&self, piece: Piece, square: Square) -> bool {
        self.piece_on(square) == Some(piece)
    }

    /// 2. Which piece is on this square?
    fn piece_on(&self, square: Square) -> Option<Piece>;

    /// 3. Where are the pieces of this type? In an order of the board's own.
    fn squares_of(&self, piece: Piece) -> impl Iterator<Item = Square> + '_;

    /// 4. Is there any piece of this type?
    #[inline(always)]
    fn has_any(&self, piece: Piece) -> bool {
        self.count(piece) > 0
    }

    /// 5. How many pieces of this type are there?
    fn count(&self, piece: Piece) -> u32;

    /// 6. Which squares does the piece on this square attack? Empty for an empty square.
    fn attacks_from(&self, square: Square) -> SquareSet;

    /// 7. Is this square attacked by this colour?
    fn is_attacked(&self, square: Square, by: Color) -> bool;

    /// 8. Which pieces of this colour attack this square?
    fn attackers(&self, square: Square, by: Color) -> SquareSet;

    // Questions that follow from the eight.

    /// Square of this side's king.
    #[inline(always)]
    fn king(&self, color: Color) -> Square {
        self.squares_of(Piece::new(color, King)).next().expect("every board has both kings")
    }

    /// Whether the side to move is in check.
    #[inline(always)]
    fn in_check(&self) -> bool {
        let turn = self.turn();
        self.is_attacked(self.king(turn), !turn)
    }

    /// Whether nothing stands on these squares.
    #[inline(always)]
    fn are_empty(&self, mut squares: SquareSet) -> bool {
        squares.all(|square| self.piece_on(square).is_none())
    }

    /// Whether a legal move gives check, without making it.
    #[inline(always)]
    fn gives_check(&self, mv: Move) -> bool {
        let us = self.turn();
        let (king, from, to) = (self.king(!us), mv.from(), mv.to());
        if !matches!(mv.kind(), MoveKind::Plain | MoveKind::DoublePush) {
            return makes_check(self, mv);
        }
        let slides = |lines: SquareSet| lines.contains(king) && self.are_empty(geometry::between(to, king));
        let is_direct = match mv.piece() {
            Pawn => geometry::pawn(us, to).contains(king),
            Knight => geometry::knight(to).contains(king),
            Bishop => slides(geometry::bishop_lines(to)),
            Rook => slides(geometry::rook_lines(to)),
            Queen => slides(geometry::bishop_lines(to) | geometry::rook_lines(to)),
            King => false,
        };
        let line = geometry::line(king, from);
        let may_reveal = !line.is_empty() && !line.contains(to);
        is_direct
            || may_reveal && {
                let revealed = self.revealed_attackers(king, from, SquareSet::of(from));
                !self.by_color(revealed)[us.index()].is_empty()
            }
    }

    /// Set of the squares of the pieces of this type.
    #[inline(always)]
    fn set_of(&self, piece: Piece) -> SquareSet {
        self.squares_of(piece).fold(SquareSet::EMPTY, SquareSet::with)
    }

    /// Squares that the piece on this square attacks, for those who know which piece it is.
    #[inline(always)]
    fn attacks_of(&self, piece: Piece, square: Square) -> SquareSet {
        debug_assert_eq!(self.piece_on(square), Some(piece));
        self.attacks_from(square)
    }

    /// Squares that a queen on this square would attack, whatever is there.
    #[inline]
    fn lines_from(&self, square: Square) -> SquareSet {
        let occupied = Square::all().filter(|square| self.piece_on(*square).is_some()).collect();
        geometry::slide(square, &geometry::KING_STEPS, occupied)
    }

    /// Number of squares that the piece on this square attacks.
    #[inline(always)]
    fn mobility(&self, square: Square) -> u32 {
        self.attacks_from(square).len()
    }

    /// Pieces of both colours that attack `target` once the squares in `gone` are empty and that stand on the
    /// line from `target` through `vacated`, a square of `gone`. Other attackers of `target` may be included.
    fn revealed_attackers(&self, target: Square, vacated: Square, gone: SquareSet) -> SquareSet;

    /// Pieces that attack `target`, by colour, once the squares in `gone` are empty.
    #[inline(always)]
    fn attackers_without(&self, target: Square, gone: SquareSet) -> [SquareSet; 2] {
        let [mut white, mut black] = [self.attackers(target, Color::White), self.attackers(target, Color::Black)];
        for vacated in gone {
            let [more_white, more_black] = self.by_color(self.revealed_attackers(target, vacated, gone));
            (white, black) = (white | more_white, black | more_black);
        }
        [white - gone, black - gone]
    }

    /// Occupied squares among these, by colour of the piece.
    #[inline(always)]
    fn by_color(&self, squares: SquareSet) -> [SquareSet; 2] {
        let mut sets = [SquareSet::EMPTY; 2];
        for square in squares {
            if let Some(piece) = self.piece_on(square) {
                sets[piece.color().index()] |= SquareSet::of(square);
            }
        }
        sets
    }

    /// The least valuable of the pieces on these squares, which are not empty, with its square: of equal ones that on
    /// the lowest.
    #[inline(always)]
    fn least_valuable(&self, squares: SquareSet) -> Option<(PieceKind, Square)> {
        least_by_square(self, squares)
    }

    /// Side to move.
    #[inline(always)]
    fn turn(&self) -> Color {
        self.state().turn()
    }

    /// Zobrist key.
    #[inline(always)]
    fn key(&self) -> u64 {
        self.state().key()
    }

    /// Key of the position after a move, before it is made, for looking ahead: a promotion, new castling rights and a
    /// new en passant square are not in it.
    #[inline(always)]
    fn likely_key_after(&self, mv: Move) -> u64 {
        let keys = self.keys();
        let us = self.turn();
        let moved = Piece::new(us, mv.piece());
        let gone = mv.captured().map_or(0, |captured| keys.piece(Piece::new(!us, captured), mv.victim_square()));
        let passed = keys.en_passant(self.state().en_passant());
        self.key() ^ keys.turn() ^ passed ^ keys.piece(moved, mv.from()) ^ keys.piece(moved, mv.to()) ^ gone
    }

    // Moves.

    /// Makes a pseudo-legal move. It may leave the own king in check: see [`is_legal`](Self::is_legal).
    #[inline(always)]
    fn make(&mut self, mv: Move) -> Undo {
        placement::make(self, mv)
    }

    /// Unmakes the move that was made last.
    #[inline(always)]
    fn unmake(&mut self, mv: Move, undo: Undo) {
        placement::unmake(self, mv, undo);
    }

    /// Makes a null move: passes the turn. Not allowed in check.
    #[inline(always)]
    fn make_null(&mut self) -> Undo {
        placement::make_null(self)
    }

    /// Unmakes a null move.
    #[inline(always)]
    fn unmake_null(&mut self, undo: Undo) {
        *self.state_mut() = undo.0;
    }

    /// Appends all pseudo-legal moves: those that may leave the own king in check, but follow all other rules. Castling
    /// is given only if it is legal.
    fn moves(&self, list: &mut MoveList);

    /// The move of these bits, if it is pseudo-legal. The bits need not be those of a move at all.
    #[inline(always)]
    fn move_of_bits(&self, bits: u32) -> Option<Move> {
        if Move::is_special_in_bits(bits) {
            return self.special_move_of_bits(bits);
        }
        let us = self.turn();
        let (from, to) = Move::squares_of_bits(bits);
        let piece = self.piece_on(from).filter(|piece| piece.color() == us)?;
        let victim = self.piece_on(to);
        if victim.is_some_and(|victim| victim.color() == us) {
            return None;
        }
        let mut kind = MoveKind::Plain;
        let reaches = if piece.kind() != Pawn {
            self.attacks_from(from).contains(to)
        } else if matches!(to.rank(), 0 | 7) {
            false
        } else if victim.is_some() {
            geometry::pawn(us, from).contains(to)
        } else {
            let steps = SquareSet::of(from).forward(us);
            let is_double = from.rank() == us.rank(1) && (to.rank() == us.rank(3));
            if is_double {
                kind = MoveKind::DoublePush;
                steps.forward(us).contains(to) && self.are_empty(steps)
            } else {
                steps.contains(to)
            }
        };
        let mv = Move::new(piece.kind(), from, to, victim.map(Piece::kind), kind);
        (reaches && mv.bits() == bits).then_some(mv)
    }

    /// The move of these bits, which castles, captures en passant or promotes, if it is pseudo-legal. Such are rare.
    #[cold]
    #[inline(never)]
    fn special_move_of_bits(&self, bits: u32) -> Option<Move> {
        let mut list = MoveList::new();
        self.moves(&mut list);
        list.iter().find(|mv| mv.bits() == bits).copied()
    }

    /// Appends the captures and promotions among the pseudo-legal moves.
    fn noisy_moves(&self, list: &mut MoveList);

    /// Appends the others among the pseudo-legal moves.
    #[inline]
    fn quiet_moves(&self, list: &mut MoveList) {
        let mut all = MoveList::new();
        self.moves(&mut all);
        all.iter().filter(|mv| mv.is_quiet()).for_each(|mv| list.push(*mv));
    }

    /// Whether a pseudo-legal move leaves the own king safe. The caller knows whether the side to move is in check; if
    /// it is not, the test is mostly one table look-up.
    fn is_legal(&self, mv: Move, in_check: bool) -> bool;

    /// Appends all legal moves.
    fn legal_moves(&self, list: &mut MoveList);

    /// Number of legal moves, counted without writing them down.
    fn count_legal_moves(&self) -> usize;

    /// Whether fifty moves have passed on either side without a capture or pawn move. (Mate comes first: ask for
    /// moves.)
    #[inline(always)]
    fn is_fifty_moves(&self) -> bool {
        self.state().halfmove_clock() >= 100
    }

    /// Told before an exchange on this board is evaluated in a search. Ordinary boards do nothing; one that counts may.
    #[inline(always)]
    fn note_exchange(&self, _mv: Move, _asker: Asker) {}

    /// Told when a search begins a task. Ordinary boards do nothing; one that measures times may.
    #[inline(always)]
    fn begin(_task: Task) {}

    /// Told when a search ends the task that it began last.
    #[inline(always)]
    fn end() {}

    // Checks and conversions; not for inner loops.

    /// The position, independent of the board.
    fn setup(&self) -> Setup {
        let state = self.state();
        Setup::trusted(Parts {
            pieces: std::array::from_fn(|i| self.piece_on(Square::wrapping(i))),
            turn: state.turn(),
            castling: state.castling(),
            en_passant: state.en_passant(),
            halfmove_clock: state.halfmove_clock().into(),
            fullmove: state.fullmove().into(),
        })
    }

    /// Whether the board's parts agree with one another: its sets with its squares, its lists with its cells.
    fn is_consistent(&self) -> bool;

    /// Key computed from scratch; the incremental one must equal it.
    fn recomputed_key(&self) -> u64 {
        key_by(self, self.keys(), self.state().en_passant())
    }

    /// Key of the position by other numbers, whatever the rule of its own key: two positions that have the same second
    /// key are taken to be the same. Computed from scratch.
    fn second_key(&self) -> u64 {
        let en_passant = self.state().en_passant().filter(|passed| placement::can_capture_en_passant(self, *passed));
        key_by(self, Keys::second(), en_passant)
    }
}

/// [`Board::least_valuable`], found by looking at every square.
#[inline(always)]
pub fn least_by_square<B: Board>(board: &B, squares: SquareSet) -> Option<(PieceKind, Square)> {
    let mut least = None;
    for square in squares {
        let kind = board.piece_on(square).map_or(King, Piece::kind);
        if least.is_none_or(|(least, _)| kind < least) {
            least = Some((kind, square));
        }
    }
    least
}

/// Key computed from scratch.
fn key_by<B: Board>(board: &B, keys: &Keys, en_passant: Option<Square>) -> u64 {
    let state = board.state();
    let pieces = Square::all().filter_map(|square| Some(keys.piece(board.piece_on(square)?, square)));
    pieces.fold(0, |key, piece| key ^ piece)
        ^ keys.castling(state.castling())
        ^ keys.en_passant(en_passant)
        ^ keys.side(state.turn())
}

/// Whether a move gives check, for castling, en passant and promotions: they may open and close several lines.
#[cold]
fn makes_check<B: Board>(board: &B, mv: Move) -> bool {
    let mut after = board.clone();
    let _ = after.make(mv);
    after.in_check()
}
