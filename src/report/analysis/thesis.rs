//! Columns of the thesis with their intervals. Its figures are arithmetic means over positions of means over runs, and
//! so are the estimates here. The interval of a ratio of two such means is that of its logarithm, to first order: each
//! side is divided by its own mean, and the difference of both is a contrast like any other (the delta method).

use crate::statistics::{Contrast, Interval, LEVEL, mean_of_means};

use super::ThesisColumns;
use super::grouping::{Gathered, Run};
use super::scope::Holds;

/// Figure of a run, where it has one.
pub(super) type RunFigure = fn(Run<'_>) -> Option<f64>;

/// Names of the figures that are foretold.
pub const FORETOLD: [&str; 5] = ["nodes", "speed", "hash", "order", "quiescence"];

/// Figure of the thesis's tables, relative to one processor.
pub(super) struct Figure {
    pub name: &'static str,
    pub of_run: RunFigure,
    pub published: fn(&ThesisColumns) -> Option<Interval>,
    /// Whether the figure is a ratio; otherwise a difference, in hundredths.
    pub is_ratio: bool,
}

/// The figures that are [foretold](FORETOLD).
pub(super) const FIGURES: [Figure; FORETOLD.len()] = [
    Figure { name: FORETOLD[0], of_run: nodes, published: |row| row.nodes_ratio, is_ratio: true },
    Figure { name: FORETOLD[1], of_run: nps, published: |row| row.nps_speedup, is_ratio: true },
    Figure { name: FORETOLD[2], of_run: hash, published: |row| row.hash_pct, is_ratio: false },
    Figure { name: FORETOLD[3], of_run: order, published: |row| row.order_pct, is_ratio: false },
    Figure { name: FORETOLD[4], of_run: qn, published: |row| row.qn_pct, is_ratio: false },
];

/// Columns of a group with their intervals; ratios are formed over the positions that the baseline was measured at too.
pub(super) fn columns(group: &Gathered<'_>, baseline: Option<&Gathered<'_>>, holds: Holds) -> ThesisColumns {
    let mean = |figure: RunFigure| group.mean(figure).map(|contrast| holds.interval(&contrast));
    let ratio = |upper: Option<&Gathered<'_>>, lower: Option<&Gathered<'_>>, figure: RunFigure| {
        let (estimate, contrast) = ratio(upper?, lower?, figure)?;
        Some(around(estimate, holds.interval(&contrast)))
    };
    // Of searches that were cut off the long ones are missing: what is left says nothing of all.
    let is_whole = |side: &Gathered<'_>| !side.is_cut() && side.has_common_depth();
    let are_whole = is_whole(group) && baseline.is_none_or(is_whole);
    let times = ThesisColumns {
        time_s: mean(seconds).filter(|_| !group.is_cut()),
        time_speedup: ratio(baseline, Some(group), seconds).filter(|_| are_whole),
        ..ThesisColumns::default()
    };
    if group.configuration.is_outside() {
        // It counts neither these nodes nor what becomes of them.
        return times;
    }
    ThesisColumns {
        nps: mean(nps),
        nps_speedup: ratio(Some(group), baseline, nps),
        nodes: mean(nodes).filter(|_| !group.is_cut()),
        nodes_ratio: ratio(Some(group), baseline, nodes).filter(|_| are_whole),
        hash_pct: mean(hash),
        order_pct: mean(order),
        qn_pct: mean(qn),
        ..times
    }
}

/// Nodes a second as the thesis counts nodes.
pub(super) fn nps(run: Run<'_>) -> Option<f64> {
    let end_ns = run.measured.end_ns();
    (end_ns > 0).then_some(run.measured.thesis_nodes()? as f64 / end_ns as f64 * 1e9)
}

fn seconds(run: Run<'_>) -> Option<f64> {
    Some(run.measured.time_ns as f64 * 1e-9)
}

pub(super) fn nodes(run: Run<'_>) -> Option<f64> {
    run.measured.thesis_nodes().map(|count| count as f64)
}

pub(super) fn hash(run: Run<'_>) -> Option<f64> {
    run.measured.thesis_hash_pct().map(|count| count as f64)
}

pub(super) fn order(run: Run<'_>) -> Option<f64> {
    run.measured.thesis_order_pct().map(|count| count as f64)
}

pub(super) fn qn(run: Run<'_>) -> Option<f64> {
    run.measured.thesis_qn_pct().map(|count| count as f64)
}

/// Ratio of means over positions, and its logarithm as a contrast about 0.
fn ratio(group: &Gathered<'_>, baseline: &Gathered<'_>, figure: RunFigure) -> Option<(f64, Contrast)> {
    let pairs = group.figures(figure).into_iter().zip(baseline.figures(figure));
    let (ours, theirs): (Vec<_>, Vec<_>) = pairs.filter(|(a, b)| !a.is_empty() && !b.is_empty()).unzip();
    let (upper, lower) = (mean_of_means(&ours)?, mean_of_means(&theirs)?);
    let divided = |side: &[Vec<f64>], by: f64| -> Vec<Vec<f64>> {
        side.iter().map(|runs| runs.iter().map(|value| value / by).collect()).collect()
    };
    Some((upper / lower, Contrast::unpaired(&divided(&ours, upper), &divided(&theirs, lower))?))
}

/// Ratio whose logarithm lies about that of the estimate as this interval lies about 0.
fn around(estimate: f64, Interval { low, high, .. }: Interval) -> Interval {
    Interval { estimate, low: estimate * low.exp(), high: estimate * high.exp() }
}

/// The [`FIGURES`] that one further run would show beside one further baseline, with intervals that would hold them.
/// `None` for a baseline, and where runs are too few.
pub(super) fn predicted(group: &Gathered<'_>, baseline: Option<&Gathered<'_>>) -> Option<Vec<Interval>> {
    let baseline = baseline.filter(|baseline| !group.is_cut() && !baseline.is_cut())?;
    if group.configuration.is_outside() {
        return None;
    }
    let predicted = |figure: &Figure| {
        if figure.is_ratio {
            let (estimate, contrast) = ratio(group, baseline, figure.of_run)?;
            return Some(around(estimate, contrast.prediction(LEVEL)?));
        }
        group.less(baseline, figure.of_run)?.prediction(LEVEL)
    };
    FIGURES.iter().map(predicted).collect()
}

#[cfg(test)]
mod tests {
    use super::super::Analysis;
    use super::super::samples::one_against_four;

    #[test]
    fn estimates_are_those_of_the_columns_and_intervals_hold_them() {
        let (description, records) = one_against_four();
        let analysis = Analysis::of(description, &records);
        let group = &analysis.groups[1];
        let columns = &group.thesis;
        for (estimate, interval) in [
            (375.0, columns.nps),
            (375.0 / 121.875, columns.nps_speedup),
            (525.0, columns.nodes),
            (1.5, columns.nodes_ratio),
            (1.75, columns.time_s),
            (15.0 / 3.5, columns.time_speedup),
        ] {
            let interval = interval.unwrap();
            assert!((interval.estimate - estimate).abs() < 1e-12 * estimate.abs(), "{interval:?} {estimate}");
            assert!(interval.low < estimate && estimate < interval.high, "{interval:?}");
        }
        // Times of 1, 4 s at A and 1, 1 s at B: variances 4.5 and 0 with one degree of freedom each, so that of the
        // mean over positions is (4.5 / 2) / 4 = 0.5625, with one degree of freedom, whose factor is 12.706.
        let time = columns.time_s.unwrap();
        assert!((time.high - time.estimate - 12.7062 * 0.75).abs() < 1e-3, "{time:?}");
    }
}
