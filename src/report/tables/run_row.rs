//! A record as a row of `runs.csv`.

use crate::record::{CellResult, Configuration, Measured, Record};

/// Row of `runs.csv`.
pub(super) struct RunRow<'a> {
    pub record: &'a Record,
    /// Whether tables and charts use it.
    pub counts: bool,
}

impl RunRow<'_> {
    pub fn configuration(&self) -> &Configuration {
        &self.record.cell.configuration
    }

    pub fn measured(&self) -> Option<&Measured> {
        self.record.result.figures()
    }

    /// The measurement, if it is one of our engine.
    pub fn measured_of_ours(&self) -> Option<&Measured> {
        self.measured().filter(|_| !self.configuration().is_outside())
    }

    pub fn status(&self) -> &'static str {
        match self.record.result {
            CellResult::Done(_) => "done",
            CellResult::Cut(_) => "cut",
            CellResult::Micro(_) => "micro",
            CellResult::Failed(_) => "failed",
        }
    }
}
