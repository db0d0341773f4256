//! A player: our engine with a recipe, or an engine from outside, and a budget for each move. On one real processor or
//! on virtual ones ours searches on the thread that asks it, so that each thread can play a game of its own.

use std::fmt;
use std::str::FromStr;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::clock::{Allotment, Clock, TimeControl};
use super::contest::PlayError;
use super::game::Game;
use super::outside::OutsidePlayer;
use crate::chess::mailbox::Mailbox;
use crate::chess::{Board, Keys, Move, Score};
use crate::machine::cost::CostModel;
use crate::machine::{Failure, Machine, Pin, RealMachine, Run, ThisThread, VirtualMachine, Waiting};
use crate::parallel::AnyStrategy;
use crate::record::{MachineKind, PlayerInfo};
use crate::search::features::Recipe;
use crate::search::table::{Scheme, TableOptions, Tables};
use crate::search::{Answer, Control, DEEPEST, Iteration, Limits, Outcome, Part, SearchSettings, Session};
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

impl Budget {
    /// Whether games are played by a clock.
    pub fn has_clock(&self) -> bool {
        matches!(self.time, Some(Timing::Clock(_)))
    }
}

impl fmt::Display for Budget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let time = self.time.map(|time| match time {
            Timing::Move(time) => format!("{} s", time.as_secs_f64()),
            Timing::Clock(control) => format!("a clock of {control} s"),
        });
        let parts =
            [self.nodes.map(|nodes| format!("{nodes} nodes")), self.depth.map(|depth| format!("depth {depth}")), time];
        f.write_str(&parts.into_iter().flatten().collect::<Vec<_>>().join(" and "))
    }
}

/// What plays.
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
    /// What plays.
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
    /// Cost model of the virtual machine.
    pub costs: CostModel,
    /// Name that an engine from outside gives itself, once it has been asked.
    pub title: Option<String>,
}

impl Entrant {
    /// Settings of the searches of our engine with these features.
    fn settings(&self, recipe: &Recipe) -> SearchSettings {
        let Budget { nodes, depth, time: _ } = self.budget;
        let limits = Limits { nodes: nodes.unwrap_or(u64::MAX), ..Limits::depth(depth.unwrap_or(DEEPEST)) };
        SearchSettings { features: recipe.features, limits, seed: 0 }
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
        let thought = player.think(&Game::<Mailbox>::new(Keys::of_seed(0))?, None)?;
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
            Program::Own(recipe) => Some(self.table_of(&self.settings(recipe))),
            Program::Outside(_) => None,
        }
    }

    /// Name of the cost model, if it matters and is not the usual one.
    pub fn own_costs(&self) -> Option<String> {
        let matters = matches!(self.program, Program::Own(_)) && self.machine == MachineKind::Virtual;
        (matters && self.costs != CostModel::default()).then(|| self.costs.name.clone())
    }

    fn table_of(&self, settings: &SearchSettings) -> TableOptions {
        settings.table(Scheme::default(), u64::from(self.table_mib) << 20)
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
    settings: SearchSettings,
    time: Option<Timing>,
    computer: Computer,
    strategy: AnyStrategy,
    tables: Tables,
}

/// What our engine searches on.
enum Computer {
    One(ThisThread),
    Real(RealMachine),
    Virtual(Box<VirtualMachine>),
}

impl Computer {
    fn of(entrant: &Entrant) -> Result<Self, PlayError> {
        let processors = entrant.processors as usize;
        Ok(match entrant.machine {
            MachineKind::Real if processors == 1 => Self::One(ThisThread),
            MachineKind::Real => Self::Real(RealMachine::new(processors, &Pin::None, Waiting::default())?),
            MachineKind::Virtual => Self::Virtual(Box::new(VirtualMachine::new(processors, entrant.costs.clone()))),
        })
    }

    fn processors(&self) -> usize {
        match self {
            Self::One(machine) => machine.processors(),
            Self::Real(machine) => machine.processors(),
            Self::Virtual(machine) => machine.processors(),
        }
    }
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
                let settings = entrant.settings(recipe);
                let computer = Computer::of(entrant)?;
                let tables = Tables::try_new(&entrant.table_of(&settings), computer.processors(), 1)
                    .map_err(|error| PlayError::NoTable(error.to_string()))?;
                let strategy = if entrant.processors == 1 { AnyStrategy::default() } else { entrant.strategy() };
                let player = OwnPlayer { settings, time: entrant.budget.time, computer, strategy, tables };
                Ok(Self(Kind::Own(Box::new(player))))
            }
            Program::Outside(command) => {
                let player = OutsidePlayer::start(command, entrant)?;
                Ok(Self(Kind::Outside(Box::new(player))))
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

    /// Searches the present position of a game that goes on, on a board with its [`keys`](Self::keys). `clocks` are
    /// those of White and Black, if it plays by a clock.
    ///
    /// # Errors
    /// If the search panics, or the engine from outside fails.
    pub fn think<B: Board>(&mut self, game: &Game<B>, clocks: Option<&[Clock; 2]>) -> Result<Thought, PlayError> {
        match &mut self.0 {
            Kind::Own(player) => Ok(player.think(game, clocks)?),
            Kind::Outside(engine) => engine.think(game, clocks),
        }
    }
}

impl Player {
    /// The best few moves of a position with their scores, the best first. An engine from outside tells only the one.
    ///
    /// # Errors
    /// If the search panics, or the engine from outside fails.
    pub fn best_moves<B: Board>(&mut self, game: &Game<B>, count: usize) -> Result<Vec<(Move, Score)>, PlayError> {
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
    fn think<B: Board>(&self, game: &Game<B>, clocks: Option<&[Clock; 2]>) -> Result<Thought, Failure> {
        let workers = self.computer.processors();
        let control = Control::new(workers, 1);
        let overhead = if matches!(self.computer, Computer::Virtual(_)) { VIRTUAL_OVERHEAD } else { REAL_OVERHEAD };
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
        let session = Session::new(game.board(), game.past(), &self.settings, &self.tables, &self.strategy, workers)
            .controlled_by(&control);
        let run: Run<Part> = match &self.computer {
            Computer::One(machine) => machine.run(&session)?,
            Computer::Real(machine) => machine.run(&session)?,
            Computer::Virtual(machine) => machine.run(&session)?,
        };
        let nanoseconds = match self.computer {
            Computer::Virtual(_) => run.elapsed,
            Computer::One(_) | Computer::Real(_) => began.elapsed().as_nanos() as u64,
        };
        let outcome = Outcome::from(run);
        let Answer { best, score, depth, .. } = outcome.answer;
        let best = best.expect("a game that goes on has a legal move");
        Ok(Thought { best, score, depth, nodes: outcome.counters.nodes(), nanoseconds })
    }

    /// The best few moves of the last iteration that found as many.
    fn best_moves<B: Board>(&self, game: &Game<B>, count: usize) -> Result<Vec<(Move, Score)>, Failure> {
        let count = count.min(game.legal_moves().len());
        let (workers, found) = (self.computer.processors(), Mutex::new((Vec::new(), Vec::new())));
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
        let control = Control::new(workers, count.max(1));
        let session = Session::new(game.board(), game.past(), &self.settings, &self.tables, &self.strategy, workers)
            .watched_by(&note)
            .controlled_by(&control);
        match &self.computer {
            Computer::One(machine) => drop(machine.run(&session)?),
            Computer::Real(machine) => drop(machine.run(&session)?),
            Computer::Virtual(machine) => drop(machine.run(&session)?),
        }
        let (mut whole, _) = found.into_inner().unwrap_or_else(PoisonError::into_inner);
        whole.sort_by_key(|(_, score)| std::cmp::Reverse(*score));
        Ok(whole)
    }
}
