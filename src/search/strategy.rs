//! The moments at which a search may be shared. What is done with them is a strategy; this room knows only the one that does
//! nothing.
//!
//! Every processor enters [`Strategy::run`]. A worker searches a node's moves one after the other; before each younger
//! brother the strategy may take over the rest of the node ([`share`](Strategy::share)), or put this one move off
//! ([`puts_off`](Strategy::puts_off)). Whoever then searches a move does so by `Worker::brother`, the same function for the
//! node's own loop and for helpers. At each node [`is_cut_off`](Strategy::is_cut_off) is asked whether its result is still
//! wanted. The defaults do nothing and vanish from the compiled search.

use super::node::{Node, Progress};
use super::picker::Picker;
use super::worker::Worker;
use crate::chess::{Board, Move};
use crate::machine::Processor;

/// How a search is shared among processors.
#[allow(unused_variables)]
pub trait Strategy: Sync + Sized {
    /// What each worker keeps for it.
    type Own;

    /// The name in records.
    const NAME: &'static str;

    /// Whether workers read and write one history of quiet moves; else each has its own.
    const SHARES_HISTORY: bool;

    /// What the worker on this of so many processors keeps.
    fn own(&self, id: usize, count: usize) -> Self::Own;

    /// A processor enters; it leaves when its part in the search is over. By default the first one thinks, and the others
    /// leave at once.
    fn run<B: Board, P: Processor>(&self, worker: &mut Worker<'_, B, P, Self>) {
        if worker.processor.id() == 0 {
            worker.think();
            self.end(worker);
        }
    }

    /// An iteration of this depth begins.
    fn begin_iteration<B: Board, P: Processor>(&self, worker: &mut Worker<'_, B, P, Self>, depth: u32) {}

    /// The first processor has its answer: those who still wait for work may leave.
    fn end<B: Board, P: Processor>(&self, worker: &mut Worker<'_, B, P, Self>) {}

    /// Asked before each younger brother, and once more when there is none left: shall others take part in the rest of this
    /// node? `None`: the search of this node was stopped meanwhile.
    #[inline(always)]
    fn share<B: Board, P: Processor>(
        &self,
        worker: &mut Worker<'_, B, P, Self>,
        node: &Node,
        progress: &mut Progress,
        picker: &mut Picker,
    ) -> Option<Shared> {
        Some(Shared::NotAtAll)
    }

    /// Whether this younger brother shall wait until the others have been searched.
    #[inline(always)]
    fn puts_off<B: Board, P: Processor>(
        &self,
        worker: &mut Worker<'_, B, P, Self>,
        node: &Node,
        progress: &Progress,
        mv: Move,
    ) -> bool {
        false
    }

    /// The search of this brother begins.
    #[inline(always)]
    fn begin_brother<B: Board, P: Processor>(
        &self,
        worker: &mut Worker<'_, B, P, Self>,
        node: &Node,
        progress: &Progress,
        mv: Move,
    ) {
    }

    /// The search of this brother is over, or was stopped.
    #[inline(always)]
    fn end_brother<B: Board, P: Processor>(&self, worker: &mut Worker<'_, B, P, Self>, node: &Node, mv: Move) {}

    /// Whether nobody wants the result of the present node any more. Asked at every node of the main search that is not a
    /// leaf, right after a touch.
    #[inline(always)]
    fn is_cut_off<B: Board, P: Processor>(&self, worker: &mut Worker<'_, B, P, Self>) -> bool {
        false
    }
}

/// What became of a node that was offered to others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shared {
    /// Its moves are still to be searched by its owner.
    NotAtAll,
    /// All its moves have been searched or cut off, and its progress says what came of it.
    Completely,
}

/// One processor searches.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sequential;

impl Strategy for Sequential {
    type Own = ();

    const NAME: &'static str = "sequential";
    const SHARES_HISTORY: bool = false;

    fn own(&self, _: usize, _: usize) {}
}
