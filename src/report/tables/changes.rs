//! `comparisons.csv`, a row a configuration beside the reference, and `effects.csv`, a row a switch of a factorial design.

use crate::report::analysis::{Analysis, Comparison, Effect, Group};
use crate::table::{Columns, Table};

use super::groups::kind_of;

const BY_CHANCE: &str = "how likely so large a difference is by chance, adjusted for all in the table (Holm)";

/// Table of `comparisons.csv`.
pub(super) fn comparisons(analysis: &Analysis) -> Table {
    let group = |row: &&Comparison| -> &Group { &analysis.groups[row.group] };
    let reference = |row: &&Comparison| -> &Group { &analysis.groups[row.reference] };
    Columns::new()
        .with("group", "the place of the configuration in summary.csv", |row: &&Comparison| row.group)
        .with("label", "what distinguishes it in this experiment", move |row| group(row).label.as_str())
        .with("reference", "the place of the reference in summary.csv", |row| row.reference)
        .with("reference_label", "what distinguishes that", move |row| reference(row).label.as_str())
        .with("machine", "real or virtual", move |row| group(row).configuration.machine.name())
        .with("threads", "the number of processors", move |row| group(row).configuration.threads)
        .with("field", "the field in which they differ", |row| row.field.as_str())
        .with("value", "its value", |row| row.value.as_str())
        .with("reference_value", "its value in the reference", move |row| {
            reference(row).configuration.field(&row.field)
        })
        .with("change", "what distinguishes it from that of the reference", |row| row.change.as_str())
        .estimate("speedup_ratio", "time speedup relative to the reference's, each against its own baseline", |row| {
            row.speedup
        })
        .estimate("time_ratio", "time relative to the reference", |row| row.time)
        .with("time_p", BY_CHANCE, |row| row.time_p)
        .estimate("nodes_ratio", "nodes relative to the reference", |row| row.nodes)
        .with("nodes_p", BY_CHANCE, |row| row.nodes_p)
        .with("interval", "for what the intervals hold; empty if there are none", |row| kind_of(analysis, row.time))
        .table("", "", &analysis.comparisons)
}

/// Table of `effects.csv`.
pub(super) fn effects(analysis: &Analysis) -> Table {
    Columns::new()
        .with("factor", "the switch", |row: &&Effect| row.factor.as_str())
        .with("machine", "on what it was measured", |row| row.machine.as_str())
        .with("threads", "the number of processors", |row| row.threads)
        .estimate("time_ratio", "time with the switch on relative to off", |row| row.time)
        .with("time_p", BY_CHANCE, |row| row.time_p)
        .estimate("nodes_ratio", "nodes with the switch on relative to off", |row| row.nodes)
        .with("nodes_p", BY_CHANCE, |row| row.nodes_p)
        .with("aliases", "pairs of switches whose joint effect cannot be told from this one", |row| {
            row.aliases.join("; ")
        })
        .with("interval", "for what the intervals hold; empty if there are none", |row| kind_of(analysis, row.time))
        .table("", "", &analysis.effects)
}
