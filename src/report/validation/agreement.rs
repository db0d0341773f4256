//! Real and virtual processors side by side: what was compared is one table, and a sentence or two.

use super::searches::{OneProcessor, SideBySide};
use super::verdict::{Judgement, Verdict};
use super::{Validated, Validation};
use crate::charts::{RatioChart, Sheet};
use crate::sentence::Sentence;
use crate::statistics::Interval;
use crate::table::number::{counted, figure, fixed, interval, percent};
use crate::table::{Cell as Shown, Columns, Table};

/// Function that writes a figure.
type Written = fn(f64) -> String;

/// Row of the table.
struct Compared {
    what: &'static str,
    processors: u32,
    /// Figure on either machine, if it has one by itself.
    sides: Option<[String; 2]>,
    difference: Interval,
    is_ratio: bool,
    judgement: Option<Judgement>,
}

/// All that was compared.
fn compared(of: &Validation) -> Vec<Compared> {
    let time = |what, difference, judgement: Judgement| {
        let judgement = Some(judgement);
        Compared { what, processors: 1, sides: None, difference, is_ratio: true, judgement }
    };
    let times = of.one_processor.iter().flat_map(|one| {
        [
            time("time", one.ratio, one.judgement),
            time("processor time", one.by_processor_time, one.by_processor_time_judgement),
        ]
    });
    let figures = of.many_processors.iter().flat_map(|many| {
        let figures: [(_, Option<&SideBySide>, Written); 5] = [
            ("time speedup", Some(&many.time_speedup), figure),
            ("relative nodes", Some(&many.node_ratio), |ratio| fixed(ratio, 3)),
            ("splits per search", many.splits.as_ref(), figure),
            ("idle share of time", many.idle_share.as_ref(), percent),
            ("stop latency, µs", many.stop_ns.as_ref(), |ns| fixed(ns / 1e3, 2)),
        ];
        figures.into_iter().filter_map(|(what, both, shown)| {
            let SideBySide { real, simulated, difference, is_ratio, judgement } = *both?;
            let sides = Some([real, simulated].map(|side| shown(side.estimate)));
            Some(Compared { what, processors: many.threads, sides, difference, is_ratio, judgement })
        })
    });
    times.chain(figures).collect()
}

/// All that was compared, as a table for terminal and page.
pub(super) fn table(of: &Validated) -> Table {
    let difference = |row: &Compared| match row.is_ratio {
        true => Shown::from(row.difference),
        false => format!("{} points", interval(&row.difference.map(|share| share * 100.0))).into(),
    };
    let side = |place: usize| move |row: &Compared| row.sides.as_ref().map(|sides| sides[place].clone());
    Columns::new()
        .with("What", "Of several processors nodes are relative to those of one", |row: &Compared| row.what)
        .with("Processors", "On both machines", |row| row.processors)
        .with("Real", "On this computer", side(0))
        .with("Virtual", "On the virtual machine; times are virtual", side(1))
        .with("Virtual / real", "Ratio, or difference in points", difference)
        .with("Margin", "Set before the measurement", |row| row.judgement.map(|it| it.margin(row.is_ratio)))
        .with("Verdict", "By two one-sided tests at 5 %", |row| row.judgement.map(|it| it.verdict.name()))
        .table("", "", compared(&of.findings))
}

/// Sentence on all that was compared, verdict by verdict.
pub(super) fn sentence(of: &Validated) -> Sentence {
    let rows = compared(&of.findings);
    let mut text = String::new();
    for verdict in Verdict::ALL {
        let meant = rows.iter().filter_map(|row| Some((row, row.judgement.filter(|it| it.verdict == *verdict)?)));
        let claim = |(row, judgement): (&Compared, Judgement)| {
            let processors = counted(row.processors, "processor", "processors");
            format!("{} on {processors} ({})", row.what, judgement.margin(row.is_ratio))
        };
        let claims: Vec<String> = meant.map(claim).collect();
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
    let by: Vec<Judgement> = rows.iter().filter_map(|row| row.judgement).collect();
    Sentence::stated(text.trim_end(), &by)
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
