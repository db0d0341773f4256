//! Programs that lie beside this one. What takes long to compile, and few runs need, is in one of them.

use std::path::PathBuf;

use super::measure_error::{MeasureError, wrong};
use crate::chess::choice::BoardChoice;
use crate::engine::compiled;
use crate::record::axes::MICRO;
use crate::record::{Cell, MachineKind};

/// Program beside this one, and the package that it is.
#[derive(Clone, Copy, Debug)]
pub struct Companion {
    /// Name of the program and of its package.
    pub name: &'static str,
    /// Clause that says what the program does, for messages that it is missing.
    pub for_what: &'static str,
}

/// Micro-measurements: a fifth of the time to compile everything was theirs.
pub const MEASURER: Companion =
    Companion { name: "splitpoint-micro", for_what: "micro-measurements are made by the program splitpoint-micro" };

/// All that this program does, with searches on more boards.
pub const SEARCHER: Companion = Companion {
    name: "splitpoint-boards",
    for_what: "on real threads, boards that serve comparisons are searched on by the program splitpoint-boards",
};

impl Companion {
    /// The file of the program.
    ///
    /// # Errors
    /// If it is not there.
    pub fn program(&self) -> Result<PathBuf, String> {
        let own =
            std::env::current_exe().map_err(|error| format!("the folder of this program is not known: {error}"))?;
        let file = format!("{}{}", self.name, std::env::consts::EXE_SUFFIX);
        // Tests of a crate lie in a folder below.
        let places = own.ancestors().skip(1).take(2).map(|folder| folder.join(&file));
        places.into_iter().find(|path| path.is_file()).ok_or_else(|| self.not_built("is not there"))
    }

    /// Says what is wrong with it, and what to do.
    pub fn not_built(&self, what: &str) -> String {
        format!("{}, which {what}: cargo build --release -p {}", self.for_what, self.name)
    }
}

/// Checks that this program and the one for micro-measurements can do all that these cells need, so that a user is told
/// before anything is measured.
///
/// # Errors
/// If they cannot.
pub fn check<'a>(cells: impl IntoIterator<Item = &'a Cell> + Clone) -> Result<(), MeasureError> {
    check_boards(cells.clone())?;
    let measures = cells.into_iter().any(|cell| cell.configuration.micro.is_some());
    if measures { MEASURER.program().map(|_| ()).map_err(wrong(MICRO.name)) } else { Ok(()) }
}

/// Checks that this program can search on the boards of these cells.
///
/// # Errors
/// If it cannot.
pub fn check_boards<'a>(cells: impl IntoIterator<Item = &'a Cell>) -> Result<(), MeasureError> {
    let searched = cells.into_iter().map(|cell| &cell.configuration).filter(|one| {
        let is_ours = one.micro.is_none() && !one.is_outside();
        is_ours && one.machine == MachineKind::Real
    });
    for configuration in searched {
        // What does not exist is told of elsewhere.
        if let Ok(board) = BoardChoice::from_names(&configuration.board, configuration.sliders.as_deref()) {
            compiled::check(board)?;
        }
    }
    Ok(())
}
