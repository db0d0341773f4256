//! A search from outside: what it is asked, running it on a machine, and what comes back.

use std::sync::atomic::{AtomicU64, Ordering};

use super::answer::{Answer, Iteration};
use super::counters::Counters;
use super::depth_reached::DepthReached;
use super::features::Features;
use super::ledger::Ledger;
use super::node::Expected;
use super::picker::HISTORY_BOUND;
use super::quiet_history::{Histories, QuietHistory};
use super::strategy::Strategy;
use super::table::{Scheme, TableOptions, Tables};
use super::worker::Worker;
use crate::chess::order::CanonicalOrder;
use crate::chess::{Board, History, KeyRule, Keys};
use crate::machine::{Processor, Program, Run, Span, Times};

/// The deepest iteration that can be asked for.
pub const DEEPEST: u32 = 60;
/// Depth of searches that name no limit: that of the 2004 thesis.
pub const DEFAULT_DEPTH: u32 = 11;

/// When a search ends by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// After the iteration of this depth, at most [`DEEPEST`].
    pub depth: u32,
    /// When so many nodes have been searched; with several processors, when one of them has searched its share.
    pub nodes: u64,
    /// When so much time of the machine has passed.
    pub nanoseconds: u64,
}

/// What a search is asked to do, beside the position.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// What the search does.
    pub features: Features,
    /// When it ends.
    pub limits: Limits,
    /// Chooses the Zobrist keys and the order of moves that are otherwise equal.
    pub seed: u64,
}

/// What all workers of a search share.
pub(crate) struct Common<'a> {
    pub features: Features,
    pub limits: Limits,
    pub order: CanonicalOrder,
    pub tables: &'a Tables,
    pub audit: bool,
    /// What has been searched, if that is to be known.
    pub ledger: Option<Ledger>,
    /// Whether workers keep their jobs.
    pub keeps_jobs: bool,
    histories: Vec<QuietHistory>,
    /// Where each worker has its own: what all have received.
    history_in_common: QuietHistory,
    watcher: Option<Watcher<'a>>,
    /// When a worker stopped all; [`NEVER`] if none has.
    stopped_at: AtomicU64,
}

const NEVER: u64 = u64::MAX;

/// Is told of each iteration that is completed.
pub type Watcher<'a> = &'a (dyn Fn(&Iteration) + Sync);

/// A search of one position, ready to be run on a machine.
pub struct Session<'a, B: Board, S: Strategy> {
    root: &'a B,
    past: &'a History,
    common: Common<'a>,
    strategy: &'a S,
    shared: S::Shared<B>,
}

/// One worker's part.
#[derive(Clone, Debug)]
pub struct Part {
    /// What it counted.
    pub counters: Counters,
    /// What it found, if it was one that thinks.
    pub answer: Option<Answer>,
    /// Whether the move to play may be its.
    pub may_play: bool,
    /// What it did at nodes that were shared, if that is kept.
    pub jobs: Vec<Job>,
}

/// A worker's part in a node that was shared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Job {
    /// When it began, in nanoseconds since the run did.
    pub from: u64,
    /// When it was over.
    pub to: u64,
    /// The worker whose node it was.
    pub owner: usize,
    /// How far from the root.
    pub ply: usize,
    /// How many plies deep it was to be searched.
    pub plies: i32,
    /// What it was expected to be.
    pub expected: Expected,
}

/// What comes of a search.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// What was found.
    pub answer: Answer,
    /// What each worker found that thinks, by id.
    pub answers: Vec<(usize, Answer)>,
    /// All workers' counts added up.
    pub counters: Counters,
    /// Each worker's counts, and where its time went.
    pub workers: Vec<(Counters, Times)>,
    /// What each worker did at nodes that were shared, if that is kept.
    pub jobs: Vec<Vec<Job>>,
    /// All of each worker's time, if the machine keeps it.
    pub spans: Vec<Vec<Span>>,
}

impl Limits {
    /// To this depth.
    pub fn depth(depth: u32) -> Self {
        Self { depth: depth.min(DEEPEST), nodes: u64::MAX, nanoseconds: u64::MAX }
    }
}

impl Settings {
    /// The keys with which boards of this search are to be set up.
    pub fn keys(&self) -> &'static Keys {
        let rule = if self.features.defect_en_passant_key { KeyRule::AsPrinted } else { KeyRule::Clean };
        Keys::of(rule, self.seed)
    }

    /// How the tables of this search are to be made.
    pub fn table(&self, scheme: Scheme, bytes: u64) -> TableOptions {
        TableOptions {
            bytes,
            scheme,
            two_tier: self.features.two_tier,
            demotes_by_check: self.features.defect_demotion_key,
            last_hint_wins: self.features.defect_fail_low_forgets_move,
            audit: false,
            #[cfg(test)]
            tear: false,
        }
    }
}

impl Common<'_> {
    /// The quiet moves' history that this worker uses.
    pub fn quiet_history_of(&self, worker: usize) -> &QuietHistory {
        &self.histories[worker % self.histories.len()]
    }

    /// Every worker's history receives what the others have added.
    pub fn merge_histories(&self) {
        QuietHistory::merge(&self.histories, &self.history_in_common, HISTORY_BOUND - 1);
    }

    /// A worker stops all others at this moment.
    pub fn stop_at(&self, now: u64) {
        // Of two that stop, the first is meant; the difference is of no interest.
        if self.stopped_at().is_none() {
            self.stopped_at.store(now, Ordering::Relaxed);
        }
    }

    /// When a worker stopped all others.
    pub fn stopped_at(&self) -> Option<u64> {
        Some(self.stopped_at.load(Ordering::Relaxed)).filter(|at| *at != NEVER)
    }

    /// An iteration was completed.
    pub fn tell(&self, iteration: &Iteration) {
        if let Some(watcher) = self.watcher {
            watcher(iteration);
        }
    }
}

impl<'a, B: Board, S: Strategy> Session<'a, B, S> {
    /// A search of the position on this board, which `past` has led to. The board must have been set up with the settings'
    /// keys, and the tables be for as many workers as will run it.
    pub fn new(
        root: &'a B,
        past: &'a History,
        settings: &Settings,
        tables: &'a Tables,
        strategy: &'a S,
        workers: usize,
    ) -> Self {
        let histories = if strategy.histories() == Histories::Shared { 1 } else { workers.max(1) };
        let common = Common {
            features: settings.features,
            limits: settings.limits,
            order: CanonicalOrder::of_seed(settings.seed),
            tables,
            audit: tables.are_audited(),
            ledger: None,
            keeps_jobs: false,
            histories: (0..histories).map(|_| QuietHistory::new()).collect(),
            history_in_common: QuietHistory::new(),
            watcher: None,
            stopped_at: AtomicU64::new(NEVER),
        };
        Self { root, past, common, strategy, shared: strategy.shared(workers) }
    }

    /// The same, counting nodes that are searched a second time. Slower, and needs memory for every position.
    #[must_use]
    pub fn with_ledger(mut self) -> Self {
        self.common.ledger = Some(Ledger::new());
        self
    }

    /// The same, keeping who worked at which node when.
    #[must_use]
    pub fn keeping_jobs(mut self) -> Self {
        self.common.keeps_jobs = true;
        self
    }

    /// The same, telling of each iteration.
    #[must_use]
    pub fn watched_by(mut self, watcher: Watcher<'a>) -> Self {
        self.common.watcher = Some(watcher);
        self
    }
}

impl<B: Board, S: Strategy> Program for Session<'_, B, S> {
    type Output = Part;

    fn run<P: Processor>(&self, processor: &P) -> Part {
        let mut worker = Worker::new(processor, &self.common, (self.strategy, &self.shared), self.root, self.past);
        self.strategy.run(&mut worker);
        let may_play = self.strategy.may_play(processor.id());
        Part { counters: worker.counters, answer: worker.answer, may_play, jobs: worker.jobs }
    }
}

impl From<Run<Part>> for Outcome {
    /// # Panics
    /// If no worker was one that thinks.
    fn from(run: Run<Part>) -> Self {
        let mut counters = Counters::default();
        run.outputs.iter().for_each(|part| counters += &part.counters);
        let workers = run.outputs.iter().zip(&run.times).map(|(part, times)| (part.counters, *times)).collect();
        let jobs = run.outputs.iter().map(|part| part.jobs.clone()).collect();
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
            jobs,
            spans: run.spans,
        }
    }
}

impl Outcome {
    /// When this depth was reached, in the three ways there are of saying so.
    pub fn depth_reached(&self, depth: u32) -> DepthReached {
        DepthReached::of(&self.answers, depth)
    }
}
