//! Published tables, compiled in from `results/reference`.

use serde::de::DeserializeOwned;

use super::MicroError;

/// Published table with its source.
pub struct Published {
    /// Source in words: author, year and number of the table.
    pub source: &'static str,
    text: &'static str,
}

macro_rules! published {
    ($source:literal, $file:literal) => {
        Published { source: $source, text: splitpoint_published::table($file) }
    };
}

/// Making and unmaking all moves of eight positions ten million times.
pub const MAKE_UNMAKE: Published = published!("Reul 2009, table 2.2", "reul-2009-table-2.2.csv");

/// Share of list accesses by the number of pieces in the list.
pub const LISTS: Published = published!("Reul 2009, table 2.3", "reul-2009-table-2.3.csv");

/// Share of rays by the number of empty cells that are stepped over.
pub const RAYS: Published = published!("Reul 2009, table 2.4", "reul-2009-table-2.4.csv");

/// Share of captures among the moves that are made and unmade.
pub const CAPTURES: Published = published!("Reul 2009, footnote 17", "reul-2009-footnote-17.csv");

/// Functions of a program with a mailbox by their time.
pub const PROFILE: Published = published!("Reul 2009, table 2.1", "reul-2009-table-2.1.csv");

/// Share of the time that boards have by the phase of the game.
pub const PHASES: Published = published!("Reul 2009, section 2.2", "reul-2009-profile-phases.csv");

/// Functions of a program with magic bitboards by their time.
pub const PROFILE_OF_BITBOARDS: Published = published!("Reul 2009, table 4.5", "reul-2009-table-4.5.csv");

/// Walking the whole tree of two positions in two ways.
pub const BRUTE_FORCE: Published = published!("Reul 2009, table 2.5", "reul-2009-table-2.5.csv");

/// Finding a hundred complete sets of magic multipliers, by the number of one-bits of the candidates.
pub const MAGIC_TIMES: Published = published!("Reul 2009, table 3.1", "reul-2009-table-3.1.csv");

/// The fewest one-bits of a magic multiplier for each square.
pub const FEWEST_BITS: Published = published!("Reul 2009, figures 3.18 and 3.19", "reul-2009-figures-3.18-3.19.csv");

/// Sizes of two layouts of the tables of magic bitboards.
pub const LAYOUTS: Published = published!("Reul 2009, section 3.3", "reul-2009-layouts.csv");

/// Number of different answers of a rook, by square.
pub const ATTACK_SETS: Published = published!("Reul 2009, table 3.2", "reul-2009-table-3.2.csv");

/// Number of multipliers that scan for a bit, by the number of bits.
pub const SCAN_MULTIPLIERS: Published = published!("Reul 2009, section 3.2", "reul-2009-scan-multipliers.csv");

/// Shares of candidates for magic multipliers that a filter drops.
pub const FILTER: Published = published!("Reul 2009, section 3.8.2", "reul-2009-filter.csv");

/// Calls of exchange evaluation by what asks for it.
pub const CALLERS: Published = published!("Reul 2009, table 4.2", "reul-2009-table-4.2.csv");

/// Iterations after which exchange evaluation ends.
pub const ITERATIONS: Published = published!("Reul 2009, table 4.3", "reul-2009-table-4.3.csv");

/// Time of exchange evaluation by its ways to stop early.
pub const STOPS: Published = published!("Reul 2009, table 4.4", "reul-2009-table-4.4.csv");

impl Published {
    /// Rows of the table.
    pub fn rows<T: DeserializeOwned>(&self) -> Result<Vec<T>, MicroError> {
        csv::Reader::from_reader(self.text.as_bytes())
            .deserialize()
            .collect::<Result<_, _>>()
            .map_err(|cause| MicroError::Published(self.source, cause))
    }
}
