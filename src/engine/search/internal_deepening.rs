//! Internal deepening: a node without a move of the table is first searched less deep, and the move that is found there
//! comes first; or the whole node is searched less deep, since the next iteration will have a move.

use super::node::{Expected, Node, ONE_PLY};
use super::strategy::Strategy;
use super::table::Hint;
use super::worker::Worker;
use crate::chess::{Board, Score};
use crate::machine::Processor;
use crate::settings::settings;

settings! {
    /// Parameters of internal deepening.
    pub struct InternalDeepening, "feature";
    => "Internal deepening and reduction (IID, IIR)", "ColChess page (deepening); common practice (reduction)",
        tried by [
            "+internal-deepening=2", "+internal-reduction=4", "internal-deepening=2 then internal-deepening-draft=4",
        ];
    less: i32 [0..=9 "plies"], "internal-deepening",
        "a node of the principal variation without a move of the table, outside of null moves, is first searched this \
         much less deep; 0: it is not";
    draft: i32 [0..=60 "plies"], "internal-deepening-draft", "least draft of nodes that are first searched less deep";
    reduction: i32 [0..=60 "plies"], "internal-reduction",
        "least draft at which a node without a move of the table is searched one ply less deep; 0: it is not";
}

impl InternalDeepening {
    /// Whether internal deepening or its reduction is ever used.
    pub(super) const fn is_used(&self) -> bool {
        self.less > 0 || self.reduction > 0
    }
}

impl<B: Board, P: Processor, S: Strategy> Worker<'_, B, P, S> {
    /// Finds a move for a node of which the table knows none. `None` if the search was stopped.
    #[inline(always)]
    pub(super) fn deepen(&mut self, node: &mut Node, hint: Hint) -> Option<Hint> {
        if hint.is_some() || !self.features.internal_deepening.is_used() {
            return Some(hint);
        }
        let Some(shallow) = self.begin_deepening(node) else { return Some(hint) };
        self.search(shallow)?;
        Some(self.end_deepening(node))
    }

    /// The node less deep, if that is to be searched first. Otherwise the node itself may become less deep.
    #[inline(never)]
    pub(super) fn begin_deepening(&mut self, node: &mut Node) -> Option<Node> {
        let rule = self.features.internal_deepening;
        if !self.table.exists() {
            return None;
        }
        let is_wanted = rule.less > 0
            && node.expected == Expected::Pv
            // After a null move all windows are null windows.
            && node.beta > node.alpha + Score(1)
            && node.plies() >= rule.draft
            && node.draft > (rule.less + 1) * ONE_PLY
            && !node.is_again;
        if is_wanted {
            return Some(Node { draft: node.draft - rule.less * ONE_PLY, is_again: true, ..*node });
        }
        if rule.reduction > 0 && node.plies() >= rule.reduction && node.expected != Expected::All {
            node.draft -= ONE_PLY;
        }
        None
    }

    /// The move that the search less deep has found.
    pub(super) fn end_deepening(&mut self, node: &Node) -> Hint {
        let found = self.lines.from(node.ply).next();
        self.lines.clear(node.ply);
        found.into()
    }
}
