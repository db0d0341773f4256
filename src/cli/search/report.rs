//! What a search prints: a row a position and the means, or one JSON object.

use std::collections::BTreeMap;
use std::io::{self, Write};

use serde::Serialize;
use serde_json::Value;

use crate::chess::epd::Epd;
use crate::chess::{Board, notation};
use crate::cli::output::{self, Column};
use crate::machine::{Activity, Place, Waiting};
use crate::parallel::AnyStrategy;
use crate::search::features::Features;
use crate::search::figures::{Figures, ThesisFigures};
use crate::search::table::Tables;
use crate::search::{self, Counters, DepthReached, Iteration, Losses, Outcome};

#[derive(Serialize)]
pub struct Report {
    version: &'static str,
    configuration: Configuration,
    positions: Vec<Position>,
    means: Means,
    totals: Totals,
}

#[derive(Serialize)]
pub struct Configuration {
    pub features: String,
    pub board: &'static str,
    pub sliders: Option<&'static str>,
    pub strategy: String,
    pub machine: &'static str,
    pub threads: u32,
    /// The virtual machine's cost model, and its hash.
    pub costs: Option<String>,
    pub costs_hash: Option<String>,
    pub waiting: Waiting,
    /// Where real threads were to run.
    pub pin: Option<String>,
    pub hash_mib: u32,
    pub scheme: &'static str,
    pub seed: u64,
    pub depth: u32,
    pub nodes: Option<u64>,
    pub time_s: Option<f64>,
    pub audit: bool,
    /// Whether nodes that were searched a second time were looked for.
    pub losses: bool,
    pub table_on_large_pages_bytes: Option<u64>,
    /// All parameters of the strategy.
    pub parameters: BTreeMap<&'static str, Value>,
    pub expanded: Features,
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
    #[serde(flatten)]
    figures: Figures,
    /// Whether a best move of the position was found, if it names any.
    solved: Option<bool>,
    pv: Vec<String>,
    iterations: Vec<IterationRecord>,
    thesis: ThesisFigures,
    counters: Counters,
    /// With audit: slots of the table whose two words are of different stores.
    #[serde(skip_serializing_if = "Option::is_none")]
    torn_standing: Option<u64>,
    splits: Splits,
    /// Nodes that need not have been searched, by class.
    losses: Losses,
    workers: Vec<WorkerRecord>,
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
    made: u64,
    /// Nobody came.
    failed: u64,
    cut: u64,
    joined: u64,
    /// What was copied to helpers, and the time that took.
    bytes: u64,
    copy_ns: u64,
    /// Moves before one that cut that need not be finished.
    saved_moves: u64,
    /// From a cutoff or stop to the moment a worker noticed.
    stops: u64,
    stop_mean_ns: Option<f64>,
    stop_longest_ns: u64,
    by_kind: search::Splits,
}

#[derive(Serialize)]
struct IterationRecord {
    depth: u32,
    time_s: f64,
    nodes: u64,
    score_raw: i32,
    bestmove: Option<String>,
    failed_window: bool,
}

#[derive(Serialize)]
struct WorkerRecord {
    nodes: u64,
    /// The logical CPU it was pinned to.
    cpu: Option<usize>,
    pinned: bool,
    search_ns: u64,
    split_ns: u64,
    lock_ns: u64,
    idle_ns: u64,
    wait_ns: u64,
    other_ns: u64,
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
    /// Of those positions that name best moves.
    solved: usize,
    solvable: usize,
}

/// All parameters of a strategy by name.
pub fn parameters(strategy: &AnyStrategy) -> BTreeMap<&'static str, Value> {
    strategy.parameters().iter().map(|parameter| (parameter.name, parameter.kind.json(parameter.value))).collect()
}

fn seconds(nanoseconds: u64) -> f64 {
    nanoseconds as f64 / 1e9
}

impl Position {
    pub fn new<B: Board>(
        epd: &Epd,
        board: &B,
        depth: u32,
        outcome: Outcome,
        tables: &Tables,
        places: &[Place],
    ) -> Self {
        let times = Times::from(outcome.depth_reached(depth));
        let Outcome { answer, counters, workers, .. } = outcome;
        let figures = Figures::from(&counters);
        let time_s = seconds(answer.nanoseconds);
        let is_asked = !epd.best.is_empty() || !epd.avoid.is_empty();
        let solved = answer
            .best
            .filter(|_| is_asked)
            .map(|best| (epd.best.is_empty() || epd.best.contains(&best)) && !epd.avoid.contains(&best));
        Self {
            id: epd.id.clone().unwrap_or_default(),
            fen: epd.setup.to_string(),
            bestmove: answer.best.map(|mv| mv.to_string()),
            san: answer.best.map(|mv| notation::san(board, mv)),
            score_cp: answer.score.centipawns(),
            score_raw: answer.score.0,
            mate: answer.score.mate_moves(),
            depth: answer.depth,
            seldepth: counters.deepest.max(counters.deepest_quiescence),
            time_s,
            times,
            nps: (time_s > 0.0).then(|| figures.nodes as f64 / time_s),
            figures,
            solved,
            pv: answer.line.iter().map(|mv| mv.to_string()).collect(),
            iterations: answer.iterations.iter().map(IterationRecord::from).collect(),
            thesis: ThesisFigures::from(&counters),
            counters,
            torn_standing: tables.are_audited().then(|| tables.standing_torn()),
            splits: Splits {
                made: search::Splits::total(&counters.splits.made),
                failed: search::Splits::total(&counters.splits.failed),
                cut: search::Splits::total(&counters.splits.cut),
                joined: search::Splits::total(&counters.splits.joined),
                bytes: counters.copied_bytes,
                copy_ns: counters.handover_ns,
                saved_moves: counters.saved_moves,
                stops: counters.stops,
                stop_mean_ns: (counters.stops > 0).then(|| counters.stop_ns as f64 / counters.stops as f64),
                stop_longest_ns: counters.longest_stop_ns,
                by_kind: counters.splits,
            },
            losses: counters.losses,
            workers: workers
                .iter()
                .enumerate()
                .map(|(id, (counters, times))| WorkerRecord {
                    nodes: counters.nodes(),
                    cpu: places.get(id).and_then(|place| place.cpu),
                    pinned: places.get(id).is_some_and(|place| place.is_pinned),
                    search_ns: times[Activity::Search],
                    split_ns: times[Activity::Split],
                    lock_ns: times[Activity::Lock],
                    idle_ns: times[Activity::Idle],
                    wait_ns: times[Activity::Wait],
                    other_ns: times[Activity::Other],
                })
                .collect(),
        }
    }

    pub fn row(&self) -> String {
        let score =
            self.mate.map_or_else(|| format!("{:+.2}", f64::from(self.score_cp) / 100.0), |moves| format!("#{moves}"));
        let solved = match self.solved {
            Some(true) => "yes",
            Some(false) => "no",
            None => "",
        };
        let entries = [
            self.id.clone(),
            self.depth.to_string(),
            self.san.clone().unwrap_or_else(|| "-".into()),
            score,
            self.figures.nodes.to_string(),
            format!("{:.3} s", self.time_s),
            rate(self.nps),
            percent(self.figures.hash_pct),
            percent(self.figures.order_pct),
            percent(self.figures.qn_pct),
            solved.into(),
        ];
        output::row(&columns(self.id.len()), &entries)
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

impl From<&Iteration> for IterationRecord {
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
    pub fn new(configuration: Configuration, positions: Vec<Position>) -> Self {
        let means = Means::of(&positions);
        let totals = Totals {
            nodes: positions.iter().map(|position| position.figures.nodes).sum(),
            time_s: positions.iter().map(|position| position.time_s).sum(),
            solved: positions.iter().filter(|position| position.solved == Some(true)).count(),
            solvable: positions.iter().filter(|position| position.solved.is_some()).count(),
        };
        Self { version: env!("CARGO_PKG_VERSION"), configuration, positions, means, totals }
    }

    /// The means, ours and by the thesis's formulas, and how many were solved.
    pub fn print_summary(&self, out: &mut impl Write) -> io::Result<()> {
        let Self { means, totals, .. } = self;
        let thesis = &means.thesis;
        let blank = String::new;
        let solved = if totals.solvable > 0 { format!("{}/{}", totals.solved, totals.solvable) } else { blank() };
        if self.positions.len() > 1 {
            let mean = [
                "mean".into(),
                blank(),
                blank(),
                blank(),
                format!("{:.0}", means.nodes),
                format!("{:.3} s", means.time_s),
                rate(means.nps),
                percent(means.hash_pct),
                percent(means.order_pct),
                percent(means.qn_pct),
                solved,
            ];
            writeln!(out, "{}", output::row(&self.columns(), &mean))?;
        }
        let as_thesis = [
            "thesis".into(),
            blank(),
            blank(),
            blank(),
            format!("{:.0}", thesis.nodes),
            blank(),
            blank(),
            format!("{:.1}", thesis.hash_pct),
            format!("{:.1}", thesis.order_pct),
            format!("{:.1}", thesis.qn_pct),
            "as the thesis counts".into(),
        ];
        writeln!(out, "{}", output::row(&self.columns(), &as_thesis))
    }

    fn columns(&self) -> Vec<Column> {
        columns(self.positions.iter().map(|position| position.id.len()).max().unwrap_or(0))
    }
}

impl Means {
    fn of(positions: &[Position]) -> Self {
        let count = positions.len().max(1) as f64;
        let mean = |of: &dyn Fn(&Position) -> f64| positions.iter().map(of).sum::<f64>() / count;
        let mean_of_known = |of: &dyn Fn(&Position) -> Option<f64>| {
            let known: Vec<f64> = positions.iter().filter_map(of).collect();
            (!known.is_empty()).then(|| known.iter().sum::<f64>() / known.len() as f64)
        };
        Self {
            nps: mean_of_known(&|position| position.nps),
            nodes: mean(&|position| position.figures.nodes as f64),
            time_s: mean(&|position| position.time_s),
            hash_pct: mean_of_known(&|position| position.figures.hash_pct),
            order_pct: mean_of_known(&|position| position.figures.order_pct),
            qn_pct: mean_of_known(&|position| position.figures.qn_pct),
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
pub fn headings(positions: &[Epd]) -> String {
    let widest = positions.iter().filter_map(|epd| epd.id.as_ref()).map(String::len).max();
    output::headings(&columns(widest.unwrap_or(0)))
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
