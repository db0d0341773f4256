//! What rank 0 asks the other processes to do.

use serde::{Deserialize, Serialize};

use crate::chess::choice::BoardChoice;
use crate::chess::{self, Board, Move, MoveList, Unsupported};
use crate::compiled::Simulated;
use crate::door::Searched;
use crate::machine::{Pin, Waiting};
use crate::search::features::{Preset, Recipe};
use crate::search::table::{TableOptions, TableSharing};
use crate::search::{Horizon, Limits, SearchSettings};
use crate::{On, Setup};

/// Request of rank 0 to another.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum Order {
    /// To make ready for a search, and say so.
    Search(Box<SearchOrder>),
    /// To begin, now that all are ready.
    Go,
    /// Not to begin: somebody is not ready.
    NeverMind,
    /// To end.
    End,
}

/// A search in words, with the part of one process in it.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct SearchOrder {
    /// Number of processes.
    pub nodes: usize,
    /// Number of the search.
    pub number: u32,
    /// State of the tables of rank 0, as of [`Tables::state`](crate::search::table::Tables::state).
    pub tables: (u64, u32),
    /// Position at the beginning of the line, in FEN.
    start: String,
    /// Moves since then, as bits.
    moves: Vec<u32>,
    /// Moves of the root that are searched, as bits.
    among: Vec<u32>,
    pub is_watched: bool,
    /// Number of threads of other processes that run where this one's would.
    skipped: usize,
    board: (String, Option<String>),
    strategy: String,
    features: String,
    depth: u32,
    horizon: Horizon,
    limit_nodes: u64,
    limit_nanoseconds: u64,
    seed: u64,
    table_bytes: u64,
    sharing: String,
    audit: bool,
    pin: String,
    threads: usize,
    waiting: Waiting,
}

/// A search read from its words.
pub(super) struct Read {
    /// Set-up of this process's part.
    pub setup: Setup,
    pub start: chess::Setup,
    pub moves: Vec<Move>,
    pub among: Vec<Move>,
}

impl SearchOrder {
    pub fn of(search: &Searched<'_>, (nodes, number): (usize, u32), skipped: usize) -> Self {
        let Setup { board, strategy, settings, table, processors, waiting, .. } = search.setup;
        let SearchSettings { features, limits, seed } = *settings;
        let bits = |moves: &[Move]| moves.iter().map(|mv| mv.bits()).collect();
        Self {
            nodes,
            number,
            tables: search.tables.state(),
            start: search.line.start.to_string(),
            moves: bits(search.line.moves),
            among: bits(search.options.among),
            is_watched: search.options.is_watched,
            skipped,
            board: (board.name().to_owned(), board.sliders().map(|sliders| sliders.name().to_owned())),
            strategy: strategy.to_string(),
            features: Recipe { preset: Preset::default(), features }.to_string(),
            depth: limits.depth,
            horizon: limits.horizon,
            limit_nodes: limits.nodes,
            limit_nanoseconds: limits.nanoseconds,
            seed,
            table_bytes: table.bytes,
            sharing: TableSharing { scheme: table.scheme, exchange: table.exchange }.to_string(),
            audit: table.audit,
            pin: search.setup.on.pin().map_or_else(|| Pin::None.to_string(), ToString::to_string),
            threads: processors / nodes,
            waiting: *waiting,
        }
    }

    /// Reads the words.
    ///
    /// # Errors
    /// If this process cannot do what they say.
    pub fn read(&self) -> Result<Read, String> {
        let wrong = |error: &dyn std::fmt::Display| error.to_string();
        let board = BoardChoice::from_names(&self.board.0, self.board.1.as_deref()).map_err(|error| wrong(&error))?;
        let features: Recipe = self.features.parse().map_err(|error| wrong(&error))?;
        let limits = Limits {
            depth: self.depth,
            horizon: self.horizon,
            nodes: self.limit_nodes,
            nanoseconds: self.limit_nanoseconds,
        };
        let settings = SearchSettings { features: features.features, limits, seed: self.seed };
        let TableSharing { scheme, exchange } = self.sharing.parse().map_err(|error| wrong(&error))?;
        let pin: Pin = self.pin.parse().map_err(|error| wrong(&error))?;
        let setup = Setup {
            board,
            strategy: self.strategy.parse().map_err(|error| wrong(&error))?,
            settings,
            table: TableOptions { exchange, audit: self.audit, ..settings.table(scheme, self.table_bytes) },
            on: On::Real(pin.skipping(self.skipped).map_err(|error| wrong(&error))?),
            processors: self.threads,
            waiting: self.waiting,
            counts_losses: false,
        };
        let start: chess::Setup = self.start.parse().map_err(|error| wrong(&error))?;
        let mut position = Simulated::set_up(&start, settings.keys()).map_err(|error: Unsupported| wrong(&error))?;
        let moves = moves_of(&mut position, &self.moves).ok_or("a line with a move that is not legal")?;
        let among = self.among.iter().map(|bits| legal(&position, *bits)).collect::<Option<_>>();
        Ok(Read { setup, start, moves, among: among.ok_or("a move of the root that is not legal")? })
    }
}

/// The legal move with these bits.
fn legal<B: Board>(board: &B, bits: u32) -> Option<Move> {
    let mut list = MoveList::new();
    board.legal_moves(&mut list);
    list.iter().copied().find(|mv| mv.bits() == bits)
}

/// The moves with these bits, which are made on the board one after the other; none if one is not legal.
pub(super) fn moves_of<B: Board>(board: &mut B, bits: &[u32]) -> Option<Vec<Move>> {
    let mut moves = Vec::with_capacity(bits.len());
    for bits in bits {
        let mv = legal(board, *bits)?;
        let _ = board.make(mv);
        moves.push(mv);
    }
    Some(moves)
}
