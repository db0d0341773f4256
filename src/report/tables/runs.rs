//! `runs.csv`: a row a record, in the order of the plan. Of a cell on a real machine every attempt has a row; a virtual
//! cell has one, and nothing in it depends on the computer that simulated it: the same experiment gives the same bytes.

use std::io;

use crate::record::{CellResult, Configuration, MachineKind, Measured, Record};
use crate::report::analysis::grouping::{self, Attempts};

use super::columns::{Column, Configured, column, configured, csv, documented};
use super::numbers::exact_or_empty;
use super::{measured, surroundings};

/// The name of the file.
pub(super) const FILE: &str = "runs.csv";

/// One row.
pub(super) struct RunRow<'a> {
    pub record: &'a Record,
    /// Whether tables and charts use it.
    pub counts: bool,
}

/// The table.
pub fn runs_csv(records: &[Record]) -> io::Result<Vec<u8>> {
    csv(&columns(), grouping::cells(records).iter().flat_map(rows))
}

/// What its columns mean.
pub(super) fn documentation() -> String {
    let rows = "A row a record, in the order of the plan. Searches on a real machine have a row for each attempt; searches \
                on the virtual machine have one, in which what depends on the computer is left empty.";
    documented(FILE, rows, &columns())
}

fn rows<'a>(attempts: &Attempts<'a>) -> Vec<RunRow<'a>> {
    let row = |(at, &record): (usize, &&'a Record)| RunRow { record, counts: attempts.counting == Some(at) };
    let mut rows: Vec<RunRow<'a>> = attempts.records.iter().enumerate().map(row).collect();
    let last = rows.len().saturating_sub(1);
    if rows.iter().all(|row| !row.is_real()) {
        // That an attempt failed, for want of memory say, depends on the computer.
        let kept = attempts.counting.unwrap_or(last);
        rows = rows.into_iter().skip(kept).take(1).collect();
    }
    rows
}

fn columns<'a>() -> Vec<Column<RunRow<'a>>> {
    let mut columns = vec![
        column("index", "the place of the cell in the plan, from 0", |row: &RunRow<'a>| row.record.index.to_string()),
        column("attempt", "from 0; more than 0 if earlier ones were disturbed or failed", |row| {
            if row.is_real() { row.record.attempt.to_string() } else { "0".to_owned() }
        }),
        column(
            "counts",
            "whether tables and charts use it: of several attempts the last quiet one, else the last",
            |row| row.counts.to_string(),
        ),
        column("status", "done or failed", |row| {
            if row.record.measured().is_some() { "done" } else { "failed" }.to_owned()
        }),
        column("error", "why it failed", |row| match &row.record.result {
            CellResult::Failed(reason) => reason.clone(),
            CellResult::Done(_) => String::new(),
        }),
        column("position", "the id of the position", |row| row.record.cell.position.clone()),
    ];
    columns.extend(configured());
    columns.push(column("seed", "of keys, order of equal moves and virtual jitter", |row| {
        row.record.cell.seed.to_string()
    }));
    columns.push(column("repetition", "which of several runs that differ in nothing else, from 0", |row| {
        row.record.cell.repetition.to_string()
    }));
    columns.extend(measured::columns());
    columns.extend(surroundings::columns());
    columns
}

impl Configured for RunRow<'_> {
    fn configuration(&self) -> &Configuration {
        &self.record.cell.configuration
    }

    fn depth(&self) -> Option<u32> {
        self.record.cell.depth
    }
}

impl RunRow<'_> {
    pub fn is_real(&self) -> bool {
        self.configuration().machine == MachineKind::Real
    }

    /// A figure of what was measured, if it was.
    pub fn of(&self, figure: impl Fn(&Measured) -> String) -> String {
        self.record.measured().map(figure).unwrap_or_default()
    }

    /// A whole number of what was measured.
    pub fn count(&self, figure: impl Fn(&Measured) -> u64) -> String {
        self.of(|measured| figure(measured).to_string())
    }

    /// A ratio; empty with nothing to divide by.
    pub fn ratio(&self, scale: f64, figure: impl Fn(&Measured) -> (u64, u64)) -> String {
        self.of(|measured| {
            let (part, whole) = figure(measured);
            exact_or_empty((whole > 0).then(|| scale * part as f64 / whole as f64))
        })
    }

    /// A raw count, by its name.
    pub fn counter(&self, name: &str) -> String {
        self.of(|measured| measured.counters.get(name).map(ToString::to_string).unwrap_or_default())
    }

    /// A raw count that means something with audit only.
    pub fn audited(&self, name: &str) -> String {
        if self.configuration().audit { self.counter(name) } else { String::new() }
    }

    /// Nodes of a class of loss.
    pub fn loss(&self, class: &str) -> String {
        self.of(|measured| measured.losses.get(class).map(ToString::to_string).unwrap_or_default())
    }

    /// Nodes of a class that only a ledger of what was searched can tell.
    pub fn loss_with_ledger(&self, class: &str) -> String {
        if self.configuration().losses { self.loss(class) } else { String::new() }
    }
}
