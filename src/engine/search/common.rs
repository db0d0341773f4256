//! What a search is asked, and what its workers have in common whatever the strategy.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use super::across::{Across, Exchange};
use super::answer::Iteration;
use super::contexts::ContextHistory;
use super::control::Control;
use super::corrections::CorrectionTable;
use super::features::Features;
use super::ledger::Ledger;
use super::quiet_history::QuietHistory;
use super::table::{Scheme, TableOptions, Tables};
use crate::chess::order::CanonicalOrder;
use crate::chess::{KeyRule, Keys, Move, Score, Sizes};
use crate::choices::choices;
use crate::eval;

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

/// State that all workers of a node share in a search, whatever the strategy.
pub(crate) struct Common<'a> {
    pub features: Features,
    pub limits: Limits,
    pub order: CanonicalOrder,
    pub tables: &'a Tables,
    /// Sizes of the board that is searched on, or of the one that it stands for in simulated time.
    pub sizes: Sizes,
    pub audit: bool,
    /// Positions that have been searched, if that is to be known.
    pub ledger: Option<Arc<Ledger>>,
    /// Correspondence with other nodes, if there are any.
    pub across: Option<Across>,
    /// Whether workers keep their timelines.
    pub keeps_traces: bool,
    /// Histories of workers. Each is made by the first of its users, so that it lies in memory near it.
    learnt: Vec<OnceLock<Learnt>>,
    /// Corrections of workers, likewise.
    corrections: Vec<OnceLock<CorrectionTable>>,
    /// Memory of evaluations that all workers of a virtual machine use: they run on one thread, and what an evaluation
    /// costs them does not depend on it, so this only saves the host time and memory.
    evaluations: Mutex<Option<eval::Cache>>,
    /// Number of workers of the node.
    workers: usize,
    /// Number of workers that use each history, and each table of corrections.
    users: [usize; 2],
    /// History of quiet moves that all workers have received, where each has its own.
    history_in_common: QuietHistory,
    pub watcher: Option<Watcher<'a>>,
    pub control: Option<&'a Control>,
    /// Moves of the root that are searched; all legal ones, if there are none.
    pub among: &'a [Move],
    /// Moment at which a worker stopped all; [`NEVER`] if none has. `Relaxed`: a number by itself, for the counters
    /// only. What stops the others is [`Processor::stop`](crate::machine::Processor::stop); who sees that but not this
    /// yet does not count the delay.
    stopped_at: AtomicU64,
}

/// Histories of quiet moves, of one worker or of several.
pub(crate) struct Learnt {
    pub quiet: QuietHistory,
    pub contexts: ContextHistory,
}

const NEVER: u64 = u64::MAX;

/// Function that is told of each iteration that is completed.
pub type Watcher<'a> = &'a (dyn Fn(&Iteration) + Sync);

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
        Keys::of(rule, self.features.keys, self.seed)
    }

    /// Options for the tables of this search.
    pub fn table(&self, scheme: Scheme, bytes: u64) -> TableOptions {
        TableOptions {
            bytes,
            nodes: 1,
            exchange: Exchange::default(),
            scheme,
            two_tier: self.features.two_tier,
            by_remainder: self.features.keys.are_printed(),
            demotes_by_check: self.features.defect_demotion_key,
            last_hint_wins: self.features.defect_fail_low_forgets_move,
            audit: false,
            in_place: self.features.defect_unsafe_store,
            ages: self.features.aging.is_used,
            key_width: self.features.key_width,
        }
    }
}

impl<'a> Common<'a> {
    /// State at the start of a search by so many workers, of whom `users` have histories of quiet moves in common, and
    /// corrections.
    pub fn new(settings: &SearchSettings, tables: &'a Tables, sizes: Sizes, workers: usize, users: [usize; 2]) -> Self {
        let form = settings.features.ordering.history;
        Self {
            features: settings.features,
            limits: settings.limits,
            order: CanonicalOrder::of_seed(settings.seed),
            tables,
            sizes,
            audit: tables.are_audited(),
            ledger: None,
            across: None,
            keeps_traces: false,
            learnt: (0..workers.div_ceil(users[0])).map(|_| OnceLock::new()).collect(),
            corrections: (0..workers.div_ceil(users[1])).map(|_| OnceLock::new()).collect(),
            workers,
            users,
            evaluations: Mutex::new(None),
            history_in_common: QuietHistory::new(form),
            watcher: None,
            control: None,
            among: &[],
            stopped_at: AtomicU64::new(NEVER),
        }
    }

    /// Number of workers of the node.
    pub fn workers(&self) -> usize {
        self.workers
    }

    /// Evaluates on a virtual machine.
    pub fn with_evaluations(&self, score: impl FnOnce(&mut eval::Cache) -> Score) -> Score {
        // No processor is suspended in an evaluation, so this never waits.
        let mut cache = self.evaluations.lock().unwrap_or_else(PoisonError::into_inner);
        score(cache.get_or_insert_with(|| self.features.evaluation.cache(&self.features.terms)))
    }

    /// Corrections that this worker uses, perhaps with others.
    pub fn corrections_of(&self, worker: usize) -> &CorrectionTable {
        let users = self.users[1];
        self.corrections[worker / users].get_or_init(|| CorrectionTable::new(&self.features.corrections, users))
    }

    /// Histories that this worker uses, perhaps with others.
    pub fn learnt_by(&self, worker: usize) -> &Learnt {
        self.learnt[worker / self.users[0]].get_or_init(|| Learnt {
            quiet: QuietHistory::new(self.features.ordering.history),
            contexts: ContextHistory::new(&self.features.contexts),
        })
    }

    /// Makes every worker's history receive what the others have added.
    pub fn merge_histories(&self) {
        let all: Vec<_> = self.learnt.iter().filter_map(OnceLock::get).map(|learnt| &learnt.quiet).collect();
        QuietHistory::merge(&all, &self.history_in_common, QuietHistory::BOUND - 1);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::mailbox::Mailbox;
    use crate::search::features::Preset;

    #[test]
    fn each_team_learns_by_itself() {
        let settings = SearchSettings { features: Preset::Modern.features(), limits: Limits::depth(1), seed: 0 };
        let tables = Tables::new(&settings.table(Scheme::None, 0), 1, 1);
        for (users, alone) in [(7, 0), (3, 2), (1, 6)] {
            let common = Common::new(&settings, &tables, Sizes::of::<Mailbox>(), 7, [users, 7]);
            let teams = (1..7).filter(|id| !std::ptr::eq(common.learnt_by(*id), common.learnt_by(id - 1))).count();
            assert_eq!(teams, alone, "{users} users");
            assert!((1..7).all(|id| std::ptr::eq(common.corrections_of(id), common.corrections_of(0))));
        }
    }
}
