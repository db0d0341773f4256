//! Questions that are asked of folders side by side. Real and virtual searches stand in one table, each beside its
//! like.

use std::collections::BTreeSet;

use super::{Alone, Counterparts, Measure, SideBySide, Tested, Verdict, configurations, letter};
use crate::charts::{Ratio, RatioChart, Sheet};
use crate::question::{About, File, Headline, Question, Subject};
use crate::record::{Configuration, Defined, MachineKind};
use crate::sentence::Sentence;
use crate::statistics::Test;
use crate::table::number::{counted, interval, level, listed};
use crate::table::{Cell, Columns, Table};

impl Subject for SideBySide {
    const QUESTIONS: &'static [Question<Self>] = &[FOLDERS, DIFFERENCES, TIME, NODES, RATES, ALONE];
    const FILES: &'static [File<Self>] = &[super::table::COMPARED];

    fn about(&self) -> About<'_> {
        About {
            title: "Run folders side by side",
            version: env!("CARGO_PKG_VERSION"),
            opened: &["folders", "differences"],
            ..About::default()
        }
    }

    fn headline(&self) -> Headline {
        Headline {
            is_tentative: !self.notes.is_empty(),
            cautions: self.notes.clone(),
            verdict: verdict(self),
            table: TIME.table(self),
            ..Headline::default()
        }
    }
}

const FOLDERS: Question<SideBySide> = Question {
    key: "folders",
    title: "What is compared?",
    sentence: |whole| Some(Sentence::described(legend(whole))),
    table: |whole| {
        let columns = Columns::new()
            .with("", "", |folder: &&super::FolderFacts| folder.name.as_str())
            .with("searches", "", |folder| folder.searches)
            .with("missing", "cells without a record", |folder| folder.missing)
            .with("failed", "", |folder| folder.failed)
            .with("disturbed", "", |folder| folder.disturbed)
            .with("folder", "", |folder| format!("{} ({})", folder.path, folder.title));
        columns.table("", "", &whole.folders)
    },
    ..Question::PLAIN
};

const DIFFERENCES: Question<SideBySide> = Question {
    key: "differences",
    title: "What differs beside the figures?",
    reading: "It may be the reason for everything else.",
    sentence: |whole| {
        Some(Sentence::described(match whole.differences.len() {
            0 => "Program, search, plan and computer are the same, as far as the folders tell.".to_owned(),
            number => format!("Not the same: {}.", counted(number, "property", "properties")),
        }))
    },
    table: |whole| {
        let what = Columns::new().with("", "", |one: &&super::Difference| one.what.as_str());
        let columns = whole.folders.iter().enumerate().fold(what, |columns, (place, folder)| {
            columns.with(folder.name.as_str(), "", move |one: &&super::Difference| one.values[place].as_str())
        });
        columns.table("", "", &whole.differences)
    },
    ..Question::PLAIN
};

const TIME: Question<SideBySide> = Question {
    key: "time",
    title: "Which is faster?",
    reading: "Where the ratio of times is below 1, the folder is faster than the first. p is the probability that \
              chance alone gives so large a difference, adjusted for all configurations (Holm). The folders were \
              measured at different times: whatever else the computer did then affects a ratio of real times, but is \
              not part of its interval.",
    sentence: |whole| Some(verdict(whole)),
    charts: &[("compared", "time and nodes relative to the first folder", chart)],
    table: |whole| tested(whole, Measure::Time),
    ..Question::PLAIN
};

const NODES: Question<SideBySide> = Question {
    key: "nodes",
    title: "Which needs fewer nodes?",
    reading: "Nodes to the same depth, tested like times.",
    sentence: |whole| (!is_identical(whole)).then(|| by(whole, Measure::Nodes)),
    table: |whole| tested(whole, Measure::Nodes),
    ..Question::PLAIN
};

const RATES: Question<SideBySide> = Question {
    key: "rates",
    title: "What of nodes a second and of time speedups?",
    reading: "Time speedups are each against the baseline of the same folder.",
    sentence: |whole| (!is_identical(whole)).then(|| Sentence::described("Their ratios are not tested.")),
    table: |whole| {
        let columns = labelled(whole, "").with("NPS ratio", "", |pair| pair.nps);
        let columns = columns.with("time speedup ratio", "", |pair| {
            let speedup = pair.speedup?;
            Some(match pair.is_paired && !speedup.is_paired {
                true => format!("{} (no pairs)", interval(&speedup.ratio)).into(),
                false => Cell::from(speedup.ratio),
            })
        });
        columns.table("", "", &whole.counterparts)
    },
    ..Question::PLAIN
};

const ALONE: Question<SideBySide> = Question {
    key: "alone",
    title: "What has no counterpart?",
    sentence: |whole| {
        let alone = alone(whole).count();
        (alone > 0).then(|| Sentence::described(format!("{}.", configurations(alone))))
    },
    table: |whole| {
        let columns = Columns::new()
            .with("only in", "", |one: &&Alone| letter(one.folder))
            .with("not in", "", |one| letter(one.missing_in))
            .with("configuration", "", |one| one.label.as_str())
            .with("machine", "", |one| one.configuration.machine.name())
            .with("processors", "", |one| one.configuration.threads);
        columns.table("", "", alone(whole))
    },
    ..Question::PLAIN
};

fn alone(whole: &SideBySide) -> impl Iterator<Item = &Alone> {
    whole.only_in.iter().filter(|alone| !alone.lacks_positions)
}

fn is_identical(whole: &SideBySide) -> bool {
    whole.counterparts.iter().all(|pair| pair.time.verdict == Verdict::Identical)
}

/// Sentence on the times of the comparison.
fn verdict(whole: &SideBySide) -> Sentence {
    let all = configurations(whole.counterparts.len());
    match is_identical(whole) {
        true => {
            let by: Vec<Tested> = whole.counterparts.iter().map(|pair| pair.time).collect();
            Sentence::stated(format!("Identical: every search of {all} is the same in both folders."), &by)
        }
        false => by(whole, Measure::Time),
    }
}

/// Number of configurations by verdict: `Of 4 configurations, by time: 1 faster and 3 not shown to differ.`
fn by(whole: &SideBySide, measure: Measure) -> Sentence {
    use Verdict::{Copied, Disturbed, Equal, Less, More, NotKnown};
    let kind = |verdict: Verdict| match verdict {
        Verdict::Equivalent | Verdict::Equal | Verdict::Identical => "equal",
        Verdict::NoDifferenceShown | Verdict::NotKnown => "not shown to differ",
        Verdict::Disturbed => "not comparable, since disturbed",
        Verdict::Less | Verdict::More | Verdict::Copied => verdict.named(measure),
    };
    let kinds = [Less, More, Equal, NotKnown, Disturbed, Copied].map(kind);
    let count =
        |wanted: &str| whole.counterparts.iter().filter(|pair| kind(measure.of(pair).verdict) == wanted).count();
    let counts = kinds.into_iter().map(|kind| (count(kind), kind)).filter(|(count, _)| *count > 0);
    let counts: Vec<String> = counts.map(|(count, kind)| format!("{count} {kind}")).collect();
    let tested: Vec<Tested> = whole.counterparts.iter().map(|pair| measure.of(pair)).collect();
    let all = configurations(whole.counterparts.len());
    Sentence::stated(format!("Of {all}, by {}: {}.", measure.name(), listed(&counts)), &tested)
}

/// Meaning of ratios and intervals.
fn legend(whole: &SideBySide) -> String {
    let others: Vec<String> = (1..whole.folders.len()).map(letter).collect();
    let said = |words: &[String], before: &str| match words {
        [] => String::new(),
        words => format!(" {before} {}.", listed(words)),
    };
    let ignored = said(&whole.ignored, "Configurations may differ in");
    let models = said(&models(&whole.counterparts), "Virtual seconds by");
    format!(
        "Ratios are figures of {} divided by those of {}; {} intervals for {}.{ignored}{models}",
        listed(&others),
        letter(0),
        level(),
        whole.interval.name(),
    )
}

/// Columns for what is compared: the folder and the machine where there are several.
fn labelled<'a>(whole: &'a SideBySide, name: &str) -> Columns<'a, &'a Counterparts> {
    let is_several =
        |of: fn(&Counterparts) -> usize| whole.counterparts.windows(2).any(|two| of(&two[0]) != of(&two[1]));
    let mut columns = Columns::new().with(name, "", |pair: &&Counterparts| pair.label.as_str());
    if whole.folders.len() > 2 {
        columns = columns.with("folder", "", |pair| letter(pair.folder));
    }
    if is_several(|pair| usize::from(pair.configuration.machine == MachineKind::Real)) {
        columns = columns.with("machine", "", |pair| pair.configuration.machine.name());
    }
    columns.with("processors", "", |pair| {
        let (first, other) = (pair.configuration.threads, pair.counterpart.threads);
        if first == other { Cell::from(first) } else { format!("{other} / {first}").into() }
    })
}

/// Table of a measure with its verdicts.
fn tested(whole: &SideBySide, measure: Measure) -> Table {
    let columns = labelled(whole, measure.name())
        .with("pos", "", |pair| pair.positions)
        .with("runs", "", |pair| match pair.runs {
            [pairs, _] if pair.is_paired => counted(pairs, "pair", "pairs"),
            [first, other] => format!("{other} / {first}"),
        })
        .with("ratio", "", move |pair| measure.of(pair).ratio)
        .with("p", "", move |pair| Cell::probability(measure.of(pair).test.and_then(Test::adjusted)))
        .with("verdict", "", move |pair| measure.of(pair).in_words(measure, whole.margin));
    columns.table("", "", &whole.counterparts)
}

/// Times and nodes of each configuration relative to the first folder.
fn chart(whole: &SideBySide) -> Option<Sheet> {
    let rows = |pair: &Counterparts| -> [Ratio; 2] {
        let Configuration { machine, threads, .. } = &pair.configuration;
        let folder = if whole.folders.len() > 2 { letter(pair.folder) } else { String::new() };
        let name = format!("{}, {threads} {} {folder}", pair.label, machine.name());
        [(name.trim().to_owned(), 0, pair.time.ratio), (name.trim().to_owned(), 1, pair.nodes.ratio)]
    };
    RatioChart {
        title: "Relative to the first folder",
        caption: "Left of 1 a folder takes less than the first, right of it more; a bar that crosses 1 shows no \
                  difference.",
        bars: "Bars: 95 % intervals, each for one ratio alone.",
        axis: "ratio to the first folder",
        kinds: &["time", "nodes"],
        panels: vec![(String::new(), whole.counterparts.iter().flat_map(rows).collect())],
        ..RatioChart::default()
    }
    .sheet()
}

/// Cost models of virtual searches, with their hashes.
fn models(pairs: &[Counterparts]) -> Vec<String> {
    let all = pairs.iter().flat_map(|pair| [&pair.configuration, &pair.counterpart]);
    let models = all.filter_map(|configuration| configuration.costs.as_ref());
    let words = models.map(|Defined { name, hash }| format!("{name} {hash}").trim_end().to_owned());
    words.collect::<BTreeSet<String>>().into_iter().collect()
}
