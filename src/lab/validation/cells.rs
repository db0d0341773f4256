//! The searches of a validation, as cells like those of an experiment: the same strategy, features and table on real and on
//! virtual processors.

use super::UsedPosition;
use crate::chess::choice::SlidersChoice;
use crate::machine::cost::CostModel;
use crate::machine::{Pin, Waiting};
use crate::record::{Cell, Configuration, Depth, MachineKind, SEQUENTIAL};
use crate::search::features::Preset;
use crate::search::table::Scheme;

/// The strategy with which processors share searches.
pub const STRATEGY: &str = "ybwc";
/// The name of the cost model that is made here.
pub const MODEL: &str = "calibrated";

/// How a search is done on so many processors: of this computer, or virtual ones with these costs.
pub fn configuration(threads: u32, costs: Option<&CostModel>) -> Configuration {
    let features = Preset::default();
    let is_shared = threads > 1;
    Configuration {
        machine: if costs.is_some() { MachineKind::Virtual } else { MachineKind::Real },
        strategy: if is_shared { STRATEGY } else { SEQUENTIAL }.to_owned(),
        threads,
        board: "bitboards".to_owned(),
        sliders: Some(SlidersChoice::default().name().to_owned()),
        features: features.name().to_owned(),
        depth: Depth::Own,
        nodes: None,
        time_s: None,
        hash_mib: features.table_mib(),
        scheme: Scheme::default().name().to_owned(),
        waiting: is_shared.then(|| Waiting::default().name().to_owned()),
        pin: costs.is_none().then(|| Pin::default().to_string()),
        costs: costs.map(|costs| costs.name.clone()),
        costs_hash: costs.map(CostModel::hash),
        audit: false,
        losses: false,
    }
}

/// A search of a position to its depth.
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

/// A search that looks how deep one processor gets within so many nodes.
pub fn look(id: &str, fen: String, nodes: u64) -> Cell {
    let configuration = Configuration { depth: Depth::Unlimited, nodes: Some(nodes), ..configuration(1, None) };
    Cell { configuration, position: id.to_owned(), fen, depth: None, seed: 0, repetition: 0 }
}

/// Searches for the comparison and the fit begin with this seed: the looks have used 0.
pub const FIRST_SEED: u64 = 1;

/// Whether one processor that searches alone takes another time with these costs.
pub fn changes_one_processor(model: &CostModel, changed: &CostModel) -> bool {
    let of_one = |model: &CostModel| {
        [
            model.main_node,
            model.quiescence_node,
            model.evaluation,
            model.generation,
            model.probe(u64::from(Preset::default().table_mib()) << 20, 1),
        ]
    };
    of_one(model) != of_one(changed)
}
