//! Where the processors of a search go: `n` processors less its time speedup, divided among the causes. The factors of
//! a speedup multiply, so their logarithms add up, and each cause takes its share of them. Losses in processors add up
//! to what is missing, whatever their order; shares of one factor each do not.

use super::{AgainstBaseline, Factor};
use crate::statistics::{Interval, Test};

/// Share of a speedup that may be lost without a name: figures are rounded, and means of ratios are no ratios of means.
const UNNAMED: f64 = 0.005;

/// Part of a speedup that is lost to one cause, such as waiting or extra nodes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Lost {
    pub cause: &'static str,
    /// Processors that are lost to it; below zero for a gain.
    pub processors: f64,
    /// Factor by which it multiplies the speedup, below 1 for a loss, with its interval if it has one.
    pub factor: Interval,
    /// Test of that factor's difference from 1, if there is one.
    pub test: Option<Test>,
}

/// Cause of what no factor explains.
pub(crate) const NOT_EXPLAINED: &str = "not explained";

/// Processors that a search loses by each cause, in the order of the factors. They add up to its processors less its
/// time speedup. Nothing if that or a factor is not known.
pub(crate) fn lost(against: &AgainstBaseline) -> Vec<Lost> {
    let factors = &against.factors;
    let nodes = Factor { ratio: factors.nodes.ratio.inverse(), test: factors.nodes.test };
    let causes = [
        ("idle", factors.utilisation),
        ("coordination", factors.productive),
        ("slower nodes", factors.rate),
        ("extra nodes", nodes),
    ];
    let is_known = |value: f64| value.is_finite() && value > 0.0;
    let known = causes.into_iter().filter(|(_, factor)| is_known(factor.ratio.estimate)).collect();
    let (ideal, speedup) = (factors.processors, against.time_speedup.estimate);
    if is_known(ideal) && is_known(speedup) { divided(ideal, speedup, known) } else { Vec::new() }
}

/// Difference of an ideal and a speedup, divided among these causes, and what is left if it is not next to nothing.
/// In processors each is its logarithm times the logarithmic mean of both ends.
pub(crate) fn divided(ideal: f64, speedup: f64, mut causes: Vec<(&'static str, Factor)>) -> Vec<Lost> {
    let rest = speedup / causes.iter().fold(ideal, |left, (_, factor)| left * factor.ratio.estimate);
    if (rest - 1.0).abs() > UNNAMED {
        causes.push((NOT_EXPLAINED, Factor { ratio: Interval::unknown(rest), test: None }));
    }
    let ratio = (ideal / speedup).ln();
    let mean = if ratio.abs() > 1e-9 { (ideal - speedup) / ratio } else { ideal };
    let lost = |(cause, Factor { ratio: factor, test })| {
        let factor: Interval = factor;
        Lost { cause, processors: -factor.estimate.ln() * mean, factor, test }
    };
    causes.into_iter().map(lost).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn losses_add_up_to_what_is_missing_in_any_order() {
        let factor = |estimate| Factor { ratio: Interval::unknown(estimate), test: None };
        let (idle, nodes) = (("idle", factor(0.5)), ("extra nodes", factor(0.9)));
        let [one, other] = [vec![idle, nodes], vec![nodes, idle]].map(|causes| divided(8.0, 3.6, causes));
        assert!((one.iter().map(|lost| lost.processors).sum::<f64>() - (8.0 - 3.6)).abs() < 1e-9, "{one:?}");
        assert!((one[0].processors - other[1].processors).abs() < 1e-9);
        let rest = divided(8.0, 3.6, vec![idle]);
        assert_eq!(rest[1].cause, NOT_EXPLAINED);
        assert!((rest.iter().map(|lost| lost.processors).sum::<f64>() - (8.0 - 3.6)).abs() < 1e-9, "{rest:?}");
    }
}
