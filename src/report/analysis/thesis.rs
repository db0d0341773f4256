//! Columns of the thesis with their intervals. Its figures are arithmetic means over positions of means over runs, and
//! so are the estimates here. The interval of a ratio of two such means is that of its logarithm, to first order: each
//! side is divided by its own mean, and the difference of both is a contrast like any other (the delta method).

use crate::statistics::{Contrast, Interval, LEVEL, mean_of_means};

use super::grouping::{Gathered, Run};
use super::scope::Holds;
use super::{Predicted, ThesisColumns};

/// Columns of a group with their intervals; ratios are formed over the positions that the baseline was measured at too.
pub(super) fn columns(group: &Gathered<'_>, baseline: Option<&Gathered<'_>>, holds: Holds) -> ThesisColumns {
    let of_mean = |figure: fn(Run<'_>) -> f64| {
        Contrast::paired(&group.figures(|run| Some(figure(run)))).map(|contrast| holds.interval(&contrast))
    };
    // Of searches that were cut off the long ones are missing: what is left says nothing of all.
    let is_whole = |side: &Gathered<'_>| !side.is_cut() && side.has_common_depth();
    let is_whole = is_whole(group) && baseline.is_none_or(is_whole);
    if group.configuration.is_outside() {
        // It counts neither these nodes nor what becomes of them.
        return ThesisColumns {
            time_s: of_mean(seconds).filter(|_| !group.is_cut()),
            time_speedup: ratio_of_means(baseline, Some(group), |run| Some(seconds(run)), holds).filter(|_| is_whole),
            ..ThesisColumns::default()
        };
    }
    let mean_nps = Contrast::paired(&group.figures(nps)).map(|contrast| holds.interval(&contrast));
    ThesisColumns {
        nps: mean_nps,
        nps_speedup: ratio_of_means(Some(group), baseline, nps, holds),
        nodes: of_mean(nodes).filter(|_| !group.is_cut()),
        nodes_ratio: ratio_of_means(Some(group), baseline, |run| Some(nodes(run)), holds).filter(|_| is_whole),
        time_s: of_mean(seconds).filter(|_| !group.is_cut()),
        time_speedup: ratio_of_means(baseline, Some(group), |run| Some(seconds(run)), holds).filter(|_| is_whole),
        hash_pct: of_mean(hash),
        order_pct: of_mean(order),
        qn_pct: of_mean(qn),
    }
}

/// Nodes a second as the thesis counts nodes.
fn nps(run: Run<'_>) -> Option<f64> {
    (run.measured.end_ns() > 0).then(|| nodes(run) / run.measured.end_ns() as f64 * 1e9)
}

fn seconds(run: Run<'_>) -> f64 {
    run.measured.time_ns as f64 * 1e-9
}

fn nodes(run: Run<'_>) -> f64 {
    run.measured.thesis_nodes as f64
}

fn ratio_of_means(
    upper: Option<&Gathered<'_>>,
    lower: Option<&Gathered<'_>>,
    figure: fn(Run<'_>) -> Option<f64>,
    holds: Holds,
) -> Option<Interval> {
    let (estimate, contrast) = ratio(upper?, lower?, figure)?;
    Some(around(estimate, holds.interval(&contrast)))
}

/// Ratio of means over positions, and its logarithm as a contrast about 0.
fn ratio(group: &Gathered<'_>, baseline: &Gathered<'_>, figure: fn(Run<'_>) -> Option<f64>) -> Option<(f64, Contrast)> {
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

/// Columns that one further run would show beside one further baseline, with intervals that would hold it: ratios of
/// nodes and of nodes a second, and differences in hundredths. Nothing for a baseline, and where runs are too few.
pub(super) fn predicted(group: &Gathered<'_>, baseline: Option<&Gathered<'_>>) -> Option<Predicted> {
    let baseline = baseline.filter(|baseline| !group.is_cut() && !baseline.is_cut())?;
    if group.configuration.is_outside() {
        return None;
    }
    let ratio = |figure: fn(Run<'_>) -> Option<f64>| {
        let (estimate, contrast) = ratio(group, baseline, figure)?;
        Some(around(estimate, contrast.prediction(LEVEL)?))
    };
    let difference = |figure: fn(Run<'_>) -> f64| {
        let side = |of: &Gathered<'_>| of.figures(|run| Some(figure(run)));
        Contrast::unpaired(&side(group), &side(baseline))?.prediction(LEVEL)
    };
    Some(Predicted {
        nodes_ratio: ratio(|run| Some(nodes(run)))?,
        nps_speedup: ratio(nps)?,
        hash_change: difference(hash)?,
        order_change: difference(order)?,
        qn_change: difference(qn)?,
    })
}

fn hash(run: Run<'_>) -> f64 {
    run.measured.thesis_hash_pct as f64
}

fn order(run: Run<'_>) -> f64 {
    run.measured.thesis_order_pct as f64
}

fn qn(run: Run<'_>) -> f64 {
    run.measured.thesis_qn_pct as f64
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
