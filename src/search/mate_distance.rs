//! Mate distance pruning: nothing below a node is better than to mate with the next move, or worse than to be mated.
//! Where a shorter mate is known elsewhere, that is all that need be known.

use super::node::Node;
use crate::chess::Score;
use crate::settings::settings;

settings! {
    /// Parameters of mate distance pruning.
    pub struct MateDistance, "feature";
    => "Mate distance pruning", "Szabo 2023";
    is_used: bool, "mate-distance",
        "a node is left if even mate with the next move is no better than what is known";
}

impl MateDistance {
    /// Narrows the window to the scores that are possible here. The score, if none is left in between.
    #[inline(always)]
    pub(super) fn narrow(self, node: &mut Node) -> Option<Score> {
        if !self.is_used || node.ply == 0 {
            return None;
        }
        let ply = node.ply as u32;
        node.alpha = node.alpha.max(Score::mated_in(ply));
        node.beta = node.beta.min(Score::mate_in(ply + 1));
        (node.alpha >= node.beta).then_some(node.alpha)
    }
}
