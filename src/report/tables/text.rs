//! Tables for a terminal, in plain text of at most 100 columns: the thesis's table, ours beside the published one, and what
//! the time speedups are made of.

use crate::report::analysis::{Analysis, Curve, Group, ThesisRow};

use super::numbers::{UNKNOWN, fitted, ratio_digits, with_interval};

/// No line is longer.
const WIDTH: usize = 100;
/// The headings of the thesis's table, with the width of each column and the digits after the point where they fit.
const THESIS: [(&str, usize, usize); 7] = [
    ("kNPS", 7, 1),
    ("Speedup", 7, 3),
    ("MNodes", 6, 4),
    ("Time", 7, 3),
    ("Hash", 4, 1),
    ("Order", 5, 1),
    ("Qn", 4, 1),
];
/// Between the halves of that table.
const BESIDE: &str = " | ";

/// All curves as the thesis shows its own, each beside the published rows, which are found by their number of processors.
pub fn thesis_tables(analysis: &Analysis, published: &[(u32, ThesisRow)]) -> String {
    let tables: Vec<String> = analysis.curves.iter().map(|curve| thesis_table(analysis, curve, published)).collect();
    tables.join("\n")
}

/// One curve.
pub fn thesis_table(analysis: &Analysis, curve: &Curve, published: &[(u32, ThesisRow)]) -> String {
    let headings = THESIS.map(|(heading, width, _)| format!("{heading:>width$}")).join(" ");
    let half = headings.len();
    let beside = |ours: String, theirs: &dyn Fn() -> String| {
        if published.is_empty() { ours } else { format!("{ours}{BESIDE}{}", theirs()) }
    };
    let mut lines = vec![shortened(&curve.label)];
    if !published.is_empty() {
        lines.push(format!("{:4} {:^half$}{BESIDE}{:^half$}", "", "ours", "published"));
    }
    lines.push(beside(format!("CPUs {headings}"), &|| headings.clone()));
    for group in curve.groups.iter().map(|&at| &analysis.groups[at]) {
        let cpus = group.configuration.threads;
        let theirs = || published.iter().find(|(known, _)| *known == cpus).map(|(_, row)| row);
        let line = format!("{cpus:>4} {}", entries(Some(&group.thesis)));
        lines.push(beside(line, &|| entries(theirs())));
    }
    finished(&lines)
}

fn entries(row: Option<&ThesisRow>) -> String {
    let missing = f64::NAN;
    let values = row.map_or([missing; 7], |row| {
        let speedup = row.nps_speedup.unwrap_or(missing);
        [row.nps * 1e-3, speedup, row.nodes * 1e-6, row.time_s, row.hash_pct, row.order_pct, row.qn_pct]
    });
    let entry =
        |(value, (_, width, digits)): (f64, (&str, usize, usize))| format!("{:>width$}", fitted(value, width, digits));
    values.into_iter().zip(THESIS).map(entry).collect::<Vec<_>>().join(" ")
}

/// Time speedups with their intervals, and what they are made of.
pub fn speedup_table(analysis: &Analysis) -> String {
    let mut lines = Vec::new();
    for curve in &analysis.curves {
        let groups = || curve.groups.iter().map(|&at| &analysis.groups[at]);
        if groups().all(|group| group.against_baseline.is_none()) {
            continue;
        }
        lines.push(shortened(&curve.label));
        lines.push(format!(
            "CPUs {:>23} {:>23} {:>7} {:>11} {:>10} {:>7}",
            "time speedup", "nodes", "NPS", "utilisation", "productive", "rate"
        ));
        lines.extend(groups().filter_map(speedup_line));
        lines.push(String::new());
    }
    lines.pop();
    finished(&lines)
}

fn speedup_line(group: &Group) -> Option<String> {
    let ratios = group.against_baseline.as_ref()?;
    let factors = ratios.factors;
    let [nps, utilisation, productive, rate] =
        [ratios.nps_speedup.estimate, factors.utilisation, factors.productive, factors.rate].map(ratio_digits);
    let (time, nodes) = (with_interval(ratios.time_speedup), with_interval(ratios.nodes));
    let cpus = group.configuration.threads;
    Some(format!("{cpus:>4} {time:>23} {nodes:>23} {nps:>7} {utilisation:>11} {productive:>10} {rate:>7}"))
}

/// The preset whose figures stand beside the thesis's.
const AS_PRINTED: &str = "thesis-as-printed";
/// So many comparisons are shown in a terminal; all are in the page.
const MOST_COMPARISONS: usize = 40;

/// What a terminal is shown of an experiment.
pub fn terminal(analysis: &Analysis, published: &[(u32, ThesisRow)]) -> String {
    let is_printed = |curve: &&Curve| {
        curve.groups.iter().any(|&at| analysis.groups[at].configuration.features.starts_with(AS_PRINTED))
    };
    let mut parts = Vec::new();
    // Many curves of the printed program are an autopsy, and not the thesis's experiment.
    if analysis.curves.iter().filter(is_printed).count() <= 2 {
        parts.extend(analysis.curves.iter().filter(is_printed).map(|curve| thesis_table(analysis, curve, published)));
    }
    if analysis.comparisons.is_empty() || analysis.curves.len() <= 8 {
        parts.push(speedup_table(analysis));
    }
    parts.push(comparisons(analysis));
    parts.retain(|part| !part.trim().is_empty());
    parts.join("\n")
}

/// Ratios to the reference.
fn comparisons(analysis: &Analysis) -> String {
    if analysis.comparisons.is_empty() {
        return String::new();
    }
    let width = analysis.comparisons.iter().map(|one| one.change.chars().count()).max().unwrap_or(0).clamp(8, 40);
    let mut lines = vec![format!("{:<width$} {:>4} {:>21} {:>21}", "changed", "CPUs", "time, ratio", "nodes, ratio")];
    for comparison in analysis.comparisons.iter().take(MOST_COMPARISONS) {
        let cpus = analysis.groups[comparison.group].configuration.threads;
        let change: String = comparison.change.chars().take(width).collect();
        let (time, nodes) = (with_interval(comparison.time), with_interval(comparison.nodes));
        lines.push(format!("{change:<width$} {cpus:>4} {time:>21} {nodes:>21}"));
    }
    let more = analysis.comparisons.len().saturating_sub(MOST_COMPARISONS);
    if more > 0 {
        lines.push(format!("and {more} more"));
    }
    finished(&lines)
}

fn shortened(label: &str) -> String {
    if label.chars().count() <= WIDTH {
        return if label.is_empty() { UNKNOWN.to_owned() } else { label.to_owned() };
    }
    label.chars().take(WIDTH - 1).chain(['…']).collect()
}

/// Lines without blanks at their ends.
fn finished(lines: &[String]) -> String {
    lines.iter().map(|line| format!("{}\n", line.trim_end())).collect()
}
