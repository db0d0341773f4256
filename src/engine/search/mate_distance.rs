//! Mate distance pruning: nothing below a node is better than to mate with the next move, or worse than to be mated.
//! Where a shorter mate is known elsewhere, that is all that need be known.

use std::ops::ControlFlow::{Break, Continue};

use super::node::{Node, Tried};
use crate::chess::Score;
use crate::settings::settings;

settings! {
    /// Parameters of mate distance pruning.
    pub struct MateDistance, "feature";
    => "Mate distance pruning", "Szabo 2023", tried by ["+mate-distance"];
    is_used: bool, "mate-distance",
        "a node is left if even mate with the next move is no better than what is known";
}

impl MateDistance {
    /// Narrows the window to the scores that are possible here, and ends the node if none is left in between.
    #[inline(always)]
    pub(super) fn narrow(self, node: &mut Node) -> Tried {
        if !self.is_used || node.ply == 0 {
            return Continue(());
        }
        let ply = node.ply as u32;
        node.alpha = node.alpha.max(Score::mated_in(ply));
        node.beta = node.beta.min(Score::mate_in(ply + 1));
        if node.alpha >= node.beta { Break(Some(node.alpha)) } else { Continue(()) }
    }
}
