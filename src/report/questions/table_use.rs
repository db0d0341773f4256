//! What does the transposition table do? Probes that it answers, and with audit who wrote the entries and whether they
//! are whole.

use crate::Source;
use crate::analysis::{Analysis, FALL_PCT, Group, HashSlope};
use crate::charts::figures::parameters as charts;
use crate::figures::{
    self,
    register::{DEEP, ENDED, FOUND, USED},
};
use crate::sentence::Sentence;
use crate::table::number::{figure, interval, listed, percent};

use super::rows;
use super::{Question, processors, which_by_model};

pub(super) const TABLE: Question<Source> = Question {
    key: "table",
    title: "What does the transposition table do?",
    reading: "Shares of all probes, each a part of the one before; entries of others as shares of the probes of that \
              kind. Torn entries and false matches are counted with audit only, per million probes. Arithmetic means \
              over positions, without intervals. The nodes for fewer hits: by least squares over the sizes of the \
              table, as a geometric mean over positions.",
    sentence: |source| Sentence::all([of_probes(source), of_slopes(&source.analysis)].into_iter().flatten()),
    charts: &[("hash-size", "table hits, time and nodes by the size of the table", charts::hash_size)],
    columns: Some(|_| figures::columns("table")),
    table: |source| rows::table(source, figures::columns("table"), has_row),
    ..Question::PLAIN
};

/// Whether a configuration has a row.
fn has_row(group: &Group) -> bool {
    group.means.get(&FOUND).is_some()
}

fn of_probes(source: &Source) -> Option<Sentence> {
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

/// Growth of the tree by published rule where the share of hits falls by ten hundredths: R. Rasmussen, 2004.
const PUBLISHED_GROWTH: f64 = 1.1;

fn of_slopes(analysis: &Analysis) -> Option<Sentence> {
    let words = slopes(analysis)?;
    let words = format!("{words} By the 2004 thesis it is {} times.", figure(PUBLISHED_GROWTH));
    Some(Sentence::stated(words, &analysis.hash_slopes))
}

/// Sentence on how the tree goes with the hits in the table, where its size was varied.
pub(crate) fn slopes(analysis: &Analysis) -> Option<String> {
    let all = &analysis.hash_slopes;
    let [smallest, largest] = all.first()?.sizes_mib;
    let nodes: Vec<String> = all.iter().map(|one| interval(&one.nodes)).collect();
    let on: Vec<String> = all.iter().map(|one| one.threads.to_string()).collect();
    let HashSlope { machine, threads, .. } = all.last()?;
    let plural = if *threads == 1 { "" } else { "s" };
    Some(format!(
        "With tables of {smallest} to {largest} MiB, {FALL_PCT} points fewer hash hits go with {} times the nodes, on \
         {} {} processor{plural}{}.",
        listed(&nodes),
        listed(&on),
        machine.name(),
        which_by_model([(*machine, *threads)])
    ))
}
