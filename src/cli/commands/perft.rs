//! `splitpoint perft`: counts the leaves of the tree of all legal moves, and checks them where the answer is known.

use std::collections::BTreeMap;
use std::io::{Write, stdout};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use clap::Args;
use indicatif::{ProgressBar, ProgressDrawTarget};
use rayon::ThreadPoolBuilder;
use serde::Serialize;

use super::board_args::BoardArgs;
use super::error::CliError;
use super::output::{self, Column, VERSION, object};
use super::position_args::PositionArgs;
use crate::chess::choice::{BoardChoice, SlidersChoice};
use crate::chess::epd::{DEPTHS, Epd};
use crate::chess::perft::{Divide, Leaves, Part};
use crate::chess::suites::Suite;

/// Bound of `--depth`: no deeper tree can be counted in a lifetime.
const DEEPEST: u64 = 30;

/// Count the leaves of the tree of all legal moves, and check known counts
#[derive(Args)]
#[command(after_help = "\
Examples:
  splitpoint perft startpos --depth 6
  splitpoint perft BK09 --depth 4 --divide --board mailbox
  splitpoint perft perft --depth 5 --bulk --threads 2

The exit status is 1 if a count differs from a known one.")]
pub struct Perft {
    #[command(flatten)]
    positions: PositionArgs,

    /// Depth of the tree in plies
    #[arg(long, value_name = "N", value_parser = super::values::whole::<u32>(0..=DEEPEST))]
    depth: u32,

    #[command(flatten)]
    board: BoardArgs,

    /// Print the number of leaves below each move of the root
    #[arg(long)]
    divide: bool,

    /// Count the moves of the last ply instead of making them
    #[arg(long)]
    bulk: bool,

    /// Number of threads that share the work
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = super::values::processors())]
    threads: u32,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Count {
    id: String,
    fen: String,
    depth: u32,
    nodes: u64,
    /// Known count, if there is one.
    expected: Option<u64>,
    ok: Option<bool>,
    time_s: f64,
    nps: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    divide: Option<BTreeMap<String, u64>>,
}

impl Perft {
    pub fn run(&self) -> Result<(), CliError> {
        let board = self.board.choice()?;
        let positions = self.positions.resolve()?;
        let pool = ThreadPoolBuilder::new()
            .num_threads(self.threads as usize)
            .build()
            .map_err(|error| CliError::Failed(format!("cannot start {} threads: {error}", self.threads)))?;
        let columns = columns(&positions);
        if !self.json {
            writeln!(stdout(), "{}\n\n{}", self.title(board), output::headings(&columns))?;
        }
        let mut counts = Vec::with_capacity(positions.len());
        for (i, epd) in positions.iter().enumerate() {
            let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden())
                .with_prefix(format!("{}/{} {}", i + 1, positions.len(), id(epd)))
                .with_style(output::style("{prefix} [{bar:30}] {percent}%, {msg}, {eta} left"));
            let count = pool.install(|| self.count(board, epd, &bar))?;
            bar.finish_and_clear();
            if !self.json {
                print(&count, &columns)?;
            }
            counts.push(count);
        }
        self.finish(board, &counts, &columns)
    }

    fn count(&self, board: BoardChoice, epd: &Epd, bar: &ProgressBar) -> Result<Count, CliError> {
        let counted = AtomicU64::new(0);
        let leaves = if self.bulk { Leaves::Counted } else { Leaves::Made };
        let count = |depth| {
            let progress = &|part: Part| show(bar, part, counted.fetch_add(part.nodes, Ordering::Relaxed) + part.nodes);
            let counted = Divide { setup: &epd.setup, depth, leaves, progress, is_stopped: &|| false }.on(board)?;
            Ok::<_, CliError>(counted.expect("nothing stops it"))
        };
        // Tables that all boards of a type share are made before time is taken.
        count(0)?;
        let start = Instant::now();
        let moves = count(self.depth)?;
        let seconds = start.elapsed().as_secs_f64();
        let moves: BTreeMap<String, u64> = moves.into_iter().map(|(mv, nodes)| (mv.to_string(), nodes)).collect();
        let nodes = if self.depth == 0 { 1 } else { moves.values().sum() };
        let expected = expected(epd, self.depth);
        Ok(Count {
            id: id(epd).to_owned(),
            fen: epd.setup.to_string(),
            depth: self.depth,
            nodes,
            expected,
            ok: expected.map(|expected| expected == nodes),
            time_s: seconds,
            nps: (seconds > 0.0).then(|| nodes as f64 / seconds),
            divide: self.divide.then_some(moves),
        })
    }

    fn title(&self, board: BoardChoice) -> String {
        let leaves =
            if self.bulk { "moves of the last ply counted, not made" } else { "moves of the last ply made and unmade" };
        let threads = if self.threads == 1 { "1 thread".into() } else { format!("{} threads", self.threads) };
        format!("{board}, {leaves}, {threads}")
    }

    fn finish(&self, board: BoardChoice, counts: &[Count], columns: &[Column]) -> Result<(), CliError> {
        let wrong = counts.iter().filter(|count| count.ok == Some(false)).count();
        if self.json {
            let (threads, bulk, sliders) = (self.threads, self.bulk, board.sliders().map(SlidersChoice::name));
            let printed = object! {
                version: VERSION,
                configuration: object! { board: board.name(), sliders, threads, bulk },
                positions: counts, ok: wrong == 0,
            };
            output::json(&mut stdout(), &printed)?;
        } else if counts.len() > 1 {
            let nodes: u64 = counts.iter().map(|count| count.nodes).sum();
            let seconds: f64 = counts.iter().map(|count| count.time_s).sum();
            let right = counts.iter().filter(|count| count.ok == Some(true)).count();
            let check = format!("{right} right, {wrong} wrong, {} not known", counts.len() - right - wrong);
            writeln!(stdout(), "{}", output::row(columns, &entries("total", "", nodes, seconds, &check)))?;
        }
        match wrong {
            0 => Ok(()),
            1 => Err(CliError::Failed("1 count is wrong".into())),
            _ => Err(CliError::Failed(format!("{wrong} counts are wrong"))),
        }
    }
}

fn print(count: &Count, columns: &[Column]) -> Result<(), CliError> {
    let mut out = stdout().lock();
    let check = match (count.ok, count.expected) {
        (Some(false), Some(expected)) => format!("WRONG: expected {expected}"),
        (Some(_), _) => "right".into(),
        (None, _) => "not known".into(),
    };
    let depth = count.depth.to_string();
    writeln!(out, "{}", output::row(columns, &entries(&count.id, &depth, count.nodes, count.time_s, &check)))?;
    for (mv, nodes) in count.divide.iter().flatten() {
        writeln!(out, "  {mv:<5} {nodes}")?;
    }
    Ok(())
}

fn entries(id: &str, depth: &str, nodes: u64, seconds: f64, check: &str) -> [String; 6] {
    let rate = if seconds > 0.0 { output::rate(nodes as f64 / seconds) } else { "-".into() };
    [id.into(), depth.into(), nodes.to_string(), format!("{seconds:.3} s"), rate, check.into()]
}

fn id(epd: &Epd) -> &str {
    epd.id.as_deref().unwrap_or_default()
}

/// Known count: the position's own, or the one that ships for the same position.
fn expected(epd: &Epd, depth: u32) -> Option<u64> {
    let depth = depth as usize;
    if !(1..=DEPTHS).contains(&depth) {
        return None;
    }
    let shipped = || {
        let known = Suite::named("perft")?.positions().into_iter().find(|known| known.setup == epd.setup)?;
        known.counts[depth - 1]
    };
    epd.counts[depth - 1].or_else(shipped)
}

fn columns(positions: &[Epd]) -> [Column; 6] {
    let id_width = positions.iter().map(|epd| id(epd).len()).max().unwrap_or(0);
    let number = Column::number;
    let [depth, nodes, time, rate] =
        [number("depth", 0), number("nodes", 13), number("time", 10), number("nodes/s", 8)];
    [Column::text("position", id_width), depth, nodes, time, rate, Column::text("check", 0)]
}

/// Time after which progress is shown, on a terminal.
const PATIENCE: Duration = Duration::from_millis(500);

/// Shows that a part is done, of a count that has come to this many nodes.
fn show(bar: &ProgressBar, part: Part, nodes: u64) {
    bar.set_length(part.of as u64);
    bar.inc(1);
    if bar.elapsed() > PATIENCE {
        bar.set_message(format!("{} nodes/s", output::rate(nodes as f64 / bar.elapsed().as_secs_f64())));
        if bar.is_hidden() {
            bar.set_draw_target(ProgressDrawTarget::stderr());
        }
    }
}
