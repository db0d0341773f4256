//! A player: our engine with a recipe, or an engine from outside, and a budget for each move. On one real processor or
//! on virtual ones ours searches on the thread that asks it, so that each thread can play a game of its own.

use std::fmt;
use std::str::FromStr;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::clock::{Allotment, Clock, TimeControl};
use super::contest::PlayError;
use super::game::Game;
use super::outside::OutsidePlayer;
use crate::chess::choice::{BoardChoice, SlidersChoice};
use crate::chess::{Board, Move, Score};
use crate::engine::{Computer, Found, On, Options, SearchError, Setup, usual_costs};
use crate::machine::cost::CostModel;
use crate::machine::{Pin, Waiting};
use crate::parallel::AnyStrategy;
use crate::record::{MachineKind, PlayerInfo};
use crate::search::features::{Features, Recipe};
use crate::search::table::{Scheme, TableOptions, Tables};
use crate::search::{Answer, Control, DEEPEST, Iteration, Limits, SearchSettings};
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
    /// The same time for each move, which may be exceeded a little.
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
    /// Time after which an engine from outside is taken to hang, if it says nothing and does nothing; none for the usual
    /// time.
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
            patience: None,
            title: None,
        }
    }

    /// Set-up of our engine with these features, on this board.
    fn setup(&self, recipe: &Recipe, board: BoardChoice) -> Setup {
        Setup {
            board,
            strategy: if self.processors == 1 { AnyStrategy::default() } else { self.strategy() },
            on: match self.machine {
                MachineKind::Real if self.processors == 1 => On::ThisThread,
                MachineKind::Real => On::Real(Pin::None),
                MachineKind::Virtual => On::Virtual(Box::new(self.model(recipe))),
            },
            processors: self.processors as usize,
            ..usual_setup(recipe.features, self.budget, self.table_mib)
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
        })
    }

    /// Starts the engine from outside that this is, if it is one, and learns its name. One that is limited by nodes
    /// searches the start position, and must use about as many.
    ///
    /// # Errors
    /// If it cannot be started, fails, or does not keep to its limit on nodes.
    pub fn meet(&mut self) -> Result<(), PlayError> {
        let Program::Outside(command) = &self.program else { return Ok(()) };
        let mut player = OutsidePlayer::start(command, self)?;
        self.title = Some(player.title().to_owned()).filter(|title| !title.is_empty());
        if self.budget.nodes.is_none() || self.budget.has_clock() {
            return Ok(());
        }
        let thought = player.think(&Game::default(), None)?;
        let name = self.title.as_ref().unwrap_or(command);
        match self.info(name).misuse(1.0, thought.nodes as f64) {
            Some(misuse) => Err(PlayError::Misuse(format!("{name} {misuse}"))),
            None => Ok(()),
        }
    }

    /// Strategy by which several processors of ours share the search: the named one, or the usual one.
    pub fn strategy(&self) -> AnyStrategy {
        self.strategy.unwrap_or_else(|| AnyStrategy::usual(self.processors))
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
        table: settings.table(Scheme::default(), u64::from(table_mib) << 20),
        on: On::ThisThread,
        processors: 1,
        waiting: Waiting::default(),
        counts_losses: false,
    }
}

/// A player.
pub struct Player(Kind);

enum Kind {
    Own(Box<OwnPlayer>),
    Outside(Box<OutsidePlayer>),
}

/// A configuration of our engine that plays.
struct OwnPlayer {
    setup: Setup,
    time: Option<Timing>,
    computer: Computer,
    tables: Tables,
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

impl Player {
    /// A player with an empty table; our engine searches on this board.
    ///
    /// # Errors
    /// If there is no memory for the table, or the engine from outside cannot be used.
    pub fn new(entrant: &Entrant, board: BoardChoice) -> Result<Self, PlayError> {
        let recipe = match &entrant.program {
            Program::Own(recipe) => recipe,
            Program::Outside(command) => {
                return Ok(Self(Kind::Outside(Box::new(OutsidePlayer::start(command, entrant)?))));
            }
        };
        let (setup, time) = (entrant.setup(recipe, board), entrant.budget.time);
        let computer = setup.computer()?;
        let tables = setup.tables(1).map_err(|error| PlayError::NoTable(error.to_string()))?;
        Ok(Self(Kind::Own(Box::new(OwnPlayer { setup, time, computer, tables }))))
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

    /// Searches the present position of a game that goes on. `clocks` are those of White and Black, if it plays by a
    /// clock.
    ///
    /// # Errors
    /// If the search panics, or the engine from outside fails.
    pub fn think(&mut self, game: &Game, clocks: Option<&[Clock; 2]>) -> Result<Thought, PlayError> {
        match &mut self.0 {
            Kind::Own(player) => Ok(player.think(game, clocks)?),
            Kind::Outside(engine) => engine.think(game, clocks),
        }
    }

    /// The best few moves of a position with their scores, the best first. An engine from outside tells only the one.
    ///
    /// # Errors
    /// If the search panics, or the engine from outside fails.
    pub fn best_moves(&mut self, game: &Game, count: usize) -> Result<Vec<(Move, Score)>, PlayError> {
        match &mut self.0 {
            Kind::Own(player) => Ok(player.best_moves(game, count)?),
            Kind::Outside(_) => self.think(game, None).map(|thought| vec![(thought.best, thought.score)]),
        }
    }
}

/// Time that a thread may need to be given a processor again, on a busy computer.
const REAL_OVERHEAD: Duration = Duration::from_millis(10);
/// Time for which virtual processors may search on until they look at the clock.
const VIRTUAL_OVERHEAD: Duration = Duration::from_millis(2);

impl OwnPlayer {
    fn think(&self, game: &Game, clocks: Option<&[Clock; 2]>) -> Result<Thought, SearchError> {
        let control = Control::new(self.computer.processors(), 1);
        let overhead = if self.computer.is_virtual() { VIRTUAL_OVERHEAD } else { REAL_OVERHEAD };
        let allotment = match (self.time, clocks) {
            (Some(Timing::Move(time)), _) => Some(Allotment { last_begin: time, end: time }),
            (Some(Timing::Clock(_)), Some(clocks)) => {
                Some(Allotment::of_clock(&clocks[game.board().turn().index()], overhead))
            }
            _ => None,
        };
        if let Some(Allotment { last_begin, end }) = allotment {
            control.begin_none_from(last_begin.as_nanos() as u64);
            control.end_at(end.as_nanos() as u64);
        }
        let began = Instant::now();
        let options = Options { control: Some(&control), ..Options::default() };
        let Found { outcome, elapsed_ns, .. } = self.setup.run((&self.computer, &self.tables), game.line(), options)?;
        let nanoseconds = match self.computer.is_virtual() {
            true => elapsed_ns,
            false => began.elapsed().as_nanos() as u64,
        };
        let Answer { best, score, depth, .. } = outcome.answer;
        let best = best.expect("a game that goes on has a legal move");
        Ok(Thought { best, score, depth, nodes: outcome.counters.nodes(), nanoseconds })
    }

    /// The best few moves of the last iteration that found as many.
    fn best_moves(&self, game: &Game, count: usize) -> Result<Vec<(Move, Score)>, SearchError> {
        let count = count.min(game.legal_moves().len());
        let found = Mutex::new((Vec::new(), Vec::new()));
        let note = |iteration: &Iteration| {
            let mut found = found.lock().unwrap_or_else(PoisonError::into_inner);
            let (whole, present) = &mut *found;
            if iteration.rank == 0 {
                present.clear();
            }
            present.extend(iteration.line.first().map(|mv| (*mv, iteration.score)));
            if present.len() == count {
                whole.clone_from(present);
            }
        };
        let control = Control::new(self.computer.processors(), count.max(1));
        let options = Options { watcher: Some(&note), control: Some(&control), ..Options::default() };
        self.setup.run((&self.computer, &self.tables), game.line(), options)?;
        let (mut whole, _) = found.into_inner().unwrap_or_else(PoisonError::into_inner);
        whole.sort_by_key(|(_, score)| std::cmp::Reverse(*score));
        Ok(whole)
    }
}
