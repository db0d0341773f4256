//! Ratios of one configuration to another with their intervals, and how likely they are by chance: the comparisons with
//! the reference and the effects of switches.

use super::marked;
use crate::record::MachineKind;
use crate::report::analysis::Analysis;
use crate::report::page::numbers::{level, probability};
use crate::report::page::table::{Column, Entry, Table};

const ADJUSTED: &str = "How likely so large a difference is by chance, adjusted for all of them (Holm)";

/// Each configuration against the experiment's reference.
pub fn comparisons(analysis: &Analysis, machine: MachineKind) -> Table {
    let columns = vec![
        Column::words("Field", "In what they differ"),
        Column::words("Value", ""),
        Column::words("Reference", "The value that it is compared with"),
        Column::words("Configuration", ""),
        Column::numbers("CPUs", "Processors"),
        Column::numbers("Time ratio", "Less than 1 is faster"),
        Column::numbers("p, time", ADJUSTED),
        Column::numbers("Nodes ratio", "Less than 1 is a smaller tree"),
        Column::numbers("p, nodes", ADJUSTED),
        Column::numbers("Speedup ratio", "Of time speedups, each against its own baseline"),
    ];
    let explanation = format!(
        "Ratios to the reference, paired by position and seed: geometric means with intervals of {} for {}, each \
         interval by itself; p is adjusted by Holm's method. A p that is not small does not show that two are equal.",
        level(),
        analysis.description.interval.name()
    );
    let mut table = super::table(analysis, machine, "Comparisons", &explanation, columns);
    for comparison in &analysis.comparisons {
        let Some(group) = analysis.groups.get(comparison.group) else { continue };
        if group.configuration.machine != machine {
            continue;
        }
        let entries = vec![
            Entry::words(marked(&comparison.field, machine)),
            value(&comparison.change),
            value(&comparison.from),
            Entry::words(group.label.as_str()),
            Entry::count(group.configuration.threads.into()),
            Entry::interval(&comparison.time),
            Entry::maybe(comparison.time_p, p_value),
            Entry::interval(&comparison.nodes),
            Entry::maybe(comparison.nodes_p, p_value),
            comparison.speedup.map_or_else(|| Entry::words("–"), |speedup| Entry::interval(&speedup)),
        ];
        table.row(entries);
    }
    table
}

/// What each switch does.
pub fn effects(analysis: &Analysis, machine: MachineKind) -> Table {
    let columns = vec![
        Column::words("Switch", ""),
        Column::numbers("CPUs", "Processors"),
        Column::numbers("Time ratio", "On to off; less than 1 is faster"),
        Column::numbers("p, time", ADJUSTED),
        Column::numbers("Nodes ratio", "On to off; less than 1 is a smaller tree"),
        Column::numbers("p, nodes", ADJUSTED),
        Column::words("Not told from", "Pairs whose joint effect the design cannot tell from this one"),
    ];
    let explanation = format!(
        "The ratio with the switch on to off, over all settings of the others: geometric means with intervals of {} \
         for {}, each interval by itself; p is adjusted by Holm's method. A p that is not small does not show that a \
         switch does nothing.",
        level(),
        analysis.description.interval.name()
    );
    let mut table = super::table(analysis, machine, "Effects of switches", &explanation, columns);
    for effect in analysis.effects.iter().filter(|effect| effect.machine == machine.name()) {
        let entries = vec![
            Entry::words(marked(&effect.factor, machine)),
            Entry::count(effect.threads.into()),
            Entry::interval(&effect.time),
            Entry::maybe(effect.time_p, p_value),
            Entry::interval(&effect.nodes),
            Entry::maybe(effect.nodes_p, p_value),
            Entry::words(effect.aliases.join(", ")),
        ];
        table.row(entries);
    }
    table
}

/// A value of a field: a number sorts as one.
fn value(text: &str) -> Entry {
    match text.parse::<f64>() {
        Ok(number) => Entry::number(text.to_owned(), number),
        Err(_) => Entry::words(text),
    }
}

fn p_value(p: f64) -> Entry {
    Entry::number(probability(p), p)
}
