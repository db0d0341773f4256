//! Cells of a validation: the same strategy, features and table on real and on virtual processors.

use super::super::default_configuration;
use crate::machine::cost::CostModel;
use crate::machine::{Pin, Waiting};
use crate::record::validation::UsedPosition;
use crate::record::{Cell, Configuration, Depth, MachineKind, SEQUENTIAL};

/// Strategy with which processors share searches.
const STRATEGY: &str = "ybwc";

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

/// Search of a position to its depth.
pub fn cell(configuration: &Configuration, position: &UsedPosition, seed: u64) -> Cell {
    Cell {
        configuration: configuration.clone(),
        position: position.id.clone(),
        fen: position.fen.clone(),
        depth: Some(position.depth),
        seed,
        repetition: 0,
    }
}

/// Search that shows how deep one processor gets within a number of nodes.
pub fn depth_search(id: &str, fen: String, nodes: u64) -> Cell {
    let configuration = Configuration { depth: Depth::Unlimited, nodes: Some(nodes), ..configuration(1, None) };
    Cell { configuration, position: id.to_owned(), fen, depth: None, seed: 0, repetition: 0 }
}

/// First seed of the searches for the comparison and the fit: those for the depths have used 0.
pub const FIRST_SEED: u64 = 1;
