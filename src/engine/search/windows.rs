//! Windows of the search beside those of principal variation search, and what a result outside of its window says.

use std::ops::ControlFlow::Break;

use super::node::{Expected, Node, Window};
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
    /// Score of a move of a node, searched with the node's whole window, or for minimax with the widest.
    #[inline(never)]
    pub(super) fn with_full_window<W: Window>(
        &mut self,
        node: &Node,
        window: &W,
        is_eldest: bool,
        reduction: i32,
    ) -> Option<Score> {
        if self.features.minimax {
            return self.search(node.child(-Score::MATE, Score::MATE, Expected::Pv)).map(|score| -score);
        }
        let expected = node.expected.child(is_eldest);
        if reduction > 0
            && let Break(score) = self.search_reduced(node.child(-node.beta, -window.alpha(), expected), reduction)
        {
            return score;
        }
        self.search(node.child(-node.beta, -window.alpha(), expected)).map(|score| -score)
    }
}
