//! Folders side by side as comma-separated values: a row for each configuration that is compared.

use crate::record::Configuration;
use crate::report::question::File;
use crate::report::questions::rows::{configured, plies};
use crate::table::{Columns, columns};

use super::{Counterparts, FolderFacts, Measure, Runs, SideBySide, Tested};

/// Row of the table.
struct Row<'a> {
    folder: &'a FolderFacts,
    against: &'a FolderFacts,
    pair: &'a Counterparts,
}

/// The comparison as a file.
pub(super) const COMPARED: File<SideBySide> = File {
    name: "compared.csv",
    rows: "One row per configuration that the first folder and another have in common.",
    table: |whole| {
        let (all, against) = (&whole.counterparts, &whole.folders[0]);
        all_columns().table("", "", all.iter().map(|pair| Row { folder: &whole.folders[pair.folder], against, pair }))
    },
};

fn all_columns<'a>() -> Columns<'a, Row<'a>> {
    let first = columns! { Row<'_>, row;
        "folder": "the letter of the folder that is compared" => row.folder.name.clone();
        "path": "path of that folder" => row.folder.path.clone();
        "against": "the letter of the first folder" => row.against.name.clone();
        "path_against": "path of that folder" => row.against.path.clone();
        "label": "what distinguishes the configuration" => row.pair.label.clone();
    };
    let runs = columns! { Row<'_>, row;
        "differs": "fields in which the folder's own configuration differs, with its values" => differing(row.pair);
        "positions": "positions that both folders have searched" => row.pair.positions;
        "paired": "whether runs are paired by seed" => matches!(row.pair.runs, Runs::Pairs(_));
        "runs": "runs of the folder that are compared" => row.pair.runs.counts()[1];
        "runs_against": "runs of the first folder that are compared" => row.pair.runs.counts()[0];
    };
    let measures = tested(Measure::Time, "time divided by that of the first folder", |pair| pair.time)
        .and(tested(Measure::Nodes, "nodes divided by those of the first folder", |pair| pair.nodes))
        .and(columns! { Row<'_>, row;
            "nps_ratio": "nodes per second divided by those of the first folder" => row.pair.nps.estimate;
        })
        .ends("nps", |row| row.pair.nps)
        .and(columns! { Row<'_>, row;
            "time_speedup_ratio": "time speedup divided by that of the first folder" =>
                row.pair.speedup.map(|speedup| speedup.ratio.estimate);
        })
        .ends("time_speedup", |row| row.pair.speedup.map(|speedup| speedup.ratio));
    let configured = configured(|row: &Row<'_>| &row.pair.configuration, |row| plies(&row.pair.configuration));
    first.and(configured).and(runs).and(measures)
}

fn tested<'a>(measure: Measure, meaning: &str, of: fn(&Counterparts) -> Tested) -> Columns<'a, Row<'a>> {
    let name = measure.name();
    Columns::new()
        .with(format!("{name}_ratio"), meaning, move |row: &Row<'_>| of(row.pair).ratio.estimate)
        .ends(name, move |row| of(row.pair).ratio)
        .with(format!("{name}_p"), "probability that chance alone gives so large a difference, adjusted", move |row| {
            of(row.pair).p
        })
        .with(
            format!("{name}_p_equivalence"),
            "probability that chance alone gives so small a difference if the true one is as large as the margin, \
             adjusted",
            move |row| of(row.pair).p_equivalence,
        )
        .with(format!("{name}_verdict"), "the verdict", move |row| of(row.pair).verdict.name(measure))
}

/// `board=mailbox sliders=`.
fn differing(pair: &Counterparts) -> String {
    let differs = |field: &&str| pair.configuration.field(field) != pair.counterpart.field(field);
    let fields = Configuration::FIELDS.into_iter().filter(differs);
    fields.map(|field| format!("{field}={}", pair.counterpart.field(field))).collect::<Vec<_>>().join(" ")
}
