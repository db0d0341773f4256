//! Questions that are asked of an experiment.

mod all;
mod answer;
mod differences;
mod effects;
mod health;
mod how;
mod laws;
mod limits;
mod machines;
mod micro;
mod noise;
mod parameters;
mod positions;
mod prices;
mod published;
pub(crate) mod rows;
pub(crate) mod size;
mod speedup;
mod split;
mod table_use;
mod thesis;
mod tree;
mod wherefore;

use crate::analysis::{Analysis, Group};
use crate::question::{File, Question};
use crate::record::{Configuration, MachineKind};
use crate::statistics::Test;
use crate::table::number;

pub(crate) use all::QUESTIONS;
pub(crate) use differences::{Asked, verdict as of_differences};
pub(crate) use effects::verdict as of_effects;
pub(crate) use health::{advice as next_of_health, verdict as of_health};
pub(crate) use how::sentence_of;
pub(crate) use machines::verdict as of_machines;
pub(crate) use micro::verdict as of_micro;
pub(crate) use noise::{CLAIMS, NOT_NORMAL, spread_of};
pub(crate) use published::{beside as beside_published, verdict as of_published};
pub(crate) use split::{first_table as first_of_splits, is_padded, verdict as of_split};

/// Whether a difference was tested and is shown.
pub(crate) fn is_shown(test: Option<Test>) -> bool {
    test.is_some_and(Test::is_shown)
}

/// P value of a test, adjusted for its family.
fn adjusted(test: Option<Test>) -> Option<f64> {
    test.and_then(Test::adjusted)
}

/// `16 real processors`, `1 virtual processor`: those of a configuration.
pub(crate) fn processors(Configuration { threads, machine, .. }: &Configuration) -> String {
    format!("{threads} {} processor{}", machine.name(), if *threads == 1 { "" } else { "s" })
}

/// Candidates of all contests with the largest number of processors of each machine, the fastest first. No machine
/// without any is among them.
fn leaders(analysis: &Analysis) -> Vec<Vec<&Group>> {
    let of_machine = |machine: &MachineKind| {
        let candidates = analysis.contests.iter().flat_map(|contest| &contest.candidates);
        let mut groups: Vec<&Group> = candidates.map(|&place| &analysis.groups[place]).collect();
        groups.retain(|group| group.configuration.machine == *machine);
        let most = groups.iter().map(|group| group.configuration.threads).max()?;
        groups.retain(|group| group.configuration.threads == most);
        groups.sort_by(|one, other| other.time_speedup().total_cmp(&one.time_speedup()));
        Some(groups)
    };
    MachineKind::ALL.iter().filter_map(of_machine).collect()
}

/// Words for the first of these items, and how many more there are.
pub(crate) fn few(items: &[String], most: usize) -> String {
    let mut words: Vec<String> = items.iter().take(most).cloned().collect();
    if items.len() > most {
        words.push(number::counted(items.len() - most, "other", "others"));
    }
    number::listed(&words)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Source;
    use crate::charts::samples;

    /// What a sentence states it states by evidence: no description of any question has a word for a difference, an
    /// order, a growth, a law or a state.
    #[test]
    fn nothing_is_stated_without_evidence() {
        let mut sentences = 0;
        let virtual_ones = samples::processors(&[1, 2, 16], &["ybwc", "lazy"], MachineKind::Virtual);
        let all = [samples::mixed(), samples::comparisons(), samples::sweep(), samples::hash_sizes(), virtual_ones];
        for analysis in all {
            let source = Source::of(analysis);
            for question in QUESTIONS {
                let Some(sentence) = (question.sentence)(&source) else { continue };
                assert_eq!(sentence.unfounded(), None, "{}: {sentence}", question.key);
                sentences += 1;
            }
        }
        assert!(sentences > 25, "{sentences}");
    }
}
