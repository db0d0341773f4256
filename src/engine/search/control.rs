//! Control of a search from outside: when it ends, of how many moves it finds the best, and how far it is.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::chess::Move;

/// Moment that never comes.
const NEVER: u64 = u64::MAX;

/// Control of a search while it runs. Moments are nanoseconds of the machine since the run began.
///
/// All is `Relaxed`: each number stands for itself, and a worker that sees it a little later only ends a little later.
pub struct Control {
    /// Number of moves of the root of which the search finds the best, one after the other.
    pub(super) lines: usize,
    /// Moment at which the search ends.
    end: AtomicU64,
    /// Moment from which on no further iteration begins.
    last_begin: AtomicU64,
    /// Move of the root that worker 0 searches.
    root_step: Mutex<Option<RootStep>>,
    /// Nodes of each worker, as it told of them last.
    nodes: Box<[Nodes]>,
}

/// Move of the root that is being searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RootStep {
    /// Depth of the iteration in plies.
    pub depth: u32,
    /// The move.
    pub mv: Move,
    /// Number of the move in the order of the iteration, from 1.
    pub number: u32,
}

/// Number of nodes, alone in its cache line.
#[repr(align(64))]
#[derive(Default)]
struct Nodes(AtomicU64);

impl Control {
    /// Control of a search by so many workers for the best so many moves, which nothing ends but its limits.
    pub fn new(workers: usize, lines: usize) -> Self {
        Self {
            lines,
            end: AtomicU64::new(NEVER),
            last_begin: AtomicU64::new(NEVER),
            root_step: Mutex::default(),
            nodes: (0..workers).map(|_| Nodes::default()).collect(),
        }
    }

    /// Ends the search as soon as its workers notice, which takes them about a thousand nodes.
    pub fn stop(&self) {
        self.end_at(0);
    }

    /// Whether the search has been stopped.
    pub fn is_stopped(&self) -> bool {
        self.end() == 0
    }

    /// Lets the search end at this moment, if it would not end before: a stop stays one.
    pub fn end_at(&self, nanoseconds: u64) {
        self.end.fetch_min(nanoseconds, Ordering::Relaxed);
    }

    /// Lets no iteration begin from this moment on, or from an earlier one.
    pub fn begin_none_from(&self, nanoseconds: u64) {
        self.last_begin.fetch_min(nanoseconds, Ordering::Relaxed);
    }

    /// Number of nodes that all workers have searched, but for the last few of each.
    pub fn nodes(&self) -> u64 {
        self.nodes.iter().map(|nodes| nodes.0.load(Ordering::Relaxed)).sum()
    }

    /// Move of the root that worker 0 is searching.
    pub fn root_step(&self) -> Option<RootStep> {
        *self.root_step.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes the move of the root that worker 0 is going to search.
    pub(super) fn note_root_step(&self, step: RootStep) {
        *self.root_step.lock().unwrap_or_else(PoisonError::into_inner) = Some(step);
    }

    /// Moment at which the search ends.
    pub(super) fn end(&self) -> u64 {
        self.end.load(Ordering::Relaxed)
    }

    /// Moment from which on no further iteration begins.
    pub(super) fn last_begin(&self) -> u64 {
        self.last_begin.load(Ordering::Relaxed)
    }

    /// Notes the number of nodes that a worker has searched.
    pub(super) fn note_nodes(&self, worker: usize, nodes: u64) {
        self.nodes[worker].0.store(nodes, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stop_stays_one() {
        let control = Control::new(1, 1);
        control.end_at(5_000);
        assert_eq!(control.end(), 5_000);
        control.stop();
        control.end_at(7_000);
        assert_eq!(control.end(), 0);
    }
}
