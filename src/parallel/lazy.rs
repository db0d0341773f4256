//! Lazy search: every processor searches the root by itself, and they share the transposition table and what is in it, and
//! nothing else. Some of them search one ply deeper than the others, so that they do not all do the same.
//!
//! The search is over when any of them has completed the last iteration.

use super::AnyStrategy;
use crate::chess::Board;
use crate::machine::{Access, Processor};
use crate::search::Worker;
use crate::settings::settings;

settings! {
    /// What can be chosen about lazy search.
    pub struct Lazy, "parameter of lazy search";
    staggered: bool, "staggered", "every second processor is one ply ahead of the others";
    shared_history: bool, "shared-history", "all workers read and write one history of quiet moves";
}

impl Default for Lazy {
    fn default() -> Self {
        Self { staggered: true, shared_history: false }
    }
}

impl Lazy {
    /// Whether this worker searches an iteration of this depth.
    pub fn takes_part<B: Board, P: Processor>(&self, worker: &Worker<'_, B, P, AnyStrategy>, depth: u32) -> bool {
        let is_ahead = self.staggered && worker.processor.id() % 2 == 1;
        // Those ahead leave out the first iteration, and then every other one but the last.
        !is_ahead || depth.is_multiple_of(2)
    }

    /// A worker has completed the last iteration: that is the answer.
    pub fn last_iteration_done<B: Board, P: Processor>(&self, worker: &Worker<'_, B, P, AnyStrategy>) {
        worker.processor.touch(Access::Free);
        worker.processor.stop();
    }
}
