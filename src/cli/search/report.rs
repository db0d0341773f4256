//! What a search prints: a row a position and the means, or one JSON object.

use std::collections::BTreeMap;
use std::io::{self, Write};

use serde::Serialize;
use serde_json::{Value, json};

use crate::cli::output::{self, Column};
use crate::lab::Measurement;
use crate::record::{Activities, Cell, SplitCounts, WorkerRecord, WorkerWatch};
use crate::search::figures::ThesisFigures;
use crate::search::{self, Counters, DEEPEST, DepthReached, Iteration};

#[derive(Serialize)]
pub struct Report {
    version: &'static str,
    configuration: Value,
    positions: Vec<Position>,
    means: Means,
    totals: Totals,
}

#[derive(Serialize)]
pub struct Position {
    id: String,
    fen: String,
    bestmove: Option<String>,
    /// The same in the notation of books.
    san: Option<String>,
    score_cp: i32,
    score_raw: i32,
    mate: Option<i32>,
    depth: u32,
    seldepth: u64,
    time_s: f64,
    times: Times,
    nps: Option<f64>,
    nodes: u64,
    qnodes: u64,
    qn_pct: Option<f64>,
    hash_pct: Option<f64>,
    order_pct: Option<f64>,
    solved: Option<bool>,
    pv: Vec<String>,
    iterations: Vec<IterationRow>,
    thesis: ThesisFigures,
    counters: Counters,
    #[serde(skip_serializing_if = "Option::is_none")]
    torn_standing: Option<u64>,
    splits: Splits,
    losses: BTreeMap<String, i64>,
    workers: Vec<Worker>,
    #[serde(skip)]
    table_on_large_pages_bytes: Option<u64>,
}

/// When the depth asked for was reached; null where it was not.
#[derive(Serialize)]
struct Times {
    /// By any worker.
    first_s: Option<f64>,
    /// By worker 0.
    master_s: Option<f64>,
    /// By an answer that the workers would have voted for.
    voted_s: Option<f64>,
    voted_move: Option<String>,
    voted_depth: Option<u32>,
}

#[derive(Serialize)]
struct Splits {
    #[serde(flatten)]
    counts: SplitCounts,
    stop_mean_ns: Option<f64>,
    stop_longest_ns: u64,
    by_kind: search::Splits,
}

#[derive(Serialize)]
struct IterationRow {
    depth: u32,
    time_s: f64,
    nodes: u64,
    score_raw: i32,
    bestmove: Option<String>,
    failed_window: bool,
}

#[derive(Serialize)]
struct Worker {
    nodes: u64,
    cpu: Option<usize>,
    pinned: bool,
    #[serde(flatten)]
    activities: Activities,
    #[serde(skip_serializing_if = "Option::is_none")]
    watch: Option<WorkerWatch>,
}

/// Arithmetic means over positions, as in the thesis; a mean of ratios leaves out those that have nothing to divide by.
#[derive(Serialize)]
struct Means {
    nps: Option<f64>,
    nodes: f64,
    time_s: f64,
    hash_pct: Option<f64>,
    order_pct: Option<f64>,
    qn_pct: Option<f64>,
    thesis: ThesisMeans,
}

#[derive(Serialize)]
struct ThesisMeans {
    nodes: f64,
    hash_pct: f64,
    order_pct: f64,
    qn_pct: f64,
}

#[derive(Serialize)]
struct Totals {
    nodes: u64,
    time_s: f64,
    /// Of those positions that name best moves or moves to avoid.
    solved: usize,
    solvable: usize,
}

fn seconds(nanoseconds: u64) -> f64 {
    nanoseconds as f64 / 1e9
}

impl Position {
    pub fn new(cell: &Cell, found: Measurement) -> Self {
        let Measurement { measured, outcome, san, .. } = found;
        let (counters, answer) = (outcome.counters, &outcome.answer);
        Self {
            id: cell.position.clone(),
            fen: cell.fen.clone(),
            san,
            score_cp: answer.score.centipawns(),
            score_raw: measured.score_raw,
            mate: measured.mate,
            depth: measured.depth,
            seldepth: measured.seldepth,
            time_s: seconds(measured.time_ns),
            times: outcome.depth_reached(cell.depth.unwrap_or(DEEPEST)).into(),
            nps: measured.nps(),
            nodes: measured.nodes,
            qnodes: measured.qnodes,
            qn_pct: measured.qn_pct(),
            hash_pct: measured.hash_pct(),
            order_pct: measured.order_pct(),
            solved: measured.solved,
            pv: answer.line.iter().map(ToString::to_string).collect(),
            iterations: answer.iterations.iter().map(IterationRow::from).collect(),
            thesis: ThesisFigures::from(&counters),
            counters,
            torn_standing: measured.torn_standing,
            splits: Splits {
                counts: measured.splits,
                stop_mean_ns: (counters.stops > 0).then(|| counters.stop_ns as f64 / counters.stops as f64),
                stop_longest_ns: counters.longest_stop_ns,
                by_kind: counters.splits,
            },
            workers: measured.workers.iter().map(Worker::from).collect(),
            table_on_large_pages_bytes: measured.table_on_large_pages_bytes,
            bestmove: measured.bestmove,
            losses: measured.losses,
        }
    }

    pub fn row(&self) -> String {
        let score =
            self.mate.map_or_else(|| format!("{:+.2}", f64::from(self.score_cp) / 100.0), |moves| format!("#{moves}"));
        let solved = self.solved.map_or("", |solved| if solved { "yes" } else { "no" });
        let entries = [
            self.id.clone(),
            self.depth.to_string(),
            self.san.clone().unwrap_or_else(|| "-".into()),
            score,
            self.nodes.to_string(),
            format!("{:.3} s", self.time_s),
            rate(self.nps),
            percent(self.hash_pct),
            percent(self.order_pct),
            percent(self.qn_pct),
            solved.into(),
        ];
        output::row(&columns(self.id.len()), &entries)
    }
}

impl From<&WorkerRecord> for Worker {
    fn from(record: &WorkerRecord) -> Self {
        let WorkerRecord { nodes, cpu, pinned, activities, watch } = *record;
        Self { nodes, cpu, pinned, activities, watch }
    }
}

impl From<DepthReached> for Times {
    fn from(reached: DepthReached) -> Self {
        Self {
            first_s: reached.first.map(seconds),
            master_s: reached.master.map(seconds),
            voted_s: reached.voted.map(seconds),
            voted_move: reached.vote.map(|vote| vote.best.to_string()),
            voted_depth: reached.vote.map(|vote| vote.depth),
        }
    }
}

impl From<&Iteration> for IterationRow {
    fn from(iteration: &Iteration) -> Self {
        Self {
            depth: iteration.depth,
            time_s: seconds(iteration.nanoseconds),
            nodes: iteration.nodes,
            score_raw: iteration.score.0,
            bestmove: iteration.line.first().map(|mv| mv.to_string()),
            failed_window: iteration.failed_window,
        }
    }
}

impl Report {
    pub fn new(mut configuration: Value, positions: Vec<Position>) -> Self {
        configuration["table_on_large_pages_bytes"] =
            json!(positions.first().and_then(|position| position.table_on_large_pages_bytes));
        let totals = Totals {
            nodes: positions.iter().map(|position| position.nodes).sum(),
            time_s: positions.iter().map(|position| position.time_s).sum(),
            solved: positions.iter().filter(|position| position.solved == Some(true)).count(),
            solvable: positions.iter().filter(|position| position.solved.is_some()).count(),
        };
        let means = Means::of(&positions);
        Self { version: env!("CARGO_PKG_VERSION"), configuration, positions, means, totals }
    }

    /// Prints the means, ours and by the thesis's formulas, and how many positions were solved.
    pub fn print_summary(&self, out: &mut impl Write) -> io::Result<()> {
        let Self { means, totals, positions, .. } = self;
        let columns = columns(positions.iter().map(|position| position.id.len()).max().unwrap_or(0));
        let solved = if totals.solvable > 0 { format!("{}/{}", totals.solved, totals.solvable) } else { String::new() };
        let row = |name: &str, figures: [String; 6], last: String| {
            let blanks = [String::new(), String::new(), String::new()];
            let entries: Vec<String> =
                [name.to_owned()].into_iter().chain(blanks).chain(figures).chain([last]).collect();
            output::row(&columns, &entries)
        };
        if positions.len() > 1 {
            let time = format!("{:.3} s", means.time_s);
            let [hash, order, qn] = [means.hash_pct, means.order_pct, means.qn_pct].map(percent);
            let figures = [format!("{:.0}", means.nodes), time, rate(means.nps), hash, order, qn];
            writeln!(out, "{}", row("mean", figures, solved))?;
        }
        let thesis = &means.thesis;
        let [hash, order, qn] = [thesis.hash_pct, thesis.order_pct, thesis.qn_pct].map(|share| percent(Some(share)));
        let figures = [format!("{:.0}", thesis.nodes), String::new(), String::new(), hash, order, qn];
        writeln!(out, "{}", row("thesis", figures, "as the thesis counts".to_owned()))
    }
}

impl Means {
    fn of(positions: &[Position]) -> Self {
        let mean_of_known = |of: &dyn Fn(&Position) -> Option<f64>| {
            let known: Vec<f64> = positions.iter().filter_map(of).collect();
            (!known.is_empty()).then(|| known.iter().sum::<f64>() / known.len() as f64)
        };
        let mean = |of: &dyn Fn(&Position) -> f64| mean_of_known(&|position| Some(of(position))).unwrap_or(0.0);
        Self {
            nps: mean_of_known(&|position| position.nps),
            nodes: mean(&|position| position.nodes as f64),
            time_s: mean(&|position| position.time_s),
            hash_pct: mean_of_known(&|position| position.hash_pct),
            order_pct: mean_of_known(&|position| position.order_pct),
            qn_pct: mean_of_known(&|position| position.qn_pct),
            thesis: ThesisMeans {
                nodes: mean(&|position| position.thesis.nodes as f64),
                hash_pct: mean(&|position| position.thesis.hash_pct as f64),
                order_pct: mean(&|position| position.thesis.order_pct as f64),
                qn_pct: mean(&|position| position.thesis.qn_pct as f64),
            },
        }
    }
}

/// The heading of the table.
pub fn headings(cells: &[Cell]) -> String {
    output::headings(&columns(cells.iter().map(|cell| cell.position.len()).max().unwrap_or(0)))
}

fn columns(widest_id: usize) -> Vec<Column> {
    vec![
        Column::text("position", widest_id),
        Column::number("depth", 0),
        Column::text("move", 7),
        Column::number("score", 6),
        Column::number("nodes", 11),
        Column::number("time", 9),
        Column::number("nodes/s", 7),
        Column::number("hash%", 0),
        Column::number("order%", 0),
        Column::number("qn%", 0),
        Column::text("solved", 0),
    ]
}

fn rate(per_second: Option<f64>) -> String {
    per_second.map_or_else(|| "-".into(), output::rate)
}

fn percent(value: Option<f64>) -> String {
    value.map_or_else(|| "-".into(), |value| format!("{value:.1}"))
}

/// One iteration on one line.
pub fn iteration_line(iteration: &Iteration) -> String {
    let line: Vec<String> = iteration.line.iter().map(|mv| mv.to_string()).collect();
    format!(
        "depth {:>2} {:>7} {:>11} nodes {:>8.3} s {} {}",
        iteration.depth,
        iteration.score.to_string(),
        iteration.nodes,
        seconds(iteration.nanoseconds),
        if iteration.failed_window { "~" } else { " " },
        line.join(" ")
    )
}
