//! Sentence on what failed or is missing, which stands before all others: what follows may change.

use crate::report::analysis::Quality;
use crate::table::number::counted;

/// One sentence, if any cell lacks a measurement.
pub(super) fn sentence(quality: &Quality) -> Option<String> {
    let cells = counted(quality.cells, "cell", "cells");
    match (quality.failed.len(), quality.missing) {
        (0, 0) => None,
        (failed, 0) => Some(format!("Of {cells} {failed} failed.")),
        (0, missing) => Some(format!("Preliminary: of {cells} {missing} have no record yet.")),
        (failed, missing) => Some(format!("Preliminary: of {cells} {failed} failed and {missing} have no record yet.")),
    }
}
