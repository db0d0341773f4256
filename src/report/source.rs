//! What a report of an experiment is made of.

use std::path::Path;

use super::analysis::Analysis;
use super::beside::Beside;
use super::error::ReportError;
use super::published::Published;
use crate::record::folder;
use crate::record::journal;
use crate::record::{CellResult, Description, Environment, MachineKind, Record};

/// Experiment with all that its questions and charts are made of.
#[derive(Debug)]
pub(crate) struct Source {
    /// Records as the journal has them.
    pub records: Vec<Record>,
    /// Our figures.
    pub analysis: Analysis,
    /// Figures of others.
    pub published: Published,
    /// Where the records were made.
    pub environment: Environment,
}

impl Default for Source {
    /// An experiment of which nothing is known.
    fn default() -> Self {
        Self::of(Analysis::of(Default::default(), &[]))
    }
}

impl Source {
    /// Figures of ours alone.
    pub fn of(analysis: Analysis) -> Self {
        let (records, published, environment) = Default::default();
        Self { records, analysis, published, environment }
    }

    /// Reads what a run folder holds, and the results of another to be shown beside.
    pub fn read(folder: &Path, beside: Option<&Path>) -> Result<Self, ReportError> {
        let description = folder::description(folder)?;
        let environment = Environment::read(&folder::environment(folder)?);
        let mut records = Vec::new();
        let warnings = journal::visit(folder, |record| records.push(in_little_room(record)))?;
        // As the plan has them, the searches of a configuration lie side by side: that is the order of all figures.
        records.sort_by_cached_key(|record| record.index);
        let judgements = journal::read_lines(folder)?;
        let notes = [description.notes, warnings, judgements.warnings].concat();
        let description = Description { notes, ..description };
        let published = Published { beside: beside.map(Beside::read).transpose()?, ..Published::load()? };
        let analysis = Analysis::judged(description, &records, &judgements.records).beside(&published);
        Ok(Self { records, analysis, published, environment })
    }
}

/// The record without what no report tells, since those of all searches are in memory together.
fn in_little_room(mut record: Record) -> Record {
    if let CellResult::Done(measured) | CellResult::Cut(measured) = &mut record.result {
        measured.answers.shrink_to_fit();
        if record.cell.configuration.machine == MachineKind::Virtual {
            measured.forget_workers();
        }
    }
    record
}
