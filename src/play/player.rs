//! A player: our engine with a recipe, or an engine from outside, and a budget for each move. Ours searches on the
//! thread that asks it, so that each thread can play a game of its own.

use std::fmt;
use std::str::FromStr;

use super::contest::PlayError;
use super::game::Game;
use super::outside::OutsidePlayer;
use crate::chess::{Board, Keys, Move, Score};
use crate::machine::cost::CostModel;
use crate::machine::{Failure, Machine, Run, ThisThread, VirtualMachine};
use crate::parallel::AnyStrategy;
use crate::record::MachineKind;
use crate::search::features::Recipe;
use crate::search::table::{Scheme, TableOptions, Tables};
use crate::search::{Answer, DEEPEST, Limits, Outcome, Part, SearchSettings, Session};
use crate::suggestion::WordError;

/// Limits of the search for a move. At least one of them is set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// Number of nodes.
    pub nodes: Option<u64>,
    /// Depth in plies.
    pub depth: Option<u32>,
}

/// What plays.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Program {
    /// Our engine, with these features.
    Own(Box<Recipe>),
    /// An engine from outside that speaks UCI, by its command.
    Outside(String),
}

/// Word before the command of an engine from outside.
const OUTSIDE: &str = "uci:";

impl FromStr for Program {
    type Err = WordError;

    fn from_str(text: &str) -> Result<Self, WordError> {
        match text.strip_prefix(OUTSIDE) {
            Some(command) if command.trim().is_empty() => {
                Err(WordError::new(format!("'{text}' names no program: write {OUTSIDE}/usr/games/stockfish")))
            }
            Some(command) => Ok(Self::Outside(command.trim().to_owned())),
            None => text.parse().map(Box::new).map(Self::Own),
        }
    }
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
    /// What plays.
    pub program: Program,
    /// Limits of the search for a move.
    pub budget: Budget,
    /// Size of its table in MiB.
    pub table_mib: u32,
    /// Machine that it searches on, with one processor. Within a limit on nodes both find the same moves.
    pub machine: MachineKind,
}

impl Entrant {
    /// Settings of the searches of our engine with these features.
    fn settings(&self, recipe: &Recipe) -> SearchSettings {
        let limits = Limits {
            nodes: self.budget.nodes.unwrap_or(u64::MAX),
            ..Limits::depth(self.budget.depth.unwrap_or(DEEPEST))
        };
        SearchSettings { features: recipe.features, limits, seed: 0 }
    }

    /// Options of its table, if it is our engine.
    pub fn table(&self) -> Option<TableOptions> {
        match &self.program {
            Program::Own(recipe) => Some(self.table_of(&self.settings(recipe))),
            Program::Outside(_) => None,
        }
    }

    fn table_of(&self, settings: &SearchSettings) -> TableOptions {
        settings.table(Scheme::default(), u64::from(self.table_mib) << 20)
    }
}

/// A player.
pub struct Player(Kind);

enum Kind {
    Own(Box<OwnPlayer>),
    Outside(OutsidePlayer),
}

/// A configuration of our engine that plays.
struct OwnPlayer {
    settings: SearchSettings,
    machine: MachineKind,
    strategy: AnyStrategy,
    tables: Tables,
}

/// What a search for a move has found, and what it took.
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

impl Player {
    /// A player with an empty table.
    ///
    /// # Errors
    /// If there is no memory for the table, or the engine from outside cannot be used.
    pub fn new(entrant: &Entrant) -> Result<Self, PlayError> {
        match &entrant.program {
            Program::Own(recipe) => {
                let (settings, machine) = (entrant.settings(recipe), entrant.machine);
                let tables = Tables::try_new(&entrant.table_of(&settings), 1, 1)
                    .map_err(|error| PlayError::NoTable(error.to_string()))?;
                let player = OwnPlayer { settings, machine, strategy: AnyStrategy::default(), tables };
                Ok(Self(Kind::Own(Box::new(player))))
            }
            Program::Outside(command) => {
                OutsidePlayer::start(command, entrant.budget, entrant.table_mib).map(Kind::Outside).map(Self)
            }
        }
    }

    /// Zobrist keys of the boards that it searches on.
    pub fn keys(&self) -> &'static Keys {
        match &self.0 {
            Kind::Own(player) => player.settings.keys(),
            Kind::Outside(_) => Keys::of_seed(0),
        }
    }

    /// Forgets all positions, as before a new game.
    ///
    /// # Errors
    /// If the engine from outside fails.
    pub fn forget(&mut self) -> Result<(), PlayError> {
        match &mut self.0 {
            Kind::Own(player) => player.tables.clear(1),
            Kind::Outside(engine) => engine.forget()?,
        }
        Ok(())
    }

    /// Searches the present position of a game that goes on, on a board with its [`keys`](Self::keys).
    ///
    /// # Errors
    /// If the search panics, or the engine from outside fails.
    pub fn think<B: Board>(&mut self, game: &Game<B>) -> Result<Thought, PlayError> {
        match &mut self.0 {
            Kind::Own(player) => Ok(player.think(game)?),
            Kind::Outside(engine) => engine.think(game),
        }
    }
}

impl OwnPlayer {
    fn think<B: Board>(&self, game: &Game<B>) -> Result<Thought, Failure> {
        let session = Session::new(game.board(), game.past(), &self.settings, &self.tables, &self.strategy, 1);
        let run: Run<Part> = match self.machine {
            MachineKind::Real => ThisThread.run(&session)?,
            MachineKind::Virtual => VirtualMachine::new(1, CostModel::reference()).run(&session)?,
        };
        let nanoseconds = run.elapsed;
        let outcome = Outcome::from(run);
        let Answer { best, score, depth, .. } = outcome.answer;
        let best = best.expect("a game that goes on has a legal move");
        Ok(Thought { best, score, depth, nodes: outcome.counters.nodes(), nanoseconds })
    }
}
