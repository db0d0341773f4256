//! Columns of configurations and of their positions: those of `summary.csv`, a row a configuration, and of
//! `positions.csv`, a row a configuration and position. Tables for readers show some of them.

use crate::record::Configuration;
use crate::report::analysis::{ACTIVITIES, AgainstBaseline, Analysis, Group, LOSSES, PositionRow, ThesisColumns};
use crate::statistics::Interval;
use crate::table::{Cell, Columns, Digits, columns};

use super::columns::{Configured, configured};

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
        "disturbed" as "Disturbed": "searches that count although something disturbed them" => row.group.disturbed;
        "cpus" as "CPUs": "the number of processors" => row.group.configuration.threads;
    };
    let thesis = thesis(|row: &GroupRow<'_>| Some(row.group.thesis)).and(thesis_intervals());
    first.and(configured()).and(counts).and(thesis).and(means()).and(ratios(analysis)).and(table()).and(shares())
}

/// Figure that is in hundredths.
fn hundredths(value: f64) -> Cell {
    Cell::Number(value, Digits::Decimals(1))
}

/// Columns of the thesis's tables.
pub(super) fn thesis<'a, R>(of: impl Fn(&R) -> Option<ThesisColumns> + Copy + 'a) -> Columns<'a, R> {
    let estimate = move |row: &R, column: fn(ThesisColumns) -> Option<Interval>| Some(column(of(row)?)?.estimate);
    columns! { R, row;
        "nps" as "NPS":
            "nodes a second, nodes counted as the thesis does" => estimate(row, |of| of.nps).map(Cell::whole);
        "speedup" as "Speedup":
            "nps / nps of the baseline: a ratio of throughputs, not of times" => estimate(row, |of| of.nps_speedup);
        "nodes" as "Nodes": "nodes as the thesis counts them: quiescence moves when tried" =>
            estimate(row, |of| of.nodes).map(Cell::whole);
        "time_s" as "Time": "seconds of the machine" => estimate(row, |of| of.time_s);
        "hash_pct" as "Hash":
            "hash hits by the thesis's formula" => estimate(row, |of| of.hash_pct).map(hundredths);
        "order_pct" as "Order":
            "move ordering by the thesis's formula" => estimate(row, |of| of.order_pct).map(hundredths);
        "qn_pct" as "Qn":
            "share of quiescence by the thesis's formula" => estimate(row, |of| of.qn_pct).map(hundredths);
    }
}

fn thesis_intervals<'a>() -> Columns<'a, GroupRow<'a>> {
    Columns::new()
        .ends("nps", |row: &GroupRow<'_>| row.group.thesis.nps)
        .ends("speedup", |row| row.group.thesis.nps_speedup)
        .ends("nodes", |row| row.group.thesis.nodes)
        .with("nodes_of_means", "mean nodes / mean nodes of the baseline", |row| row.group.thesis.nodes_ratio)
        .with_ends()
        .ends("time_s", |row| row.group.thesis.time_s)
        .ends("hash_pct", |row| row.group.thesis.hash_pct)
        .ends("order_pct", |row| row.group.thesis.order_pct)
        .ends("qn_pct", |row| row.group.thesis.qn_pct)
}

fn means<'a>() -> Columns<'a, GroupRow<'a>> {
    columns! { GroupRow<'_>, row;
        "own_nps" as "NPS": "nodes a second" => Cell::whole(row.group.means.nps);
        "own_nodes" as "Nodes":
            "entries into the main search and legal moves made in quiescence" => Cell::whole(row.group.means.nodes);
        "own_time_s" as "Time": "seconds of the machine" => row.group.means.time_s;
        "own_hash_pct" as "Hash, %":
            "probes that ended the node, in hundredths" => hundredths(row.group.means.hash_pct);
        "own_order_pct" as "Order, %": "nodes that the first move cut, in hundredths of those that a move cut" =>
            hundredths(row.group.means.order_pct);
        "own_qn_pct" as "Qn, %": "nodes of quiescence in hundredths of all" => hundredths(row.group.means.qn_pct);
    }
}

fn ratios(analysis: &Analysis) -> Columns<'_, GroupRow<'_>> {
    columns! { GroupRow<'_>, row;
        "time_speedup" as "Time speedup" [with_ends]:
            "how many times as fast as the baseline to the same depth" => row.against(|ratios| ratios.time_speedup);
        "nodes_ratio" as "Nodes" [with_ends]:
            "nodes relative to the baseline: 1 + search overhead" => row.against(|ratios| ratios.nodes);
        "nps_speedup_geometric" as "NPS" [with_ends optional]:
            "nodes a second relative to the baseline" => row.against(|ratios| ratios.nps_speedup);
        "interval": "for what the intervals hold; empty if there are none" =>
            row.against(|ratios| ratios.time_speedup).and_then(|speedup| kind_of(analysis, speedup));
        "ratio_of_sums" as "Ratio of sums":
            "sum of mean times of the baseline / sum of mean times" => row.against(|ratios| ratios.ratio_of_sums);
        "mean_of_ratios" as "Mean of ratios":
            "the arithmetic mean of the positions' time speedups" => row.against(|ratios| ratios.mean_of_ratios);
        "median" as "Median": "the median of the positions' time speedups" => row.against(|ratios| ratios.median);
        "factor_processors": "time speedup = this x utilisation x productive x rate / nodes" =>
            row.against(|ratios| ratios.factors.processors);
        "factor_utilisation" as "Utilisation":
            "the share of time spent searching or splitting, relative to the baseline" =>
            row.against(|ratios| ratios.factors.utilisation);
        "factor_productive" as "Productive": "the share of that spent searching, relative to the baseline" =>
            row.against(|ratios| ratios.factors.productive);
        "factor_rate" as "Rate":
            "nodes in a second of searching, relative to the baseline" => row.against(|ratios| ratios.factors.rate);
        "factor_nodes": "nodes, relative to the baseline" => row.against(|ratios| ratios.factors.nodes);
        "same_move" as "Same move, %": "the share of runs that chose the move that most baselines chose" =>
            Cell::share(row.against(|ratios| ratios.same_move).flatten());
    }
}

fn table<'a>() -> Columns<'a, GroupRow<'a>> {
    let tiers = [
        ("found", "probes that found the position, of all"),
        ("deep", "probes that found it searched deep enough"),
        ("ended", "probes that ended the node"),
    ];
    let mut columns = Columns::new();
    for (tier, (name, meaning)) in tiers.into_iter().enumerate() {
        let share = move |row: &GroupRow<'_>| Cell::share(row.group.means.table.tiers[tier]);
        columns = columns.with(format!("{name}_share"), meaning, share).heading(format!("{name}, %"));
    }
    for (tier, (name, _)) in tiers.into_iter().enumerate() {
        let meaning = "with audit: those of them whose entry another worker had written";
        let share = move |row: &GroupRow<'_>| Cell::share(row.group.means.table.foreign[tier]);
        columns = columns.with(format!("{name}_foreign_share"), meaning, share).heading(format!("{name} of others, %"));
    }
    columns.and(columns! { GroupRow<'_>, row;
        "torn_rejected" as "torn, rejected": "with audit: probes in a million of a torn entry whose check failed" =>
            row.group.means.table.torn_rejected;
        "torn_accepted" as "torn, accepted": "with audit: probes in a million of a torn entry whose check passed" =>
            row.group.means.table.torn_accepted;
        "torn_standing" as "torn, standing": "with audit: slots at the end whose two words are of different stores" =>
            row.group.means.table.torn_standing;
    })
}

fn shares<'a>() -> Columns<'a, GroupRow<'a>> {
    let mut columns = Columns::new();
    for (at, (name, meaning, _)) in ACTIVITIES.into_iter().enumerate() {
        let meaning = format!("the share of all processors' time spent {meaning}");
        let share = move |row: &GroupRow<'_>| Cell::share(row.group.means.activities[at]);
        columns = columns.with(format!("share_{name}"), &meaning, share).heading(format!("{name}, %"));
    }
    for (class, meaning) in LOSSES {
        let meaning = format!("{meaning}, as a share of all");
        let share = move |row: &GroupRow<'_>| Cell::share(row.group.means.losses.get(class).copied());
        let heading = format!("{}, %", class.replace('_', " "));
        columns = columns.with(format!("lost_{class}"), &meaning, share).heading(heading);
    }
    columns.and(columns! { GroupRow<'_>, row;
        "splits_per_million" as "Splits": "split points in a million nodes" => row.group.means.splits_per_million;
        "cut_share" as "Cut, %":
            "the share of split points at which a move cut" => Cell::share(row.group.means.cut_share);
        "helpers" as "Helpers": "helpers a split point" => row.group.means.helpers;
        "stop_latency_us" as "Stop, µs":
            "microseconds from a cutoff or the end to the moment a worker noticed" => row.group.means.stop_latency_us;
    })
}

/// Columns of `positions.csv`.
pub(super) fn positions<'a>() -> Columns<'a, InPosition<'a>> {
    let first = columns! { InPosition<'_>, row;
        "group": "the place of the configuration in summary.csv" => row.place;
        "label" as "Configuration": "what distinguishes it in this experiment" => row.label.clone();
    };
    first.and(configured()).and(columns! { InPosition<'_>, row;
        "position" as "Position": "the id of the position" => row.position.position.clone();
        "runs" as "Runs": "searches that count" => row.position.runs;
        "time_s" as "Time": "the mean of their times, in seconds of the machine" => row.position.time_s;
        "nodes" as "Nodes": "the mean of their nodes" => Cell::whole(row.position.nodes);
        "time_speedup" as "Time speedup": "how many times as fast as the baseline" => row.position.time_speedup;
        "nodes_ratio" as "Nodes ratio": "nodes relative to the baseline" => row.position.nodes_ratio;
        "z_score" as "Modified z":
            "modified z-score of its speedup among the positions; beyond 3.5 it is an outlier" => row.position.z_score;
        "moves": "the moves chosen, with how often" => {
            let moves = row.position.moves.iter().map(|(chosen, count)| format!("{chosen} {count}"));
            moves.collect::<Vec<_>>().join("; ")
        };
    })
}

impl Configured for GroupRow<'_> {
    fn configuration(&self) -> &Configuration {
        &self.group.configuration
    }
}

impl Configured for InPosition<'_> {
    fn configuration(&self) -> &Configuration {
        &self.group.configuration
    }
}

impl GroupRow<'_> {
    /// Figure relative to the baseline, where there is one.
    fn against<T>(&self, figure: impl Fn(&AgainstBaseline) -> T) -> Option<T> {
        self.group.against_baseline.as_ref().map(figure)
    }
}

/// Name of the kind of interval that the experiment asks for, where there is one.
pub(super) fn kind_of(analysis: &Analysis, interval: Interval) -> Option<&'static str> {
    interval.is_known().then(|| analysis.description.interval.name())
}
