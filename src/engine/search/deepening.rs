//! Iterative deepening: which iterations are searched. Usually these are all depths from 1 on; shallow ones are said to
//! pay for themselves, by what the table and the order of moves keep of them.

use super::strategy::Strategy;
use super::worker::Worker;
use crate::chess::Board;
use crate::machine::Processor;
use crate::settings::settings;

settings! {
    /// Parameters of iterative deepening.
    pub struct Deepening, "feature";
    => "Iterative deepening", "2004 thesis; Szabo 2023; ColChess page",
        tried by ["deepening-from=3", "deepening-from=99", "deepening-step=2"];
    from: i32 [1..=99 "plies"], "deepening-from",
        "depth of the first iteration, but not beyond the depth that is asked for; 99: that depth directly";
    step: i32 [1..=99 "plies"], "deepening-step",
        "plies by which each iteration is deeper than the one before; the last one has the depth that is asked for";
}

impl<B: Board, P: Processor, S: Strategy> Worker<'_, B, P, S> {
    /// Depth of the iteration after one of depth `last`; 0 before the first.
    pub(super) fn depth_after(&self, last: u32) -> u32 {
        let (Deepening { from, step, .. }, asked) = (self.features.deepening, self.common.limits.depth);
        let next = if last == 0 { from.max(1) } else { last as i32 + step.max(1) } as u32;
        if last < asked { next.min(asked) } else { next }
    }
}
