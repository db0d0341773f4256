//! Moments at which a search may be shared among processors. What is done at them is a [`Strategy`]; this room knows
//! only the one that does nothing, [`Sequential`].
//!
//! Every processor enters [`Strategy::run`]. A worker searches a node's moves one after the other; after each legal
//! move the strategy may take over the rest of the node ([`share`](Strategy::share)), and before each younger brother
//! it may know the node's score from elsewhere ([`finished_elsewhere`](Strategy::finished_elsewhere)) or put this one
//! move off ([`puts_off`](Strategy::puts_off)). Whoever then searches a move does so by `Worker::brother`, which serves
//! the node's own loop and helpers alike. At each node [`is_cut_off`](Strategy::is_cut_off) is asked whether the result
//! is still wanted. The defaults do nothing and vanish from the compiled search.
//!
//! A strategy says what its workers share and what each of them keeps to itself, and gets both at every moment, beside
//! the worker, in [`At`]. The worker's own strategy, that of its [`Team`], may be another one that has passed the
//! moment on: so one enum can stand for all strategies, and the search is compiled once for that enum.

use super::node::{Node, Progress};
use super::picker::Picker;
use super::quiet_history::Histories;
use super::worker::Worker;
use crate::chess::{Board, Move, Score};
use crate::machine::Processor;
use crate::settings::{Setting, Settings};

/// A way to share a search among processors.
#[allow(unused_variables)]
pub trait Strategy: Sync + Sized {
    /// State that all workers of a search share. The default belongs to a search by another strategy, and should be
    /// small.
    type Shared<B: Board>: Sync + Default;

    /// State that each worker keeps to itself.
    type Own: Default;

    /// Whether the scores are those of the sequential search, if all features are sound and there is no table.
    fn is_exact(&self) -> bool {
        true
    }

    /// Whether workers learn what the others have found from a common transposition table only. Without one, such a
    /// strategy searches the whole tree once for each processor, or more often.
    fn needs_common_table(&self, processors: usize) -> bool {
        false
    }

    /// Sharing of histories of quiet moves among the workers.
    fn histories(&self) -> Histories {
        Histories::Private
    }

    /// Sharing of corrections of static evaluations among the workers.
    fn corrections(&self) -> Histories {
        self.histories()
    }

    /// Whether expected ALL nodes are offered to others before any of their moves has been searched.
    fn offers_at_once(&self) -> bool {
        false
    }

    /// Whether the strategy is asked to share nodes on one processor, too.
    fn takes_part_alone(&self) -> bool {
        false
    }

    /// Least draft, in hundredths of a ply, of a node that this number of processors may [share](Self::share): the
    /// strategy is not asked about others.
    fn least_draft(&self, processors: usize) -> i32 {
        i32::MIN
    }

    /// Whether the strategy is told where workers [`enter`](Self::enters) a node.
    fn follows_nodes(&self) -> bool {
        false
    }

    /// Number of processors that search, out of all. A limit on nodes is divided among them.
    fn searchers(&self, processors: usize) -> usize {
        processors
    }

    /// Number of processors, out of all, that make a team. Those who come next to each other by id are one, and the
    /// last one may be smaller.
    fn team(&self, processors: usize) -> usize {
        processors
    }

    /// Whether a search on this number of processors may reach its depth without all the iterations before it. Part of
    /// what it gains is then no parallelism: one processor may leave them out too.
    fn leaves_out_iterations(&self, processors: usize) -> bool {
        false
    }

    /// Whether the strategy can search on several nodes. Each node then has state of its own, which is shared by its
    /// workers alone, and so the workers must not need to know what those of other nodes do.
    fn spans_nodes(&self) -> bool {
        false
    }

    /// Shared state of a search that is about to begin with this number of workers, on a node.
    fn shared<B: Board>(&self, workers: usize) -> Self::Shared<B> {
        Self::Shared::default()
    }

    /// A processor enters; it leaves when its part in the search is over. By default the first one thinks, and the
    /// others leave at once.
    fn run<T: Team>(&self, at: At<'_, '_, Self, T>) {
        if at.worker.processor.id() == 0 {
            at.worker.think();
        }
    }

    /// A worker that thinks has got so far that an iteration of depth `next` would be its next. Returns the depth to
    /// search instead, at least `next`; `None` if the worker has done its part.
    fn begin_iteration<T: Team>(&self, at: At<'_, '_, Self, T>, next: u32) -> Option<u32> {
        (next <= at.worker.common.limits.depth).then_some(next)
    }

    /// A worker that thinks has completed an iteration of this depth.
    fn iteration_done<T: Team>(&self, at: At<'_, '_, Self, T>, depth: u32) {}

    /// An iteration was cut off. Whether its worker begins another one; if not, the search is over for it.
    fn begins_another<T: Team>(&self, at: At<'_, '_, Self, T>) -> bool {
        false
    }

    /// Widening of the aspiration window of the worker at this place among those of all nodes, beyond the usual, on
    /// either side, in thousandths of a pawn.
    fn wider_window(&self, place: usize) -> i32 {
        0
    }

    /// Whether the move of the worker at this place among those of all nodes may be the one to play. If there are
    /// several, the worker who got deepest has it.
    fn may_play(&self, place: usize) -> bool {
        true
    }

    /// Whether those whose moves may be played vote for one, rather than that the one who got deepest has it.
    fn votes(&self) -> bool {
        false
    }

    /// Asked once after each legal move of a node that has been searched, the last one included, and with
    /// [`offers_at_once`](Self::offers_at_once) also before the first: shall others take part in the rest of this node?
    /// Not asked below the [least draft](Self::least_draft).
    /// `None`: the search of this node was stopped meanwhile.
    #[inline(always)]
    fn share<T: Team>(
        &self,
        at: At<'_, '_, Self, T>,
        node: &Node,
        progress: &mut Progress,
        picker: &mut Picker,
    ) -> Option<Sharing> {
        Some(Sharing::NotAtAll)
    }

    /// A worker comes to a node whose moves it is going to search. Returns whether to tell when it
    /// [`leaves`](Self::leaves). Asked of strategies that [follow nodes](Self::follows_nodes).
    fn enters<T: Team>(&self, at: At<'_, '_, Self, T>, node: &Node) -> bool {
        false
    }

    /// A worker leaves a node that it has entered, with a result or without.
    fn leaves<T: Team>(&self, at: At<'_, '_, Self, T>) {}

    /// Whether this younger brother shall wait until the others have been searched.
    #[inline(always)]
    fn puts_off<T: Team>(&self, at: At<'_, '_, Self, T>, node: &Node, mv: Move) -> bool {
        false
    }

    /// Score of this node, if somebody else has found it meanwhile. Asked before each younger brother.
    #[inline(always)]
    fn finished_elsewhere<T: Team>(&self, at: At<'_, '_, Self, T>, node: &Node, picker: &Picker) -> Option<Score> {
        None
    }

    /// The younger brother that is being searched has turned out better than those before it, and is now searched with
    /// the open window. `None`: not now, its search is given up.
    #[inline(always)]
    fn opens_window<T: Team>(&self, at: At<'_, '_, Self, T>, node: &Node) -> Option<()> {
        Some(())
    }

    /// The search of a brother by the node's own loop is over, or was stopped.
    #[inline(always)]
    fn end_brother<T: Team>(&self, at: At<'_, '_, Self, T>, node: &Node) {}

    /// Whether nobody wants the result of the present node any more. Asked at every node of the main search that is not
    /// a leaf, and now and then in quiescence; others who are behind have gone first.
    #[inline(always)]
    fn is_cut_off<T: Team>(&self, at: At<'_, '_, Self, T>) -> bool {
        false
    }
}

/// Types of the workers that search together: what a position is, what they run on, and how they share the search.
pub trait Team {
    /// Board of each worker.
    type Board: Board;
    /// Processor that each worker runs on.
    type Processor: Processor;
    /// Strategy of the workers, which may have passed a moment on to another.
    type Strategy: Strategy;
}

impl<B: Board, P: Processor, S: Strategy> Team for (B, P, S) {
    type Board = B;
    type Processor = P;
    type Strategy = S;
}

/// The worker that a moment has come to, with the state of the strategy `S`.
pub struct At<'a, 'w, S: Strategy, T: Team> {
    /// Worker that the moment has come to.
    pub worker: &'a mut Worker<'w, T::Board, T::Processor, T::Strategy>,
    /// State that all workers share.
    pub shared: &'a S::Shared<T::Board>,
    /// State that this worker keeps to itself.
    pub own: &'a S::Own,
}

/// Fate of a node that was offered to others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sharing {
    /// Nobody took part: the moves are still to be searched by the owner.
    NotAtAll,
    /// All moves have been searched or cut off, and the node's progress says what came of it.
    Completely,
}

/// Sequential search: one processor searches as if it were alone, and the others leave at once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sequential;

impl Settings for Sequential {
    const WHAT: &'static str = "parameter of strategy 'sequential'";

    fn all() -> &'static [Setting<Self>] {
        &[]
    }
}

impl Strategy for Sequential {
    type Shared<B: Board> = ();
    type Own = ();

    fn searchers(&self, _: usize) -> usize {
        1
    }
}

#[cfg(test)]
pub(crate) mod tests;
