//! A search from outside: what it is asked, running it on a machine, and what comes back.

use std::sync::atomic::{AtomicU64, Ordering};

use super::answer::{Answer, Iteration};
use super::control::Control;
use super::counters::Counters;
use super::depth_reached::{DepthReached, deepening};
use super::features::Features;
use super::ledger::Ledger;
use super::picker::HISTORY_BOUND;
use super::quiet_history::{Histories, QuietHistory};
use super::strategy::Strategy;
use super::table::{Scheme, TableOptions, Tables};
use super::trace::Trace;
use super::worker::Worker;
use crate::chess::order::CanonicalOrder;
use crate::chess::{Board, History, KeyRule, Keys, Move};
use crate::choices::choices;
use crate::machine::{Processor, Program, Run, Span, Times};

/// The deepest iteration that can be asked for.
pub const DEEPEST: u32 = 60;
/// Depth of searches that name no limit: that of the 2004 thesis.
pub const DEFAULT_DEPTH: u32 = 11;

choices! {
    /// Whether workers let the depth asked for change what they search before it is reached.
    pub enum Horizon, "horizon";
    /// They do not: workers may begin deeper iterations until the search ends, as in a game, which has no last depth.
    Open "open",
    /// They do: no worker whose move may be played begins an iteration beyond the depth asked for.
    Closed "closed",
}

/// Limits at which a search ends by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Depth whose first answer ends the search, at most [`DEEPEST`].
    pub depth: u32,
    /// Whether workers let that depth change what they search before.
    pub horizon: Horizon,
    /// Number of nodes; of several processors, the first that has searched its share ends the search.
    pub nodes: u64,
    /// Time in nanoseconds of the machine.
    pub nanoseconds: u64,
}

/// Settings of a search, beside the position.
#[derive(Clone, Copy, Debug)]
pub struct SearchSettings {
    /// Features of the search.
    pub features: Features,
    /// Limits at which the search ends.
    pub limits: Limits,
    /// Seed of the Zobrist keys and of the order of moves that are otherwise equal.
    pub seed: u64,
}

/// State that all workers of a search share, whatever the strategy.
pub(crate) struct Common<'a> {
    pub features: Features,
    pub limits: Limits,
    pub order: CanonicalOrder,
    pub tables: &'a Tables,
    pub audit: bool,
    /// Positions that have been searched, if that is to be known.
    pub ledger: Option<Ledger>,
    /// Whether workers keep their timelines.
    pub keeps_traces: bool,
    histories: Vec<QuietHistory>,
    /// History of quiet moves that all workers have received, where each has its own.
    history_in_common: QuietHistory,
    watcher: Option<Watcher<'a>>,
    pub control: Option<&'a Control>,
    /// Moves of the root that are searched; all legal ones, if there are none.
    pub among: &'a [Move],
    /// Moment at which a worker stopped all; [`NEVER`] if none has. `Relaxed`: a number by itself, for the counters
    /// only. What stops the others is [`Processor::stop`]; who sees that but not this yet does not count the delay.
    stopped_at: AtomicU64,
}

const NEVER: u64 = u64::MAX;

/// Function that is told of each iteration that is completed.
pub type Watcher<'a> = &'a (dyn Fn(&Iteration) + Sync);

/// A search of one position, ready to be run on a machine.
pub struct Session<'a, B: Board, S: Strategy> {
    root: &'a B,
    past: &'a History,
    common: Common<'a>,
    strategy: &'a S,
    shared: S::Shared<B>,
}

/// Result of one worker's part in a search.
#[derive(Clone, Debug)]
pub struct Part {
    /// Counters of the worker.
    pub counters: Counters,
    /// Answer of the worker, if it was one that thinks.
    pub answer: Option<Answer>,
    /// Whether the worker's move may be the one to play.
    pub may_play: bool,
    /// Timeline, if it is kept.
    pub trace: Trace,
}

/// Result of a search.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// Answer of the search.
    pub answer: Answer,
    /// Answers of all workers that think, by id.
    pub answers: Vec<(usize, Answer)>,
    /// Counters of all workers added up.
    pub counters: Counters,
    /// Counters of each worker, and where its time went.
    pub workers: Vec<(Counters, Times)>,
    /// Timeline of each worker, if it is kept.
    pub traces: Vec<Trace>,
    /// Time of each worker piece by piece, if the machine keeps it.
    pub spans: Vec<Vec<Span>>,
}

impl Limits {
    /// Limits of a search that only its depth ends, with an open horizon.
    pub fn depth(depth: u32) -> Self {
        Self { depth: depth.min(DEEPEST), horizon: Horizon::Open, nodes: u64::MAX, nanoseconds: u64::MAX }
    }
}

impl SearchSettings {
    /// Zobrist keys with which boards of this search are to be set up.
    pub fn keys(&self) -> &'static Keys {
        let rule = if self.features.defect_en_passant_key { KeyRule::AsPrinted } else { KeyRule::Clean };
        Keys::of(rule, self.seed)
    }

    /// Options for the tables of this search.
    pub fn table(&self, scheme: Scheme, bytes: u64) -> TableOptions {
        TableOptions {
            bytes,
            scheme,
            two_tier: self.features.two_tier,
            demotes_by_check: self.features.defect_demotion_key,
            last_hint_wins: self.features.defect_fail_low_forgets_move,
            audit: false,
            in_place: self.features.defect_unsafe_store,
        }
    }
}

impl Common<'_> {
    /// History of quiet moves that this worker uses.
    pub fn quiet_history_of(&self, worker: usize) -> &QuietHistory {
        &self.histories[worker % self.histories.len()]
    }

    /// Makes every worker's history receive what the others have added.
    pub fn merge_histories(&self) {
        QuietHistory::merge(&self.histories, &self.history_in_common, HISTORY_BOUND - 1);
    }

    /// Notes that a worker stops all others at this moment.
    pub fn stop_at(&self, now: u64) {
        // Of two that stop, the first is meant; the difference is of no interest.
        if self.stopped_at().is_none() {
            self.stopped_at.store(now, Ordering::Relaxed);
        }
    }

    /// Moment at which a worker stopped all others.
    pub fn stopped_at(&self) -> Option<u64> {
        Some(self.stopped_at.load(Ordering::Relaxed)).filter(|at| *at != NEVER)
    }

    /// Moment at which the search ends by its limits, or because it was told to.
    pub fn end(&self) -> u64 {
        self.control.map_or(self.limits.nanoseconds, |control| control.end().min(self.limits.nanoseconds))
    }

    /// Tells the watcher of an iteration that was completed.
    pub fn tell(&self, iteration: &Iteration) {
        if let Some(watcher) = self.watcher {
            watcher(iteration);
        }
    }
}

impl<'a, B: Board, S: Strategy> Session<'a, B, S> {
    /// A search of the position on this board, which `past` has led to. The board must have been set up with the
    /// settings' keys, and the tables be for as many workers as will run it.
    pub fn new(
        root: &'a B,
        past: &'a History,
        settings: &SearchSettings,
        tables: &'a Tables,
        strategy: &'a S,
        workers: usize,
    ) -> Self {
        let histories = if strategy.histories() == Histories::Shared { 1 } else { workers.max(1) };
        let form = settings.features.ordering.history;
        let common = Common {
            features: settings.features,
            limits: settings.limits,
            order: CanonicalOrder::of_seed(settings.seed),
            tables,
            audit: tables.are_audited(),
            ledger: None,
            keeps_traces: false,
            histories: (0..histories).map(|_| QuietHistory::new(form)).collect(),
            history_in_common: QuietHistory::new(form),
            watcher: None,
            control: None,
            among: &[],
            stopped_at: AtomicU64::new(NEVER),
        };
        Self { root, past, common, strategy, shared: strategy.shared(workers) }
    }

    /// Counts nodes that are searched a second time. Slower, and needs memory for every position.
    #[must_use]
    pub fn with_ledger(mut self) -> Self {
        self.common.ledger = Some(Ledger::new());
        self
    }

    /// Keeps the timelines of all workers: who worked at which shared node when, and what ended it.
    #[must_use]
    pub fn keeping_traces(mut self) -> Self {
        self.common.keeps_traces = true;
        self
    }

    /// Tells this function of each iteration.
    #[must_use]
    pub fn watched_by(mut self, watcher: Watcher<'a>) -> Self {
        self.common.watcher = Some(watcher);
        self
    }

    /// Searches these moves of the root only, or all if there are none.
    #[must_use]
    pub fn among(mut self, moves: &'a [Move]) -> Self {
        self.common.among = moves;
        self
    }

    /// Lets the search be controlled while it runs, by as many workers as the control is for.
    #[must_use]
    pub fn controlled_by(mut self, control: &'a Control) -> Self {
        self.common.control = Some(control);
        self
    }
}

impl<B: Board, S: Strategy> Session<'_, B, S> {
    /// Makes a worker at the root on this processor, and hands it over.
    pub(super) fn with_worker<P: Processor, T>(
        &self,
        processor: &P,
        work: impl FnOnce(&mut Worker<'_, B, P, S>) -> T,
    ) -> T {
        let own = S::Own::default();
        let strategy = (self.strategy, &self.shared, &own);
        work(&mut Worker::new(processor, &self.common, strategy, self.root, self.past))
    }
}

impl<B: Board, S: Strategy> Program for Session<'_, B, S> {
    type Output = Part;

    fn run<P: Processor>(&self, processor: &P) -> Part {
        self.with_worker(processor, |worker| {
            self.strategy.run(worker.at());
            let may_play = self.strategy.may_play(processor.id());
            let (answer, trace) = (worker.answer.take(), std::mem::take(&mut worker.trace));
            Part { counters: worker.counters, answer, may_play, trace }
        })
    }
}

/// The move that the tables of a session hold for its position, if they hold one: to be run in the place of the session.
pub struct Remembered<'s, 'a, B: Board, S: Strategy>(pub &'s Session<'a, B, S>);

impl<B: Board, S: Strategy> Program for Remembered<'_, '_, B, S> {
    type Output = Option<Move>;

    fn run<P: Processor>(&self, processor: &P) -> Option<Move> {
        self.0.with_worker(processor, |worker| {
            let found = worker.table.probe(processor, worker.keys(), worker.board.turn(), 0, |_| None);
            found.hint.move_on(&worker.board)
        })
    }
}

impl From<Run<Part>> for Outcome {
    /// # Panics
    /// If no worker was one that thinks.
    fn from(run: Run<Part>) -> Self {
        let mut counters = Counters::default();
        run.outputs.iter().for_each(|part| counters += &part.counters);
        let workers = run.outputs.iter().zip(&run.times).map(|(part, times)| (part.counters, *times)).collect();
        let traces = run.outputs.iter().map(|part| part.trace.clone()).collect();
        // Of several that think, the one that got deepest; of those, the first.
        let players = run.outputs.iter().filter(|part| part.may_play).filter_map(|part| part.answer.as_ref());
        let answer = players.min_by_key(|answer| (std::cmp::Reverse(answer.depth), answer.nanoseconds)).cloned();
        let of = |(id, part): (usize, Part)| part.answer.map(|answer| (id, answer));
        let answers = run.outputs.into_iter().enumerate().filter_map(of).collect();
        Self {
            answer: answer.expect("every strategy lets a worker think"),
            answers,
            counters,
            workers,
            traces,
            spans: run.spans,
        }
    }
}

impl Outcome {
    /// Times at which this depth was reached, by the three definitions that there are.
    pub fn depth_reached(&self, depth: u32) -> DepthReached {
        DepthReached::of(&self.answers, depth)
    }

    /// Iterations that were deeper than any that a worker had completed before, each with the time in nanoseconds since
    /// the master began.
    pub fn deepening(&self) -> Vec<(u64, &Iteration)> {
        deepening(&self.answers)
    }
}
