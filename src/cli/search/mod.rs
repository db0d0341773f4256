//! `splitpoint search`: searches positions and says what was found, and what it took.

mod report;
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
use crate::lab::{Conditions, Laboratory, Options, duration, position_info, single_cell, usual_costs, warnings};
use crate::machine::cost::CostModel;
use crate::machine::{Pin, Waiting};
use crate::parallel::AnyStrategy;
use crate::record::{Cell, Configuration, Depth, DisturbedBy, MachineKind};
use crate::search::features::Recipe;
use crate::search::table::{MOST_MIB, Scheme};
use crate::search::{DEEPEST, Iteration};
use report::Position;

/// Depth of searches that name no limit.
const DEPTH: u32 = 15;

/// Search positions, and print move, score, nodes and time of each
#[derive(Args)]
#[command(after_help = "\
Examples:
  splitpoint search
  splitpoint search BK09 --depth 12 --features modern,-null-move --iterations
  splitpoint search --features thesis-as-printed --board mailbox --json
  splitpoint search bratko-kopec --time 2s
  splitpoint search --depth 13 --strategy ybwc,minimum-draft=3 --threads 2
  splitpoint search BK12 --strategy ybwc --machine virtual --threads 24
  splitpoint search BK12 --depth 12 --machine virtual --threads 24 --trace bk12.json

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
    /// sequential for one thread, ybwc for more]
    #[arg(long, value_name = "S", allow_hyphen_values = true)]
    strategy: Option<AnyStrategy>,

    /// Number of processors
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = values::whole::<u32>(1..=crate::machine::MOST_PROCESSORS as u64))]
    threads: u32,

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

    /// Where real threads run: none, cores, threads, or a list of CPUs such as 0,2-5 [default: none for one thread,
    /// cores for more]
    #[arg(long, value_name = "P")]
    pin: Option<Pin>,

    /// Size of the transposition table in MiB [default: that of the preset]
    #[arg(long, value_name = "MIB", value_parser = values::whole::<u32>(1..=MOST_MIB.into()))]
    hash: Option<u32>,

    /// Scheme by which workers share the transposition table
    #[arg(long, value_name = "S", default_value = Scheme::default().name(),
          value_parser = values::choice(Scheme::ALL, Scheme::name, Scheme::meaning))]
    scheme: Scheme,

    /// Seed of the Zobrist keys and of the order of equal moves; each seed gives a different, equally good search
    #[arg(long, value_name = "K", default_value_t = 0)]
    seed: u64,

    /// Stamp each word of the table with the worker that wrote it and with a second key of the position, and count torn
    /// entries, hits on entries of other workers, and false matches (slower)
    #[arg(long)]
    audit: bool,

    /// Count nodes that are searched twice, one after the other or at the same time (slower, and needs memory)
    #[arg(long)]
    losses: bool,

    /// File for a timeline of what each processor does, for Perfetto (ui.perfetto.dev) or chrome://tracing; single
    /// positions only
    #[arg(long, value_name = "FILE")]
    trace: Option<PathBuf>,

    /// Print a line for each iteration to standard error
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
        let conditions =
            Conditions { positions: positions.iter().map(position_info).collect(), ..Conditions::default() };
        let laboratory = Laboratory::new(conditions);
        let configuration = self.configuration(board);
        let cells: Vec<Cell> = positions.iter().map(|epd| single_cell(&configuration, epd, self.seed)).collect();
        cells.iter().try_for_each(|cell| laboratory.check(cell))?;
        for warning in warnings(&cells, &laboratory) {
            output::tell(format_args!("warning: {warning}"));
        }
        if !self.json {
            writeln!(stdout(), "{}\n{}", self.title(board), report::headings(&cells))?;
        }
        let mut found = Vec::with_capacity(cells.len());
        for (i, cell) in cells.iter().enumerate() {
            let progress =
                Progress::new(format!("{}/{} {}", i + 1, cells.len(), cell.position), self.machine, self.iterations);
            let watcher = |iteration: &Iteration| progress.tell(iteration);
            let options = Options { watcher: Some(&watcher), keeps_trace: self.trace.is_some() };
            let measurement = laboratory.measure(cell, options)?;
            self.trace.as_ref().map_or(Ok(()), |path| trace::write(path, &measurement.outcome))?;
            let position = Position { cell: cell.clone(), found: measurement };
            progress.clear();
            if !self.json {
                writeln!(stdout(), "{}", position.row())?;
            }
            found.push(position);
        }
        if self.json {
            output::json(&mut stdout(), &report::json(self.shown(&cells[0]), &found))?;
        } else {
            report::print_summary(&found, &mut stdout())?;
        }
        Ok(())
    }

    fn refuse_flags_of_the_other_machine(&self) -> Result<(), CliError> {
        let only_for = |flag, kind| Err(CliError::BadInput(format!("{flag} needs --machine {kind}")));
        match self.machine {
            MachineKind::Real if self.costs.is_some() => only_for("--costs", "virtual"),
            MachineKind::Virtual if self.pin.is_some() => only_for("--pin", "real"),
            _ => Ok(()),
        }
    }

    /// Depth that was asked for; the default one, unless another limit stands alone.
    fn depth(&self) -> Option<u32> {
        let is_limited_otherwise = self.nodes.is_some() || self.time.is_some();
        self.depth.or((!is_limited_otherwise).then_some(DEPTH))
    }

    fn hash_mib(&self) -> u32 {
        self.hash.unwrap_or(self.features.preset.table_mib())
    }

    /// Strategy that was asked for, or the usual one for the number of threads.
    fn strategy(&self) -> AnyStrategy {
        let usual = if self.threads == 1 { "sequential" } else { "ybwc" };
        self.strategy.or_else(|| AnyStrategy::named(usual)).unwrap_or_default()
    }

    fn costs(&self) -> CostModel {
        self.costs.clone().unwrap_or_else(|| usual_costs(self.features.preset))
    }

    /// Pinning that was asked for. Otherwise one thread goes where there is room, and several, which would be put on
    /// one core now and then, are pinned to cores.
    fn pin(&self) -> Pin {
        self.pin.clone().unwrap_or(if self.threads == 1 { Pin::None } else { Pin::Cores })
    }

    fn configuration(&self, board: BoardChoice) -> Configuration {
        let model = (self.machine == MachineKind::Virtual).then(|| self.costs());
        Configuration {
            machine: self.machine,
            strategy: self.strategy().to_string(),
            threads: self.threads,
            board: board.name().to_owned(),
            sliders: board.sliders().map(|sliders| sliders.name().to_owned()),
            features: self.features.to_string(),
            depth: self.depth().map_or(Depth::Unlimited, Depth::Plies),
            nodes: self.nodes,
            time_s: self.time.map(|time| time.as_secs_f64().into()),
            hash_mib: self.hash_mib(),
            scheme: self.scheme.name().to_owned(),
            waiting: Some(self.waiting.name().to_owned()),
            pin: model.is_none().then(|| self.pin().to_string()),
            disturb: DisturbedBy::default(),
            costs: model.as_ref().map(|model| model.name.clone()),
            costs_hash: model.as_ref().map(CostModel::hash),
            audit: self.audit,
            losses: self.losses,
            ..Configuration::default()
        }
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

    fn title(&self, board: BoardChoice) -> String {
        let depth = self.depth().map_or("unlimited depth".to_owned(), |depth| format!("depth {depth}"));
        let machine = match (self.machine, self.threads) {
            (MachineKind::Real, 1) => String::new(),
            (MachineKind::Real, threads) => format!(", {} on {threads} threads", self.strategy()),
            (MachineKind::Virtual, threads) => {
                format!(", {} on {threads} virtual processors ({})", self.strategy(), self.costs().name)
            }
        };
        format!(
            "features {}, {board}, {depth}, table {} MiB {}, seed {}{machine}",
            self.features,
            self.hash_mib(),
            self.scheme,
            self.seed
        )
    }
}

/// Display of the iterations on standard error: the last one on a terminal, and all of them where asked for.
struct Progress {
    bar: ProgressBar,
    name: String,
    machine: MachineKind,
    keeps_all: bool,
}

impl Progress {
    fn new(name: String, machine: MachineKind, keeps_all: bool) -> Self {
        let bar = if keeps_all { ProgressBar::hidden() } else { ProgressBar::new_spinner() };
        let bar = bar.with_style(output::style("{prefix} {wide_msg}"));
        bar.set_prefix(name.clone());
        bar.tick();
        Self { bar, name, machine, keeps_all }
    }

    fn tell(&self, iteration: &Iteration) {
        let line = report::iteration_line(iteration, self.machine);
        if self.keeps_all {
            output::tell(format_args!("{} {line}", self.name));
        } else {
            self.bar.set_message(line);
        }
    }

    fn clear(self) {
        self.bar.finish_and_clear();
    }
}
