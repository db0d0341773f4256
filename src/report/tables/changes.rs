//! Columns of comparisons with the reference and of effects of switches: `comparisons.csv`, a row a configuration
//! beside the reference, and `effects.csv`, a row a switch of a factorial design.

use crate::report::analysis::{Analysis, Comparison, Effect, Explanation, Foretold};
use crate::table::{Cell, Columns, columns};

use super::groups::{kind_of, tenths};

const BY_CHANCE: &str =
    "probability that chance alone gives a difference at least as large, adjusted for all claims of the report (Holm)";
const INTERVAL: &str = "positions for which the intervals hold; empty if there are none";

/// Columns of `comparisons.csv`.
pub(super) fn comparisons(analysis: &Analysis) -> Columns<'_, &Comparison> {
    let group = |row: &&Comparison| &analysis.groups[row.group];
    let reference = |row: &&Comparison| &analysis.groups[row.reference];
    columns! { &Comparison, row;
        "group": "the place of the configuration in summary.csv" => row.group;
        "label" as "Configuration" [optional]: "what distinguishes the configuration in this experiment" =>
            group(row).label.clone();
        "reference": "the place of the reference in summary.csv" => row.reference;
        "reference_label": "what distinguishes the reference in this experiment" => reference(row).label.clone();
        "machine": "real or virtual" => group(row).configuration.machine.name();
        "threads" as "CPUs": "the number of processors" => group(row).configuration.threads;
        "field": "field in which the two differ" => row.field.clone();
        "value": "value of the field" => row.value.clone();
        "reference_value": "value of the field in the reference" => reference(row).configuration.field(&row.field);
        "change" as "Value": "the part of the value in which it differs from the reference's" =>
            Cell::word(&row.change);
        "speedup_ratio" as "Speedup ratio" [optional with_ends]:
            "time speedup divided by the reference's, each relative to its own baseline" => row.speedup;
        "time_ratio" as "Time ratio" [with_ends]: "time relative to the reference; less than 1 is faster" => row.time;
        "time_p" as "p, time" [optional]: BY_CHANCE => Cell::probability(row.time_p);
        "nodes_ratio" as "Nodes ratio" [with_ends]:
            "nodes relative to the reference; less than 1 is a smaller tree" => row.nodes;
        "nodes_p" as "p, nodes" [optional]: BY_CHANCE => Cell::probability(row.nodes_p);
        "nps_ratio" as "NPS ratio" [optional with_ends]: "nodes per second relative to the reference" => row.nps;
        "regret_difference_cp" as "Extra regret" [optional with_ends]:
            "regret minus that of the reference, in centipawns; above 0 is worse" =>
            row.regret.map(|regret| regret.difference);
        "regret_bound_cp" as "Bound" [optional]:
            "one-sided 95 % upper bound of that difference; it allows for one blunder more than was seen" =>
            row.regret.and_then(|regret| regret.upper).map(tenths);
        "moves_verdict" as "Moves" [optional]:
            "not worse (the bound is below the margin), worse (the lower bound is above 0) or not shown" =>
            row.regret.map(|regret| regret.verdict.name());
        "interval": INTERVAL => kind_of(analysis, row.time);
    }
}

/// Figure that a curve foretells.
pub(super) type Prediction<'a> = (&'a Explanation, &'a Foretold);

/// Columns of `predictions.csv`.
pub(super) fn predictions(analysis: &Analysis) -> Columns<'_, Prediction<'_>> {
    columns! { Prediction<'_>, row;
        "source": "published table" => row.0.source;
        "label": "what distinguishes the curve in this experiment" => analysis.curves[row.0.curve].label.clone();
        "is_best": "1 if, in the half that chooses, this curve has the smallest misfit of its machine" =>
            u32::from(row.0.is_best);
        "misfit": "root mean square of the logarithms of published / predicted nodes and speeds, in the half that \
                   chooses"
            => row.0.misfit;
        "cpus": "the number of processors" => row.1.cpus;
        "figure": "nodes and speed relative to one processor; hash, order and quiescence as differences of shares"
            => row.1.figure;
        "half": "use of the row: it chooses among curves, or judges the chosen one" => half(row.1);
        "searched": "1 if this number of processors was searched, 0 if it lies between two that were"
            => u32::from(row.1.is_searched);
        "published": "the published value" => row.1.published * unit(row.1);
        "predicted" [with_ends]: "prediction for one further run, with its prediction interval"
            => row.1.predicted.map(|value| value * unit(row.1));
        "inside": "1 if the published value lies in the prediction interval" => u32::from(row.1.is_inside());
    }
}

/// Factor that makes fractions of what is in hundredths.
fn unit(row: &Foretold) -> f64 {
    if row.is_ratio() { 1.0 } else { 0.01 }
}

/// Name of the half of a published table to which a row belongs.
pub(super) fn half(row: &Foretold) -> &'static str {
    if row.judges() { "judges" } else { "chooses" }
}

/// Columns of `effects.csv`.
pub(super) fn effects(analysis: &Analysis) -> Columns<'_, &Effect> {
    columns! { &Effect, row;
        "factor": "switch of the design" => row.factor.clone();
        "machine": "kind of machine, and what else distinguishes the setting" => row.setting.clone();
        "threads" as "CPUs": "the number of processors" => row.threads;
        "time_ratio" as "Time ratio" [with_ends]:
            "time with the switch on relative to off; less than 1 is faster" => row.time;
        "time_p" as "p, time": BY_CHANCE => Cell::probability(row.time_p);
        "nodes_ratio" as "Nodes ratio" [with_ends]:
            "nodes with the switch on relative to off; less than 1 is a smaller tree" => row.nodes;
        "nodes_p" as "p, nodes": BY_CHANCE => Cell::probability(row.nodes_p);
        "aliases" as "Confounded with":
            "pairs of switches whose interaction the design cannot separate from this effect" => row.aliases.join("; ");
        "interval": INTERVAL => kind_of(analysis, row.time);
    }
}
