//! Sentence on what failed or is missing, which stands before all others: what follows may change.

use crate::report::analysis::Quality;
use crate::table::number::{counted, listed};

/// One sentence, if any cell lacks a measurement.
pub(super) fn sentence(quality: &Quality) -> Option<String> {
    let (failed, cut) = (quality.failed.len() as u64, quality.cut.len() as u64);
    let parts = [
        (failed, "failed"),
        (cut, if cut == 1 { "was cut off by the limit" } else { "were cut off by the limit" }),
        (quality.missing, if quality.missing == 1 { "has no record yet" } else { "have no record yet" }),
    ];
    let parts = parts.iter().filter(|(count, _)| *count > 0);
    let parts: Vec<String> = parts.map(|(count, what)| format!("{count} {what}")).collect();
    let of = if quality.missing > 0 { "Preliminary: of" } else { "Of" };
    let cells = counted(quality.cells, "cell", "cells");
    (!parts.is_empty()).then(|| format!("{of} {cells}, {}.", listed(&parts)))
}
