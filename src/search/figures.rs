//! Figures made of raw counts: ours, and the thesis's with its printed formulas.

use serde::Serialize;

use super::counters::Counters;

/// What is read off a search's counts. A ratio with nothing to divide by is `None`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Figures {
    /// Entries into the main search and legal moves made in quiescence.
    pub nodes: u64,
    /// The part of them made in quiescence.
    pub qnodes: u64,
    /// That part in hundredths.
    pub qn_pct: Option<f64>,
    /// Probes that ended the node, in hundredths of all probes.
    pub hash_pct: Option<f64>,
    /// Nodes at which the first legal move cut, in hundredths of all nodes cut in the move loop.
    pub order_pct: Option<f64>,
}

/// The figures of the 2004 thesis, by its formulas: percentages are whole numbers, cut off, not rounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct ThesisFigures {
    /// Quiescence moves count as soon as they are tried.
    pub nodes: u64,
    /// 100 x hits / (probes + 1), a hit counted for each tier that has the position with enough draft.
    pub hash_pct: u64,
    /// 100 x cutoffs by the first move / cutoffs; 0 without cutoffs.
    pub order_pct: u64,
    /// 100 x quiescence moves tried / nodes.
    pub qn_pct: u64,
}

fn percentage(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| 100.0 * part as f64 / whole as f64)
}

impl From<&Counters> for Figures {
    fn from(counters: &Counters) -> Self {
        let (nodes, qnodes) = (counters.nodes(), counters.quiescence_nodes);
        Self {
            nodes,
            qnodes,
            qn_pct: percentage(qnodes, nodes),
            hash_pct: percentage(counters.ended, counters.probes),
            order_pct: percentage(counters.cutoffs.total_first(), counters.cutoffs.total()),
        }
    }
}

impl From<&Counters> for ThesisFigures {
    fn from(counters: &Counters) -> Self {
        let nodes = counters.thesis_nodes();
        Self {
            nodes,
            hash_pct: 100 * counters.tier_hits / (counters.probes + 1),
            order_pct: (100 * counters.cutoffs.total_first()).checked_div(counters.cutoffs.total()).unwrap_or(0),
            qn_pct: (100 * counters.quiescence_tried).checked_div(nodes).unwrap_or(0),
        }
    }
}
