//! Real and virtual processors side by side: what was compared is one table, and a sentence or two.

use super::searches::{ManyProcessors, OneProcessor, SideBySide};
use super::verdict::{Judgement, Verdict};
use super::{Validated, Validation};
use crate::charts::{RatioChart, Sheet};
use crate::distinct::distinct;
use crate::record::SEQUENTIAL;
use crate::sentence::Sentence;
use crate::statistics::Interval;
use crate::table::number::{counted, figure, fixed, interval, listed};
use crate::table::{Cell as Shown, Columns, Table, columns};

/// Function that writes a figure.
type Written = fn(f64) -> String;

/// Row of the table.
struct Compared<'a> {
    what: &'static str,
    /// Strategy, if several processors share the search.
    strategy: Option<&'a str>,
    processors: u32,
    /// Figure on either machine, if it has one by itself.
    sides: Option<[String; 2]>,
    difference: Interval,
    is_ratio: bool,
    judgement: Judgement,
}

/// All that was compared with a margin that was set before.
fn compared(of: &Validation) -> Vec<Compared<'_>> {
    let time = |what, difference, judgement| {
        let (strategy, sides) = (None, None);
        Compared { what, strategy, processors: 1, sides, difference, is_ratio: true, judgement }
    };
    let times = of.one_processor.iter().flat_map(|one| {
        [
            time("time", one.ratio, one.judgement),
            time("processor time", one.by_processor_time, one.by_processor_time_judgement),
        ]
    });
    let figures = of.many_processors.iter().flat_map(|many| {
        let figures: [(_, &SideBySide, Written); 2] =
            [("time speedup", &many.time_speedup, figure), ("relative nodes", &many.node_ratio, |it| fixed(it, 3))];
        figures.into_iter().filter_map(|(what, both, shown)| {
            let SideBySide { real, simulated, difference, is_ratio, judgement } = *both;
            let sides = Some([real, simulated].map(|side| shown(side.estimate)));
            let (strategy, processors) = (Some(many.strategy.as_str()), many.threads);
            Some(Compared { what, strategy, processors, sides, difference, is_ratio, judgement: judgement? })
        })
    });
    times.chain(figures).collect()
}

/// A difference between the machines: a ratio, or points.
fn shown_difference(difference: Interval, is_ratio: bool) -> Shown {
    match is_ratio {
        true => Shown::from(difference),
        false => format!("{} points", interval(&difference.map(|share| share * 100.0))).into(),
    }
}

/// All that was compared, as a table for terminal and page.
pub(super) fn table(of: &Validated) -> Table {
    let side = |place: usize| move |row: &Compared<'_>| row.sides.as_ref().map(|sides| sides[place].clone());
    Columns::new()
        .with("Strategy", "By which processors share a search", |row: &Compared<'_>| {
            row.strategy.unwrap_or(SEQUENTIAL).to_owned()
        })
        .with("What", "Of several processors nodes are relative to those of one", |row| row.what)
        .with("Processors", "On both machines", |row| row.processors)
        .with("Real", "On this computer", side(0))
        .with("Virtual", "On the virtual machine; times are virtual", side(1))
        .with("Virtual / real", "Ratio, or difference in points", |row| shown_difference(row.difference, row.is_ratio))
        .with("Margin", "Set before the measurement", |row| row.judgement.margin(row.is_ratio))
        .with("Verdict", "By two one-sided tests at 5 %", |row| row.judgement.verdict.name())
        .table("", "", compared(&of.findings))
}

/// Figures that a time speedup is made of, strategy by strategy: where the machines are apart.
pub(super) fn parts_table(of: &Validated) -> Table {
    let part = |figure: fn(&ManyProcessors) -> Option<&SideBySide>| {
        move |many: &&ManyProcessors| figure(many).map(|both| shown_difference(both.difference, both.is_ratio))
    };
    Columns::new()
        .with("Strategy", "By which several processors share a search", |many: &&ManyProcessors| many.strategy.clone())
        .with("Processors", "On both machines", |many| many.threads)
        .with("Time of a node", "Time that a processor works on it, relative to one processor alone; virtual / real", {
            part(|many| many.node_time.as_ref())
        })
        .with("Nodes", "Relative to one processor; virtual less real", part(|many| Some(&many.node_ratio)))
        .with("Idle", "Share of time; virtual less real", part(|many| many.idle_share.as_ref()))
        .with("Waiting", "Share of time; virtual less real", part(|many| many.wait_share.as_ref()))
        .with("Splitting", "Share of time, with locks; virtual less real", part(|many| many.split_share.as_ref()))
        .with("Splits", "Number per search; virtual / real", part(|many| many.splits.as_ref()))
        .with("Stop latency", "Virtual / real", part(|many| many.stop_ns.as_ref()))
        .table("", "", of.findings.many_processors.iter())
}

/// Figures of each strategy, for the file.
pub(super) fn file(of: &Validated) -> Table {
    let difference = |both: Option<&SideBySide>| both.map(|both| both.difference);
    let columns = columns! { &ManyProcessors, many;
        "strategy": "strategy by which several processors share a search" => many.strategy.clone();
        "threads": "number of processors, real and virtual" => many.threads;
        "pairs": "number of pairs of searches that are compared" => many.pairs;
        "time_speedup_real" [with_ends]: "time speedup of real processors" => many.time_speedup.real;
        "time_speedup_virtual" [with_ends]: "time speedup of virtual processors" => many.time_speedup.simulated;
        "time_speedup_ratio" [with_ends]: "virtual by real time speedup" => many.time_speedup.difference;
        "time_speedup_verdict": "whether that is 1 but for the margin" =>
            many.time_speedup.judgement.map(|it| it.verdict.name());
        "nodes_real" [with_ends]: "nodes of real processors, relative to one" => many.node_ratio.real;
        "nodes_virtual" [with_ends]: "nodes of virtual processors, relative to one" => many.node_ratio.simulated;
        "nodes_difference" [with_ends]: "virtual less real" => many.node_ratio.difference;
        "nodes_verdict": "whether that is nothing but for the margin" =>
            many.node_ratio.judgement.map(|it| it.verdict.name());
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
    columns.table("", "", &of.findings.many_processors)
}

/// What is shown of all that was compared, verdict by verdict.
pub(super) fn sentence(of: &Validated) -> Sentence {
    let rows = compared(&of.findings);
    let mut text = String::new();
    for verdict in Verdict::ALL {
        let meant: Vec<&Compared<'_>> = rows.iter().filter(|row| row.judgement.verdict == *verdict).collect();
        let claim = |(what, margin, processors): (&str, String, u32)| {
            let same = meant.iter().filter(|row| (row.what, row.processors) == (what, processors));
            let strategies: Vec<String> = same.filter_map(|row| row.strategy).map(str::to_owned).collect();
            let of = if strategies.is_empty() { String::new() } else { format!(" of {}", listed(&strategies)) };
            format!("{what}{of} on {} ({margin})", counted(processors, "processor", "processors"))
        };
        let kinds = distinct(meant.iter().map(|row| (row.what, row.judgement.margin(row.is_ratio), row.processors)));
        let claims: Vec<String> = kinds.into_iter().map(claim).collect();
        if !claims.is_empty() {
            text += &format!("{}: {}. ", verdict.lead(), claims.join(", "));
        }
    }
    if of.findings.one_processor.is_none() {
        text += "No search on one processor was measured on both machines. ";
    }
    if of.findings.many_processors.is_empty() {
        text += "Searches on several processors could not be compared: that needs at least two processors which this \
                 process may use. ";
    }
    if let Some(OneProcessor { other_trees: other @ 1.., pairs, .. }) = of.findings.one_processor {
        text += &format!(
            "{other} of {pairs} searches had another tree on the virtual machine than on the real one, which is an \
             error of the program."
        );
    }
    let by: Vec<Judgement> = rows.iter().map(|row| row.judgement).collect();
    Sentence::stated(text.trim_end(), &by)
}

/// Chart of virtual by real time speedup, strategy by strategy.
pub(super) fn strategies_chart(of: &Validated) -> Option<Sheet> {
    let row =
        |many: &ManyProcessors| (format!("{} on {}", many.strategy, many.threads), 0, many.time_speedup.difference);
    let rows: Vec<_> = of.findings.many_processors.iter().map(row).collect();
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
pub(super) fn chart(of: &Validated) -> Option<Sheet> {
    let one = of.findings.one_processor.as_ref()?;
    let of_each = one.positions.iter().take(of.measurements.size.positions);
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
