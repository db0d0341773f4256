//! How many hash hits do torn entries cost? Entries whose words are of two stores, as shares of the hits.

use crate::Source;
use crate::analysis::{Analysis, Curve, Group, Torn};
use crate::charts::figures::torn as charts;
use crate::sentence::Sentence;
use crate::statistics::Interval;
use crate::table::number::{count, counted, interval, listed};
use crate::table::{Columns, columns};

use super::rows::{self, Row};
use super::{Question, by_model};

pub(super) const TORN: Question<Source> = Question {
    key: "torn",
    title: "How many hash hits do torn entries cost?",
    reading: "Of a million hash hits. A torn entry that the check rejects can have cost one hit: it may have been the \
              entry of the position that was looked for, so that what is told is the most that can be lost. One that \
              the check accepts is a hit on a score that nobody found. Arithmetic means over positions. Where no torn \
              entry was met there is no spread and no interval.",
    sentence: |source| verdict(&source.analysis),
    charts: &[("torn", "torn entries for a million hash hits, by processors", charts::torn)],
    columns: Some(columns),
    table: |source| rows::table(source, columns(source), is_counted),
    ..Question::PLAIN
};

/// Hits of which shares are told.
pub(crate) const MILLION: f64 = 1e6;

/// Whether torn entries of a configuration could be met and were counted.
pub(crate) fn is_counted(group: &Group) -> bool {
    group.torn.is_some() && group.configuration.threads > 1
}

/// Shares of the hits by number of processors of the curve that torn entries cost most.
pub(crate) fn verdict(analysis: &Analysis) -> Option<Sentence> {
    let groups = |curve: &Curve| -> Vec<(&Group, Torn)> {
        let groups = curve.groups.iter().map(|&place| &analysis.groups[place]).filter(|group| is_counted(group));
        groups.filter_map(|group| Some((group, group.torn?))).collect()
    };
    let all: Vec<(&Curve, Vec<(&Group, Torn)>)> =
        analysis.curves.iter().map(|curve| (curve, groups(curve))).filter(|(_, groups)| !groups.is_empty()).collect();
    let most = |groups: &[(&Group, Torn)]| groups.last().map_or(0.0, |(_, torn)| torn.rejected.estimate);
    let with_torn = all.iter().filter(|(_, groups)| groups.iter().any(|(_, torn)| torn.is_any()));
    let Some((curve, groups)) = with_torn.max_by(|one, other| most(&one.1).total_cmp(&most(&other.1))) else {
        let hits: u64 = all.iter().flat_map(|(_, groups)| groups).map(|(_, torn)| torn.hits).sum();
        return (!all.is_empty())
            .then(|| Sentence::described(format!("No torn entry was met in {} hash hits.", count(hits as f64))));
    };
    let on: Vec<String> = groups.iter().map(|(group, _)| group.configuration.threads.to_string()).collect();
    let (last, _) = groups.last()?;
    let machine = last.configuration.machine.name();
    let shares = |of: usize| -> Vec<String> { groups.iter().map(|(_, torn)| in_words(torn.shares()[of])).collect() };
    let first = format!(
        "Of a million hash hits, torn entries that the check rejects cost at most {}, and {} are torn entries that it \
         accepts: {} on {} {machine} processors{}.",
        listed(&shares(0)),
        listed(&shares(1)),
        curve.label,
        listed(&on),
        by_model(&last.configuration)
    );
    let without: Vec<u64> = all
        .iter()
        .filter(|(_, groups)| groups.iter().all(|(_, torn)| !torn.is_any()))
        .map(|(_, groups)| groups.iter().map(|(_, torn)| torn.hits).sum())
        .collect();
    let others = (!without.is_empty()).then(|| {
        let hits = count(without.iter().sum::<u64>() as f64);
        let who = counted(without.len(), "other configuration", "other configurations");
        format!(" No torn entry was met by {who} in {hits} hits.")
    });
    Some(Sentence::stated(first + &others.unwrap_or_default(), &last.torn))
}

/// Share of the hits as a number of a million.
fn in_words(share: Interval) -> String {
    match share.is_known() {
        true => interval(&of_a_million(share)),
        false if share.estimate == 0.0 => "0 (none met)".to_owned(),
        false => format!("{} (no interval)", count(share.estimate * MILLION)),
    }
}

pub(crate) fn of_a_million(share: Interval) -> Interval {
    share.map(|share| share * MILLION)
}

fn columns(_: &Source) -> Columns<'_, Row<'_>> {
    columns! { Torn, torn;
        "torn_hits" as "Hits": "with audit: number of probes that found the position, over all runs" => torn.hits;
        "torn_lost_per_million" as "Lost at most, of a million" [with_ends]:
            "with audit: torn entries that the check rejected, of a million hits and such entries: the hits that they \
             can have cost at most" => of_a_million(torn.rejected);
        "torn_hits_per_million" as "Torn and accepted, of a million" [with_ends]:
            "with audit: hits of a million that are torn entries which the check accepted" =>
            of_a_million(torn.accepted);
    }
    .of(|row: &Row<'_>| row.group.torn.as_ref())
}
