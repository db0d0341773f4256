//! `summary.csv`, a row a configuration, and `positions.csv`, a row a configuration and position.

use std::io;

use crate::record::Configuration;
use crate::report::analysis::{AgainstBaseline, Analysis, Group, PositionRow};
use crate::statistics::Interval;

use super::columns::{Column, Configured, column, configured, csv, documented};
use super::numbers::{exact, exact_or_empty};

/// The name of the table of configurations.
pub(super) const SUMMARY: &str = "summary.csv";
/// The name of the table of positions.
pub(super) const POSITIONS: &str = "positions.csv";

struct GroupRow<'a> {
    place: usize,
    group: &'a Group,
    /// For what intervals hold.
    interval: &'static str,
}

struct InPosition<'a> {
    place: usize,
    group: &'a Group,
    position: &'a PositionRow,
}

/// The table of configurations.
pub fn summary_csv(analysis: &Analysis) -> io::Result<Vec<u8>> {
    let interval = analysis.description.interval.name();
    let row = |(place, group)| GroupRow { place, group, interval };
    csv(&summary_columns(), analysis.groups.iter().enumerate().map(row))
}

/// The table of positions.
pub fn positions_csv(analysis: &Analysis) -> io::Result<Vec<u8>> {
    let rows =
        analysis.groups.iter().enumerate().flat_map(|(place, group)| {
            group.by_position.iter().map(move |position| InPosition { place, group, position })
        });
    csv(&positions_columns(), rows)
}

/// What the columns of both mean.
pub(super) fn documentation() -> String {
    let summary = "A row a configuration. From `cpus` to `qn_pct` stand the columns of the thesis by its definitions: \
                   arithmetic means over positions of means over runs. From `own_nps` on the definitions are this \
                   program's; ratios are geometric means over the positions that the baseline was measured at too.";
    let positions = "A row a configuration and position, where it was measured. Means over runs are geometric.";
    let [summary, positions] =
        [documented(SUMMARY, summary, &summary_columns()), documented(POSITIONS, positions, &positions_columns())];
    format!("{summary}\n{positions}")
}

fn summary_columns<'a>() -> Vec<Column<GroupRow<'a>>> {
    let mut columns = vec![
        column("group", "the place of the configuration among all, from 0", |row: &GroupRow<'a>| row.place.to_string()),
        column("label", "what distinguishes it in this experiment, without the number of processors", |row| {
            row.group.label.clone()
        }),
    ];
    columns.extend(configured());
    columns.extend([
        column("runs", "searches that count", |row: &GroupRow<'a>| row.group.runs.to_string()),
        column("positions", "positions that were measured", |row| row.group.positions.to_string()),
        column("failed", "cells that failed", |row| row.group.failed.to_string()),
        column("disturbed", "searches that count although something disturbed them", |row| {
            row.group.disturbed.to_string()
        }),
    ]);
    columns.extend(thesis());
    columns.extend(thesis_intervals());
    columns.extend(means());
    columns.extend(ratios());
    columns.extend(table());
    columns.extend(shares());
    columns
}

fn thesis<'a>() -> [Column<GroupRow<'a>>; 8] {
    [
        column("cpus", "the number of processors", |row| row.group.configuration.threads.to_string()),
        column("nps", "nodes a second, nodes counted as the thesis does", |row| exact(row.group.thesis.nps)),
        column("speedup", "nps / nps of the baseline: a ratio of throughputs, not of times", |row| {
            exact_or_empty(row.group.thesis.nps_speedup)
        }),
        column("nodes", "nodes as the thesis counts them", |row| exact(row.group.thesis.nodes)),
        column("time_s", "seconds of the machine", |row| exact(row.group.thesis.time_s)),
        column("hash_pct", "hash hits by the thesis's formula", |row| exact(row.group.thesis.hash_pct)),
        column("order_pct", "move ordering by the thesis's formula", |row| exact(row.group.thesis.order_pct)),
        column("qn_pct", "share of quiescence by the thesis's formula", |row| exact(row.group.thesis.qn_pct)),
    ]
}

fn thesis_intervals<'a>() -> [Column<GroupRow<'a>>; 17] {
    [
        column("nps_low", "the lower end of the 95 % interval of nps", |row| {
            exact_or_empty(row.group.thesis_intervals.nps.map(|interval| interval.low))
        }),
        column("nps_high", "the upper end", |row| {
            exact_or_empty(row.group.thesis_intervals.nps.map(|interval| interval.high))
        }),
        column("speedup_low", "the lower end of the 95 % interval of speedup", |row| {
            exact_or_empty(row.group.thesis_intervals.nps_speedup.map(|interval| interval.low))
        }),
        column("speedup_high", "the upper end", |row| {
            exact_or_empty(row.group.thesis_intervals.nps_speedup.map(|interval| interval.high))
        }),
        column("nodes_low", "the lower end of the 95 % interval of nodes", |row| {
            exact_or_empty(row.group.thesis_intervals.nodes.map(|interval| interval.low))
        }),
        column("nodes_high", "the upper end", |row| {
            exact_or_empty(row.group.thesis_intervals.nodes.map(|interval| interval.high))
        }),
        column("nodes_of_means", "mean nodes / mean nodes of the baseline", |row| {
            exact_or_empty(row.group.thesis_intervals.nodes_ratio.map(|ratio| ratio.estimate))
        }),
        column("nodes_of_means_low", "the lower end of the 95 % interval of nodes_of_means", |row| {
            exact_or_empty(row.group.thesis_intervals.nodes_ratio.map(|interval| interval.low))
        }),
        column("nodes_of_means_high", "the upper end", |row| {
            exact_or_empty(row.group.thesis_intervals.nodes_ratio.map(|interval| interval.high))
        }),
        column("time_s_low", "the lower end of the 95 % interval of time_s", |row| {
            exact_or_empty(row.group.thesis_intervals.time_s.map(|interval| interval.low))
        }),
        column("time_s_high", "the upper end", |row| {
            exact_or_empty(row.group.thesis_intervals.time_s.map(|interval| interval.high))
        }),
        column("hash_pct_low", "the lower end of the 95 % interval of hash_pct", |row| {
            exact_or_empty(row.group.thesis_intervals.hash_pct.map(|interval| interval.low))
        }),
        column("hash_pct_high", "the upper end", |row| {
            exact_or_empty(row.group.thesis_intervals.hash_pct.map(|interval| interval.high))
        }),
        column("order_pct_low", "the lower end of the 95 % interval of order_pct", |row| {
            exact_or_empty(row.group.thesis_intervals.order_pct.map(|interval| interval.low))
        }),
        column("order_pct_high", "the upper end", |row| {
            exact_or_empty(row.group.thesis_intervals.order_pct.map(|interval| interval.high))
        }),
        column("qn_pct_low", "the lower end of the 95 % interval of qn_pct", |row| {
            exact_or_empty(row.group.thesis_intervals.qn_pct.map(|interval| interval.low))
        }),
        column("qn_pct_high", "the upper end", |row| {
            exact_or_empty(row.group.thesis_intervals.qn_pct.map(|interval| interval.high))
        }),
    ]
}

fn means<'a>() -> [Column<GroupRow<'a>>; 6] {
    [
        column("own_nps", "nodes a second", |row| exact(row.group.means.nps)),
        column("own_nodes", "entries into the main search and legal moves made in quiescence", |row| {
            exact(row.group.means.nodes)
        }),
        column("own_time_s", "seconds of the machine", |row| exact(row.group.means.time_s)),
        column("own_hash_pct", "probes that ended the node, in hundredths", |row| exact(row.group.means.hash_pct)),
        column("own_order_pct", "nodes that the first move cut, in hundredths of those that a move cut", |row| {
            exact(row.group.means.order_pct)
        }),
        column("own_qn_pct", "nodes of quiescence in hundredths of all", |row| exact(row.group.means.qn_pct)),
    ]
}

fn table<'a>() -> [Column<GroupRow<'a>>; 9] {
    [
        column("found_share", "probes that found the position, of all", |row| {
            exact_or_empty(row.group.means.table.tiers[0])
        }),
        column("deep_share", "probes that found it searched deep enough", |row| {
            exact_or_empty(row.group.means.table.tiers[1])
        }),
        column("ended_share", "probes that ended the node", |row| exact_or_empty(row.group.means.table.tiers[2])),
        column("found_foreign_share", "with audit: those of them whose entry another worker had written", |row| {
            exact_or_empty(row.group.means.table.foreign[0])
        }),
        column("deep_foreign_share", "with audit: those of them whose entry another worker had written", |row| {
            exact_or_empty(row.group.means.table.foreign[1])
        }),
        column("ended_foreign_share", "with audit: those of them whose entry another worker had written", |row| {
            exact_or_empty(row.group.means.table.foreign[2])
        }),
        column("torn_rejected", "with audit: probes in a million of a torn entry whose check failed", |row| {
            exact_or_empty(row.group.means.table.torn_rejected)
        }),
        column("torn_accepted", "with audit: probes in a million of a torn entry whose check passed", |row| {
            exact_or_empty(row.group.means.table.torn_accepted)
        }),
        column("torn_standing", "with audit: slots at the end whose two words are of different stores", |row| {
            exact_or_empty(row.group.means.table.torn_standing)
        }),
    ]
}

fn ratios<'a>() -> [Column<GroupRow<'a>>; 19] {
    [
        column("time_speedup", "how many times as fast as the baseline", |row| row.ratio(|r| r.time_speedup.estimate)),
        column("time_speedup_low", "the lower end of its 95 % interval", |row| row.ratio(|r| r.time_speedup.low)),
        column("time_speedup_high", "the upper end", |row| row.ratio(|r| r.time_speedup.high)),
        column("nodes_ratio", "nodes relative to the baseline: 1 + search overhead", |row| {
            row.ratio(|r| r.nodes.estimate)
        }),
        column("nodes_ratio_low", "the lower end of its 95 % interval", |row| row.ratio(|r| r.nodes.low)),
        column("nodes_ratio_high", "the upper end", |row| row.ratio(|r| r.nodes.high)),
        column("nps_speedup_geometric", "nodes a second relative to the baseline", |row| {
            row.ratio(|r| r.nps_speedup.estimate)
        }),
        column("nps_speedup_geometric_low", "the lower end of its 95 % interval", |row| {
            row.ratio(|r| r.nps_speedup.low)
        }),
        column("nps_speedup_geometric_high", "the upper end", |row| row.ratio(|r| r.nps_speedup.high)),
        column("interval", "for what the intervals hold; empty if there are none", |row| {
            let ratios = row.group.against_baseline.as_ref();
            ratios.map(|ratios| kind_of(ratios.time_speedup, row.interval)).unwrap_or_default()
        }),
        column("ratio_of_sums", "sum of mean times of the baseline / sum of mean times", |row| {
            row.ratio(|r| r.ratio_of_sums)
        }),
        column("mean_of_ratios", "the arithmetic mean of the positions' time speedups", |row| {
            row.ratio(|r| r.mean_of_ratios)
        }),
        column("median", "the median of the positions' time speedups", |row| row.ratio(|r| r.median)),
        column("factor_processors", "time speedup = this x utilisation x productive x rate / nodes", |row| {
            row.ratio(|r| r.factors.processors)
        }),
        column(
            "factor_utilisation",
            "the share of time spent searching or splitting, relative to the baseline",
            |row| row.ratio(|r| r.factors.utilisation),
        ),
        column("factor_productive", "the share of that spent searching, relative to the baseline", |row| {
            row.ratio(|r| r.factors.productive)
        }),
        column("factor_rate", "nodes in a second of searching, relative to the baseline", |row| {
            row.ratio(|r| r.factors.rate)
        }),
        column("factor_nodes", "nodes, relative to the baseline", |row| row.ratio(|r| r.factors.nodes)),
        column("same_move", "the share of runs that chose the move that most baselines chose", |row| {
            exact_or_empty(row.group.against_baseline.as_ref().and_then(|ratios| ratios.same_move))
        }),
    ]
}

fn shares<'a>() -> [Column<GroupRow<'a>>; 16] {
    [
        column("share_search", "the share of all processors' time spent searching", |row| row.activity(0)),
        column("share_split", "making, copying, joining and leaving split points", |row| row.activity(1)),
        column("share_lock", "waiting for a lock", |row| row.activity(2)),
        column("share_idle", "without work", |row| row.activity(3)),
        column("share_wait", "an owner waits for its helpers", |row| row.activity(4)),
        column("share_other", "anything else", |row| row.activity(5)),
        column("lost_aborted", "nodes whose search was stopped, as a share of all", |row| row.loss("aborted")),
        column("lost_useless", "nodes below a brother that comes after the one that cut", |row| row.loss("useless")),
        column("lost_stale_window", "nodes searched with an alpha that had risen meanwhile", |row| {
            row.loss("stale_window")
        }),
        column("lost_repeat", "nodes searched before, the entry lost", |row| row.loss("repeat")),
        column("lost_duplicate", "nodes that another worker was searching too", |row| row.loss("duplicate")),
        column("lost_beyond", "nodes deeper than the search was to go", |row| row.loss("beyond")),
        column("splits_per_million", "split points in a million nodes", |row| {
            exact(row.group.means.splits_per_million)
        }),
        column("cut_share", "the share of split points at which a move cut", |row| {
            exact_or_empty(row.group.means.cut_share)
        }),
        column("helpers", "helpers a split point", |row| exact_or_empty(row.group.means.helpers)),
        column("stop_latency_us", "microseconds from a cutoff or the end to the moment a worker noticed", |row| {
            exact_or_empty(row.group.means.stop_latency_us)
        }),
    ]
}

fn positions_columns<'a>() -> Vec<Column<InPosition<'a>>> {
    let mut columns = vec![
        column("group", "the place of the configuration in summary.csv", |row: &InPosition<'a>| row.place.to_string()),
        column("label", "what distinguishes it in this experiment", |row| row.group.label.clone()),
    ];
    columns.extend(configured());
    columns.extend([
        column("position", "the id of the position", |row: &InPosition<'a>| row.position.position.clone()),
        column("runs", "searches that count", |row| row.position.runs.to_string()),
        column("time_s", "the mean of their times, in seconds of the machine", |row| exact(row.position.time_s)),
        column("nodes", "the mean of their nodes", |row| exact(row.position.nodes)),
        column("time_speedup", "how many times as fast as the baseline", |row| {
            exact_or_empty(row.position.time_speedup)
        }),
        column("nodes_ratio", "nodes relative to the baseline", |row| exact_or_empty(row.position.nodes_ratio)),
        column("z_score", "modified z-score of its speedup among the positions; beyond 3.5 it is an outlier", |row| {
            exact_or_empty(row.position.z_score)
        }),
        column("moves", "the moves chosen, with how often", |row| {
            let moves = row.position.moves.iter().map(|(chosen, count)| format!("{chosen} {count}"));
            moves.collect::<Vec<_>>().join("; ")
        }),
    ]);
    columns
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
    fn ratio(&self, figure: fn(&AgainstBaseline) -> f64) -> String {
        exact_or_empty(self.group.against_baseline.as_ref().map(figure))
    }

    fn activity(&self, activity: usize) -> String {
        exact(self.group.means.activities[activity])
    }

    fn loss(&self, class: &str) -> String {
        exact_or_empty(self.group.means.losses.get(class).copied())
    }
}

/// The name of the kind of interval where there is one.
pub(super) fn kind_of(interval: Interval, kind: &'static str) -> String {
    if interval.is_known() { kind.to_owned() } else { String::new() }
}
