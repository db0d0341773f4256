//! Rules of chess and boards, evaluations, machines, the search, and the strategies that share it; and the one door
//! into them. A [`Setup`] says what is searched with what; [`Setup::run`] searches a position, and nothing of it is
//! generic: behind it boards, machines and strategies are chosen, and the search is compiled here. Experiments, single
//! searches, players and the UCI server come through it.
//!
//! No interface is promised: what later versions keep are the command line, run folders and their columns.
// They panic when nothing can be written.
#![cfg_attr(not(test), deny(clippy::print_stdout, clippy::print_stderr))]

use splitpoint_base::{choices, counts, distinct, duration, fingerprint, random, settings, statistics, suggestion};

pub mod chess;
pub mod eval;
pub mod machine;
pub mod parallel;
pub mod search;

/// Version of the program, with what it was built with.
pub const VERSION: &str = if cfg!(feature = "primitives-2004") {
    concat!(env!("CARGO_PKG_VERSION"), "+primitives-2004")
} else {
    env!("CARGO_PKG_VERSION")
};

mod beside;
pub mod compiled;
mod computer;
mod door;
mod look;
mod nodes;
pub mod ranks;
mod sync;
mod tree;

pub use beside::{Beside, Neighbours};
pub use computer::{Computer, On};
pub use door::{Found, Line, Options, SearchError};
pub use look::{Assessment, Look, SeenMove};
pub use nodes::NodesError;
pub use tree::{Branch, MOST_BRANCHES, tree};

use std::io;

use crate::chess::choice::BoardChoice;
use crate::machine::cost::CostModel;
use crate::machine::{RealMachineError, Waiting};
use crate::parallel::AnyStrategy;
use crate::search::SearchSettings;
use crate::search::features::Preset;
use crate::search::table::{TableOptions, Tables};

/// All that is chosen about a search but the position and who watches it.
#[derive(Clone, Debug)]
pub struct Setup {
    /// Representation of the board.
    pub board: BoardChoice,
    /// Strategy by which processors share the search, with the form in which positions reach helpers.
    pub strategy: AnyStrategy,
    /// Features of the search, its limits, and its seed.
    pub settings: SearchSettings,
    /// Size of the transposition table, and how workers share it.
    pub table: TableOptions,
    /// Machine that it runs on.
    pub on: On,
    /// Number of processors, of all nodes.
    pub processors: usize,
    /// Way in which processors wait.
    pub waiting: Waiting,
    /// Whether nodes that are searched twice are counted.
    pub counts_losses: bool,
}

/// Cost model of the virtual machine for searches with this preset: its prices are those of what the preset does.
pub fn usual_costs(preset: Preset) -> CostModel {
    match preset {
        Preset::Modern => CostModel::reference_modern(),
        Preset::Thesis | Preset::ThesisAsPrinted | Preset::Sound => CostModel::reference(),
    }
}

impl Setup {
    /// A new machine for searches of this setup.
    ///
    /// # Errors
    /// If there are no such threads.
    pub fn computer(&self) -> Result<Computer, RealMachineError> {
        Computer::new(&self.on, self.processors, self.waiting, self.settings.seed)
    }

    /// Empty tables, which this many threads fill with zeros.
    ///
    /// # Errors
    /// If there is no memory for them.
    pub fn tables(&self, zeroing: usize) -> io::Result<Tables> {
        Tables::try_new(&self.table_options(), self.processors_here(), zeroing)
    }
}
