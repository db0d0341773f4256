//! An experiment as what a report is about: what it says of itself, and which questions are open from the start.

use super::Source;
use super::analysis::{Analysis, Group};
use super::question::{About, File, Headline, LongFile, Question, Subject};
use super::questions::QUESTIONS;
use super::state::is_ruined;
use super::tables;
use crate::record::{Asks, Description, MachineKind};

impl Subject for Source {
    const QUESTIONS: &'static [Question<Self>] = QUESTIONS;
    const LONG_FILES: &'static [LongFile<Self>] = &[tables::RUNS];
    const FILES: &'static [File<Self>] = &tables::FILES;

    fn about(&self) -> About<'_> {
        let Description { title, question, command, version, charts, notes, .. } = &self.analysis.description;
        let [first_charts, opened] = first_seen(self.analysis.asks());
        About {
            title: if title.is_empty() { NO_TITLE } else { title },
            question,
            command,
            version,
            charts,
            first_charts,
            opened: if is_worthless(&self.analysis) { &[] } else { opened },
            notes,
        }
    }

    fn shown(&self) -> Option<Self> {
        is_ruined(&self.analysis).then(|| Self {
            records: self.records.clone(),
            analysis: self.analysis.without_real_times(),
            published: self.published.clone(),
            environment: self.environment.clone(),
        })
    }

    fn headline(&self) -> Headline {
        Headline::of(self)
    }
}

/// Title of an experiment that has none.
const NO_TITLE: &str = "Experiment";

/// Whether only real searches were compared, and their times mean nothing.
fn is_worthless(analysis: &Analysis) -> bool {
    let is_virtual = |group: &Group| group.configuration.machine == MachineKind::Virtual;
    is_ruined(analysis) && !analysis.groups.iter().any(|group| is_virtual(group) && !group.configuration.is_baseline())
}

/// Names of charts for the first screen, and keys of the questions that are open from the start.
fn first_seen(asks: Asks) -> [&'static [&'static str]; 2] {
    match asks {
        Asks::Smp => [&["time-speedup"], &["health", "where"]],
        Asks::Scaling | Asks::Best => [&["time-speedup"], &["where", "size"]],
        Asks::Effect => [&["comparisons", "effects", "micro", "time-speedup"], &["differences", "effects"]],
        Asks::Splitting => {
            [&["copy-sizes", "comparisons", "splitting", "stages", "split-nodes"], &["split", "differences"]]
        }
        Asks::Published => [&["predictions", "tree-size", "time-speedup"], &["published", "thesis"]],
    }
}
