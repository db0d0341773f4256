//! Reductions by more than draft and number: a move that has often cut elsewhere is reduced less, one that failed
//! more; where a cutoff is expected, late moves are reduced more, and where the principal variation once was, less.

use super::node::{Expected, Node, ONE_PLY};
use super::quiet_history::Histories;
use super::strategy::Strategy;
use super::worker::Worker;
use crate::chess::see::Asker;
use crate::chess::{Board, Move, Score};
use crate::machine::Processor;
use crate::settings::settings;

settings! {
    /// Parameters of what reductions depend on beside draft and number of the move.
    pub struct FurtherReductions, "feature";
    => "Late moves: what else reductions depend on",
        "common practice (Stockfish: history, expected CUT nodes, captures, once of the principal variation)",
        tried by [
            "reductions=logarithms,reductions-after=3,reductions-slope=40 then +reductions-history=1000",
            "reductions=roots,reductions-after=3 then +reductions-cut=100",
            "reductions=roots,reductions-after=2 then +reductions-losing-captures",
            "reductions=roots,reductions-after=2,+reductions-any-move then +reductions-less-captures=100",
            "reductions=roots,reductions-after=1 then +reductions-once-pv=100",
        ];
    history: i32 [0..=60_000 "units of history"], "reductions-history",
        "amount of history by which a quiet move is reduced one ply less, or, if it is negative, one ply more; the \
         histories of 'continuation-history' and 'pawn-history' count too; 0: history does not matter";
    cut: i32 [0..=300 "hundredths of a ply"], "reductions-cut",
        "amount by which moves are reduced more at nodes that are expected to cut";
    once_pv: i32 [0..=300 "hundredths of a ply"], "reductions-once-pv",
        "amount by which moves are reduced less at nodes of the principal variation, and at those that the table says \
         were once of it; entries of the table carry a mark for this";
    losing_captures: bool, "reductions-losing-captures",
        "captures that come late are reduced too if they lose by exchanges";
    less_captures: i32 [0..=300 "hundredths of a ply"], "reductions-less-captures",
        "amount by which captures and promotions that are reduced are reduced less than quiet moves";
}

impl FurtherReductions {
    /// Whether reductions depend on anything here.
    pub(super) fn are_used(&self) -> bool {
        *self != Self::NOTHING
    }

    /// Whether nodes are marked that once were of the principal variation.
    pub(super) fn need_marks(&self) -> bool {
        self.once_pv > 0
    }
}

impl<B: Board, P: Processor, S: Strategy> Worker<'_, B, P, S> {
    /// Whether a move that is not quiet is reduced if it comes late.
    #[inline(never)]
    pub(super) fn is_reduced_capture(&self, mv: Move) -> bool {
        self.features.further_reductions.losing_captures
            && mv.is_capture()
            && !self.plan.exchange_reaches(&self.board, mv, Score(0), Asker::Pruning)
    }

    /// Change of the reduction of a move, in hundredths of a ply.
    #[inline(never)]
    pub(super) fn further_reduction(&self, node: &Node, mv: Move) -> i32 {
        let rule = self.features.further_reductions;
        let mut more = 0;
        if node.expected == Expected::Cut {
            more += rule.cut;
        }
        if node.once_pv {
            more -= rule.once_pv;
        }
        if !mv.is_quiet() {
            more -= rule.less_captures;
        } else if rule.history > 0 {
            more -= ONE_PLY * self.history_of(node, mv) / rule.history;
        }
        more
    }

    /// History of a quiet move, with those of its contexts.
    fn history_of(&self, node: &Node, mv: Move) -> i32 {
        if self.strategy.histories() != Histories::Private {
            self.processor.touch(self.quiet.reading(2));
        }
        let plain = self.quiet.of(self.board.turn(), mv, node.ply);
        if self.plan.has_contexts { plain + self.in_contexts(node, mv) } else { plain }
    }
}
