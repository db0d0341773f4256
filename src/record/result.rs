//! What a cell measured: one line of the journal, which stands for itself. Plain data, like the [`Cell`].

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::cell::Cell;

/// One line of the journal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// The place of the cell in the plan.
    pub index: u64,
    /// What was asked.
    pub cell: Cell,
    /// From 0; more than one if the first were disturbed and the experiment repeats such.
    #[serde(default)]
    pub attempt: u32,
    /// What came of it.
    pub result: CellResult,
    /// What surrounded it, on a real machine.
    #[serde(default)]
    pub surroundings: Option<Surroundings>,
    /// When it began, in seconds since 1970.
    #[serde(default)]
    pub started: f64,
    /// What it took of this computer's time, in seconds, whatever machine it ran on.
    #[serde(default)]
    pub host_s: f64,
    /// The session in which it was made; `environment.json` says what that was.
    #[serde(default)]
    pub session: String,
}

/// What came of a cell.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CellResult {
    /// It was measured.
    Done(Box<Measured>),
    /// It was not, for this reason.
    Failed(String),
}

/// What a search found, and what it took. Times are nanoseconds of the machine it ran on.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Measured {
    /// The move to play, as `e2e4`.
    pub bestmove: Option<String>,
    /// In thousandths of a pawn, for the side to move.
    pub score_raw: i32,
    /// Moves to mate, negative if the side to move is mated.
    pub mate: Option<i32>,
    /// The depth of the answer.
    pub depth: u32,
    /// The deepest line with quiescence.
    pub seldepth: u64,
    /// Whether a best move of the position was found, if it names any.
    pub solved: Option<bool>,

    /// To the moment at which any worker could answer with the depth that was asked for; with another limit, to its end.
    pub time_ns: u64,
    /// To the moment at which worker 0 could.
    pub master_ns: Option<u64>,
    /// To the moment at which the workers would have voted for an answer of that depth.
    pub voted_ns: Option<u64>,
    /// To the moment at which the last worker had finished.
    pub elapsed_ns: u64,

    /// Entries into the main search and legal moves made in quiescence.
    pub nodes: u64,
    /// Those of them in quiescence.
    pub qnodes: u64,
    /// As the thesis counts: quiescence moves when tried.
    pub thesis_nodes: u64,
    /// By the thesis's formula, cut to a whole number.
    pub thesis_hash_pct: u64,
    /// By the thesis's formula, cut to a whole number.
    pub thesis_order_pct: u64,
    /// By the thesis's formula, cut to a whole number.
    pub thesis_qn_pct: u64,

    /// Probes of the table.
    pub probes: u64,
    /// Probes that found the position.
    pub found: u64,
    /// Probes that found it searched deep enough.
    pub deep: u64,
    /// Probes that ended the node.
    pub ended: u64,
    /// Nodes that a move cut.
    pub cutoffs: u64,
    /// Nodes that the first move cut.
    pub cutoffs_first: u64,

    /// Where all workers' time went.
    pub activities: Activities,
    /// Nodes that need not have been searched, by class.
    pub losses: BTreeMap<String, i64>,
    /// Where the tree was split.
    pub splits: SplitCounts,
    /// All raw counts.
    pub counters: Map<String, Value>,
    /// With audit: slots of the table whose two words are of different stores.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub torn_standing: Option<u64>,
    /// Bytes of the table on large pages, where the system tells.
    pub table_on_large_pages_bytes: Option<u64>,
    /// Each worker's part.
    pub workers: Vec<WorkerRecord>,
}

/// Nanoseconds by activity. They add up to processors times elapsed time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Activities {
    /// Searching.
    pub search_ns: u64,
    /// Making, copying, joining and leaving split points.
    pub split_ns: u64,
    /// Waiting for a lock.
    pub lock_ns: u64,
    /// Without work.
    pub idle_ns: u64,
    /// An owner waits for its helpers.
    pub wait_ns: u64,
    /// Anything else.
    pub other_ns: u64,
}

/// Split points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct SplitCounts {
    /// All of them.
    pub made: u64,
    /// Those at which nobody helped.
    pub failed: u64,
    /// Those at which a move cut.
    pub cut: u64,
    /// Helpers that came.
    pub joined: u64,
    /// Legal moves that had been searched before, added up.
    pub searched_before: u64,
    /// Bytes copied to helpers.
    pub bytes: u64,
    /// Nanoseconds that took.
    pub copy_ns: u64,
    /// Moves before one that cut that need not be finished.
    pub saved_moves: u64,
    /// Times that a worker was stopped.
    pub stops: u64,
    /// From each of those to the moment it noticed, added up.
    pub stop_ns: u64,
}

/// One worker's part.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct WorkerRecord {
    /// What it searched.
    pub nodes: u64,
    /// The logical CPU it was to run on.
    pub cpu: Option<usize>,
    /// Whether it was pinned there.
    pub pinned: bool,
    /// Where its time went.
    pub activities: Activities,
    /// On a real machine: whether its core was its own.
    pub watch: Option<WorkerWatch>,
}

/// What disturbed one worker. `None`: the system does not tell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct WorkerWatch {
    /// Time that passed.
    pub wall_ns: u64,
    /// Processor time that the worker had of it.
    pub cpu_ns: Option<u64>,
    /// Cycles of the processor that it used.
    pub cycles: Option<u64>,
    /// Time in which it wanted a processor and stood in the queue for one.
    pub queued_ns: Option<u64>,
    /// Times that it gave up its processor to wait for something.
    pub voluntary_switches: Option<u64>,
    /// Times that its processor was taken away.
    pub involuntary_switches: Option<u64>,
    /// Whether it began and ended on different CPUs.
    pub has_moved: Option<bool>,
}

/// What surrounded a measurement on a real machine. `None`: the system does not tell.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Surroundings {
    /// What disturbed it, in words; empty if it was quiet.
    pub disturbed: Vec<String>,
    /// The share of processor time that the hypervisor gave to others.
    pub steal_share: Option<f64>,
    /// How many processors other programs kept busy.
    pub others_cpus: Option<f64>,
    /// The mean clock before.
    pub mhz_at_start: Option<f64>,
    /// The mean clock after.
    pub mhz_at_end: Option<f64>,
    /// Whether processors that were not measured were kept busy.
    pub filled: bool,
}

impl Record {
    /// What was measured, if it was.
    pub fn measured(&self) -> Option<&Measured> {
        match &self.result {
            CellResult::Done(measured) => Some(measured),
            CellResult::Failed(_) => None,
        }
    }

    /// Whether it was measured and nothing disturbed it.
    pub fn is_quiet(&self) -> bool {
        self.measured().is_some() && self.surroundings.as_ref().is_none_or(|around| around.disturbed.is_empty())
    }
}

impl Measured {
    /// Nodes per second.
    pub fn nps(&self) -> Option<f64> {
        (self.time_ns > 0).then(|| self.nodes as f64 * 1e9 / self.time_ns as f64)
    }

    /// Share of quiescence in all nodes, in percent.
    pub fn qn_pct(&self) -> Option<f64> {
        percentage(self.qnodes, self.nodes)
    }

    /// Share of the probes that ended the node, in percent.
    pub fn hash_pct(&self) -> Option<f64> {
        percentage(self.ended, self.probes)
    }

    /// Share of the nodes cut in the move loop that the first legal move cut, in percent.
    pub fn order_pct(&self) -> Option<f64> {
        percentage(self.cutoffs_first, self.cutoffs)
    }

    /// Time of a search by one real processor, without the time in which others had that processor.
    pub fn own_time_ns(&self) -> f64 {
        let watch = self.workers.first().and_then(|worker| worker.watch);
        let share = watch.and_then(|watch| Some(watch.cpu_ns? as f64 / watch.wall_ns.max(1) as f64));
        self.time_ns as f64 * share.unwrap_or(1.0).min(1.0)
    }
}

fn percentage(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| 100.0 * part as f64 / whole as f64)
}

impl std::iter::Sum for Activities {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        all.fold(Self::default(), |sum, one| Self {
            search_ns: sum.search_ns + one.search_ns,
            split_ns: sum.split_ns + one.split_ns,
            lock_ns: sum.lock_ns + one.lock_ns,
            idle_ns: sum.idle_ns + one.idle_ns,
            wait_ns: sum.wait_ns + one.wait_ns,
            other_ns: sum.other_ns + one.other_ns,
        })
    }
}

impl Activities {
    /// All time together.
    pub fn total(&self) -> u64 {
        self.search_ns + self.split_ns + self.lock_ns + self.idle_ns + self.wait_ns + self.other_ns
    }
}

#[cfg(test)]
mod tests {
    use serde::de::DeserializeOwned;

    use super::*;

    fn is_read_from_nothing<T: DeserializeOwned + Default + PartialEq>() -> bool {
        serde_json::from_str::<T>("{}").is_ok_and(|read| read == T::default())
    }

    /// A field that an older version did not write must not make its journals unreadable.
    #[test]
    fn every_field_has_a_default() {
        assert!(is_read_from_nothing::<Measured>() && is_read_from_nothing::<Activities>());
        assert!(is_read_from_nothing::<SplitCounts>() && is_read_from_nothing::<WorkerRecord>());
        assert!(is_read_from_nothing::<WorkerWatch>() && is_read_from_nothing::<Surroundings>());
    }

    #[test]
    fn what_others_took_is_no_time_of_the_search() {
        let mut measured = Measured { time_ns: 1_000, ..Measured::default() };
        assert_eq!(measured.own_time_ns(), 1_000.0);
        for (cpu_ns, expected) in [(Some(1_500), 750.0), (Some(2_100), 1_000.0), (None, 1_000.0)] {
            let watch = WorkerWatch { wall_ns: 2_000, cpu_ns, ..WorkerWatch::default() };
            measured.workers = vec![WorkerRecord { watch: Some(watch), ..WorkerRecord::default() }];
            assert_eq!(measured.own_time_ns(), expected);
        }
    }
}
