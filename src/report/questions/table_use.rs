//! What does the transposition table do? Probes that it answers, and with audit who wrote the entries and whether they
//! are whole.

use crate::Source;
use crate::analysis::Group;
use crate::charts::figures::parameters as charts;
use crate::figures::{
    self,
    register::{DEEP, ENDED, FOUND, USED},
};
use crate::sentence::Sentence;
use crate::table::number::percent;

use super::rows;
use super::{Question, processors};

pub(super) const TABLE: Question<Source> = Question {
    key: "table",
    title: "What does the transposition table do?",
    reading: "Shares of all probes, each a part of the one before; entries of others as shares of the probes of that \
              kind. Torn entries and false matches are counted with audit only, per million probes. Arithmetic means \
              over positions, without intervals.",
    sentence,
    charts: &[("hash-size", "table hits, time and nodes by the size of the table", charts::hash_size)],
    columns: Some(|_| figures::columns("table")),
    table: |source| rows::table(source, figures::columns("table"), has_row),
    ..Question::PLAIN
};

/// Whether a configuration has a row.
fn has_row(group: &Group) -> bool {
    group.means.get(&FOUND).is_some()
}

fn sentence(source: &Source) -> Option<Sentence> {
    let groups = source.analysis.groups.iter().filter(|group| has_row(group));
    let group = groups.max_by_key(|group| group.configuration.threads)?;
    let [found, deep, ended] = [FOUND, DEEP, ENDED].map(|figure| group.means.get(&figure));
    let used = group.means.get(&USED).map(|used| format!(" {} of its slots are used at the end.", percent(used)));
    Some(Sentence::described(format!(
        "Of the probes of {} on {}, {} find the position, {} deep enough, and {} end the node.{}",
        group.label,
        processors(&group.configuration),
        percent(found?),
        percent(deep?),
        percent(ended?),
        used.unwrap_or_default()
    )))
}
