//! The strategies that share a search among processors, one file each.
//!
//! All of them are one type, [`AnyStrategy`], so that the search is compiled once for all: it asks the strategy before each
//! younger brother and at each node, and what is asked there first is cheap. A new strategy is one file, in which its
//! parameters are a `Way`, and one line in the list below; if its workers share or keep something of their own, that is a
//! field of [`Common`] or [`Own`].

mod abdada;
mod as_printed;
mod handover;
mod lazy;
mod open_nodes;
mod pv_split;
mod root;
mod sequential;
mod text;
mod ybwc;

use std::ops::{Deref, DerefMut};

use crate::chess::{Board, Move, Score};
use crate::machine::Processor;
use crate::search::{Histories, Node, Picker, Progress, Shared, Strategy, Worker};
use crate::settings::Settings;
use abdada::{Marks, OwnMarks};
use lazy::{Job, Jobs};

pub use abdada::Abdada;
pub use as_printed::AsPrinted;
pub use handover::Copy;
pub use lazy::{End, Lazy, Skip};
pub use open_nodes::{OpenNodes, Place};
pub use pv_split::PvSplit;
pub use root::Root;
pub use sequential::Sequential;
pub use text::{Parameter, StrategyError};
pub use ybwc::Ybwc;

/// A way to share a search: what is chosen about it, and what it does at the moments that [`Strategy`] offers. A worker's
/// strategy is always the whole [`AnyStrategy`].
#[allow(unused_variables)]
pub(crate) trait Way: Settings + Default {
    /// Whether it is asked before each younger brother.
    const SHARES_NODES: bool = false;

    /// Who uses which history of quiet moves.
    fn histories(&self) -> Histories;

    /// How many of so many processors search.
    fn searchers(&self, processors: usize) -> usize {
        processors
    }

    /// What so many workers share.
    fn shared<B: Board>(&self, workers: usize) -> Common<B> {
        Common::default()
    }

    /// A processor enters.
    fn run<B: Board, P: Processor>(&self, worker: &mut Worker<'_, B, P, AnyStrategy>);

    /// How deep a worker that thinks shall search next, at least so deep.
    fn begin_iteration<B: Board, P: Processor>(
        &self,
        worker: &mut Worker<'_, B, P, AnyStrategy>,
        next: u32,
    ) -> Option<u32> {
        (next <= worker.common.limits.depth).then_some(next)
    }

    /// A worker that thinks has completed an iteration of this depth.
    fn iteration_done<B: Board, P: Processor>(&self, worker: &mut Worker<'_, B, P, AnyStrategy>, depth: u32) {}

    /// What half the width of the aspiration window of this worker has beyond the others'.
    fn wider_window(&self, id: usize) -> i32 {
        0
    }

    /// Whether the move to play may be this worker's.
    fn may_play(&self, id: usize) -> bool {
        true
    }

    /// May share the rest of a node.
    fn share<B: Board, P: Processor>(
        &self,
        worker: &mut Worker<'_, B, P, AnyStrategy>,
        node: &Node,
        progress: &mut Progress,
        picker: &mut Picker,
    ) -> Option<Shared> {
        Some(Shared::NotAtAll)
    }

    /// Whether a younger brother waits until the others have been searched.
    #[inline(always)]
    fn puts_off<B: Board, P: Processor>(
        &self,
        worker: &mut Worker<'_, B, P, AnyStrategy>,
        node: &Node,
        mv: Move,
    ) -> bool {
        false
    }

    /// The score of the node, if another worker has found it.
    #[inline(always)]
    fn finished_elsewhere<B: Board, P: Processor>(
        &self,
        worker: &mut Worker<'_, B, P, AnyStrategy>,
        node: &Node,
        picker: &Picker,
    ) -> Option<Score> {
        None
    }

    /// A younger brother has turned out better than alpha, and is about to be searched with the open window.
    #[inline(always)]
    fn opens_window<B: Board, P: Processor>(&self, worker: &mut Worker<'_, B, P, AnyStrategy>, node: &Node) {}

    /// The search of a brother is over, or was stopped.
    #[inline(always)]
    fn end_brother<B: Board, P: Processor>(&self, worker: &mut Worker<'_, B, P, AnyStrategy>, node: &Node) {}
}

/// Declares [`AnyStrategy`], and `ask!`, which asks the way that one is.
macro_rules! strategies {
    (($d:tt) $( #[doc = $title:literal] $Variant:ident($Way:ty) $name:literal; )*) => {
        /// A strategy with its parameters.
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub enum AnyStrategy {
            $( #[doc = $title] $Variant($Way), )*
        }

        impl AnyStrategy {
            /// The names of all strategies.
            pub const NAMES: &'static [&'static str] = &[$( $name, )*];

            /// All strategies, with their defaults.
            pub fn all() -> Vec<Self> {
                vec![$( Self::$Variant(<$Way>::default()), )*]
            }

            /// Its name.
            pub const fn name(&self) -> &'static str {
                match self {
                    $( Self::$Variant(_) => $name, )*
                }
            }

            /// What it is, in a few words.
            pub const fn title(&self) -> &'static str {
                match self {
                    $( Self::$Variant(_) => $title, )*
                }
            }
        }

        macro_rules! ask {
            ($d strategy:expr, $d way:ident => $d answer:expr) => {
                match $d strategy {
                    $( AnyStrategy::$Variant($d way) => $d answer, )*
                }
            };
        }
        pub(crate) use ask;
    };
}

strategies! { ($)
    #[doc = "one processor searches, the others do nothing"]
    Sequential(Sequential) "sequential";
    #[doc = "the root's moves are handed out after the eldest"]
    Root(Root) "root";
    #[doc = "the nodes of the principal variation are shared after the eldest brother"]
    PvSplit(PvSplit) "pv-split";
    #[doc = "young brothers wait: nodes are opened after the eldest, idle processors choose"]
    Ybwc(Ybwc) "ybwc";
    #[doc = "young brothers wait as the thesis's program does it, each of its defects a switch"]
    YbwcAsPrinted(AsPrinted) "ybwc-as-printed";
    #[doc = "everybody searches the root; only the table is shared"]
    Lazy(Lazy) "lazy";
    #[doc = "everybody searches the root, and moves that another is searching are put off"]
    Abdada(Abdada) "abdada";
}

impl Default for AnyStrategy {
    fn default() -> Self {
        Self::Sequential(Sequential::default())
    }
}

/// What all workers of a search share. Each strategy uses its own part, and the others are empty.
pub struct Common<B: Board> {
    open: OpenNodes<B>,
    printed: as_printed::Blocks<B>,
    jobs: Jobs,
    marks: Marks,
}

impl<B: Board> Default for Common<B> {
    fn default() -> Self {
        Self { open: OpenNodes::new(0), printed: as_printed::Blocks::none(), jobs: Jobs::new(), marks: Marks::new(0) }
    }
}

/// What each worker keeps: its place among the open nodes, its jobs by the protocol of the thesis, and what it does where
/// everybody searches the root.
#[derive(Default)]
pub struct Own {
    place: Place,
    printed: as_printed::Stack,
    job: Job,
    marks: OwnMarks,
}

impl Deref for Own {
    type Target = Place;

    fn deref(&self) -> &Place {
        &self.place
    }
}

impl DerefMut for Own {
    fn deref_mut(&mut self) -> &mut Place {
        &mut self.place
    }
}

impl Strategy for AnyStrategy {
    type Shared<B: Board> = Common<B>;
    type Own<B: Board> = Own;

    #[inline(always)]
    fn histories(&self) -> Histories {
        ask!(self, way => way.histories())
    }

    fn searchers(&self, processors: usize) -> usize {
        ask!(self, way => way.searchers(processors))
    }

    fn shared<B: Board>(&self, workers: usize) -> Common<B> {
        ask!(self, way => way.shared(workers))
    }

    fn own<B: Board>(&self, _: usize, _: usize) -> Own {
        Own::default()
    }

    fn run<B: Board, P: Processor>(&self, worker: &mut Worker<'_, B, P, Self>) {
        ask!(self, way => way.run(worker));
    }

    fn begin_iteration<B: Board, P: Processor>(&self, worker: &mut Worker<'_, B, P, Self>, next: u32) -> Option<u32> {
        if self.histories() == Histories::Merged {
            worker.merge_histories();
        }
        ask!(self, way => way.begin_iteration(worker, next))
    }

    fn iteration_done<B: Board, P: Processor>(&self, worker: &mut Worker<'_, B, P, Self>, depth: u32) {
        ask!(self, way => way.iteration_done(worker, depth));
    }

    fn gives_up_iteration<B: Board, P: Processor>(&self, worker: &mut Worker<'_, B, P, Self>) -> bool {
        !worker.processor.is_stopped() && worker.shared.jobs.is_stale(&worker.own.job)
    }

    fn wider_window(&self, id: usize) -> i32 {
        ask!(self, way => way.wider_window(id))
    }

    fn may_play(&self, id: usize) -> bool {
        ask!(self, way => way.may_play(id))
    }

    #[inline(always)]
    fn share<B: Board, P: Processor>(
        &self,
        worker: &mut Worker<'_, B, P, Self>,
        node: &Node,
        progress: &mut Progress,
        picker: &mut Picker,
    ) -> Option<Shared> {
        if !self.shares_nodes() || worker.processor.count() == 1 {
            return Some(Shared::NotAtAll);
        }
        self.offer(worker, node, progress, picker)
    }

    #[inline(always)]
    fn is_cut_off<B: Board, P: Processor>(&self, worker: &mut Worker<'_, B, P, Self>) -> bool {
        let (open, printed) = (&worker.shared.open, &worker.shared.printed);
        let since = open.cut_at(&worker.own).or_else(|| printed.stopped_at(worker.own.printed.job));
        if let Some(since) = since {
            worker.counters.stopped(worker.processor.now().saturating_sub(since));
        }
        since.is_some() || worker.shared.jobs.is_stale(&worker.own.job)
    }

    #[inline(always)]
    fn puts_off<B: Board, P: Processor>(
        &self,
        worker: &mut Worker<'_, B, P, Self>,
        node: &Node,
        _: &Progress,
        mv: Move,
    ) -> bool {
        ask!(self, way => way.puts_off(worker, node, mv))
    }

    #[inline(always)]
    fn finished_elsewhere<B: Board, P: Processor>(
        &self,
        worker: &mut Worker<'_, B, P, Self>,
        node: &Node,
        picker: &Picker,
    ) -> Option<Score> {
        ask!(self, way => way.finished_elsewhere(worker, node, picker))
    }

    #[inline(always)]
    fn opens_window<B: Board, P: Processor>(&self, worker: &mut Worker<'_, B, P, Self>, node: &Node) {
        ask!(self, way => way.opens_window(worker, node));
    }

    #[inline(always)]
    fn end_brother<B: Board, P: Processor>(&self, worker: &mut Worker<'_, B, P, Self>, node: &Node, _: Move) {
        ask!(self, way => way.end_brother(worker, node));
    }
}

impl AnyStrategy {
    #[inline(always)]
    fn shares_nodes(&self) -> bool {
        fn of<W: Way>(_: &W) -> bool {
            W::SHARES_NODES
        }
        ask!(self, way => of(way))
    }

    fn offer<B: Board, P: Processor>(
        &self,
        worker: &mut Worker<'_, B, P, Self>,
        node: &Node,
        progress: &mut Progress,
        picker: &mut Picker,
    ) -> Option<Shared> {
        ask!(self, way => way.share(worker, node, progress, picker))
    }
}
