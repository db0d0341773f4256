//! Windows of the search beside those of principal variation search, and what a result outside of its window says.

use super::node::{Expected, Node};
use super::strategy::Strategy;
use super::worker::Worker;
use crate::chess::{Board, Score};
use crate::machine::Processor;
use crate::settings::settings;

settings! {
    /// Parameters of windows.
    pub struct Windows, "feature";
    => "Windows", "ColChess page (null windows); Szabo 2023 (fail-hard)", tried by ["+full-windows", "+fail-hard"];
    are_full: bool, "full-windows",
        "every move is searched with the whole window of its node at once: alpha-beta without the null windows of \
         principal variation search";
    fail_hard: bool, "fail-hard",
        "a score above beta is returned and stored as beta; off: as it was found. A score below alpha is alpha either \
         way";
}

impl<B: Board, P: Processor, S: Strategy> Worker<'_, B, P, S> {
    /// Child of a node that is searched with the node's whole window, or for minimax with the widest.
    #[inline(never)]
    pub(super) fn with_full_window(&self, node: &Node, alpha: Score, is_eldest: bool) -> Node {
        if self.features.minimax {
            return node.child(-Score::MATE, Score::MATE, Expected::Pv);
        }
        node.child(-node.beta, -alpha, node.expected.child(is_eldest))
    }
}
