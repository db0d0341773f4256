//! The answer, made from the figures: first a verdict on the question that the experiment asks, then what was fastest,
//! where the rest of the processors went, what differs, and how far the records can be trusted. Real and virtual
//! processors are spoken of apart and never ranked together, and nothing is called equal because no difference was
//! seen.

mod baseline;
mod differences;
mod explanations;
mod limited;
mod losses;
mod micro;
mod missing;
mod notes;
mod published;
mod regret;
mod scaling;
mod speedup;
mod splitting;
mod trust;

use std::collections::HashSet;

use crate::record::{Asks, MachineKind};
use crate::report::analysis::{Analysis, Group};
use crate::statistics::{Interval, LEVEL};

use crate::table::number;

/// A difference that chance makes less often than this is called one: the other side of the level of intervals.
const SIGNIFICANT_P: f64 = 1.0 - LEVEL;

/// Answer to the question of an experiment.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Answer {
    /// Sentence on what failed or is missing, which must be known before any figure is read.
    pub notice: Option<String>,
    /// Sentences that answer the question, one for each machine.
    pub verdict: String,
    /// Paragraphs of all else that tests have shown.
    pub details: Vec<String>,
    /// Sentences on the run that a reader should know.
    pub notes: Vec<String>,
}

/// Sentences on one machine, the most important first; none if there is nothing to say.
type Part = fn(&Analysis, MachineKind) -> Vec<String>;

impl Answer {
    /// Answer from an analysis.
    pub fn of(analysis: &Analysis) -> Self {
        let (mut verdict, mut details) = (Vec::new(), Vec::new());
        // A sentence that holds for both machines is said once.
        let mut said = HashSet::new();
        for machine in machines(analysis.asks()) {
            let mut sentences = Vec::new();
            for part in parts(analysis.asks()) {
                sentences.extend(part(analysis, machine));
            }
            if sentences.is_empty() {
                sentences = baseline::sentences(analysis, machine);
            }
            sentences.retain(|sentence| said.insert(sentence.clone()));
            let mut sentences = sentences.into_iter();
            verdict.extend(sentences.next());
            details.push(sentences.collect::<Vec<_>>().join(" "));
        }
        if verdict.is_empty() {
            verdict.push("There is no answer yet: nothing was measured.".to_owned());
        }
        details.push(trust::sentences(analysis).join(" "));
        details.retain(|paragraph| !paragraph.is_empty());
        let notice = missing::sentence(&analysis.quality);
        Self { notice, verdict: verdict.join(" "), details, notes: notes::sentences(analysis) }
    }

    /// Notice, verdict, details and notes, a paragraph each.
    pub fn paragraphs(&self) -> Vec<String> {
        self.notice.iter().chain([&self.verdict]).chain(&self.details).chain(&self.notes).cloned().collect()
    }
}

/// Machines in the order in which they are spoken of. What was published is a matter of the virtual machine first,
/// which has the costs of its computers.
fn machines(asks: Asks) -> [MachineKind; 2] {
    match asks {
        Asks::Published => [MachineKind::Virtual, MachineKind::Real],
        Asks::Best | Asks::Effect | Asks::Splitting | Asks::Scaling => [MachineKind::Real, MachineKind::Virtual],
    }
}

/// Parts of an answer, what is asked for first.
fn parts(asks: Asks) -> Vec<Part> {
    let speedups: [Part; 3] = [scaling::sentences, speedup::sentences, limited::sentences];
    let fastest: [Part; 2] = [speedup::sentences, limited::sentences];
    let splitting: [Part; 2] = [splitting::sentences, micro::sentences];
    let published: [Part; 2] = [explanations::sentences, published::sentences];
    let differences: [Part; 2] = [differences::comparisons, differences::effects];
    let parts: &[&[Part]] = match asks {
        Asks::Published => &[&published, &speedups, &differences],
        Asks::Best => &[&fastest, &differences, &published],
        Asks::Splitting => &[&splitting, &differences],
        Asks::Effect => &[&differences, &fastest, &published, &splitting[1..]],
        Asks::Scaling => &[&speedups, &differences, &published, &splitting[1..]],
    };
    parts.concat()
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

/// `p = 0.012`, `p < 0.001`.
fn p_in_words(p: f64) -> String {
    match number::probability(p) {
        p if p.starts_with('<') => format!("p {p}"),
        p => format!("p = {p}"),
    }
}

/// Whether the group has any measurement on this machine.
fn is_measured(group: &Group, machine: MachineKind) -> bool {
    group.configuration.machine == machine && group.runs > 0
}

#[cfg(test)]
mod false_claims;
#[cfg(test)]
mod tests;
