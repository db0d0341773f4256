//! Folders side by side as comma-separated values: a row for each configuration that is compared.

use std::io;

use crate::record::Configuration;
use crate::report::tables::columns::{self, Column, Configured, column, configured};
use crate::report::tables::numbers::{exact, exact_or_empty};
use crate::statistics::Interval;

use super::{Counterparts, Measure, Runs, SideBySide};

/// One row.
struct Row<'a> {
    whole: &'a SideBySide,
    pair: &'a Counterparts,
}

impl Configured for Row<'_> {
    fn configuration(&self) -> &Configuration {
        &self.pair.configuration
    }
}

/// The table.
pub fn csv(whole: &SideBySide) -> io::Result<Vec<u8>> {
    columns::csv(&all_columns(), whole.counterparts.iter().map(|pair| Row { whole, pair }))
}

fn all_columns<'a>() -> Vec<Column<Row<'a>>> {
    let mut all = vec![
        column("folder", "the letter of the folder that is compared", |row: &Row<'a>| {
            row.whole.folders[row.pair.folder].name.clone()
        }),
        column("path", "where it is", |row| row.whole.folders[row.pair.folder].path.display().to_string()),
        column("against", "the letter of the first folder", |row| row.whole.folders[0].name.clone()),
        column("path_against", "where it is", |row| row.whole.folders[0].path.display().to_string()),
        column("label", "what distinguishes the configuration", |row| row.pair.label.clone()),
    ];
    all.extend(configured());
    all.extend([
        column(
            "differs",
            "fields in which the folder's own configuration differs, with its values",
            |row: &Row<'a>| differing(row.pair),
        ),
        column("positions", "positions that both have searched", |row| row.pair.positions.to_string()),
        column("paired", "whether runs are paired by seed", |row| matches!(row.pair.runs, Runs::Pairs(_)).to_string()),
        column("runs", "runs of the folder that are compared", |row| runs(row.pair)[1].to_string()),
        column("runs_against", "runs of the first folder that are compared", |row| runs(row.pair)[0].to_string()),
        column("time_ratio", "time divided by that of the first folder", |row| exact(row.pair.time.ratio.estimate)),
        column("time_low", "lower end of its interval", |row| exact(row.pair.time.ratio.low)),
        column("time_high", "upper end", |row| exact(row.pair.time.ratio.high)),
        column("time_p", "probability of such a difference by chance, adjusted", |row| exact_or_empty(row.pair.time.p)),
        column("time_p_equivalence", "probability that it is as large as the margin, adjusted", |row| {
            exact_or_empty(row.pair.time.p_equivalence)
        }),
        column("time_verdict", "what can be claimed", |row| row.pair.time.verdict.name(Measure::Time).to_owned()),
        column("nodes_ratio", "nodes divided by those of the first folder", |row| exact(row.pair.nodes.ratio.estimate)),
        column("nodes_low", "lower end of its interval", |row| exact(row.pair.nodes.ratio.low)),
        column("nodes_high", "upper end", |row| exact(row.pair.nodes.ratio.high)),
        column("nodes_p", "probability of such a difference by chance, adjusted", |row| {
            exact_or_empty(row.pair.nodes.p)
        }),
        column("nodes_p_equivalence", "probability that it is as large as the margin, adjusted", |row| {
            exact_or_empty(row.pair.nodes.p_equivalence)
        }),
        column("nodes_verdict", "what can be claimed", |row| row.pair.nodes.verdict.name(Measure::Nodes).to_owned()),
        column("nps_ratio", "nodes a second divided by those of the first folder", |row| exact(row.pair.nps.estimate)),
        column("nps_low", "lower end of its interval", |row| exact(row.pair.nps.low)),
        column("nps_high", "upper end", |row| exact(row.pair.nps.high)),
        column("time_speedup_ratio", "time speedup divided by that of the first folder", |row| {
            speedup(row.pair, |ratio| ratio.estimate)
        }),
        column("time_speedup_low", "lower end of its interval", |row| speedup(row.pair, |ratio| ratio.low)),
        column("time_speedup_high", "upper end", |row| speedup(row.pair, |ratio| ratio.high)),
    ]);
    all
}

fn runs(pair: &Counterparts) -> [usize; 2] {
    match pair.runs {
        Runs::Pairs(pairs) => [pairs; 2],
        Runs::Unpaired(runs) => runs,
    }
}

fn speedup(pair: &Counterparts, end: fn(Interval) -> f64) -> String {
    exact_or_empty(pair.speedup.map(|speedup| end(speedup.ratio)))
}

/// `board=mailbox sliders=`.
fn differing(pair: &Counterparts) -> String {
    let differs = |field: &&str| pair.configuration.field(field) != pair.counterpart.field(field);
    let fields = Configuration::FIELDS.into_iter().filter(differs);
    fields.map(|field| format!("{field}={}", pair.counterpart.field(field))).collect::<Vec<_>>().join(" ")
}
