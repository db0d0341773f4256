//! A search by one processor, beside which the others do nothing, search other positions, or stream through memory: how
//! much processors slow each other that share nothing but the memory.

use std::hint::black_box;

use super::super::Conditions;
use super::super::setup;
use super::cells::{FIRST_SEED, depth_search};
use super::positions::candidates;
use super::{PhaseObserver, ValidationError};
use crate::chess::choice::OnBoard;
use crate::chess::epd::Epd;
use crate::chess::{Board, History};
use crate::choices::choices;
use crate::engine::Setup;
use crate::machine::host::Topology;
use crate::machine::{Access, Machine, Pin, Processor, Program, RealMachine, VirtualMachine, Waiting};
use crate::parallel::{AnyStrategy, Lazy};
use crate::record::Cell;
use crate::record::validation::{Role, Size, WorkSharing};
use crate::search::table::Tables;
use crate::search::{DEEPEST, Limits, SearchSettings, Session};
use crate::statistics::{Contrast, Scope, median};

/// Number of positions of the searches beside each other.
const SHARING_POSITIONS: usize = 8;
/// Number of times that each of them is searched alone and, right after, beside others.
const SHARING_ROUNDS: usize = 15;
/// Share of the nodes of other searches that a search beside others has: what is measured is the time of a node.
const NODES_SHARE: u64 = 2;
/// Bytes through which processors stream: more than a cache holds.
const STREAMED_BYTES: usize = 64 << 20;
/// Bytes that are copied at once.
const PART_BYTES: usize = 4096;
const PART_WORDS: usize = PART_BYTES / size_of::<u64>();

choices! {
    /// Work of the processors beside one that searches.
    pub enum Neighbours, "work of the neighbours";
    /// They have nothing to do.
    Idle "idle",
    /// They search other positions, with the same table.
    Search "search",
    /// They stream through memory.
    Stream "stream",
}

/// Machine on which a search is run.
#[derive(Clone, Copy)]
pub enum On<'a> {
    /// Processors of this computer.
    Real(&'a RealMachine),
    /// Virtual processors.
    Virtual(&'a VirtualMachine),
}

/// Number of processors of this computer that can work at once: its cores, if there are several that may be used, else
/// its hardware threads.
pub fn processors_at_once() -> usize {
    let (cores, room) = (Topology::of_system().allowed_cores().min(RealMachine::room()), RealMachine::room());
    if cores >= 2 { cores } else { room }
}

/// Measures how much longer a node takes while the other processors search other positions. `None` where there is only
/// one processor, or if the searches fail.
pub fn work_sharing(size: &Size, observer: &dyn PhaseObserver) -> Result<Option<WorkSharing>, ValidationError> {
    let processors = processors_at_once();
    if processors < 2 {
        return Ok(None);
    }
    observer.phase("searches side by side", SHARING_POSITIONS);
    let mut beside = Beside::new(candidates(Role::Calibration).into_iter().take(SHARING_POSITIONS).collect(), size)?;
    let machine = RealMachine::new(processors, &Pin::Cores, Waiting::default())?;
    let mut ratios = Vec::new();
    for position in 0..SHARING_POSITIONS {
        // Both searches of a round are disturbed alike on average, and the median of the rounds is not moved by a few
        // that were not. Low quantiles of either would be about moments in which cores do not slow each other.
        let mut log_ns = |neighbours| Some(beside.node_ns(On::Real(&machine), position, neighbours)?.ln());
        let mut round = |_| log_ns(Neighbours::Idle).zip(log_ns(Neighbours::Search));
        let rounds = (0..SHARING_ROUNDS).filter_map(&mut round).map(|(alone, together)| together - alone);
        ratios.extend(median(&rounds.collect::<Vec<_>>()).filter(|ratio| ratio.is_finite()).map(|ratio| vec![ratio]));
        observer.step(None);
    }
    Ok(Contrast::paired(&ratios).map(|contrast| WorkSharing {
        processors: processors as u32,
        positions: ratios.len(),
        ratio: contrast.estimated(Scope::PositionsLikeThese).exp(),
    }))
}

/// Searches of one processor, each beside whatever the others are to do.
pub struct Beside {
    setup: Setup,
    positions: Vec<Epd>,
    tables: Tables,
    /// Memory through which processors stream.
    streamed: Vec<u64>,
}

impl Beside {
    /// Searches for a validation of this size. Neighbours search the positions that come after that of the search.
    ///
    /// # Errors
    /// If there is no room for the table.
    pub fn new(positions: Vec<Epd>, size: &Size) -> Result<Self, ValidationError> {
        let cell = Cell { seed: FIRST_SEED, ..depth_search("", String::new(), size.nodes / NODES_SHARE) };
        let setup =
            setup::of(&cell, &Conditions::default()).map_err(|error| ValidationError::Work(error.to_string()))?;
        let tables = setup.tables(1).map_err(|error| ValidationError::Work(format!("there is no table: {error}")))?;
        Ok(Self { setup, positions, tables, streamed: vec![1; STREAMED_BYTES / size_of::<u64>()] })
    }

    /// Nanoseconds of a node of processor 0, which searches the position of this number; of a real one without the time
    /// in which others had it. `None` if the search failed.
    pub fn node_ns(&mut self, on: On<'_>, position: usize, neighbours: Neighbours) -> Option<f64> {
        self.tables.clear(1);
        self.setup.board.run(OneSearch { beside: self, on, position, neighbours })
    }
}

/// One search with its neighbours, to be run on a board of any type.
struct OneSearch<'a> {
    beside: &'a Beside,
    on: On<'a>,
    position: usize,
    neighbours: Neighbours,
}

impl OnBoard for OneSearch<'_> {
    type Output = Option<f64>;

    fn on<B: Board>(self) -> Option<f64> {
        let Beside { positions, setup: Setup { settings, .. }, tables, streamed } = self.beside;
        let processors = match self.on {
            On::Real(machine) => machine.processors(),
            On::Virtual(machine) => machine.processors(),
        };
        let setups = positions.iter().cycle().skip(self.position % positions.len().max(1)).take(processors);
        let boards: Vec<B> = setups.filter_map(|epd| B::set_up(&epd.setup, settings.keys()).ok()).collect();
        let past = History::with_capacity(0);
        // A neighbour is not the first processor, so it takes a strategy by which every processor searches the root.
        let strategies = [AnyStrategy::default(), AnyStrategy::Lazy(Lazy::default())];
        let unlimited = SearchSettings { limits: Limits::depth(DEEPEST), ..*settings };
        let session = |(id, board)| match id {
            0 => Session::new(board, &past, settings, tables, &strategies[0], processors),
            _ => Session::new(board, &past, &unlimited, tables, &strategies[1], processors),
        };
        let sessions: Vec<_> = boards.iter().enumerate().map(session).collect();
        let program = WithNeighbours { sessions: &sessions, neighbours: self.neighbours, streamed };
        match self.on {
            On::Real(machine) => {
                let (run, watches) = machine.run_watched(&program).ok()?;
                let watch = watches.first()?;
                let share = watch.cpu_ns.map_or(1.0, |cpu_ns| cpu_ns as f64 / watch.wall_ns.max(1) as f64);
                Some((*run.outputs.first()?)? * share.min(1.0))
            }
            On::Virtual(machine) => *machine.run(&program).ok()?.outputs.first()?,
        }
    }
}

/// Program in which processor 0 searches while the others do something, until it has come to its end.
struct WithNeighbours<'a, 's, B: Board> {
    sessions: &'a [Session<'s, B, AnyStrategy>],
    neighbours: Neighbours,
    streamed: &'a [u64],
}

impl<B: Board> Program for WithNeighbours<'_, '_, B> {
    /// Nanoseconds of a node, of processor 0.
    type Output = Option<f64>;

    fn run<P: Processor>(&self, processor: &P) -> Option<f64> {
        let id = processor.id();
        let session = self.sessions.get(id)?;
        match self.neighbours {
            _ if id == 0 => {
                let start = processor.now();
                let nodes = session.run(processor).counters.nodes();
                let nanoseconds = processor.now() - start;
                processor.stop();
                return (nodes > 0).then(|| nanoseconds as f64 / nodes as f64);
            }
            Neighbours::Idle => {}
            Neighbours::Search => _ = session.run(processor),
            Neighbours::Stream => self.stream(processor),
        }
        None
    }
}

impl<B: Board> WithNeighbours<'_, '_, B> {
    /// Copies one part of the memory after the other until the search is over.
    fn stream<P: Processor>(&self, processor: &P) {
        let parts = self.streamed.len() / PART_WORDS;
        let mut part = parts * processor.id() / processor.count();
        let mut copy = [0_u64; PART_WORDS];
        while !processor.is_stopped() {
            processor.touch(Access::Copy { bytes: PART_BYTES as u32 });
            if !P::IS_VIRTUAL {
                copy.copy_from_slice(&self.streamed[part * PART_WORDS..][..PART_WORDS]);
                black_box(&mut copy);
                part = (part + 1) % parts;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::cost::CostModel;

    #[test]
    fn virtual_neighbours_slow_a_search_by_what_the_model_says() {
        let mut beside = Beside::new(candidates(Role::Check), &Size { nodes: 3_000, ..Size::quick() }).unwrap();
        let mut node_ns = |seed: u64, change: fn(&mut CostModel), neighbours| {
            let mut model = CostModel { memory_sharer_permille: 0, probe_sharer_permille: 0, ..CostModel::reference() };
            change(&mut model);
            let machine = VirtualMachine { seed, ..VirtualMachine::new(3, model) };
            beside.node_ns(On::Virtual(&machine), 1, neighbours).unwrap()
        };
        for neighbours in Neighbours::ALL.iter().copied() {
            let time = node_ns(1, |_| {}, neighbours);
            assert_eq!(time, node_ns(1, |_| {}, neighbours), "{neighbours}");
            assert_ne!(time, node_ns(2, |_| {}, neighbours), "{neighbours}");
            let slowed = node_ns(1, |model| model.memory_sharer_permille = 100, neighbours) / time;
            let expected = if neighbours == Neighbours::Idle { 1.0 } else { 1.2 };
            assert!((slowed - expected).abs() < 0.05, "{neighbours}: {slowed}");
        }
        let full_bus = |model: &mut CostModel| (model.bus_line, model.shared_cache_bytes) = (40, 1 << 20);
        let [idle, stream] = [Neighbours::Idle, Neighbours::Stream].map(|one| node_ns(1, full_bus, one));
        assert!(stream > 1.2 * idle, "{stream} {idle}");
    }

    #[test]
    fn real_neighbours_come_to_an_end() {
        let mut beside = Beside::new(candidates(Role::Check), &Size { nodes: 3_000, ..Size::quick() }).unwrap();
        let machine = RealMachine::new(2, &crate::machine::Pin::None, Default::default()).unwrap();
        for neighbours in Neighbours::ALL.iter().copied() {
            let time = beside.node_ns(On::Real(&machine), 2, neighbours).unwrap();
            assert!(time > 0.0, "{neighbours}");
        }
    }
}
