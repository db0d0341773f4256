//! What single positions say: each by itself, those that lie far from the others, and how the searches of a baseline
//! differ among themselves.

use super::{groups, marked, second, table};
use crate::record::MachineKind;
use crate::report::analysis::{Analysis, Group, PositionRow};
use crate::statistics::OUTLIER_Z;
use crate::table::number::figure;
use crate::table::{Cell, Columns, Table};

/// Number of moves beyond which only the most frequent are shown.
const MOVES_SHOWN: usize = 4;

/// A position of a configuration.
type Row<'a> = (&'a Group, &'a PositionRow);

fn rows(analysis: &Analysis, machine: MachineKind) -> impl Iterator<Item = Row<'_>> {
    groups(analysis, machine).flat_map(|group| group.by_position.iter().map(move |row| (group, row)))
}

/// The columns that tables of single positions begin with.
fn first_columns<'a>(machine: MachineKind) -> Columns<'a, Row<'a>> {
    Columns::new()
        .with("Configuration", "", move |(group, _): &Row<'_>| marked(&group.label, machine))
        .with("CPUs", "Processors", |(group, _)| group.configuration.threads)
        .with("Position", "", |(_, row)| row.position.as_str())
}

/// A row for each configuration and position.
pub(in crate::report) fn by_position(analysis: &Analysis, machine: MachineKind) -> Table {
    let columns = first_columns(machine)
        .with("Runs", "Measurements that count", |(_, row)| row.runs)
        .with(format!("Time, {}", second(machine)), "Geometric mean of the runs", |(_, row)| row.time_s)
        .with("Nodes", "Geometric mean of the runs", |(_, row)| Cell::whole(row.nodes))
        .with("Time speedup", "Relative to one processor", |(_, row)| row.time_speedup)
        .with("Nodes ratio", "Relative to one processor", |(_, row)| row.nodes_ratio)
        .with("Moves", "Those chosen, with how often", |(_, row)| moves(row));
    let explanation = "Geometric means over runs; point estimates.";
    table(analysis, machine, "Each position by itself", explanation, columns, rows(analysis, machine))
}

fn moves(row: &PositionRow) -> String {
    let mut moves: Vec<String> =
        row.moves.iter().take(MOVES_SHOWN).map(|(name, often)| format!("{name} × {often}")).collect();
    if row.moves.len() > MOVES_SHOWN {
        moves.push(format!("{} others", row.moves.len() - MOVES_SHOWN));
    }
    moves.join(", ")
}

/// Positions whose speedup lies far from those of the others.
pub(in crate::report) fn outliers(analysis: &Analysis, machine: MachineKind) -> Table {
    let columns = first_columns(machine)
        .with("Time speedup", "Relative to one processor", |(_, row)| row.time_speedup)
        .with("Modified z", "0.6745 (x − median) / median absolute deviation, of logarithms", |(_, row)| row.z_score);
    let explanation = format!(
        "Positions whose speedup has a modified z-score beyond {OUTLIER_Z} among the positions. They are kept in \
         every mean."
    );
    let is_outlier = |(_, row): &Row<'_>| row.z_score.is_some_and(|z_score| z_score.abs() > OUTLIER_Z);
    table(analysis, machine, "Outliers", &explanation, columns, rows(analysis, machine).filter(is_outlier))
}

/// How the searches of each baseline differ in nodes.
pub(in crate::report) fn baseline_spread(analysis: &Analysis, machine: MachineKind) -> Table {
    let spreads =
        analysis.baseline_spread.iter().filter_map(|spread| Some((spread, analysis.groups.get(spread.group)?)));
    let spreads: Vec<_> = spreads.filter(|(_, group)| group.configuration.machine == machine).collect();
    let deviations: Vec<String> = spreads
        .iter()
        .filter_map(|(spread, group)| Some(format!("{} for {}", figure(spread.log_sd?), group.label)))
        .collect();
    let mut explanation = "Nodes relative to the position's geometric mean.".to_owned();
    if !deviations.is_empty() {
        explanation += " Standard deviation of the logarithm of nodes within positions: ";
        explanation += &format!("{}.", deviations.join(", "));
    }
    let extreme =
        |of: fn(f64, f64) -> f64| move |(_, _, relative): &(&Group, &str, &[f64])| relative.iter().copied().reduce(of);
    let columns = Columns::new()
        .with("Position", "", |(_, position, _): &(&Group, &str, &[f64])| marked(position, machine))
        .with("Baseline", "", |(group, ..)| group.label.as_str())
        .with("Runs", "Searches with other seeds", |(_, _, relative)| relative.len())
        .with("Least", "Nodes of the smallest, relative to the geometric mean", extreme(f64::min))
        .with("Greatest", "Nodes of the largest, relative to the geometric mean", extreme(f64::max));
    let rows = spreads.iter().flat_map(|(spread, group)| {
        spread.relative_nodes.iter().map(|(position, relative)| (*group, position.as_str(), relative.as_slice()))
    });
    table(analysis, machine, "How the baseline differs from itself", &explanation, columns, rows)
}
