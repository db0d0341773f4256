//! Where a cell becomes a measurement: what it names is built, the search is run on its machine, and what came of it and what
//! surrounded it is written down.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use super::measurement::{Seen, measured, surroundings};
use crate::chess::choice::{BoardChoice, OnBoard};
use crate::chess::{Board, History, Setup};
use crate::choices::UnknownName;
use crate::machine::cost::CostModel;
use crate::machine::fill::Fill;
use crate::machine::guard::{SystemChange, SystemWatch};
use crate::machine::host::{CpuListError, Topology};
use crate::machine::{Machine, Place, RealMachine, VirtualMachine, Waiting};
use crate::parallel::{AnyStrategy, StrategyError};
use crate::random::SplitMix;
use crate::record::calendar;
use crate::record::{Cell, MachineKind};
use crate::record::{Measured, Surroundings};
use crate::search::features::{FeaturesError, Recipe};
use crate::search::table::{Scheme, Tables};
use crate::search::{DEEPEST, Limits, Session, Settings};

/// What came of a cell: a measurement and, on a real machine, what surrounded it; or why there is none.
pub type Finding = Result<(Measured, Option<Surroundings>), String>;

/// Whatever can measure cells.
pub trait Searcher: Sync {
    /// Measures one.
    fn search(&self, cell: &Cell) -> Finding;
}

/// The searcher of experiments.
pub struct Laboratory {
    models: BTreeMap<String, CostModel>,
    /// The best moves of positions, by id.
    best: BTreeMap<String, Vec<String>>,
    /// Nanoseconds of its machine that a cell may take.
    limit_ns: u64,
    fill: bool,
    /// The threads of the last real cell, which are often those of the next.
    threads: Mutex<Option<(String, Arc<RealMachine>)>>,
}

/// Before a table is made on a real machine, up to so many pages are taken, at random: where things lie differs between
/// repetitions, so that luck with addresses is not taken for an effect.
const MOST_PAGES_BEFORE: u64 = 512;
const PAGE_BYTES: u64 = 4096;

impl Laboratory {
    /// For cells that name these cost models and positions. No cell takes more than `limit_s` seconds of its machine.
    pub fn new(
        models: &BTreeMap<String, CostModel>,
        best: impl IntoIterator<Item = (String, Vec<String>)>,
        limit_s: Option<f64>,
        fill: bool,
    ) -> Self {
        let limit_ns = limit_s.map_or(u64::MAX, |limit| (limit * 1e9) as u64);
        Self { models: models.clone(), best: best.into_iter().collect(), limit_ns, fill, threads: Mutex::new(None) }
    }

    /// Threads as this cell wants them.
    fn real_machine(&self, cell: &Cell, waiting: Waiting) -> Result<Arc<RealMachine>, String> {
        let pin = cell.configuration.pin.clone().unwrap_or_else(|| "none".to_owned());
        let key = format!("{} {pin} {waiting:?}", cell.configuration.threads);
        let mut threads = self.threads.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, machine)) = threads.as_ref().filter(|(known, _)| *known == key) {
            return Ok(Arc::clone(machine));
        }
        // The old ones end before the new ones begin.
        *threads = None;
        let pin = pin.parse().map_err(|error: CpuListError| error.to_string())?;
        let machine = RealMachine::new(cell.configuration.threads as usize, &pin, waiting);
        let machine = Arc::new(machine.map_err(|error| error.to_string())?);
        *threads = Some((key, Arc::clone(&machine)));
        Ok(machine)
    }

    fn model(&self, cell: &Cell) -> Result<CostModel, String> {
        let name = cell.configuration.costs.as_deref().unwrap_or(CostModel::NAMES[0]);
        let model = self.models.get(name).cloned().map_or_else(|| name.parse::<CostModel>(), Ok);
        let model = model.map_err(|error| error.to_string())?;
        match &cell.configuration.costs_hash {
            Some(hash) if *hash != model.hash() => {
                Err(format!("the cost model '{name}' has changed: {}", model.hash()))
            }
            _ => Ok(model),
        }
    }
}

impl Searcher for Laboratory {
    fn search(&self, cell: &Cell) -> Finding {
        let configuration = &cell.configuration;
        let strategy: AnyStrategy = configuration.strategy.parse().map_err(|error: StrategyError| error.to_string())?;
        let recipe: Recipe = configuration.features.parse().map_err(|error: FeaturesError| error.to_string())?;
        let scheme = Scheme::ALL.into_iter().find(|scheme| scheme.name() == configuration.scheme);
        let scheme = scheme.ok_or_else(|| format!("'{}' is not a scheme", configuration.scheme))?;
        let waiting = configuration.waiting.as_deref().map_or(Ok(Waiting::default()), str::parse);
        let waiting = waiting.map_err(|error: UnknownName| error.to_string())?;
        let time_ns = configuration.time_s.map_or(u64::MAX, |time| (f64::from(time) * 1e9) as u64);
        let settings = Settings {
            features: recipe.features,
            limits: Limits {
                nodes: configuration.nodes.unwrap_or(u64::MAX),
                nanoseconds: time_ns.min(self.limit_ns),
                ..Limits::depth(cell.depth.unwrap_or(DEEPEST))
            },
            seed: cell.seed,
        };
        let on = match configuration.machine {
            MachineKind::Real => On::Real(self.real_machine(cell, waiting)?),
            MachineKind::Virtual => {
                let machine = VirtualMachine::new(configuration.threads as usize, self.model(cell)?);
                On::Virtual(Box::new(machine.with_seed(cell.seed).with_waiting(waiting)))
            }
        };
        let _pages = on.is_real().then(pages);
        let mut options = settings.table(scheme, u64::from(configuration.hash_mib) << 20);
        options.audit = configuration.audit;
        let zeroing = if on.is_real() { RealMachine::room() } else { 1 };
        let tables = Tables::new(&options, configuration.threads as usize, zeroing);
        let _fill = if self.fill && on.is_real() { Some(on.fill()?) } else { None };
        let setup = Setup::from_fen(&cell.fen).map_err(|error| error.to_string())?;
        let task = Task { setup: &setup, settings: &settings, tables: &tables, strategy: &strategy, on: &on, cell };
        let board = BoardChoice::from_names(&configuration.board, configuration.sliders.as_deref());
        let seen = board.map_err(|error| error.to_string())?.run(task)?;
        if let (Some(depth), None, None) = (cell.depth, configuration.nodes, configuration.time_s)
            && seen.outcome.depth_reached(depth).first.is_none()
        {
            let reached = seen.outcome.answer.depth;
            let limit_s = self.limit_ns as f64 / 1e9;
            return Err(format!("the limit of {limit_s} s was reached at depth {reached}, before depth {depth}"));
        }
        let mut measured = measured(&seen.outcome, cell, &tables, &on.places(), &seen.watches);
        let best = self.best.get(&cell.position).filter(|best| !best.is_empty());
        measured.solved = best.zip(measured.bestmove.as_ref()).map(|(best, played)| best.contains(played));
        let surroundings = on.is_real().then(|| surroundings(&seen, on.is_oversubscribed(), self.fill));
        Ok((measured, surroundings))
    }
}

/// The machine of a cell.
enum On {
    Real(Arc<RealMachine>),
    Virtual(Box<VirtualMachine>),
}

impl On {
    fn is_real(&self) -> bool {
        matches!(self, Self::Real(_))
    }

    fn processors(&self) -> usize {
        match self {
            Self::Real(machine) => machine.processors(),
            Self::Virtual(machine) => machine.processors(),
        }
    }

    fn places(&self) -> Vec<Place> {
        match self {
            Self::Real(machine) => machine.places().to_vec(),
            Self::Virtual(_) => Vec::new(),
        }
    }

    fn is_oversubscribed(&self) -> bool {
        matches!(self, Self::Real(machine) if machine.is_oversubscribed())
    }

    /// Keeps the processors busy on which no worker is.
    fn fill(&self) -> Result<Fill, String> {
        let places = self.places();
        let is_free = |cpu: &usize| places.iter().all(|place| place.cpu != Some(*cpu));
        let free: Vec<usize> = Topology::of_system().allowed.as_slice().iter().copied().filter(is_free).collect();
        Fill::start(&free).map_err(|error| error.to_string())
    }
}

/// A search of one position on a board of whatever type.
struct Task<'a> {
    setup: &'a Setup,
    settings: &'a Settings,
    tables: &'a Tables,
    strategy: &'a AnyStrategy,
    on: &'a On,
    cell: &'a Cell,
}

impl OnBoard for Task<'_> {
    type Output = Result<Seen, String>;

    fn on<B: Board>(self) -> Self::Output {
        let Self { setup, settings, tables, strategy, on, cell } = self;
        let board = B::set_up(setup, settings.keys()).map_err(|error| error.to_string())?;
        let past = History::with_capacity(0);
        let mut session = Session::new(&board, &past, settings, tables, strategy, on.processors());
        if cell.configuration.losses {
            session = session.with_ledger();
        }
        match on {
            On::Real(machine) => {
                let watch = SystemWatch::start();
                let (run, watches) = machine.run_watched(&session).map_err(|failure| failure.to_string())?;
                Ok(Seen { outcome: run.into(), watches, system: watch.stop() })
            }
            On::Virtual(machine) => {
                let run = machine.run(&session).map_err(|failure| failure.to_string())?;
                Ok(Seen { outcome: run.into(), watches: Vec::new(), system: SystemChange::default() })
            }
        }
    }
}

/// Some pages, as many as chance will have it.
fn pages() -> Vec<u8> {
    let count = SplitMix::new(calendar::now().to_bits()).below(MOST_PAGES_BEFORE);
    vec![0; (count * PAGE_BYTES) as usize]
}
