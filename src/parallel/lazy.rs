//! Lazy search: every processor searches the root by itself, and they share the transposition table and what is in it, and
//! nothing else. Half of them leave out every other iteration, so that they are ahead and do not all do the same.
//!
//! The search is over when any of them has completed the last iteration.

use super::AnyStrategy;
use crate::chess::Board;
use crate::machine::Processor;
use crate::search::{Histories, Worker};
use crate::settings::settings;

settings! {
    /// What can be chosen about lazy search.
    pub struct Lazy, "parameter of lazy search";
    staggered: bool, "staggered", "every second processor leaves out the iterations of odd depth, all but the last";
    histories: Histories, "history", "all workers use one history of quiet moves, or each its own, or each its own and they are merged before each iteration";
}

impl Default for Lazy {
    fn default() -> Self {
        Self { staggered: true, histories: Histories::Private }
    }
}

impl Lazy {
    /// Whether this worker searches an iteration of this depth.
    pub fn takes_part<B: Board, P: Processor>(&self, worker: &Worker<'_, B, P, AnyStrategy>, depth: u32) -> bool {
        let skips_odd = self.staggered && worker.processor.id() % 2 == 1;
        !skips_odd || depth.is_multiple_of(2)
    }

    /// A worker has completed the last iteration: that is the answer.
    pub fn last_iteration_done<B: Board, P: Processor>(&self, worker: &mut Worker<'_, B, P, AnyStrategy>) {
        worker.stop_all();
    }
}
