//! Splitting along the principal variation (Marsland and Campbell 1982): a node of the principal variation is shared
//! once its eldest brother has been searched, and no other node is.
//!
//! In *enhanced* PV splitting (Hyatt 1988), processors for which such a node has no moves any more do not wait for the
//! others: the branches that are left are split again, two plies below.

use super::open_nodes::{Opens, Policy, Teamwork};
use crate::search::{Expected, Node, Progress};
use crate::settings::settings;

settings! {
    /// Parameters of splitting along the principal variation.
    pub struct PvSplit, "parameter of strategy 'pv-split'";
    minimum_draft: i32 [1..=99 "plies"] = 2, "minimum-draft", "least draft at which a node is shared";
    deeper: i32 [0..=99 "plies"] = 0, "deeper",
        "while a processor waits for work, nodes at most so many plies below a shared one are shared, too; 2: enhanced \
         PV splitting; 0: none are";
    ..teamwork: Teamwork;
}

impl Policy for PvSplit {
    fn opens(&self, node: &Node, progress: &Progress, _: usize, below: Option<usize>) -> Opens {
        let is_near = below.is_some_and(|plies| plies <= self.deeper as usize);
        match node.expected {
            _ if node.plies() < self.minimum_draft || progress.searched == 0 => Opens::Never,
            Expected::Pv => Opens::Always,
            _ if is_near => Opens::IfAsked,
            _ => Opens::Never,
        }
    }

    fn looks_everywhere(&self) -> bool {
        false
    }

    fn teamwork(&self) -> &Teamwork {
        &self.teamwork
    }
}
