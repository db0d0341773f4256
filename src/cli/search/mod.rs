//! `splitpoint search`: searches positions and says what was found, and what it took.

mod report;
mod trace;

use std::io::{IsTerminal, Write, stderr, stdout};
use std::path::PathBuf;
use std::time::Duration;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use indicatif::{ProgressBar, ProgressStyle};

use super::board_args::BoardArgs;
use super::error::CliError;
use super::output;
use super::position_args::PositionArgs;
use super::values;
use crate::chess::choice::{BoardChoice, OnBoard};
use crate::chess::epd::Epd;
use crate::chess::{Board, History, Unsupported};
use crate::lab::duration;
use crate::machine::cost::CostModel;
use crate::machine::{Machine, Pin, RealMachine, VirtualMachine, Waiting};
use crate::parallel::{AnyStrategy, StrategyError};
use crate::search::features::{FeaturesError, Recipe};
use crate::search::table::{Scheme, Tables};
use crate::search::{DEEPEST, Iteration, Limits, Outcome, Session, Settings, Watcher};
use report::{Configuration, Position, Report};

/// As deep as in the thesis.
const DEFAULT_DEPTH: u32 = 11;
/// A table of more than this is a slip of the finger: 1 TiB.
const MOST_MIB: i64 = 1 << 20;

/// More processors than this are a slip of the finger; the virtual machine has no more.
const MOST_THREADS: i64 = 1024;

/// On what a search runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum MachineKind {
    /// Threads of this computer
    #[default]
    Real,
    /// Processors in simulated time
    Virtual,
}

/// The machine of the user's choice.
enum AnyMachine {
    Real(RealMachine),
    Virtual(Box<VirtualMachine>),
}

/// Search positions to a depth, and say what was found and what it took
#[derive(Args)]
#[command(after_help = "\
Examples:
  splitpoint search
  splitpoint search BK09 --depth 12 --features thesis,-null-move --iterations
  splitpoint search --features thesis-as-printed --board mailbox --json
  splitpoint search bratko-kopec --time 2s
  splitpoint search --depth 9 --strategy ybwc,minimum-draft=3 --threads 2
  splitpoint search BK12 --strategy ybwc --machine virtual --threads 24
  splitpoint search BK12 --depth 9 --machine virtual --threads 24 --trace bk12.json

'splitpoint list features' names everything that --features can change, 'list strategies' the parameters of each strategy. With --nodes or --time and no --depth there is
no limit to the depth.")]
pub struct Search {
    #[command(flatten)]
    positions: PositionArgs,

    /// Search so many plies deep [default: 11]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=i64::from(DEEPEST)))]
    depth: Option<u32>,

    /// Search so many nodes a position; of several processors, the first that has searched its share ends it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,

    /// Search so long a position: 500ms, 2s, 1m
    #[arg(long, value_name = "T", value_parser = duration::parse)]
    time: Option<Duration>,

    /// A preset, and changes to it: thesis,+check-extension=50,-null-move
    #[arg(long, value_name = "F", default_value = "thesis", value_parser = values::words::<Recipe, _>(FeaturesError::misspelt), allow_hyphen_values = true)]
    features: Recipe,

    #[command(flatten)]
    board: BoardArgs,

    /// How processors share the search, with changes to its parameters: ybwc,minimum-draft=3 [default: sequential, and
    /// ybwc for more than one thread]
    #[arg(long, value_name = "S", value_parser = values::words::<AnyStrategy, _>(StrategyError::misspelt), allow_hyphen_values = true)]
    strategy: Option<AnyStrategy>,

    /// Processors
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=MOST_THREADS))]
    threads: u32,

    /// Real threads, or the virtual machine in simulated time
    #[arg(long, value_name = "M", value_enum, default_value_t)]
    machine: MachineKind,

    /// What things cost on the virtual machine [default: reference]
    #[arg(long, value_name = "C", value_parser = PossibleValuesParser::new(CostModel::NAMES))]
    costs: Option<String>,

    /// How processors wait for work and locks: spin, yield, or park
    #[arg(long, value_name = "W", value_parser = values::choice::<Waiting>(), default_value = "park")]
    waiting: Waiting,

    /// Where real threads run: none, cores, threads, or a list of CPUs as 0,2-5 [default: none for one thread, else cores]
    #[arg(long, value_name = "P")]
    pin: Option<Pin>,

    /// Size of the transposition table in MiB [default: that of the preset]
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u32).range(1..=MOST_MIB))]
    hash: Option<u32>,

    /// How workers share the transposition table
    #[arg(long, value_name = "S", default_value = Scheme::default().name(),
          value_parser = PossibleValuesParser::new(Scheme::ALL.map(Scheme::name)).map(scheme_named))]
    scheme: Scheme,

    /// Choose the Zobrist keys and the order of equal moves: another seed is another search as good as the first
    #[arg(long, value_name = "K", default_value_t = 0)]
    seed: u64,

    /// Stamp each word of the table with its writer, and count torn entries and those of others (slower)
    #[arg(long)]
    audit: bool,

    /// Count nodes that are searched a second time, one after the other or at once (slower, and takes memory)
    #[arg(long)]
    losses: bool,

    /// Write who worked where and when to this file, for Perfetto (ui.perfetto.dev) or chrome://tracing; of one position
    #[arg(long, value_name = "FILE")]
    trace: Option<PathBuf>,

    /// Print a line for each iteration to standard error
    #[arg(long)]
    iterations: bool,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

fn scheme_named(name: String) -> Scheme {
    Scheme::ALL.into_iter().find(|scheme| scheme.name() == name).unwrap_or_default()
}

impl Search {
    pub fn run(&self) -> Result<(), CliError> {
        let board = self.board.choice()?;
        let positions = self.positions.resolve()?;
        if self.trace.is_some() && positions.len() != 1 {
            let count = positions.len();
            return Err(CliError::BadInput(format!("--trace takes one position, and these are {count}")));
        }
        self.trace.as_ref().map_or(Ok(()), |path| trace::prepare(path))?;
        let (machine, strategy) = (self.machine()?, self.strategy());
        let settings = Settings { features: self.features.features, limits: self.limits(), seed: self.seed };
        let mut tables = self.tables(&settings);
        if !self.json {
            writeln!(stdout(), "{}\n{}", self.title(board), report::headings(&positions))?;
        }
        let mut found = Vec::with_capacity(positions.len());
        for (i, epd) in positions.iter().enumerate() {
            tables.clear(RealMachine::room());
            let progress = Progress::new(format!("{}/{} {}", i + 1, positions.len(), name(epd)), self.iterations);
            let watcher = |iteration: &Iteration| progress.tell(iteration);
            let run = Run { settings: &settings, tables: &tables, machine: &machine, strategy: &strategy };
            let task = Task { epd, run, options: self, watcher: &watcher };
            let position = board.run(task)??;
            progress.clear();
            if !self.json {
                writeln!(stdout(), "{}", position.row())?;
            }
            found.push(position);
        }
        let report = Report::new(self.configuration(board, &settings, &tables), found);
        if self.json {
            output::json(&mut stdout(), &report)?;
        } else {
            report.print_summary(&mut stdout())?;
        }
        Ok(())
    }

    fn limits(&self) -> Limits {
        let is_limited_otherwise = self.nodes.is_some() || self.time.is_some();
        Limits {
            nodes: self.nodes.unwrap_or(u64::MAX),
            nanoseconds: self.time.map_or(u64::MAX, |time| time.as_nanos().try_into().unwrap_or(u64::MAX)),
            ..Limits::depth(self.depth.unwrap_or(if is_limited_otherwise { DEEPEST } else { DEFAULT_DEPTH }))
        }
    }

    fn hash_mib(&self) -> u32 {
        self.hash.unwrap_or(self.features.preset.table_mib())
    }

    /// The strategy: asked for, or the plain one for so many processors.
    fn strategy(&self) -> AnyStrategy {
        let usual = if self.threads == 1 { "sequential" } else { "ybwc" };
        self.strategy.or_else(|| AnyStrategy::named(usual)).unwrap_or_default()
    }

    fn machine(&self) -> Result<AnyMachine, CliError> {
        let (threads, keeps_spans) = (self.threads as usize, self.trace.is_some());
        let only_for = |flag, kind| Err(CliError::BadInput(format!("{flag} belongs to --machine {kind}")));
        match self.machine {
            MachineKind::Real if self.costs.is_some() => only_for("--costs", "virtual"),
            MachineKind::Virtual if self.pin.is_some() => only_for("--pin", "real"),
            MachineKind::Real => RealMachine::new(threads, &self.pin(), self.waiting)
                .map(|machine| if keeps_spans { machine.keeping_spans() } else { machine })
                .map(AnyMachine::Real)
                .map_err(|error| CliError::BadInput(error.to_string())),
            MachineKind::Virtual => {
                let model = CostModel::named(self.costs()).unwrap_or_default();
                let machine = VirtualMachine::new(threads, model).with_seed(self.seed).with_waiting(self.waiting);
                Ok(AnyMachine::Virtual(Box::new(if keeps_spans { machine.keeping_spans() } else { machine })))
            }
        }
    }

    fn costs(&self) -> &str {
        self.costs.as_deref().unwrap_or(CostModel::NAMES[0])
    }

    /// One thread goes where there is room; several would be put on one core now and then.
    fn pin(&self) -> Pin {
        self.pin.clone().unwrap_or(if self.threads == 1 { Pin::None } else { Pin::Cores })
    }

    fn tables(&self, settings: &Settings) -> Tables {
        let mut options = settings.table(self.scheme, u64::from(self.hash_mib()) << 20);
        options.audit = self.audit;
        Tables::new(&options, self.threads as usize, RealMachine::room())
    }

    fn configuration(&self, board: BoardChoice, settings: &Settings, tables: &Tables) -> Configuration {
        Configuration {
            features: self.features.to_string(),
            board: board.name(),
            sliders: board.sliders().map(|sliders| sliders.name()),
            strategy: self.strategy().to_string(),
            machine: match self.machine {
                MachineKind::Real => "real",
                MachineKind::Virtual => "virtual",
            },
            threads: self.threads,
            costs: (self.machine == MachineKind::Virtual).then(|| self.costs().to_owned()),
            costs_hash: (self.machine == MachineKind::Virtual)
                .then(|| CostModel::named(self.costs()).unwrap_or_default().hash()),
            pin: (self.machine == MachineKind::Real).then(|| self.pin().to_string()),
            waiting: self.waiting,
            hash_mib: self.hash_mib(),
            scheme: self.scheme.name(),
            seed: self.seed,
            depth: settings.limits.depth,
            nodes: self.nodes,
            time_s: self.time.map(|time| time.as_secs_f64()),
            audit: self.audit,
            losses: self.losses,
            table_on_large_pages_bytes: tables.on_large_pages().filter(|_| self.machine == MachineKind::Real),
            parameters: report::parameters(&self.strategy()),
            expanded: settings.features,
        }
    }

    fn title(&self, board: BoardChoice) -> String {
        let depth = match self.limits() {
            Limits { depth: DEEPEST, .. } => "no limit to the depth".to_owned(),
            Limits { depth, .. } => format!("depth {depth}"),
        };
        let machine = match (self.machine, self.threads) {
            (MachineKind::Real, 1) => String::new(),
            (MachineKind::Real, threads) => format!(", {} on {threads} threads", self.strategy()),
            (MachineKind::Virtual, threads) => {
                format!(", {} on {threads} virtual processors ({})", self.strategy(), self.costs())
            }
        };
        format!(
            "features {}, {board}, {depth}, table {} MiB {}, seed {}{machine}",
            self.features,
            self.hash_mib(),
            self.scheme.name(),
            self.seed
        )
    }
}

fn name(epd: &Epd) -> &str {
    epd.id.as_deref().unwrap_or_default()
}

/// How positions are searched.
#[derive(Clone, Copy)]
struct Run<'a> {
    settings: &'a Settings,
    tables: &'a Tables,
    machine: &'a AnyMachine,
    strategy: &'a AnyStrategy,
}

/// A search of one position on a board that the user has chosen.
struct Task<'a> {
    epd: &'a Epd,
    run: Run<'a>,
    options: &'a Search,
    watcher: Watcher<'a>,
}

impl OnBoard for Task<'_> {
    type Output = Result<Result<Position, CliError>, Unsupported>;

    fn on<B: Board>(self) -> Self::Output {
        let Run { settings, tables, machine, strategy } = self.run;
        let board = B::set_up(&self.epd.setup, settings.keys())?;
        let past = History::with_capacity(0);
        let workers = match machine {
            AnyMachine::Real(machine) => machine.processors(),
            AnyMachine::Virtual(machine) => machine.processors(),
        };
        let mut session = Session::new(&board, &past, settings, tables, strategy, workers).watched_by(self.watcher);
        if self.options.losses {
            session = session.with_ledger();
        }
        if self.options.trace.is_some() {
            session = session.keeping_jobs();
        }
        let (run, places) = match machine {
            AnyMachine::Real(machine) => (machine.run(&session), machine.places()),
            AnyMachine::Virtual(machine) => (machine.as_ref().run(&session), &[][..]),
        };
        let outcome = match run.map(Outcome::from) {
            Ok(outcome) => outcome,
            Err(failure) => return Ok(Err(CliError::Failed(format!("the search failed: {failure}")))),
        };
        if let Some(Err(error)) = self.options.trace.as_ref().map(|path| trace::write(path, &outcome)) {
            return Ok(Err(error));
        }
        Ok(Ok(Position::new(self.epd, &board, settings.limits.depth, outcome, tables, places)))
    }
}

/// Iterations on standard error: the last one on a terminal, and all of them where asked for.
struct Progress {
    bar: ProgressBar,
    name: String,
    keeps_all: bool,
}

impl Progress {
    fn new(name: String, keeps_all: bool) -> Self {
        let is_shown = stderr().is_terminal() && !keeps_all;
        let bar = if is_shown { ProgressBar::new_spinner() } else { ProgressBar::hidden() };
        let style = ProgressStyle::with_template("{prefix} {wide_msg}");
        let bar = bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
        bar.set_prefix(name.clone());
        bar.tick();
        Self { bar, name, keeps_all }
    }

    fn tell(&self, iteration: &Iteration) {
        let line = report::iteration_line(iteration);
        if self.keeps_all {
            eprintln!("{} {line}", self.name);
        } else {
            self.bar.set_message(line);
        }
    }

    fn clear(self) {
        self.bar.finish_and_clear();
    }
}
