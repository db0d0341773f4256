//! Columns of configurations and of their positions: those of `summary.csv`, a row a configuration, and of
//! `positions.csv`, a row a configuration and position. Tables for readers show some of them.

use crate::report::analysis::{
    ACTIVITIES, AgainstBaseline, Analysis, Group, LOSSES, Means, PositionRow, ThesisColumns,
};
use crate::statistics::Interval;
use crate::table::{Cell, Columns, Digits, columns};

use super::columns::{configured, plies};

/// Row of a configuration.
pub(super) struct GroupRow<'a> {
    pub place: usize,
    pub label: String,
    pub group: &'a Group,
}

/// Row of a position that was searched with a configuration.
pub(super) struct InPosition<'a> {
    pub place: usize,
    pub label: String,
    pub group: &'a Group,
    pub position: &'a PositionRow,
}

/// Columns of `summary.csv`.
pub(super) fn summary(analysis: &Analysis) -> Columns<'_, GroupRow<'_>> {
    let first = columns! { GroupRow<'_>, row;
        "group": "the place of the configuration among all, from 0" => row.place;
        "label" as "Curve":
            "what distinguishes it in this experiment, without the number of processors" => row.label.clone();
    };
    let counts = columns! { GroupRow<'_>, row;
        "runs" as "Runs": "searches that count" => row.group.runs;
        "positions" as "Positions": "positions that were measured" => row.group.positions;
        "failed" as "Failed": "cells that failed" => row.group.failed;
        "cut" as "Cut off": "searches that the limit cut off" => row.group.limited.cut;
        "baseline_cut" as "Baseline cut off": "searches of its baseline that the limit cut off" =>
            row.group.limited.baseline_cut;
        "time_speedup_bound" as "Time speedup is":
            "side on which a time speedup with searches that were cut off is bounded: at most or at least" =>
            row.group.limited.bound.map(|bound| bound.side.words());
        "time_speedup_bound_at" as "this": "end of its 95 % interval on that side" =>
            row.group.limited.bound.map(|bound| bound.ratio);
        "mean_depth" as "Depth reached" [with_ends]:
            "mean depth reached in plies, of searches limited by time or nodes" => row.group.limited.depth;
        "depth_gain" as "Deeper by" [with_ends]: "plies by which that is deeper than the baseline" =>
            row.group.limited.depth_gain;
        "disturbed" as "Disturbed": "searches that count although something disturbed them" => row.group.disturbed;
        "cpus" as "CPUs": "the number of processors" => row.group.configuration.threads;
    };
    let thesis = thesis().and(thesis_intervals()).of(|row: &GroupRow<'_>| Some(&row.group.thesis));
    let ratios = ratios(analysis).of(|row: &GroupRow<'_>| row.group.against_baseline.as_ref());
    let means = means().of(|row: &GroupRow<'_>| Some(&row.group.means));
    let more = table().and(shares()).of(|row: &GroupRow<'_>| Some(&row.group.means));
    let configured = configured(|row: &GroupRow<'_>| &row.group.configuration, |row| plies(&row.group.configuration));
    first.and(configured).and(counts).and(thesis).and(means).and(ratios).and(more)
}

/// Figure that is in hundredths.
fn hundredths(value: f64) -> Cell {
    Cell::Number(value, Digits::Decimals(1))
}

/// Columns of the thesis's tables.
pub(super) fn thesis() -> Columns<'static, ThesisColumns> {
    let estimate = |column: Option<Interval>| column.map(|interval| interval.estimate);
    columns! { ThesisColumns, of;
        "nps" as "NPS": "nodes a second, nodes counted as the thesis does" => estimate(of.nps).map(Cell::whole);
        "speedup" as "Speedup":
            "nps / nps of the baseline: a ratio of throughputs, not of times" => estimate(of.nps_speedup);
        "nodes" as "Nodes": "nodes as the thesis counts them: quiescence moves when tried" =>
            estimate(of.nodes).map(Cell::whole);
        "time_s" as "Time": "seconds of the machine" => estimate(of.time_s);
        "hash_pct" as "Hash": "hash hits by the thesis's formula" => estimate(of.hash_pct).map(hundredths);
        "order_pct" as "Order": "move ordering by the thesis's formula" => estimate(of.order_pct).map(hundredths);
        "qn_pct" as "Qn": "share of quiescence by the thesis's formula" => estimate(of.qn_pct).map(hundredths);
    }
}

fn thesis_intervals() -> Columns<'static, ThesisColumns> {
    Columns::new()
        .ends("nps", |of: &ThesisColumns| of.nps)
        .ends("speedup", |of| of.nps_speedup)
        .ends("nodes", |of| of.nodes)
        .with("nodes_of_means", "mean nodes / mean nodes of the baseline", |of| of.nodes_ratio)
        .with_ends()
        .ends("time_s", |of| of.time_s)
        .ends("hash_pct", |of| of.hash_pct)
        .ends("order_pct", |of| of.order_pct)
        .ends("qn_pct", |of| of.qn_pct)
}

fn means() -> Columns<'static, Means> {
    columns! { Means, means;
        "own_nps" as "NPS": "nodes a second" => Cell::whole(means.nps);
        "own_nodes" as "Nodes":
            "entries into the main search and legal moves made in quiescence" => Cell::whole(means.nodes);
        "own_time_s" as "Time": "seconds of the machine" => means.time_s;
        "own_hash_pct" as "Hash, %": "probes that ended the node, in hundredths" => hundredths(means.hash_pct);
        "own_order_pct" as "Order, %": "nodes that the first move cut, in hundredths of those that a move cut" =>
            hundredths(means.order_pct);
        "own_qn_pct" as "Qn, %": "nodes of quiescence in hundredths of all" => hundredths(means.qn_pct);
    }
}

fn ratios(analysis: &Analysis) -> Columns<'_, AgainstBaseline> {
    columns! { AgainstBaseline, ratios;
        "time_speedup" as "Time speedup" [with_ends]:
            "how many times as fast as the baseline to the same depth; empty without one" => ratios.time_speedup;
        "nodes_ratio" as "Nodes" [with_ends]: "nodes relative to the baseline: 1 + search overhead" => ratios.nodes;
        "nps_speedup_geometric" as "NPS" [optional with_ends]:
            "nodes a second relative to the baseline" => ratios.nps_speedup;
        "interval": "for what the intervals hold; empty if there are none" => kind_of(analysis, ratios.time_speedup);
        "ratio_of_sums" as "Ratio of sums":
            "sum of mean times of the baseline / sum of mean times" => ratios.ratio_of_sums;
        "mean_of_ratios" as "Mean of ratios":
            "the arithmetic mean of the positions' time speedups" => ratios.mean_of_ratios;
        "median" as "Median": "the median of the positions' time speedups" => ratios.median;
        "factor_processors":
            "time speedup = this x utilisation x productive x rate / nodes" => ratios.factors.processors;
        "factor_utilisation" as "Utilisation" [with_ends]:
            "the share of time spent searching or splitting, relative to the baseline" => ratios.factors.utilisation.ratio;
        "factor_productive" as "Productive" [with_ends]:
            "the share of that spent searching, relative to the baseline" => ratios.factors.productive.ratio;
        "factor_rate" as "Rate" [with_ends]:
            "nodes in a second of searching, relative to the baseline" => ratios.factors.rate.ratio;
        "factor_clock" as "Clock" [with_ends]:
            "cycles in a second of processor time, relative to the baseline: a part of factor_rate" =>
            ratios.cycles.map(|cycles| cycles.clock);
        "factor_nodes_per_cycle" as "Nodes a cycle" [with_ends]:
            "nodes in a second of searching at equal clocks, relative to the baseline: the rest of factor_rate" =>
            ratios.cycles.map(|cycles| cycles.nodes_per_cycle);
        "factor_nodes" [with_ends]: "nodes, relative to the baseline" => ratios.factors.nodes.ratio;
        "same_move" as "Same move, %":
            "the share of runs that chose the move that most baselines chose" => Cell::share(ratios.same_move);
    }
}

fn table() -> Columns<'static, Means> {
    let tiers = [
        ("found", "probes that found the position, of all"),
        ("deep", "probes that found it searched deep enough"),
        ("ended", "probes that ended the node"),
    ];
    let mut columns = Columns::new();
    for (tier, (name, meaning)) in tiers.into_iter().enumerate() {
        let share = move |means: &Means| Cell::share(means.table.tiers[tier]);
        columns = columns.with(format!("{name}_share"), meaning, share).heading(format!("{name}, %"));
    }
    for (tier, (name, _)) in tiers.into_iter().enumerate() {
        let meaning = "with audit: those of them whose entry another worker had written";
        let share = move |means: &Means| Cell::share(means.table.foreign[tier]);
        columns = columns.with(format!("{name}_foreign_share"), meaning, share).heading(format!("{name} of others, %"));
    }
    columns.and(columns! { Means, means;
        "torn_rejected" as "torn, rejected":
            "with audit: probes in a million of a torn entry whose check failed" => means.table.torn_rejected;
        "torn_accepted" as "torn, accepted":
            "with audit: probes in a million of a torn entry whose check passed" => means.table.torn_accepted;
        "torn_standing" as "torn, standing":
            "with audit: slots at the end whose two words are of different stores" => means.table.torn_standing;
    })
}

fn shares() -> Columns<'static, Means> {
    let mut columns = Columns::new();
    for (at, (name, meaning, _)) in ACTIVITIES.into_iter().enumerate() {
        let meaning = format!("the share of all processors' time spent {meaning}");
        let share = move |means: &Means| Cell::share(means.activities[at]);
        columns = columns.with(format!("share_{name}"), &meaning, share).heading(format!("{name}, %"));
    }
    for (class, meaning) in LOSSES {
        let meaning = format!("{meaning}, as a share of all");
        let share = move |means: &Means| Cell::share(means.losses.get(class).copied());
        let heading = format!("{}, %", class.replace('_', " "));
        columns = columns.with(format!("lost_{class}"), &meaning, share).heading(heading);
    }
    columns.and(columns! { Means, means;
        "splits_per_million" as "Splits": "split points in a million nodes" => means.splits_per_million;
        "cut_share" as "Cut, %": "the share of split points at which a move cut" => Cell::share(means.cut_share);
        "helpers" as "Helpers": "helpers a split point" => means.helpers;
        "stop_latency_us" as "Stop, µs":
            "microseconds from a cutoff or the end to the moment a worker noticed" => means.stop_latency_us;
    })
}

/// Columns of `positions.csv`.
pub(super) fn positions<'a>() -> Columns<'a, InPosition<'a>> {
    let first = columns! { InPosition<'_>, row;
        "group": "the place of the configuration in summary.csv" => row.place;
        "label" as "Configuration": "what distinguishes it in this experiment" => row.label.clone();
    };
    let configured = configured(|row: &InPosition<'_>| &row.group.configuration, |row| plies(&row.group.configuration));
    first.and(configured).and(columns! { InPosition<'_>, row;
        "position" as "Position": "the id of the position" => row.position.position.clone();
        "runs" as "Runs": "searches that count" => row.position.runs;
        "cut" as "Cut off": "searches that the limit cut off; then times and nodes are not known" => row.position.cut;
        "time_s" as "Time": "the mean of their times, in seconds of the machine" => row.position.time_s;
        "nodes" as "Nodes": "the mean of their nodes" => Cell::whole(row.position.nodes);
        "time_speedup" as "Time speedup": "how many times as fast as the baseline" => row.position.time_speedup;
        "nodes_ratio" as "Nodes ratio": "nodes relative to the baseline" => row.position.nodes_ratio;
        "z_score" as "Modified z":
            "0.6745 (x - median) / median absolute deviation of the logarithm of its speedup among the positions" =>
            row.position.z_score;
        "outlier": "1 if a test shows its speedup to lie far from those of the others" =>
            u32::from(row.position.is_outlier);
        "moves": "the moves chosen, with how often" => {
            let moves = row.position.moves.iter().map(|(chosen, count)| format!("{chosen} {count}"));
            moves.collect::<Vec<_>>().join("; ")
        };
    })
}

/// Name of the kind of interval that the experiment asks for, where there is one.
pub(super) fn kind_of(analysis: &Analysis, interval: Interval) -> Option<&'static str> {
    interval.is_known().then(|| analysis.description.interval.name())
}
