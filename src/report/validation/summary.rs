//! The validation in words: a table for the terminal, and what it says in sentences, for terminal and page.

use super::agreement::{NODES_MARGIN, OneProcessor, SPEEDUP_MARGIN, SideBySide, TIME_MARGIN};
use super::verdict::Verdict;
use super::{CostEffect, Trust, Validation};
use crate::report::page::numbers::{counted, estimate, figure, fixed, is_known, range};
use crate::statistics::Interval;

/// So many changed costs are named in a sentence; the table has all.
const MOST_NAMED: usize = 6;

/// A row of the table of what was compared.
pub struct Compared {
    /// What was compared.
    pub what: String,
    /// On real processors.
    pub real: String,
    /// On virtual ones.
    pub simulated: String,
    /// How far they are apart.
    pub difference: String,
    /// Its interval.
    pub interval: String,
    /// By how much they may be.
    pub margin: String,
    /// What has been shown.
    pub verdict: String,
}

/// All that was compared.
pub fn compared(validation: &Validation) -> Vec<Compared> {
    let mut rows = Vec::new();
    if let Some(one) = &validation.one_processor {
        let row = |what: &str, ratio: &Interval, verdict: Verdict| Compared {
            what: what.to_owned(),
            real: String::new(),
            simulated: String::new(),
            difference: format!("x {}", estimate(ratio)),
            interval: range(ratio).unwrap_or_default(),
            margin: percent(TIME_MARGIN),
            verdict: verdict.name().to_owned(),
        };
        rows.push(row("time, 1 processor", &one.ratio, one.judgement.verdict));
        let verdict = one.by_processor_time_judgement.verdict;
        rows.push(row("the same, by processor time", &one.by_processor_time, verdict));
    }
    for many in &validation.many_processors {
        let speedup = format!("time speedup, {} processors", many.threads);
        rows.push(row(&speedup, &many.time_speedup, &figure, &percent(SPEEDUP_MARGIN)));
        rows.push(row("  nodes by those of one", &many.node_ratio, &|ratio| fixed(ratio, 3), &points(NODES_MARGIN)));
        let mut side_by_side = |what: &str, both: &Option<SideBySide>, shown: &dyn Fn(f64) -> String| {
            rows.extend(both.as_ref().map(|both| row(what, both, shown, "")));
        };
        side_by_side("  splits made in a search", &many.splits, &figure);
        side_by_side("  idle share of time", &many.idle_share, &|share| format!("{} %", fixed(share * 100.0, 1)));
        side_by_side("  stop latency, us", &many.stop_ns, &|ns| fixed(ns / 1e3, 2));
    }
    rows
}

fn row(what: &str, both: &SideBySide, shown: &dyn Fn(f64) -> String, margin: &str) -> Compared {
    let (difference, interval) = if both.is_ratio {
        (format!("x {}", estimate(&both.difference)), range(&both.difference).unwrap_or_default())
    } else {
        let points = |share: f64| fixed(share * 100.0, 1);
        let Interval { estimate, low, high } = both.difference;
        let interval =
            if is_known(&both.difference) { format!("{} to {}", points(low), points(high)) } else { String::new() };
        (format!("{} points", points(estimate)), interval)
    };
    Compared {
        what: what.to_owned(),
        real: shown(both.real.estimate),
        simulated: shown(both.simulated.estimate),
        difference,
        interval,
        margin: margin.to_owned(),
        verdict: both.judgement.map_or_else(String::new, |judgement| judgement.verdict.name().to_owned()),
    }
}

/// The table and the sentences, for a terminal.
pub fn summary(validation: &Validation) -> String {
    let headings = ["", "real", "virtual", "virtual/real", "95 % interval", "margin", "verdict"];
    let mut rows = vec![headings.map(str::to_owned)];
    rows.extend(
        compared(validation)
            .into_iter()
            .map(|row| [row.what, row.real, row.simulated, row.difference, row.interval, row.margin, row.verdict]),
    );
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..headings.len()).map(width).collect();
    let line = |row: &[String; 7]| {
        let entries = row.iter().zip(&widths).enumerate().map(|(column, (entry, width))| match column {
            1 | 2 => format!("{entry:>width$}"),
            _ => format!("{entry:<width$}"),
        });
        entries.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    let table: Vec<String> = rows.iter().map(line).collect();
    format!("{}\n\n{}\n", table.join("\n"), wrapped(&paragraphs(validation)))
}

/// What it says, a paragraph each.
pub fn paragraphs(validation: &Validation) -> Vec<String> {
    let mut paragraphs = vec![of_one(validation.one_processor.as_ref())];
    paragraphs.push(of_many(validation));
    paragraphs.extend(of_trust(&validation.trust));
    paragraphs.extend(of_costs(&validation.costs));
    paragraphs
}

fn of_one(one: Option<&OneProcessor>) -> String {
    let Some(one) = one else {
        return "No search of one processor was measured on both machines.".to_owned();
    };
    let margin = percent(TIME_MARGIN);
    let mut text = format!(
        "On one processor virtual time is {} times real time at {} that the costs were not fitted to: {}.",
        with_interval(&one.ratio),
        counted(one.positions.len() as u64, "position", "positions"),
        in_words(one.judgement.verdict, &margin)
    );
    if one.by_processor_time_judgement.verdict != one.judgement.verdict {
        text += &format!(
            " Against the processor time that the searches really had, which leaves out what other programs took, it is {} \
             times: {}.",
            with_interval(&one.by_processor_time),
            in_words(one.by_processor_time_judgement.verdict, &margin)
        );
    }
    if one.other_trees > 0 {
        text += &format!(
            " {} of {} searches found another tree on the virtual machine, which is an error of the program.",
            one.other_trees, one.pairs
        );
    }
    text
}

fn of_many(validation: &Validation) -> String {
    if validation.many_processors.is_empty() {
        return "Several processors could not be compared: that needs two at least which this process may use."
            .to_owned();
    }
    let of = |many: &super::ManyProcessors| {
        let verdict = |both: &SideBySide, margin: &str| {
            both.judgement.map_or_else(String::new, |judgement| in_words(judgement.verdict, margin))
        };
        let nodes = &many.node_ratio;
        format!(
            "On {} processors the time speedup is {} real and {} virtual: {}. Nodes are {} times those of one processor, \
             real, and {} times, virtual: {}.",
            many.threads,
            figure(many.time_speedup.real.estimate),
            figure(many.time_speedup.simulated.estimate),
            verdict(&many.time_speedup, &percent(SPEEDUP_MARGIN)),
            fixed(nodes.real.estimate, 3),
            fixed(nodes.simulated.estimate, 3),
            verdict(nodes, &points(NODES_MARGIN))
        )
    };
    validation.many_processors.iter().map(of).collect::<Vec<_>>().join(" ")
}

fn of_costs(effects: &[CostEffect]) -> Option<String> {
    effects.first()?;
    let margin = percent(SPEEDUP_MARGIN);
    let mut numbers: Vec<String> = Vec::new();
    for effect in effects {
        let number = effect.threads.to_string();
        if !numbers.contains(&number) {
            numbers.push(number);
        }
    }
    let count = |verdict| effects.iter().filter(|effect| effect.judgement.verdict == verdict).count();
    let mut text = format!(
        "Each cost was halved and doubled on {} virtual processors. Of {} changes {} are shown to change the time speedup by \
         less than {margin} ({} do not change it at all), {} by more; for {} there were too few searches to tell.",
        numbers.join(" and "),
        effects.len(),
        count(Verdict::ShownWithin),
        effects.iter().filter(|effect| effect.is_nothing()).count(),
        count(Verdict::ShownOutside),
        count(Verdict::NotShown)
    );
    let shown: Vec<&CostEffect> = effects.iter().filter(|effect| effect.is_shown()).collect();
    if !shown.is_empty() {
        text += &format!(" The speedup depends on {}.", named(&shown));
    }
    let changed: Vec<&CostEffect> = effects.iter().filter(|effect| effect.changes_verdict()).collect();
    if !changed.is_empty() {
        text += &format!(
            " At those positions the verdict on the speedup's agreement with real processors becomes another one with {}.",
            named(&changed)
        );
    } else if effects.iter().any(|effect| effect.agreement.is_some()) {
        text += " No change makes another verdict on the speedup's agreement with real processors at those positions.";
    }
    Some(text)
}

fn named(effects: &[&CostEffect]) -> String {
    let name = |effect: &&CostEffect| {
        let change = if effect.is_doubled { "doubled" } else { "halved" };
        format!("{} {change} at {} (x {})", effect.cost.replace('_', " "), effect.threads, estimate(&effect.ratio))
    };
    let mut names: Vec<String> = effects.iter().take(MOST_NAMED).map(name).collect();
    if effects.len() > MOST_NAMED {
        names.push(format!("{} more", effects.len() - MOST_NAMED));
    }
    names.join(", ")
}

fn of_trust(trust: &Trust) -> Option<String> {
    let mut sentences = Vec::new();
    if trust.disturbed > 0 {
        sentences.push(format!(
            "The computer was not quiet: of {} {} were disturbed by other programs. Real times are about those too, so that a \
             difference need not be the model's.",
            counted(trust.real as u64, "real search", "real searches"),
            trust.disturbed
        ));
    }
    if let Some(first) = trust.failed.first() {
        sentences
            .push(format!("{} failed; the first: {first}.", counted(trust.failed.len() as u64, "search", "searches")));
    }
    (!sentences.is_empty()).then(|| sentences.join(" "))
}

fn in_words(verdict: Verdict, margin: &str) -> String {
    match verdict {
        Verdict::ShownWithin => format!("they are shown to be equal within {margin}"),
        Verdict::NotShown => format!("equality within {margin} is not shown, nor a larger difference"),
        Verdict::ShownOutside => format!("they are shown to differ by more than {margin}"),
    }
}

fn with_interval(interval: &Interval) -> String {
    match range(interval) {
        Some(range) => format!("{} ({range})", estimate(interval)),
        None => format!("{} (no interval)", estimate(interval)),
    }
}

fn percent(share: f64) -> String {
    format!("{} %", figure(share * 100.0).trim_end_matches('0').trim_end_matches('.'))
}

fn points(share: f64) -> String {
    format!("{} points", figure(share * 100.0).trim_end_matches('0').trim_end_matches('.'))
}

/// Paragraphs in lines that read well in a terminal.
fn wrapped(paragraphs: &[String]) -> String {
    const WIDTH: usize = 100;
    let wrap = |paragraph: &String| {
        let mut lines: Vec<String> = Vec::new();
        for word in paragraph.split_whitespace() {
            match lines.last_mut() {
                Some(line) if line.chars().count() + 1 + word.chars().count() <= WIDTH => {
                    line.push(' ');
                    line.push_str(word);
                }
                _ => lines.push(word.to_owned()),
            }
        }
        lines.join("\n")
    };
    paragraphs.iter().map(wrap).collect::<Vec<_>>().join("\n\n")
}
