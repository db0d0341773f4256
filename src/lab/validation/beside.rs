//! A search by one processor, beside which the others do nothing, search other positions, or stream through memory: how
//! much processors slow each other that share nothing but the memory.

use super::super::{Choice, Conditions};
use super::cells::{FIRST_SEED, depth_search};
use super::positions::candidates;
use super::{PhaseObserver, ValidationError};
use crate::chess;
use crate::chess::epd::Epd;
use crate::engine::{Beside as On, Neighbours, Setup};
use crate::machine::host::Topology;
use crate::machine::{Pin, RealMachine, Waiting};
use crate::record::Cell;
use crate::record::validation::{Role, Size, WorkSharing};
use crate::search::table::Tables;
use crate::statistics::{Contrast, Scope, median};

/// Number of positions of the searches beside each other.
const SHARING_POSITIONS: usize = 8;
/// Number of times that each of them is searched alone and, right after, beside others.
const SHARING_ROUNDS: usize = 15;
/// Share of the nodes of other searches that a search beside others has: what is measured is the time of a node.
const NODES_SHARE: u64 = 2;
/// Bytes through which processors stream: more than a cache holds.
const STREAMED_BYTES: usize = 64 << 20;

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
        let cell = Cell { seed: FIRST_SEED, ..depth_search(size, "", String::new(), size.nodes / NODES_SHARE) };
        let conditions = Conditions::default();
        let setup = Choice::of(&cell.configuration, &conditions)
            .and_then(|choice| choice.setup(cell.depth, cell.seed, &conditions))
            .map_err(|error| ValidationError::Work(error.to_string()))?;
        let tables = setup.tables(1).map_err(|error| ValidationError::Work(format!("there is no table: {error}")))?;
        Ok(Self { setup, positions, tables, streamed: vec![1; STREAMED_BYTES / size_of::<u64>()] })
    }

    /// Nanoseconds of a node of processor 0, which searches the position of this number; of a real one without the time
    /// in which others had it. `None` if the search failed.
    pub fn node_ns(&mut self, on: On<'_>, position: usize, neighbours: Neighbours) -> Option<f64> {
        self.tables.clear(1);
        let positions = self.positions.iter().cycle().skip(position % self.positions.len().max(1));
        let positions: Vec<&chess::Setup> = positions.take(on.processors()).map(|epd| &epd.setup).collect();
        self.setup.node_ns_beside(on, &self.tables, &positions, (neighbours, &self.streamed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::VirtualMachine;
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
