//! Folders side by side as comma-separated values: a row for each configuration that is compared.

use crate::analysis::comparisons::differing;
use crate::question::File;
use crate::questions::rows::{configured, plies};
use crate::statistics::Test;
use crate::table::{Columns, columns};

use super::{Counterparts, Measure, SideBySide, letter};

/// The comparison as a file.
pub(super) const COMPARED: File<SideBySide> = File {
    name: "compared.csv",
    rows: "One row per configuration that the first folder and another have in common.",
    table: |whole| all_columns(whole).table("", "", &whole.counterparts),
};

fn all_columns(whole: &SideBySide) -> Columns<'_, &Counterparts> {
    let first = columns! { &Counterparts, pair;
        "folder": "the letter of the folder that is compared" => letter(pair.folder);
        "path": "path of that folder" => whole.folders[pair.folder].path.clone();
        "against": "the letter of the first folder" => letter(0);
        "path_against": "path of that folder" => whole.folders[0].path.clone();
        "label": "what distinguishes the configuration" => pair.label.clone();
    };
    let runs = columns! { &Counterparts, pair;
        "differs": "fields in which the folder's own configuration differs, with its values" => differs(pair);
        "positions": "positions that both folders have searched" => pair.positions;
        "paired": "whether runs are paired by seed" => pair.is_paired;
        "runs": "runs of the folder that are compared" => pair.runs[1];
        "runs_against": "runs of the first folder that are compared" => pair.runs[0];
    };
    let rates = columns! { &Counterparts, pair;
        "nps_ratio": "nodes per second divided by those of the first folder" => pair.nps.estimate;
    };
    let speedups = columns! { &Counterparts, pair;
        "time_speedup_ratio": "time speedup divided by that of the first folder" =>
            pair.speedup.map(|speedup| speedup.ratio.estimate);
    };
    first
        .and(configured(
            |pair: &&Counterparts| &pair.configuration,
            |pair| plies(&pair.configuration),
            whole.counterparts.iter().map(|pair| &pair.configuration),
        ))
        .and(runs)
        .and(tested(Measure::Time, "time divided by that of the first folder"))
        .and(tested(Measure::Nodes, "nodes divided by those of the first folder"))
        .and(rates.ends("nps", |pair| pair.nps))
        .and(speedups.ends("time_speedup", |pair| pair.speedup.map(|speedup| speedup.ratio)))
}

fn tested<'a>(measure: Measure, meaning: &str) -> Columns<'a, &'a Counterparts> {
    const P: &str = "probability that chance alone gives so large a difference, adjusted";
    const P_EQUIVALENCE: &str = "probability that chance alone gives so small a difference if the true one is as large \
                                 as the margin, adjusted";
    let name = measure.name();
    Columns::new()
        .with(format!("{name}_ratio"), meaning, move |pair: &&Counterparts| measure.of(pair).ratio.estimate)
        .ends(name, move |pair| measure.of(pair).ratio)
        .with(format!("{name}_p"), P, move |pair| measure.of(pair).test.and_then(Test::adjusted))
        .with(format!("{name}_p_equivalence"), P_EQUIVALENCE, move |pair| {
            measure.of(pair).equivalence.and_then(Test::adjusted)
        })
        .with(format!("{name}_verdict"), "the verdict", move |pair| measure.of(pair).verdict.named(measure))
}

/// `board=mailbox sliders=`.
fn differs(pair: &Counterparts) -> String {
    let axes = differing(&pair.configuration, &pair.counterpart).into_iter();
    axes.map(|axis| format!("{}={}", axis.name, axis.text(&pair.counterpart))).collect::<Vec<_>>().join(" ")
}
