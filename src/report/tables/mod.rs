//! Tables: comma-separated values for programs, Markdown for papers, plain text for terminals. All are functions of an
//! analysis and its records, and the same input gives the same bytes.

mod changes;
pub(in crate::report) mod columns;
mod groups;
mod markdown;
mod measured;
pub(in crate::report) mod numbers;
mod runs;
mod surroundings;
#[cfg(test)]
mod tests;
mod text;

use std::fs;
use std::io::{self, ErrorKind};
use std::path::Path;

use crate::record::Record;

use super::analysis::Analysis;

pub use changes::{comparisons_csv, effects_csv};
pub use groups::{positions_csv, summary_csv};
pub use markdown::summary_md;
pub use runs::runs_csv;
pub use text::{speedup_table, terminal, thesis_table, thesis_tables};

/// The name of the summary for readers.
const SUMMARY_MD: &str = "summary.md";
/// The name of the file that documents all others.
const COLUMNS_MD: &str = "columns.md";

/// Writes all tables into a folder, which must exist. `answer` is the answer to the experiment's question in a paragraph.
/// Fails if a file cannot be written.
pub fn write_all(folder: &Path, analysis: &Analysis, records: &[Record], answer: &str) -> io::Result<()> {
    let write = |name: &str, bytes: &[u8]| fs::write(folder.join(name), bytes);
    write(runs::FILE, &runs_csv(records)?)?;
    write(groups::SUMMARY, &summary_csv(analysis)?)?;
    write(groups::POSITIONS, &positions_csv(analysis)?)?;
    // A table that there is no longer reason for would contradict the others.
    match analysis.comparisons.is_empty() {
        true => remove(&folder.join(changes::COMPARISONS))?,
        false => write(changes::COMPARISONS, &comparisons_csv(analysis)?)?,
    }
    match analysis.effects.is_empty() {
        true => remove(&folder.join(changes::EFFECTS))?,
        false => write(changes::EFFECTS, &effects_csv(analysis)?)?,
    }
    write(SUMMARY_MD, summary_md(analysis, answer).as_bytes())?;
    write(COLUMNS_MD, columns_md().as_bytes())
}

/// What the columns of all files mean.
pub fn columns_md() -> String {
    let note = "Comma-separated values with a line of headings. What is not known, or has no meaning for a row, is left \
                empty. Columns may be added; they are not renamed. Seconds of the machine are virtual seconds on the \
                virtual machine, and are never to be compared with real ones.";
    let sections = [runs::documentation(), groups::documentation(), changes::documentation()];
    format!("# Columns\n\n{note}\n\n{}", sections.join("\n"))
}

fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        result => result,
    }
}
