//! Moments that a strategy is told of, and what it may do at them.

use std::cell::{Cell, RefCell};
use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::*;
use crate::chess::History;
use crate::chess::mailbox::Mailbox;
use crate::chess::suites::Suite;
use crate::machine::cost::CostModel;
use crate::machine::{Machine, Program, Switching, VirtualMachine};
use crate::search::features::{Features, Preset, Recipe};
use crate::search::table::{Scheme, TableOptions, Tables};
use crate::search::{Limits, Part, SearchSettings, Session};

/// A search that also tells whether it has stopped all processors.
struct Whole<'a, S: Strategy>(Session<'a, Mailbox, S>);

impl<S: Strategy> Program for Whole<'_, S> {
    type Output = (Part, bool);

    fn run<P: Processor>(&self, processor: &P) -> (Part, bool) {
        (self.0.run(processor), processor.is_stopped())
    }
}

fn run<S: Strategy>(strategy: &S, preset: Preset, depth: u32, position: usize) -> (Part, bool) {
    run_with(strategy, preset.features(), depth, position)
}

fn run_with<S: Strategy>(strategy: &S, features: Features, depth: u32, position: usize) -> (Part, bool) {
    let settings = SearchSettings { features, limits: Limits::depth(depth), seed: 0 };
    let setup = Suite::named("thesis-10").unwrap().positions()[position].setup.clone();
    let root = Mailbox::set_up(&setup, settings.keys()).unwrap();
    let tables = Tables::new(&settings.table(Scheme::Lockless, 1 << 20), 1, 1);
    let past = History::with_capacity(0);
    let whole = Whole(Session::new(&root, &past, &settings, &tables, strategy, 1));
    VirtualMachine::new(1, CostModel::ideal()).run(&whole).unwrap().outputs.remove(0)
}

/// The strategies of these tests as one type, for which one search is compiled.
pub(crate) enum Told<'a> {
    Delaying(&'a Delaying),
    Listing(&'a Listing),
    CutOffAt(CutOffAt),
    /// Every processor thinks, and all share the table and the history: the least that a parallel search can be.
    Everybody,
}

/// State that a worker keeps for these strategies.
#[derive(Default)]
pub(crate) struct Own {
    asked: Asked,
    lists: Lists,
}

impl Strategy for Told<'_> {
    type Shared<B: Board> = ();
    type Own = Own;

    fn is_exact(&self) -> bool {
        matches!(self, Self::Delaying(_) | Self::Listing(_))
    }

    fn histories(&self) -> Histories {
        Histories::Shared
    }

    fn run<T: Team>(&self, at: At<'_, '_, Self, T>) {
        at.worker.think();
    }

    fn iteration_done<T: Team>(&self, _: At<'_, '_, Self, T>, depth: u32) {
        if let Self::Delaying(told) = self {
            assert_eq!(u64::from(depth), told.iterations.fetch_add(1, Relaxed) + 1);
        }
    }

    fn share<T: Team>(
        &self,
        at: At<'_, '_, Self, T>,
        node: &Node,
        progress: &mut Progress,
        picker: &mut Picker,
    ) -> Option<Sharing> {
        match self {
            Self::Delaying(told) => told.share(at, node, progress, picker),
            Self::Listing(told) => told.share(at, node, progress, picker),
            Self::CutOffAt(_) | Self::Everybody => Some(Sharing::NotAtAll),
        }
    }

    fn puts_off<T: Team>(&self, at: At<'_, '_, Self, T>, node: &Node, mv: Move) -> bool {
        match self {
            Self::Delaying(told) => told.puts_off(at, node, mv),
            Self::Listing(told) => told.puts_off(at, node, mv),
            Self::CutOffAt(_) | Self::Everybody => false,
        }
    }

    fn end_brother<T: Team>(&self, at: At<'_, '_, Self, T>, node: &Node) {
        match self {
            Self::Delaying(told) => _ = told.ended.fetch_add(1, Relaxed),
            Self::Listing(told) => told.end_brother(at, node),
            Self::CutOffAt(_) | Self::Everybody => {}
        }
    }

    fn is_cut_off<T: Team>(&self, at: At<'_, '_, Self, T>) -> bool {
        matches!(self, Self::CutOffAt(told) if told.is_cut_off(at))
    }
}

/// Puts off every third brother, and keeps account of the moments it is told of.
#[derive(Default)]
pub(crate) struct Delaying {
    ended: AtomicU64,
    offers: AtomicU64,
    put_off: AtomicU64,
    iterations: AtomicU64,
}

#[derive(Default)]
struct Asked {
    moves: Cell<u64>,
    /// Ply of the node that was offered last.
    offered: Cell<usize>,
}

impl Delaying {
    fn share<T: Team>(
        &self,
        at: At<'_, '_, Told<'_>, T>,
        node: &Node,
        progress: &mut Progress,
        picker: &mut Picker,
    ) -> Option<Sharing> {
        assert!(progress.searched > 0 && progress.cut.is_none() && progress.alpha >= node.alpha);
        assert!(picker.left() < 256 && at.worker.plies.len() > node.ply);
        self.offers.fetch_add(1, Relaxed);
        at.own.asked.offered.set(node.ply);
        Some(Sharing::NotAtAll)
    }

    fn puts_off<T: Team>(&self, at: At<'_, '_, Told<'_>, T>, node: &Node, _: Move) -> bool {
        assert_eq!(at.own.asked.offered.get(), node.ply, "a node is offered only after the eldest, who never waits");
        let moves = at.own.asked.moves.get() + 1;
        at.own.asked.moves.set(moves);
        let waits = moves.is_multiple_of(3);
        self.put_off.fetch_add(waits.into(), Relaxed);
        waits
    }
}

/// The less waits, the shorter the longest chain.
#[test]
fn spans_are_ordered_by_what_waits() {
    for (preset, position) in [(Preset::Thesis, 4), (Preset::Thesis, 7), (Preset::Modern, 4), (Preset::Modern, 9)] {
        let (part, _) = run(&Sequential, preset, 6, position);
        let (c, time) = (part.counters, part.answer.unwrap().nanoseconds);
        let chains = [
            c.span_minimal_ns,
            c.span_no_wait_ns,
            c.span_open_ns,
            c.span_cut_after_1_ns,
            c.span_ns,
            c.span_burdened_ns,
            time,
        ];
        assert!(chains[0] > 0 && chains.is_sorted(), "{chains:?}");
        let others = [c.span_open_ns, c.span_all_at_once_ns, c.span_ns];
        assert!(others.is_sorted() && c.span_open_ns <= c.span_open_burdened_ns, "{others:?}");
    }
}

#[test]
fn the_order_of_brothers_does_not_change_a_sound_score() {
    for position in 0..10 {
        let delaying = Delaying::default();
        let (found, _) = run(&Told::Delaying(&delaying), Preset::Sound, 3, position);
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
    let (part, _) = run(&Told::Delaying(&delaying), Preset::Thesis, 6, 4);
    let [ended, offers, iterations] =
        [&delaying.ended, &delaying.offers, &delaying.iterations].map(|count| count.load(Relaxed));
    let counters = part.counters;
    assert_eq!(iterations, 6);
    // Every brother is entered once, and once more for each search with an open window.
    assert_eq!(ended, counters.main_nodes - counters.null_moves - counters.researches);
    assert!(offers > ended / 10);
}

/// Lists the moves that are left at every node with a null window, and sees which of them are searched then.
#[derive(Default)]
pub(crate) struct Listing {
    listed: AtomicU64,
    searched: AtomicU64,
    left_out: AtomicU64,
}

/// Moves that were listed, by ply, and the one that is searched with the nodes before it.
#[derive(Default)]
struct Lists {
    left: RefCell<HashMap<usize, VecDeque<Move>>>,
    begun: RefCell<HashMap<usize, (Move, u64)>>,
}

impl Listing {
    fn share<T: Team>(
        &self,
        at: At<'_, '_, Told<'_>, T>,
        node: &Node,
        progress: &mut Progress,
        picker: &mut Picker,
    ) -> Option<Sharing> {
        let mut left = at.own.lists.left.borrow_mut();
        let is_null = node.beta.0 - node.alpha.0 == 1;
        if progress.searched == 1 && is_null {
            let (moves, counters, mut rest) = (at.worker.moves.clone(), at.worker.counters, *picker);
            let (mut number, mut listed) = (progress.searched, VecDeque::new());
            while let Some((mv, place)) = at.worker.pick_to_search(node, progress.alpha, &mut number, &mut rest) {
                assert!(place.number < number && place.reduction.is_some() && !place.is_eldest);
                listed.push_back(mv);
            }
            self.left_out.fetch_add(u64::from(number) - 1 - listed.len() as u64, Relaxed);
            self.listed.fetch_add(listed.len() as u64, Relaxed);
            (at.worker.moves, at.worker.counters) = (moves, counters);
            left.insert(node.ply, listed);
        } else if progress.searched == 1 {
            left.remove(&node.ply);
        }
        Some(Sharing::NotAtAll)
    }

    fn puts_off<T: Team>(&self, at: At<'_, '_, Told<'_>, T>, node: &Node, mv: Move) -> bool {
        at.own.lists.begun.borrow_mut().insert(node.ply, (mv, at.worker.counters.main_nodes));
        false
    }

    fn end_brother<T: Team>(&self, at: At<'_, '_, Told<'_>, T>, node: &Node) {
        let Some((mv, before)) = at.own.lists.begun.borrow_mut().remove(&node.ply) else { return };
        let is_searched = at.worker.counters.main_nodes > before;
        if let Some(left) = at.own.lists.left.borrow_mut().get_mut(&node.ply).filter(|_| is_searched) {
            assert_eq!(left.pop_front(), Some(mv), "what is searched next was listed next");
            self.searched.fetch_add(1, Relaxed);
        }
    }
}

#[test]
fn what_is_listed_is_what_would_be_searched() {
    let recipe: Recipe = "thesis,+late-move-pruning=3,+late-moves-kept=3,+exchange-pruning=3".parse().unwrap();
    for position in 0..6 {
        let listing = Listing::default();
        run_with(&Told::Listing(&listing), recipe.features, 5, position);
        let [listed, searched, left_out] =
            [listing.listed, listing.searched, listing.left_out].map(AtomicU64::into_inner);
        assert!(listed > searched && searched > 100 && left_out > 100, "{listed} {searched} {left_out}");
    }
}

/// Nobody wants the result of the node that is the `at`-th to ask.
pub(crate) struct CutOffAt {
    at: u64,
    asked: AtomicU64,
}

impl CutOffAt {
    fn is_cut_off<T: Team>(&self, at: At<'_, '_, Told<'_>, T>) -> bool {
        let asked = self.asked.fetch_add(1, Relaxed) + 1;
        assert!(asked <= self.at, "after a cutoff nobody asks: {} moves made", at.worker.past.plies());
        asked == self.at
    }
}

#[test]
fn a_cutoff_unwinds_to_the_root_and_stores_nothing() {
    for at in [1, 2, 10, 100, 1_000] {
        let strategy = Told::CutOffAt(CutOffAt { at, asked: AtomicU64::new(0) });
        let (part, is_stopped) = run(&strategy, Preset::Thesis, 6, 4);
        assert!(!is_stopped);
        let answer = part.answer.unwrap();
        assert!(answer.best.is_some() && answer.depth < 6);
        assert!(part.counters.probes < at, "the node that was cut off does not probe");
    }
}

/// Counts, findings and times of each of some virtual processors.
fn everybody(
    processors: usize,
    switching: Switching,
    change: impl Fn(&mut SearchSettings, &mut TableOptions),
) -> String {
    let mut settings = SearchSettings { features: Preset::Thesis.features(), limits: Limits::depth(5), seed: 3 };
    let mut options = settings.table(Scheme::Lockless, 1 << 16);
    change(&mut settings, &mut options);
    let setup = Suite::named("thesis-10").unwrap().positions()[4].setup.clone();
    let root = Mailbox::set_up(&setup, settings.keys()).unwrap();
    let tables = Tables::new(&options, processors, 1);
    let past = History::with_capacity(0);
    let machine = VirtualMachine { seed: 7, switching, ..VirtualMachine::new(processors, CostModel::reference()) };
    let run = machine.run(&Session::new(&root, &past, &settings, &tables, &Told::Everybody, processors)).unwrap();
    format!("{run:?}")
}

/// Letting others go first at every step, and not only where something shared is touched, must change nothing: else
/// something shared is looked at without a touch.
#[test]
fn whatever_is_shared_is_touched_first() {
    type Change = fn(&mut SearchSettings, &mut TableOptions);
    let changes: [Change; 8] = [
        |_, _| {},
        |_, options| options.scheme = Scheme::Striped,
        |_, options| options.scheme = Scheme::None,
        |_, options| options.scheme = Scheme::Distributed,
        |_, options| options.scheme = Scheme::Unawaited,
        |_, options| (options.audit, options.in_place) = (true, true),
        |_, options| options.two_tier = false,
        |settings, _| settings.limits.nodes = 3_000,
    ];
    for change in changes {
        let at_touch = everybody(5, Switching::AtTouch, change);
        assert_eq!(at_touch, everybody(5, Switching::AtSpend, change));
        assert_eq!(at_touch, everybody(5, Switching::AtTouch, change));
    }
}
