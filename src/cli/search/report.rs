//! Output of a search: a row for each position and the means, or one JSON object.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::{Value, json};

use crate::cli::output::{self, Column, object};
use crate::lab::Measurement;
use crate::record::{Cell, DepthAnswer, MachineKind, Measured, WorkerRecord};
use crate::search::{DEEPEST, Iteration};

/// Position with its measurement.
pub struct Position {
    pub cell: Cell,
    pub found: Measurement,
}

/// Arithmetic means over positions, as in the thesis; a mean of ratios leaves out those that have nothing to divide by.
#[derive(Serialize)]
struct Means {
    nps: Option<f64>,
    nodes: f64,
    time_s: f64,
    hash_pct: Option<f64>,
    order_pct: Option<f64>,
    over_minimum: Option<f64>,
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

fn seconds(nanoseconds: u64) -> f64 {
    nanoseconds as f64 / 1e9
}

impl Position {
    fn measured(&self) -> &Measured {
        &self.found.measured
    }

    fn time_s(&self) -> f64 {
        seconds(self.measured().time_ns)
    }

    /// Unit of its times.
    fn unit(&self) -> &'static str {
        self.cell.configuration.machine.seconds()
    }

    /// The figures of the record, and what only a single search shows.
    fn json(&self) -> impl Serialize {
        let Measurement { measured, outcome, san, .. } = &self.found;
        let (answer, counters, splits) = (&outcome.answer, &outcome.counters, &measured.splits);
        let reached = outcome.depth_reached(self.cell.depth.unwrap_or(DEEPEST));
        object! {
            id: &self.cell.position,
            fen: &self.cell.fen,
            bestmove: &measured.bestmove,
            san: san,
            score_cp: answer.score.centipawns(),
            score_raw: measured.score_raw,
            mate: measured.mate,
            depth: measured.depth,
            seldepth: measured.seldepth,
            time_s: self.time_s(),
            times: object! {
                first_s: reached.first.map(seconds),
                master_s: reached.master.map(seconds),
                voted_s: reached.voted.map(seconds),
                voted_move: reached.vote.map(|vote| vote.best.to_string()),
                voted_depth: reached.vote.map(|vote| vote.depth),
            },
            nps: measured.nps(),
            nodes: measured.nodes,
            qnodes: measured.qnodes,
            qn_pct: measured.qn_pct(),
            hash_pct: measured.hash_pct(),
            order_pct: measured.order_pct(),
            over_minimum: measured.over_minimum(),
            solved: measured.solved,
            pv: answer.line.iter().map(ToString::to_string).collect::<Vec<_>>(),
            iterations: answer.iterations.iter().map(iteration_json).collect::<Vec<_>>(),
            answers: measured.answers.iter().map(answer_json).collect::<Vec<_>>(),
            thesis: object! {
                nodes: measured.thesis_nodes,
                hash_pct: measured.thesis_hash_pct,
                order_pct: measured.thesis_order_pct,
                qn_pct: measured.thesis_qn_pct,
            },
            counters: counters,
            #[serde(flatten)]
            audit: measured.torn_standing.map(|torn_standing| object! { torn_standing: torn_standing }),
            splits: object! {
                #[serde(flatten)]
                counts: splits,
                stop_mean_ns: (splits.stops > 0).then(|| splits.stop_ns as f64 / splits.stops as f64),
                stop_longest_ns: counters.longest_stop_ns,
                by_kind: counters.splits,
            },
            losses: &measured.losses,
            workers: measured.workers.iter().map(worker_json).collect::<Vec<_>>(),
        }
    }

    /// Lines that say when the search could first answer with each depth, if several workers have answers of their own:
    /// then the iterations do not.
    pub fn answer_lines(&self) -> Vec<String> {
        let line = |answer: &DepthAnswer| {
            let (time_s, best) = (seconds(answer.time_ns), answer.bestmove.as_deref().unwrap_or("-"));
            format!("depth {:>2} first answered after {time_s:.3} {} {best}", answer.depth, self.unit())
        };
        let have_several = self.found.outcome.answers.len() > 1;
        self.found.measured.answers.iter().filter(|_| have_several).map(line).collect()
    }

    pub fn row(&self) -> String {
        let measured = self.measured();
        let pawns = || format!("{:+.2}", f64::from(self.found.outcome.answer.score.centipawns()) / 100.0);
        let entries = [
            self.cell.position.clone(),
            measured.depth.to_string(),
            self.found.san.clone().unwrap_or_else(|| "-".into()),
            measured.mate.map_or_else(pawns, |moves| format!("#{moves}")),
            measured.nodes.to_string(),
            format!("{:.3} {}", self.time_s(), self.unit()),
            rate(measured.nps()),
            percent(measured.hash_pct()),
            percent(measured.order_pct()),
            factor(measured.over_minimum()),
            percent(measured.qn_pct()),
            measured.solved.map_or("", |solved| if solved { "yes" } else { "no" }).into(),
        ];
        output::row(&columns(self.cell.position.len(), self.unit()), &entries)
    }
}

fn iteration_json(iteration: &Iteration) -> impl Serialize + use<> {
    object! {
        depth: iteration.depth,
        time_s: seconds(iteration.nanoseconds),
        nodes: iteration.nodes,
        score_raw: iteration.score.0,
        bestmove: iteration.line.first().map(ToString::to_string),
        failed_window: iteration.failed_window,
    }
}

fn answer_json(answer: &DepthAnswer) -> impl Serialize + use<'_> {
    object! {
        depth: answer.depth,
        time_s: seconds(answer.time_ns),
        nodes: answer.nodes,
        score_raw: answer.score_raw,
        bestmove: &answer.bestmove,
    }
}

fn worker_json(worker: &WorkerRecord) -> impl Serialize + use<> {
    object! {
        nodes: worker.nodes,
        cpu: worker.cpu,
        pinned: worker.pinned,
        #[serde(flatten)]
        activities: worker.activities,
        #[serde(flatten)]
        disturbance: worker.watch.map(|watch| object! { watch: watch }),
    }
}

fn solved(positions: &[Position]) -> usize {
    positions.iter().filter(|position| position.measured().solved == Some(true)).count()
}

/// Number of positions that name best moves or moves to avoid.
fn solvable(positions: &[Position]) -> usize {
    positions.iter().filter(|position| position.measured().solved.is_some()).count()
}

/// JSON object of the whole command. `configuration` is what all searches have in common.
pub fn json(mut configuration: Value, positions: &[Position]) -> impl Serialize {
    configuration["table_on_large_pages_bytes"] =
        json!(positions.first().and_then(|position| position.measured().table_on_large_pages_bytes));
    object! {
        version: env!("CARGO_PKG_VERSION"),
        configuration: configuration,
        positions: positions.iter().map(Position::json).collect::<Vec<_>>(),
        means: Means::of(positions),
        totals: object! {
            nodes: positions.iter().map(|position| position.measured().nodes).sum::<u64>(),
            time_s: positions.iter().map(Position::time_s).sum::<f64>(),
            solved: solved(positions),
            solvable: solvable(positions),
        },
    }
}

/// Prints the means, and once more by the thesis's definitions, and how many positions were solved.
pub fn print_summary(positions: &[Position], out: &mut impl Write) -> io::Result<()> {
    let (Some(first), means) = (positions.first(), Means::of(positions)) else { return Ok(()) };
    let columns = columns(widest_id(positions.iter().map(|position| &position.cell)), first.unit());
    let name = if positions.len() > 1 { "mean" } else { &first.cell.position };
    let mut print = |figures: [String; 7], last: String| {
        let blanks = [String::new(), String::new(), String::new()];
        let entries: Vec<String> = [name.to_owned()].into_iter().chain(blanks).chain(figures).chain([last]).collect();
        writeln!(out, "{}", output::row(&columns, &entries))
    };
    if positions.len() > 1 {
        let time = format!("{:.3} {}", means.time_s, first.unit());
        let [hash, order, qn] = [means.hash_pct, means.order_pct, means.qn_pct].map(percent);
        let solved = match solvable(positions) {
            0 => String::new(),
            solvable => format!("{}/{solvable}", solved(positions)),
        };
        let over_minimum = factor(means.over_minimum);
        print([format!("{:.0}", means.nodes), time, rate(means.nps), hash, order, over_minimum, qn], solved)?;
    }
    let thesis = &means.thesis;
    let [hash, order, qn] = [thesis.hash_pct, thesis.order_pct, thesis.qn_pct].map(|share| percent(Some(share)));
    let figures = [format!("{:.0}", thesis.nodes), String::new(), String::new(), hash, order, String::new(), qn];
    print(figures, "as in the thesis".to_owned())
}

impl Means {
    fn of(positions: &[Position]) -> Self {
        let mean_of_known = |of: &dyn Fn(&Measured) -> Option<f64>| {
            let known: Vec<f64> = positions.iter().filter_map(|position| of(position.measured())).collect();
            (!known.is_empty()).then(|| known.iter().sum::<f64>() / known.len() as f64)
        };
        let mean = |of: &dyn Fn(&Measured) -> f64| mean_of_known(&|measured| Some(of(measured))).unwrap_or(0.0);
        Self {
            nps: mean_of_known(&Measured::nps),
            nodes: mean(&|measured| measured.nodes as f64),
            time_s: mean(&|measured| seconds(measured.time_ns)),
            hash_pct: mean_of_known(&Measured::hash_pct),
            order_pct: mean_of_known(&Measured::order_pct),
            over_minimum: mean_of_known(&Measured::over_minimum),
            qn_pct: mean_of_known(&Measured::qn_pct),
            thesis: ThesisMeans {
                nodes: mean(&|measured| measured.thesis_nodes as f64),
                hash_pct: mean(&|measured| measured.thesis_hash_pct as f64),
                order_pct: mean(&|measured| measured.thesis_order_pct as f64),
                qn_pct: mean(&|measured| measured.thesis_qn_pct as f64),
            },
        }
    }
}

/// Headings of the table.
pub fn headings(cells: &[Cell]) -> String {
    let unit = cells.first().map_or("s", |cell| cell.configuration.machine.seconds());
    output::headings(&columns(widest_id(cells.iter()), unit))
}

fn widest_id<'a>(cells: impl Iterator<Item = &'a Cell>) -> usize {
    cells.map(|cell| cell.position.len()).max().unwrap_or(0)
}

/// Columns of the table, for times in this unit.
fn columns(widest_id: usize, unit: &str) -> Vec<Column> {
    vec![
        Column::text("position", widest_id),
        Column::number("depth", 0),
        Column::text("move", 7),
        Column::number("score", 6),
        Column::number("nodes", 11),
        Column::number("time", 9),
        Column::number(&format!("nodes/{unit}"), 7),
        Column::number("hash%", 0),
        Column::number("order%", 0),
        Column::number("x min", 5),
        Column::number("qn%", 0),
        Column::text("solved", 0),
    ]
}

fn rate(per_second: Option<f64>) -> String {
    per_second.map_or_else(|| "-".into(), output::rate)
}

/// Multiple of something, in a few characters.
fn factor(value: Option<f64>) -> String {
    value.map_or_else(|| "-".into(), |value| format!("{value:.*}", usize::from(value < 100.0)))
}

fn percent(value: Option<f64>) -> String {
    value.map_or_else(|| "-".into(), |value| format!("{value:.1}"))
}

/// Line that describes an iteration on a machine of this kind.
pub fn iteration_line(iteration: &Iteration, machine: MachineKind) -> String {
    let line: Vec<String> = iteration.line.iter().map(|mv| mv.to_string()).collect();
    format!(
        "depth {:>2} {:>7} {:>11} nodes {:>8.3} {} {} {}",
        iteration.depth,
        iteration.score.to_string(),
        iteration.nodes,
        seconds(iteration.nanoseconds),
        machine.seconds(),
        if iteration.failed_window { "~" } else { " " },
        line.join(" ")
    )
}
