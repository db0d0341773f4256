//! Root splitting: the moves of the root are handed out one by one after the eldest, and alpha is shared. Nothing else is.

use super::handover::Copy;
use super::open_nodes::{Manners, Policy};
use crate::search::{Histories, Killers, Node, Progress};
use crate::settings::settings;

settings! {
    /// What can be chosen about root splitting.
    pub struct Root, "parameter of root splitting";
    histories: Histories, "history", "all workers use one history of quiet moves, or each its own, or each its own and they are merged before each iteration";
    killers: Killers, "killers", "a helper begins with the owner's killer moves, with none, or with those of its own last work";
    copy: Copy, "copy", "how a position reaches a helper: the board as it is, or squares and state, of which the helper rebuilds it";
    helpful_master: bool, "helpful-master", "an owner that waits for its helpers helps below its own node meanwhile";
    gives_back: bool, "gives-back", "while a move that is better than alpha is searched with the open window, its brothers are given back and searched later, with the new alpha";
}

impl Default for Root {
    fn default() -> Self {
        Self {
            histories: Histories::Shared,
            killers: Killers::Copied,
            copy: Copy::Whole,
            helpful_master: true,
            gives_back: true,
        }
    }
}

impl Policy for Root {
    fn opens(&self, node: &Node, _: &Progress, _: usize, _: usize) -> bool {
        node.ply == 0
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
