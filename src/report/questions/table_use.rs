//! What does the transposition table do? Probes that it answers, and with audit who wrote the entries and whether they
//! are whole.

use crate::Source;
use crate::analysis::{Group, Means};
use crate::charts::figures::parameters as charts;
use crate::sentence::Sentence;
use crate::table::number::percent;
use crate::table::{Cell, Columns, columns};

use super::rows::{self, Row};
use super::{Question, processors};

pub(super) const TABLE: Question<Source> = Question {
    key: "table",
    title: "What does the transposition table do?",
    reading: "Shares of all probes, each a part of the one before; entries of others as shares of the probes of that \
              kind. Torn entries and false matches are counted with audit only, per million probes. Arithmetic means \
              over positions, without intervals.",
    sentence,
    charts: &[("hash-size", "table hits, time and nodes by the size of the table", charts::hash_size)],
    columns: Some(columns),
    table: |source| rows::table(source, columns(source), has_row),
    ..Question::PLAIN
};

/// Whether a configuration has a row.
fn has_row(group: &Group) -> bool {
    group.means.table.tiers[0].is_some()
}

fn sentence(source: &Source) -> Option<Sentence> {
    let groups = source.analysis.groups.iter().filter(|group| has_row(group));
    let group = groups.max_by_key(|group| group.configuration.threads)?;
    let [found, deep, ended] = group.means.table.tiers;
    let used = group.means.table.used.map(|used| format!(" {} of its slots are used at the end.", percent(used)));
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

const TIERS: [(&str, &str); 3] = [
    ("found", "share of probes that found the position"),
    ("deep", "probes that found it searched deep enough"),
    ("ended", "probes that ended the node"),
];

const LETTERS: [(&str, &str); 2] = [
    ("asked", "probes of another worker's part of a distributed table"),
    ("unanswered", "share of those that it has not answered in time"),
];

fn columns(_: &Source) -> Columns<'_, Row<'_>> {
    let mut columns = Columns::new();
    for (tier, (name, meaning)) in TIERS.into_iter().enumerate() {
        let share = move |means: &Means| Cell::share(means.table.tiers[tier]);
        columns = columns.with(format!("{name}_share"), meaning, share).heading(format!("{name}, %"));
    }
    for (place, (name, meaning)) in LETTERS.into_iter().enumerate() {
        let share = move |means: &Means| Cell::share(means.table.letters[place]);
        columns = columns.with(format!("{name}_share"), meaning, share).heading(format!("{name}, %"));
    }
    let used = |means: &Means| Cell::share(means.table.used);
    let meaning = "share of the slots of the table that are used at the end";
    columns = columns.with("table_used_share", meaning, used).heading("used, %");
    for (tier, (name, _)) in TIERS.into_iter().enumerate() {
        let meaning = "with audit: share of those probes whose entry another worker had written";
        let share = move |means: &Means| Cell::share(means.table.foreign[tier]);
        let heading = format!("{name}, others' entries, %");
        columns = columns.with(format!("{name}_foreign_share"), meaning, share).heading(heading);
    }
    let torn = columns! { Means, means;
        "torn_rejected_per_million" as "torn, rejected":
            "with audit: per million probes, torn entries that the check rejected" => means.table.torn_rejected;
        "torn_accepted_per_million" as "torn, accepted":
            "with audit: per million probes, torn entries that the check accepted" => means.table.torn_accepted;
        "false_matches_per_million" as "false matches":
            "with audit: per million probes, whole entries of another position that the check accepted" =>
                means.table.false_matches;
        "torn_standing" as "torn, standing":
            "with audit: slots whose two words come from different stores at the end" => means.table.torn_standing;
    };
    columns.and(torn).of(|row: &Row<'_>| Some(&row.group.means))
}
