//! Root splitting: the moves of the root are handed out one by one after the eldest, and alpha is shared. Nothing else is.

use super::open_nodes::Policy;
use crate::search::{Node, Progress};
use crate::settings::settings;

settings! {
    /// What can be chosen about root splitting.
    pub struct Root, "parameter of root splitting";
    shared_history: bool, "shared-history", "all workers read and write one history of quiet moves";
}

impl Default for Root {
    fn default() -> Self {
        Self { shared_history: true }
    }
}

impl Policy for Root {
    fn opens(&self, node: &Node, _: &Progress, _: usize, _: usize) -> bool {
        node.ply == 0
    }
}
