//! Ratios of one configuration to another with their intervals, and how likely they are by chance: the comparisons with
//! the reference and the effects of switches.

use super::{marked, table};
use crate::record::MachineKind;
use crate::report::analysis::{Analysis, Comparison, Effect};
use crate::table::number::level;
use crate::table::{Cell, Columns, Table};

const ADJUSTED: &str = "How likely so large a difference is by chance, adjusted for all of them (Holm)";

/// Each configuration against the experiment's reference.
pub(in crate::report) fn comparisons(analysis: &Analysis, machine: MachineKind) -> Table {
    let group = |row: &&Comparison| analysis.groups.get(row.group);
    let columns = Columns::new()
        .with("Field", "In what they differ", |row: &&Comparison| marked(&row.field, machine))
        .with("Value", "", |row| value(&row.change))
        .with("Reference", "The value that it is compared with", |row| value(&row.from))
        .with("Configuration", "", move |row| group(row).map(|group| group.label.as_str()))
        .optional()
        .with("CPUs", "Processors", move |row| group(row).map(|group| group.configuration.threads))
        .with("Time ratio", "Less than 1 is faster", |row| row.time)
        .with("p, time", ADJUSTED, |row| Cell::probability(row.time_p))
        .optional()
        .with("Nodes ratio", "Less than 1 is a smaller tree", |row| row.nodes)
        .with("p, nodes", ADJUSTED, |row| Cell::probability(row.nodes_p))
        .optional()
        .with("Speedup ratio", "Of time speedups, each against its own baseline", |row| row.speedup)
        .optional();
    let explanation = format!(
        "Ratios to the reference, paired by position and seed: geometric means with intervals of {} for {}, each \
         interval by itself; p is adjusted by Holm's method. A p that is not small does not show that two are equal.",
        level(),
        analysis.description.interval.name()
    );
    let is_shown = |row: &&Comparison| group(row).is_some_and(|group| group.configuration.machine == machine);
    table(analysis, machine, "Comparisons", &explanation, columns, analysis.comparisons.iter().filter(is_shown))
}

/// What each switch does.
pub(in crate::report) fn effects(analysis: &Analysis, machine: MachineKind) -> Table {
    let columns = Columns::new()
        .with("Switch", "", |row: &&Effect| marked(&row.factor, machine))
        .with("CPUs", "Processors", |row| row.threads)
        .with("Time ratio", "On to off; less than 1 is faster", |row| row.time)
        .with("p, time", ADJUSTED, |row| Cell::probability(row.time_p))
        .with("Nodes ratio", "On to off; less than 1 is a smaller tree", |row| row.nodes)
        .with("p, nodes", ADJUSTED, |row| Cell::probability(row.nodes_p))
        .with("Not told from", "Pairs whose joint effect the design cannot tell from this one", |row| {
            row.aliases.join(", ")
        });
    let explanation = format!(
        "The ratio with the switch on to off, over all settings of the others: geometric means with intervals of {} \
         for {}, each interval by itself; p is adjusted by Holm's method. A p that is not small does not show that a \
         switch does nothing.",
        level(),
        analysis.description.interval.name()
    );
    let rows = analysis.effects.iter().filter(|effect| effect.machine == machine.name());
    table(analysis, machine, "Effects of switches", &explanation, columns, rows)
}

/// A value of a field: a number sorts as one.
fn value(text: &str) -> Cell {
    text.parse::<u64>().map_or_else(|_| text.into(), Cell::Count)
}
