//! Real and virtual processors side by side: what was compared is one table, and a sentence or two.

use super::searches::{BothMachines, ManyProcessors, OneProcessor};
use super::verdict::{Judgement, Verdict};
use super::{Validated, Validation};
use crate::charts::{RatioChart, Sheet};
use crate::distinct::distinct;
use crate::record::SEQUENTIAL;
use crate::sentence::Sentence;
use crate::statistics::Interval;
use crate::table::number::{figure, interval, listed};
use crate::table::{Cell as Shown, Columns, Table, columns};

/// Row of the table: one processor, or several that share a search by a strategy.
struct Compared<'a> {
    who: &'a str,
    processors: u32,
    /// Time speedup on either machine, of several processors.
    sides: Option<[f64; 2]>,
    /// Virtual by real: time of one processor, time speedup of several.
    ratio: Interval,
    judgement: Judgement,
    /// Relative nodes of several processors.
    nodes: Option<(Interval, Judgement)>,
}

/// All that was compared with a margin that was set before.
fn compared(findings: &Validation) -> Vec<Compared<'_>> {
    let alone = |who, ratio, judgement| Compared { who, processors: 1, sides: None, ratio, judgement, nodes: None };
    let one = findings.one_processor.iter().flat_map(|one| {
        [
            alone(SEQUENTIAL, one.ratio, one.judgement),
            alone(PROCESSOR_TIME, one.by_processor_time, one.by_processor_time_judgement),
        ]
    });
    let many = findings.many_processors.iter().filter_map(|many| {
        let time = &many.time_speedup;
        Some(Compared {
            who: &many.strategy,
            processors: many.threads,
            sides: Some([time.real.estimate, time.simulated.estimate]),
            ratio: time.difference,
            judgement: time.judgement?,
            nodes: many.node_ratio.judgement.map(|judgement| (many.node_ratio.difference, judgement)),
        })
    });
    one.chain(many).collect()
}

/// Row of one processor whose time is that of the processor, not of the clock.
const PROCESSOR_TIME: &str = "sequential, processor time";

/// A verdict with the margin that it is about.
fn shown_verdict(judgement: Judgement, is_ratio: bool) -> String {
    let margin = judgement.margin(is_ratio);
    match judgement.verdict {
        Verdict::ShownWithin => format!("within {margin}"),
        Verdict::NotShown => "not shown".to_owned(),
        Verdict::ShownOutside => format!("outside {margin}"),
    }
}

/// A difference between the machines: a ratio, or points.
fn shown_difference(difference: Interval, is_ratio: bool) -> Shown {
    match is_ratio {
        true => Shown::from(difference),
        false => format!("{} points", interval(&difference.map(|share| share * 100.0))).into(),
    }
}

/// All that was compared, as a table for terminal and page.
pub(super) fn table(validated: &Validated) -> Table {
    let side = |place: usize| move |row: &Compared<'_>| row.sides.map(|sides| figure(sides[place]));
    Columns::new()
        .with("Strategy", "By which processors share a search", |row: &Compared<'_>| row.who.to_owned())
        .with("Processors", "Processors, on both machines", |row| row.processors)
        .with("Real", "Time speedup on this computer", side(0))
        .with("Virtual", "Time speedup on the virtual machine", side(1))
        .with("Virtual / real", "Of one processor the time, of several the time speedup", |row| row.ratio)
        .with("Shown", "By two one-sided tests at 5 %, with a margin set before the measurement", |row| {
            shown_verdict(row.judgement, true)
        })
        .table("", "", compared(&validated.findings))
}

/// Figures that a time speedup is made of, strategy by strategy: where the machines are apart.
pub(super) fn parts_table(validated: &Validated) -> Table {
    let part = |figure: fn(&ManyProcessors) -> Option<&BothMachines>| {
        move |many: &&ManyProcessors| figure(many).map(|both| shown_difference(both.difference, both.is_ratio))
    };
    Columns::new()
        .with("Strategy", "By which several processors share a search", |many: &&ManyProcessors| many.strategy.clone())
        .with("Processors", "On both machines", |many| many.threads)
        .with("Time of a node", "Time that a processor works on it, relative to one processor alone; virtual / real", {
            part(|many| many.node_time.as_ref())
        })
        .with("Nodes", "Relative to one processor; virtual less real", part(|many| Some(&many.node_ratio)))
        .with("Nodes shown", "By two one-sided tests at 5 %, with a margin set before", |many| {
            many.node_ratio.judgement.map(|judgement| shown_verdict(judgement, false))
        })
        .with("Idle", "Share of time; virtual less real", part(|many| many.idle_share.as_ref()))
        .with("Waiting", "Share of time; virtual less real", part(|many| many.wait_share.as_ref()))
        .with("Splitting", "Share of time, with locks; virtual less real", part(|many| many.split_share.as_ref()))
        .with("Splits", "Number per search; virtual / real", part(|many| many.splits.as_ref()))
        .with("Stop latency", "Virtual / real", part(|many| many.stop_ns.as_ref()))
        .table("", "", validated.findings.many_processors.iter())
}

/// Figures of each strategy, for the file.
pub(super) fn file(validated: &Validated) -> Table {
    let difference = |both: Option<&BothMachines>| both.map(|both| both.difference);
    let columns = columns! { &ManyProcessors, many;
        "strategy": "strategy by which several processors share a search" => many.strategy.clone();
        "threads": "number of processors, real and virtual" => many.threads;
        "pairs": "number of pairs of searches that are compared" => many.pairs;
        "time_speedup_real" [with_ends]: "time speedup of real processors" => many.time_speedup.real;
        "time_speedup_virtual" [with_ends]: "time speedup of virtual processors" => many.time_speedup.simulated;
        "time_speedup_ratio" [with_ends]: "virtual by real time speedup" => many.time_speedup.difference;
        "time_speedup_verdict": "whether that is 1 but for the margin" =>
            many.time_speedup.judgement.map(|judgement| judgement.verdict.name());
        "nodes_real" [with_ends]: "nodes of real processors, relative to one" => many.node_ratio.real;
        "nodes_virtual" [with_ends]: "nodes of virtual processors, relative to one" => many.node_ratio.simulated;
        "nodes_difference" [with_ends]: "virtual less real" => many.node_ratio.difference;
        "nodes_verdict": "whether that is nothing but for the margin" =>
            many.node_ratio.judgement.map(|judgement| judgement.verdict.name());
        "node_time_real" [with_ends]: "time that a real processor works on a node, relative to one alone" =>
            many.node_time.as_ref().map(|both| both.real);
        "node_time_virtual" [with_ends]: "the same of a virtual processor" =>
            many.node_time.as_ref().map(|both| both.simulated);
        "node_time_ratio" [with_ends]: "virtual by real" => difference(many.node_time.as_ref());
        "idle_difference" [with_ends]: "idle share of time, virtual less real" => difference(many.idle_share.as_ref());
        "wait_difference" [with_ends]: "share of time in which owners wait, virtual less real" =>
            difference(many.wait_share.as_ref());
        "split_difference" [with_ends]: "share of time for splitting and locks, virtual less real" =>
            difference(many.split_share.as_ref());
    };
    columns.table("", "", &validated.findings.many_processors)
}

/// What is shown of one processor and of the strategies; of their nodes only what is shown to differ.
pub(super) fn sentence(validated: &Validated) -> Sentence {
    let rows = compared(&validated.findings);
    let one = rows.iter().find(|row| row.who == SEQUENTIAL).map(of_one_processor);
    let numbers = distinct(rows.iter().map(|row| row.processors).filter(|&number| number > 1));
    let many = numbers.into_iter().flat_map(|number| {
        let many: Vec<&Compared<'_>> = rows.iter().filter(|row| row.processors == number).collect();
        [Some(of_processors(&many)), of_trees(&many)].into_iter().flatten()
    });
    let text: String = one.into_iter().chain(many).chain(reservations(&validated.findings)).collect();
    let judgements = rows.iter().flat_map(|row| [Some(row.judgement), row.nodes.map(|(_, nodes)| nodes)]);
    let judgements: Vec<Judgement> = judgements.flatten().collect();
    Sentence::stated(text.trim_end(), &judgements)
}

/// What is shown of the time of one processor.
fn of_one_processor(one: &Compared<'_>) -> String {
    let margin = one.judgement.margin(true);
    match one.judgement.verdict {
        Verdict::ShownWithin => format!("One virtual processor takes the time of a real one within {margin}. "),
        Verdict::NotShown => {
            format!("One virtual processor is not shown to take the time of a real one within {margin}. ")
        }
        Verdict::ShownOutside => {
            format!("One virtual processor takes {} times the time of a real one. ", interval(&one.ratio))
        }
    }
}

/// What is shown of the time speedup of several processors by each of the strategies, of which there is one or more.
fn of_processors(many: &[&Compared<'_>]) -> String {
    let who = |verdict: Verdict| {
        let names = many.iter().filter(|row| row.judgement.verdict == verdict).map(|row| row.who.to_owned());
        let names: Vec<String> = names.collect();
        let are_all = names.len() == many.len() && names.len() > 2;
        (!names.is_empty()).then(|| if are_all { "all strategies".to_owned() } else { listed(&names) })
    };
    let outside = many.iter().filter(|row| row.judgement.verdict == Verdict::ShownOutside).map(|row| {
        let Interval { estimate, low, high } = row.ratio;
        format!("{} ({} times it, {} to {})", row.who, figure(estimate), figure(low), figure(high))
    });
    let outside: Vec<String> = outside.collect();
    let (processors, margin) = (many[0].processors, many[0].judgement.margin(true));
    let within = who(Verdict::ShownWithin).unwrap_or_else(|| "no strategy".to_owned());
    let mut text = format!(
        "{processors} virtual processors are shown to have the time speedup of real ones within {margin} with {within}"
    );
    if !outside.is_empty() {
        text += &format!(", and shown to miss it by more with {}", listed(&outside));
    }
    if let (Some(_), Some(open)) = (who(Verdict::ShownWithin), who(Verdict::NotShown)) {
        text += &format!("; with {open} neither is shown");
    }
    text + ". "
}

/// Strategies whose trees are shown to differ, if there are any.
fn of_trees(many: &[&Compared<'_>]) -> Option<String> {
    let differing = many.iter().filter_map(|row| {
        let (difference, judgement) = row.nodes?;
        let points = || interval(&difference.map(|share| share * 100.0));
        (judgement.verdict == Verdict::ShownOutside).then(|| format!("{} ({} points)", row.who, points()))
    });
    let differing: Vec<String> = differing.collect();
    (!differing.is_empty()).then(|| format!("Their trees are shown to differ for {}. ", listed(&differing)))
}

/// What could not be compared, and trees that differ though they must not.
fn reservations(findings: &Validation) -> impl Iterator<Item = String> {
    let no_one = "No search on one processor was measured on both machines. ";
    let no_many = "Searches on several processors could not be compared: that needs at least two processors which this \
                   process may use. ";
    let other_trees = match findings.one_processor {
        Some(OneProcessor { other_trees: other @ 1.., pairs, .. }) => Some(format!(
            "{other} of {pairs} searches had another tree on the virtual machine than on the real one, which is an \
             error of the program."
        )),
        _ => None,
    };
    let no_one = findings.one_processor.is_none().then(|| no_one.to_owned());
    let no_many = findings.many_processors.is_empty().then(|| no_many.to_owned());
    [no_one, no_many, other_trees].into_iter().flatten()
}

/// Chart of virtual by real time speedup, strategy by strategy.
pub(super) fn strategies_chart(validated: &Validated) -> Option<Sheet> {
    let row =
        |many: &ManyProcessors| (format!("{} on {}", many.strategy, many.threads), 0, many.time_speedup.difference);
    let rows: Vec<_> = validated.findings.many_processors.iter().map(row).collect();
    RatioChart {
        title: "Virtual / real time speedup",
        subtitle: "each strategy, at positions that the costs were not fitted to".to_owned(),
        caption: "At 1, the virtual machine predicts the real time speedup; right of 1 it is too optimistic, left of 1 \
                  too pessimistic.",
        bars: "Bars: 95 % intervals for positions like these.",
        axis: "virtual / real time speedup",
        kinds: &["time speedup"],
        panels: vec![(String::new(), rows)],
        ..RatioChart::default()
    }
    .sheet()
}

/// Chart of virtual by real time at each position.
pub(super) fn chart(validated: &Validated) -> Option<Sheet> {
    let one = validated.findings.one_processor.as_ref()?;
    let of_each = one.positions.iter().take(validated.measurements.size.positions);
    let of_each = of_each.map(|row| (row.id.as_str(), row.ratio, row.by_processor_time));
    let ratios = of_each
        .chain([("all positions", one.ratio, one.by_processor_time)])
        .flat_map(|(name, time, processor_time)| [(name.to_owned(), 0, time), (name.to_owned(), 1, processor_time)]);
    RatioChart {
        title: "Virtual / real time on one processor",
        subtitle: "positions that the costs were not fitted to".to_owned(),
        caption: "At 1, the virtual machine predicts the real time; right of 1 it is too slow, left of \
                  1 too fast.",
        bars: "Bars: 95 % intervals; of one position for searching it again, of all positions for positions like \
               these.",
        axis: "virtual / real time",
        kinds: &["real time", "real processor time"],
        panels: vec![(String::new(), ratios.collect())],
        ..RatioChart::default()
    }
    .sheet()
}
