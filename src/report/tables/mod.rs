//! Tables of an experiment: comma-separated values for programs, and tables for readers, which the page, `summary.md`
//! and the terminal show. All are functions of an analysis and its records, and the same input gives the same bytes.

mod changes;
pub(crate) mod columns;
pub(crate) mod found;
mod groups;
mod markdown;
mod measured;
pub(crate) mod micro;
pub(crate) mod promises;
mod quality;
mod runs;
pub(crate) mod shown;
mod surroundings;
pub(crate) mod terminal;
#[cfg(test)]
mod tests;

use std::fs;
use std::io::{self, ErrorKind};
use std::path::Path;

use super::analysis::{Analysis, Group};
use crate::record::{Description, Record};
use crate::table::{Table, csv};

use changes::Prediction;
use groups::{AtDepthRow, GroupRow, InPosition};

pub(crate) use markdown::summary_md;

/// Name of the summary for readers.
const SUMMARY_MD: &str = "summary.md";
/// Name of the file that documents all others.
const COLUMNS_MD: &str = "columns.md";

/// File of comma-separated values.
struct File {
    name: &'static str,
    /// Description of its rows.
    rows: &'static str,
    table: Table,
}

/// Writes all tables into a folder, which must exist. `answer` is the answer to the experiment's question,
/// paragraph by paragraph. Fails if a file cannot be written.
pub(crate) fn write_all(folder: &Path, analysis: &Analysis, records: &[Record], answer: &[String]) -> io::Result<()> {
    let write = |name: &str, bytes: &[u8]| fs::write(folder.join(name), bytes);
    let files = files(analysis, records);
    for file in &files {
        // A table that there is no longer reason for would contradict the others.
        let has_reason = match file.name {
            DEPTHS => !file.table.rows.is_empty(),
            COMPARISONS => !analysis.comparisons.is_empty(),
            EFFECTS => !analysis.effects.is_empty(),
            PREDICTIONS => !analysis.explanations.is_empty(),
            MICRO => !analysis.micro.is_empty(),
            QUALITY => !analysis.quality.arms.is_empty(),
            _ => true,
        };
        match has_reason {
            true => write(file.name, &csv::write(&file.table)?)?,
            false => remove(&folder.join(file.name))?,
        }
    }
    write(SUMMARY_MD, summary_md(analysis, answer).as_bytes())?;
    write(COLUMNS_MD, columns_md(&files).as_bytes())
}

const DEPTHS: &str = "depths.csv";
const COMPARISONS: &str = "comparisons.csv";
const EFFECTS: &str = "effects.csv";
const PREDICTIONS: &str = "predictions.csv";
const MICRO: &str = "micro.csv";
const QUALITY: &str = "quality.csv";

fn files(analysis: &Analysis, records: &[Record]) -> [File; 9] {
    [
        File {
            name: "runs.csv",
            rows: "One row per record, sorted by configuration and number of processors. Searches on a real machine \
                   have one row per attempt; searches on the virtual machine have one row, in which columns that \
                   depend on the computer are left empty.",
            table: runs::runs(records),
        },
        File {
            name: "summary.csv",
            rows: "One row per configuration. Columns that begin with `thesis_` are by its definitions, all others by \
                   this program's. Means are arithmetic means over positions of means over runs; ratios are geometric \
                   means over the positions at which the baseline was measured too, and 1 for a baseline.",
            table: summary(analysis),
        },
        File {
            name: "positions.csv",
            rows: "One row per configuration and position at which it was measured. Means over runs are geometric.",
            table: positions(analysis),
        },
        File {
            name: DEPTHS,
            rows: "One row per configuration and depth that all its runs reached. There is no such file if the records \
                   do not say when each depth was reached.",
            table: depths(analysis),
        },
        File {
            name: COMPARISONS,
            rows: "One row per configuration and reference from which it differs in one field, paired by position, \
                   seed and repetition. There is no such file if the experiment names no reference.",
            table: changes::comparisons(analysis).table("", "", &analysis.comparisons),
        },
        File {
            name: EFFECTS,
            rows: "One row per switch of a factorial design: on relative to off, over all settings of the other \
                   switches. There is no such file if the experiment has no such design.",
            table: changes::effects(analysis).table("", "", &analysis.effects),
        },
        File {
            name: PREDICTIONS,
            rows: "One row per figure of a published table and curve of ours for its machine: the prediction for one \
                   further run of ours. There is no such file unless the experiment runs the printed program as in the \
                   thesis, with the costs of one of its machines.",
            table: changes::predictions(analysis).table("", "", predictions(analysis)),
        },
        File {
            name: MICRO,
            rows: "One row per figure of a micro-measurement. There is no such file if the experiment has none.",
            table: micro::columns().table("", "", &analysis.micro),
        },
        File {
            name: QUALITY,
            rows: "One row per configuration on a real machine, baselines included: the processor time that was taken \
                   away from its searches, and whether that changed their times. There is no such file if nothing was \
                   measured on a real machine.",
            table: quality::quality(analysis).table("", "", &analysis.quality.arms),
        },
    ]
}

fn summary(analysis: &Analysis) -> Table {
    let rows = in_order(analysis).map(|(place, group)| GroupRow { place, label: group.label.clone(), group });
    groups::summary(analysis).table("", "", rows)
}

/// Groups with their places, sorted by configuration and number of processors.
fn in_order(analysis: &Analysis) -> impl Iterator<Item = (usize, &Group)> {
    let groups: Vec<(usize, &Group)> = analysis.groups.iter().enumerate().collect();
    columns::by_configuration(groups, |(_, group)| &group.configuration).into_iter()
}

fn predictions(analysis: &Analysis) -> impl Iterator<Item = Prediction<'_>> {
    analysis.explanations.iter().flat_map(|explanation| explanation.figures.iter().map(move |one| (explanation, one)))
}

fn positions(analysis: &Analysis) -> Table {
    let rows = in_order(analysis).flat_map(|(place, group)| {
        let row = move |position| InPosition { place, label: group.label.clone(), group, position };
        group.by_position.iter().map(row)
    });
    groups::positions().table("", "", rows)
}

fn depths(analysis: &Analysis) -> Table {
    let rows = analysis.groups.iter().enumerate().flat_map(|(place, group)| {
        let empty =
            move |depth| AtDepthRow { place, label: group.label.clone(), group, depth, at: None, iteration: None };
        let speedups = group.by_depth.iter().flat_map(|by_depth| &by_depth.depths);
        let speedups = speedups.map(move |at| AtDepthRow { at: Some(at), ..empty(at.depth) });
        let iterations = group.iterations.iter().map(move |at| AtDepthRow { iteration: Some(at), ..empty(at.depth) });
        speedups.chain(iterations)
    });
    groups::depths(analysis).table("", "", rows)
}

/// Text of `columns.md`: the meaning of the columns of all files.
fn columns_md(files: &[File]) -> String {
    let note = "Comma-separated values with a line of headings. A value that is not known, or has no meaning for a \
                row, is left empty. A name means the same in all files; times are in seconds, shares are fractions of \
                one. Seconds of the machine are virtual seconds on the virtual machine, and must not be compared with \
                real ones.";
    let sections: Vec<String> =
        files.iter().map(|file| columns::documented(file.name, file.rows, &file.table)).collect();
    format!("# Columns\n\n{note}\n\n{}", sections.join("\n"))
}

/// Columns of each file that a report writes, with what they mean: one table a file, whatever was measured.
pub(crate) fn guides() -> impl Iterator<Item = Table> {
    let nothing = Analysis::of(Description::default(), &[]);
    files(&nothing, &[]).into_iter().map(|File { name, rows, table }| Table {
        title: format!("`{name}`"),
        caption: rows.to_owned(),
        ..table.guide()
    })
}

fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        result => result,
    }
}
