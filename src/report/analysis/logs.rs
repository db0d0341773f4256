//! Logarithms of what a run took, of which ratios are differences.

use super::grouping::Run;

/// Logarithm of the seconds that a run took. A run that took no time or saw no node has no logarithms and is in no
/// ratio.
pub(crate) fn log_time(run: Run<'_>) -> Option<f64> {
    is_usable(run).then(|| (run.measured.time_ns as f64 * 1e-9).ln())
}

/// Logarithm of the seconds to the end of a run, up to which its nodes are counted.
pub(super) fn log_end(run: Run<'_>) -> Option<f64> {
    is_usable(run).then(|| (run.measured.end_ns() as f64 * 1e-9).ln())
}

/// Logarithm of the nodes of a run.
pub(crate) fn log_nodes(run: Run<'_>) -> Option<f64> {
    is_usable(run).then(|| (run.measured.nodes as f64).ln())
}

pub(super) fn is_usable(run: Run<'_>) -> bool {
    run.measured.time_ns > 0 && run.measured.nodes > 0
}

/// Logarithm of the nodes a second of a run, to its end.
pub(crate) fn log_nps(run: Run<'_>) -> Option<f64> {
    Some(log_nodes(run)? - log_end(run)?)
}
