//! The section on method: the meaning of each figure, the scope of intervals, the baseline, and what the virtual
//! machine leaves out.

use std::collections::BTreeSet;

use crate::record::{Baseline, Description, IntervalKind, MachineKind};
use crate::report::analysis::Analysis;

use crate::report::tables::shown::HOLLOW_MARK;
use crate::table::markup::Html;
use crate::table::number::{counted, level};

/// The figures of the tables and charts, in brief.
const DEFINITIONS: [(&str, &str); 17] = [
    (
        "Time",
        "From the first node of the first iteration to the first moment at which any worker could answer with a \
         resolved score of the depth asked for. Waking helpers is inside; making threads and clearing tables are \
         outside.",
    ),
    ("Node", "One entry into the main search, the root excluded, or one legal move made in quiescence."),
    ("NPS", "Nodes divided by time."),
    (
        "Time speedup",
        "At each position the mean of the logarithm of time over the baseline's runs less that over the runs; the \
         geometric mean over positions. Ratio of sums, mean of ratios and median are other ways to average the same \
         times.",
    ),
    (
        "Speedup (NPS)",
        "Mean over positions of nodes a second, divided by that of one processor: what the thesis of 2004 calls \
         speedup. It is a throughput: a search that does more needless work does not lose by it.",
    ),
    ("Nodes, relative", "Nodes divided by the baseline's, averaged like time speedup: 1 + search overhead."),
    (
        "Regret",
        "Score of the best known move less that of the move played, in centipawns, by searches deeper than the runs: \
         those of every move that a run chose. Moves are not worse than the baseline's if the one-sided upper bound of \
         the difference lies below a margin; the bound allows for a blunder that was not seen.",
    ),
    (
        "Agreement",
        "Share of pairs of a run and a baseline that chose the same move, beside that of pairs of baselines, which \
         differ among themselves; and the share of scores outside the spread of the baselines but one.",
    ),
    (
        "Speedup by depth",
        "Time speedup at each depth that the same runs reached on the way, and the factor by which it changes with a \
         ply.",
    ),
    (
        "Solution speedup",
        "Ratio of the times at which the same share of positions was solved for good, averaged over shares. A search \
         that did not find a best move counts as given up at its end (Kaplan and Meier).",
    ),
    (
        "Factors",
        "Time speedup = processors × utilisation × productive share × rate / nodes. Utilisation is the share of time \
         spent searching or splitting, productive the part of that spent searching, rate the nodes in a second of \
         searching, each relative to the baseline. This is algebra and proves nothing; it shows where a loss lies.",
    ),
    (
        "Hash, order, Qn",
        "In the thesis's columns by its formulas. In the others: probes of the table that ended the node; nodes that \
         the first move cut among those that a move cut; the share of nodes in quiescence.",
    ),
    (
        "Activities",
        "Each worker is always in exactly one of search, split (making, copying and joining split points), lock, idle \
         (no work), wait (an owner for its helpers) and other.",
    ),
    (
        "Losses",
        "Nodes whose search was stopped (aborted), of brothers after the one that cut (useless), searched again \
         because alpha had risen (stale window), completed before and lost from the table (repeat), searched by two \
         workers at once (duplicate), or beyond the depth asked for (beyond).",
    ),
    (
        "Disturbed",
        "A search is disturbed if more than 1 % of the processor time that it wanted was taken away, if others kept \
         more than a quarter of a processor busy beside it, or if the clock changed by 3 %. Where the system does not \
         tell, or the search is too short for its account, the state is unknown, which is not quiet.",
    ),
    (
        "Outlier",
        "A position whose speedup lies farther from the others than their spread (the test of Grubbs) and the noise of \
         its own runs explain. Without any outlier at most 5 % of reports name one. It is pointed out and kept.",
    ),
    (
        "p",
        "How likely so large a difference is by chance if there is none, adjusted by Holm's method for all claims \
         of the report. Equality is never concluded from it.",
    ),
];

/// Writes the section.
pub(super) fn write(html: &mut Html, analysis: &Analysis) {
    html.paragraphs(&paragraphs(analysis));
    html.facts(&DEFINITIONS);
    if analysis.groups.iter().any(|group| group.configuration.machine == MachineKind::Virtual) {
        html.element("h3", &[], &format!("{HOLLOW_MARK} The virtual machine"));
        html.element("p", &[], &virtual_machine(analysis));
    }
    positions(html, &analysis.description);
}

fn paragraphs(analysis: &Analysis) -> Vec<String> {
    let description = &analysis.description;
    let baseline = match description.baseline {
        Baseline::Seeds(seeds) => format!(
            "Every search by several processors is divided by the same search by one. That is a sample, not a number: \
             each position is searched with {}, which changes the keys and the order of equal moves.",
            counted(seeds, "seed", "different seeds")
        ),
        Baseline::One => "Every search by several processors is divided by one search by one processor, in the \
                          published order of moves, as in the thesis. How such a search differs from the next is not \
                          known here."
            .to_owned(),
        Baseline::None => "Nothing is divided by a baseline: only the cells of the plan were searched.".to_owned(),
    };
    let mut plan = format!(
        "The plan has {}, each of which is one search of one position.",
        counted(description.cells, "cell", "cells")
    );
    if description.repetitions > 1 {
        plan.push_str(&format!(" Repetitions: {}.", description.repetitions));
    }
    vec![baseline, interval(description), plan]
}

fn interval(description: &Description) -> String {
    let kind = description.interval.name();
    let meaning = match description.interval {
        IntervalKind::ThesePositions => {
            "they hold for searching the same positions again, where only runs vary, and say nothing of other positions"
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
    let models: BTreeSet<String> = analysis
        .groups
        .iter()
        .filter_map(|group| {
            let costs = group.configuration.costs.as_ref()?;
            let hash = group.configuration.costs_hash.as_ref().map(|hash| format!(" (hash {hash})"));
            Some(format!("{costs}{}", hash.unwrap_or_default()))
        })
        .collect();
    let models = models.into_iter().collect::<Vec<_>>().join(", ");
    let costs = if models.is_empty() { String::new() } else { format!(" Cost models: {models}.") };
    format!(
        "The processors of the virtual machine run the same program in simulated time, which is made of the costs of \
         a model. Its figures carry {HOLLOW_MARK}; vs is a virtual second. It leaves out instructions and branch \
         prediction, paging, hyperthreads and turbo; busy waiting is a latency of waking, not simulated turn by turn. \
         Its figures say what follows from the costs, not what a computer would do, and are not ranked beside those \
         of real processors; how far the model has been checked against one, these records do not tell.{costs}"
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
