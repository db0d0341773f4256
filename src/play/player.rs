//! A player: our engine with a recipe and a budget for each move. It searches on the thread that asks it, so that each
//! thread can play a game of its own.

use std::io;

use super::game::Game;
use crate::chess::{Board, Keys};
use crate::machine::cost::CostModel;
use crate::machine::{Failure, Machine, Run, ThisThread, VirtualMachine};
use crate::parallel::AnyStrategy;
use crate::record::MachineKind;
use crate::search::features::Recipe;
use crate::search::table::{Scheme, TableOptions, Tables};
use crate::search::{Answer, DEEPEST, Limits, Outcome, Part, SearchSettings, Session};

/// Limits of the search for a move. At least one of them is set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// Number of nodes.
    pub nodes: Option<u64>,
    /// Depth in plies.
    pub depth: Option<u32>,
}

/// Configuration of a player.
#[derive(Clone, Copy, Debug)]
pub struct Entrant {
    /// Features of its search.
    pub recipe: Recipe,
    /// Limits of the search for a move.
    pub budget: Budget,
    /// Size of its table in MiB.
    pub table_mib: u32,
    /// Machine that it searches on, with one processor. Within a limit on nodes both find the same moves.
    pub machine: MachineKind,
}

impl Entrant {
    /// Settings of its searches.
    fn settings(&self) -> SearchSettings {
        let limits = Limits {
            nodes: self.budget.nodes.unwrap_or(u64::MAX),
            ..Limits::depth(self.budget.depth.unwrap_or(DEEPEST))
        };
        SearchSettings { features: self.recipe.features, limits, seed: 0 }
    }

    /// Options of its table.
    pub fn table(&self) -> TableOptions {
        self.settings().table(Scheme::default(), u64::from(self.table_mib) << 20)
    }
}

/// A configuration of our engine that plays.
pub struct Player {
    settings: SearchSettings,
    machine: MachineKind,
    strategy: AnyStrategy,
    tables: Tables,
}

/// What a search for a move has found, and what it took.
#[derive(Clone, Debug)]
pub struct Thought {
    /// Move and score for the side to move.
    pub answer: Answer,
    /// Number of nodes.
    pub nodes: u64,
    /// Nanoseconds of the machine.
    pub nanoseconds: u64,
}

impl Player {
    /// A player with an empty table.
    ///
    /// # Errors
    /// If there is no memory for the table.
    pub fn new(entrant: &Entrant) -> io::Result<Self> {
        let tables = Tables::try_new(&entrant.table(), 1, 1)?;
        let (settings, machine) = (entrant.settings(), entrant.machine);
        Ok(Self { settings, machine, strategy: AnyStrategy::default(), tables })
    }

    /// Zobrist keys of the boards that it searches on.
    pub fn keys(&self) -> &'static Keys {
        self.settings.keys()
    }

    /// Forgets all positions, as before a new game.
    pub fn forget(&mut self) {
        self.tables.clear(1);
    }

    /// Searches the present position of a game, which is on a board with its [`keys`](Self::keys).
    ///
    /// # Errors
    /// If the search panics.
    pub fn think<B: Board>(&self, game: &Game<B>) -> Result<Thought, Failure> {
        let session = Session::new(game.board(), game.past(), &self.settings, &self.tables, &self.strategy, 1);
        let run: Run<Part> = match self.machine {
            MachineKind::Real => ThisThread.run(&session)?,
            MachineKind::Virtual => VirtualMachine::new(1, CostModel::reference()).run(&session)?,
        };
        let nanoseconds = run.elapsed;
        let outcome = Outcome::from(run);
        Ok(Thought { nodes: outcome.counters.nodes(), answer: outcome.answer, nanoseconds })
    }
}
