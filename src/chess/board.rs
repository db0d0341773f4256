//! What a chess program must be able to ask of a position: the eight questions of the 2004 thesis, and making, unmaking and
//! generating moves. Whatever answers them is a board representation; nothing above this room knows which one it has.

use std::fmt::Debug;

use super::history::{History, Repetitions};
use super::moves::{Move, MoveList};
use super::placement::{self, Placement};
use super::setup::{Parts, Setup};
use super::state::{State, Undo};
use super::zobrist::Keys;
use super::{Color, Piece, PieceKind::*, Square, SquareSet};

/// This processor cannot run a representation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what} needs {needs}, which this processor does not have; use {instead}")]
pub struct Unsupported {
    /// What was asked for.
    pub what: &'static str,
    /// The missing feature.
    pub needs: &'static str,
    /// What does the same without it.
    pub instead: &'static str,
}

/// Bytes of a board by what they are for, and of the tables that all boards of the process share.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Footprint {
    /// What stands on each square.
    pub squares: usize,
    /// Sets of squares, rotated ones included.
    pub bitboards: usize,
    /// Lists of pieces, and how long they are.
    pub piece_lists: usize,
    /// Where each piece is in its list.
    pub index_board: usize,
    /// Key, clocks, castling, en passant, side to move.
    pub state: usize,
    /// The reference to the Zobrist keys, and padding.
    pub other: usize,
    /// The whole board: what a plain copy copies.
    pub total: usize,
    /// Game history: in none of the boards; each reversible ply takes this much beside it.
    pub history_per_ply: usize,
    /// Shared, read-only tables for sliding on bitboards.
    pub slider_tables: usize,
    /// Shared, read-only tables of the board's geometry.
    pub other_tables: usize,
}

/// A position in some representation. Boards are equal if all their bytes are, but for the order of piece lists.
///
/// Every move given to a board must come from it: generated in the present position, or one that compares equal to such a
/// move. Making a pseudo-legal move that leaves the king in check is allowed; what can be asked then is everything but
/// moves.
pub trait Board: Placement + Clone + Debug + PartialEq + Send + Sync + 'static {
    /// A board without pieces.
    fn empty(state: State, keys: &'static Keys) -> Result<Self, Unsupported>;

    /// The position on a new board, with keys from these numbers.
    fn set_up(setup: &Setup, keys: &'static Keys) -> Result<Self, Unsupported> {
        let mut board = Self::empty(State::of(setup), keys)?;
        for (square, piece) in setup.pieces() {
            board.put(piece, square);
        }
        placement::settle(&mut board);
        Ok(board)
    }

    /// The part of the position that is not pieces.
    fn state(&self) -> &State;

    /// The numbers of which the key is made.
    fn keys(&self) -> &'static Keys;

    /// Bytes of the parts that only this representation has.
    fn own_footprint() -> Footprint;

    /// Bytes by part.
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

    /// Where this side's king stands.
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

    /// How many squares the piece on this square attacks.
    #[inline(always)]
    fn mobility(&self, square: Square) -> u32 {
        self.attacks_from(square).len()
    }

    /// The pieces of both colours that attack `target` once the squares in `gone` are empty, as far as they stand on the
    /// line from `target` through `vacated`, a square of `gone`; others that attack `target` then may be named as well.
    fn revealed_attackers(&self, target: Square, vacated: Square, gone: SquareSet) -> SquareSet;

    /// Who attacks `target`, by colour, once the squares in `gone` are empty.
    #[inline(always)]
    fn attackers_without(&self, target: Square, gone: SquareSet) -> [SquareSet; 2] {
        let [mut white, mut black] = [self.attackers(target, Color::White), self.attackers(target, Color::Black)];
        for vacated in gone {
            for attacker in self.revealed_attackers(target, vacated, gone) {
                match self.piece_on(attacker).map(Piece::color) {
                    Some(Color::White) => white |= SquareSet::of(attacker),
                    Some(Color::Black) => black |= SquareSet::of(attacker),
                    None => {}
                }
            }
        }
        [white - gone, black - gone]
    }

    /// Whose turn it is.
    #[inline(always)]
    fn turn(&self) -> Color {
        self.state().turn()
    }

    /// The Zobrist key.
    #[inline(always)]
    fn key(&self) -> u64 {
        self.state().key()
    }

    // Moves.

    /// Makes a move. It may leave the own king in check: see [`is_legal`](Self::is_legal).
    #[inline(always)]
    fn make(&mut self, mv: Move) -> Undo {
        placement::make(self, mv)
    }

    /// Takes back the move that was made last.
    #[inline(always)]
    fn unmake(&mut self, mv: Move, undo: Undo) {
        placement::unmake(self, mv, undo);
    }

    /// Passes the turn. Not to be done in check.
    #[inline(always)]
    fn make_null(&mut self) -> Undo {
        placement::make_null(self)
    }

    /// Takes back a null move.
    #[inline(always)]
    fn unmake_null(&mut self, undo: Undo) {
        *self.state_mut() = undo.0;
    }

    /// Appends all pseudo-legal moves: they follow the rules but for the safety of the own king. Castling is given only
    /// if it is legal.
    fn moves(&self, list: &mut MoveList);

    /// Appends the captures and promotions among the pseudo-legal moves.
    fn noisy_moves(&self, list: &mut MoveList);

    /// Whether a pseudo-legal move leaves the own king safe. The caller knows whether the side to move is in check; if it
    /// is not, the test is mostly a look at one table.
    fn is_legal(&self, mv: Move, in_check: bool) -> bool;

    /// Appends all legal moves.
    fn legal_moves(&self, list: &mut MoveList);

    /// How many legal moves there are, without writing them down.
    fn count_legal_moves(&self) -> usize;

    // The end of the game.

    /// Whether fifty moves have passed on either side without a capture or pawn move. (Mate comes first: ask for moves.)
    #[inline(always)]
    fn is_fifty_moves(&self) -> bool {
        self.state().halfmove_clock() >= 100
    }

    /// How often the position has occurred before.
    #[inline(always)]
    fn repetitions(&self, history: &History) -> Repetitions {
        history.repetitions(self.state())
    }

    /// Whether neither side could ever give mate: bare kings, one minor piece, or bishops of one colour only.
    fn is_material_insufficient(&self) -> bool {
        let count = |kind| Color::ALL.map(|color| self.count(Piece::new(color, kind))).iter().sum::<u32>();
        if [Pawn, Rook, Queen].into_iter().any(|kind| count(kind) > 0) {
            return false;
        }
        let (knights, bishops) = (count(Knight), count(Bishop));
        if knights + bishops <= 1 {
            return true;
        }
        let all_bishops = Color::ALL.into_iter().flat_map(|color| self.squares_of(Piece::new(color, Bishop)));
        let light = all_bishops.filter(|square| square.is_light()).count() as u32;
        knights == 0 && (light == 0 || light == bishops)
    }

    // Checks and conversions; not for inner loops.

    /// The position written down.
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

    /// The key computed from nothing, which the incremental one must equal.
    fn recomputed_key(&self) -> u64 {
        let (keys, state) = (self.keys(), self.state());
        let pieces = Square::all().filter_map(|square| Some(keys.piece(self.piece_on(square)?, square)));
        pieces.fold(0, |key, piece| key ^ piece)
            ^ keys.castling(state.castling())
            ^ keys.en_passant(state.en_passant())
            ^ keys.side(state.turn())
    }
}
