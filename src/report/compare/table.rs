//! Folders side by side as comma-separated values: a row for each configuration that is compared.

use std::io;

use crate::record::Configuration;
use crate::report::tables::columns::{Configured, configured};
use crate::table::{Columns, csv};

use super::{Counterparts, FolderFacts, Measure, Runs, SideBySide, Tested};

/// Row of the table.
struct Row<'a> {
    folder: &'a FolderFacts,
    against: &'a FolderFacts,
    pair: &'a Counterparts,
}

impl Configured for Row<'_> {
    fn configuration(&self) -> &Configuration {
        &self.pair.configuration
    }
}

/// The table as a file.
pub(crate) fn csv<'a>(whole: &'a SideBySide) -> io::Result<Vec<u8>> {
    let row = |pair: &'a Counterparts| Row { folder: &whole.folders[pair.folder], against: &whole.folders[0], pair };
    csv::write(&columns().table("", "", whole.counterparts.iter().map(row)))
}

fn columns<'a>() -> Columns<'a, Row<'a>> {
    Columns::new()
        .with("folder", "the letter of the folder that is compared", |row: &Row<'_>| row.folder.name.clone())
        .with("path", "where it is", |row| row.folder.path.display().to_string())
        .with("against", "the letter of the first folder", |row| row.against.name.clone())
        .with("path_against", "where it is", |row| row.against.path.display().to_string())
        .with("label", "what distinguishes the configuration", |row| row.pair.label.clone())
        .and(configured())
        .with("differs", "fields in which the folder's own configuration differs, with its values", |row| {
            differing(row.pair)
        })
        .with("positions", "positions that both have searched", |row| row.pair.positions)
        .with("paired", "whether runs are paired by seed", |row| matches!(row.pair.runs, Runs::Pairs(_)))
        .with("runs", "runs of the folder that are compared", |row| row.pair.runs.counts()[1])
        .with("runs_against", "runs of the first folder that are compared", |row| row.pair.runs.counts()[0])
        .and(tested(Measure::Time, "time divided by that of the first folder", |pair| pair.time))
        .and(tested(Measure::Nodes, "nodes divided by those of the first folder", |pair| pair.nodes))
        .with("nps_ratio", "nodes a second divided by those of the first folder", |row| row.pair.nps.estimate)
        .ends("nps", |row| row.pair.nps)
        .with("time_speedup_ratio", "time speedup divided by that of the first folder", |row| {
            row.pair.speedup.map(|speedup| speedup.ratio.estimate)
        })
        .ends("time_speedup", |row| row.pair.speedup.map(|speedup| speedup.ratio))
}

fn tested<'a>(measure: Measure, meaning: &str, of: fn(&Counterparts) -> Tested) -> Columns<'a, Row<'a>> {
    let name = measure.name();
    Columns::new()
        .with(format!("{name}_ratio"), meaning, move |row: &Row<'_>| of(row.pair).ratio.estimate)
        .ends(name, move |row| of(row.pair).ratio)
        .with(format!("{name}_p"), "probability of such a difference by chance, adjusted", move |row| of(row.pair).p)
        .with(format!("{name}_p_equivalence"), "probability that it is as large as the margin, adjusted", move |row| {
            of(row.pair).p_equivalence
        })
        .with(format!("{name}_verdict"), "what can be claimed", move |row| of(row.pair).verdict.name(measure))
}

/// `board=mailbox sliders=`.
fn differing(pair: &Counterparts) -> String {
    let differs = |field: &&str| pair.configuration.field(field) != pair.counterpart.field(field);
    let fields = Configuration::FIELDS.into_iter().filter(differs);
    fields.map(|field| format!("{field}={}", pair.counterpart.field(field))).collect::<Vec<_>>().join(" ")
}
