//! Sentences on where the rest of the processors went: the factors of a time speedup that are shown to cost time, and
//! those that are shown to gain some.

use super::is_shown;
use crate::report::analysis::{AgainstBaseline, Factors};
use crate::table::number::{estimate, interval, listed, percent};

/// One sentence; none if the factors are not known.
pub(super) fn sentence(speedup: f64, factors: &Factors) -> Option<String> {
    let efficiency = speedup / factors.processors;
    let Factors { utilisation, productive, rate, nodes, .. } = factors;
    let factors = [utilisation, nodes, rate, productive];
    if !efficiency.is_finite() || factors.iter().any(|factor| !factor.ratio.estimate.is_finite()) {
        return None;
    }
    let words = [
        ("idle or waiting processors (utilisation {})", "less idling and waiting than the baseline (utilisation {})"),
        ("extra nodes ({} times the baseline's)", "a smaller tree ({} times the baseline's nodes)"),
        ("fewer nodes per second of searching (rate {})", "more nodes per second of searching (rate {})"),
        ("coordination (productive share {})", "less coordination than the baseline (productive share {})"),
    ];
    let (mut costs, mut gains) = (Vec::new(), Vec::new());
    for (factor, (cost, gain)) in factors.into_iter().zip(words).filter(|(factor, _)| is_shown(factor.p)) {
        // More nodes cost; more of anything else gains.
        let costs_time = (factor.ratio.estimate < 1.0) != std::ptr::eq(factor, nodes);
        let (list, words) = if costs_time { (&mut costs, cost) } else { (&mut gains, gain) };
        list.push(words.replace("{}", &interval(&factor.ratio)));
    }
    let parts = [("time is shown to be lost to", costs), ("time is shown to be gained by", gains)];
    let parts = parts.into_iter().filter(|(_, list)| !list.is_empty());
    let parts: Vec<String> = parts.map(|(what, list)| format!("{what} {}", listed(&list))).collect();
    let efficiency = percent(efficiency);
    Some(match parts.as_slice() {
        [] if factors.iter().all(|factor| factor.p.is_none()) => format!("The efficiency is {efficiency}."),
        [] => format!("The efficiency is {efficiency}; no factor is shown to cost or to gain time."),
        parts => format!("The efficiency is {efficiency}; {}.", parts.join("; ")),
    })
}

/// Sentence on an engine from outside, which tells its nodes and not what its threads do: what its nodes a second hide.
/// None without a time speedup.
pub(super) fn hidden_by_nps(label: &str, against: &AgainstBaseline) -> Option<String> {
    let AgainstBaseline { time_speedup, nodes, nps_speedup, .. } = against;
    let are_known = [time_speedup, nodes, nps_speedup].iter().all(|ratio| ratio.estimate.is_finite());
    are_known.then(|| {
        format!(
            "{label} searched {} times the nodes of its baseline, at {} times the nodes a second: by these alone its \
             speedup would be {}, and it is {}.",
            interval(nodes),
            interval(nps_speedup),
            estimate(nps_speedup),
            interval(time_speedup),
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::analysis::Factor;
    use crate::statistics::Interval;

    fn factor(estimate: f64, p: f64) -> Factor {
        Factor { ratio: Interval { estimate, low: estimate - 0.05, high: estimate + 0.05 }, p: Some(p) }
    }

    #[test]
    fn only_what_a_test_has_shown_is_named() {
        let factors = |utilisation, productive, rate, nodes| Factors {
            processors: 16.0,
            utilisation: factor(utilisation, 0.001),
            productive: factor(productive, 0.3),
            rate: factor(rate, 0.049),
            nodes: factor(nodes, 0.02),
        };
        let cases = [
            (
                factors(0.7, 0.9, 0.95, 1.3),
                "The efficiency is 50.0 %; time is shown to be lost to idle or waiting processors (utilisation 0.700 \
                 (0.650 to 0.750)), extra nodes (1.30 (1.25 to 1.35) times the baseline's) and fewer nodes per second \
                 of searching (rate 0.950 (0.900 to 1.000)).",
            ),
            (
                factors(0.8, 1.0, 1.1, 0.9),
                "The efficiency is 50.0 %; time is shown to be lost to idle or waiting processors (utilisation 0.800 \
                 (0.750 to 0.850)); time is shown to be gained by a smaller tree (0.900 (0.850 to 0.950) times the \
                 baseline's nodes) and more nodes per second of searching (rate 1.10 (1.05 to 1.15)).",
            ),
        ];
        for (factors, expected) in cases {
            assert_eq!(sentence(8.0, &factors).as_deref(), Some(expected));
        }
        let unshown = factor(0.7, 0.06);
        let nothing =
            Factors { processors: 16.0, utilisation: unshown, productive: unshown, rate: unshown, nodes: unshown };
        let expected = "The efficiency is 50.0 %; no factor is shown to cost or to gain time.";
        assert_eq!(sentence(8.0, &nothing).as_deref(), Some(expected));
        assert_eq!(sentence(f64::NAN, &nothing), None);
        assert_eq!(sentence(8.0, &Factors { rate: Factor::UNKNOWN, ..nothing }), None);
    }
}
