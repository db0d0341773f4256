//! Arithmetic means over positions of means over runs, by our own definitions. Where nothing can be averaged a figure
//! is not a number.

use std::array;
use std::collections::BTreeMap;

use crate::counts::{Activity, Loss};
use crate::record::Measured;
use crate::statistics::mean_of_means;

use super::grouping::{Gathered, Run};
use super::{Means, TableMeans};

/// Mean of a figure that some runs may lack.
fn mean_of<'a>(group: &Gathered<'a>, figure: impl Fn(Run<'a>) -> Option<f64>) -> Option<f64> {
    mean_of_means(&group.figures(figure))
}

fn ratio(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

/// Means of a group.
pub(super) fn means(group: &Gathered<'_>) -> Means {
    let share = |figure: fn(&Measured) -> (u64, u64)| {
        mean_of(group, |run| {
            let (part, whole) = figure(run.measured);
            ratio(part, whole)
        })
    };
    let is_ours = !group.configuration.is_outside();
    let percentage =
        |figure: fn(&Measured) -> (u64, u64)| share(figure).filter(|_| is_ours).map_or(f64::NAN, |share| 100.0 * share);
    let mean =
        |figure: &dyn Fn(&Measured) -> Option<f64>| mean_of(group, |run| figure(run.measured)).unwrap_or(f64::NAN);
    // Of searches that were cut off the long ones are missing: what is left says nothing of all.
    let whole = |mean: f64| if group.is_cut() { f64::NAN } else { mean };
    let activity =
        |activity: Activity| mean(&|measured| ratio(measured.activities[activity], measured.activities.total()));
    Means {
        nps: mean(&Measured::nps),
        nodes: whole(mean(&|measured| Some(measured.told(measured.nodes)? as f64))),
        time_s: whole(mean(&|measured| Some(measured.time_ns as f64 * 1e-9))),
        qn_pct: percentage(|measured| (measured.qnodes, measured.nodes)),
        hash_pct: percentage(|measured| (measured.ended, measured.probes)),
        order_pct: percentage(|measured| (measured.cutoffs_first, measured.cutoffs)),
        over_minimum: mean_of(group, |run| run.measured.over_minimum()),
        activities: array::from_fn(|place| activity(Activity::ALL[place])),
        losses: losses(group),
        splits_per_million: share(|measured| (measured.splits.made, measured.nodes))
            .filter(|_| is_ours)
            .map_or(f64::NAN, |share| share * 1e6),
        cut_share: share(|measured| (measured.splits.cut, measured.splits.made)),
        helpers: share(|measured| (measured.splits.joined, measured.splits.made)),
        table: table_means(group),
        stop_latency_us: share(|measured| (measured.splits.stop_ns, measured.splits.stops)).map(|mean| mean * 1e-3),
    }
}

fn table_means(group: &Gathered<'_>) -> TableMeans {
    type Count = fn(&Measured) -> u64;
    const TIERS: [(Count, &str); 3] = [
        (|measured| measured.found, "found_foreign"),
        (|measured| measured.deep, "deep_foreign"),
        (|measured| measured.ended, "ended_foreign"),
    ];
    let audited = |name: &str, whole: Count| {
        let share = mean_of(group, |run| ratio(run.measured.counter(name)?, whole(run.measured)));
        share.filter(|_| group.configuration.audit)
    };
    let in_a_million = |name: &str| audited(name, |measured| measured.probes).map(|share| share * 1e6);
    TableMeans {
        tiers: TIERS.map(|(tier, _)| mean_of(group, |run| ratio(tier(run.measured), run.measured.probes))),
        letters: [
            mean_of(group, |run| ratio(run.measured.asked_and_unanswered?[0], run.measured.probes)),
            mean_of(group, |run| run.measured.asked_and_unanswered.and_then(|[asked, not]| ratio(not, asked))),
        ],
        used: mean_of(group, |run| run.measured.table_used_permille.map(|permille| f64::from(permille) / 1e3)),
        foreign: TIERS.map(|(tier, foreign)| audited(foreign, tier)),
        torn_rejected: in_a_million("torn_rejected"),
        torn_accepted: in_a_million("torn_accepted"),
        false_matches: in_a_million("false_matches"),
        torn_standing: mean_of(group, |run| run.measured.torn_standing.map(|slots| slots as f64)),
    }
}

/// Shares of all nodes by class of loss.
fn losses(group: &Gathered<'_>) -> BTreeMap<String, f64> {
    let is_seen = |class: &Loss| group.configuration.losses || !class.needs_ledger();
    let share = |class: &str| {
        mean_of(group, |run| {
            let nodes = run.measured.nodes;
            (nodes > 0).then_some(run.measured.losses.get(class)? as f64 / nodes as f64)
        })
    };
    let known = Loss::ALL.iter().copied().filter(is_seen).map(Loss::name);
    known.filter_map(|class| Some((class.to_owned(), share(class)?))).collect()
}
