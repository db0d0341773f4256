//! A search by one processor, beside which the others do nothing, search other positions, or stream through memory.

use std::hint::black_box;

use super::Setup;
use super::compiled::{self, Simulated};
use crate::chess::{self, Board, History, Sizes};
use crate::choices::choices;
use crate::machine::{Access, Machine, Processor, Program, RealMachine, VirtualMachine};
use crate::parallel::{AnyStrategy, Lazy};
use crate::search::table::Tables;
use crate::search::{DEEPEST, Limits, SearchSettings, Session};

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

/// Machine on which a search is run beside others.
#[derive(Clone, Copy)]
pub enum Beside<'a> {
    /// Processors of this computer.
    Real(&'a RealMachine),
    /// Virtual processors.
    Virtual(&'a VirtualMachine),
}

impl Beside<'_> {
    /// Number of processors.
    pub fn processors(&self) -> usize {
        match self {
            Self::Real(machine) => machine.processors(),
            Self::Virtual(machine) => machine.processors(),
        }
    }
}

impl Setup {
    /// Nanoseconds of a node of processor 0, which searches the first position, while each other has one of the others
    /// or streams through the given memory; of a real processor without the time in which others had it. `None` if the
    /// search failed.
    pub fn node_ns_beside(
        &self,
        on: Beside<'_>,
        tables: &Tables,
        positions: &[&chess::Setup],
        (neighbours, streamed): (Neighbours, &[u64]),
    ) -> Option<f64> {
        let search = OneSearch { setup: self, tables, positions, processors: on.processors(), neighbours, streamed };
        match on {
            Beside::Real(machine) => compiled::searches(self.board).ok()?.node_ns(&search, machine),
            Beside::Virtual(machine) => search.on_virtual(machine),
        }
    }
}

/// One search with its neighbours, to be run on a board of any type.
pub struct OneSearch<'a> {
    setup: &'a Setup,
    tables: &'a Tables,
    positions: &'a [&'a chess::Setup],
    processors: usize,
    neighbours: Neighbours,
    streamed: &'a [u64],
}

impl OneSearch<'_> {
    /// Searches on boards of this type, on real threads.
    pub(crate) fn on_threads<B: Board>(&self, machine: &RealMachine) -> Option<f64> {
        self.with::<B, _>(Sizes::of::<B>(), |program| {
            let (run, watches) = machine.run_watched(program).ok()?;
            let watch = watches.first()?;
            let share = watch.cpu_ns.map_or(1.0, |cpu_ns| cpu_ns as f64 / watch.wall_ns.max(1) as f64);
            Some((*run.outputs.first()?)? * share.min(1.0))
        })
    }

    /// Searches in simulated time.
    fn on_virtual(&self, machine: &VirtualMachine) -> Option<f64> {
        let sizes = compiled::sizes(self.setup.board);
        self.with::<Simulated, _>(sizes, |program| *machine.run(program).ok()?.outputs.first()?)
    }

    /// Lets something be done with the program of this search on boards of this type.
    fn with<B: Board, T>(&self, sizes: Sizes, run: impl FnOnce(&WithNeighbours<'_, '_, B>) -> T) -> T {
        let Self { setup: Setup { settings, .. }, tables, positions, processors, neighbours, streamed } = *self;
        let boards: Vec<B> = positions.iter().filter_map(|setup| B::set_up(setup, settings.keys()).ok()).collect();
        let past = History::with_capacity(0);
        // A neighbour is not the first processor, so it takes a strategy by which every processor searches the root.
        let strategies = [AnyStrategy::default(), AnyStrategy::Lazy(Lazy::default())];
        let unlimited = SearchSettings { limits: Limits::depth(DEEPEST), ..*settings };
        let session = |(id, board)| match id {
            0 => Session::new(board, &past, settings, tables, &strategies[0], processors).sized_as(sizes),
            _ => Session::new(board, &past, &unlimited, tables, &strategies[1], processors).sized_as(sizes),
        };
        let sessions: Vec<_> = boards.iter().enumerate().map(session).collect();
        run(&WithNeighbours { sessions: &sessions, neighbours, streamed })
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
