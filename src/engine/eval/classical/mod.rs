//! The evaluation of a good program without a neural network: material and squares, mobility, pawns, passed pawns,
//! kings, threats, and what is known of endings.
//!
//! It is a sum of weights (see `terms`), each counted for both sides; a middlegame and an endgame sum are mixed by the
//! material that is left, and endings scale or replace the result. Where pieces stand decides, and not the board that
//! answers where: every board gives the same score, to the last point.
//!
//! Material and squares are kept from move to move; what depends on material alone, or on pawns and kings alone, is
//! in tables of each worker, and so are the scores of the positions that it has evaluated last.

mod attacks;
mod balance;
mod endings;
mod king;
mod material;
mod pawns;
mod pieces;
mod scores;
mod tally;
mod terms;
pub mod tuning;
mod weights;

use super::{Evaluation, Terms, advance_by_changes};
use crate::chess::PieceKind::{self, *};
use crate::chess::{Board, Color, Move, MoveKind, Piece, Score, Square, with_side};
use balance::MaterialTable;
use material::{ALL_OFFICERS, Material};
use pawns::PawnTable;
use scores::ScoreTable;
use tally::{Mixed, Tally};
use terms::{MATERIAL, TEMPO, on_square};
use weights::WEIGHTS;

/// The evaluation.
pub struct Classical;

/// State of the evaluation `classical`: sums over pieces, and the key of the pawns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct State {
    /// Worth of pieces and of their squares, White's minus Black's.
    sum: Mixed,
    /// Key of the pawns and where they stand.
    pawn_key: u64,
    material: Material,
}

/// Memory of a worker, and the terms that it evaluates by.
pub struct Memory {
    terms: Terms,
    has_all_terms: bool,
    material: MaterialTable,
    pawns: PawnTable,
    scores: ScoreTable,
}

impl Memory {
    fn new(terms: &Terms) -> Self {
        Self {
            terms: *terms,
            has_all_terms: *terms == Terms::DEFAULT,
            material: MaterialTable::new(),
            pawns: PawnTable::new(terms),
            scores: ScoreTable::new(),
        }
    }
}

/// Memory of a worker that evaluates by all terms.
impl Default for Memory {
    fn default() -> Self {
        Self::new(&Terms::DEFAULT)
    }
}

/// Bound of all scores: nine queens and all else must not look like a mate.
const MOST: i32 = 120_000;

/// Worth of a piece and of its square, White's minus Black's, by the piece's code and the square.
static WORTH: [[Mixed; Square::COUNT]; 16] = {
    let mut table = [[Mixed::new(0, 0); Square::COUNT]; 16];
    let mut i = 0;
    while i < PieceKind::ALL.len() * Square::COUNT {
        let (kind, square) = (PieceKind::ALL[i / Square::COUNT], Square::wrapping(i));
        let (piece, here) = (WEIGHTS[MATERIAL + kind.index()], WEIGHTS[on_square(kind, square)]);
        let (middle, end) = (piece.0 + here.0, piece.1 + here.1);
        let black = square.seen_by(Color::Black);
        table[Piece::new(Color::White, kind).code()][square.index()] = Mixed::new(middle, end);
        table[Piece::new(Color::Black, kind).code()][black.index()] = Mixed::new(-middle, -end);
        i += 1;
    }
    table
};

impl Evaluation for Classical {
    type State = State;
    type Cache = Memory;

    fn cache(terms: &Terms) -> Memory {
        Memory::new(terms)
    }

    #[inline(always)]
    fn change(state: &mut State, piece: Piece, square: Square, count: i32) {
        state.sum += WORTH[piece.code()][square.index()] * count;
        state.material.change(piece, count);
        if piece.kind() == Pawn {
            state.pawn_key ^= pawns::key(piece.color(), square);
        }
    }

    #[inline(always)]
    fn advance<B: Board>(state: &State, next: &mut State, board: &B, mv: Move) {
        let (piece, from, to) = (Piece::new(board.turn(), mv.piece()), mv.from(), mv.to());
        let is_plain = matches!(mv.kind(), MoveKind::Plain | MoveKind::DoublePush) && !mv.is_capture();
        if !is_plain {
            return advance_by_changes::<Self, B>(state, next, board, mv);
        }
        // The material stays, and most moves are such.
        let worth = &WORTH[piece.code()];
        next.sum = state.sum + worth[to.index()] + worth[from.index()] * -1;
        next.material = state.material;
        next.pawn_key = state.pawn_key;
        if piece.kind() == Pawn {
            next.pawn_key ^= pawns::key(piece.color(), from) ^ pawns::key(piece.color(), to);
        }
    }

    #[inline(always)]
    fn material(state: State, color: Color) -> Score {
        Score(color.sign() * state.material.balance())
    }

    #[inline(always)]
    fn pawn_key(state: &State) -> u64 {
        state.pawn_key
    }

    fn score<B: Board>(state: State, memory: &mut Memory, board: &B) -> Score {
        let key = with_side(board.key(), board.turn());
        if let Some(score) = memory.scores.find(key) {
            return score;
        }
        let score = memory.evaluate(state, board);
        memory.scores.remember(key, score);
        score
    }
}

impl Memory {
    /// Score of a position for the side to move.
    #[inline(never)]
    fn evaluate<B: Board>(&mut self, state: State, board: &B) -> Score {
        if self.has_all_terms {
            self.evaluate_by::<true, B>(state, board)
        } else {
            self.evaluate_by::<false, B>(state, board)
        }
    }

    /// Score by all terms, for which then nothing has to be asked, or by those that are not left out.
    #[inline(always)]
    fn evaluate_by<const ALL: bool, B: Board>(&mut self, state: State, board: &B) -> Score {
        let balance = self.material.balance(state.material, &self.terms);
        if let Some(score) = balance.plan.known(board, state.material) {
            return score;
        }
        let pawns = pawns::pawns_of(board);
        let structure = self.pawns.structure(board, pawns, state.pawn_key, &self.terms);
        let terms = if ALL { Terms::DEFAULT } else { self.terms };
        let mut sum = state.sum + balance.sum + structure.sum();
        count_officers(&mut sum, board, &structure.facts(pawns), &terms);
        let white = balance.plan.scale(board, tapered(sum, balance.phase)).clamp(-MOST, MOST);
        Score(board.turn().sign() * white)
    }
}

/// Counts all terms that depend on more than material, or pawns and kings.
#[inline(always)]
fn count_officers<B: Board, T: Tally>(tally: &mut T, board: &B, facts: &pawns::Facts, terms: &Terms) {
    let attacks = pieces::count(tally, board, facts, terms);
    if terms.king_attack {
        king::count_attacks(tally, &attacks);
    }
    if terms.passed_pawns {
        pawns::count_passed(tally, board, facts, &attacks, terms.passed_exchange);
    }
    if terms.tempo {
        tally.add(TEMPO, board.turn().sign());
    }
}

/// Middlegame and endgame sums mixed by the officers that are left.
#[inline(always)]
fn tapered(sum: Mixed, phase: i32) -> i32 {
    (sum.middle() * phase + sum.end() * (ALL_OFFICERS - phase)) / ALL_OFFICERS
}

#[cfg(test)]
mod tests;
