//! An entrant of games: the program that plays, its limits for a move, and what it searches with; and what a player
//! answers.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use serde_json::{Value, json};

use super::clock::TimeControl;
use crate::chess::choice::{BoardChoice, SlidersChoice};
use crate::chess::{Move, Score};
use crate::engine::{On, Setup, usual_costs};
use crate::lab::outside::programs;
use crate::machine::cost::CostModel;
use crate::machine::{Pin, Waiting};
use crate::parallel::AnyStrategy;
use crate::record::{MachineKind, PlayerInfo};
use crate::search::features::{Features, Recipe};
use crate::search::table::{TableOptions, TableSharing};
use crate::search::{DEEPEST, Limits, SearchSettings};
use crate::suggestion::WordError;

/// Limits of the search for a move. At least one of them is set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Budget {
    /// Number of nodes.
    pub nodes: Option<u64>,
    /// Depth in plies.
    pub depth: Option<u32>,
    /// Time, of the machine.
    pub time: Option<Timing>,
}

/// Rule for the time of moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Timing {
    /// Fixed time for each move, which may be exceeded a little.
    Move(Duration),
    /// A clock, which must not run out.
    Clock(TimeControl),
}

impl fmt::Display for Timing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Move(time) => write!(f, "{} s", time.as_secs_f64()),
            Self::Clock(control) => write!(f, "a clock of {control} s"),
        }
    }
}

impl Budget {
    /// Whether games are played by a clock.
    pub fn has_clock(&self) -> bool {
        matches!(self.time, Some(Timing::Clock(_)))
    }
}

impl fmt::Display for Budget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let nodes = self.nodes.map(|nodes| format!("{nodes} nodes"));
        let depth = self.depth.map(|depth| format!("depth {depth}"));
        let parts = [nodes, depth, self.time.map(|time| time.to_string())];
        f.write_str(&parts.into_iter().flatten().collect::<Vec<_>>().join(" and "))
    }
}

/// Program that plays.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Program {
    /// Our engine, with these features.
    Own(Box<Recipe>),
    /// An engine from outside that speaks UCI, by its command.
    Outside(String),
}

const OUTSIDE: &str = PlayerInfo::OUTSIDE;

impl FromStr for Program {
    type Err = WordError;

    fn from_str(text: &str) -> Result<Self, WordError> {
        match text.strip_prefix(OUTSIDE) {
            Some(command) if command.trim().is_empty() => {
                Err(WordError::new(format!("'{text}' names no program: write {OUTSIDE}/usr/games/stockfish")))
            }
            Some(command) => Ok(Self::Outside(command.trim().to_owned())),
            // A path is none of our features.
            None if text.contains(std::path::MAIN_SEPARATOR) => {
                Err(WordError::new(format!("'{text}' is not a preset; an engine is written {OUTSIDE}{text}")))
            }
            None => text.parse().map(Box::new).map(Self::Own).map_err(|error| or_program(text, error)),
        }
    }
}

/// The error about a text that is no preset, or one that says how the program of this name or a near one is written.
fn or_program(text: &str, error: WordError) -> WordError {
    if programs::program(text).is_some() {
        return WordError::new(format!(
            "'{text}' is not a preset; the program of this name is written {OUTSIDE}{text}"
        ));
    }
    // A name that is nearly that of a preset is not one of a program.
    let near = if error.to_string().contains("did you mean") { String::new() } else { programs::near(text, OUTSIDE) };
    if near.is_empty() { error } else { WordError::new(format!("'{text}' is not a preset{near}")) }
}

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Own(recipe) => recipe.fmt(f),
            Self::Outside(command) => write!(f, "{OUTSIDE}{command}"),
        }
    }
}

/// Configuration of a player.
#[derive(Clone, Debug)]
pub struct Entrant {
    /// Program that plays.
    pub program: Program,
    /// Limits of the search for a move.
    pub budget: Budget,
    /// Size of its table in MiB.
    pub table_mib: u32,
    /// Machine that it searches on. By one processor and within a limit on nodes both find the same moves.
    pub machine: MachineKind,
    /// Number of processors, or of threads of an engine from outside.
    pub processors: u32,
    /// Strategy by which several processors of ours share the search, if one is named.
    pub strategy: Option<AnyStrategy>,
    /// Cost model of the virtual machine, if one is named; else it is that of the preset.
    pub costs: Option<CostModel>,
    /// How processors of ours share the table, and what nodes exchange.
    pub scheme: TableSharing,
    /// Time after which an engine from outside is taken to hang, if it says nothing and does nothing; none for the
    /// usual time.
    pub patience: Option<Duration>,
    /// Name that an engine from outside gives itself, once it has been asked.
    pub title: Option<String>,
}

impl Entrant {
    /// Usual number of nodes for a move.
    pub const NODES: u64 = 20_000;
    /// Usual size of a table in MiB.
    pub const TABLE_MIB: u32 = 16;

    /// Our engine with these features, on one real processor.
    pub fn of_nodes(features: impl Into<Recipe>, nodes: u64, table_mib: u32) -> Self {
        Self {
            program: Program::Own(Box::new(features.into())),
            budget: Budget { nodes: Some(nodes), ..Budget::default() },
            table_mib,
            machine: MachineKind::Real,
            processors: 1,
            strategy: None,
            costs: None,
            scheme: TableSharing::default(),
            patience: None,
            title: None,
        }
    }

    /// Set-up of our engine with these features, on this board.
    pub(super) fn setup(&self, recipe: &Recipe, board: BoardChoice) -> Setup {
        let usual = usual_setup(recipe.features, self.budget, self.table_mib);
        let TableSharing { scheme, exchange } = self.scheme;
        Setup {
            table: TableOptions { scheme, exchange, ..usual.table },
            board,
            strategy: if self.processors == 1 { AnyStrategy::default() } else { self.strategy() },
            on: match self.machine {
                MachineKind::Real if self.processors == 1 => On::ThisThread,
                MachineKind::Real => On::Real(Pin::None),
                MachineKind::Virtual => On::Virtual(Box::new(self.model(recipe))),
            },
            processors: self.processors as usize,
            ..usual
        }
    }

    /// Settings that its moves depend on beside its program. What came later is told only where it is not as it was
    /// before.
    pub(super) fn description(&self) -> Value {
        let is_own = matches!(self.program, Program::Own(_));
        let Budget { nodes, depth, time } = self.budget;
        json!({
            "nodes": nodes,
            "depth": depth,
            "table_mib": self.table_mib,
            "machine": self.machine.name(),
            "time": time.map(|time| time.to_string()),
            "processors": (self.processors > 1).then_some(self.processors),
            "strategy": (is_own && self.processors > 1).then(|| self.strategy().to_string()),
            "costs": self.own_costs(),
            "scheme": self.own_scheme(),
        })
    }

    /// Strategy by which several processors of ours share the search: the named one, or the usual one.
    pub fn strategy(&self) -> AnyStrategy {
        let usual = match &self.program {
            Program::Own(recipe) => AnyStrategy::usual(self.processors, &recipe.features),
            Program::Outside(_) => AnyStrategy::default(),
        };
        self.strategy.unwrap_or(usual)
    }

    /// Options of its table, if it is our engine.
    pub fn table(&self) -> Option<TableOptions> {
        match &self.program {
            Program::Own(recipe) => Some(self.setup(recipe, BoardChoice::Mailbox).table),
            Program::Outside(_) => None,
        }
    }

    /// Name of the cost model, if it matters; none stands for the reference model, as in records from before there was
    /// another.
    pub fn own_costs(&self) -> Option<String> {
        let Program::Own(recipe) = &self.program else { return None };
        let model = (self.machine == MachineKind::Virtual).then(|| self.model(recipe));
        model.filter(|model| *model != CostModel::default()).map(|model| model.name)
    }

    /// How its processors share the table, if it is not the usual way.
    pub fn own_scheme(&self) -> Option<String> {
        let is_own = matches!(self.program, Program::Own(_)) && self.scheme != TableSharing::default();
        is_own.then(|| self.scheme.to_string())
    }

    fn model(&self, recipe: &Recipe) -> CostModel {
        self.costs.clone().unwrap_or_else(|| usual_costs(recipe.preset))
    }
}

/// Set-up of our engine on one processor, with these features and a budget, but for its time.
pub(super) fn usual_setup(features: Features, budget: Budget, table_mib: u32) -> Setup {
    let limits = Limits::depth(budget.depth.unwrap_or(DEEPEST));
    let limits = Limits { nodes: budget.nodes.unwrap_or(u64::MAX), ..limits };
    let settings = SearchSettings { features, limits, seed: 0 };
    Setup {
        board: BoardChoice::Bitboards(SlidersChoice::default()),
        strategy: AnyStrategy::default(),
        settings,
        table: settings.table(TableSharing::default().scheme, u64::from(table_mib) << 20),
        on: On::ThisThread,
        processors: 1,
        waiting: Waiting::default(),
        counts_losses: false,
    }
}

/// Move that a search found, and the effort.
#[derive(Clone, Copy, Debug)]
pub struct Thought {
    /// The move.
    pub best: Move,
    /// Score for the side to move.
    pub score: Score,
    /// Depth in plies.
    pub depth: u32,
    /// Number of nodes.
    pub nodes: u64,
    /// Nanoseconds of the machine.
    pub nanoseconds: u64,
}
