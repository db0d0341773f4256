//! The validation in words: the table of what was compared, and what it says in sentences.

use super::agreement::{NODES_MARGIN, OneProcessor, SPEEDUP_MARGIN, SideBySide, TIME_MARGIN};
use super::verdict::Verdict;
use super::{CostEffect, Trust, Validation};
use crate::distinct::distinct;
use crate::statistics::Interval;
use crate::table::number::{counted, estimate, figure, fixed, interval, percent, set_hundredths, set_percent};
use crate::table::{Cell, Columns, Table};

/// Number of changed costs that are named in a sentence; the table has all.
const MOST_NAMED: usize = 6;

/// Function that writes a figure.
type Shown = fn(f64) -> String;

/// Row of the table of what was compared.
struct Compared {
    what: String,
    /// Figures on real and on virtual processors.
    sides: Option<[String; 2]>,
    difference: Cell,
    margin: Option<String>,
    verdict: Option<Verdict>,
}

impl Compared {
    fn of(what: impl Into<String>, both: &SideBySide, shown: Shown, margin: Option<String>) -> Self {
        let points = both.difference.map(|share| share * 100.0);
        Self {
            what: what.into(),
            sides: Some([both.real, both.simulated].map(|side| shown(side.estimate))),
            difference: if both.is_ratio {
                both.difference.into()
            } else {
                format!("{} points", interval(&points)).into()
            },
            margin,
            verdict: both.judgement.map(|judgement| judgement.verdict),
        }
    }
}

/// All that was compared, as a table for terminal and page.
pub(super) fn compared(validation: &Validation) -> Table {
    let mut rows = Vec::new();
    if let Some(one) = &validation.one_processor {
        let row = |what: &str, ratio: Interval, verdict: Verdict| Compared {
            what: what.to_owned(),
            sides: None,
            difference: ratio.into(),
            margin: Some(set_percent(TIME_MARGIN)),
            verdict: Some(verdict),
        };
        rows.push(row("time, 1 processor", one.ratio, one.judgement.verdict));
        let verdict = one.by_processor_time_judgement.verdict;
        rows.push(row("  by processor time", one.by_processor_time, verdict));
    }
    for many in &validation.many_processors {
        let speedup = format!("time speedup, {} processors", many.threads);
        rows.push(Compared::of(speedup, &many.time_speedup, figure, Some(set_percent(SPEEDUP_MARGIN))));
        let three = |ratio| fixed(ratio, 3);
        rows.push(Compared::of(
            "  nodes relative to one processor",
            &many.node_ratio,
            three,
            Some(points(NODES_MARGIN)),
        ));
        let unjudged: [(_, _, Shown); 3] = [
            ("  splits per search", &many.splits, figure),
            ("  idle share of time", &many.idle_share, percent),
            ("  stop latency, µs", &many.stop_ns, |ns| fixed(ns / 1e3, 2)),
        ];
        rows.extend(
            unjudged
                .into_iter()
                .filter_map(|(what, both, shown)| Some(Compared::of(what, both.as_ref()?, shown, None))),
        );
    }
    Columns::new()
        .with("What", "", |row: &Compared| row.what.clone())
        .with("Real", "On this computer", |row| Some(row.sides.as_ref()?[0].clone()))
        .with("Virtual", "On the virtual machine; times are virtual", |row| Some(row.sides.as_ref()?[1].clone()))
        .with("Virtual / real", "Ratio, or difference in points", |row| row.difference.clone())
        .with("Margin", "Set before the measurement", |row| row.margin.clone())
        .with("Verdict", "By two one-sided tests at 5 %", |row| row.verdict.map(Verdict::name))
        .table("", "", rows)
}

/// Sentence on one processor.
pub(super) fn of_one(one: Option<&OneProcessor>) -> String {
    let Some(one) = one else {
        return "No search on one processor was measured on both machines.".to_owned();
    };
    let margin = set_percent(TIME_MARGIN);
    let mut text = format!(
        "On one processor, virtual time is {} times real time at {} that the costs were not fitted to: {}.",
        interval(&one.ratio),
        counted(one.positions.len(), "position", "positions"),
        in_words(one.judgement.verdict, &margin)
    );
    if one.by_processor_time_judgement.verdict != one.judgement.verdict {
        text += &format!(
            " Relative to the processor time that the searches really had, without what other programs took, it is {} \
             times as long: {}.",
            interval(&one.by_processor_time),
            in_words(one.by_processor_time_judgement.verdict, &margin)
        );
    }
    if one.other_trees > 0 {
        text += &format!(
            " {} of {} searches had another tree on the virtual machine than on the real one, which is an error of the \
             program.",
            one.other_trees, one.pairs
        );
    }
    text
}

/// Sentence on several processors.
pub(super) fn of_many(validation: &Validation) -> String {
    if validation.many_processors.is_empty() {
        return "Searches on several processors could not be compared: that needs at least two processors which this \
                process may use."
            .to_owned();
    }
    let of = |many: &super::ManyProcessors| {
        let verdict = |both: &SideBySide, margin: &str| {
            both.judgement.map_or_else(String::new, |judgement| in_words(judgement.verdict, margin))
        };
        let nodes = &many.node_ratio;
        format!(
            "On {} processors, the time speedup is {} real and {} virtual: {}. Nodes relative to one processor are {} \
             real and {} virtual: {}.",
            many.threads,
            figure(many.time_speedup.real.estimate),
            figure(many.time_speedup.simulated.estimate),
            verdict(&many.time_speedup, &set_percent(SPEEDUP_MARGIN)),
            fixed(nodes.real.estimate, 3),
            fixed(nodes.simulated.estimate, 3),
            verdict(nodes, &points(NODES_MARGIN))
        )
    };
    validation.many_processors.iter().map(of).collect::<Vec<_>>().join(" ")
}

/// Sentence on changed costs; nothing if none was.
pub(super) fn of_costs(effects: &[CostEffect]) -> Option<String> {
    effects.first()?;
    let margin = set_percent(SPEEDUP_MARGIN);
    let numbers = distinct(effects.iter().map(|effect| effect.threads.to_string()));
    let count = |verdict| effects.iter().filter(|effect| effect.judgement.verdict == verdict).count();
    let within = count(Verdict::ShownWithin);
    let mut text = format!(
        "Each cost was halved and doubled on {} virtual processors. Of {} such changes, {within} {} shown to change \
         the time speedup by less than {margin} (not at all: {}) and {} by more; for {}, neither is shown.",
        numbers.join(" and "),
        effects.len(),
        if within == 1 { "is" } else { "are" },
        effects.iter().filter(|effect| effect.is_nothing()).count(),
        count(Verdict::ShownOutside),
        count(Verdict::NotShown)
    );
    let shown: Vec<&CostEffect> = effects.iter().filter(|effect| effect.is_shown()).collect();
    if !shown.is_empty() {
        text += &format!(" The time speedup depends on {}.", named(&shown));
    }
    let changed: Vec<&CostEffect> = effects.iter().filter(|effect| effect.changes_verdict()).collect();
    if !changed.is_empty() {
        text += &format!(
            " At the positions compared, the verdict on agreement of the time speedup with real processors changes \
             with {}.",
            named(&changed)
        );
    } else if effects.iter().any(|effect| effect.agreement.is_some()) {
        text += " At the positions compared, no change of a cost changes the verdict on agreement of the time speedup \
                 with real processors.";
    }
    Some(text)
}

fn named(effects: &[&CostEffect]) -> String {
    let name =
        |effect: &&CostEffect| format!("{} at {} (x {})", effect.name(), effect.threads, estimate(&effect.ratio));
    let mut names: Vec<String> = effects.iter().take(MOST_NAMED).map(name).collect();
    if effects.len() > MOST_NAMED {
        names.push(format!("{} more", effects.len() - MOST_NAMED));
    }
    names.join(", ")
}

/// Sentences on what the records are worth.
pub(super) fn of_trust(trust: &Trust) -> String {
    let mut sentences = Vec::new();
    if trust.disturbed > 0 {
        sentences.push(format!(
            "The computer was not quiet: of {}, {} {} disturbed by other programs. Real times contain that \
             disturbance, so that a difference need not be the model's fault.",
            counted(trust.real, "real search", "real searches"),
            trust.disturbed,
            if trust.disturbed == 1 { "was" } else { "were" }
        ));
    }
    if let Some(first) = trust.failed.first() {
        sentences.push(format!("{} failed; the first: {first}.", counted(trust.failed.len(), "search", "searches")));
    }
    if sentences.is_empty() { "No search was disturbed, and none failed.".to_owned() } else { sentences.join(" ") }
}

fn in_words(verdict: Verdict, margin: &str) -> String {
    match verdict {
        Verdict::ShownWithin => format!("they are shown to be equal within {margin}"),
        Verdict::NotShown => format!("neither equality within {margin} nor a larger difference is shown"),
        Verdict::ShownOutside => format!("they are shown to differ by more than {margin}"),
    }
}

/// Points of a hundred that somebody set: `3 points`.
fn points(share: f64) -> String {
    format!("{} points", set_hundredths(share))
}
