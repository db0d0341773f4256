//! Tables for readers, each built once: the page, `summary.md` and the terminal write the same. Real and virtual machines have
//! tables of their own, so that sorting never ranks one among the other.

mod configurations;
mod differences;
mod positions;

use std::collections::BTreeSet;

use crate::record::MachineKind;
use crate::report::analysis::{Analysis, Group};
use crate::table::{Columns, Table};

pub(in crate::report) use configurations::{
    activities, amdahl, averages, beside_published, counts, losses, speedups, thesis, transpositions,
};
pub(in crate::report) use differences::{comparisons, effects};
pub(in crate::report) use positions::{baseline_spread, by_position, outliers};

/// Mark of a virtual figure.
pub(in crate::report) const HOLLOW_MARK: &str = "○";

/// Machines in the order in which they are shown.
pub(in crate::report) const MACHINES: [MachineKind; 2] = [MachineKind::Real, MachineKind::Virtual];

/// Row for a curve and a number of processors.
struct Line<'a> {
    label: String,
    group: &'a Group,
}

/// Heading over the tables of a machine.
pub(in crate::report) fn heading(machine: MachineKind) -> &'static str {
    match machine {
        MachineKind::Real => "Real processors",
        MachineKind::Virtual => "○ Virtual processors",
    }
}

/// Whether there is any configuration of this machine to show.
pub(in crate::report) fn is_any(analysis: &Analysis, machine: MachineKind) -> bool {
    !lines(analysis, machine).is_empty()
}

/// The rows of a machine: curve by curve, then what is in no curve. A baseline that several curves begin with comes in
/// each.
fn lines(analysis: &Analysis, machine: MachineKind) -> Vec<Line<'_>> {
    let mut lines = Vec::new();
    let of_machine = |group: &&Group| group.configuration.machine == machine;
    for curve in &analysis.curves {
        let groups = curve.groups.iter().filter_map(|&place| analysis.groups.get(place)).filter(of_machine);
        lines.extend(groups.map(|group| Line { label: marked(&curve.label, machine), group }));
    }
    // The runs of a factorial design are many and answer nothing one by one: they stand in summary.csv.
    let others = if analysis.effects.is_empty() { analysis.groups.as_slice() } else { &[] };
    for (place, group) in others.iter().enumerate().filter(|(_, group)| of_machine(group)) {
        if !analysis.curves.iter().any(|curve| curve.groups.contains(&place)) {
            lines.push(Line { label: marked(&group.label, machine), group });
        }
    }
    lines
}

/// The rows of a machine on which something was measured.
fn measured(analysis: &Analysis, machine: MachineKind) -> Vec<Line<'_>> {
    lines(analysis, machine).into_iter().filter(|line| line.group.runs > 0).collect()
}

fn groups(analysis: &Analysis, machine: MachineKind) -> impl Iterator<Item = &Group> {
    analysis.groups.iter().filter(move |group| group.configuration.machine == machine)
}

/// A label, with the hollow mark if its figures are virtual.
fn marked(label: &str, machine: MachineKind) -> String {
    match machine {
        MachineKind::Real => label.to_owned(),
        MachineKind::Virtual => format!("{HOLLOW_MARK} {label}"),
    }
}

/// Unit of time: `s` or `vs`.
fn second(machine: MachineKind) -> &'static str {
    match machine {
        MachineKind::Real => "s",
        MachineKind::Virtual => "vs",
    }
}

/// A table whose title says on what machine its figures were found.
fn table<R>(
    analysis: &Analysis,
    machine: MachineKind,
    subject: &str,
    explanation: &str,
    columns: Columns<'_, R>,
    rows: impl IntoIterator<Item = R>,
) -> Table {
    if machine == MachineKind::Real {
        return columns.table(subject, explanation, rows);
    }
    let models: BTreeSet<&String> =
        groups(analysis, machine).filter_map(|group| group.configuration.costs.as_ref()).collect();
    let costs = match models.first() {
        Some(model) if models.len() == 1 => format!(", cost model {model}"),
        Some(_) => format!(", {} cost models", models.len()),
        None => String::new(),
    };
    columns.table(format!("{HOLLOW_MARK} {subject} (virtual machine{costs})"), explanation, rows)
}
