//! Iterative deepening: which iterations are searched. Usually these are all depths from 1 on; shallow ones are said to
//! pay for themselves, by what the table and the order of moves keep of them.

use super::node::ONE_PLY;
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
    least: i32 [0..=99 "plies"], "deepening-least",
        "depth to which iterations are searched even if a limit of time or nodes is reached before; 0: none";
}

impl<B: Board, P: Processor, S: Strategy> Worker<'_, B, P, S> {
    /// Whether limits do not end this iteration. Who stops the search from outside ends it at any depth.
    #[cold]
    pub(super) fn is_below_least_depth(&self) -> bool {
        self.iteration <= self.features.deepening.least * ONE_PLY
            && self.common.control.is_none_or(|control| !control.is_stopped())
    }

    /// Depth of the iteration after one of depth `last`; 0 before the first.
    pub(super) fn depth_after(&self, last: u32) -> u32 {
        let (Deepening { from, step, .. }, asked) = (self.features.deepening, self.common.limits.depth);
        let next = if last == 0 { from.max(1) } else { last as i32 + step.max(1) } as u32;
        if last < asked { next.min(asked) } else { next }
    }
}
