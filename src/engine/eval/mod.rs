//! Static evaluation: what a position is worth without looking ahead.
//!
//! An [`Evaluation`] keeps a small state for each ply of the line that is being searched, so that a move costs only
//! what it changes, and makes a score of state and board. The search is compiled once for all evaluations: which one a
//! search uses is the feature `evaluation`, and [`State`] and [`Cache`] lead to it by a `match` that never changes its
//! mind.
//!
//! Another evaluation is one folder and one line of `evaluations!`; the feature, its name in lists and the tests that
//! hold for every evaluation follow from that line.

mod terms;

use std::fmt::Debug;

use crate::chess::{Board, Color, Move, MoveKind, Piece, PieceKind, Score, Square, castling};
use crate::choices::choices;

pub use terms::Terms;

/// A static evaluation of positions.
pub trait Evaluation {
    /// State that is kept for each ply and changed by each move. It is copied at every move, so it should be small, and
    /// a null move leaves it as it is, so it must not depend on the side to move. The default is that of an empty
    /// board.
    type State: Copy + Debug + Default + PartialEq;

    /// Memory of a worker from one evaluation to the next, such as a hash table of pawn structures, and the terms that
    /// it evaluates by if they can be left out; `()` for nothing.
    type Cache: Default;

    /// An empty cache, for an evaluation with these terms; an evaluation that has none of them ignores them.
    fn cache(_terms: &Terms) -> Self::Cache {
        Self::Cache::default()
    }

    /// Whether a change is so cheap that the search carries its code wherever it makes a move.
    const IS_INLINED: bool = false;

    /// Counts a piece on a square in the state, or with a count of -1 one that is taken away.
    fn change(state: &mut Self::State, piece: Piece, square: Square, count: i32);

    /// State of a position, computed from scratch.
    #[inline]
    fn from_scratch<B: Board>(board: &B) -> Self::State {
        let mut state = Self::State::default();
        for piece in Piece::all() {
            board.squares_of(piece).for_each(|square| Self::change(&mut state, piece, square, 1));
        }
        state
    }

    /// Makes `next` the state after a move. The board is as it was before the move.
    #[inline(always)]
    fn advance<B: Board>(state: &Self::State, next: &mut Self::State, board: &B, mv: Move) {
        advance_by_changes::<Self, B>(state, next, board, mv);
    }

    /// Number of the pawns and where they stand, if the state keeps it.
    fn pawn_key(_state: &Self::State) -> u64 {
        0
    }

    /// Material of a side minus that of its opponent: what delta pruning adds captures to, and the centre of the first
    /// aspiration window.
    fn material(state: Self::State, color: Color) -> Score;

    /// Score of the position for the side to move. The state is that of this board.
    fn score<B: Board>(state: Self::State, cache: &mut Self::Cache, board: &B) -> Score;
}

/// The state after a move, by a change for each piece that leaves a square or comes to one.
#[inline(always)]
fn advance_by_changes<E: Evaluation + ?Sized, B: Board>(state: &E::State, next: &mut E::State, board: &B, mv: Move) {
    let (mut after, us) = (*state, board.turn());
    let piece = Piece::new(us, mv.piece());
    E::change(&mut after, piece, mv.from(), -1);
    if let Some(kind) = mv.captured() {
        E::change(&mut after, Piece::new(!us, kind), mv.victim_square(), -1);
    }
    E::change(&mut after, mv.promoted().map_or(piece, |kind| Piece::new(us, kind)), mv.to(), 1);
    if mv.kind() == MoveKind::Castling {
        let (from, to) = castling::rook_way(mv.to());
        E::change(&mut after, Piece::new(us, PieceKind::Rook), from, -1);
        E::change(&mut after, Piece::new(us, PieceKind::Rook), to, 1);
    }
    *next = after;
}

/// [`Evaluation::advance`], compiled once: the search of one evaluation does not carry it for all others wherever it
/// makes a move.
#[inline(never)]
fn advance_apart<E: Evaluation, B: Board>(state: &E::State, next: &mut E::State, board: &B, mv: Move) {
    E::advance(state, next, board, mv);
}

/// Declares the evaluations that a search can choose from: a module, and in it a type that implements [`Evaluation`].
macro_rules! evaluations {
    ($( $(#[doc = $meaning:literal])+ $Item:ident $name:literal in $module:ident, )+) => {
        $( pub mod $module; )+

        choices! {
            /// Choice of an evaluation.
            pub enum Evaluator, "evaluation";
            $( $(#[doc = $meaning])+ $Item $name, )+
        }

        /// [`Evaluation::State`] of the chosen evaluation. With one evaluation to choose from, it is that evaluation's.
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub enum State {
            $( #[doc = concat!("That of `", $name, "`.")] $Item(<$module::$Item as Evaluation>::State), )+
        }

        /// [`Evaluation::Cache`] of the chosen evaluation.
        pub enum Cache {
            $( #[doc = concat!("That of `", $name, "`.")] $Item(<$module::$Item as Evaluation>::Cache), )+
        }

        impl Evaluator {
            /// An empty cache, for an evaluation with these terms.
            pub fn cache(self, terms: &Terms) -> Cache {
                match self {
                    $( Self::$Item => Cache::$Item($module::$Item::cache(terms)), )+
                }
            }

            /// State of a position, computed from scratch.
            #[inline(always)]
            pub fn from_scratch<B: Board>(self, board: &B) -> State {
                match self {
                    $( Self::$Item => State::$Item($module::$Item::from_scratch(board)), )+
                }
            }
        }

        impl State {
            /// Makes `next` the state after a move. The board is as it was before the move.
            #[inline(always)]
            pub fn advance<B: Board>(&self, next: &mut Self, board: &B, mv: Move) {
                // Each arm writes its own bytes only, and in place: states of other evaluations may be much larger.
                match self {
                    $( Self::$Item(state) => {
                        if !matches!(next, Self::$Item(_)) {
                            *next = Self::$Item(*state);
                        }
                        #[allow(irrefutable_let_patterns)] // with one evaluation
                        let Self::$Item(next) = next else { unreachable!() };
                        if $module::$Item::IS_INLINED {
                            $module::$Item::advance(state, next, board, mv);
                        } else {
                            advance_apart::<$module::$Item, B>(state, next, board, mv);
                        }
                    } )+
                }
            }

            /// State after a move. The board is as it was before the move.
            #[must_use]
            pub fn after<B: Board>(self, board: &B, mv: Move) -> Self {
                let mut next = self;
                self.advance(&mut next, board, mv);
                next
            }

            /// Makes `next` this state.
            #[inline(always)]
            pub fn keep(&self, next: &mut Self) {
                match self {
                    $( Self::$Item(state) => *next = Self::$Item(*state), )+
                }
            }

            /// Size of the state of the chosen evaluation.
            pub fn bytes(&self) -> usize {
                match self {
                    $( Self::$Item(state) => size_of_val(state), )+
                }
            }

            /// Number of the pawns and where they stand, if the chosen evaluation keeps it.
            #[inline(always)]
            pub fn pawn_key(&self) -> u64 {
                match self {
                    $( Self::$Item(state) => $module::$Item::pawn_key(state), )+
                }
            }

            /// Material of a side minus that of its opponent.
            #[inline(always)]
            pub fn material(self, color: Color) -> Score {
                match self {
                    $( Self::$Item(state) => $module::$Item::material(state, color), )+
                }
            }

            /// Score of the position for the side to move. State and cache are of one evaluation.
            #[inline(always)]
            pub fn score<B: Board>(&self, cache: &mut Cache, board: &B) -> Score {
                #[allow(unreachable_patterns)] // with one evaluation there are no others to confuse it with
                match (self, cache) {
                    $( (Self::$Item(state), Cache::$Item(cache)) => $module::$Item::score(*state, cache, board), )+
                    (state, _) => unreachable!("{state:?} beside another evaluation's cache"),
                }
            }
        }

        /// Cache that is never asked.
        impl Default for Cache {
            fn default() -> Self {
                Evaluator::ALL[0].cache(&Terms::DEFAULT)
            }
        }

        /// State of a ply that no line has reached yet.
        impl Default for State {
            fn default() -> Self {
                match Evaluator::ALL[0] {
                    $( Evaluator::$Item => Self::$Item(Default::default()), )+
                }
            }
        }
    };
}

evaluations! {
    /// Material and piece squares of the 2004 thesis.
    Thesis "thesis" in thesis,
    /// Material and squares, mobility, pawns, kings, threats, and what is known of endings.
    Classical "classical" in classical,
    /// Pieces and squares, mobility and safety of kings of "Chess Engine AI" (Szabo 2023).
    Liverpool "liverpool" in liverpool,
    /// Attackers and defenders of every square, pieces by the stage of the game, and pawns of ColChess (Frayn).
    ColChess "colchess" in colchess,
}

#[cfg(test)]
mod tests;
