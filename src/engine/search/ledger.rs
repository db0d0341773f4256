//! Ledger of the positions that have been searched or are being searched, by which nodes are known that are searched a
//! second time. It grows with the tree and is locked at every node, so it is kept only where asked for; it changes
//! nothing in the search, and on a virtual machine it takes no time.
//!
//! Every node of the main search with draft left is entered when the table has no answer, and left when it is closed or
//! given up. Leaves and quiescence belong to the node above them. Mutexes order all accesses; what a position leaves
//! here is not ordered with its entry in the table, so on a real machine a class may be off by nodes that are a few
//! stores apart.

use std::collections::HashMap;
use std::sync::Mutex;

use super::node::Node;
use super::strategy::Strategy;
use super::trace::{MOST_VISITS, Visit};
use super::worker::Worker;
use crate::chess::{Board, with_side};
use crate::counts::Loss;
use crate::machine::{Access, Processor};

const SHARDS: usize = 256;

/// Positions that the workers of a search have searched and are searching.
pub struct Ledger {
    shards: Vec<Mutex<Shard>>,
}

#[derive(Default)]
struct Shard {
    /// Greatest draft to which each position has been searched, by node.
    searched: HashMap<u64, Vec<(u32, i32)>>,
    /// Workers that are searching each position, by draft, each with its node.
    present: HashMap<(u64, i32), Vec<(u32, u32)>>,
}

impl Ledger {
    /// An empty ledger.
    pub fn new() -> Self {
        Self { shards: (0..SHARDS).map(|_| Mutex::default()).collect() }
    }

    fn shard(&self, key: u64) -> std::sync::MutexGuard<'_, Shard> {
        // A worker that panics leaves counts that are off, which harm nobody.
        self.shards[key as usize % SHARDS].lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// Class of loss to which a position belongs that a worker of a node enters. `lost` if the table of that node has
    /// no entry of this draft.
    pub fn enter(&self, (worker, node): (u32, u32), key: u64, draft: i32, lost: bool) -> Option<Loss> {
        let mut shard = self.shard(key);
        let searched = shard.searched.get(&key).filter(|_| lost).into_iter().flatten();
        let (mut was_searched, mut elsewhere) = (false, false);
        for (by, _) in searched.filter(|(_, searched)| *searched >= draft) {
            was_searched |= *by == node;
            elsewhere |= *by != node;
        }
        let present = shard.present.entry((key, draft)).or_default();
        let others = present.iter().any(|(other, by)| *other != worker && *by == node);
        elsewhere |= present.iter().any(|(_, by)| *by != node);
        present.push((worker, node));
        match () {
            () if was_searched => Some(Loss::Repeat),
            () if others => Some(Loss::Duplicate),
            () if elsewhere => Some(Loss::Elsewhere),
            () => None,
        }
    }

    /// Records that a worker of a node leaves a position that it entered, with a result or without one.
    pub fn leave(&self, (worker, node): (u32, u32), key: u64, draft: i32, has_result: bool) {
        let mut shard = self.shard(key);
        if has_result {
            let searched = shard.searched.entry(key).or_default();
            match searched.iter_mut().find(|(by, _)| *by == node) {
                Some((_, searched)) => *searched = draft.max(*searched),
                None => searched.push((node, draft)),
            }
        }
        if let Some(present) = shard.present.get_mut(&(key, draft)) {
            if let Some(at) = present.iter().position(|other| *other == (worker, node)) {
                present.swap_remove(at);
            }
            if present.is_empty() {
                shard.present.remove(&(key, draft));
            }
        }
    }
}

/// A node that has been entered and not left yet.
pub(super) struct Entered {
    key: u64,
    draft: i32,
    loss: Option<Loss>,
    nodes: u64,
    classed: u64,
}

impl<B: Board, P: Processor, S: Strategy> Worker<'_, B, P, S> {
    /// Number of this worker among all, and of its node.
    fn place_and_node(&self) -> (u32, u32) {
        (self.processor.place() as u32, self.processor.node() as u32)
    }

    /// Enters a node with draft left into the ledger, until [`leave`](Self::leave).
    #[cold]
    pub(super) fn enter(&mut self, ledger: &Ledger, node: &Node, is_lost: bool) -> Entered {
        let key = with_side(self.board.key(), self.board.turn());
        let loss = ledger.enter(self.place_and_node(), key, node.draft, is_lost);
        if self.common.keeps_traces && self.trace.visits.len() < MOST_VISITS {
            let (ply, plies, expected, from) = (node.ply, node.plies(), node.expected, self.processor.now());
            self.trace.visits.push(Visit { key, ply, plies, expected, from, to: None, has_result: false });
        }
        // The node itself has been counted.
        Entered { key, draft: node.draft, loss, nodes: self.counters.nodes() - 1, classed: self.classed }
    }

    /// Leaves a node for a while, or for another worker.
    #[cold]
    pub(super) fn suspend(&mut self, entered: &Entered) {
        self.leave(entered, false);
    }

    /// Comes back to a node that was left for a while, maybe by another worker.
    #[cold]
    pub(super) fn resume_entered(&mut self, entered: &mut Entered) {
        if let Some(ledger) = &self.common.ledger {
            ledger.enter(self.place_and_node(), entered.key, entered.draft, false);
        }
        (entered.nodes, entered.classed) = (self.counters.nodes(), self.classed);
    }

    /// Leaves a node that was entered into the ledger.
    #[cold]
    pub(super) fn leave(&mut self, entered: &Entered, has_result: bool) {
        self.processor.touch(Access::Free);
        if let Some(ledger) = &self.common.ledger {
            ledger.leave(self.place_and_node(), entered.key, entered.draft, has_result);
        }
        if self.common.keeps_traces {
            let now = self.processor.now();
            let is_open = |visit: &&mut Visit| visit.to.is_none() && visit.key == entered.key;
            if let Some(visit) = self.trace.visits.iter_mut().rev().find(is_open) {
                (visit.to, visit.has_result) = (Some(now), has_result);
            }
        }
        // Nodes below that have been entered themselves have their own class, or none.
        let below = self.counters.nodes() - entered.nodes;
        let own = below - (self.classed - entered.classed);
        self.classed = entered.classed + below;
        if let Some(loss) = entered.loss {
            self.counters.losses.add(loss, own);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_searched_again_is_known() {
        let ledger = Ledger::new();
        // Workers of one node, by their numbers.
        let enter = |worker, key, draft, lost| ledger.enter((worker, 0), key, draft, lost);
        let leave = |worker, key, draft, has_result| ledger.leave((worker, 0), key, draft, has_result);
        assert_eq!(enter(0, 7, 300, true), None);
        assert_eq!(enter(0, 7, 300, true), None, "a line that comes back to itself is no duplicate");
        assert_eq!(enter(1, 7, 300, true), Some(Loss::Duplicate));
        assert_eq!(enter(1, 7, 200, true), None, "another draft is another search");
        leave(1, 7, 200, true);
        leave(1, 7, 300, false);
        leave(0, 7, 300, true);
        leave(0, 7, 300, true);
        assert_eq!(enter(1, 7, 300, true), Some(Loss::Repeat));
        assert_eq!(enter(0, 7, 100, false), None, "the entry is there");
        assert_eq!(enter(2, 7, 400, true), None);
        assert_eq!(enter(3, 7, 400, true), Some(Loss::Duplicate));
    }

    #[test]
    fn what_another_node_has_searched_is_told_apart() {
        let ledger = Ledger::new();
        assert_eq!(ledger.enter((0, 0), 7, 300, true), None);
        assert_eq!(ledger.enter((8, 1), 7, 300, true), Some(Loss::Elsewhere), "at the same time");
        assert_eq!(ledger.enter((9, 1), 7, 300, true), Some(Loss::Duplicate), "and here, too");
        ledger.leave((8, 1), 7, 300, false);
        ledger.leave((9, 1), 7, 300, false);
        ledger.leave((0, 0), 7, 300, true);
        assert_eq!(ledger.enter((8, 1), 7, 200, true), Some(Loss::Elsewhere), "it was searched deeper there");
        ledger.leave((8, 1), 7, 200, true);
        assert_eq!(ledger.enter((8, 1), 7, 200, true), Some(Loss::Repeat));
        assert_eq!(ledger.enter((8, 1), 7, 400, true), None);
        assert_eq!(ledger.enter((9, 1), 7, 100, false), None, "an entry of there is here");
    }
}
