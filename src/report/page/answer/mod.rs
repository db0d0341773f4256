//! The answer in one paragraph, made from the figures: what was fastest, where the rest of the processors went, what
//! differs, and how far the records can be trusted. Real and virtual processors are spoken of apart and never ranked
//! together, and nothing is called equal because no difference was seen.

mod baseline;
mod differences;
mod explanations;
mod limited;
mod losses;
mod speedup;
mod trust;

use crate::record::MachineKind;
use crate::report::analysis::{Analysis, Group};
use crate::statistics::{Interval, LEVEL};

use crate::table::number;

/// A difference that chance makes less often than this is called one: the other side of the level of intervals.
const SIGNIFICANT_P: f64 = 1.0 - LEVEL;

/// The answer in one paragraph, as plain text.
pub(crate) fn answer(analysis: &Analysis) -> String {
    paragraphs(analysis).join(" ")
}

/// The answer for the page: where there are both machines, each has a paragraph of its own.
pub(super) fn paragraphs(analysis: &Analysis) -> Vec<String> {
    let mut paragraphs = Vec::new();
    for &machine in MachineKind::ALL {
        let mut sentences = speedup::sentences(analysis, machine);
        sentences.extend(limited::sentences(analysis, machine));
        if sentences.is_empty() {
            sentences = baseline::sentences(analysis, machine);
        }
        sentences.extend(explanations::sentences(analysis, machine));
        sentences.extend(differences::comparisons(analysis, machine));
        sentences.extend(differences::effects(analysis, machine));
        if !sentences.is_empty() {
            paragraphs.push(sentences.join(" "));
        }
    }
    if paragraphs.is_empty() {
        paragraphs.push("There is no answer yet: nothing was measured.".to_owned());
    }
    let trust = trust::sentences(analysis).join(" ");
    match paragraphs.as_mut_slice() {
        _ if trust.is_empty() => {}
        [only] => *only = format!("{only} {trust}"),
        _ => paragraphs.push(trust),
    }
    paragraphs
}

/// `16 real processors`, `1 virtual processor`.
fn processors(threads: u32, machine: MachineKind) -> String {
    format!("{threads} {} processor{}", machine.name(), if threads == 1 { "" } else { "s" })
}

/// An interval with its level and what it holds for, as the first of a sentence has it.
fn full_interval(analysis: &Analysis, interval: &Interval) -> String {
    if !interval.is_known() {
        return "no interval can be given".to_owned();
    }
    let holds = analysis.description.interval.name();
    format!("{} interval {}, for {holds}", number::level(), number::range(interval))
}

/// Whether a test, corrected for the number of all claims, has shown a difference.
fn is_shown(p: Option<f64>) -> bool {
    p.is_some_and(|p| p < SIGNIFICANT_P)
}

/// Whether the group has any measurement on this machine.
fn is_measured(group: &Group, machine: MachineKind) -> bool {
    group.configuration.machine == machine && group.runs > 0
}

#[cfg(test)]
mod false_claims;
#[cfg(test)]
mod tests;
