//! `summary.csv`, a row a configuration, and `positions.csv`, a row a configuration and position.

use crate::record::Configuration;
use crate::report::analysis::{AgainstBaseline, Analysis, Group, PositionRow};
use crate::statistics::Interval;
use crate::table::{Columns, Table};

use super::columns::{ACTIVITIES, Configured, LOSSES, configured};

struct GroupRow<'a> {
    place: usize,
    group: &'a Group,
}

struct InPosition<'a> {
    place: usize,
    group: &'a Group,
    position: &'a PositionRow,
}

/// Table of `summary.csv`.
pub(super) fn summary(analysis: &Analysis) -> Table {
    Columns::new()
        .with("group", "the place of the configuration among all, from 0", |row: &GroupRow<'_>| row.place)
        .with("label", "what distinguishes it in this experiment, without the number of processors", |row| {
            row.group.label.as_str()
        })
        .and(configured())
        .with("runs", "searches that count", |row| row.group.runs)
        .with("positions", "positions that were measured", |row| row.group.positions)
        .with("failed", "cells that failed", |row| row.group.failed)
        .with("disturbed", "searches that count although something disturbed them", |row| row.group.disturbed)
        .and(thesis())
        .and(means())
        .and(ratios(analysis))
        .and(table())
        .and(shares())
        .table("", "", analysis.groups.iter().enumerate().map(|(place, group)| GroupRow { place, group }))
}

fn thesis<'a>() -> Columns<'a, GroupRow<'a>> {
    Columns::new()
        .with("cpus", "the number of processors", |row: &GroupRow<'_>| row.group.configuration.threads)
        .with("nps", "nodes a second, nodes counted as the thesis does", |row| row.group.thesis.nps)
        .with("speedup", "nps / nps of the baseline: a ratio of throughputs, not of times", |row| {
            row.group.thesis.nps_speedup
        })
        .with("nodes", "nodes as the thesis counts them", |row| row.group.thesis.nodes)
        .with("time_s", "seconds of the machine", |row| row.group.thesis.time_s)
        .with("hash_pct", "hash hits by the thesis's formula", |row| row.group.thesis.hash_pct)
        .with("order_pct", "move ordering by the thesis's formula", |row| row.group.thesis.order_pct)
        .with("qn_pct", "share of quiescence by the thesis's formula", |row| row.group.thesis.qn_pct)
        .ends("nps", |row| row.group.thesis_intervals.nps)
        .ends("speedup", |row| row.group.thesis_intervals.nps_speedup)
        .ends("nodes", |row| row.group.thesis_intervals.nodes)
        .estimate("nodes_of_means", "mean nodes / mean nodes of the baseline", |row| {
            row.group.thesis_intervals.nodes_ratio
        })
        .ends("time_s", |row| row.group.thesis_intervals.time_s)
        .ends("hash_pct", |row| row.group.thesis_intervals.hash_pct)
        .ends("order_pct", |row| row.group.thesis_intervals.order_pct)
        .ends("qn_pct", |row| row.group.thesis_intervals.qn_pct)
}

fn means<'a>() -> Columns<'a, GroupRow<'a>> {
    Columns::new()
        .with("own_nps", "nodes a second", |row: &GroupRow<'_>| row.group.means.nps)
        .with("own_nodes", "entries into the main search and legal moves made in quiescence", |row| {
            row.group.means.nodes
        })
        .with("own_time_s", "seconds of the machine", |row| row.group.means.time_s)
        .with("own_hash_pct", "probes that ended the node, in hundredths", |row| row.group.means.hash_pct)
        .with("own_order_pct", "nodes that the first move cut, in hundredths of those that a move cut", |row| {
            row.group.means.order_pct
        })
        .with("own_qn_pct", "nodes of quiescence in hundredths of all", |row| row.group.means.qn_pct)
}

fn ratios(analysis: &Analysis) -> Columns<'_, GroupRow<'_>> {
    Columns::new()
        .estimate("time_speedup", "how many times as fast as the baseline", |row: &GroupRow<'_>| {
            row.against(|ratios| ratios.time_speedup)
        })
        .estimate("nodes_ratio", "nodes relative to the baseline: 1 + search overhead", |row| {
            row.against(|ratios| ratios.nodes)
        })
        .estimate("nps_speedup_geometric", "nodes a second relative to the baseline", |row| {
            row.against(|ratios| ratios.nps_speedup)
        })
        .with("interval", "for what the intervals hold; empty if there are none", |row| {
            row.against(|ratios| ratios.time_speedup).and_then(|speedup| kind_of(analysis, speedup))
        })
        .with("ratio_of_sums", "sum of mean times of the baseline / sum of mean times", |row| {
            row.against(|ratios| ratios.ratio_of_sums)
        })
        .with("mean_of_ratios", "the arithmetic mean of the positions' time speedups", |row| {
            row.against(|ratios| ratios.mean_of_ratios)
        })
        .with("median", "the median of the positions' time speedups", |row| row.against(|ratios| ratios.median))
        .with("factor_processors", "time speedup = this x utilisation x productive x rate / nodes", |row| {
            row.against(|ratios| ratios.factors.processors)
        })
        .with("factor_utilisation", "the share of time spent searching or splitting, relative to the baseline", |row| {
            row.against(|ratios| ratios.factors.utilisation)
        })
        .with("factor_productive", "the share of that spent searching, relative to the baseline", |row| {
            row.against(|ratios| ratios.factors.productive)
        })
        .with("factor_rate", "nodes in a second of searching, relative to the baseline", |row| {
            row.against(|ratios| ratios.factors.rate)
        })
        .with("factor_nodes", "nodes, relative to the baseline", |row| row.against(|ratios| ratios.factors.nodes))
        .with("same_move", "the share of runs that chose the move that most baselines chose", |row| {
            row.against(|ratios| ratios.same_move)
        })
}

fn table<'a>() -> Columns<'a, GroupRow<'a>> {
    let foreign = "with audit: those of them whose entry another worker had written";
    Columns::new()
        .with("found_share", "probes that found the position, of all", |row: &GroupRow<'_>| {
            row.group.means.table.tiers[0]
        })
        .with("deep_share", "probes that found it searched deep enough", |row| row.group.means.table.tiers[1])
        .with("ended_share", "probes that ended the node", |row| row.group.means.table.tiers[2])
        .with("found_foreign_share", foreign, |row| row.group.means.table.foreign[0])
        .with("deep_foreign_share", foreign, |row| row.group.means.table.foreign[1])
        .with("ended_foreign_share", foreign, |row| row.group.means.table.foreign[2])
        .with("torn_rejected", "with audit: probes in a million of a torn entry whose check failed", |row| {
            row.group.means.table.torn_rejected
        })
        .with("torn_accepted", "with audit: probes in a million of a torn entry whose check passed", |row| {
            row.group.means.table.torn_accepted
        })
        .with("torn_standing", "with audit: slots at the end whose two words are of different stores", |row| {
            row.group.means.table.torn_standing
        })
}

fn shares<'a>() -> Columns<'a, GroupRow<'a>> {
    let mut columns = Columns::new();
    for (at, (name, meaning, _)) in ACTIVITIES.into_iter().enumerate() {
        let meaning = format!("the share of all processors' time spent {meaning}");
        columns =
            columns.with(format!("share_{name}"), &meaning, move |row: &GroupRow<'_>| row.group.means.activities[at]);
    }
    for (class, meaning) in LOSSES {
        let share = move |row: &GroupRow<'_>| row.group.means.losses.get(class).copied();
        columns = columns.with(format!("lost_{class}"), &format!("{meaning}, as a share of all"), share);
    }
    columns
        .with("splits_per_million", "split points in a million nodes", |row| row.group.means.splits_per_million)
        .with("cut_share", "the share of split points at which a move cut", |row| row.group.means.cut_share)
        .with("helpers", "helpers a split point", |row| row.group.means.helpers)
        .with("stop_latency_us", "microseconds from a cutoff or the end to the moment a worker noticed", |row| {
            row.group.means.stop_latency_us
        })
}

/// Table of `positions.csv`.
pub(super) fn positions(analysis: &Analysis) -> Table {
    let rows =
        analysis.groups.iter().enumerate().flat_map(|(place, group)| {
            group.by_position.iter().map(move |position| InPosition { place, group, position })
        });
    Columns::new()
        .with("group", "the place of the configuration in summary.csv", |row: &InPosition<'_>| row.place)
        .with("label", "what distinguishes it in this experiment", |row| row.group.label.as_str())
        .and(configured())
        .with("position", "the id of the position", |row| row.position.position.as_str())
        .with("runs", "searches that count", |row| row.position.runs)
        .with("time_s", "the mean of their times, in seconds of the machine", |row| row.position.time_s)
        .with("nodes", "the mean of their nodes", |row| row.position.nodes)
        .with("time_speedup", "how many times as fast as the baseline", |row| row.position.time_speedup)
        .with("nodes_ratio", "nodes relative to the baseline", |row| row.position.nodes_ratio)
        .with("z_score", "modified z-score of its speedup among the positions; beyond 3.5 it is an outlier", |row| {
            row.position.z_score
        })
        .with("moves", "the moves chosen, with how often", |row| {
            let moves = row.position.moves.iter().map(|(chosen, count)| format!("{chosen} {count}"));
            moves.collect::<Vec<_>>().join("; ")
        })
        .table("", "", rows)
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
    fn against<T>(&self, figure: impl Fn(&AgainstBaseline) -> T) -> Option<T> {
        self.group.against_baseline.as_ref().map(figure)
    }
}

/// Name of the kind of interval that the experiment asks for, where there is one.
pub(super) fn kind_of(analysis: &Analysis, interval: Interval) -> Option<&'static str> {
    interval.is_known().then(|| analysis.description.interval.name())
}
