//! Root splitting: the moves of the root are handed out one by one after the eldest, and alpha is shared. Nothing else is.

use super::open_nodes::Policy;
use crate::search::{Histories, Killers, Node, Progress};
use crate::settings::settings;

settings! {
    /// What can be chosen about root splitting.
    pub struct Root, "parameter of root splitting";
    histories: Histories, "history", "all workers use one history of quiet moves, or each its own, or each its own and they are merged before each iteration";
    killers: Killers, "killers", "a helper begins with the owner's killer moves, with none, or with those of its own last work";
}

impl Default for Root {
    fn default() -> Self {
        Self { histories: Histories::Shared, killers: Killers::Copied }
    }
}

impl Policy for Root {
    fn opens(&self, node: &Node, _: &Progress, _: usize, _: usize) -> bool {
        node.ply == 0
    }

    fn killers(&self) -> Killers {
        self.killers
    }
}
