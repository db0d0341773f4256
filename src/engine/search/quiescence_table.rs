//! The table in quiescence: a position that was reached before is not searched again, and its best move comes first. An
//! entry has a draft of less than a ply, the greater the wider its quiescence was; so it never ends a node of the main
//! search, and it is the first to give way.

use std::ops::ControlFlow::{self, Break, Continue};

use super::node::{Node, ONE_PLY};
use super::picker::Picker;
use super::quiescence::Quiescence;
use super::strategy::Strategy;
use super::table::{Bound, Hint};
use super::worker::Worker;
use crate::chess::see::Asker;
use crate::chess::{Board, Move, Score};
use crate::machine::{Access, Processor};
use crate::settings::settings;

settings! {
    /// Use of the table in quiescence.
    pub struct QuiescenceTable, "feature";
    => "Quiescence: transposition table", "common practice", tried by ["+quiescence-table"];
    is_used: bool, "quiescence-table",
        "the table is also asked in quiescence, and what is found there is stored";
}

/// Draft of the narrowest quiescence.
const NARROWEST: i32 = 1;

impl Quiescence {
    /// Draft of quiescence at this number of plies below the horizon: greater where it is wider.
    fn draft(&self, level: i32) -> i32 {
        let widest = self.checks.max(self.pushes).max(self.full);
        (NARROWEST + (widest - level).max(0)).min(ONE_PLY - 1)
    }
}

impl<B: Board, P: Processor, S: Strategy> Worker<'_, B, P, S> {
    /// Asks the table in quiescence: the score that it has, or the position as a node with the move to try first.
    pub(super) fn recall(
        &mut self,
        (alpha, beta): (Score, Score),
        ply: usize,
        level: i32,
    ) -> ControlFlow<Score, (Node, Hint)> {
        let node = Node { ply, ..Node::root(self.features.quiescence.draft(level), alpha, beta, false) };
        let found = self.probe(&node);
        match self.known_score(&found) {
            Some(score) => Break(score),
            None => Continue((Node { once_pv: self.plan.marks_pv && found.once_pv, ..node }, found.hint)),
        }
    }

    /// Picks the capture or promotion that the table knows, if it is among those left and wins more than this.
    pub(super) fn pick_known(&mut self, picker: &mut Picker, hint: Hint, too_little: Score) -> Option<Move> {
        let place = (picker.next..picker.end).find(|place| hint.is(self.moves[*place].mv))?;
        let mv = self.moves[place].mv;
        let gain = if mv.is_capture() {
            self.plan.exchange_value(&self.board, mv, Asker::Quiescence)
        } else {
            self.wins_at_most(mv)
        };
        if gain <= too_little || gain < Score(0) && !self.features.losing_captures {
            return None;
        }
        self.moves.swap(place, picker.next);
        picker.next += 1;
        Some(mv)
    }

    /// Stores the score of a position in quiescence, with the move that raised it or the one that was known.
    pub(super) fn keep(&mut self, node: &Node, score: Score, best: Option<Move>, hint: Hint) {
        let bound = if score >= node.beta {
            Bound::Lower
        } else if score > node.alpha {
            Bound::Exact
        } else {
            Bound::Upper
        };
        self.processor.touch(Access::Free);
        self.remember(node, score, bound, Hint::from(best).or(hint));
    }
}
