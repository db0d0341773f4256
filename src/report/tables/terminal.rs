//! Tables of an experiment for a terminal: the thesis's table beside the published one, what the time speedups are made
//! of, and the comparisons with the reference.

use crate::record::MachineKind;
use crate::report::analysis::{Analysis, Curve, ThesisColumns};
use crate::table::terminal::{self, WIDTH};

use super::shown;

/// Preset whose figures stand beside the thesis's.
const AS_PRINTED: &str = "thesis-as-printed";
/// Number of curves of the printed program beyond which they are an autopsy, and not the thesis's experiment.
const MOST_PRINTED: usize = 2;
/// Number of curves beyond which comparisons are shown alone.
const MOST_CURVES: usize = 8;
/// Number of comparisons that are shown; all are in the page.
const MOST_COMPARISONS: usize = 40;

/// The tables as text, with an empty line between them. Published rows are found by their number of processors.
pub(crate) fn terminal(analysis: &Analysis, published: &[(u32, ThesisColumns)]) -> String {
    let is_printed = |curve: &&Curve| {
        curve.groups.iter().any(|&at| analysis.groups[at].configuration.features.starts_with(AS_PRINTED))
    };
    let printed: Vec<&Curve> = analysis.curves.iter().filter(is_printed).collect();
    let mut tables = Vec::new();
    if printed.len() <= MOST_PRINTED {
        tables.extend(printed.into_iter().map(|curve| shown::beside_published(analysis, curve, published)));
    }
    for &machine in MachineKind::ALL {
        if analysis.comparisons.is_empty() || analysis.curves.len() <= MOST_CURVES {
            tables.extend([shown::speedups(analysis, machine), shown::factors(analysis, machine)]);
        }
        tables.push(shown::explanations(analysis, machine));
        tables.push(shown::comparisons(analysis, machine));
    }
    tables.retain(|table| !table.rows.is_empty());
    let written = tables.into_iter().map(|mut table| {
        let more = table.rows.len().saturating_sub(MOST_COMPARISONS);
        table.rows.truncate(MOST_COMPARISONS);
        terminal::write(&table, WIDTH) + &if more > 0 { format!("and {more} more\n") } else { String::new() }
    });
    written.collect::<Vec<_>>().join("\n")
}
