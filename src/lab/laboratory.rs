//! The laboratory: the one place where a cell becomes a measurement, for experiments, validations and single searches
//! alike. Whatever the cell names is built, the search runs on its machine, and the figures and surroundings are
//! recorded.

use std::sync::{Arc, Mutex, PoisonError};

use super::choice::Choice;
use super::companions;
use super::conditions::Conditions;
use super::engines::Engines;
use super::measure_error::{MeasureError, wrong};
use super::measurement::{Finding, OnPurpose, measured, on_cores, surroundings};
use super::micro;
use super::tables::Stock;
use crate::chess;
use crate::engine::{Computer, Found, NodesError, Options, SearchError, Setup};
use crate::machine::disturb::Disturb;
use crate::machine::guard::{SystemChange, SystemWatch};
use crate::machine::host::{Interleaving, Topology};
use crate::machine::{Pin, RealMachine, RealMachineError, Waiting};
use crate::random::SplitMix;
use crate::record::axes::{BOARD, CLUSTER_NODES, DISTURB, HASH, LOSSES, MICRO, PIN, SCHEME, STRATEGY, THREADS};
use crate::record::{Cell, CellResult, Configuration, MachineKind, Measured, Surroundings, calendar};
use crate::search::Outcome;
use crate::search::table::{TableOptions, Tables};

/// Measures cells. The one searcher outside tests is the [`Laboratory`].
pub trait Searcher: Sync {
    /// Measures a cell.
    fn search(&self, cell: &Cell) -> Finding;
}

/// Measurement of a cell.
pub struct Measurement {
    /// Figures that are recorded.
    pub measured: Measured,
    /// Surroundings, on a real machine.
    pub surroundings: Option<Surroundings>,
    /// Outcome of the search, with all that is not recorded: lines, iterations and, if it was asked for, the trace.
    pub outcome: Outcome,
    /// The move to play in standard algebraic notation.
    pub san: Option<String>,
    /// Limit in seconds of the machine, if it cut the search off before its depth: then that is its time.
    pub cut_at_s: Option<f64>,
}

/// Largest number of pages taken before a table at a random address.
const MOST_PAGES_BEFORE: u64 = 512;
const PAGE_BYTES: u64 = 4096;

/// The laboratory, with what it keeps from one cell to the next.
pub struct Laboratory {
    conditions: Conditions,
    /// Threads of the last real cell, which are often those of the next.
    threads: Mutex<Option<(ThreadsWanted, Arc<Computer>)>>,
    /// Engines from outside.
    engines: Engines,
    /// Tables of its searches. Those at random addresses are never spare: they would come back to the same place.
    tables: Stock,
}

/// Number of threads and of processes, where they run, how they wait, and whether they keep a trace.
type ThreadsWanted = (usize, usize, Pin, Waiting, bool);

impl Laboratory {
    /// Laboratory that measures under these conditions.
    pub fn new(conditions: Conditions) -> Self {
        let engines = Engines::new(conditions.engines.clone());
        Self { conditions, threads: Mutex::default(), engines, tables: Stock::default() }
    }

    /// Checks that everything which the cell names exists, so that a user is told before anything is searched.
    ///
    /// # Errors
    /// If something does not exist.
    pub fn check(&self, cell: &Cell) -> Result<(), MeasureError> {
        companions::check([cell])?;
        if let Some(name) = &cell.configuration.micro {
            return micro::named(name).map(|_| ()).map_err(wrong(MICRO.name));
        }
        if cell.configuration.is_outside() {
            return self.engines.check(cell);
        }
        self.interleaving(cell.configuration.machine == MachineKind::Real)?;
        self.prepare(cell, false).map(|_| ())
    }

    /// Measures a cell.
    ///
    /// # Errors
    /// If the cell names something that does not exist, or if its search fails or is cut off.
    pub fn measure(&self, cell: &Cell, options: Options<'_>) -> Result<Measurement, MeasureError> {
        let search = self.prepare(cell, options.keeps_trace)?;
        let real = search.computer.real();
        let at_random = self.conditions.random_addresses && real.is_some();
        let _pages_before = at_random.then(random_pages);
        let zeroing = real.map_or(1, |_| RealMachine::room());
        let shape = (search.setup.table_options(), search.setup.processors_here());
        let interleaving = self.interleaving(real.is_some())?;
        let interleaved_nodes = interleaving.as_ref().map(|interleaving| interleaving.nodes() as u32);
        let tables = self.tables.lend(shape, zeroing).map_err(wrong(HASH.name))?;
        drop(interleaving);
        let (found, system) = {
            // Both end with the search, however it ends.
            let fill = search.on_purpose.and_then(|on_purpose| on_purpose.fill);
            let _fill = real.zip(fill).map(|(machine, fill)| fill.start(machine.places())).transpose()?;
            let _disturb = search.disturb.start(&search.pin).map_err(wrong(DISTURB.name))?;
            search.run(&tables, options)?
        };
        let Found { outcome, san, disturbances, .. } = found;
        let mut measured = measured(&outcome, &disturbances, cell, &tables, real.map_or(&[][..], RealMachine::places));
        if !at_random {
            tables.give_back();
        }
        measured.solved = self.conditions.is_solved(cell, measured.bestmove.as_ref());
        let surroundings = search.on_purpose.map(|on_purpose| {
            let places = real.map_or(&[][..], RealMachine::places);
            let around = surroundings(&disturbances, &system, on_purpose);
            Surroundings { interleaved_nodes, ..on_cores(around, places, Topology::of_system()) }
        });
        let cut_at_s = self.cut_at_s(cell, &outcome, measured.elapsed_ns);
        if let Some(limit_s) = cut_at_s {
            // The whole search would have taken longer than this.
            measured.time_ns = (limit_s * 1e9).round() as u64;
        }
        Ok(Measurement { measured, surroundings, outcome, san, cut_at_s })
    }

    /// Setup of our engine for a configuration; nothing for a micro-measurement or an engine from outside.
    ///
    /// # Errors
    /// If its tables do not fit into memory, or if it names something that does not exist.
    pub fn setup_of(&self, configuration: &Configuration) -> Result<Option<Setup>, MeasureError> {
        let is_ours = configuration.micro.is_none() && !configuration.is_outside();
        let cell = || Cell { configuration: configuration.clone().into(), ..Cell::default() };
        is_ours.then(|| Ok(self.setup(&cell())?.1)).transpose()
    }

    /// Choice of a cell and the set-up of its search, if its table fits into memory.
    fn setup(&self, cell: &Cell) -> Result<(Choice, Setup), MeasureError> {
        let choice = Choice::of(&cell.configuration, &self.conditions)?;
        let setup = choice.setup(cell.depth, cell.seed, &self.conditions)?;
        let beside = setup.on.processes_here();
        let all = TableOptions { bytes: setup.table.bytes.saturating_mul(beside as u64), ..setup.table };
        self.tables.check(&(all, setup.processors_here() * beside)).map_err(|error| match beside {
            1 => wrong(HASH.name)(error),
            _ => wrong(HASH.name)(format!("{beside} processes on this computer have tables of their own: {error}")),
        })?;
        Ok((choice, setup))
    }

    /// Builds whatever a cell names, but for the table.
    fn prepare(&self, cell: &Cell, keeps_trace: bool) -> Result<Search, MeasureError> {
        let (Choice { disturb, pin, .. }, setup) = self.setup(cell)?;
        setup.check_nodes().map_err(|error| match error {
            NodesError::Strategy { .. } | NodesError::Trace(_) => wrong(STRATEGY.name)(error),
            NodesError::NotFilled { .. } => wrong(THREADS.name)(error),
            NodesError::Home => wrong(SCHEME.name)(error),
            NodesError::Losses(_) => wrong(LOSSES.name)(error),
            NodesError::Ranks { .. } => wrong(CLUSTER_NODES.name)(error),
        })?;
        disturb.check(Topology::of_system()).map_err(wrong(DISTURB.name))?;
        let computer = self.computer(&setup, keeps_trace)?;
        let on_purpose = computer.real().map(|machine| OnPurpose {
            fill: self.conditions.fill.and_then(|filling| filling.beside(machine.places())),
            is_disturbed: disturb.is_any(),
            is_oversubscribed: machine.is_oversubscribed(),
        });
        let position = cell.fen.parse().map_err(wrong("fen"))?;
        Ok(Search { setup, position, computer, on_purpose, pin, disturb })
    }

    /// Interleaving of what is made next, if that is asked for, of a real machine.
    fn interleaving(&self, is_real: bool) -> Result<Option<Interleaving>, MeasureError> {
        let is_wanted = self.conditions.interleaves && is_real;
        is_wanted.then(Interleaving::begin).transpose().map_err(wrong("interleave"))
    }

    /// Seconds at which a limit of all cells cut the search off, if one did before it had reached its depth. A position
    /// without a legal move is searched at once.
    fn cut_at_s(&self, cell: &Cell, outcome: &Outcome, elapsed_ns: u64) -> Option<f64> {
        let Conditions { limit_s, limit_nodes, .. } = self.conditions;
        let is_limited = limit_s.is_some() || limit_nodes.is_some();
        let depth = cell.depth.filter(|_| is_limited && !cell.configuration.is_limited())?;
        let is_cut = outcome.answer.best.is_some() && outcome.depth_reached(depth).first.is_none();
        is_cut.then(|| (elapsed_ns as f64 * 1e-9).min(limit_s.unwrap_or(f64::INFINITY)))
    }

    /// The machine of a setup: the threads of the last search, where they are the same.
    fn computer(&self, setup: &Setup, keeps_trace: bool) -> Result<Arc<Computer>, MeasureError> {
        let new = || {
            let computer = setup.computer().map_err(|error| match error {
                RealMachineError::NotAllowed(_) => wrong(PIN.name)(error),
                _ => wrong(THREADS.name)(error),
            })?;
            let schedule = self.conditions.schedule.clone();
            Ok::<_, MeasureError>(Arc::new(computer.keeping_spans(keeps_trace).scheduled(schedule)))
        };
        let Some(pin) = setup.on.pin() else { return new() };
        let key = (setup.processors, setup.on.processes(), pin.clone(), setup.waiting, keeps_trace);
        let mut threads = self.threads.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, computer)) = threads.as_ref().filter(|(known, _)| *known == key) {
            return Ok(Arc::clone(computer));
        }
        // The old ones end before the new ones begin.
        *threads = None;
        let computer = new()?;
        *threads = Some((key, Arc::clone(&computer)));
        Ok(computer)
    }
}

impl Searcher for Laboratory {
    fn search(&self, cell: &Cell) -> Finding {
        if let Some(micro) = &cell.configuration.micro {
            // Nobody watches it: what is compared takes turns, so that a disturbance falls on all alike.
            return Ok((CellResult::Micro(micro::measure(micro, cell.seed)?), None));
        }
        if cell.configuration.is_outside() {
            return self.engines.measure(cell, &self.conditions);
        }
        let found = self.measure(cell, Options::default()).map_err(|error| error.to_string())?;
        let measured = found.measured;
        let result = if found.cut_at_s.is_some() { CellResult::Cut(measured) } else { CellResult::Done(measured) };
        Ok((result, found.surroundings))
    }
}

/// Random number of pages, which shift what is allocated after them.
fn random_pages() -> Vec<u8> {
    let count = SplitMix::new(calendar::now().to_bits()).below(MOST_PAGES_BEFORE);
    vec![0; (count * PAGE_BYTES) as usize]
}

/// Search that a cell asks for.
struct Search {
    setup: Setup,
    position: chess::Setup,
    computer: Arc<Computer>,
    /// Threads of our own beside the workers of a real machine.
    on_purpose: Option<OnPurpose>,
    /// Place of the workers on a real machine.
    pin: Pin,
    /// Busy threads that compete with the workers of a real machine.
    disturb: Disturb,
}

impl Search {
    /// Searches, and watches what happens to the computer meanwhile, if it is a real one.
    fn run(&self, tables: &Tables, options: Options<'_>) -> Result<(Found, SystemChange), MeasureError> {
        let options = Options { is_watched: self.computer.real().is_some(), ..options };
        let watch = options.is_watched.then(SystemWatch::start);
        let found = self.setup.run((&self.computer, tables), (&self.position).into(), options);
        let found = found.map_err(|error| match error {
            SearchError::Failed(failure) => failure.into(),
            SearchError::NotCompiled(board) => board.into(),
            SearchError::Ranks(error) => error.into(),
            error => wrong(BOARD.name)(error),
        })?;
        let taken_ns = self.on_purpose.map_or(0, |on_purpose| on_purpose.taken_ns(&found.disturbances));
        let taken_ns = taken_ns + found.cpu_ns_beside;
        Ok((found, watch.map_or_else(SystemChange::default, |watch| watch.stop(taken_ns))))
    }
}

#[cfg(test)]
mod tests;
