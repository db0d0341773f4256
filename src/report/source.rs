//! What a report of an experiment is made of.

use std::path::Path;

use super::analysis::Analysis;
use super::beside::Beside;
use super::error::ReportError;
use super::published::Published;
use super::questions::sentence_of;
use crate::record::folder;
use crate::record::journal;
use crate::record::{CellResult, Environment, MachineKind, Record};

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
    /// Sentences on lines of the journals that are left out.
    pub left_out: Vec<String>,
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
        let (records, published, environment, left_out) = Default::default();
        Self { records, analysis, published, environment, left_out }
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
        let left_out = in_short(&[warnings, judgements.warnings].concat());
        let published = Published { beside: beside.map(Beside::read).transpose()?, ..Published::load()? };
        let analysis = Analysis::judged(description, &records, &judgements.records).beside(&published);
        Ok(Self { records, analysis, published, environment, left_out })
    }
}

/// Most warnings about lines of journals that a report repeats; standard error has all of them.
const MOST_WARNINGS: usize = 4;

/// Sentences on lines of journals that are left out: the first of these warnings, and how many more there are.
pub(crate) fn in_short(warnings: &[String]) -> Vec<String> {
    let more = warnings.len().saturating_sub(MOST_WARNINGS);
    let more = (more > 0).then(|| format!("{more} more lines of journals are left out."));
    warnings.iter().take(MOST_WARNINGS).map(|warning| sentence_of(warning)).chain(more).collect()
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
