//! Splitting along the principal variation (Marsland and Campbell 1982): a node of the principal variation is shared once
//! its eldest brother has been searched, and no other node is.

use super::handover::Copy;
use super::open_nodes::{Manners, Policy};
use crate::search::{Expected, Histories, Killers, Node, Progress};
use crate::settings::settings;

settings! {
    /// What can be chosen about splitting along the principal variation.
    pub struct PvSplit, "parameter of splitting along the principal variation";
    minimum_draft: i32 [1..=99 "plies"], "minimum-draft", "a node with less draft is not shared";
    histories: Histories, "history", "all workers use one history of quiet moves, or each its own, or each its own and they are merged before each iteration";
    killers: Killers, "killers", "a helper begins with the owner's killer moves, with none, or with those of its own last work";
    copy: Copy, "copy", "how a position reaches a helper: the board as it is, or squares and state, of which the helper rebuilds it";
    helpful_master: bool, "helpful-master", "an owner that waits for its helpers helps below its own node meanwhile";
    gives_back: bool, "gives-back", "while a move that is better than alpha is searched with the open window, its brothers are given back and searched later, with the new alpha";
}

impl Default for PvSplit {
    fn default() -> Self {
        Self {
            minimum_draft: 2,
            histories: Histories::Shared,
            killers: Killers::Copied,
            copy: Copy::Whole,
            helpful_master: true,
            gives_back: true,
        }
    }
}

impl Policy for PvSplit {
    fn opens(&self, node: &Node, _: &Progress, _: usize, _: usize) -> bool {
        node.expected == Expected::Pv && node.plies() >= self.minimum_draft
    }

    fn manners(&self) -> Manners {
        Manners {
            histories: self.histories,
            copy: self.copy,
            killers: self.killers,
            helpful_master: self.helpful_master,
            gives_back: self.gives_back,
        }
    }
}
