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
         resolved score of the depth asked for. It includes waking the helpers, but not creating threads or clearing \
         tables.",
    ),
    ("Node", "One entry into the main search, the root excluded, or one legal move made in quiescence."),
    ("NPS", "Nodes divided by time."),
    (
        "Time speedup",
        "At each position, the geometric mean of the baseline's times divided by that of the runs' times; over \
         positions, the geometric mean. Ratio of sums, mean of ratios and median are other averages of the same times.",
    ),
    (
        "Speedup (NPS)",
        "Mean over positions of nodes per second, divided by that of one processor: the 2004 thesis calls this \
         speedup. It measures throughput: needless nodes count as much as others.",
    ),
    ("Nodes, relative", "Nodes divided by the baseline's, averaged like time speedup: 1 + search overhead."),
    (
        "Regret",
        "Score of the best known move minus that of the move played, in centipawns. The scores come from searches \
         deeper than the runs, one for every move that a run chose. Moves are 'not worse' than the baseline's if the \
         one-sided upper bound of the difference lies below a margin; the bound allows for one blunder more than was \
         seen.",
    ),
    (
        "Agreement",
        "Share of pairs of a run and a baseline that chose the same move, beside the same share for pairs of \
         baselines, which differ among themselves; and the share of scores outside the range of all baselines but one.",
    ),
    (
        "Speedup by depth",
        "Time speedup at each depth that the same runs reached, and the factor by which it changes per ply.",
    ),
    (
        "Solution speedup",
        "Ratio of the times at which the same share of positions was solved, averaged over shares. A position is \
         solved when a search finds a best move that it keeps to its end; a search that ends without a best move is \
         censored there (Kaplan-Meier estimate).",
    ),
    (
        "Factors",
        "Time speedup = processors × utilisation × productive share × rate / nodes. Utilisation is the share of time \
         spent searching or splitting, productive share the part of that time spent searching, rate the nodes per \
         second of searching, each relative to the baseline. The equation always holds: it shows where a loss lies, \
         and proves nothing about its cause.",
    ),
    (
        "Hash, order, Qn",
        "In the thesis's columns, by its formulas. In the others: the share of table probes that ended the node; the \
         share of nodes with a cutoff at which the first move caused it; the share of nodes in quiescence.",
    ),
    (
        "Activities",
        "Each worker is always in exactly one of search, split (making, copying and joining split points), lock, idle \
         (no work), wait (an owner for its helpers) and other.",
    ),
    (
        "Losses",
        "Nodes of searches that were stopped (aborted), below brothers after the one that caused the cutoff (useless), \
         searched with an alpha that another worker had already raised (stale window), completed before and lost from \
         the table (repeat), searched by two workers at once (duplicate), or beyond the depth asked for (beyond).",
    ),
    (
        "Disturbed",
        "A search is disturbed if more than 1 % of the processor time that it wanted was taken away, if other programs \
         kept more than a quarter of a processor busy beside it, or if the clock changed by 3 %. Where the system does \
         not report this, or the search is too short to measure it, the state is unknown, which is not quiet.",
    ),
    (
        "Outlier",
        "A position whose time speedup lies farther from the others than their spread (Grubbs's test) and the noise of \
         its own runs explain. If there is no outlier, at most 5 % of reports name one. Outliers are pointed out and \
         kept in all means.",
    ),
    (
        "p",
        "Probability that chance alone gives a difference at least as large if there is none, adjusted by Holm's \
         method for all claims of the report. Equality is never concluded from it.",
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
        Baseline::None => "There is no baseline: only the cells of the plan were searched.".to_owned(),
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
        "The processors of the virtual machine run the same program in simulated time, which is computed from the \
         costs of a model. Its figures are marked {HOLLOW_MARK}; vs is a virtual second. The model leaves out \
         instructions and branch prediction, paging, hardware threads that share a core, and turbo; busy waiting is a \
         waking latency, and its loop is not simulated. The figures show what follows from the costs, not what a \
         computer would do, and are not ranked against those of real processors. These records do not say how far the \
         model has been checked against a computer.{costs}"
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
