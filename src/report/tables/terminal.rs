//! Tables of an experiment for a terminal: the one that its answer stands on, or all that fit.

use crate::record::{Asks, MachineKind};
use crate::report::analysis::{Analysis, Curve, ThesisColumns};
use crate::report::published::THESIS_FEATURES;
use crate::table::Table;
use crate::table::terminal::{WIDTH, write};

use super::{micro, shown};

/// Number of lines of the tables below a verdict.
const FEW_LINES: usize = 16;
/// Number of such lines where a table is all that is asked for.
const MANY_LINES: usize = 60;
/// Number of curves of the printed program beyond which they are an autopsy, and not the thesis's experiment.
const MOST_PRINTED: usize = 2;
/// Number of curves beyond which comparisons are shown alone.
const MOST_CURVES: usize = 8;
/// Number of comparisons that are shown; all are in the page.
const MOST_COMPARISONS: usize = 40;

/// Table of one machine, as [`shown`] has them.
type Shown = fn(&Analysis, MachineKind) -> Table;

/// Tables that answer what the experiment asks, in a few lines; what is left out is counted.
pub(crate) fn answering(analysis: &Analysis) -> String {
    let answering: &[Shown] = match analysis.asks() {
        Asks::Published => &[shown::explanations, shown::replications],
        Asks::Splitting => &[shown::splitting, shown::copy_sizes, shown::comparisons, micro::figures],
        Asks::Effect => &[shown::comparisons, shown::effects],
        Asks::Best | Asks::Scaling => &[shown::speedups],
    };
    let of = |tables: &[Shown]| {
        let machines = MachineKind::ALL.iter();
        let all = machines.flat_map(|&machine| tables.iter().map(move |table| table(analysis, machine)));
        all.filter(|table| !table.rows.is_empty()).collect::<Vec<Table>>()
    };
    let tables = [answering, &[shown::speedups, shown::thesis]].map(of).into_iter().find(|tables| !tables.is_empty());
    let mut room = if analysis.asks() == Asks::Splitting { MANY_LINES } else { FEW_LINES };
    let mut written = Vec::new();
    for table in tables.unwrap_or_default() {
        let lines = write(&table, WIDTH);
        let rows = room.saturating_sub(lines.lines().count().saturating_sub(table.rows.len()));
        if rows == 0 {
            written.push(format!("and a table of {} rows: {}\n", table.rows.len(), table.title));
            continue;
        }
        let shortened = spread_rows(table, rows);
        room = room.saturating_sub(shortened.lines().count());
        written.push(shortened);
    }
    written.join("\n")
}

/// All tables as text, with an empty line between them. Published rows are found by their number of processors.
pub(crate) fn all(analysis: &Analysis, published: &[(u32, ThesisColumns)]) -> String {
    let is_printed = |curve: &&Curve| {
        curve.groups.iter().any(|&at| analysis.groups[at].configuration.features.starts_with(THESIS_FEATURES))
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
        tables.extend([shown::splitting(analysis, machine), shown::stages(analysis, machine)]);
        tables.extend([shown::copy_sizes(analysis, machine), micro::figures(analysis, machine)]);
        tables.push(shown::explanations(analysis, machine));
        tables.push(shown::replications(analysis, machine));
        tables.push(shown::comparisons(analysis, machine));
        tables.push(shown::effects(analysis, machine));
    }
    tables.retain(|table| !table.rows.is_empty());
    tables.into_iter().map(|table| first_rows(table, MOST_COMPARISONS)).collect::<Vec<_>>().join("\n")
}

/// Table with at most this many rows, evenly spread from the first to the last, and how many more there are: of a curve
/// the ends tell most.
fn spread_rows(mut table: Table, most: usize) -> String {
    let all = table.rows.len();
    if all > most && most > 1 {
        // One line says what is left out.
        let kept = most - 1;
        let is_kept = |at: usize| (0..kept).any(|place| place * (all - 1) / (kept - 1).max(1) == at);
        table.rows = table.rows.into_iter().enumerate().filter(|(at, _)| is_kept(*at)).map(|(_, row)| row).collect();
    }
    let more = all - table.rows.len();
    let rows = first_rows(table, most);
    rows + &if more > 0 { format!("and {more} more rows\n") } else { String::new() }
}

/// Table with at most this many rows, and how many more there are.
fn first_rows(mut table: Table, most: usize) -> String {
    let more = table.rows.len().saturating_sub(most);
    table.rows.truncate(most);
    write(&table, WIDTH) + &if more > 0 { format!("and {more} more\n") } else { String::new() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Columns;

    #[test]
    fn a_long_table_keeps_its_ends() {
        let table = |rows: u64| Columns::new().with("n", "", |row: &u64| *row).table("", "", 1..=rows);
        let shown = |rows, most| spread_rows(table(rows), most).split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(shown(4, 4), "n 1 2 3 4");
        assert_eq!(shown(9, 4), "n 1 5 9 and 6 more rows");
        assert_eq!(shown(24, 6), "n 1 6 12 18 24 and 19 more rows");
    }
}
