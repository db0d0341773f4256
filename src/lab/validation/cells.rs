//! Cells of a validation: the same strategy, features and table on real and on virtual processors.

use super::super::default_configuration;
use super::positions::of_role;
use super::work::changes_one_processor;
use crate::machine::cost::CostModel;
use crate::machine::{Pin, Waiting};
use crate::record::validation::{Role, Size, UsedPosition};
use crate::record::{Cell, Configuration, Depth, MachineKind, SEQUENTIAL, Word};

/// Strategy with which processors share searches.
const STRATEGY: &str = "ybwc";

/// First seed of the searches for the comparison and the fit: those for the depths have used 0.
pub const FIRST_SEED: u64 = 1;

/// Configuration for a number of processors: those of this computer, or virtual ones with these costs.
pub fn configuration(threads: u32, costs: Option<&CostModel>) -> Configuration {
    let is_shared = threads > 1;
    Configuration {
        machine: if costs.is_some() { MachineKind::Virtual } else { MachineKind::Real },
        strategy: if is_shared { STRATEGY } else { SEQUENTIAL }.to_owned(),
        threads,
        depth: Depth::Own,
        waiting: is_shared.then(|| Waiting::default().name().to_owned()),
        pin: costs.is_none().then(|| Pin::default().to_string()),
        costs: costs.map(|costs| costs.name.clone()),
        costs_hash: costs.map(CostModel::hash),
        ..default_configuration()
    }
}

/// Search that shows how deep one processor gets within a number of nodes.
pub fn depth_search(id: &str, fen: String, nodes: u64) -> Cell {
    let configuration = Configuration { depth: Depth::Unlimited, nodes: Some(nodes), ..configuration(1, None) };
    Cell {
        configuration: configuration.into(),
        position: id.into(),
        fen: fen.into(),
        depth: None,
        seed: 0,
        repetition: 0,
    }
}

/// Searches of these positions to their depths, with this number of seeds each.
pub fn cells(configuration: &Configuration, positions: &[&UsedPosition], seeds: u64) -> Vec<Cell> {
    let mut cells = Vec::new();
    for used in positions {
        cells.extend((FIRST_SEED..FIRST_SEED + seeds).map(|seed| Cell {
            configuration: configuration.clone().into(),
            position: Word::from(&used.id),
            fen: Word::from(&used.fen),
            depth: Some(used.depth),
            seed,
            repetition: 0,
        }));
    }
    cells
}

/// Cells of the comparison, on this computer or with these costs: each check with one processor, the first of them with
/// several and with more seeds.
pub fn of_checks(size: &Size, positions: &[UsedPosition], numbers: &[u32], costs: Option<&CostModel>) -> Vec<Cell> {
    let checks = of_role(positions, Role::Check, usize::MAX);
    let (shared, alone) = checks.split_at(size.positions.min(checks.len()));
    let mut all = cells(&configuration(1, costs), alone, size.alone_seeds);
    for threads in [1].iter().chain(numbers) {
        all.extend(cells(&configuration(*threads, costs), shared, size.seeds));
    }
    all
}

/// Cells on one processor that the costs of work are fitted to.
pub fn of_fit(size: &Size, positions: &[UsedPosition]) -> Vec<Cell> {
    cells(&configuration(1, None), &of_role(positions, Role::Calibration, usize::MAX), size.calibration_seeds)
}

/// Cells with the model and with the changed ones at some positions. One processor is not searched again where it
/// cannot differ.
pub fn of_costs(size: &Size, positions: &[UsedPosition], model: &CostModel, changed: &[CostModel]) -> Vec<Cell> {
    let checks = of_role(positions, Role::Check, size.cost_positions);
    let mut all = Vec::new();
    for costs in std::iter::once(model).chain(changed) {
        let is_searched_alone = costs == model || changes_one_processor(model, costs);
        let alone: &[u32] = if is_searched_alone { &[1] } else { &[] };
        for threads in alone.iter().chain(&size.cost_processors) {
            all.extend(cells(&configuration(*threads, Some(costs)), &checks, size.cost_seeds));
        }
    }
    all
}
