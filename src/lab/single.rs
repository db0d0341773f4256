//! Cells of searches, and of single ones, which no experiment file describes.

use super::choice::Choice;
use crate::chess::epd::Epd;
use crate::record::{Cell, Configuration, Depth, Shared, Word};

/// Configuration of a search by one thread of this computer that is not pinned.
pub fn default_configuration() -> Configuration {
    Choice::default().configuration()
}

/// Cell of a search of this position, in a configuration that is not for positions with depths of their own.
pub fn single_cell(configuration: &Configuration, position: &Epd, seed: u64) -> Cell {
    cell_at(configuration.clone(), position.id.clone().unwrap_or_default(), position.setup.to_string(), None, seed)
}

/// Cell of the first search of a position with a seed, as deep as the configuration says: to the position's own depth
/// where each has one.
pub(super) fn cell_at(
    configuration: impl Into<Shared<Configuration>>,
    id: impl Into<Word>,
    fen: impl Into<Word>,
    own_depth: Option<u32>,
    seed: u64,
) -> Cell {
    let configuration = configuration.into();
    let depth = match configuration.depth {
        Depth::Plies(depth) => Some(depth),
        Depth::Own | Depth::Size(_) => own_depth,
        Depth::Unlimited => None,
    };
    Cell { configuration, position: id.into(), fen: fen.into(), depth, seed, repetition: 0 }
}
