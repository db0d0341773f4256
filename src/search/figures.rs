//! Figures of the 2004 thesis, made of raw counts by its printed formulas.

use serde::Serialize;

use super::counters::Counters;

/// The figures of the 2004 thesis, by its formulas: percentages are whole numbers, cut off, not rounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct ThesisFigures {
    /// Number of nodes, in which quiescence moves count as soon as they are tried.
    pub nodes: u64,
    /// 100 x hits / (probes + 1), a hit counted for each tier that has the position with enough draft.
    pub hash_pct: u64,
    /// 100 x cutoffs by the first move / cutoffs; 0 without cutoffs.
    pub order_pct: u64,
    /// 100 x quiescence moves tried / nodes.
    pub qn_pct: u64,
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
