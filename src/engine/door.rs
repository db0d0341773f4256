//! A search from outside: the position goes in, what was found comes out.

use super::compiled::{self, NotCompiled, Simulated};
use super::{Computer, NodesError, On, Setup};
use crate::chess::{self, Board, History, Keys, Move, Unsupported, notation};
use crate::machine::guard::Disturbance;
use crate::machine::{Failure, Machine, Run, Switch, VirtualMachine};
use crate::parallel::AnyStrategy;
use crate::ranks::{Ended, RanksError, RanksFailure};
use crate::search::table::Tables;
use crate::search::{Control, Outcome, Remembered, Session, Watcher};

/// A position, with how a game has come there.
#[derive(Clone, Copy, Debug)]
pub struct Line<'a> {
    /// Position that the game began with.
    pub start: &'a chess::Setup,
    /// Legal moves that have been made since.
    pub moves: &'a [Move],
}

impl<'a> From<&'a chess::Setup> for Line<'a> {
    fn from(start: &'a chess::Setup) -> Self {
        Self { start, moves: &[] }
    }
}

/// Who looks on while a search runs, and what is kept of it.
#[derive(Clone, Copy, Default)]
pub struct Options<'a> {
    /// Called after each completed iteration.
    pub watcher: Option<Watcher<'a>>,
    /// Control by which another thread stops the search.
    pub control: Option<&'a Control>,
    /// Moves of the root that are searched; all legal ones, if there are none.
    pub among: &'a [Move],
    /// Whether the outcome keeps what each worker did when.
    pub keeps_trace: bool,
    /// Whether real threads are watched for what disturbs them.
    pub is_watched: bool,
}

/// Outcome of a search, with its best move as people write it.
pub struct Found {
    /// Answer, counters and times.
    pub outcome: Outcome,
    /// The move to play in standard algebraic notation.
    pub san: Option<String>,
    /// Nanoseconds of the machine until the last processor was done.
    pub elapsed_ns: u64,
    /// Disturbances of each real thread, if the threads were watched.
    pub disturbances: Vec<Disturbance>,
    /// Processor time that other processes of the same search have used on this computer.
    pub cpu_ns_beside: u64,
    /// Switches of a virtual machine whose schedule is not that of the clocks; else none.
    pub switches: Vec<Switch>,
}

/// Reason why a search found nothing.
#[derive(Debug, thiserror::Error)]
pub enum SearchError {
    /// This processor cannot run the board.
    #[error(transparent)]
    Board(#[from] Unsupported),
    /// No search on the board is compiled.
    #[error(transparent)]
    NotCompiled(#[from] NotCompiled),
    /// It cannot be searched on several nodes.
    #[error(transparent)]
    Nodes(#[from] NodesError),
    /// The search did not come to its end.
    #[error(transparent)]
    Failed(#[from] Failure),
    /// It did not in another process.
    #[error(transparent)]
    Ranks(#[from] RanksError),
}

impl From<RanksFailure> for SearchError {
    fn from(failure: RanksFailure) -> Self {
        match failure {
            RanksFailure::Ranks(error) => Self::Ranks(error),
            RanksFailure::Search(error) => error,
        }
    }
}

impl Setup {
    /// Searches the position at the end of a line. Machine and tables must be of such a setup.
    ///
    /// # Errors
    /// If this processor cannot run the board, or the search fails.
    pub fn run(
        &self,
        (computer, tables): (&Computer, &Tables),
        line: Line<'_>,
        options: Options<'_>,
    ) -> Result<Found, SearchError> {
        let search = Searched { setup: self, computer, tables, line, options, several: None };
        self.check_processes(options.keeps_trace)?;
        let ended = match (computer, &self.on) {
            (Computer::Virtual(machine), _) => search.on_virtual(machine)?,
            (_, On::Ranks { nodes, ranks, .. }) if *nodes > 1 => ranks.search(*nodes, &search)?,
            _ => search.on_threads()?,
        };
        search.found(ended)
    }

    /// The move that the tables hold for the position at the end of a line, if they hold one.
    ///
    /// # Errors
    /// If this processor cannot run the board, or something fails.
    pub fn remembered(
        &self,
        (computer, tables): (&Computer, &Tables),
        line: Line<'_>,
    ) -> Result<Option<Move>, SearchError> {
        let look =
            LookedUp(Searched { setup: self, computer, tables, line, options: Options::default(), several: None });
        match computer {
            Computer::Virtual(machine) => look.with::<Simulated>(|program| machine.run(program)),
            Computer::Real(_) | Computer::ThisThread(_) => compiled::searches(self.board)?.look_up(&look),
        }
    }
}

/// A search, to be run on a board of any type.
#[derive(Clone, Copy)]
pub struct Searched<'a> {
    pub(crate) setup: &'a Setup,
    pub(crate) computer: &'a Computer,
    pub(crate) tables: &'a Tables,
    pub(crate) line: Line<'a>,
    pub(crate) options: Options<'a>,
    /// This process's node, the number of nodes, and that of the search, if other processes take part.
    pub(crate) several: Option<((usize, usize), u32)>,
}

/// A look into the tables, on a board of any type.
pub struct LookedUp<'a>(Searched<'a>);

impl<'a> Searched<'a> {
    /// The board at the end of the line, with the positions before.
    fn board<B: Board>(&self) -> Result<(B, History), Unsupported> {
        let keys: &'static Keys = self.setup.settings.keys();
        let mut board = B::set_up(self.line.start, keys)?;
        let mut past = History::with_capacity(self.line.moves.len());
        for mv in self.line.moves {
            past.push(board.key());
            let _ = board.make(*mv);
        }
        Ok((board, past))
    }

    fn session<'s, B: Board>(&'s self, board: &'s B, past: &'s History) -> Session<'s, B, AnyStrategy>
    where
        'a: 's,
    {
        let Setup { settings, strategy, counts_losses, .. } = self.setup;
        let Options { watcher, control, among, keeps_trace, is_watched: _ } = self.options;
        let mut session = Session::new(board, past, settings, self.tables, strategy, self.computer.processors());
        session = session.among(among);
        if *counts_losses {
            session = session.with_ledger();
        }
        if keeps_trace {
            session = session.keeping_traces();
        }
        if let Some(watcher) = watcher {
            session = session.watched_by(watcher);
        }
        if let Some((node, number)) = self.several {
            session = session.as_node(node, number);
        }
        match control {
            Some(control) => session.controlled_by(control),
            None => session,
        }
    }
}

impl Searched<'_> {
    /// Searches on real threads.
    fn on_threads(&self) -> Result<Ended, SearchError> {
        compiled::searches(self.setup.board)?.search(self)
    }

    /// Does the part of this node in a search by several processes.
    pub(crate) fn part(&self, node: (usize, usize), number: u32) -> Result<Ended, SearchError> {
        Searched { several: Some((node, number)), ..*self }.on_threads()
    }

    /// Searches on boards of this type, on real threads.
    pub(crate) fn on<B: Board>(&self) -> Result<Ended, SearchError> {
        let (board, past) = self.board::<B>()?;
        let session = self.session(&board, &past);
        let (run, disturbances) = match self.computer {
            Computer::Real(machine) if self.options.is_watched => machine.run_watched(&session)?,
            threads => (threads.run_on_threads(&session)?, Vec::new()),
        };
        Ok(Ended { run, disturbances, cpu_ns_beside: 0 })
    }

    /// Searches in simulated time.
    fn on_virtual(&self, machine: &VirtualMachine) -> Result<Ended, SearchError> {
        self.setup.board.check()?;
        NodesError::check(&self.setup.strategy, machine.processors, &machine.model)?;
        let (board, past) = self.board::<Simulated>()?;
        let session = self.session(&board, &past).sized_as(compiled::sizes(self.setup.board));
        Ok(Ended { run: machine.run(&session)?, disturbances: Vec::new(), cpu_ns_beside: 0 })
    }

    /// The outcome of a search that has ended, with its best move in standard algebraic notation.
    fn found(&self, Ended { mut run, disturbances, cpu_ns_beside }: Ended) -> Result<Found, SearchError> {
        let (elapsed_ns, switches) = (run.elapsed, std::mem::take(&mut run.switches));
        let outcome = Outcome::from(run);
        let (board, _) = self.board::<Simulated>()?;
        let san = outcome.answer.best.map(|mv| notation::san(&board, mv));
        Ok(Found { outcome, san, elapsed_ns, disturbances, cpu_ns_beside, switches })
    }
}

impl LookedUp<'_> {
    /// Looks the position up on boards of this type, on real threads.
    pub(crate) fn on<B: Board>(&self) -> Result<Option<Move>, SearchError> {
        self.with::<B>(|program| self.0.computer.run_on_threads(program))
    }

    fn with<B: Board>(
        &self,
        run: impl FnOnce(&Remembered<'_, '_, B, AnyStrategy>) -> Result<Run<Option<Move>>, Failure>,
    ) -> Result<Option<Move>, SearchError> {
        let (board, past) = self.0.board::<B>()?;
        let run = run(&Remembered(&self.0.session(&board, &past)))?;
        Ok(run.outputs.into_iter().flatten().next())
    }
}
