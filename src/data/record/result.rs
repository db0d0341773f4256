//! Results of cells: records, each of which is one line of the journal and stands for itself. Plain data, like the
//! [`Cell`].

use serde::{Deserialize, Serialize};

use super::cell::Cell;
use super::figure::Figure;
use super::named_counts::NamedCounts;
use super::shared::Word;
use crate::choices::choices;
use crate::counts::{Activities, Distributions, Disturbance, Loss, SplitTimes};

/// Reason for which a search counts as disturbed that takes its processors from itself.
pub const OVERSUBSCRIBED: &str = "there were more threads than processors";

/// Line of the journal: a cell, its result, and when and where it was measured.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// Place of the cell in the plan.
    pub index: u64,
    /// Cell that was measured.
    pub cell: Cell,
    /// Number of earlier attempts at the cell: disturbed measurements that the experiment repeats.
    #[serde(default)]
    pub attempt: u32,
    /// Result of the cell.
    pub result: CellResult,
    /// Surroundings of the measurement, on a real machine.
    #[serde(default)]
    pub surroundings: Option<Surroundings>,
    /// Moment at which the measurement began, in seconds since 1970.
    #[serde(default)]
    pub started: f64,
    /// Time that the measurement took of this computer, in seconds, whatever machine it ran on.
    #[serde(default)]
    pub host_s: f64,
    /// Id of the session in which the record was made; `environment.json` describes it.
    #[serde(default)]
    pub session: Word,
}

/// Result of a cell: its measurement, or the reason why there is none.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
// Nearly all are measurements, and those of many records are read fastest where they lie side by side.
#[allow(clippy::large_enum_variant)]
pub enum CellResult {
    /// Measurement of the cell.
    Done(Measured),
    /// Measurement up to the moment at which a limit cut the search off, before it had reached its depth. The whole
    /// search would have taken longer.
    Cut(Measured),
    /// Figures of a micro-measurement.
    Micro(Vec<Figure>),
    /// Reason why the cell could not be measured.
    Failed(String),
}

/// Figures of a search. Times are nanoseconds of the machine that it ran on.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Measured {
    /// Move to play, as `e2e4`.
    pub bestmove: Option<Word>,
    /// Score in thousandths of a pawn, for the side to move.
    pub score_raw: i32,
    /// Moves to mate, negative if the side to move is mated.
    pub mate: Option<i32>,
    /// Depth of the answer in plies.
    pub depth: u32,
    /// Deepest line with quiescence, in plies.
    pub seldepth: u64,
    /// Whether the move solves the position, if that names best moves or moves to avoid.
    pub solved: Option<bool>,

    /// Time until any worker could answer with the depth that was asked for; with another limit, until the answer.
    pub time_ns: u64,
    /// Time until worker 0 could answer with that depth.
    pub master_ns: Option<u64>,
    /// Time until the workers would have voted for an answer of that depth.
    pub voted_ns: Option<u64>,
    /// Time until the last worker had finished.
    pub elapsed_ns: u64,

    /// Answers on the way, one for each iteration that was deeper than any before, up to the depth that was asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub answers: Vec<DepthAnswer>,

    /// Nodes: entries into the main search, and legal moves made in quiescence.
    pub nodes: u64,
    /// Nodes in quiescence.
    pub qnodes: u64,
    /// Nodes as the thesis counts them: quiescence moves when tried.
    pub thesis_nodes: u64,
    /// Hash hits in percent by the thesis's formula, cut to a whole number.
    pub thesis_hash_pct: u64,
    /// Move ordering in percent by the thesis's formula, cut to a whole number.
    pub thesis_order_pct: u64,
    /// Share of quiescence in percent by the thesis's formula, cut to a whole number.
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

    /// Time of all workers by activity.
    pub activities: Activities,
    /// Nodes that need not have been searched, by class of loss.
    pub losses: NamedCounts,
    /// Split points.
    pub splits: SplitCounts,
    /// Raw counts of all workers, by name.
    pub counters: NamedCounts,
    /// Slots of the table whose two words are of different stores at the end, with audit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub torn_standing: Option<u64>,
    /// Numbers of probes of other workers' parts of a distributed table, and of those not answered in time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub asked_and_unanswered: Option<[u64; 2]>,
    /// Used slots of a thousand of the table at the end, in records of versions that looked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub table_used_permille: Option<u32>,
    /// Name that an engine from outside gives itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub program: Option<Word>,
    /// Bytes of the table on large pages, where the system tells.
    pub table_on_large_pages_bytes: Option<u64>,
    /// Part of each worker.
    pub workers: Vec<WorkerRecord>,
    /// Times of the busiest workers, kept when [`forget_workers`](Self::forget_workers) has emptied the list of
    /// workers; never in a journal.
    #[serde(skip)]
    pub busiest: Option<Busiest>,
}

/// Mean and longest times for which the workers of a search were busy, in nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Busiest {
    /// Mean time that they search.
    pub mean_search: f64,
    /// Longest time that one of them searches.
    pub longest_search: f64,
    /// Longest time that one of them is at work.
    pub longest_work: f64,
}

/// Answer that a search could give when an iteration was completed, by whichever worker.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct DepthAnswer {
    /// Depth of the iteration in plies.
    pub depth: u32,
    /// Time until then.
    pub time_ns: u64,
    /// Move to play, as `e2e4`.
    pub bestmove: Option<Word>,
    /// Score in thousandths of a pawn, for the side to move.
    pub score_raw: i32,
    /// Nodes of that worker until then.
    pub nodes: u64,
    /// Leaves of the main search that the worker had reached until then.
    pub leaves: u64,
}

/// Counts of split points.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct SplitCounts {
    /// Number of split points.
    pub made: u64,
    /// Split points at which nobody helped.
    pub failed: u64,
    /// Split points at which a move cut.
    pub cut: u64,
    /// Helpers that came.
    pub joined: u64,
    /// Legal moves that had been searched before, added up.
    pub searched_before: u64,
    /// Bytes copied to helpers.
    pub bytes: u64,
    /// Nanoseconds spent on copying.
    pub copy_ns: u64,
    /// Moves before one that cut that need not be finished.
    pub saved_moves: u64,
    /// Times that a worker was stopped.
    pub stops: u64,
    /// Nanoseconds until stopped workers noticed, added up.
    pub stop_ns: u64,
    /// Times of sharing; none of an engine from outside.
    pub times: Option<SplitTimes>,
    /// Distributions over split points, if there were any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub distributions: Option<Box<Distributions>>,
}

/// Part of one worker in a search.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct WorkerRecord {
    /// Nodes of the worker.
    pub nodes: u64,
    /// Logical CPU that the worker was to run on.
    pub cpu: Option<usize>,
    /// Whether the worker was pinned to that CPU.
    pub pinned: bool,
    /// Time of the worker by activity.
    pub activities: Activities,
    /// Disturbances of the worker, on a real machine.
    pub watch: Option<Disturbance>,
}

choices! {
    /// Quietness of a computer during a measurement.
    pub enum Quietness, "state of a computer";
    /// The system does not tell, or the search was too short for its account.
    Unknown "unknown",
    /// Too little was taken away to move a figure, and nothing else was seen to disturb.
    Quiet "quiet",
    /// Enough was taken away to move a figure, or something else disturbed.
    Disturbed "disturbed",
}

/// Surroundings of a measurement on a real machine. `None` where the system does not tell.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Surroundings {
    /// Disturbances in words; none if the computer was quiet.
    pub disturbed: Vec<String>,
    /// Quietness of the computer.
    pub state: Quietness,
    /// Share of the processor time that the workers wanted which was taken away, where the account is exact enough.
    pub taken_share: Option<f64>,
    /// Share of processor time that the hypervisor gave to others.
    pub steal_share: Option<f64>,
    /// Number of processors that other programs kept busy beside those that they took from the workers.
    pub others_cpus: Option<f64>,
    /// Mean clock before the measurement.
    pub mhz_at_start: Option<f64>,
    /// Mean clock after the measurement.
    pub mhz_at_end: Option<f64>,
    /// Kind of work that kept processors busy that were not measured, if they were.
    pub filled_with: Option<String>,
}

impl CellResult {
    /// Figures of the search, whole or cut off.
    pub fn figures(&self) -> Option<&Measured> {
        match self {
            Self::Done(measured) | Self::Cut(measured) => Some(measured),
            Self::Micro(_) | Self::Failed(_) => None,
        }
    }
}

impl Record {
    /// Record of a measured cell for tests, with no surroundings.
    pub fn sample(index: u64, cell: Cell, measured: Measured) -> Self {
        Self {
            index,
            cell,
            attempt: 0,
            result: CellResult::Done(measured),
            surroundings: None,
            started: 0.0,
            host_s: 0.0,
            session: Word::default(),
        }
    }

    /// Measurement, if the cell was measured.
    pub fn measured(&self) -> Option<&Measured> {
        if let CellResult::Done(measured) = &self.result { Some(measured) } else { None }
    }

    /// Reason for which the cell could not be measured.
    pub fn failure(&self) -> Option<&str> {
        if let CellResult::Failed(reason) = &self.result { Some(reason) } else { None }
    }
}

impl Measured {
    /// Raw count, by its name.
    pub fn counter(&self, name: &str) -> Option<u64> {
        self.counters.get(name)?.try_into().ok()
    }

    /// Time to the end of the search, up to which nodes and activities are counted: that of the answer, unless workers
    /// went on until worker 0 had reached the depth too.
    pub fn end_ns(&self) -> u64 {
        self.time_ns.max(self.master_ns.unwrap_or(0))
    }

    /// Time for which the workers of the search were busy, on average and at most; nothing if no worker is known.
    pub fn busiest(&self) -> Option<Busiest> {
        let longest = |time: fn(&Activities) -> u64| {
            self.workers.iter().map(|worker| time(&worker.activities)).max().map(|time| time as f64)
        };
        let all: u64 = self.workers.iter().map(|worker| worker.activities.search_ns).sum();
        let told = || {
            Some(Busiest {
                mean_search: all as f64 / self.workers.len() as f64,
                longest_search: longest(|times| times.search_ns)?,
                longest_work: longest(|times| times.search_ns + times.split_ns + times.lock_ns)?,
            })
        };
        self.busiest.or_else(told)
    }

    /// Forgets the parts of workers, of which only [`Self::busiest`] is left.
    pub fn forget_workers(&mut self) {
        self.busiest = self.busiest();
        self.workers = Vec::new();
    }

    /// Time divided by one of the spans of the tree, if that was found.
    pub fn parallelism(&self, span: &str) -> Option<f64> {
        let span = self.counter(span).filter(|span| *span > 0)?;
        Some(self.end_ns() as f64 / span as f64)
    }

    /// Nodes per second of time to the end of the search.
    pub fn nps(&self) -> Option<f64> {
        (self.end_ns() > 0).then_some(self.told(self.nodes)? as f64 * 1e9 / self.end_ns() as f64)
    }

    /// A figure that our engine always has, and an engine from outside only if it has told it: it is not zero then.
    pub fn told(&self, figure: u64) -> Option<u64> {
        (self.program.is_none() || figure > 0).then_some(figure)
    }

    /// The score, unless an engine from outside has told none.
    pub fn told_score(&self) -> Option<i32> {
        self.told(self.depth.into()).map(|_| self.score_raw)
    }

    /// Nodes without those of iterations deeper than was asked for.
    pub fn nodes_within(&self) -> u64 {
        let beyond = self.losses.get(Loss::Beyond.name()).unwrap_or(0);
        self.nodes.saturating_sub(beyond.max(0) as u64)
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

    /// Number of leaves of the main search for each that the minimal trees of its iterations have.
    pub fn over_minimum(&self) -> Option<f64> {
        self.leaves_over_minimum(self.counter("leaves")?, self.depth)
    }

    /// Number of these leaves, reached up to this depth, for each that the minimal trees of the iterations up to there
    /// have: B^ceil(d/2) + B^floor(d/2) - 1 at depth d, where every node has B moves (Knuth and Moore 1975). B is the
    /// mean number of legal moves of nodes of the main search.
    pub fn leaves_over_minimum(&self, leaves: u64, depth: u32) -> Option<f64> {
        let moves = percentage(self.counter("counted_moves")?, self.counter("counted_nodes")?)? / 100.0;
        let minimum = |depth: u32| moves.powi(depth.div_ceil(2) as i32) + moves.powi(depth as i32 / 2) - 1.0;
        let all: f64 = (1..=depth).map(minimum).sum();
        (leaves > 0 && all > 0.0).then(|| leaves as f64 / all)
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

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    /// Paths of all keys of a value, at any depth.
    fn paths(value: &Value, above: &str) -> Vec<String> {
        let below = |(key, value): (String, &Value)| {
            let path = format!("{above}/{key}");
            let deeper = paths(value, &path);
            [vec![path], deeper].concat()
        };
        match value {
            Value::Object(fields) => fields.iter().flat_map(|(key, value)| below((key.clone(), value))).collect(),
            Value::Array(items) => {
                items.iter().zip(0..).flat_map(|(item, n)| paths(item, &format!("{above}/{n}"))).collect()
            }
            _ => Vec::new(),
        }
    }

    fn without(mut value: Value, path: &str) -> Value {
        let (above, key) = path.rsplit_once('/').unwrap();
        value.pointer_mut(above).unwrap().as_object_mut().unwrap().remove(key);
        value
    }

    /// A field that an older version did not write must not make its journals unreadable.
    #[test]
    fn records_are_read_without_any_field_but_the_first() {
        let worker = WorkerRecord { watch: Some(Disturbance::default()), ..WorkerRecord::default() };
        let measured = Measured {
            answers: vec![DepthAnswer::default()],
            splits: SplitCounts { times: Some(SplitTimes::default()), ..SplitCounts::default() },
            workers: vec![worker],
            ..Measured::default()
        };
        let record =
            Record { surroundings: Some(Surroundings::default()), ..Record::sample(0, Cell::default(), measured) };
        let whole = serde_json::to_value(&record).unwrap();
        let paths = paths(&whole, "");
        for part in ["/surroundings/state", "/workers/0/watch/cpu_ns", "/answers/0/nodes", "/splits/times/packs"] {
            assert!(paths.iter().any(|path| path.ends_with(part)), "{part} is not tried");
        }
        let is_needed = |path: &&String| serde_json::from_value::<Record>(without(whole.clone(), path)).is_err();
        assert_eq!(paths.iter().filter(is_needed).collect::<Vec<_>>(), ["/cell", "/index", "/result", "/result/done"]);
    }

    #[test]
    fn what_others_took_is_no_time_of_the_search() {
        let mut measured = Measured { time_ns: 1_000, ..Measured::default() };
        assert_eq!(measured.own_time_ns(), 1_000.0);
        for (cpu_ns, expected) in [(Some(1_500), 750.0), (Some(2_100), 1_000.0), (None, 1_000.0)] {
            let watch = Disturbance { wall_ns: 2_000, cpu_ns, ..Disturbance::default() };
            measured.workers = vec![WorkerRecord { watch: Some(watch), ..WorkerRecord::default() }];
            assert_eq!(measured.own_time_ns(), expected);
        }
    }
}
