//! Splitting along the principal variation (Marsland and Campbell 1982): a node of the principal variation is shared
//! once its eldest brother has been searched, and no other node is.

use super::open_nodes::{Policy, Teamwork};
use crate::search::{Expected, Node, Progress};
use crate::settings::settings;

settings! {
    /// Parameters of splitting along the principal variation.
    pub struct PvSplit, "parameter of strategy 'pv-split'";
    minimum_draft: i32 [1..=99 "plies"] = 2, "minimum-draft", "least draft at which a node is shared";
    ..teamwork: Teamwork;
}

impl Policy for PvSplit {
    fn opens(&self, node: &Node, _: &Progress, _: usize) -> bool {
        node.expected == Expected::Pv && node.plies() >= self.minimum_draft
    }

    fn teamwork(&self) -> &Teamwork {
        &self.teamwork
    }
}
