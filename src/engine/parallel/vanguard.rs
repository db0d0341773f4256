//! Worker 0 searches as if it were alone; the others run ahead of it and fill the table. A helper that completes an
//! iteration stops all helpers that are at the same or an earlier one.

use std::cell::Cell;
use std::sync::atomic::{AtomicU32, Ordering};

use crate::chess::Board;
use crate::machine::{Access, Line, Processor};
use crate::search::{At, Strategy, Team};
use crate::settings::settings;

settings! {
    /// Parameters of the vanguard.
    pub struct Vanguard, "parameter of the vanguard";
    lead: i32 [0..=8 "plies"] = 1, "lead", "the first iteration of a helper is this much deeper than that of worker 0";
}

/// Last iteration that a helper has completed.
#[derive(Default)]
pub struct Completed {
    depth: AtomicU32,
    line: Line,
}

impl Strategy for Vanguard {
    type Shared<B: Board> = Completed;
    /// Depth of the helper's present iteration; 0 for worker 0.
    type Own = Cell<u32>;

    fn run<T: Team>(&self, at: At<'_, '_, Self, T>) {
        at.worker.think();
    }

    fn begin_iteration<T: Team>(&self, at: At<'_, '_, Self, T>, next: u32) -> Option<u32> {
        let mut depth = next;
        if at.worker.processor.id() > 0 {
            at.worker.processor.touch(Access::Read(&at.shared.line));
            depth = next.max(at.shared.depth.load(Ordering::Relaxed) + 1).max(self.lead as u32 + 1);
            at.own.set(depth);
        }
        (depth <= at.worker.common.limits.depth).then_some(depth)
    }

    fn iteration_done<T: Team>(&self, at: At<'_, '_, Self, T>, depth: u32) {
        if at.worker.processor.id() > 0 {
            at.worker.processor.touch(Access::Write(&at.shared.line));
            at.shared.depth.fetch_max(depth, Ordering::Relaxed);
        } else if depth >= at.worker.common.limits.depth {
            at.worker.stop_all();
        }
    }

    fn begins_another<T: Team>(&self, at: At<'_, '_, Self, T>) -> bool {
        !at.worker.processor.is_stopped() && self.is_cut_off(at)
    }

    fn may_play(&self, id: usize) -> bool {
        id == 0
    }

    #[inline(always)]
    fn is_cut_off<T: Team>(&self, at: At<'_, '_, Self, T>) -> bool {
        at.shared.depth.load(Ordering::Relaxed) >= at.own.get() && at.own.get() > 0
    }
}
