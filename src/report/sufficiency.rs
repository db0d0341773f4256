//! Choice of configurations that have been measured often enough: those whose interval of the time speedup is narrow.

use super::analysis::Analysis;
use crate::record::{Configuration, Description, Record};

/// Configurations whose interval reaches further from its estimate than this share of it, or is not known.
pub(crate) fn needy(description: &Description, records: &[Record], half_width: f64) -> Vec<Configuration> {
    let analysis = Analysis::of(description.clone(), records);
    // Where there is no time speedup, more repetitions make none.
    let is_wide = |speedup: &crate::statistics::Interval| {
        speedup.estimate.is_finite()
            && !(speedup.high / speedup.estimate - 1.0 <= half_width
                && 1.0 - speedup.low / speedup.estimate <= half_width)
    };
    let wide = analysis
        .groups
        .iter()
        .filter(|group| group.against_baseline.as_ref().is_some_and(|against| is_wide(&against.time_speedup)));
    wide.map(|group| group.configuration.clone()).collect()
}
