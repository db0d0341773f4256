//! The second search of a reduced move: a move that was reduced in vain is searched again deeper than its brothers if it
//! turned out much better than alpha, and less deep if hardly.

use super::node::{Node, ONE_PLY};
use super::strategy::Strategy;
use super::worker::Worker;
use crate::chess::{Board, Score};
use crate::machine::Processor;
use crate::settings::settings;

settings! {
    /// Parameters of the second search of reduced moves.
    pub struct SecondSearch, "feature";
    => "Late moves: depth of the second search", "common practice (Stockfish)",
        tried by [
            "reductions=roots,reductions-after=1 then +second-search-deeper=300",
            "reductions=roots,reductions-after=1 then +second-search-shallower=300",
        ];
    deeper: i32 [0..=20_000 "thousandths of a pawn"], "second-search-deeper",
        "a reduced move that is better than alpha by this much is searched again one ply deeper than other moves; 0: \
         none is";
    shallower: i32 [0..=20_000 "thousandths of a pawn"], "second-search-shallower",
        "a move that was reduced by two plies or more, and is better than alpha by less than this, is searched again \
         one ply less deep than other moves; 0: none is";
}

/// Reduction from which on the second search may be less deep, and still deeper than the first.
const LEAST_REDUCTION: i32 = 2 * ONE_PLY;

impl SecondSearch {
    /// Whether any second search is of another depth.
    pub(super) const fn is_used(&self) -> bool {
        self.deeper > 0 || self.shallower > 0
    }
}

impl<B: Board, P: Processor, S: Strategy> Worker<'_, B, P, S> {
    /// Draft that the second search of a move has beside its own. `above` is the amount by which the first, this much
    /// less deep, was better than alpha.
    #[inline(never)]
    pub(super) fn change_of_second_search(&self, node: &Node, above: Score, reduction: i32) -> i32 {
        let rule = self.features.second_search;
        if rule.deeper > 0 && above >= Score(rule.deeper) {
            return if self.may_lengthen(node) { ONE_PLY } else { 0 };
        }
        if above < Score(rule.shallower) && reduction >= LEAST_REDUCTION { -ONE_PLY } else { 0 }
    }

    /// Whether a line may become longer here by what its moves turn out to be.
    #[inline(always)]
    pub(super) fn may_lengthen(&self, node: &Node) -> bool {
        node.ply as i32 * ONE_PLY < 2 * self.iteration
    }
}
