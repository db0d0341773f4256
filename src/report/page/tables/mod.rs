//! The tables of the page. Real and virtual machines have tables of their own, so that sorting never ranks one among
//! the other.

mod differences;
mod positions;
mod summary;

use std::collections::BTreeSet;

use crate::record::MachineKind;
use crate::report::analysis::{Analysis, Group};

use super::html::Html;
use super::numbers::counted;
use super::table::{Column, Entry, Table};

/// What marks a virtual figure.
pub const HOLLOW_MARK: &str = "○";
/// Longer tables than this are folded away until they are asked for.
const ROWS_UNFOLDED: usize = 60;
/// Beyond this modified z-score a position is an outlier.
const OUTLIER_Z: f64 = 3.5;

/// One row for a curve and number of processors.
struct Line<'a> {
    label: String,
    group: &'a Group,
}

/// All tables of one machine, and the section they make. Nothing if nothing was measured on it.
pub fn of_machine(analysis: &Analysis, machine: MachineKind) -> Html {
    let mut html = Html::new();
    if lines(analysis, machine).is_empty() {
        return html;
    }
    summary::thesis(analysis, machine).write(&mut html);
    summary::speedups(analysis, machine).write(&mut html);
    summary::averages(analysis, machine).write(&mut html);
    summary::counts(analysis, machine).write(&mut html);
    summary::transpositions(analysis, machine).write(&mut html);
    summary::activities(analysis, machine).write(&mut html);
    summary::losses(analysis, machine).write(&mut html);
    summary::amdahl(analysis, machine).write(&mut html);
    differences::comparisons(analysis, machine).write(&mut html);
    differences::effects(analysis, machine).write(&mut html);
    positions::baseline_spread(analysis, machine).write(&mut html);
    positions::outliers(analysis, machine).write(&mut html);
    folded(&mut html, "Each position by itself", &positions::by_position(analysis, machine));
    html
}

/// The rows of a machine: curve by curve, then what is in no curve. A baseline that several curves begin with comes in
/// each.
fn lines(analysis: &Analysis, machine: MachineKind) -> Vec<Line<'_>> {
    let mut lines = Vec::new();
    let of_machine = |group: &&Group| group.configuration.machine == machine;
    for curve in &analysis.curves {
        let groups = curve.groups.iter().filter_map(|&place| analysis.groups.get(place)).filter(of_machine);
        for group in groups {
            lines.push(Line { label: marked(&curve.label, machine), group });
        }
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

/// A label, with the hollow mark if its figures are virtual.
fn marked(label: &str, machine: MachineKind) -> String {
    match machine {
        MachineKind::Real => label.to_owned(),
        MachineKind::Virtual => format!("{HOLLOW_MARK} {label}"),
    }
}

/// The unit of time: `s` or `vs`.
fn second(machine: MachineKind) -> &'static str {
    match machine {
        MachineKind::Real => "s",
        MachineKind::Virtual => "vs",
    }
}

/// A table that says on what machine its figures were found.
fn table(analysis: &Analysis, machine: MachineKind, subject: &str, explanation: &str, columns: Vec<Column>) -> Table {
    if machine == MachineKind::Real {
        return Table::new(subject, explanation, columns);
    }
    let of_machine = analysis.groups.iter().filter(|group| group.configuration.machine == machine);
    let models: BTreeSet<&String> = of_machine.filter_map(|group| group.configuration.costs.as_ref()).collect();
    let costs = match models.first() {
        Some(model) if models.len() == 1 => format!(", cost model {model}"),
        Some(_) => format!(", {} cost models", models.len()),
        None => String::new(),
    };
    Table::new(format!("{HOLLOW_MARK} {subject} (virtual machine{costs})"), explanation, columns)
}

/// A table that is folded away if it is long.
fn folded(html: &mut Html, name: &str, table: &Table) {
    if table.len() <= ROWS_UNFOLDED {
        table.write(html);
        return;
    }
    html.within("details", &[], |html| {
        html.element("summary", &[], &format!("{name} ({})", counted(table.len() as u64, "row", "rows")));
        table.write(html);
    });
}

/// A number of processors.
fn threads(group: &Group) -> Entry {
    Entry::count(group.configuration.threads.into())
}
