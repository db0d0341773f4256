//! What single positions say: each by itself, those that lie far from the others, and how the searches of a baseline
//! differ among themselves.

use super::{HOLLOW_MARK, OUTLIER_Z, marked, second, threads};
use crate::record::MachineKind;
use crate::report::analysis::{Analysis, Group, PositionRow};
use crate::report::page::numbers::figure;
use crate::report::page::table::{Column, Entry, Table};

/// Of more moves than this only the most frequent are shown.
const MOVES_SHOWN: usize = 4;

/// A row for each configuration and position.
pub fn by_position(analysis: &Analysis, machine: MachineKind) -> Table {
    let columns = vec![
        Column::words("Configuration", ""),
        Column::numbers("CPUs", "Processors"),
        Column::words("Position", ""),
        Column::numbers("Runs", "Measurements that count"),
        Column::numbers(&format!("Time, {}", second(machine)), "Geometric mean of the runs"),
        Column::numbers("Nodes", "Geometric mean of the runs"),
        Column::numbers("Time speedup", "Relative to one processor"),
        Column::numbers("Nodes ratio", "Relative to one processor"),
        Column::words("Moves", "Those chosen, with how often"),
    ];
    let explanation = "Geometric means over runs; point estimates.";
    let mut table = super::table(analysis, machine, "Each position by itself", explanation, columns);
    for group in of_machine(analysis, machine) {
        for row in &group.by_position {
            let entries = vec![
                Entry::words(marked(&group.label, machine)),
                threads(group),
                Entry::words(row.position.as_str()),
                Entry::count(row.runs as f64),
                Entry::figure(row.time_s),
                Entry::count(row.nodes),
                Entry::maybe(row.time_speedup, Entry::figure),
                Entry::maybe(row.nodes_ratio, Entry::figure),
                Entry::words(moves(row)),
            ];
            table.row_of_group(entries);
        }
    }
    table
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
pub fn outliers(analysis: &Analysis, machine: MachineKind) -> Table {
    let columns = vec![
        Column::words("Configuration", ""),
        Column::numbers("CPUs", "Processors"),
        Column::words("Position", ""),
        Column::numbers("Time speedup", "Relative to one processor"),
        Column::numbers("Modified z", "0.6745 (x − median) / median absolute deviation, of logarithms"),
    ];
    let explanation = format!(
        "Positions whose speedup has a modified z-score beyond {OUTLIER_Z} among the positions. They are kept in \
         every mean."
    );
    let mut table = super::table(analysis, machine, "Outliers", &explanation, columns);
    for group in of_machine(analysis, machine) {
        for row in &group.by_position {
            let Some(z_score) = row.z_score.filter(|z_score| z_score.abs() > OUTLIER_Z) else { continue };
            let entries = vec![
                Entry::words(marked(&group.label, machine)),
                threads(group),
                Entry::words(row.position.as_str()),
                Entry::maybe(row.time_speedup, Entry::figure),
                Entry::figure(z_score),
            ];
            table.row(entries);
        }
    }
    table
}

/// How the searches of each baseline differ in nodes.
pub fn baseline_spread(analysis: &Analysis, machine: MachineKind) -> Table {
    let columns = vec![
        Column::words("Position", ""),
        Column::words("Baseline", ""),
        Column::numbers("Runs", "Searches with other seeds"),
        Column::numbers("Least", "Nodes of the smallest, relative to the geometric mean"),
        Column::numbers("Greatest", "Nodes of the largest, relative to the geometric mean"),
    ];
    let spreads: Vec<_> = analysis
        .baseline_spread
        .iter()
        .filter_map(|spread| Some((spread, analysis.groups.get(spread.group)?)))
        .filter(|(_, group)| group.configuration.machine == machine)
        .collect();
    let deviations: Vec<String> = spreads
        .iter()
        .filter_map(|(spread, group)| Some(format!("{} for {}", figure(spread.log_sd?), group.label)))
        .collect();
    let explanation = match deviations.as_slice() {
        [] => "Nodes relative to the position's geometric mean.".to_owned(),
        deviations => format!(
            "Nodes relative to the position's geometric mean. Standard deviation of the logarithm of nodes within \
             positions: {}.",
            deviations.join(", ")
        ),
    };
    let mut table = super::table(analysis, machine, "How the baseline differs from itself", &explanation, columns);
    for (spread, group) in spreads {
        for (position, relative) in &spread.relative_nodes {
            let mark = if machine == MachineKind::Virtual { format!("{HOLLOW_MARK} ") } else { String::new() };
            let entries = vec![
                Entry::words(format!("{mark}{position}")),
                Entry::words(group.label.as_str()),
                Entry::count(relative.len() as f64),
                Entry::figure(relative.iter().copied().fold(f64::INFINITY, f64::min)),
                Entry::figure(relative.iter().copied().fold(f64::NEG_INFINITY, f64::max)),
            ];
            table.row(entries);
        }
    }
    table
}

fn of_machine(analysis: &Analysis, machine: MachineKind) -> impl Iterator<Item = &Group> {
    analysis.groups.iter().filter(move |group| group.configuration.machine == machine)
}
