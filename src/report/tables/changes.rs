//! Columns of comparisons with the reference and of effects of switches: `comparisons.csv`, a row a configuration
//! beside the reference, and `effects.csv`, a row a switch of a factorial design.

use crate::report::analysis::{Analysis, Comparison, Effect};
use crate::table::{Cell, Columns, columns};

use super::groups::kind_of;

const BY_CHANCE: &str = "probability of a difference at least as large by chance, adjusted for all in the table (Holm)";
const INTERVAL: &str = "positions for which the intervals hold; empty if there are none";

/// Columns of `comparisons.csv`.
pub(super) fn comparisons(analysis: &Analysis) -> Columns<'_, &Comparison> {
    let group = |row: &&Comparison| &analysis.groups[row.group];
    let reference = |row: &&Comparison| &analysis.groups[row.reference];
    columns! { &Comparison, row;
        "group": "the place of the configuration in summary.csv" => row.group;
        "label" as "Configuration" [optional]: "what distinguishes it in this experiment" => group(row).label.clone();
        "reference": "the place of the reference in summary.csv" => row.reference;
        "reference_label": "what distinguishes the reference in this experiment" => reference(row).label.clone();
        "machine": "real or virtual" => group(row).configuration.machine.name();
        "threads" as "CPUs": "the number of processors" => group(row).configuration.threads;
        "field": "field in which the two differ" => row.field.clone();
        "value": "value of the field" => row.value.clone();
        "reference_value": "value of the field in the reference" => reference(row).configuration.field(&row.field);
        "change" as "Value": "what distinguishes the value from that of the reference" => Cell::word(&row.change);
        "speedup_ratio" as "Speedup ratio" [optional with_ends]:
            "time speedup relative to the reference's, each against its own baseline" => row.speedup;
        "time_ratio" as "Time ratio" [with_ends]: "time relative to the reference; less than 1 is faster" => row.time;
        "time_p" as "p, time" [optional]: BY_CHANCE => Cell::probability(row.time_p);
        "nodes_ratio" as "Nodes ratio" [with_ends]:
            "nodes relative to the reference; less than 1 is a smaller tree" => row.nodes;
        "nodes_p" as "p, nodes" [optional]: BY_CHANCE => Cell::probability(row.nodes_p);
        "interval": INTERVAL => kind_of(analysis, row.time);
    }
}

/// Columns of `effects.csv`.
pub(super) fn effects(analysis: &Analysis) -> Columns<'_, &Effect> {
    columns! { &Effect, row;
        "factor": "switch of the design" => row.factor.clone();
        "machine": "kind of machine, real or virtual" => row.machine.clone();
        "threads" as "CPUs": "the number of processors" => row.threads;
        "time_ratio" as "Time ratio" [with_ends]:
            "time with the switch on relative to off; less than 1 is faster" => row.time;
        "time_p" as "p, time": BY_CHANCE => Cell::probability(row.time_p);
        "nodes_ratio" as "Nodes ratio" [with_ends]:
            "nodes with the switch on relative to off; less than 1 is a smaller tree" => row.nodes;
        "nodes_p" as "p, nodes": BY_CHANCE => Cell::probability(row.nodes_p);
        "aliases" as "Not told from":
            "pairs of switches whose joint effect cannot be told from this one" => row.aliases.join("; ");
        "interval": INTERVAL => kind_of(analysis, row.time);
    }
}
