//! Sentences on how far the records can be trusted: whether the real machine was quiet, and what failed or is missing.

use crate::report::analysis::Analysis;
use crate::table::number::counted;

/// One sentence of the machine, if it was real, and one of cells, if any lacks a measurement.
pub(super) fn sentences(analysis: &Analysis) -> Vec<String> {
    let quality = &analysis.quality;
    let mut sentences = Vec::new();
    let real = counted(quality.real, "real record", "real records");
    match (quality.real, quality.disturbed) {
        (0, _) => {}
        (_, 0) => sentences.push(format!("Nothing was seen to disturb any of the {real}.")),
        (_, disturbed) => {
            let most = quality.reasons.iter().rev().max_by_key(|(_, often)| *often);
            let most = most.map(|(reason, _)| format!(", most often because {reason}")).unwrap_or_default();
            sentences.push(format!("The machine was not always quiet: of {real} {disturbed} were disturbed{most}."));
        }
    }
    let failed = quality.failed.len() as u64;
    let cells = counted(quality.cells, "cell", "cells");
    match (failed, quality.missing) {
        (0, 0) => {}
        (failed, 0) => sentences.push(format!("Of {cells} {failed} failed.")),
        (0, missing) => sentences.push(format!("Of {cells} {missing} have no record yet.")),
        (failed, missing) => sentences.push(format!("Of {cells} {failed} failed and {missing} have no record yet.")),
    }
    sentences
}
