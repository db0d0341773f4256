//! Content of each chart: one small function a chart, from an analysis to what is drawn. Nothing is computed here that
//! is not in the analysis, but for changes of unit.

mod comparisons;
mod curves;
mod deepening;
mod depths;
mod micro;
mod parameters;
mod positions;
mod predictions;
mod processors;
mod speedup;
mod splitting;
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

/// All charts in the order of a report: name, what it shows, and the function that makes it.
pub(super) const FIGURES: [(&str, &str, Make); 33] = [
    ("time-speedup", "time speedup by number of processors, with intervals", speedup::time_speedup),
    ("efficiency", "efficiency: time speedup divided by the number of processors, with intervals", speedup::efficiency),
    ("time-speedup-published", "time speedup beside published time speedups", speedup::time_speedup_published),
    ("speedup-by-depth", "time speedup at each depth up to the last", deepening::speedup_by_depth),
    (
        "nodes-by-depth",
        "nodes and time of searches on one processor by depth, beside published ones",
        depths::nodes_by_depth,
    ),
    (
        "nodes-ratio",
        "nodes of searches on one processor relative to the reference, by depth",
        depths::nodes_ratio_by_depth,
    ),
    ("growth", "factor by which time grows with a ply, beside published ones", depths::growth_by_depth),
    ("minimal-tree", "leaves of the search for each of the minimal tree, by depth", depths::minimal_tree),
    ("solutions", "share of positions solved by time", deepening::solutions),
    ("processors", "processor time by activity", processors::processors),
    ("losses", "what the time speedup loses, by cause, in processors", processors::losses),
    ("factors", "the factors that make up the time speedup", processors::factors),
    ("overhead", "extra nodes, by cause of the work thrown away", processors::overhead),
    ("splitting", "share of time that sharing nodes takes, and copying positions", splitting::shares),
    ("copy-sizes", "time per node by the size of copies", splitting::sizes),
    ("stages", "stages of a split, one after the other", splitting::waterfall),
    ("micro", "micro-measurements of boards relative to the mailbox, beside published ratios", micro::micro),
    ("comparisons", "time and nodes relative to the reference", comparisons::comparisons),
    ("effects", "effect of each switch of a factorial design", comparisons::effects),
    ("predictions", "published tree sizes and search speeds, and our predictions of them", predictions::predictions),
    ("parameter", "time speedup by the value of a parameter", parameters::parameter),
    ("hash-size", "table hits, time and nodes by the size of the table", parameters::hash_size),
    ("positions", "time speedup of each position", positions::positions),
    ("distribution", "time of every run relative to the baseline", positions::distribution),
    ("baseline", "spread of the baseline's searches at each position", positions::baseline),
    ("search-speed", "nodes per second by the thesis's definition, with the published curves", |source| {
        thesis::SEARCH_SPEED.chart(source)
    }),
    ("speedup", "NPS speedup: what the thesis calls speedup", |source| thesis::NPS_SPEEDUP.chart(source)),
    ("tree-size", "nodes relative to one processor", |source| thesis::TREE_SIZE.chart(source)),
    ("nodes", "nodes by the thesis's definition", |source| thesis::NODES.chart(source)),
    ("time", "search time by the thesis's definition", |source| thesis::TIME.chart(source)),
    ("hash", "hash hits by the thesis's formula", |source| thesis::HASH.chart(source)),
    ("order", "move ordering by the thesis's formula", |source| thesis::ORDER.chart(source)),
    ("quiescence", "share of quiescence nodes by the thesis's formula", |source| thesis::QUIESCENCE.chart(source)),
];
