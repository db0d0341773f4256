//! `splitpoint search`: searches positions and says what was found, and what it took.

mod means;
mod one_thread;
mod report;
pub mod timeline;
mod trace;

use std::io::{Write, stdout};
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use indicatif::ProgressBar;
use serde_json::{Value, json};

use super::board_args::BoardArgs;
use super::error::CliError;
use super::output;
use super::position_args::PositionArgs;
use super::values;
use crate::chess::choice::BoardChoice;
use crate::engine::{Line, Options};
use crate::lab::beside::pairs;
use crate::lab::{Choice, Conditions, Laboratory, SearchedBy, duration, position_info, single_cell, warnings};
use crate::machine::cost::CostModel;
use crate::machine::host::{Host, Topology, doubt};
use crate::machine::{Pin, Schedule, Waiting};
use crate::parallel::AnyStrategy;
use crate::record::{Cell, Configuration, Depth, MachineKind, SEQUENTIAL};
use crate::search::features::{Preset, Recipe};
use crate::search::table::{MOST_MIB, TableSharing};
use crate::search::{DEEPEST, Iteration, Limits, SearchSettings};
use crate::table::number::counted;
use report::Position;
use timeline::Tree;

/// Depth of searches that name no limit.
const DEPTH: u32 = 15;
/// Largest number of seeds of a repeated search.
const MOST_SEEDS: u64 = 1000;

/// Search positions, and print move, score, nodes and time of each, and how much faster several processors are
#[derive(Args)]
#[command(after_help = "\
Examples:
  splitpoint search
  splitpoint search BK09 --depth 12 --features modern,-null-move --iterations
  splitpoint search --features thesis-as-printed --board mailbox --json
  splitpoint search bratko-kopec --time 2s
  splitpoint search --depth 13 --strategy ybwc,minimum-draft=3 --threads 2
  splitpoint search BK12 --depth 12 --threads 2 --repeat 8
  splitpoint search BK12 --strategy ybwc --machine virtual --threads 24
  splitpoint search BK12 --depth 12 --machine virtual --threads 24 --trace bk12.html
  splitpoint search --machine virtual --threads 8 --costs e4500,network=1gbe,processors_per_node=4

'splitpoint list features' lists what --features can change; 'splitpoint list strategies' lists the \
parameters of each strategy. With --nodes or --time and without --depth, the depth is not limited.")]
pub struct Search {
    #[command(flatten)]
    positions: PositionArgs,

    /// Depth of the search in plies [default: 15]
    #[arg(long, value_name = "N", value_parser = values::whole::<u32>(1..=DEEPEST.into()))]
    depth: Option<u32>,

    /// Number of nodes after which the search of a position ends; it ends when one processor has searched its equal
    /// share of them
    #[arg(long, value_name = "N", value_parser = values::whole::<u64>(1..=u64::MAX))]
    nodes: Option<u64>,

    /// Time after which the search of a position ends: 500ms, 2s, 1m
    #[arg(long, value_name = "T", value_parser = duration::parse)]
    time: Option<Duration>,

    /// Preset of features, with changes: modern,+check-extension=50,-null-move
    #[arg(long, value_name = "F", default_value = "modern", allow_hyphen_values = true)]
    features: Recipe,

    #[command(flatten)]
    board: BoardArgs,

    /// Strategy by which processors share the search, with changes to its parameters: ybwc,minimum-draft=3 [default:
    /// sequential for one thread; for more teams with late move reductions or prunings, as in the preset modern, else
    /// ybwc]
    #[arg(long, value_name = "S", allow_hyphen_values = true)]
    strategy: Option<AnyStrategy>,

    /// Number of processors
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = values::processors())]
    threads: u32,

    /// Number of nodes, each with so many processors: processes that mpirun has started together (a build with the
    /// feature mpi)
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = values::processors())]
    cluster_nodes: u32,

    /// Machine on which to search
    #[arg(long, value_name = "M", default_value = MachineKind::Real.name(),
          value_parser = values::choice(MachineKind::ALL, MachineKind::name, MachineKind::meaning))]
    machine: MachineKind,

    /// Cost model of the virtual machine, with changes: smp-2004,wake_park*2 [default: that of the preset]
    #[arg(long, value_name = "C")]
    costs: Option<CostModel>,

    /// Waiting mode of processors that have no work or need a lock
    #[arg(long, value_name = "W", default_value = Waiting::default().name(),
          value_parser = values::choice(Waiting::ALL, Waiting::name, Waiting::meaning))]
    waiting: Waiting,

    /// Order in which virtual processors run: smallest-clock (simulated time), or one that looks for errors and whose
    /// times mean nothing: random, pct:CHANGES (random priorities that change so often), or replay:SWITCHES as an error
    /// printed it
    #[arg(long, value_name = "O", default_value_t)]
    schedule: Schedule,

    /// Where real threads run: none, cores, spread, compact, threads, or a list of CPUs such as 0,2-5 [default:
    /// none for one thread, cores for more]
    #[arg(long, value_name = "P")]
    pin: Option<Pin>,

    /// Interleave the transposition table over the NUMA nodes, so that it is equally far from all processors
    #[arg(long)]
    interleave: bool,

    /// Size of the transposition table in MiB [default: that of the preset]
    #[arg(long, value_name = "MIB", value_parser = values::whole::<u32>(1..=MOST_MIB.into()))]
    hash: Option<u32>,

    /// Scheme by which workers share the transposition table: lockless, striped, private, distributed, unawaited or
    /// none; on a virtual machine of several nodes, with the entries that they exchange:
    /// lockless,exchange=push,exchange-draft=4
    #[arg(long, value_name = "S", default_value_t)]
    scheme: TableSharing,

    /// Seed of the Zobrist keys and of the order of equal moves; each seed gives a different, equally good search
    #[arg(long, value_name = "K", default_value_t = 0)]
    seed: u64,

    /// Number of searches of each position, with one seed after the other, for an interval of the speedup
    #[arg(long, value_name = "N", default_value_t = 1, conflicts_with = "alone",
          value_parser = values::whole::<u64>(1..=MOST_SEEDS))]
    repeat: u64,

    /// Leave out the same search on one processor, which otherwise stands beside that of several to the same depth
    #[arg(long)]
    alone: bool,

    /// Print the thesis's figures, by our formulas and by its own, as its presets always do
    #[arg(long)]
    thesis: bool,

    /// Stamp each word of the table with the worker that wrote it and with a second key of the position, and count torn
    /// entries, hits on entries of other workers, and false matches (slower)
    #[arg(long)]
    audit: bool,

    /// Count nodes that are searched twice, one after the other or at the same time (slower, and needs memory); a page
    /// of --trace then has the tree, too, if it is small
    #[arg(long)]
    losses: bool,

    /// File for a timeline of what each processor does: a page for any browser if it ends in .html, otherwise JSON for
    /// Perfetto (ui.perfetto.dev) or chrome://tracing; single positions only
    #[arg(long, value_name = "FILE")]
    trace: Option<PathBuf>,

    /// Print a line for each iteration to standard error (~ marks one whose score lay outside the aspiration window, so
    /// that the root was searched again) and, where several workers have answers of their own, when each depth was
    /// first answered
    #[arg(long)]
    iterations: bool,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

impl Search {
    pub fn run(&self) -> Result<(), CliError> {
        let board = self.board.choice()?;
        let positions = self.positions.resolve()?;
        if self.trace.is_some() && positions.len() != 1 {
            let count = positions.len();
            return Err(CliError::BadInput(format!("--trace takes one position, and {count} were given")));
        }
        self.trace.as_ref().map_or(Ok(()), |path| trace::prepare(path))?;
        self.refuse_flags_of_the_other_machine()?;
        let positions_known = positions.iter().map(position_info).collect();
        let laboratory = Laboratory::new(Conditions {
            positions: positions_known,
            schedule: self.schedule.clone(),
            interleaves: self.interleave,
            ..Conditions::default()
        });
        let configuration = self.configuration(board);
        let compares = self.compares(&configuration)?;
        let cells: Vec<Cell> = positions.iter().map(|epd| single_cell(&configuration, epd, self.seed)).collect();
        cells.iter().try_for_each(|cell| laboratory.check(cell))?;
        for warning in warnings(&cells, &laboratory).into_iter().chain(self.doubts()) {
            output::tell(format_args!("warning: {warning}"));
        }
        let columns = report::columns(&positions, &cells);
        let mut found: Vec<Position> = Vec::with_capacity(cells.len());
        for (i, (epd, cell)) in positions.into_iter().zip(&cells).enumerate() {
            let name = format!("{}/{} {}", i + 1, cells.len(), cell.position);
            let bar = self.display(&name);
            let watcher = |iteration: &Iteration| {
                let line = report::iteration_line(&epd.setup, iteration, self.machine);
                if self.iterations { output::tell(format_args!("{name} {line}")) } else { bar.set_message(line) }
            };
            let options = Options { watcher: Some(&watcher), keeps_trace: self.trace.is_some(), ..Options::default() };
            let measurement = laboratory.measure(cell, options)?;
            if let Some(path) = &self.trace {
                let limits = Limits::depth(DEEPEST);
                let settings = SearchSettings { features: self.features.features, limits, seed: self.seed };
                let tree = Tree::of(&measurement, Line::from(&epd.setup), &settings);
                trace::write(path, cell, &measurement, tree.as_ref())?;
            }
            let is_compared = compares && measurement.measured.bestmove.is_some();
            let mut position = Position { epd, cell: cell.clone(), found: measurement, pairs: Vec::new() };
            if self.iterations {
                position.answer_lines().iter().for_each(|line| output::tell(format_args!("{name} {line}")));
            }
            if !self.json {
                let line = position.line(&columns);
                bar.suspend(|| writeln!(stdout(), "{line}"))?;
            }
            if is_compared {
                bar.set_message("beside one thread");
                position.pairs = pairs(&laboratory, cell, &position.found, self.repeat)?;
            }
            bar.finish_and_clear();
            found.push(position);
        }
        let mut out = stdout();
        if self.json {
            return Ok(output::json(&mut out, &report::json(self.shown(&cells[0]), &found))?);
        }
        report::print_summary(&found, &mut out)?;
        if self.thesis || [Preset::Thesis, Preset::ThesisAsPrinted].contains(&self.features.preset) {
            report::print_thesis(&found, &mut out)?;
        }
        Ok(writeln!(out, "{}", self.title(board, &configuration))?)
    }

    /// Display of the last iteration on a terminal; none where all of them are asked for.
    fn display(&self, name: &str) -> ProgressBar {
        let bar = if self.iterations { ProgressBar::hidden() } else { ProgressBar::new_spinner() };
        let bar = bar.with_style(output::style("{prefix} {wide_msg}")).with_prefix(name.to_owned());
        bar.tick();
        bar
    }

    /// Whether each search stands beside that of one thread.
    fn compares(&self, configuration: &Configuration) -> Result<bool, CliError> {
        let obstacle = match configuration {
            one if one.threads == 1 => "several processors: add --threads",
            one if one.is_limited() => "a search to a depth: leave out --nodes and --time",
            _ if self.is_sequential() => "a strategy that shares the search",
            _ if !self.is_timed() => "a schedule whose times mean something: leave out --schedule",
            _ => return Ok(!self.alone),
        };
        match self.repeat {
            1 => Ok(false),
            _ => Err(CliError::BadInput(format!("--repeat compares with one processor, so it needs {obstacle}"))),
        }
    }

    /// Whether times mean something.
    fn is_timed(&self) -> bool {
        self.schedule == Schedule::SmallestClock
    }

    fn is_sequential(&self) -> bool {
        self.strategy().name() == SEQUENTIAL
    }

    /// Warning of times that mean nothing, of processors that have nothing to do, or that are fewer than the threads.
    fn doubts(&self) -> Option<String> {
        if !self.is_timed() {
            return Some(format!("under --schedule {} times mean nothing", self.schedule));
        }
        let threads = self.threads;
        if threads > 1 && self.is_sequential() {
            return Some(format!("'{SEQUENTIAL}' searches on one processor: of {threads} all others stay idle"));
        }
        let is_real = self.machine == MachineKind::Real;
        is_real.then(|| doubt(threads as usize, Topology::of_system(), Host::quota_of_system())).flatten()
    }

    fn refuse_flags_of_the_other_machine(&self) -> Result<(), CliError> {
        let only_for = |flag, kind| Err(CliError::BadInput(format!("{flag} needs --machine {kind}")));
        match self.machine {
            MachineKind::Real if self.costs.is_some() => only_for("--costs", "virtual"),
            MachineKind::Real if !self.is_timed() => only_for("--schedule", "virtual"),
            MachineKind::Virtual if self.pin.is_some() => only_for("--pin", "real"),
            MachineKind::Virtual if self.interleave => only_for("--interleave", "real"),
            MachineKind::Virtual if self.cluster_nodes > 1 => only_for("--cluster-nodes", "real"),
            _ => Ok(()),
        }
    }

    /// Number of processors of all nodes.
    fn processors(&self) -> u32 {
        self.threads.saturating_mul(self.cluster_nodes)
    }

    /// Strategy that was asked for, or the usual one for the number of threads.
    fn strategy(&self) -> AnyStrategy {
        self.strategy.unwrap_or_else(|| AnyStrategy::usual(self.processors(), &self.features.features))
    }

    /// Configuration of the search. What was not asked for is as usual: the default depth, unless another limit stands
    /// alone; no pinning for one thread, which goes where there is room, and to cores for several, of which some would
    /// be put on one core now and then.
    fn configuration(&self, board: BoardChoice) -> Configuration {
        let is_limited_otherwise = self.nodes.is_some() || self.time.is_some();
        let depth = self.depth.or((!is_limited_otherwise).then_some(DEPTH));
        let asked = Choice {
            machine: self.machine,
            strategy: SearchedBy::Ours(self.strategy()),
            threads: self.threads,
            cluster_nodes: self.cluster_nodes,
            board,
            sliders: board.sliders().unwrap_or_default(),
            features: self.features,
            depth: depth.map_or(Depth::Unlimited, Depth::Plies),
            nodes: self.nodes,
            time: self.time.map(|time| time.as_secs_f64().into()),
            hash: self.hash,
            scheme: self.scheme,
            waiting: self.waiting,
            pin: self.pin.clone().unwrap_or(if self.processors() == 1 { Pin::None } else { Pin::Cores }),
            costs: self.costs.clone(),
            audit: self.audit,
            losses: self.losses,
            ..Choice::default()
        };
        // The flag has a value for one processor too.
        Configuration { waiting: Some(self.waiting.name().to_owned()), ..asked.as_asked() }
    }

    /// JSON of the configuration, with all features and parameters that its names stand for.
    fn shown(&self, cell: &Cell) -> Value {
        let mut shown = json!(cell.configuration);
        shown["depth"] = json!(cell.depth.unwrap_or(DEEPEST));
        shown["seed"] = json!(cell.seed);
        shown["expanded"] = json!(self.features.features);
        let parameters = self.strategy().parameters();
        shown["parameters"] = parameters.iter().map(|one| (one.name.to_owned(), one.kind.json(one.value))).collect();
        shown
    }

    /// Configuration in one line.
    fn title(&self, board: BoardChoice, configuration: &Configuration) -> String {
        let Configuration { strategy, threads, features, depth, hash_mib, scheme, costs, .. } = configuration;
        let depth = match depth {
            Depth::Plies(depth) => format!("depth {depth}"),
            Depth::Own | Depth::Size(_) | Depth::Unlimited => "unlimited depth".to_owned(),
        };
        let machine = match costs {
            Some(costs) => {
                let processors = counted(*threads, "virtual processor", "virtual processors");
                format!("{strategy} on {processors} ({costs}), ")
            }
            None if *threads == 1 => String::new(),
            None if self.cluster_nodes > 1 => {
                format!(
                    "{strategy} on {} nodes of {}, ",
                    self.cluster_nodes,
                    counted(self.threads, "thread", "threads")
                )
            }
            None => format!("{strategy} on {threads} threads, "),
        };
        format!("{features}, {board}, {machine}{depth}, table {hash_mib} MiB {scheme}, seed {}", self.seed)
    }
}
