//! Columns of configurations and of their positions: those of `summary.csv`, a row a configuration, and of
//! `positions.csv`, a row a configuration and position. Tables for readers show some of them.

use crate::report::analysis::{
    ACTIVITIES, AgainstBaseline, Analysis, AtDepth, AtIteration, ByDepth, Group, LOSSES, Means, PositionRow, Regret,
    STAGES, Solving, Splitting, ThesisColumns,
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

/// Row of a depth that a configuration reached on the way.
pub(super) struct AtDepthRow<'a> {
    pub place: usize,
    pub label: String,
    pub group: &'a Group,
    pub depth: u32,
    /// Its time speedup.
    pub at: Option<&'a AtDepth>,
    /// Its searches on one processor.
    pub iteration: Option<&'a AtIteration>,
}

/// Columns of `summary.csv`.
pub(super) fn summary(analysis: &Analysis) -> Columns<'_, GroupRow<'_>> {
    let first = columns! { GroupRow<'_>, row;
        "group": "the place of the configuration among all, from 0" => row.place;
        "label" as "Curve":
            "what distinguishes the configuration in this experiment, except its number of processors" =>
            row.label.clone();
    };
    let counts = columns! { GroupRow<'_>, row;
        "runs" as "Runs": "searches that count" => row.group.runs;
        "positions" as "Positions": "positions that were measured" => row.group.positions;
        "failed" as "Failed": "cells that failed" => row.group.failed;
        "cut" as "Cut off": "searches that the limit cut off" => row.group.limited.cut;
        "baseline_cut" as "Baseline cut off": "searches of its baseline that the limit cut off" =>
            row.group.limited.baseline_cut;
        "time_speedup_bound" as "Time speedup is":
            "kind of bound on a time speedup of which searches were cut off: at most or at least" =>
            row.group.limited.bound.map(|bound| bound.side.words());
        "time_speedup_bound_at" as "this": "the bound: that end of its 95 % interval" =>
            row.group.limited.bound.map(|bound| bound.ratio);
        "mean_depth" as "Depth reached" [with_ends]:
            "mean depth reached in plies, of searches limited by time or nodes" => row.group.limited.depth;
        "depth_gain" as "Deeper by" [with_ends]: "by how many plies that is deeper than the baseline" =>
            row.group.limited.depth_gain;
        "disturbed" as "Disturbed": "disturbed searches that count nevertheless" => row.group.disturbed;
    };
    let thesis = thesis().and(thesis_intervals()).of(|row: &GroupRow<'_>| Some(&row.group.thesis));
    let ratios = ratios(analysis).of(|row: &GroupRow<'_>| {
        let is_whole = row.group.runs > 0 && row.group.limited.cut == 0;
        let itself = (row.group.configuration.is_baseline() && is_whole).then_some(&AgainstBaseline::ITSELF);
        row.group.against_baseline.as_ref().or(itself)
    });
    let regret = regret().of(|row: &GroupRow<'_>| row.group.regret.as_ref());
    let by_depth = by_depth().of(|row: &GroupRow<'_>| row.group.by_depth.as_ref());
    let solving = solving().of(|row: &GroupRow<'_>| row.group.solving.as_ref());
    let means = means().of(|row: &GroupRow<'_>| Some(&row.group.means));
    let splitting = splitting().of(|row: &GroupRow<'_>| Some(&row.group.splitting));
    let more = table().and(shares()).of(|row: &GroupRow<'_>| Some(&row.group.means));
    let configured = configured(|row: &GroupRow<'_>| &row.group.configuration, |row| plies(&row.group.configuration));
    first
        .and(configured)
        .and(counts)
        .and(thesis)
        .and(means)
        .and(ratios)
        .and(more)
        .and(splitting)
        .and(regret)
        .and(by_depth)
        .and(solving)
}

/// Columns of the thesis's tables.
pub(super) fn thesis() -> Columns<'static, ThesisColumns> {
    let estimate = |column: Option<Interval>| column.map(|interval| interval.estimate);
    columns! { ThesisColumns, of;
        "thesis_nps" as "NPS": "nodes per second, with nodes counted as the thesis counts them" =>
            estimate(of.nps).map(Cell::whole);
        "thesis_nps_speedup" as "Speedup":
            "thesis_nps / that of the baseline: a ratio of throughputs, not of times" => estimate(of.nps_speedup);
        "thesis_nodes" as "Nodes": "nodes as the thesis counts them: quiescence moves when tried" =>
            estimate(of.nodes).map(Cell::whole);
        "time_s" as "Time": "seconds of the machine" => estimate(of.time_s);
        "thesis_hash_share" as "Hash": "hash hits by the thesis's formula" => Cell::share(estimate(share(of.hash_pct)));
        "thesis_order_share" as "Order":
            "move ordering by the thesis's formula" => Cell::share(estimate(share(of.order_pct)));
        "thesis_qn_share" as "Qn": "share of quiescence by the thesis's formula" =>
            Cell::share(estimate(share(of.qn_pct)));
    }
}

/// Figure in hundredths as a share of one.
fn share(hundredths: Option<Interval>) -> Option<Interval> {
    hundredths.map(|interval| interval.map(|hundredths| hundredths / 100.0))
}

fn thesis_intervals() -> Columns<'static, ThesisColumns> {
    Columns::new()
        .ends("thesis_nps", |of: &ThesisColumns| of.nps)
        .ends("thesis_nps_speedup", |of| of.nps_speedup)
        .ends("thesis_nodes", |of| of.nodes)
        .with("thesis_nodes_ratio", "mean thesis_nodes / those of the baseline", |of| of.nodes_ratio)
        .with_ends()
        .ends("time_s", |of| of.time_s)
        .with("ratio_of_sums", "mean time_s of the baseline / mean time_s: a time speedup", |of| of.time_speedup)
        .heading("Ratio of sums")
        .with_ends()
        .ends("thesis_hash_share", |of| share(of.hash_pct))
        .ends("thesis_order_share", |of| share(of.order_pct))
        .ends("thesis_qn_share", |of| share(of.qn_pct))
}

fn means() -> Columns<'static, Means> {
    columns! { Means, means;
        "nps" as "NPS": "nodes a second" => Cell::whole(means.nps);
        "nodes" as "Nodes":
            "entries into the main search and legal moves made in quiescence" => Cell::whole(means.nodes);
        "order_share" as "Order, %": "share of the nodes with a cutoff at which the first move caused it" =>
            Cell::share(means.order_pct / 100.0);
        "over_minimum" as "Leaves / minimum": "leaves of the main search for each that the minimal trees of its \
            iterations have: B^ceil(d/2) + B^floor(d/2) - 1 at depth d, where B is the mean number of legal moves" =>
            means.over_minimum;
        "qn_share" as "Qn, %": "share of all nodes that are quiescence nodes" => Cell::share(means.qn_pct / 100.0);
    }
}

fn ratios(analysis: &Analysis) -> Columns<'_, AgainstBaseline> {
    columns! { AgainstBaseline, ratios;
        "time_speedup" as "Time speedup" [with_ends]:
            "how many times as fast as the baseline the same depth was reached; empty if there is no baseline" =>
            ratios.time_speedup;
        "nodes_ratio" as "Nodes" [with_ends]: "nodes relative to the baseline: 1 + search overhead" => ratios.nodes;
        "master_time_speedup" as "Time speedup, master" [optional with_ends]:
            "time speedup until worker 0 could answer with that depth, where that is another moment" =>
            ratios.ends.master;
        "voted_time_speedup" as "Time speedup, voted" [optional with_ends]:
            "time speedup until the workers would have voted for an answer of that depth, where that is another moment"
            => ratios.ends.voted;
        "nodes_within_ratio" as "Nodes within" [optional with_ends]:
            "nodes relative to the baseline, without those of iterations deeper than the depth asked for" =>
            ratios.ends.nodes_within;
        "nps_ratio" as "NPS" [optional with_ends]:
            "nodes per second relative to the baseline" => ratios.nps_speedup;
        "interval": "positions for which the intervals hold; empty if there are none" =>
            kind_of(analysis, ratios.time_speedup);
        "mean_of_ratios" as "Mean of ratios" [with_ends]:
            "the arithmetic mean of the positions' time speedups" => ratios.mean_of_ratios;
        "median" as "Median": "the median of the positions' time speedups" => ratios.median;
        "factor_processors":
            "time speedup = this x utilisation x productive x rate x overrun / nodes" => ratios.factors.processors;
        "factor_utilisation" as "Utilisation" [with_ends]:
            "the share of time spent searching or splitting, relative to the baseline" =>
            ratios.factors.utilisation.ratio;
        "factor_productive" as "Productive" [with_ends]:
            "the share of that time spent searching, relative to the baseline" => ratios.factors.productive.ratio;
        "factor_rate" as "Rate" [with_ends]:
            "nodes per second of searching, relative to the baseline" => ratios.factors.rate.ratio;
        "factor_clock" as "Clock" [with_ends]:
            "cycles per second of processor time, relative to the baseline: a part of factor_rate" =>
            ratios.cycles.map(|cycles| cycles.clock);
        "factor_nodes_per_cycle" as "Nodes per cycle" [with_ends]:
            "nodes per second of searching at equal clocks, relative to the baseline: the rest of factor_rate" =>
            ratios.cycles.map(|cycles| cycles.nodes_per_cycle);
        "factor_nodes" [with_ends]: "nodes, relative to the baseline" => ratios.factors.nodes.ratio;
        "factor_overrun" as "Overrun" [with_ends]:
            "time to the end of a search / time to its first answer, where it waits for its master" =>
            ratios.ends.overrun;
        "same_move" as "Same move, %":
            "the share of runs that chose the move that most baselines chose" => Cell::share(ratios.same_move);
        "same_move_pairs" as "Same move in pairs, %":
            "the share of pairs of a run and a baseline with the same move" => Cell::share(ratios.agreement.moves);
        "baselines_same_move_pairs" as "Baseline pairs, %":
            "the share of pairs of baselines that chose the same move" =>
            Cell::share(ratios.agreement.moves_of_baselines);
        "score_outside" as "Score outside, %":
            "the share of runs with a score outside the range of all baselines but one, averaged over which one is \
             left out" =>
            Cell::share(ratios.agreement.outside);
        "baselines_score_outside" as "Baselines outside, %":
            "the share of baselines with a score outside the range of the others" =>
            Cell::share(ratios.agreement.outside_of_baselines);
    }
}

/// Number with one digit after the point.
pub(super) fn tenths(value: f64) -> Cell {
    Cell::Number(value, Digits::Decimals(1))
}

/// Columns of the worth of moves, empty where they were not judged.
fn regret() -> Columns<'static, Regret> {
    columns! { Regret, regret;
        "regret_runs" as "Judged": "searches whose moves were judged by deeper searches" => regret.runs;
        "regret_cp" as "Regret" [with_ends]:
            "score of the best known move minus that of the move played, by deeper searches, in centipawns" =>
            regret.mean;
        "regret_difference_cp" as "Extra regret" [with_ends]:
            "regret minus that of the baseline, in centipawns; above 0 is worse" =>
            regret.against.map(|against| against.difference);
        "regret_bound_cp" as "Bound":
            "one-sided 95 % upper bound of that difference; it allows for one blunder more than was seen" =>
            regret.against.and_then(|against| against.upper).map(tenths);
        "moves_verdict" as "Moves":
            "not worse (the bound is below the margin), worse (the lower bound is above 0) or not shown" =>
            regret.against.map(|against| against.verdict.name());
    }
}

/// Columns of the trend of the time speedup with depth.
fn by_depth() -> Columns<'static, ByDepth> {
    let end = |place: fn(&[AtDepth]) -> Option<&AtDepth>| move |by_depth: &ByDepth| place(&by_depth.depths).copied();
    let (first, last) = (end(<[AtDepth]>::first), end(<[AtDepth]>::last));
    let depth = |at: AtDepth| at.depth;
    let speedup = |at: AtDepth| at.time_speedup;
    Columns::new()
        .with("first_depth", "first depth that takes long enough for a time speedup", move |of: &ByDepth| {
            first(of).map(depth)
        })
        .heading("From depth")
        .with("first_time_speedup", "time speedup to that depth", move |of| first(of).map(speedup))
        .heading("First speedup")
        .with_ends()
        .with("last_depth", "last depth that all runs reached", move |of| last(of).map(depth))
        .heading("To depth")
        .with("last_time_speedup", "time speedup to that depth", move |of| last(of).map(speedup))
        .heading("Last speedup")
        .with_ends()
        .with("speedup_per_ply", "factor by which the time speedup changes per ply", |of| of.per_ply)
        .heading("Per ply")
        .with_ends()
}

/// Columns of the times to solutions.
fn solving() -> Columns<'static, Solving> {
    columns! { Solving, of;
        "solving_positions" as "Positions": "positions that name best moves" => of.positions;
        "solved_share" as "Solved, %":
            "share of runs that end with a best move: mean over positions" => Cell::share(of.solved);
        "median_solution_s" as "Median time" [with_ends]:
            "time in seconds by which half of the positions are solved (Kaplan-Meier estimate); empty if fewer are" =>
            of.median_s;
        "solution_speedup" as "Solution speedup" [with_ends]:
            "time in which the baseline solves a share of the positions / time in which this configuration does: mean \
             over shares" => of.speedup;
    }
}

fn table() -> Columns<'static, Means> {
    let tiers = [
        ("found", "share of probes that found the position"),
        ("deep", "probes that found it searched deep enough"),
        ("ended", "probes that ended the node"),
    ];
    let mut columns = Columns::new();
    for (tier, (name, meaning)) in tiers.into_iter().enumerate() {
        let share = move |means: &Means| Cell::share(means.table.tiers[tier]);
        columns = columns.with(format!("{name}_share"), meaning, share).heading(format!("{name}, %"));
    }
    for (tier, (name, _)) in tiers.into_iter().enumerate() {
        let meaning = "with audit: share of those probes whose entry another worker had written";
        let share = move |means: &Means| Cell::share(means.table.foreign[tier]);
        let heading = format!("{name}, others' entries, %");
        columns = columns.with(format!("{name}_foreign_share"), meaning, share).heading(heading);
    }
    columns.and(columns! { Means, means;
        "torn_rejected_per_million" as "torn, rejected":
            "with audit: per million probes, torn entries that the check rejected" => means.table.torn_rejected;
        "torn_accepted_per_million" as "torn, accepted":
            "with audit: per million probes, torn entries that the check accepted" => means.table.torn_accepted;
        "false_matches_per_million" as "false matches":
            "with audit: per million probes, whole entries of another position that the check accepted" =>
                means.table.false_matches;
        "torn_standing" as "torn, standing":
            "with audit: slots whose two words come from different stores at the end" => means.table.torn_standing;
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
        let meaning = format!("{meaning}, as a share of all nodes");
        let share = move |means: &Means| Cell::share(means.losses.get(class).copied());
        let heading = format!("{}, %", class.replace('_', " "));
        columns = columns.with(format!("lost_{class}"), &meaning, share).heading(heading);
    }
    columns.and(columns! { Means, means;
        "splits_per_million" as "Splits": "split points per million nodes" => means.splits_per_million;
        "cut_share" as "Cut, %": "share of split points at which a move caused a cutoff" =>
            Cell::share(means.cut_share);
        "helpers" as "Helpers": "helpers per split point" => means.helpers;
        "stop_latency_s" as "Stop":
            "mean time in seconds from a cutoff or the end of the search until a worker notices it" =>
            means.stop_latency_us.map(|microseconds| 1e-6 * microseconds);
    })
}

/// Columns of the cost of sharing nodes.
fn splitting() -> Columns<'static, Splitting> {
    let percent = |share: Option<Interval>| share.map(|interval| interval.map(|share| 100.0 * share));
    let columns = columns! { Splitting, of;
        "copy_bytes" as "Bytes" [with_ends]: "bytes copied to a helper" => of.bytes;
        "copy_ns" as "Copy, ns" [with_ends]:
            "nanoseconds in which a helper takes a position over, fetching it included" => of.copy_ns;
        "copying_pct" as "Copying, %" [with_ends]:
            "percentage of all processors' time spent packing positions and taking them over" => percent(of.copy_share);
        "splitting_pct" as "Splitting, %" [optional with_ends]:
            "percentage of all processors' time spent making, copying, joining and leaving split points" =>
            percent(of.time_share);
        "split_node_pct" as "Of split nodes, %" [optional with_ends]:
            "percentage of the time that owners and helpers spend at split nodes which sharing these takes" =>
            percent(of.node_share);
        "split_cost_ns" as "Split, ns" [optional with_ends]:
            "nanoseconds that sharing a node takes its owner and its helpers together" => of.cost_ns;
        "split_held_ns" as "Locks held, ns" [optional with_ends]:
            "nanoseconds that locks are held to share a node" => of.held_ns;
        "superfluous_nodes" as "Superfluous" [optional with_ends]:
            "nodes at a split node with a cutoff that need not have been searched: in searches that were stopped, and \
             below moves after the one that caused the cutoff" => of.superfluous;
    };
    STAGES.into_iter().enumerate().fold(columns, |columns, (place, (name, meaning))| {
        let stage = move |of: &Splitting| of.stages[place];
        columns
            .with(format!("split_{name}_ns"), &format!("mean nanoseconds, {meaning}"), stage)
            .heading(format!("{name}, ns"))
            .optional()
            .with_ends()
    })
}

/// Columns of `positions.csv`.
pub(super) fn positions<'a>() -> Columns<'a, InPosition<'a>> {
    let first = columns! { InPosition<'_>, row;
        "group": "the place of the configuration in summary.csv" => row.place;
        "label" as "Configuration": "what distinguishes the configuration in this experiment" => row.label.clone();
    };
    let configured = configured(|row: &InPosition<'_>| &row.group.configuration, |row| plies(&row.group.configuration));
    first.and(configured).and(columns! { InPosition<'_>, row;
        "position" as "Position": "the id of the position" => row.position.position.clone();
        "runs" as "Runs": "searches that count" => row.position.runs;
        "cut" as "Cut off": "searches that the limit cut off; if there are any, times and nodes are empty" =>
            row.position.cut;
        "time_s" as "Time": "the mean of their times, in seconds of the machine" => row.position.time_s;
        "nodes" as "Nodes": "the mean of their nodes" => Cell::whole(row.position.nodes);
        "time_speedup" as "Time speedup": "how many times as fast as the baseline" => row.position.time_speedup;
        "nodes_ratio" as "Nodes ratio": "nodes relative to the baseline" => row.position.nodes_ratio;
        "z_score" as "Modified z":
            "0.6745 (x - median) / median absolute deviation, where x is the logarithm of its time speedup" =>
            row.position.z_score;
        "outlier": "1 if a test shows that its time speedup lies far from those of the other positions" =>
            u32::from(row.position.is_outlier);
        "moves": "the moves chosen, and how often each" => {
            let moves = row.position.moves.iter().map(|(chosen, count)| format!("{chosen} {count}"));
            moves.collect::<Vec<_>>().join("; ")
        };
    })
}

/// Columns of `depths.csv`.
pub(super) fn depths(analysis: &Analysis) -> Columns<'_, AtDepthRow<'_>> {
    columns! { AtDepthRow<'_>, row;
        "group": "the place of the configuration in summary.csv" => row.place;
        "label": "what distinguishes the configuration in this experiment" => row.label.clone();
        "machine": "real or virtual" => row.group.configuration.machine.name();
        "threads": "the number of processors" => row.group.configuration.threads;
        "depth_reached": "depth in plies" => row.depth;
        "time_speedup" [with_ends]: "time speedup to that depth" => row.at.map(|at| at.time_speedup);
        "nodes_to_depth" [with_ends]: "nodes of a search on one processor up to that depth: geometric mean" =>
            row.iteration.map(|at| at.nodes);
        "time_to_depth_s" [with_ends]: "seconds of the machine likewise" => row.iteration.map(|at| at.time_s);
        "time_growth" [with_ends]: "these seconds as a ratio to those up to the depth before" =>
            row.iteration.and_then(|at| at.growth);
        "leaves_over_minimum" [with_ends]: "over_minimum of a search on one processor up to that depth" =>
            row.iteration.and_then(|at| at.over_minimum);
        "interval": "positions for which the intervals hold; empty if there are none" =>
            row.at.map(|at| at.time_speedup).or(row.iteration.map(|at| at.nodes)).and_then(|it| kind_of(analysis, it));
    }
}

/// Name of the kind of interval that the experiment asks for, where there is one.
pub(super) fn kind_of(analysis: &Analysis, interval: Interval) -> Option<&'static str> {
    interval.is_known().then(|| analysis.description.interval.name())
}
