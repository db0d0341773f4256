//! `summary.md`: an experiment's tables for a paper, with the definitions that a reader needs to judge them.

use crate::record::{Baseline, MachineKind};
use crate::report::analysis::{Analysis, Curve, Group};

use super::numbers::{UNKNOWN, probability, ratio_digits, rounded, with_interval};

/// The summary. `answer` is the answer to the experiment's question in a paragraph.
pub fn summary_md(analysis: &Analysis, answer: &str) -> String {
    let description = &analysis.description;
    let mut sections = vec![format!("# {}", description.title)];
    sections.extend([&description.question, answer].into_iter().filter(|text| !text.is_empty()).map(str::to_owned));
    sections.extend(thesis(analysis));
    sections.extend(speedups(analysis));
    sections.extend(comparisons(analysis));
    sections.extend(effects(analysis));
    sections.push(format!("## Notes\n\n{}", notes(analysis).join("\n")));
    if !description.command.is_empty() {
        sections.push(format!("Made by splitpoint {} with `{}`.", description.version, description.command));
    }
    format!("{}\n", sections.join("\n\n"))
}

/// A Markdown table. The first `text` columns are words, the others numbers.
fn table(headings: &[&str], text: usize, rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let line = |cells: Vec<String>| format!("| {} |", cells.join(" | "));
    let rule = (0..headings.len()).map(|at| if at < text { "---" } else { "---:" });
    let mut lines = vec![line(headings.iter().map(|&heading| heading.to_owned()).collect())];
    lines.push(format!("|{}|", rule.collect::<Vec<_>>().join("|")));
    lines.extend(rows.into_iter().map(|row| line(row.iter().map(|cell| escaped(cell)).collect())));
    lines.join("\n")
}

/// Words from a file must not end a cell.
fn escaped(cell: &str) -> String {
    cell.replace('|', "\\|").replace('\n', " ")
}

fn groups<'a>(analysis: &'a Analysis, curve: &'a Curve) -> impl Iterator<Item = &'a Group> {
    curve.groups.iter().map(|&at| &analysis.groups[at])
}

/// The unit of time on the machine of a curve.
fn unit(analysis: &Analysis, curve: &Curve) -> &'static str {
    let is_virtual = groups(analysis, curve).any(|group| group.configuration.machine == MachineKind::Virtual);
    if is_virtual { "vs" } else { "s" }
}

fn thesis(analysis: &Analysis) -> Vec<String> {
    if analysis.curves.is_empty() {
        return Vec::new();
    }
    let mut sections = vec![
        "## By the definitions of the thesis\n\nArithmetic means over positions. Speedup is a ratio of nodes a second, not \
         of times."
            .to_owned(),
    ];
    for curve in &analysis.curves {
        let unit = unit(analysis, curve);
        let (nps, time) = (format!("NPS (nodes/{unit})"), format!("Time ({unit})"));
        let headings = ["CPUs", &nps, "Speedup", "Nodes", &time, "Hash %", "Order %", "Qn %"];
        let row = |group: &Group| {
            let thesis = &group.thesis;
            vec![
                group.configuration.threads.to_string(),
                rounded(thesis.nps, 1),
                thesis.nps_speedup.map_or(UNKNOWN.to_owned(), |speedup| rounded(speedup, 3)),
                rounded(thesis.nodes, 1),
                rounded(thesis.time_s, 3),
                rounded(thesis.hash_pct, 1),
                rounded(thesis.order_pct, 1),
                rounded(thesis.qn_pct, 1),
            ]
        };
        sections.push(format!("### {}", curve.label));
        sections.push(table(&headings, 0, groups(analysis, curve).map(row)));
    }
    sections
}

fn speedups(analysis: &Analysis) -> Vec<String> {
    let headings =
        ["", "CPUs", "Time speedup", "Nodes", "NPS", "Utilisation", "Productive", "Rate", "Same move", "Runs"];
    let row = |(label, group): (&str, &Group)| {
        let ratios = group.against_baseline.as_ref()?;
        let factors = ratios.factors;
        Some(vec![
            label.to_owned(),
            group.configuration.threads.to_string(),
            with_interval(ratios.time_speedup),
            with_interval(ratios.nodes),
            with_interval(ratios.nps_speedup),
            ratio_digits(factors.utilisation),
            ratio_digits(factors.productive),
            ratio_digits(factors.rate),
            ratios.same_move.map_or(UNKNOWN.to_owned(), |share| format!("{} %", rounded(100.0 * share, 0))),
            group.runs.to_string(),
        ])
    };
    let labelled = |curve| groups(analysis, curve).map(|group| (group.label.as_str(), group));
    let rows: Vec<Vec<String>> = analysis.curves.iter().flat_map(labelled).filter_map(row).collect();
    if rows.is_empty() {
        return Vec::new();
    }
    let mut sections = vec![
        "## Relative to one processor\n\nGeometric means over positions, with 95 % intervals. Time speedup = CPUs x \
         utilisation x productive x rate / nodes."
            .to_owned(),
        table(&headings, 1, rows),
    ];
    let fit = |curve: &Curve| {
        let serial = curve.amdahl?.serial;
        Some(format!(
            "- {}: serial share by Amdahl's law {} (how well the law describes the curve)",
            curve.label,
            with_interval(serial)
        ))
    };
    let fits: Vec<String> = analysis.curves.iter().filter_map(fit).collect();
    sections.extend((!fits.is_empty()).then(|| fits.join("\n")));
    sections
}

fn comparisons(analysis: &Analysis) -> Vec<String> {
    if analysis.comparisons.is_empty() {
        return Vec::new();
    }
    let headings = ["Changed", "To", "From", "Machine", "CPUs", "Time", "p", "Nodes", "p", "Speedup"];
    let rows = analysis.comparisons.iter().map(|comparison| {
        let group = &analysis.groups[comparison.group];
        vec![
            comparison.field.clone(),
            comparison.change.clone(),
            comparison.from.clone(),
            group.configuration.machine.name().to_owned(),
            group.configuration.threads.to_string(),
            with_interval(comparison.time),
            probability(comparison.time_p),
            with_interval(comparison.nodes),
            probability(comparison.nodes_p),
            comparison.speedup.map(with_interval).unwrap_or_default(),
        ]
    });
    let lead = "## Relative to the reference\n\nRatios, paired by position and seed, with 95 % intervals. `p` is adjusted \
                for the number of comparisons (Holm); the intervals are not.";
    vec![lead.to_owned(), table(&headings, 4, rows)]
}

fn effects(analysis: &Analysis) -> Vec<String> {
    if analysis.effects.is_empty() {
        return Vec::new();
    }
    let headings = ["Switch", "Machine", "Not told from", "CPUs", "Time", "p", "Nodes", "p"];
    let rows = analysis.effects.iter().map(|effect| {
        vec![
            effect.factor.clone(),
            effect.machine.clone(),
            effect.aliases.join("; "),
            effect.threads.to_string(),
            with_interval(effect.time),
            probability(effect.time_p),
            with_interval(effect.nodes),
            probability(effect.nodes_p),
        ]
    });
    let lead = "## Effects of the switches\n\nOn relative to off, over all settings of the others, with 95 % intervals. `p` \
                is adjusted for the number of effects (Holm); the intervals are not.";
    vec![lead.to_owned(), table(&headings, 3, rows)]
}

fn notes(analysis: &Analysis) -> Vec<String> {
    let (description, quality) = (&analysis.description, &analysis.quality);
    let kind = description.interval.name();
    let mut notes = vec![format!(
        "- Intervals are for {kind}. `[-]`: not known, since nothing was repeated, or since the \
                                  positions cannot stand for others."
    )];
    if description.is_one_game {
        notes.push("- The positions come from one game: they do not stand for others.".to_owned());
    }
    notes.push(match description.baseline {
        Baseline::Seeds(seeds) => format!(
            "- The baseline of a position is the mean of {seeds} sequential searches with \
                                           different seeds."
        ),
        Baseline::One => {
            "- The baseline of a position is one sequential search, as in the thesis: one draw of many.".to_owned()
        }
        Baseline::None => "- The experiment adds no baseline of its own.".to_owned(),
    });
    if analysis.groups.iter().any(|group| group.configuration.machine == MachineKind::Virtual) {
        notes.push("- Virtual seconds (vs) are those of a cost model, not of a computer.".to_owned());
    }
    if quality.missing > 0 || !quality.failed.is_empty() {
        let failed = quality.failed.len();
        notes.push(format!("- Of {} cells {failed} failed and {} are missing.", quality.cells, quality.missing));
    }
    if let Some((part, of)) = description.shard {
        notes.push(format!("- This is part {part} of {of} of the plan: cells may be missing that others have."));
    }
    if quality.real > 0 {
        notes
            .push(format!("- Of {} measurements on real machines {} were disturbed.", quality.real, quality.disturbed));
    }
    notes
}
