//! Root splitting: the moves of the root are handed out one by one after the eldest, and alpha is shared. Nothing else
//! is.

use super::open_nodes::{Opens, Policy, Teamwork};
use crate::search::{Node, Progress};
use crate::settings::settings;

settings! {
    /// Parameters of root splitting.
    pub struct Root, "parameter of strategy 'root'";
    ..teamwork: Teamwork;
}

impl Policy for Root {
    fn opens(&self, node: &Node, _: &Progress, _: usize, _: Option<usize>) -> Opens {
        Opens::always_if(node.ply == 0)
    }

    fn looks_everywhere(&self) -> bool {
        false
    }

    fn teamwork(&self) -> &Teamwork {
        &self.teamwork
    }
}
