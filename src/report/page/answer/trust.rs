//! Sentences on how far the records can be trusted: whether the real machine was quiet.

use crate::report::analysis::Analysis;
use crate::table::number::counted;

/// One sentence on the machine, if it was real.
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
    sentences
}
