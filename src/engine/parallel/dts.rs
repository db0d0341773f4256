//! Dynamic tree splitting (Hyatt, Schaeffer et al. 1988 to 1994): processors are equals. One without work inspects what
//! the others offer and has the best node split, wherever it lies on another's stack; the last one to finish at a node
//! carries its value up and goes on there, whoever came to it first, so that nobody waits for helpers. An expected ALL
//! node may be split before its first move has been searched.

use super::open_nodes::{Opens, Policy, Teamwork};
use super::ybwc::Ybwc;
use crate::search::{Node, Progress};
use crate::settings::settings;

settings! {
    /// Parameters of dynamic tree splitting.
    pub struct Dts, "parameter of strategy 'dts'";
    ..within: Ybwc = WITHIN;
}

/// Parameters by which nodes are split.
const WITHIN: Ybwc =
    Ybwc { all_after: 0, helpers: 16, teamwork: Teamwork { owner_waits: false, ..Teamwork::DEFAULT }, ..Ybwc::DEFAULT };

impl Policy for Dts {
    fn opens(&self, node: &Node, progress: &Progress, processors: usize, below: Option<usize>) -> Opens {
        self.within.opens(node, progress, processors, below)
    }

    fn rate(&self, node: &Node, helpers: u32) -> u32 {
        self.within.rate(node, helpers)
    }

    fn most_helpers(&self, processors: usize) -> u32 {
        self.within.most_helpers(processors)
    }

    fn opens_at_once(&self) -> bool {
        self.within.opens_at_once()
    }

    fn teamwork(&self) -> &Teamwork {
        self.within.teamwork()
    }
}
