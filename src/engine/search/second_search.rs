//! The second search of a reduced move: one that was reduced in vain is searched again deeper than its brothers if it
//! turned out much better than alpha, and less deep if hardly. How much better it is only a search with `fail-soft` can
//! tell; without, nearly every such move is better by the least amount that there is.

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
            "reductions=roots,reductions-after=1,+fail-soft then +second-search-deeper=300",
            "reductions=roots,reductions-after=1,+fail-soft then +second-search-shallower=300",
        ];
    deeper: i32 [0..=20_000 "thousandths of a pawn"], "second-search-deeper",
        "with 'fail-soft', a reduced move that is better than alpha by this much is searched again one ply deeper than \
         other moves; 0: none is";
    shallower: i32 [0..=20_000 "thousandths of a pawn"], "second-search-shallower",
        "with 'fail-soft', a move that was reduced by two plies or more, and is better than alpha by less than this, \
         is searched again one ply less deep than other moves; 0: none is";
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
    /// Child of a move whose first search, this much less deep, had a score above alpha, as it is searched again.
    #[inline(never)]
    pub(super) fn second_search(&self, node: &Node, (alpha, score): (Score, Score), reduction: i32) -> Node {
        let (rule, above) = (self.features.second_search, score - alpha);
        let mut child = node.narrow_child(alpha);
        if rule.deeper > 0 && above >= Score(rule.deeper) {
            child.deepen_by(if self.may_lengthen(node) { ONE_PLY } else { 0 });
        } else if above < Score(rule.shallower) && reduction >= LEAST_REDUCTION {
            child.deepen_by(-ONE_PLY);
        }
        child
    }

    /// Whether a line may become longer here by what its moves turn out to be.
    #[inline(always)]
    pub(super) fn may_lengthen(&self, node: &Node) -> bool {
        node.ply as i32 * ONE_PLY < 2 * self.iteration
    }
}
