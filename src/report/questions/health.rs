//! Is the parallel search healthy? What is wrong with it, if anything is, curve by curve.

use crate::Source;
use crate::analysis::{Analysis, Diagnosis, Group, Health};
use crate::record::Asks;
use crate::table::number::{interval, percent};
use crate::table::{Cell, Columns, columns};

use super::{File, Question, processors};

pub(super) const HEALTH: Question<Source> = Question {
    key: "health",
    title: "Is the parallel search healthy?",
    reading: "Healthy: the whole interval of the time speedup lies above 1.07 on 2 processors, 1.21 on 4, 1.49 on 8, \
              and the fourth root of their number from 16 on. Threads do not search: it lies below that root (1.19 for \
              2, 2 for 16), and nodes a second below the tenth (1.07 for 2, 1.32 for 16). Clones, or wider: nodes a \
              second lie above the square root and the speedup below the fourth; threads are clones if nine of ten \
              scores are those of one thread. Slower: the speedup lies below 0.95. Good to k threads: these are faster \
              than one by 10 % or more, twice as many and more are not faster than they by 10 %, and with most the \
              speedup lies below the square root.",
    sentence: |source| (source.analysis.asks() == Asks::Smp).then(|| verdict(&source.analysis)).flatten(),
    table: |source| columns(&source.analysis).for_readers().table("", "", &source.analysis.diagnoses),
    files: &[File {
        name: "health.csv",
        rows: "One row per curve that an experiment asks the state of: its figures with most processors.",
        table: |source| {
            let is_asked = source.analysis.asks() == Asks::Smp;
            columns(&source.analysis).table("", "", source.analysis.diagnoses.iter().filter(|_| is_asked))
        },
    }],
    ..Question::PLAIN
};

fn columns(analysis: &Analysis) -> Columns<'_, &Diagnosis> {
    columns! { &Diagnosis, one;
            "label" as "Search": "what distinguishes the curve" => analysis.curves[one.curve].label.clone();
            "threads" as "CPUs": "most processors" => group(analysis, one).configuration.threads;
            "health" as "State": "state of the parallel search" => one.in_words();
            "time_speedup" as "Time speedup" [with_ends]: "how many times as fast as one" =>
            against(analysis, one).map(|against| against.time_speedup);
            "nps_speedup" as "Nodes a second" [with_ends]: "how many times as many as by one" =>
            against(analysis, one).map(|against| against.nps_speedup);
            "nodes_ratio" as "Nodes" [with_ends]: "how many times as many as by one" =>
            against(analysis, one).map(|against| against.nodes);
            "same_score" as "Same scores, %": "share of searches with the score of one processor" =>
            Cell::share(one.same_score);
            "next" as "What next": "what to look at" => one.next();
    }
}

fn group<'a>(analysis: &'a Analysis, one: &Diagnosis) -> &'a Group {
    &analysis.groups[one.group]
}

fn against<'a>(analysis: &'a Analysis, one: &Diagnosis) -> Option<&'a crate::analysis::AgainstBaseline> {
    group(analysis, one).against_baseline.as_ref()
}

/// State of the first search, with the figures that it follows from.
pub(crate) fn verdict(analysis: &Analysis) -> Option<String> {
    let first = analysis.diagnoses.first()?;
    let (group, against) = (group(analysis, first), against(analysis, first)?);
    let same = first.same_score.filter(|_| matches!(first.health, Health::Clones | Health::Wider));
    let same =
        same.map(|share| format!("; {} % of the scores are those of one", percent(share).trim_end_matches(" %")));
    Some(format!(
        "{}: {}. On {}, time to the same depth is {} times as short as on one, and nodes a second are {} times as \
         many{}.",
        analysis.curves[first.curve].label,
        first.in_words(),
        processors(&group.configuration),
        interval(&against.time_speedup),
        interval(&against.nps_speedup),
        same.unwrap_or_default(),
    ))
}
