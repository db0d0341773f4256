//! Content of each chart: one small function a chart, from an analysis to what is drawn. Nothing is computed here that
//! is not in the analysis, but for changes of unit.

mod comparisons;
mod curves;
mod parameters;
mod positions;
mod processors;
mod speedup;
mod thesis;

use crate::report::analysis::Analysis;
use crate::report::published::Published;

use super::sheet::Sheet;

/// Figures that charts are made of.
#[derive(Clone, Copy, Debug)]
pub(super) struct Source<'a> {
    /// Our figures.
    pub analysis: &'a Analysis,
    /// Figures of others.
    pub published: &'a Published,
}

/// Function that makes a chart, if the analysis has what it needs.
pub(super) type Make = fn(&Source<'_>) -> Option<Sheet>;

/// Functions of all charts by name, in the order of a report.
pub(super) const FIGURES: [(&str, Make); 20] = [
    ("time-speedup", speedup::time_speedup),
    ("time-speedup-published", speedup::time_speedup_published),
    ("processors", processors::processors),
    ("factors", processors::factors),
    ("overhead", processors::overhead),
    ("comparisons", comparisons::comparisons),
    ("effects", comparisons::effects),
    ("parameter", parameters::parameter),
    ("hash-size", parameters::hash_size),
    ("positions", positions::positions),
    ("baseline", positions::baseline),
    ("search-speed", |source| thesis::SEARCH_SPEED.chart(source)),
    ("search-speed-trend", |source| thesis::SEARCH_SPEED_TREND.chart(source)),
    ("speedup", |source| thesis::NPS_SPEEDUP.chart(source)),
    ("tree-size", |source| thesis::TREE_SIZE.chart(source)),
    ("nodes", |source| thesis::NODES.chart(source)),
    ("time", |source| thesis::TIME.chart(source)),
    ("hash", |source| thesis::HASH.chart(source)),
    ("order", |source| thesis::ORDER.chart(source)),
    ("quiescence", |source| thesis::QUIESCENCE.chart(source)),
];
