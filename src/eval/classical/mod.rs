//! The evaluation of a good program without a neural network: material and squares, mobility, pawns, passed pawns,
//! kings, threats, and what is known of endings.
//!
//! It is a sum of weights (see `terms`), each counted for both sides; a middlegame and an endgame sum are mixed by the
//! material that is left, and endings scale or replace the result. Where pieces stand decides, and not the board that
//! answers where: every board gives the same score, to the last point.
//!
//! Material and squares are kept from move to move, what depends on pawns alone in a table of each worker.

mod endings;
mod king;
mod pawns;
mod pieces;
mod tally;
mod terms;
pub mod tuning;
mod weights;

use super::Evaluation;
use crate::chess::PieceKind::{self, *};
use crate::chess::{Board, Color, Move, MoveKind, Piece, Score, Square, castling};
use pawns::PawnTable;
use tally::{Mixed, Sum, Tally};
use terms::{MATERIAL, TEMPO, on_square};

/// The evaluation.
pub struct Classical;

/// State of the evaluation `classical`: sums over pieces, and the key of the pawns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct State {
    /// Material and squares, White's minus Black's.
    sum: Mixed,
    /// Key of the pawns and where they stand.
    pawn_key: u64,
    /// Material, White's minus Black's, in thousandths of a pawn.
    balance: i32,
    /// Weight of all officers: see [`WEIGHT`].
    phase: i32,
}

/// Weight of an officer, by kind, in the phase of the game.
const WEIGHT: [i32; 6] = [0, 1, 1, 2, 4, 0];
/// Weight of all officers at the beginning: then only the middlegame's sum counts.
const ALL_OFFICERS: i32 = 24;

impl State {
    #[inline(always)]
    fn put(&mut self, piece: Piece, square: Square) {
        self.change(piece, square, 1);
    }

    #[inline(always)]
    fn take(&mut self, piece: Piece, square: Square) {
        self.change(piece, square, -1);
    }

    #[inline(always)]
    fn change(&mut self, piece: Piece, square: Square, count: i32) {
        let (kind, color) = (piece.kind(), piece.color());
        let side = if color == Color::White { count } else { -count };
        let seen = seen_by(color, square);
        self.sum.add(MATERIAL + kind.index(), side);
        self.sum.add(on_square(kind, seen), side);
        self.balance += side * crate::chess::see::value(kind).0 * i32::from(kind != King);
        self.phase += count * WEIGHT[kind.index()];
        if kind == Pawn {
            self.pawn_key ^= pawns::key(color, square);
        }
    }
}

/// The square as the side sees it: its first rank is rank 1.
#[inline(always)]
pub(super) fn seen_by(color: Color, square: Square) -> Square {
    if color == Color::White { square } else { square.flipped() }
}

impl Evaluation for Classical {
    type State = State;
    type Cache = PawnTable;

    fn from_scratch<B: Board>(board: &B) -> State {
        let mut state = State::default();
        for color in Color::ALL {
            for kind in PieceKind::ALL {
                let piece = Piece::new(color, kind);
                board.squares_of(piece).for_each(|square| state.put(piece, square));
            }
        }
        state
    }

    #[inline(always)]
    fn after<B: Board>(mut state: State, board: &B, mv: Move) -> State {
        let us = board.turn();
        let piece = Piece::new(us, mv.piece());
        state.take(piece, mv.from());
        if let Some(kind) = mv.captured() {
            state.take(Piece::new(!us, kind), mv.victim_square());
        }
        state.put(mv.promoted().map_or(piece, |kind| Piece::new(us, kind)), mv.to());
        if mv.kind() == MoveKind::Castling {
            let (from, to) = castling::rook_way(mv.to());
            state.take(Piece::new(us, Rook), from);
            state.put(Piece::new(us, Rook), to);
        }
        state
    }

    #[inline(always)]
    fn material(state: State, color: Color) -> Score {
        Score(if color == Color::White { state.balance } else { -state.balance })
    }

    fn score<B: Board>(state: State, cache: &mut PawnTable, board: &B) -> Score {
        let us = board.turn();
        if let Some(score) = endings::known(board, state.phase) {
            return score;
        }
        let mut sum = Sum { mixed: state.sum };
        let pawns = cache.structure(board, state.pawn_key);
        sum.mixed += pawns.sum;
        let white = tapered(count_officers(&mut sum, board, &pawns.facts).mixed, state.phase);
        let white = endings::scale(board, &pawns.facts, white);
        Score(if us == Color::White { white } else { -white })
    }
}

/// Counts all terms that depend on more than pawns, and the side to move.
fn count_officers<'a, B: Board, T: Tally>(tally: &'a mut T, board: &B, facts: &pawns::Facts) -> &'a T {
    let attacks = pieces::count(tally, board, facts);
    king::count(tally, board, facts, &attacks);
    pawns::count_passed(tally, board, facts, &attacks);
    tally.add(TEMPO, if board.turn() == Color::White { 1 } else { -1 });
    tally
}

/// Middlegame and endgame sums mixed by the officers that are left.
fn tapered(sum: Mixed, phase: i32) -> i32 {
    let phase = phase.min(ALL_OFFICERS);
    (sum.middle * phase + sum.end * (ALL_OFFICERS - phase)) / ALL_OFFICERS
}

#[cfg(test)]
mod tests;
