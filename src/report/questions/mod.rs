//! Questions that are asked of an experiment.

mod answer;
mod differences;
mod effects;
mod how;
mod micro;
mod noise;
mod parameters;
mod positions;
mod published;
pub(crate) mod rows;
pub(crate) mod size;
mod speedup;
mod split;
mod table_use;
mod thesis;
mod tree;
mod wherefore;

use crate::Source;
use crate::analysis::{Analysis, Group};
use crate::headline::{Headline, is_ruined};
use crate::question::{About, File, Question, Subject};
use crate::record::{Asks, Description, MachineKind};
use crate::statistics::LEVEL;
use crate::table::number;
use crate::tables;

pub(crate) use differences::verdict as of_differences;
pub(crate) use effects::verdict as of_effects;
pub(crate) use how::sentence_of;
pub(crate) use micro::verdict as of_micro;
pub(crate) use noise::CLAIMS;
pub(crate) use published::{beside as beside_published, verdict as of_published};
pub(crate) use split::{first_table as first_of_splits, is_padded, verdict as of_split};
pub(crate) use wherefore::losses;

impl Subject for Source {
    const QUESTIONS: &'static [Question<Self>] = QUESTIONS;
    const FILES: &'static [File<Self>] = &tables::FILES;

    fn about(&self) -> About<'_> {
        let Description { title, question, command, version, charts, notes, .. } = &self.analysis.description;
        let asks = self.analysis.asks();
        About {
            title: if title.is_empty() { NO_TITLE } else { title },
            question,
            command,
            version,
            charts,
            first_charts: first_charts(asks),
            opened: if is_worthless(&self.analysis) { &[] } else { opened(asks) },
            notes,
        }
    }

    fn headline(&self) -> Headline {
        Headline::of(self)
    }
}

/// Title of an experiment that has none.
const NO_TITLE: &str = "Experiment";

const QUESTIONS: &[Question<Source>] = &[
    speedup::SPEEDUP,
    differences::DIFFERENCES,
    effects::EFFECTS,
    wherefore::WHERE,
    size::SIZE,
    tree::TREE,
    answer::ANSWER,
    split::SPLIT,
    table_use::TABLE,
    thesis::THESIS,
    published::PUBLISHED,
    parameters::PARAMETERS,
    micro::MICRO,
    noise::NOISE,
    positions::POSITIONS,
    how::HOW,
];

/// Whether only real searches were compared, and their times mean nothing.
fn is_worthless(analysis: &Analysis) -> bool {
    let is_virtual = |group: &Group| group.configuration.machine == MachineKind::Virtual;
    is_ruined(analysis) && !analysis.groups.iter().any(|group| is_virtual(group) && !group.configuration.is_baseline())
}

/// Keys of the questions that are open from the start.
fn opened(asks: Asks) -> &'static [&'static str] {
    match asks {
        Asks::Scaling | Asks::Best => &["where", "size"],
        Asks::Effect => &["differences", "effects"],
        Asks::Splitting => &["split", "differences"],
        Asks::Published => &["published", "thesis"],
    }
}

/// Names of charts for the first screen.
fn first_charts(asks: Asks) -> &'static [&'static str] {
    match asks {
        Asks::Scaling | Asks::Best => &["time-speedup"],
        Asks::Effect => &["comparisons", "effects", "micro", "time-speedup"],
        Asks::Splitting => &["copy-sizes", "stages", "comparisons", "splitting"],
        Asks::Published => &["predictions", "tree-size", "time-speedup"],
    }
}

/// A difference that chance makes less often than this is called one.
pub(crate) fn is_shown(p: Option<f64>) -> bool {
    p.is_some_and(|p| p < 1.0 - LEVEL)
}

/// `16 real processors`, `1 virtual processor`.
pub(crate) fn processors(threads: u32, machine: MachineKind) -> String {
    format!("{threads} {} processor{}", machine.name(), if threads == 1 { "" } else { "s" })
}

/// Candidates of all contests with the largest number of processors of each machine, the fastest first.
fn leaders(analysis: &Analysis) -> Vec<(MachineKind, u32, Vec<&Group>)> {
    let mut leaders = Vec::new();
    for &machine in MachineKind::ALL {
        let candidates = analysis.contests.iter().flat_map(|contest| &contest.candidates);
        let mut groups: Vec<&Group> = candidates.map(|&place| &analysis.groups[place]).collect();
        groups.retain(|group| group.configuration.machine == machine);
        let Some(most) = groups.iter().map(|group| group.configuration.threads).max() else { continue };
        groups.retain(|group| group.configuration.threads == most);
        let speedup =
            |group: &&Group| group.against_baseline.as_ref().map_or(f64::NAN, |ratios| ratios.time_speedup.estimate);
        groups.sort_by(|one, other| speedup(other).total_cmp(&speedup(one)));
        leaders.push((machine, most, groups));
    }
    leaders
}

/// Words for the first of these items, and how many more there are.
fn few(items: &[String], most: usize) -> String {
    let mut words: Vec<String> = items.iter().take(most).cloned().collect();
    if items.len() > most {
        words.push(number::counted(items.len() - most, "other", "others"));
    }
    number::listed(&words)
}
