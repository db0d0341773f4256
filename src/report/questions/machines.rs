//! Do real and virtual processors agree? Each real configuration beside the virtual one that is to predict it.

use crate::Source;
use crate::analysis::twins::MARGIN;
use crate::analysis::{Analysis, Group, Twin};
use crate::charts::{RatioChart, Sheet};
use crate::distinct::found_or_added;
use crate::record::TwinFigure;
use crate::record::axes::DISTURB;
use crate::sentence::Sentence;
use crate::state::is_ruined;
use crate::statistics::Interval;
use crate::table::number::{counted, percent};
use crate::table::{Cell, Columns, columns};
use crate::validation::Verdict;

use super::differences::BY_CHANCE;
use super::rows::kind_of;
use super::{File, Question, adjusted, few, prices};

pub(super) const MACHINES: Question<Source> = Question {
    key: "machines",
    title: "Do real and virtual processors agree?",
    reading: "Each real configuration beside the virtual one that is to predict it. Both are compared with one \
              undisturbed processor of their own machine, at the same positions with the same seeds: time speedup, or \
              nodes a second where the name says rate. The error is the virtual figure relative to the real one; above \
              0 the model is too optimistic. Each interval is for one ratio alone. 'Shown within': the error is shown \
              to be below 5 %. 'Shown outside': it is shown to be larger. 'Not shown': neither.",
    sentence: |source| sentence(&source.analysis),
    charts: &[("twins", "virtual figures relative to real ones", chart)],
    files: &[File {
        name: "twins.csv",
        rows: "One row per real configuration and the virtual one that is to predict it. There is no such file if the \
               experiment has no such pair.",
        table: |source| columns(source).table("", "", &source.analysis.twins),
    }],
    table: |source| columns(source).for_readers().table("", "", &source.analysis.twins).without_empty_columns(),
    ..Question::PLAIN
};

/// Number of pairs that a sentence names.
const NAMED: usize = 3;

/// What the experiment asks: whether the machines agree, and whether an order depends on a price.
pub(crate) fn verdict(analysis: &Analysis) -> Option<Sentence> {
    Sentence::all(sentence(analysis).into_iter().chain(prices::verdict(analysis)))
}

/// How many pairs agree, how many do not, and the largest error.
fn sentence(analysis: &Analysis) -> Option<Sentence> {
    let twins = &analysis.twins;
    let stated = |words: String| Some(Sentence::stated(words, twins));
    let with = |verdict: Verdict| twins.iter().filter(move |twin| twin.verdict() == verdict);
    let [within, outside] = [Verdict::ShownWithin, Verdict::ShownOutside].map(|verdict| with(verdict).count());
    let size = |twin: &&Twin| twin.error.estimate.ln().abs();
    let is_known = |twin: &&Twin| twin.error.estimate.is_finite();
    let largest = match outside {
        0 => twins.iter().filter(is_known).max_by(|one, other| size(one).total_cmp(&size(other)))?,
        _ => with(Verdict::ShownOutside).max_by(|one, other| size(one).total_cmp(&size(other)))?,
    };
    if outside + within == 0 && is_ruined(analysis) {
        return stated("Whether real and virtual processors agree is not shown: real searches were disturbed.".into());
    }
    let margin = percent(MARGIN);
    let pairs = counted(twins.len(), "pair", "pairs");
    let mut text = format!(
        "Of {pairs} of a real and a virtual configuration, {within} {} shown to agree within {margin} and {outside} to \
         differ by more.",
        if within == 1 { "is" } else { "are" }
    );
    let error = largest.error_among(&analysis.description, twins.len());
    text += &format!(
        " The largest error{}: {}, {}.",
        if outside == 0 { ", not shown to be larger than that" } else { " shown" },
        in_words(analysis, largest),
        signed(&error)
    );
    for (is_high, word) in [(true, "optimistic"), (false, "pessimistic")] {
        let named: Vec<String> = with(Verdict::ShownOutside)
            .filter(|twin| (twin.error.estimate > 1.0) == is_high)
            .map(|twin| in_words(analysis, twin))
            .collect();
        if !named.is_empty() {
            text += &format!(" The model is too {word} for {}.", few(&named, NAMED));
        }
    }
    stated(text)
}

/// `oversubscription: lazy on 4`.
fn in_words(analysis: &Analysis, twin: &Twin) -> String {
    format!("{}: {}", twin.name, label(analysis, twin))
}

/// The real configuration with its number of processors.
fn label(analysis: &Analysis, twin: &Twin) -> String {
    let Group { label, configuration, .. } = &analysis.groups[twin.groups[0]];
    // What does not disturb need not be named.
    let quiet = format!(", {}", DISTURB.words(configuration));
    let label = if configuration.disturb.is_none() { label.replace(&quiet, "") } else { label.clone() };
    format!("{label} on {}", configuration.threads)
}

/// `+12.0 % (+4.1 to +20.5)`: a ratio as a signed share.
fn signed(ratio: &Interval) -> String {
    let share = |ratio: f64| format!("{:+.1}", (ratio - 1.0) * 100.0);
    match ratio.is_known() {
        true => format!("{} % ({} to {})", share(ratio.estimate), share(ratio.low), share(ratio.high)),
        false => format!("{} %", share(ratio.estimate)),
    }
}

fn columns(source: &Source) -> Columns<'_, &Twin> {
    let analysis = &source.analysis;
    let group = |row: &&Twin, side: usize| -> &Group { &analysis.groups[row.groups[side]] };
    let alone = |row: &&Twin, side: usize| analysis.groups[row.alone[side]].label.clone();
    let less_one = |ratio: Interval| ratio.map(|ratio| ratio - 1.0);
    columns! { &Twin, row;
        "name" as "Test": "what is tested" => Cell::word(&row.name);
        "label" as "Configuration": "what distinguishes the real configuration" => group(row, 0).label.clone();
        "threads" as "Processors": "the number of processors or threads" => group(row, 0).configuration.threads;
        "virtual_label": "what distinguishes the virtual configuration" => group(row, 1).label.clone();
        "group": "the place of the real configuration in summary.csv" => row.groups[0];
        "virtual_group": "the place of the virtual configuration in summary.csv" => row.groups[1];
        "alone": "one processor that the real configuration is compared with" => alone(row, 0);
        "virtual_alone": "one processor that the virtual configuration is compared with" => alone(row, 1);
        "figure" as "Figure" [optional]: "time: time speedup; rate: nodes a second relative to one processor" =>
            row.figure.name();
        "real" as "Real" [with_ends]: "the figure of the real one" => row.sides[0];
        "virtual" as "Virtual" [with_ends]: "the figure of the virtual one" => row.sides[1];
        "error" as "Error" [with_ends]: "signed error: virtual figure relative to the real one, less 1" =>
            less_one(row.error);
        "verdict" as "Verdict": "shown within: the error is shown to be below 5 %; shown outside: it is shown to be \
                                 larger; not shown: neither" => row.verdict().name();
        "outside_p": BY_CHANCE => Cell::probability(adjusted(row.outside));
        "within_p": "probability that chance alone gives so small an error if it is 5 % in truth, adjusted likewise" =>
            Cell::probability(adjusted(row.within));
        "real_nodes" [with_ends]: "nodes of the real one relative to one processor" => row.nodes.map(|all| all[0]);
        "virtual_nodes" [with_ends]: "nodes of the virtual one relative to one processor" =>
            row.nodes.map(|all| all[1]);
        "nodes_error" as "Error of nodes" [optional with_ends]:
            "virtual nodes relative to real ones, each relative to one processor, less 1" =>
            row.nodes.map(|all| less_one(all[2]));
        "real_waiting" as "Waiting, real" [optional with_ends]:
            "share of the real processors' time without work, waiting for helpers or for a lock" =>
            row.waiting.map(|all| all[0]);
        "virtual_waiting" as "Waiting, virtual" [optional with_ends]: "the same share of the virtual processors" =>
            row.waiting.map(|all| all[1]);
        "waiting_error" [with_ends]: "the virtual share less the real one" => row.waiting.map(|all| all[2]);
        "interval": "positions for which the intervals hold; empty if there are none" => kind_of(analysis, row.error);
    }
}

fn chart(source: &Source) -> Option<Sheet> {
    let analysis = &source.analysis;
    // A panel for each test, so that rows need not repeat its name.
    let mut panels: Vec<(String, Vec<_>)> = Vec::new();
    for twin in &analysis.twins {
        let panel = found_or_added(&mut panels, |(name, _)| *name == twin.name, || (twin.name.clone(), Vec::new()));
        panel.1.push((label(analysis, twin), usize::from(twin.figure == TwinFigure::Rate), twin.error));
    }
    RatioChart {
        title: "Virtual / real",
        subtitle: format!("{} of configurations", counted(analysis.twins.len(), "pair", "pairs")),
        caption: "At 1, the virtual machine predicts the real one; right of 1 it is too optimistic, left of 1 too \
                  pessimistic.",
        bars: "Bars: 95 % intervals, each for one ratio alone.",
        axis: "virtual / real",
        kinds: &["time speedup", "nodes a second"],
        panels,
        ..RatioChart::default()
    }
    .sheet()
}
