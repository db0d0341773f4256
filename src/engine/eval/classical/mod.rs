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

use super::{Evaluation, Terms};
use crate::chess::PieceKind::{self, *};
use crate::chess::{Board, Color, Piece, Score, Square, with_side};
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

/// Worth of a piece and of its square, by kind and square as its side sees it.
static WORTH: [[Mixed; Square::COUNT]; 6] = {
    let mut table = [[Mixed::new(0, 0); Square::COUNT]; 6];
    let mut kind = 0;
    while kind < PieceKind::ALL.len() {
        let mut i = 0;
        while i < Square::COUNT {
            let (piece, square) =
                (WEIGHTS[MATERIAL + kind], WEIGHTS[on_square(PieceKind::ALL[kind], Square::wrapping(i))]);
            table[kind][i] = Mixed::new(piece.0, piece.1).plus(Mixed::new(square.0, square.1));
            i += 1;
        }
        kind += 1;
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
        let (kind, color) = (piece.kind(), piece.color());
        state.sum += WORTH[kind.index()][square.seen_by(color).index()] * (color.sign() * count);
        state.material.change(piece, count);
        if kind == Pawn {
            state.pawn_key ^= pawns::key(color, square);
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
        let structure = self.pawns.structure(board, state.pawn_key, &self.terms);
        let terms = if ALL { Terms::DEFAULT } else { self.terms };
        let mut sum = state.sum + balance.sum + structure.sum();
        count_officers(&mut sum, board, &structure.facts(), &terms);
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
