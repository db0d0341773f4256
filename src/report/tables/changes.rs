//! `comparisons.csv`, a row a configuration beside the reference, and `effects.csv`, a row a switch of a factorial design.

use std::io;

use crate::report::analysis::{Analysis, Comparison, Effect, Group};

use super::columns::{Column, column, csv, documented};
use super::groups::kind_of;
use super::numbers::{exact, exact_or_empty};

/// The name of the table of comparisons.
pub(super) const COMPARISONS: &str = "comparisons.csv";
/// The name of the table of effects.
pub(super) const EFFECTS: &str = "effects.csv";

struct ComparisonRow<'a> {
    analysis: &'a Analysis,
    comparison: &'a Comparison,
}

struct EffectRow<'a> {
    effect: &'a Effect,
    /// For what intervals hold.
    interval: &'static str,
}

/// The table of comparisons.
pub fn comparisons_csv(analysis: &Analysis) -> io::Result<Vec<u8>> {
    csv(&comparison_columns(), analysis.comparisons.iter().map(|comparison| ComparisonRow { analysis, comparison }))
}

/// The table of effects.
pub fn effects_csv(analysis: &Analysis) -> io::Result<Vec<u8>> {
    let interval = analysis.description.interval.name();
    csv(&effect_columns(), analysis.effects.iter().map(|effect| EffectRow { effect, interval }))
}

/// What the columns of both mean.
pub(super) fn documentation() -> String {
    let comparisons = "A row a configuration and the reference that it differs from in one field, paired by position, seed \
                       and repetition. There is no such file if the experiment names no reference.";
    let effects = "A row a switch of a factorial design: on relative to off, over all settings of the others. There is no \
                   such file if the experiment has no such design.";
    let comparisons = documented(COMPARISONS, comparisons, &comparison_columns());
    format!("{comparisons}\n{}", documented(EFFECTS, effects, &effect_columns()))
}

fn comparison_columns<'a>() -> Vec<Column<ComparisonRow<'a>>> {
    vec![
        column("group", "the place of the configuration in summary.csv", |row: &ComparisonRow<'a>| {
            row.comparison.group.to_string()
        }),
        column("label", "what distinguishes it in this experiment", |row| row.group().label.clone()),
        column("reference", "the place of the reference in summary.csv", |row| row.comparison.reference.to_string()),
        column("reference_label", "what distinguishes that", |row| row.reference().label.clone()),
        column("machine", "real or virtual", |row| row.group().configuration.field("machine")),
        column("threads", "the number of processors", |row| row.group().configuration.field("threads")),
        column("field", "the field in which they differ", |row| row.comparison.field.clone()),
        column("value", "its value", |row| row.comparison.value.clone()),
        column("reference_value", "its value in the reference", |row| {
            row.reference().configuration.field(&row.comparison.field)
        }),
        column("change", "what distinguishes it from that of the reference", |row| row.comparison.change.clone()),
        column(
            "speedup_ratio",
            "the time speedup relative to that of the reference, each against its own baseline",
            |row| row.comparison.speedup.map(|speedup| exact(speedup.estimate)).unwrap_or_default(),
        ),
        column("speedup_ratio_low", "the lower end of its 95 % interval", |row| {
            row.comparison.speedup.map(|speedup| exact(speedup.low)).unwrap_or_default()
        }),
        column("speedup_ratio_high", "the upper end", |row| {
            row.comparison.speedup.map(|speedup| exact(speedup.high)).unwrap_or_default()
        }),
        column("time_ratio", "time relative to the reference", |row| exact(row.comparison.time.estimate)),
        column("time_ratio_low", "the lower end of its 95 % interval", |row| exact(row.comparison.time.low)),
        column("time_ratio_high", "the upper end", |row| exact(row.comparison.time.high)),
        column(
            "time_p",
            "how likely so large a difference is by chance, by Holm adjusted for all comparisons",
            |row| exact_or_empty(row.comparison.time_p),
        ),
        column("nodes_ratio", "nodes relative to the reference", |row| exact(row.comparison.nodes.estimate)),
        column("nodes_ratio_low", "the lower end of its 95 % interval", |row| exact(row.comparison.nodes.low)),
        column("nodes_ratio_high", "the upper end", |row| exact(row.comparison.nodes.high)),
        column(
            "nodes_p",
            "how likely so large a difference is by chance, by Holm adjusted for all comparisons",
            |row| exact_or_empty(row.comparison.nodes_p),
        ),
        column("interval", "for what the intervals hold; empty if there are none", |row| {
            kind_of(row.comparison.time, row.analysis.description.interval.name())
        }),
    ]
}

fn effect_columns<'a>() -> Vec<Column<EffectRow<'a>>> {
    vec![
        column("factor", "the switch", |row: &EffectRow<'a>| row.effect.factor.clone()),
        column("machine", "on what it was measured", |row| row.effect.machine.clone()),
        column("threads", "the number of processors", |row| row.effect.threads.to_string()),
        column("time_ratio", "time with the switch on relative to off", |row| exact(row.effect.time.estimate)),
        column("time_ratio_low", "the lower end of its 95 % interval", |row| exact(row.effect.time.low)),
        column("time_ratio_high", "the upper end", |row| exact(row.effect.time.high)),
        column("time_p", "how likely so large an effect is by chance, by Holm adjusted for all effects", |row| {
            exact_or_empty(row.effect.time_p)
        }),
        column("nodes_ratio", "nodes with the switch on relative to off", |row| exact(row.effect.nodes.estimate)),
        column("nodes_ratio_low", "the lower end of its 95 % interval", |row| exact(row.effect.nodes.low)),
        column("nodes_ratio_high", "the upper end", |row| exact(row.effect.nodes.high)),
        column("nodes_p", "how likely so large an effect is by chance, by Holm adjusted for all effects", |row| {
            exact_or_empty(row.effect.nodes_p)
        }),
        column("aliases", "pairs of switches whose joint effect cannot be told from this one", |row| {
            row.effect.aliases.join("; ")
        }),
        column("interval", "for what the intervals hold; empty if there are none", |row| {
            kind_of(row.effect.time, row.interval)
        }),
    ]
}

impl ComparisonRow<'_> {
    fn group(&self) -> &Group {
        &self.analysis.groups[self.comparison.group]
    }

    fn reference(&self) -> &Group {
        &self.analysis.groups[self.comparison.reference]
    }
}
