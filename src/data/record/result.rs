//! Results of cells: records, each of which is one line of the journal and stands for itself. Plain data, like the
//! [`Cell`].

use serde::{Deserialize, Serialize};

use super::cell::Cell;
use super::figure::Figure;
use super::named_counts::NamedCounts;
use super::shared::Word;
use super::split_distributions::SplitDistributions;
use crate::choices::choices;
use crate::counts::{Activities, Disturbance, LetterCounts, SplitTimes};

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
    /// Time of all workers by activity.
    pub activities: Activities,
    /// Nodes that need not have been searched, by class of loss.
    pub losses: NamedCounts,
    /// Counts of all workers, by the names of the register; none of an engine from outside. Other counts of a search
    /// are [read off](Self::count) from these.
    pub counters: NamedCounts,
    /// Times of sharing nodes.
    pub sharing: Sharing,
    /// Slots of the table whose two words are of different stores at the end, with audit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub torn_standing: Option<u64>,
    /// Numbers of probes of other workers' parts of a distributed table, and of those not answered in time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub asked_and_unanswered: Option<[u64; 2]>,
    /// Letters between nodes, if the machine has several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub letters: Option<LetterCounts>,
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

/// Times of sharing nodes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Sharing {
    /// Sums over split points; none of an engine from outside.
    pub times: Option<SplitTimes>,
    /// Distributions over split points, if there were any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub distributions: Option<SplitDistributions>,
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
    /// Kinds of cores that the workers ran on, the fastest first: `fast`, `fast+slow`, or `alike` on a computer whose
    /// cores are. Not known of workers that are not pinned, where there are several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub core_kind: Option<String>,
    /// Number of fast cores that this process may use, on a computer that has slower ones too.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fast_cores: Option<u32>,
    /// Number of groups of processors with an L3 cache each on which the workers ran, likewise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub l3_groups: Option<u32>,
    /// Number of NUMA nodes over which the table was interleaved, if that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interleaved_nodes: Option<u32>,
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
            sharing: Sharing { times: Some(SplitTimes::default()), distributions: None },
            workers: vec![worker],
            ..Measured::default()
        };
        let record =
            Record { surroundings: Some(Surroundings::default()), ..Record::sample(0, Cell::default(), measured) };
        let whole = serde_json::to_value(&record).unwrap();
        let paths = paths(&whole, "");
        for part in ["/surroundings/state", "/workers/0/watch/cpu_ns", "/answers/0/nodes", "/sharing/times/packs"] {
            assert!(paths.iter().any(|path| path.ends_with(part)), "{part} is not tried");
        }
        let is_needed = |path: &&String| serde_json::from_value::<Record>(without(whole.clone(), path)).is_err();
        assert_eq!(paths.iter().filter(is_needed).collect::<Vec<_>>(), ["/cell", "/index", "/result", "/result/done"]);
    }
}
