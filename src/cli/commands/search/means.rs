//! Means over the searches of several positions.

use serde::Serialize;

use crate::record::Measured;
use crate::report::figures::Figure;
use crate::report::figures::register::{NODES, NPS, ORDER, OVER_MINIMUM, QUIESCENCE};

/// Nodes whose moves were counted, below which there is no ratio to the minimal tree. It grows with the mean number of
/// moves to the power of half the depth: from 2 000 nodes, which differ by about 40 % of their mean, it is known to
/// within a tenth at depth 12.
const FEWEST_COUNTED: u64 = 2_000;

/// Number of leaves, relative to the minimal tree, where the moves of enough nodes were counted.
pub(super) fn over_minimum(measured: &Measured) -> Option<f64> {
    let are_enough = measured.count("counted_nodes").is_some_and(|nodes| nodes >= FEWEST_COUNTED);
    OVER_MINIMUM.of_run(measured).filter(|_| are_enough)
}

/// Arithmetic means over positions, as in the thesis; a mean of ratios leaves out those that have nothing to divide by.
#[derive(Serialize)]
pub(super) struct Means {
    /// Nodes a second.
    pub nps: Option<f64>,
    /// Number of nodes.
    pub nodes: f64,
    /// Time in seconds of the machine.
    pub time_s: f64,
    /// Share of probes that the table answered, in hundredths.
    pub hash_pct: Option<f64>,
    /// Share of cutoffs by the first move, in hundredths.
    pub order_pct: Option<f64>,
    /// Number of leaves, relative to the minimal tree.
    pub over_minimum: Option<f64>,
    /// Share of nodes in the quiescence search, in hundredths.
    pub qn_pct: Option<f64>,
    /// The figures by the thesis's formulas.
    pub thesis: ThesisMeans,
}

/// Means of the figures by the thesis's formulas.
#[derive(Serialize)]
pub(super) struct ThesisMeans {
    /// Number of nodes.
    pub nodes: f64,
    /// Share of probes that the table answered, in hundredths.
    pub hash_pct: f64,
    /// Share of cutoffs by the first move, in hundredths.
    pub order_pct: f64,
    /// Share of nodes in the quiescence search, in hundredths.
    pub qn_pct: f64,
}

impl Means {
    /// Means of these searches.
    pub fn of(searches: &[&Measured]) -> Self {
        let mean_of_known = |value: &dyn Fn(&Measured) -> Option<f64>| {
            let known: Vec<f64> = searches.iter().filter_map(|measured| value(measured)).collect();
            (!known.is_empty()).then(|| known.iter().sum::<f64>() / known.len() as f64)
        };
        let figure = |figure: Figure| mean_of_known(&|measured| figure.of_run(measured));
        let mean = |value: &dyn Fn(&Measured) -> f64| mean_of_known(&|measured| Some(value(measured))).unwrap_or(0.0);
        let whole = |count: fn(&Measured) -> Option<u64>| mean(&|measured| count(measured).unwrap_or(0) as f64);
        Self {
            nps: figure(NPS),
            nodes: figure(NODES).unwrap_or(0.0),
            time_s: mean(&|measured| measured.time_ns as f64 / 1e9),
            hash_pct: mean_of_known(&Measured::hash_pct),
            order_pct: figure(ORDER),
            over_minimum: mean_of_known(&over_minimum),
            qn_pct: figure(QUIESCENCE),
            thesis: ThesisMeans {
                nodes: whole(Measured::thesis_nodes),
                hash_pct: whole(Measured::thesis_hash_pct),
                order_pct: whole(Measured::thesis_order_pct),
                qn_pct: whole(Measured::thesis_qn_pct),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use crate::record::NamedCounts;

    /// The mean number of moves of a few nodes is luck, and its powers are more so.
    #[test]
    fn few_counted_nodes_give_no_ratio() {
        let ratio = |nodes: u64| {
            let counts = HashMap::from([("leaves", 900), ("counted_nodes", nodes), ("counted_moves", 30 * nodes)]);
            over_minimum(&Measured { depth: 2, counters: NamedCounts::of(&counts), ..Measured::default() })
        };
        assert_eq!([ratio(0), ratio(50), ratio(1_999)], [None; 3]);
        // To depth 1 thirty leaves, to depth 2 fifty-nine.
        assert!(ratio(2_000).is_some_and(|ratio| (ratio - 900.0 / 89.0).abs() < 1e-9), "{:?}", ratio(2_000));
    }
}
