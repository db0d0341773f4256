//! What a search counts by the nodes at which it happens.

use super::node::Node;
use crate::counts::{Counters, Splits};

/// Class of draft and expected type, as places in [`crate::counts::ByKind`].
#[inline(always)]
fn kind(node: &Node) -> (usize, usize) {
    let class = match node.plies() {
        ..=2 => 0,
        3..=5 => 1,
        _ => 2,
    };
    (class, node.expected as usize)
}

impl Counters {
    /// Counts a cutoff by the `place`-th legal move of a node.
    #[inline(always)]
    pub(super) fn cut(&mut self, node: &Node, place: u32) {
        let (class, expected) = kind(node);
        self.cutoffs.all[class][expected] += 1;
        self.cutoffs.first[class][expected] += u64::from(place == 1);
        self.cutoffs.places[class] += u64::from(place);
    }

    /// Counts what a split that was closed has cost its owner and its helpers, and how long they were there.
    pub(crate) fn spend(&mut self, node: &Node, cost_ns: u64, span_ns: u64) {
        let (class, expected) = kind(node);
        self.splits.cost_ns[class][expected] += cost_ns;
        self.splits.span_ns[class][expected] += span_ns;
        self.times.cost_ns += cost_ns;
        self.times.span_ns += span_ns;
    }
}

impl Splits {
    /// Counts a split of a node, and how many of its moves had been searched before.
    pub(crate) fn make(&mut self, node: &Node, searched_before: u32) {
        let (class, expected) = kind(node);
        self.made[class][expected] += 1;
        self.searched_before[class][expected] += u64::from(searched_before);
    }

    /// Counts the end of a split: how many helpers joined, whether none searched a move, and whether a move cut.
    pub(crate) fn close(&mut self, node: &Node, joined: u32, is_failed: bool, is_cut: bool) {
        let (class, expected) = kind(node);
        self.failed[class][expected] += u64::from(is_failed);
        self.joined[class][expected] += u64::from(joined);
        self.cut[class][expected] += u64::from(is_cut);
    }
}
