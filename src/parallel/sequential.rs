//! One processor searches, as if it were alone; the others leave at once.

use super::{AnyStrategy, Way};
use crate::chess::Board;
use crate::machine::Processor;
use crate::search::{Histories, Worker};
use crate::settings::settings;

settings! {
    /// There is nothing to choose about it.
    pub struct Sequential, "parameter of sequential search";
}

impl Default for Sequential {
    fn default() -> Self {
        Self::NOTHING
    }
}

impl Way for Sequential {
    fn histories(&self) -> Histories {
        Histories::Private
    }

    fn searchers(&self, _: usize) -> usize {
        1
    }

    fn run<B: Board, P: Processor>(&self, worker: &mut Worker<'_, B, P, AnyStrategy>) {
        if worker.processor.id() == 0 {
            worker.think();
        }
    }
}
