//! What keeps games from being played.

use crate::engine::SearchError;
use crate::lab::NoTables;
use crate::lab::outside::EngineError;
use crate::machine::RealMachineError;
use crate::record::folder::FolderError;

/// Reason why games could not be played.
#[derive(Debug, thiserror::Error)]
pub enum PlayError {
    /// A search did not come to its end.
    #[error("a search failed: {0}")]
    Search(#[from] SearchError),
    /// There is no memory for a player's table.
    #[error("there is no memory for the table of a player: {0}")]
    NoTable(String),
    /// The tables of all players do not fit into memory.
    #[error("the tables of all players do not fit into memory: {0}")]
    NoRoom(#[from] NoTables),
    /// An engine from outside cannot be started, or does not do as the protocol says.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// An engine from outside uses far fewer or more nodes than it is told to.
    #[error(
        "{0}. Limit it by --move-time 0.05, or by --b-move-time if it is the second; in the file of a tournament by \
         move_time"
    )]
    Misuse(String),
    /// There are no threads for a player of several processors.
    #[error(transparent)]
    NoProcessors(#[from] RealMachineError),
    /// The threads could not be started.
    #[error("cannot start the threads: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
    /// There are fewer openings of these plies within the bound.
    #[error("there are only {found} different openings of this kind, and {wanted} are needed")]
    FewOpenings {
        /// Number that was found.
        found: usize,
        /// Number that was asked for.
        wanted: usize,
    },
    /// The games cannot be kept.
    #[error(transparent)]
    Folder(#[from] FolderError),
}

impl PlayError {
    /// Whether the user asked for something that cannot be; else something failed.
    pub fn is_bad_input(&self) -> bool {
        match self {
            Self::FewOpenings { .. } | Self::NoRoom(_) | Self::NoProcessors(_) => true,
            Self::Folder(error) => error.is_bad_input(),
            // As it is defined it cannot be used; else it fails when it is.
            Self::Engine(error) => error.key.is_some(),
            Self::Search(_) | Self::NoTable(_) | Self::Misuse(_) | Self::Threads(_) => false,
        }
    }
}
