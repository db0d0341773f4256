//! What differs from the reference? Times and nodes of each configuration beside the one that the experiment names.

use std::collections::BTreeSet;

use crate::Source;
use crate::analysis::ruined::has_real_times;
use crate::analysis::scope::Holds;
use crate::analysis::{Analysis, Comparison, Group, Kind};
use crate::charts::figures::comparisons as charts;
use crate::sentence::Sentence;
use crate::state;
use crate::statistics::{Interval, LEVEL, Test};
use crate::table::number::{count, interval};
use crate::table::{Cell, Columns, Table, columns};

use super::rows::{kind_of, tenths};
use super::{File, Question, adjusted, is_by_model, is_shown, processors};

pub(super) const DIFFERENCES: Question<Source> = Question {
    key: "differences",
    title: "What differs from the reference?",
    reading: "Ratios to the reference, paired by position and seed: geometric means, each interval for one ratio \
              alone. A p that is not small does not show that the two are equal. Where a limit cut searches off on one \
              side, the ratio is a bound.",
    sentence: |source| verdict(&source.analysis),
    charts: &[("comparisons", "time and nodes relative to the reference", charts::comparisons)],
    files: &[File {
        name: "comparisons.csv",
        rows: "One row per configuration and reference from which it differs in one field, paired by position, seed \
               and repetition. There is no such file if the experiment names no reference.",
        table: |source| columns(source).table("", "", &source.analysis.comparisons),
    }],
    table: for_readers,
    ..Question::PLAIN
};

/// Meaning of a p value.
pub(super) const BY_CHANCE: &str =
    "probability that chance alone gives a difference at least as large, adjusted for all claims of its family";

/// Largest multiple of the runs that is worth telling.
const MOST_TIMES: f64 = 100.0;
/// Number of differences beyond which nobody reads them in the order of the plan.
const MANY: usize = 24;

/// The strongest difference that is shown, and how many are; or the largest that is not. It is about times, unless the
/// experiment asks about nodes.
pub(crate) fn verdict(analysis: &Analysis) -> Option<Sentence> {
    let figure = Asked::of(analysis);
    let size = |one: &&Comparison| figure.ratio(one).estimate.ln().abs();
    let known: Vec<&Comparison> = analysis
        .comparisons
        .iter()
        .filter(|one| figure.ratio(one).estimate.is_finite() && !is_ruined(analysis, one) && !one.never_acts)
        .collect();
    let shown = known.iter().copied().filter(|one| is_shown(figure.test(one)));
    let number = shown.clone().count();
    let all = known.len();
    let idle = idle_in_words(analysis);
    let stated = |words: String| Some(Sentence::stated(words + &idle, &analysis.comparisons));
    if let Some(strongest) = shown.max_by(|one, other| size(one).total_cmp(&size(other))) {
        let words = figure.in_words(analysis, strongest, all);
        return stated(match (number, all) {
            (1, 1) => format!("{words}."),
            (shown, all) if shown == all => format!("{words}; all {all} differences in {figure} are shown."),
            (shown, all) => format!("{words}; {shown} of {all} differences in {figure} are shown."),
        });
    }
    let largest = known.into_iter().max_by(|one, other| size(one).total_cmp(&size(other)))?;
    let words = figure.in_words(analysis, largest, all);
    let more = more_runs(figure.ratio(largest));
    stated(format!("No difference in {figure} is shown. The largest: {words}.{more}"))
}

/// Sentence on the changes that never acted, to follow another; empty if all did.
fn idle_in_words(analysis: &Analysis) -> String {
    let changes = |never_act: bool| -> BTreeSet<&str> {
        let chosen = analysis.comparisons.iter().filter(|one| one.never_acts == never_act);
        chosen.map(|one| one.change.as_str()).collect()
    };
    // On several processors a change may act where it does not on one.
    let idle: Vec<&str> = changes(true).difference(&changes(false)).copied().collect();
    match idle.len() {
        0 => String::new(),
        1 => format!(" {} never acted at these positions.", idle[0]),
        count => format!(" {count} changes never acted at these positions."),
    }
}

/// Name of what a comparison is of: its change, and all of the configuration where the same change of several is
/// compared, on each board, say.
fn name<'a>(analysis: &'a Analysis, one: &'a Comparison) -> &'a str {
    let place = |comparison: &Comparison| {
        let configuration = &analysis.groups[comparison.group].configuration;
        (configuration.machine, configuration.threads)
    };
    let is_like =
        |other: &&Comparison| (&other.change, &other.from, place(other)) == (&one.change, &one.from, place(one));
    if analysis.comparisons.iter().filter(is_like).count() > 1 {
        &analysis.groups[one.group].label
    } else {
        &one.change
    }
}

/// Whether a comparison is of real times that mean nothing.
fn is_ruined(analysis: &Analysis, one: &Comparison) -> bool {
    let groups = [one.group, one.reference].map(|place| &analysis.groups[place]);
    state::is_ruined(analysis) && groups.into_iter().any(has_real_times) && !is_shown(one.time_test)
}

/// Figure that the experiment asks about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Asked {
    Time,
    Nodes,
}

impl Asked {
    /// Nodes, if they are named as primary and times are not.
    pub fn of(analysis: &Analysis) -> Self {
        let names = |kind: Kind| {
            let is_named = |name: &String| name.split(':').next().is_some_and(|first| first.trim() == kind.name());
            analysis.description.primary.iter().any(is_named)
        };
        if names(Kind::Nodes) && !names(Kind::Time) { Self::Nodes } else { Self::Time }
    }

    pub fn ratio(self, one: &Comparison) -> Interval {
        if self == Self::Time { one.time } else { one.nodes }
    }

    pub fn test(self, one: &Comparison) -> Option<Test> {
        if self == Self::Time { one.time_test } else { one.nodes_test }
    }

    /// `mailbox takes 1.21 (1.10 to 1.33) times the time of bitboards`, with the number of processors where it matters.
    /// Whoever is named because it differs most of several has an interval that holds together with those of all.
    fn in_words(self, analysis: &Analysis, one: &Comparison, among: usize) -> String {
        let several = analysis.comparisons.iter().any(|other| {
            let threads = |comparison: &Comparison| analysis.groups[comparison.group].configuration.threads;
            threads(other) != threads(one)
        });
        let configuration = &analysis.groups[one.group].configuration;
        let is_named = several || is_by_model(configuration);
        let on = if is_named { format!(" on {}", processors(configuration)) } else { String::new() };
        let takes = if self == Self::Time { "takes" } else { "searches" };
        let ratio = self.among(analysis, one, among);
        format!("{} {takes} {} times the {self} of {}{on}", name(analysis, one), interval(&ratio), one.from)
    }

    /// The ratio with an interval that holds together with those of so many, and leaves out 1 just where a test shows a
    /// difference.
    fn among(self, analysis: &Analysis, one: &Comparison, count: usize) -> Interval {
        let together = 1.0 - (1.0 - LEVEL) / count.max(1) as f64;
        let level = match self.test(one) {
            Some(test) if !test.is_shown() => test.level().max(together),
            _ => together,
        };
        let contrast = if self == Self::Time { &one.time_contrast } else { &one.nodes_contrast };
        let holds = Holds::of(&analysis.description);
        let ratio = self.ratio(one);
        let is_bound = ratio.low == 0.0 || ratio.high == f64::INFINITY;
        contrast.as_ref().filter(|_| !is_bound).map_or(ratio, |contrast| holds.tested(contrast, level))
    }
}

impl std::fmt::Display for Asked {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(if *self == Self::Time { "time" } else { "nodes" })
    }
}

/// Factor of the number of runs that would show a difference that is not shown, if it is as large as it seems.
fn more_runs(ratio: Interval) -> String {
    let size = ratio.estimate.ln().abs();
    let half = (ratio.high.ln() - ratio.low.ln()) / 2.0;
    let times = (half / size).powi(2);
    match times {
        times if !ratio.is_known() || times <= 1.0 || times.is_nan() => String::new(),
        times if times > MOST_TIMES => {
            format!(" Not even {MOST_TIMES} times as many runs would show so small a difference.")
        }
        times => format!(" About {} times as many runs would show it, if it is so large.", count(times.ceil())),
    }
}

/// The table for readers. Where there are many, the differences that are largest for certain come first.
fn for_readers(source: &Source) -> Table {
    let shown: Vec<Comparison> = source.analysis.comparisons.iter().map(without_idle_ratios).collect();
    let mut rows: Vec<&Comparison> = shown.iter().collect();
    if rows.len() > MANY {
        rows.sort_by(|one, other| other.time.certain_effect().total_cmp(&one.time.certain_effect()));
    }
    columns(source).for_readers().table("", "", rows).without_empty_columns()
}

/// A comparison as readers see it: of a change that never acted there is nothing to compare.
fn without_idle_ratios(one: &Comparison) -> Comparison {
    let unknown = Interval::unknown(f64::NAN);
    match one.never_acts {
        true => Comparison {
            time: unknown,
            nodes: unknown,
            nps: None,
            speedup: None,
            time_test: None,
            nodes_test: None,
            ..one.clone()
        },
        false => one.clone(),
    }
}

fn columns<'a, 'c: 'a>(source: &'a Source) -> Columns<'a, &'c Comparison> {
    let analysis = &source.analysis;
    let group = |row: &&Comparison| -> &Group { &analysis.groups[row.group] };
    let reference = |row: &&Comparison| -> &Group { &analysis.groups[row.reference] };
    columns! { &Comparison, row;
        "group": "the place of the configuration in summary.csv" => row.group;
        "change" as "Value": "the part of the value in which it differs from the \
                              reference's" => Cell::word(&row.change);
        "from" as "Reference": "value of the reference, by the name that the experiment gives \
                                it" => Cell::word(&row.from);
        "label" as "Configuration" [optional]: "what distinguishes the configuration in this experiment" =>
            group(row).label.clone();
        "reference": "the place of the reference in summary.csv" => row.reference;
        "reference_label": "what distinguishes the reference in this experiment" => reference(row).label.clone();
        "machine" as "Machine" [optional]: "real or virtual" => group(row).configuration.machine.name();
        "threads" as "Processors": "the number of processors" => group(row).configuration.threads;
        "field": "field in which the two differ" => row.field.clone();
        "value": "value of the field" => row.value.to_string();
        "reference_value": "value of the field in the reference" => reference(row).configuration.field(&row.field);
        "time_ratio" as "Time ratio" [with_ends]: "time relative to the reference; less than 1 is faster" => row.time;
        "acts" as "Acts": "'never here' where each search by virtual processors took the nodes and the time of the \
                            reference's: the ratios say nothing of positions where the change would act" =>
            row.never_acts.then_some("never here");
        "time_p" as "p, time" [optional]: BY_CHANCE => Cell::probability(adjusted(row.time_test));
        "nodes_ratio" as "Nodes ratio" [with_ends]:
            "nodes relative to the reference; less than 1 is a smaller tree" => row.nodes;
        "nodes_p" as "p, nodes" [optional]: BY_CHANCE => Cell::probability(adjusted(row.nodes_test));
        "nps_ratio" as "NPS ratio" [optional with_ends]: "nodes per second relative to the reference" => row.nps;
        "speedup_ratio" as "Speedup ratio" [optional with_ends]:
            "time speedup divided by the reference's, each relative to its own baseline" => row.speedup;
        "plies" as "Plies" [optional with_ends]:
            "plies by which a search on one processor is deeper than the reference in the same time: the logarithm of \
             1 / time_ratio by that of the growth of its own time over its last two plies" => row.plies;
        "regret_difference_cp" as "Extra regret" [optional with_ends]:
            "regret minus that of the reference, in centipawns; above 0 is worse" =>
            row.regret.map(|regret| regret.difference);
        "regret_bound_cp": "one-sided 95 % upper bound of that difference; it allows for one blunder more than was \
                            seen" =>
            row.regret.and_then(|regret| regret.upper).map(tenths);
        "moves_verdict" as "Moves" [optional]:
            "not worse (the bound is below the margin), worse (the lower bound is above 0) or not shown" =>
            row.regret.map(|regret| regret.verdict.name());
        "interval": "positions for which the intervals hold; empty if there are none" => kind_of(analysis, row.time);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::charts::samples;

    /// An experiment that names nodes as primary is answered about nodes, whatever becomes of the time.
    #[test]
    fn who_asks_about_the_tree_is_answered_about_the_tree() {
        let mut analysis = samples::comparisons();
        analysis.comparisons.truncate(1);
        let one = &mut analysis.comparisons[0];
        (one.time_contrast, one.nodes_contrast) = (None, None);
        (one.time, one.time_test) = (Interval { estimate: 1.02, low: 0.9, high: 1.16 }, Some(Test::alone(0.7)));
        (one.nodes, one.nodes_test) = (Interval { estimate: 0.844, low: 0.757, high: 0.941 }, Some(Test::alone(0.004)));
        let said = |analysis: &Analysis| verdict(analysis).unwrap().to_string();
        let of_time = said(&analysis);
        assert!(of_time.starts_with("No difference in time is shown. The largest: "), "{of_time}");
        for (primary, is_of_nodes) in [("nodes", true), ("nodes: ybwc", true), ("time", false)] {
            analysis.description.primary = vec![primary.to_owned()];
            let answer = said(&analysis);
            assert_eq!(
                answer.contains("searches 0.844 (0.757 to 0.941) times the nodes of ybwc"),
                is_of_nodes,
                "{answer}"
            );
            assert_eq!(answer == of_time, !is_of_nodes, "{answer}");
        }
    }

    /// The same change of two references, on two boards, say: the whole configuration is named.
    #[test]
    fn a_change_of_several_names_its_configuration() {
        let mut analysis = samples::comparisons();
        analysis.comparisons.truncate(1);
        let one = analysis.comparisons[0].clone();
        assert_eq!(name(&analysis, &one), one.change);
        analysis.comparisons.push(one.clone());
        assert_eq!(name(&analysis, &one), analysis.groups[one.group].label);
    }

    /// A number of runs that nobody knows to a hundredth is a whole one.
    #[test]
    fn more_runs_are_a_whole_number() {
        let of = |half: f64| {
            let log: f64 = 0.05;
            more_runs(Interval { estimate: log.exp(), low: (log - half).exp(), high: (log + half).exp() })
        };
        assert_eq!(of(0.095), " About 4 times as many runs would show it, if it is so large.");
        assert_eq!(of(0.04), "");
        assert_eq!(of(0.6), " Not even 100 times as many runs would show so small a difference.");
    }
}
