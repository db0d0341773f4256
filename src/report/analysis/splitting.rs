//! Cost of sharing nodes: arithmetic means over positions of means over runs, with intervals. Each figure of a run is a
//! quotient of its sums.

use crate::record::{Measured, SplitTimes};
use crate::statistics::Interval;

use super::grouping::Gathered;
use super::scope::Holds;
use super::split_nodes;

/// Costs of sharing nodes in a group; `None` where there is nothing to divide by, or a record does not tell.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Splitting {
    /// Share of all processors' time spent making, copying, joining and leaving split points.
    pub time_share: Option<Interval>,
    /// Share of all processors' time spent copying positions: packing and taking over.
    pub copy_share: Option<Interval>,
    /// Share of all processors' time spent copying positions, with an interval that holds together with those of all
    /// configurations on as many processors.
    pub copy_share_together: Option<Interval>,
    /// Share of the time that owners and helpers spend at split nodes which sharing them takes.
    pub node_share: Option<Interval>,
    /// Share of split nodes at which sharing takes at least as long as everything else.
    pub costly_share: Option<Interval>,
    /// Bytes of a position on its way to a helper.
    pub bytes: Option<Interval>,
    /// Nanoseconds in which a helper takes a position over, fetching it included.
    pub copy_ns: Option<Interval>,
    /// Nanoseconds of each of the [`STAGES`] of a split.
    pub stages: [Option<Interval>; STAGES.len()],
    /// Nanoseconds that sharing a node takes owner and helpers together.
    pub cost_ns: Option<Interval>,
    /// Nanoseconds that locks are held for sharing a node, by owner and helpers together.
    pub held_ns: Option<Interval>,
    /// Nodes that need not have been searched at a split node that was cut off: those of searches that were stopped,
    /// and those below moves after the one that cut.
    pub superfluous: Option<Interval>,
}

/// Stages of a split in the order in which they happen, with what they mean. An owner goes through the first three.
pub const STAGES: [(&str, &str); 7] = [
    ("prepare", "owner: from the decision to split until the node is open, without packing"),
    ("pack", "owner: packing the position"),
    ("call", "owner: calling helpers"),
    ("notice", "helper: from the moment the node is open and the helper is free until it holds the node's lock"),
    ("copy", "helper: taking the position over, once it is in its cache"),
    ("fetch", "helper: fetching the position from another processor"),
    ("begin", "helper: everything else until it searches its first move"),
];

/// Costs of a group's splits. Its share of copying holds together with those of `among` configurations.
pub(super) fn splitting(group: &Gathered<'_>, among: usize, holds: Holds) -> Splitting {
    if group.configuration.threads == 1 {
        return Splitting::default();
    }
    let mean = |figure: &dyn Fn(&Measured) -> Option<f64>| group.mean(|run| figure(run.measured));
    let interval =
        |figure: &dyn Fn(&Measured) -> Option<f64>| mean(figure).map(|contrast| above_0(holds.interval(&contrast)));
    let each = |figure: fn(&SplitTimes) -> Option<f64>| interval(&|measured| figure(measured.sharing.times.as_ref()?));
    let copying = |measured: &Measured| per(measured.sharing.copy_ns()? as f64, measured.activities.total());
    Splitting {
        time_share: interval(&|measured| per(measured.activities.split_ns as f64, measured.activities.total())),
        copy_share: interval(&copying),
        copy_share_together: mean(&copying).map(|contrast| above_0(holds.interval_among(&contrast, among))),
        node_share: each(|times| (times.span_ns > 0).then(|| times.cost_ns as f64 / times.span_ns as f64)),
        costly_share: split_nodes::costly(group, holds),
        bytes: interval(&|measured| per(measured.count("copied_bytes")? as f64, measured.sharing.times?.paid)),
        copy_ns: each(|times| mean_of(times.copy_ns, times.copies)),
        stages: [
            each(|times| mean_of(times.open_ns.saturating_sub(times.call_ns + times.pack_ns), times.opened)),
            each(|times| mean_of(times.pack_ns, times.opened)),
            each(|times| mean_of(times.call_ns, times.opened)),
            each(|times| mean_of(times.notice_ns, times.came)),
            each(|times| Some((mean_of(times.copy_ns, times.copies)? - fetched(times)?).max(0.0))),
            each(fetched),
            each(|times| Some((mean_of(times.join_ns, times.joins)? - mean_of(times.copy_ns, times.copies)?).max(0.0))),
        ],
        cost_ns: interval(&|measured| per(measured.sharing.times?.cost_ns as f64, measured.count("splits.made")?)),
        held_ns: interval(&|measured| {
            let times = measured.sharing.times?;
            per((times.open_held_ns + times.join_held_ns) as f64, times.opened)
        }),
        superfluous: interval(&|measured| {
            let lost = ["aborted", "useless"].iter().filter_map(|class| measured.losses.total(class)).sum::<i64>();
            per(lost as f64, measured.count("splits.cut")?)
        }),
    }
}

/// The interval of a figure that cannot be less than nothing.
fn above_0(interval: Interval) -> Interval {
    Interval { low: if interval.low < 0.0 { 0.0 } else { interval.low }, ..interval }
}

fn per(part: f64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part / whole as f64)
}

fn mean_of(sum: u64, count: u64) -> Option<f64> {
    per(sum as f64, count)
}

/// Nanoseconds by which taking a position over takes longer for the first time than for the second, when all of it is
/// at hand.
fn fetched(times: &SplitTimes) -> Option<f64> {
    Some((mean_of(times.first_ns, times.again)? - mean_of(times.again_ns, times.again)?).max(0.0))
}
