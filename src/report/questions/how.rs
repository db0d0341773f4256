//! How was it made? What figures mean, the baseline, the virtual machine, the positions, the computers, and the command
//! that makes them again.

use std::collections::BTreeSet;

use crate::Source;
use crate::analysis::Analysis;
use crate::page::environment;
use crate::record::{Baseline, Description, IntervalKind, MachineKind};
use crate::sentence::Sentence;
use crate::table::markup::Html;
use crate::table::number::{counted, level};

use super::Question;

pub(super) const HOW: Question<Source> =
    Question { key: "how", title: "How was it made?", sentence, body: write, ..Question::PLAIN };

fn sentence(source: &Source) -> Option<Sentence> {
    let Description { positions, version, suite, .. } = &source.analysis.description;
    let searches: usize = source.analysis.groups.iter().map(|group| group.runs).sum();
    let of_suite = suite.as_ref().map(|suite| format!(" of {suite}")).unwrap_or_default();
    let failed = &source.analysis.quality.failed;
    let first = failed.first().map(|(cell, reason)| {
        let is_first = if failed.len() > 1 { "; the first" } else { "" };
        format!(" Failed: {}{is_first}: {cell}: {reason}", failed.len())
    });
    Some(Sentence::described(format!(
        "{} at {}{of_suite}, by Splitpoint {version}.{}",
        counted(searches, "search", "searches"),
        counted(positions.len(), "position", "positions"),
        first.unwrap_or_default(),
    )))
}

/// Definitions that a reader of the tables needs.
const DEFINITIONS: [(&str, &str); 8] = [
    (
        "Time",
        "From the first node of the first iteration to the first moment at which any worker could answer with a \
         resolved score of the depth asked for. It includes waking the helpers, but not creating threads or clearing \
         tables.",
    ),
    ("Node", "One entry into the main search, the root excluded, or one legal move made in quiescence."),
    (
        "Time speedup",
        "At each position, the geometric mean of the baseline's times divided by that of the runs' times; over \
         positions, the geometric mean, so that all positions weigh the same.",
    ),
    (
        "Runs",
        "Runs of one seed are one sample of the search: their mean counts once. For an engine from outside, which has \
         no seeds, a view of the position takes the place of a seed.",
    ),
    (
        "Activities",
        "Each worker is always in exactly one of search, split (making, copying and joining split points), lock, idle \
         (no work), wait (an owner for its helpers), network (letters to and from other nodes) and other.",
    ),
    (
        "Losses",
        "Nodes of searches that were stopped (aborted), below brothers after the one that caused the cutoff (useless), \
         searched with an alpha that another worker had already raised (stale window), completed before and lost from \
         the table (repeat), searched by two workers at once (duplicate), on a cluster searched by another node \
         (elsewhere), or beyond the depth asked for (beyond).",
    ),
    (
        "p",
        "Probability that chance alone gives a difference at least as large if there is none. What the experiment asks \
         for is one family of tests, at 4 %; all else is a second one, at 1 %, or at 5 % if all of the first is shown. \
         Within a family p is adjusted by Holm's method. Equality is never concluded from it.",
    ),
    (
        "Outlier",
        "A position whose time speedup lies farther from the others than their spread (Grubbs's test) and the noise of \
         its own runs explain; 5 % of reports without one name one. Outliers are kept in all means.",
    ),
];

fn write(source: &Source, html: &mut Html) {
    let Source { analysis, environment, .. } = source;
    let description = &analysis.description;
    html.paragraphs(&paragraphs(description));
    html.facts(&DEFINITIONS);
    if analysis.groups.iter().any(|group| group.configuration.machine == MachineKind::Virtual) {
        html.element("h3", &[], "The virtual machine");
        html.element("p", &[], &virtual_machine(analysis));
    }
    positions(html, description);
    html.element("h3", &[], "Computers");
    environment::write_sessions(html, &environment.sessions);
    environment::write_costs(html, &environment.costs());
    html.element("h3", &[], "Run it again");
    if !description.command.is_empty() {
        html.within("pre", &[], |html| html.element("code", &[], &description.command));
    }
    let or_empty = |number: u64| if number == 0 { String::new() } else { number.to_string() };
    let part = description.shard.map(|(part, of)| format!("{part} of {of}")).unwrap_or_default();
    html.facts(&[
        ("Version", description.version.clone()),
        ("Signature of the search", or_empty(description.signature)),
        ("Hash of the plan", description.plan.clone()),
        ("Part of the plan", part),
    ]);
    failures(html, analysis);
}

/// Lists of what failed and of what a limit cut off.
fn failures(html: &mut Html, analysis: &Analysis) {
    let quality = &analysis.quality;
    for (heading, list) in [("Cells that failed", &quality.failed), ("Searches cut off by the limit", &quality.cut)] {
        if !list.is_empty() {
            html.element("h3", &[], heading);
            html.facts(list);
        }
    }
    html.facts(&[("Left out of comparisons", quality.left_out.join(", "))]);
    let reasons: Vec<(String, String)> = quality
        .reasons
        .iter()
        .map(|(reason, count)| (reason.clone(), counted(*count, "attempt", "attempts")))
        .collect();
    if !reasons.is_empty() {
        html.element("h3", &[], "Reasons for disturbance");
        html.facts(&reasons);
    }
}

fn paragraphs(description: &Description) -> Vec<String> {
    let baseline = match description.baseline {
        Baseline::Seeds(seeds) => format!(
            "Speedups compare every search on several processors with the same search on one. The latter is a random \
             sample, not a fixed number: each position is searched with {}, which change the keys and the order of \
             equal moves.",
            counted(seeds, "seed", "different seeds")
        ),
        Baseline::One => {
            "Speedups compare every search on several processors with one search on one processor, in the published \
             order of moves, as in the thesis. How much such searches vary is not known here."
                .to_owned()
        }
        Baseline::None => "There is no baseline: only the searches of the plan were made.".to_owned(),
    };
    let mut plan = format!("The plan has {}, each of one position.", counted(description.cells, "search", "searches"));
    if description.repetitions > 1 {
        plan.push_str(&format!(" Repetitions: {}.", description.repetitions));
    }
    if !description.why.is_empty() {
        plan.push_str(&format!(" Why these positions and depths: {}", description.why));
    }
    [vec![baseline, interval(description), plan], description.notes.iter().map(|note| sentence_of(note)).collect()]
        .concat()
}

/// Text with a capital letter and a full stop.
pub(crate) fn sentence_of(text: &str) -> String {
    let mut letters = text.chars();
    let first: String = letters.next().into_iter().flat_map(char::to_uppercase).collect();
    let rest = letters.as_str();
    format!("{first}{rest}{}", if rest.ends_with('.') { "" } else { "." })
}

fn interval(description: &Description) -> String {
    let kind = description.interval.name();
    let meaning = match description.interval {
        IntervalKind::ThesePositions => {
            "they hold if the same positions are searched again, where only runs vary, and say nothing about other \
             positions"
        }
        IntervalKind::PositionsLikeThese => {
            "they hold for other positions of the same kind, of which these are taken to be a sample"
        }
    };
    let mut text = format!(
        "Intervals have a level of {} and are for {kind}: {meaning}. All points of a curve share its baseline.",
        level()
    );
    if description.is_one_game {
        text.push_str(" The positions come from one game and do not stand for others.");
    }
    text
}

fn virtual_machine(analysis: &Analysis) -> String {
    let model = |group: &crate::analysis::Group| {
        let costs = group.configuration.costs.as_ref()?;
        let hash = if costs.hash.is_empty() { String::new() } else { format!(" (hash {})", costs.hash) };
        Some(format!("{costs}{hash}"))
    };
    let models: BTreeSet<String> = analysis.groups.iter().filter_map(model).collect();
    let models = models.into_iter().collect::<Vec<_>>().join(", ");
    let costs = if models.is_empty() { String::new() } else { format!(" Cost models: {models}.") };
    format!(
        "Virtual processors run the same program in simulated time, which is computed from the costs of a model; vs is \
         a virtual second. The model leaves out instructions and branch prediction, paging, hardware threads that \
         share a core, and turbo; busy waiting is a waking latency. The figures show what follows from the costs, not \
         what a computer would do, and are not ranked against those of real processors. Work costs the same on all \
         boards. These records do not say how far the model has been checked against a computer.{costs}"
    )
}

fn positions(html: &mut Html, description: &Description) {
    if description.positions.is_empty() {
        return;
    }
    let name = match &description.suite {
        Some(suite) => format!("The positions: {suite} ({})", description.positions.len()),
        None => format!("The positions ({})", description.positions.len()),
    };
    html.within("details", &[], |html| {
        html.element("summary", &[], &name);
        html.within("ul", &[("class", "positions")], |html| {
            for position in &description.positions {
                html.within("li", &[], |html| {
                    html.element("strong", &[], &position.id);
                    html.text(" ");
                    html.element("code", &[], &position.fen);
                    if !position.best.is_empty() {
                        html.text(&format!(" best: {}", position.best.join(", ")));
                    }
                });
            }
        });
    });
}
