//! `runs.csv`: a row a record, sorted by configuration and number of processors. Of a cell on a real machine every
//! attempt has a row; a virtual cell has one, and nothing in it depends on the computer that simulated it: the same
//! experiment gives the same bytes.

use crate::analysis::grouping::{self, Attempts};
use crate::questions::rows::configured;
use crate::record::Record;
use crate::table::{Columns, columns};

use super::super::question::Rows;
use super::by_configuration;
use super::measured::measured;
use super::run_row::RunRow;
use super::surroundings::surroundings;

/// Rows of `runs.csv`.
pub(super) fn runs(records: &[Record]) -> Rows<'_> {
    let rows: Vec<RunRow<'_>> = grouping::cells(records).iter().flat_map(rows).collect();
    let (columns, rows) = columns(records).rows(by_configuration(rows, RunRow::configuration));
    (columns, Box::new(rows))
}

fn rows<'a>(attempts: &Attempts<'a>) -> Vec<RunRow<'a>> {
    let row = |(at, &record): (usize, &&'a Record)| RunRow { record, counts: attempts.counting == Some(at) };
    let mut rows: Vec<RunRow<'a>> = attempts.records.iter().enumerate().map(row).collect();
    let last = rows.len().saturating_sub(1);
    if rows.iter().all(|row| !row.record.is_real()) {
        // That an attempt failed, for want of memory say, depends on the computer.
        let kept = attempts.counting.unwrap_or(last);
        rows = rows.into_iter().skip(kept).take(1).collect();
    }
    rows
}

fn columns<'a>(records: &[Record]) -> Columns<'a, RunRow<'a>> {
    let first = columns! { RunRow<'_>, row;
        "index": "the place of the cell in the plan, from 0" => row.record.index;
        "attempt": "number of the attempt, from 0; more than 0 if earlier ones were disturbed or failed" =>
            if row.record.is_real() { row.record.attempt } else { 0 };
        "counts": "whether tables and charts use it: of several attempts, they use the last quiet one, or the last if \
                   none was quiet" =>
            row.counts;
        "status": "done, failed, or cut: the limit ended the search before its depth, so that its time is only a lower \
                   bound" =>
            row.status();
        "error": "reason of the failure, or of the end before the depth" =>
            row.record.cut_in_words().or_else(|| row.record.failure().map(str::to_owned));
        "position": "the id of the position" => row.record.cell.position.clone();
    };
    let seeds = columns! { RunRow<'_>, row;
        "seed": "seed of keys, order of equal moves and virtual jitter" => row.record.cell.seed;
        "repetition": "number of the run among those that differ in nothing else, from 0" => row.record.cell.repetition;
    };
    let configured = configured(
        RunRow::configuration,
        |row| row.record.cell.depth,
        records.iter().map(|record| &*record.cell.configuration),
    );
    first.and(configured).and(seeds).and(measured()).and(surroundings())
}
