//! The search that is meant where nothing else is said.

use crate::chess::choice::BoardChoice;
use crate::chess::choice::SlidersChoice;
use crate::machine::Pin;
use crate::record::{Configuration, Depth, MachineKind, SEQUENTIAL};
use crate::search::DEFAULT_DEPTH;
use crate::search::features::Preset;
use crate::search::table::Scheme;

/// Configuration of a search by one thread of this computer that is not pinned.
pub fn default_configuration() -> Configuration {
    let preset = Preset::default();
    Configuration {
        machine: MachineKind::Real,
        strategy: SEQUENTIAL.to_owned(),
        threads: 1,
        board: BoardChoice::NAMES[0].to_owned(),
        sliders: Some(SlidersChoice::default().name().to_owned()),
        features: preset.name().to_owned(),
        depth: Depth::Plies(DEFAULT_DEPTH),
        nodes: None,
        time_s: None,
        hash_mib: preset.table_mib(),
        scheme: Scheme::default().name().to_owned(),
        waiting: None,
        pin: Some(Pin::None.to_string()),
        costs: None,
        costs_hash: None,
        audit: false,
        losses: false,
    }
}
