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
            left_out: self.left_out.clone(),
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
        Asks::Machines => [&["twins", "time-speedup"], &["machines", "prices"]],
        Asks::Scaling | Asks::Best => [&["time-speedup"], &["where", "size"]],
        Asks::Effect => [&["comparisons", "effects", "micro", "time-speedup"], &["differences", "effects"]],
        Asks::Splitting => [
            &["board-times", "copy-sizes", "comparisons", "splitting", "stages", "split-nodes"],
            &["split", "differences"],
        ],
        Asks::Torn => [&["torn", "hash"], &["torn", "table"]],
        Asks::Cluster => [&["latency", "on-nodes"], &["cluster", "where"]],
        Asks::Published => [&["predictions", "tree-size", "time-speedup"], &["published", "thesis"]],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::charts::samples;
    use crate::question::files;
    use crate::table::Table;

    /// Figures that the text refuses are in no table for readers; files for other programs have what was measured.
    #[test]
    fn times_of_disturbed_searches_are_in_no_table_for_readers() {
        let mut analysis = samples::mixed();
        samples::disturb(&mut analysis);
        let source = Source::of(analysis);
        let shown = source.shown().unwrap();
        let rows = |table: &Table, column: &str| -> Vec<(String, String)> {
            let place = table.columns.iter().position(|other| other.name.to_lowercase().replace(' ', "_") == column);
            let place = place.unwrap_or_else(|| panic!("no {column} in {:?}", table.columns));
            table.rows.iter().map(|row| (format!("{:?}", row[0]), format!("{:?}", row[place]))).collect()
        };
        let speedup = QUESTIONS.iter().find(|question| question.key == "speedup").unwrap();
        let of_readers = rows(&speedup.table(&shown), "time_speedup");
        let disturbed: Vec<_> = of_readers.iter().filter(|(label, _)| label.contains("ybwc (disturbed)")).collect();
        assert!(!disturbed.is_empty() && disturbed.iter().all(|(_, cell)| cell.contains("NaN") || cell == "Nothing"));
        assert!(of_readers.iter().any(|(label, cell)| !label.contains("disturbed") && cell != "Nothing"));
        let summary = files::<Source>().find(|file| file.name == "summary.csv").unwrap();
        let [measured, blanked] = [&source, &shown].map(|source| rows(&(summary.table)(source), "time_speedup"));
        assert_ne!(measured, blanked, "the file has what was measured");
    }

    #[test]
    fn boards_are_compared_before_their_splits_are_taken_apart() {
        let [first, _] = first_seen(Asks::Splitting);
        let place = |name: &str| first.iter().position(|other| *other == name);
        assert!(place("comparisons") < place("stages"), "{first:?}");
    }
}
