//! The one table of the first screen: at most eight rows of nine columns.

use crate::Source;
use crate::analysis::{AgainstBaseline, Analysis, Contest, Group};
use crate::counts::Activity;
use crate::figures::register::of_activity;
use crate::questions::QUESTIONS;
use crate::record::{Asks, IntervalKind, MachineKind};
use crate::state::State;
use crate::table::number;
use crate::table::{Cell, Digits, Table, columns};

use super::contest::{SAME_SIZE, is_small, seconds};
use super::standing::Standing;

/// Largest number of rows of the table.
const MOST_ROWS: usize = 8;
/// Largest number of its columns.
const MOST_COLUMNS: usize = 9;

/// Row of the table: the largest number of processors of a curve.
struct Row<'a> {
    group: &'a Group,
    against: &'a AgainstBaseline,
    /// Letters that say what tests tell it apart from; empty where nothing was tested.
    letters: String,
    /// Whether its times mean nothing.
    is_ruined: bool,
}

pub(super) fn table(source: &Source, contests: &[&Contest], state: &State) -> Table {
    let analysis = &source.analysis;
    let ranked = contests.iter().flat_map(|contest| {
        let standing = Standing::of(analysis, contest);
        // Searches that are too small have no order.
        let letters = if is_small(analysis, contest) { Vec::new() } else { standing.letters() };
        let letters = letters.into_iter().chain(std::iter::repeat(String::new()));
        standing.ranked.iter().copied().zip(letters).collect::<Vec<_>>()
    });
    let row = |(place, letters): (usize, String)| {
        let group = &analysis.groups[place];
        let is_ruined = state.is_ruined() && group.configuration.machine == MachineKind::Real;
        Some(Row { group, against: group.against_baseline.as_ref()?, letters, is_ruined })
    };
    let rows: Vec<Row<'_>> = ranked.filter_map(row).take(MOST_ROWS).collect();
    // Speedups of different problems, or machines, are of searches of different sizes.
    let has_sizes = rows.iter().any(|row| (row.against.t1_s / rows[0].against.t1_s - 1.0).abs() > SAME_SIZE);
    let has_machines = rows.iter().any(|row| row.group.configuration.machine != rows[0].group.configuration.machine);
    let has_letters = rows.iter().any(|row| !row.letters.is_empty() && !row.is_ruined);
    let columns = columns! { Row<'_>, row;
        "label" as "Configuration": "what distinguishes the configuration in this experiment" => {
            let mark = if row.is_ruined { " (disturbed)" } else { "" };
            format!("{}{mark}", row.group.label)
        };
        "machine" as "Machine": "real, or virtual: in simulated time" =>
            Some(row.group.configuration.machine.name()).filter(|_| has_machines);
        "threads" as "Processors": "number of processors" => row.group.configuration.threads;
        "time_speedup" as "Time speedup": "how many times as fast as one processor" =>
            Some(row.against.time_speedup).filter(|_| !row.is_ruined);
        "time_speedup_best_schedule" as "Best schedule":
            "how many times as fast as one processor that leaves out iterations too" =>
            row.against.best_schedule.as_ref().map(|best| best.time_speedup).filter(|_| !row.is_ruined);
        "letters" as "Same" [optional]: "those that share a letter are not shown to differ in time" =>
            Some(row.letters.clone()).filter(|letters| !letters.is_empty() && !row.is_ruined);
        "t1" as "One processor" [optional]: "time that one processor takes" =>
            Some(seconds(row.against.t1_s)).filter(|_| has_sizes && row.against.t1_s.is_finite());
        "nodes_ratio" as "Nodes": "nodes relative to one processor" => {
            let nodes = row.against.nodes.estimate;
            if nodes.is_finite() { Cell::Number(nodes, Digits::Decimals(2)) } else { Cell::Nothing }
        };
        "regret_difference_cp" as "Extra regret" [optional]:
            "by how many hundredths of a pawn moves are worse than one processor's" =>
            row.group.regret.and_then(|regret| regret.against).map(|against| against.difference);
        "waiting" as "Waiting, %" [optional]: "share of all processors' time without work or waiting for helpers" => {
            let share = |activity| row.group.means.get(&of_activity(activity)).filter(|_| !row.is_ruined);
            Cell::share(share(Activity::Idle).zip(share(Activity::Wait)).map(|(idle, wait)| idle + wait))
        };
    };
    let caption = match analysis.quality.virtual_records {
        0 => "",
        _ if has_machines => " Virtual: in simulated time.",
        _ => " All in simulated time.",
    };
    let same = if has_letters { " Same: those that share a letter are not shown to differ in time." } else { "" };
    let caption = format!("Geometric means over positions.{same}{caption}");
    let table = columns.table("", &caption, rows);
    let others = || ["differences", "effects", "micro", "tree"].iter().find_map(|key| of_question(source, key));
    if table.rows.is_empty() { others().unwrap_or_default() } else { table.without_empty_columns() }
}

/// Positions for which the intervals of a table hold, and what those of the verdict hold for.
pub(super) fn population(analysis: &Analysis) -> String {
    let kind = match analysis.asks() {
        // A state is said of the search, whatever positions it was found at.
        Asks::Smp => IntervalKind::PositionsLikeThese,
        _ => analysis.description.interval,
    };
    // A suite was put together by somebody, and not drawn.
    let drawn =
        if kind == IntervalKind::PositionsLikeThese { ", as if those searched were drawn from them" } else { "" };
    let above =
        if is_for_all_at_once(analysis) { "; those of the verdict hold for all that it compares at once" } else { "" };
    format!("Intervals: {} for {}{drawn}, each for one figure alone{above}.", number::level(), kind.name())
}

/// Whether the intervals of the verdict hold for all that it compares at once: whoever is named was chosen among them.
fn is_for_all_at_once(analysis: &Analysis) -> bool {
    match analysis.asks() {
        Asks::Best | Asks::Scaling => {
            analysis.description.size_s.is_none() && analysis.contests.iter().any(|one| one.candidates.len() > 1)
        }
        Asks::Effect => analysis.comparisons.len() > 1,
        Asks::Splitting => analysis.sizes.is_empty(),
        Asks::Machines => !analysis.twins.is_empty(),
        Asks::Smp | Asks::Published | Asks::Torn | Asks::Cluster => false,
    }
}

/// First rows of the table of a question; nothing if it has none.
pub(super) fn of_question(source: &Source, key: &str) -> Option<Table> {
    let question = QUESTIONS.iter().find(|question| question.key == key)?;
    Some(small(question.table(source))).filter(|table| !table.rows.is_empty())
}

/// The table beside published figures without nodes a second: the verdict is on time and nodes, and a screen is narrow.
pub(super) fn without_speed(mut table: Table) -> Table {
    if let Some(at) = table.columns.iter().position(|column| column.name == "Nodes a second") {
        // The published figure stands beside ours.
        table.columns.drain(at..at + 2);
        table.rows.iter_mut().for_each(|row| drop(row.drain(at..at + 2)));
    }
    table
}

/// First rows and columns of a table.
pub(super) fn small(mut table: Table) -> Table {
    let more = table.rows.len().saturating_sub(MOST_ROWS);
    table.rows.truncate(MOST_ROWS);
    table.columns.truncate(MOST_COLUMNS);
    table.rows.iter_mut().for_each(|row| row.truncate(MOST_COLUMNS));
    let caption = if more > 0 { format!("{more} more rows below.") } else { String::new() };
    Table { title: String::new(), caption, ..table }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wide_or_long_table_is_cut_and_says_that_more_is_below() {
        struct Numbers(usize);
        let mut columns = crate::table::Columns::new();
        for name in ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k"] {
            columns = columns.with(name, "", |row: &Numbers| row.0);
        }
        let table = small(columns.table("", "", (0..20).map(Numbers)));
        assert_eq!((table.columns.len(), table.rows.len()), (MOST_COLUMNS, MOST_ROWS));
        assert!(table.rows.iter().all(|row| row.len() == MOST_COLUMNS));
        assert_eq!(table.caption, "12 more rows below.");
    }
}
