//! Is the parallel search healthy? What is wrong with it, if anything is, curve by curve.

use crate::Source;
use crate::analysis::{Analysis, Diagnosis, Group, Health};
use crate::record::{Asks, MachineKind};
use crate::sentence::Sentence;
use crate::state::is_ruined;
use crate::statistics::Interval;
use crate::table::number::{counted, estimate, percent, range};
use crate::table::{Cell, Columns, columns};

use super::{File, Question, processors};

pub(super) const HEALTH: Question<Source> = Question {
    key: "health",
    title: "Is the parallel search healthy?",
    reading: "A state is said of the search, so that intervals are for positions like these. Healthy: the speedup lies \
              above the square root of the number of threads (1.41 for 2, 4 for 16), and the last doubling of threads \
              gains more than 5 %. Gains: it lies above 1.07 with 2 threads, 1.21 with 4, 1.49 with 8 and the fourth \
              root from 16 on; poorly, if it also lies below the square root. Threads do not search: all pairs of a \
              search with most threads and one with a single one have equal nodes; or the speedup lies below the \
              fourth root (1.19 for 2, 2 for 16) and nodes a second below the tenth (1.07 for 2, 1.32 for 16). Clones, \
              or wider: nodes a second lie above the square root and the speedup below the fourth; threads are clones \
              if nine of ten scores are those of one thread. Slower: the speedup lies below 0.95. Good to k: no larger \
              number is shown to gain 5 % on k, and k is not shown to gain little (less than a fifth a doubling) on \
              any smaller one; of several k that fit, the true one is among them in 95 of 100 measurements.",
    sentence: |source| (source.analysis.asks() == Asks::Smp).then(|| verdict(&source.analysis)).flatten(),
    table: |source| shown(&source.analysis).table("", "", &source.analysis.diagnoses),
    files: &[File {
        name: "health.csv",
        rows: "One row per curve that an experiment asks the state of: its figures with most threads.",
        table: |source| {
            let is_asked = source.analysis.asks() == Asks::Smp;
            columns(&source.analysis).table("", "", source.analysis.diagnoses.iter().filter(|_| is_asked))
        },
    }],
    ..Question::PLAIN
};

/// Columns for readers: few, for a terminal is 80 characters wide and a telephone narrower.
fn shown(analysis: &Analysis) -> Columns<'_, &Diagnosis> {
    columns! { &Diagnosis, one;
        "state" as "State": "state of the parallel search" => one.in_short();
        "label" as "Search": "what distinguishes the curve" => analysis.curves[one.curve].label.clone();
        "threads" as "Threads": "largest number of threads" => one.threads;
        "time_speedup" as "Time speedup": "how many times as fast as one" =>
            Some(one.speedup).filter(|_| has_times(analysis, one));
        "nps_speedup" as "Nodes/s": "how many times as many as by one" =>
            Some(one.rate.estimate).filter(|_| has_times(analysis, one));
        "nodes_ratio" as "Nodes": "how many times as many as by one" => one.nodes.estimate;
    }
}

fn columns(analysis: &Analysis) -> Columns<'_, &Diagnosis> {
    columns! { &Diagnosis, one;
        "label": "what distinguishes the curve" => analysis.curves[one.curve].label.clone();
        "threads": "largest number of threads" => one.threads;
        "state": "state of the parallel search, one of a fixed set" => one.health.name();
        "health": "state of the parallel search, with its numbers" => one.in_words();
        "good_to_low": "smallest number of threads that may be the one up to which it gains" =>
            one.good_to.first().copied();
        "good_to_high": "largest such number" => one.good_to.last().copied();
        "slower_from": "smallest number of threads that is slower than all of those" => one.slower.first().copied();
        "efficiency" [with_ends]: "time speedup / threads" => one.efficiency();
        "time_speedup" [with_ends]: "how many times as fast as one" => one.speedup;
        "nps_speedup" [with_ends]: "nodes a second, relative to those of one" => one.rate;
        "nodes_ratio" [with_ends]: "nodes, relative to those of one" => one.nodes;
        "equal_pairs": "pairs of a search with most threads and one with a single one, if all have equal nodes" =>
            one.equal_pairs;
        "same_score": "share of searches with the score of one thread" => Cell::share(one.same_score);
        "next": "what to look at" => one.next();
    }
}

/// Whether times are known: other programs may have ruined them.
fn has_times(analysis: &Analysis, one: &Diagnosis) -> bool {
    let is_by_times = one.health != Health::Undecided && one.equal_pairs.is_none();
    is_by_times || group(analysis, one).configuration.machine != MachineKind::Real || !is_ruined(analysis)
}

fn group<'a>(analysis: &'a Analysis, one: &Diagnosis) -> &'a Group {
    &analysis.groups[one.group]
}

/// State of the first search, with the figures that it follows from.
pub(crate) fn verdict(analysis: &Analysis) -> Option<Sentence> {
    let first = analysis.diagnoses.first()?;
    let state = format!("{}: {}.", analysis.curves[first.curve].label, first.in_words());
    if !has_times(analysis, first) || first.speedup.estimate.is_nan() {
        return Some(Sentence::stated(state, first));
    }
    let configuration = &group(analysis, first).configuration;
    let on = match (configuration.node_count(), configuration.is_outside()) {
        (2.., _) => format!("On {} of {} nodes", processors(configuration), configuration.node_count()),
        (_, true) => format!("With {} threads", configuration.threads),
        _ => format!("On {}", processors(configuration)),
    };
    let times = |ratio: &Interval| format!("{} times ({})", estimate(ratio), range(ratio));
    let efficiency = match first.health {
        Health::Poorly => String::new(),
        _ => format!(", {},", first.efficiency_in_words()),
    };
    let same = first.same_score.filter(|_| matches!(first.health, Health::Clones | Health::Wider));
    let same = same.map(|share| format!("; {} of the scores are those of one", percent(share)));
    let words = format!(
        "{state} {on}, it reaches the same depth {} as fast as {} one{efficiency} and searches {} as many nodes a \
         second{}.",
        times(&first.speedup),
        if configuration.is_outside() { "with" } else { "on" },
        times(&first.rate),
        same.unwrap_or_default(),
    );
    Some(Sentence::stated(words, first))
}

/// That every search of an engine with several threads failed and none with one, whatever disturbed their times.
pub(crate) fn failing(analysis: &Analysis) -> Option<Sentence> {
    if analysis.asks() != Asks::Smp {
        return None;
    }
    let of_one = |failing: &Group| {
        analysis.groups.iter().find(|one| one.configuration == failing.configuration.baseline() && one.runs > 0)
    };
    let fails =
        |group: &&Group| group.failed > 0 && group.runs == 0 && of_one(group).is_some_and(|one| one.failed == 0);
    let first = analysis.groups.iter().filter(fails).min_by_key(|group| group.configuration.threads)?;
    // By another engine, or with another number of threads, it may have ended for another reason.
    let own = format!("{} on {} ", first.label, first.configuration.threads);
    let failed = &analysis.quality.failed;
    let (_, reason) = failed.iter().find(|(words, _)| words.starts_with(&own)).or_else(|| failed.first())?;
    let all = counted(first.failed as u64, "search", "searches");
    let words = format!(
        "{} fails with {}: of {all} all, and of {} with one thread none. The first ended so: {}.",
        first.label,
        counted(first.configuration.threads, "thread", "threads"),
        of_one(first)?.runs,
        reason.trim_end_matches('.'),
    );
    Some(Sentence::stated(words, &analysis.quality))
}

/// Advice on the next steps, a line for each search whose state is known or might be.
pub(crate) fn advice(analysis: &Analysis) -> Vec<String> {
    let is_told = |one: &&Diagnosis| one.health != Health::Undecided || has_times(analysis, one);
    let line = |one: &Diagnosis| match analysis.diagnoses.len() {
        1 => one.next().to_owned(),
        _ => format!("{}: {}", analysis.curves[one.curve].label, one.next()),
    };
    analysis.diagnoses.iter().filter(is_told).map(line).collect()
}
