//! Arithmetic means over positions of means over runs: the columns of the thesis by its definitions, and ours. Where nothing
//! can be averaged a figure is not a number.

use std::collections::BTreeMap;

use crate::record::{Activities, Measured};
use crate::statistics::mean_of_means;

use super::grouping::{Gathered, Run};
use super::{Means, TableMeans, ThesisRow};

/// Losses that only a search with a ledger of what was searched can see: without it they are not 0 but unknown.
const SEEN_WITH_LEDGER: [&str; 2] = ["repeat", "duplicate"];

/// The mean of a figure that some runs may lack.
fn mean_of<'a>(group: &Gathered<'a>, figure: impl Fn(Run<'a>) -> Option<f64>) -> Option<f64> {
    mean_of_means(&group.figures(figure))
}

fn ratio(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

fn seconds(nanoseconds: u64) -> f64 {
    nanoseconds as f64 * 1e-9
}

/// Nodes a second as the thesis counts nodes.
pub(super) fn thesis_nps(run: Run<'_>) -> Option<f64> {
    ratio(run.measured.thesis_nodes, run.measured.time_ns).map(|per_nanosecond| per_nanosecond * 1e9)
}

/// The columns of the thesis. Its "speedup" is formed over the positions that both group and baseline were measured at.
pub(super) fn thesis_row(group: &Gathered<'_>, baseline: Option<&Gathered<'_>>) -> ThesisRow {
    let mean = |figure: fn(&Measured) -> u64| of_all(group, figure);
    let nps_speedup = baseline.and_then(|baseline| {
        let pairs = group.figures(thesis_nps).into_iter().zip(baseline.figures(thesis_nps));
        let (ours, theirs): (Vec<_>, Vec<_>) = pairs.filter(|(a, b)| !a.is_empty() && !b.is_empty()).unzip();
        Some(mean_of_means(&ours)? / mean_of_means(&theirs)?)
    });
    ThesisRow {
        nps: mean_of(group, thesis_nps).unwrap_or(f64::NAN),
        nps_speedup,
        nodes: mean(|measured| measured.thesis_nodes),
        time_s: mean_of(group, |run| Some(seconds(run.measured.time_ns))).unwrap_or(f64::NAN),
        hash_pct: mean(|measured| measured.thesis_hash_pct),
        order_pct: mean(|measured| measured.thesis_order_pct),
        qn_pct: mean(|measured| measured.thesis_qn_pct),
    }
}

/// The mean of a count that every run has.
fn of_all(group: &Gathered<'_>, count: fn(&Measured) -> u64) -> f64 {
    mean_of(group, |run| Some(count(run.measured) as f64)).unwrap_or(f64::NAN)
}

/// Our own definitions.
pub(super) fn means(group: &Gathered<'_>) -> Means {
    let share = |figure: fn(&Measured) -> (u64, u64)| {
        mean_of(group, |run| {
            let (part, whole) = figure(run.measured);
            ratio(part, whole)
        })
    };
    let percentage = |figure: fn(&Measured) -> (u64, u64)| share(figure).map_or(f64::NAN, |share| 100.0 * share);
    let activity = |time: fn(&Activities) -> u64| {
        mean_of(group, |run| ratio(time(&run.measured.activities), run.measured.activities.total())).unwrap_or(f64::NAN)
    };
    Means {
        nps: mean_of(group, |run| run.measured.nps()).unwrap_or(f64::NAN),
        nodes: of_all(group, |measured| measured.nodes),
        time_s: mean_of(group, |run| Some(seconds(run.measured.time_ns))).unwrap_or(f64::NAN),
        qn_pct: percentage(|measured| (measured.qnodes, measured.nodes)),
        hash_pct: percentage(|measured| (measured.ended, measured.probes)),
        order_pct: percentage(|measured| (measured.cutoffs_first, measured.cutoffs)),
        activities: [
            activity(|time| time.search_ns),
            activity(|time| time.split_ns),
            activity(|time| time.lock_ns),
            activity(|time| time.idle_ns),
            activity(|time| time.wait_ns),
            activity(|time| time.other_ns),
        ],
        losses: losses(group),
        splits_per_million: share(|measured| (measured.splits.made, measured.nodes))
            .map_or(f64::NAN, |share| share * 1e6),
        cut_share: share(|measured| (measured.splits.cut, measured.splits.made)),
        helpers: share(|measured| (measured.splits.joined, measured.splits.made)),
        table: table_means(group),
        stop_latency_us: share(|measured| (measured.splits.stop_ns, measured.splits.stops)).map(|mean| mean * 1e-3),
    }
}

fn table_means(group: &Gathered<'_>) -> TableMeans {
    let count = |measured: &Measured, name: &str| measured.counters.get(name).and_then(serde_json::Value::as_u64);
    let share = |part: &dyn Fn(&Measured) -> Option<u64>, whole: &dyn Fn(&Measured) -> u64| {
        mean_of(group, |run| ratio(part(run.measured)?, whole(run.measured)))
    };
    let tiers: [fn(&Measured) -> u64; 3] =
        [|measured| measured.found, |measured| measured.deep, |measured| measured.ended];
    let is_audited = group.configuration.audit;
    let audited = |name: &'static str, whole: &dyn Fn(&Measured) -> u64| {
        if is_audited { share(&|measured| count(measured, name), whole) } else { None }
    };
    let in_a_million = |share: f64| share * 1e6;
    TableMeans {
        tiers: tiers.map(|tier| share(&|measured| Some(tier(measured)), &|measured| measured.probes)),
        foreign: [
            audited("found_foreign", &tiers[0]),
            audited("deep_foreign", &tiers[1]),
            audited("ended_foreign", &tiers[2]),
        ],
        torn_rejected: audited("torn_rejected", &|measured| measured.probes).map(in_a_million),
        torn_accepted: audited("torn_accepted", &|measured| measured.probes).map(in_a_million),
        torn_standing: mean_of(group, |run| run.measured.torn_standing.map(|slots| slots as f64)),
    }
}

/// Nodes by class of loss, as shares of all nodes.
fn losses(group: &Gathered<'_>) -> BTreeMap<String, f64> {
    let mut classes: Vec<&String> = group.all().flat_map(|run| run.measured.losses.keys()).collect();
    classes.sort();
    classes.dedup();
    let is_seen = |class: &str| group.configuration.losses || !SEEN_WITH_LEDGER.contains(&class);
    let share = |class: &str| {
        mean_of(group, |run| {
            let nodes = run.measured.nodes;
            (nodes > 0).then_some(*run.measured.losses.get(class)? as f64 / nodes as f64)
        })
    };
    let known = classes.into_iter().filter(|class| is_seen(class));
    known.filter_map(|class| Some((class.clone(), share(class)?))).collect()
}
