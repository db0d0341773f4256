//! The moments at which a search may be shared. What is done with them is a strategy; this room knows only the one that does
//! nothing.
//!
//! Every processor enters [`Strategy::run`]. A worker searches a node's moves one after the other; before each younger
//! brother the strategy may take over the rest of the node ([`share`](Strategy::share)), know its score from elsewhere
//! ([`finished_elsewhere`](Strategy::finished_elsewhere)), or put this one move off ([`puts_off`](Strategy::puts_off)).
//! Whoever then searches a move does so by `Worker::brother`, the same function for the node's own loop and for helpers. At
//! each node [`is_cut_off`](Strategy::is_cut_off) is asked whether its result is still
//! wanted. The defaults do nothing and vanish from the compiled search.

use super::node::{Node, Progress};
use super::picker::Picker;
use super::quiet_history::Histories;
use super::worker::Worker;
use crate::chess::{Board, Move, Score};
use crate::machine::Processor;

/// How a search is shared among processors.
#[allow(unused_variables)]
pub trait Strategy: Sync + Sized {
    /// What all workers of a search share for it.
    type Shared<B: Board>: Sync;

    /// What each worker keeps for it.
    type Own<B: Board>;

    /// Who uses which history of quiet moves.
    fn histories(&self) -> Histories;

    /// How many of so many processors search. A limit on nodes is divided among them.
    fn searchers(&self, processors: usize) -> usize {
        processors
    }

    /// What so many workers share.
    fn shared<B: Board>(&self, workers: usize) -> Self::Shared<B>;

    /// What the worker on this of so many processors keeps.
    fn own<B: Board>(&self, id: usize, count: usize) -> Self::Own<B>;

    /// A processor enters; it leaves when its part in the search is over. By default the first one thinks, and the others
    /// leave at once.
    fn run<B: Board, P: Processor>(&self, worker: &mut Worker<'_, B, P, Self>) {
        if worker.processor.id() == 0 {
            worker.think();
            self.end(worker);
        }
    }

    /// A worker that thinks has got so far that an iteration of this depth is next. How deep it shall search instead, at least
    /// so deep; `None`: it has done its part.
    fn begin_iteration<B: Board, P: Processor>(&self, worker: &mut Worker<'_, B, P, Self>, next: u32) -> Option<u32> {
        (next <= worker.common.limits.depth).then_some(next)
    }

    /// A worker that thinks has completed an iteration of this depth.
    fn iteration_done<B: Board, P: Processor>(&self, worker: &mut Worker<'_, B, P, Self>, depth: u32) {}

    /// An iteration was cut off. Whether its worker goes on with another one; if not, the search is over for it.
    fn gives_up_iteration<B: Board, P: Processor>(&self, worker: &mut Worker<'_, B, P, Self>) -> bool {
        false
    }

    /// What half the width of the aspiration window of this worker has beyond the others', in thousandths of a pawn.
    fn wider_window(&self, id: usize) -> i32 {
        0
    }

    /// Whether the move to play may be this worker's. If there are several, it is that of the one who got deepest.
    fn may_play(&self, id: usize) -> bool {
        true
    }

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

    /// The score of this node, if somebody else has found it meanwhile. Asked before each younger brother.
    #[inline(always)]
    fn finished_elsewhere<B: Board, P: Processor>(
        &self,
        worker: &mut Worker<'_, B, P, Self>,
        node: &Node,
        picker: &Picker,
    ) -> Option<Score> {
        None
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

    /// The younger brother that is being searched has turned out better than those before it, and is now searched with the
    /// open window.
    #[inline(always)]
    fn opens_window<B: Board, P: Processor>(&self, worker: &mut Worker<'_, B, P, Self>, node: &Node) {}

    /// The search of this brother is over, or was stopped.
    #[inline(always)]
    fn end_brother<B: Board, P: Processor>(&self, worker: &mut Worker<'_, B, P, Self>, node: &Node, mv: Move) {}

    /// Whether nobody wants the result of the present node any more. Asked at every node of the main search that is not a
    /// leaf; others who are behind have gone first.
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
    type Shared<B: Board> = ();
    type Own<B: Board> = ();

    fn histories(&self) -> Histories {
        Histories::Private
    }

    fn searchers(&self, _: usize) -> usize {
        1
    }

    fn shared<B: Board>(&self, _: usize) {}

    fn own<B: Board>(&self, _: usize, _: usize) {}
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

    use super::*;
    use crate::chess::History;
    use crate::chess::mailbox::Mailbox;
    use crate::chess::suites::Suite;
    use crate::machine::cost::CostModel;
    use crate::machine::{Machine, Program, Switching, VirtualMachine};
    use crate::search::features::Preset;
    use crate::search::table::{Scheme, TableOptions, Tables};
    use crate::search::{Limits, Part, Session, Settings};

    /// A search that also tells whether it has stopped all processors.
    struct Whole<'a, S: Strategy>(Session<'a, Mailbox, S>);

    impl<S: Strategy> Program for Whole<'_, S> {
        type Output = (Part, bool);

        fn run<P: Processor>(&self, processor: &P) -> (Part, bool) {
            (self.0.run(processor), processor.is_stopped())
        }
    }

    fn run<S: Strategy>(strategy: &S, preset: Preset, depth: u32, position: usize) -> (Part, bool) {
        let settings = Settings { features: preset.features(), limits: Limits::depth(depth), seed: 0 };
        let setup = Suite::named("thesis-10").unwrap().positions()[position].setup.clone();
        let root = Mailbox::set_up(&setup, settings.keys()).unwrap();
        let tables = Tables::new(&settings.table(Scheme::Lockless, 1 << 20), 1, 1);
        let past = History::with_capacity(0);
        let whole = Whole(Session::new(&root, &past, &settings, &tables, strategy, 1));
        VirtualMachine::new(1, CostModel::ideal()).run(&whole).unwrap().outputs.remove(0)
    }

    /// Puts off every third brother, and keeps account of the moments it is told of.
    #[derive(Default)]
    struct Delaying {
        begun: AtomicU64,
        ended: AtomicU64,
        offers: AtomicU64,
        put_off: AtomicU64,
        iterations: AtomicU64,
        over: AtomicU64,
    }

    impl Strategy for Delaying {
        type Shared<B: Board> = ();
        type Own<B: Board> = Cell<u64>;

        fn histories(&self) -> Histories {
            Histories::Shared
        }

        fn shared<B: Board>(&self, _: usize) {}

        fn own<B: Board>(&self, _: usize, _: usize) -> Cell<u64> {
            Cell::new(0)
        }

        fn iteration_done<B: Board, P: Processor>(&self, _: &mut Worker<'_, B, P, Self>, depth: u32) {
            assert_eq!(u64::from(depth), self.iterations.fetch_add(1, Relaxed) + 1);
        }

        fn end<B: Board, P: Processor>(&self, _: &mut Worker<'_, B, P, Self>) {
            self.over.fetch_add(1, Relaxed);
        }

        fn share<B: Board, P: Processor>(
            &self,
            worker: &mut Worker<'_, B, P, Self>,
            node: &Node,
            progress: &mut Progress,
            picker: &mut Picker,
        ) -> Option<Shared> {
            assert!(progress.searched > 0 && progress.cut.is_none() && progress.alpha >= node.alpha);
            assert!(picker.left() < 256 && worker.plies.len() > node.ply);
            self.offers.fetch_add(1, Relaxed);
            Some(Shared::NotAtAll)
        }

        fn puts_off<B: Board, P: Processor>(
            &self,
            worker: &mut Worker<'_, B, P, Self>,
            _: &Node,
            progress: &Progress,
            _: Move,
        ) -> bool {
            assert!(progress.searched > 0, "an eldest brother never waits");
            worker.own.set(worker.own.get() + 1);
            let waits = worker.own.get().is_multiple_of(3);
            self.put_off.fetch_add(waits.into(), Relaxed);
            waits
        }

        fn begin_brother<B: Board, P: Processor>(
            &self,
            _: &mut Worker<'_, B, P, Self>,
            _: &Node,
            progress: &Progress,
            _: Move,
        ) {
            assert!(progress.searched > 0);
            self.begun.fetch_add(1, Relaxed);
        }

        fn end_brother<B: Board, P: Processor>(&self, _: &mut Worker<'_, B, P, Self>, _: &Node, _: Move) {
            self.ended.fetch_add(1, Relaxed);
        }
    }

    #[test]
    fn the_order_of_brothers_does_not_change_a_sound_score() {
        for position in 0..10 {
            let delaying = Delaying::default();
            let (found, _) = run(&delaying, Preset::Sound, 3, position);
            let (expected, _) = run(&Sequential, Preset::Sound, 3, position);
            let scores = |part: &Part| -> Vec<_> {
                part.answer.as_ref().unwrap().iterations.iter().map(|iteration| iteration.score).collect()
            };
            assert_eq!(scores(&found), scores(&expected));
            assert!(delaying.put_off.into_inner() > 100);
        }
    }

    #[test]
    fn every_moment_comes_once() {
        let delaying = Delaying::default();
        let (part, _) = run(&delaying, Preset::Thesis, 6, 4);
        let [begun, ended, offers, iterations, over] =
            [&delaying.begun, &delaying.ended, &delaying.offers, &delaying.iterations, &delaying.over]
                .map(|count| count.load(Relaxed));
        let counters = part.counters;
        assert_eq!((iterations, over), (6, 1));
        assert_eq!(begun, ended);
        // Every brother is entered once, and once more for each search with an open window.
        assert_eq!(begun, counters.main_nodes - counters.null_moves - counters.researches);
        assert!(offers > begun / 10);
    }

    /// Nobody wants the result of the node that is the `at`-th to ask.
    struct CutOffAt {
        at: u64,
        asked: AtomicU64,
    }

    impl Strategy for CutOffAt {
        type Shared<B: Board> = ();
        type Own<B: Board> = ();

        fn histories(&self) -> Histories {
            Histories::Private
        }

        fn shared<B: Board>(&self, _: usize) {}

        fn own<B: Board>(&self, _: usize, _: usize) {}

        fn is_cut_off<B: Board, P: Processor>(&self, worker: &mut Worker<'_, B, P, Self>) -> bool {
            let asked = self.asked.fetch_add(1, Relaxed) + 1;
            assert!(asked <= self.at, "after a cutoff nobody asks: {} moves made", worker.past.plies());
            asked == self.at
        }
    }

    #[test]
    fn a_cutoff_unwinds_to_the_root_and_stores_nothing() {
        for at in [1, 2, 10, 100, 1_000] {
            let strategy = CutOffAt { at, asked: AtomicU64::new(0) };
            let (part, is_stopped) = run(&strategy, Preset::Thesis, 6, 4);
            assert!(!is_stopped);
            let answer = part.answer.unwrap();
            assert!(answer.best.is_some() && answer.depth < 6);
            assert!(part.counters.probes < at, "the node that was cut off does not probe");
        }
    }

    /// Every processor thinks, and all share the table and the history: the least that a parallel search can be.
    struct Everybody;

    impl Strategy for Everybody {
        type Shared<B: Board> = ();
        type Own<B: Board> = ();

        fn histories(&self) -> Histories {
            Histories::Shared
        }

        fn shared<B: Board>(&self, _: usize) {}

        fn own<B: Board>(&self, _: usize, _: usize) {}

        fn run<B: Board, P: Processor>(&self, worker: &mut Worker<'_, B, P, Self>) {
            worker.think();
        }
    }

    /// What each of so many virtual processors counts and finds, and when.
    fn everybody(processors: usize, switching: Switching, change: impl Fn(&mut Settings, &mut TableOptions)) -> String {
        let mut settings = Settings { features: Preset::Thesis.features(), limits: Limits::depth(5), seed: 3 };
        let mut options = settings.table(Scheme::Lockless, 1 << 16);
        change(&mut settings, &mut options);
        let setup = Suite::named("thesis-10").unwrap().positions()[4].setup.clone();
        let root = Mailbox::set_up(&setup, settings.keys()).unwrap();
        let tables = Tables::new(&options, processors, 1);
        let past = History::with_capacity(0);
        let machine = VirtualMachine::new(processors, CostModel::reference()).with_seed(7).with_switching(switching);
        let run = machine.run(&Session::new(&root, &past, &settings, &tables, &Everybody, processors)).unwrap();
        format!("{run:?}")
    }

    /// Letting others go first at every step, and not only where something shared is touched, must change nothing: else
    /// something shared is looked at without a touch.
    #[test]
    fn whatever_is_shared_is_touched_first() {
        type Change = fn(&mut Settings, &mut TableOptions);
        let changes: [Change; 6] = [
            |_, _| {},
            |_, options| options.scheme = Scheme::Striped,
            |_, options| options.scheme = Scheme::None,
            |_, options| (options.audit, options.tear) = (true, true),
            |_, options| options.two_tier = false,
            |settings, _| settings.limits.nodes = 3_000,
        ];
        for change in changes {
            let at_touch = everybody(5, Switching::AtTouch, change);
            assert_eq!(at_touch, everybody(5, Switching::AtSpend, change));
            assert_eq!(at_touch, everybody(5, Switching::AtTouch, change));
        }
    }
}
