//! What each chart says: one small function a chart, from an analysis to what is drawn. Nothing is computed here that is not
//! in the analysis, but for changes of unit.

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

/// What charts are made of.
#[derive(Clone, Copy, Debug)]
pub struct Source<'a> {
    /// Ours.
    pub analysis: &'a Analysis,
    /// Others'.
    pub published: &'a Published,
}

/// A chart before it is drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// What is drawn, which interval, and what to bear in mind.
    pub caption: String,
    /// The drawing, with its title.
    pub sheet: Sheet,
}

/// Makes a figure, if the analysis has what it needs.
pub type Make = fn(&Source<'_>) -> Option<Figure>;

/// All charts by name, in the order of a report.
pub const FIGURES: [(&str, Make); 20] = [
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
    ("search-speed", thesis::search_speed),
    ("search-speed-trend", thesis::search_speed_trend),
    ("speedup", thesis::speedup),
    ("tree-size", thesis::tree_size),
    ("nodes", thesis::nodes),
    ("time", thesis::time),
    ("hash", thesis::hash),
    ("order", thesis::order),
    ("quiescence", thesis::quiescence),
];
