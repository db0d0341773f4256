//! Folders side by side for a terminal, in at most 100 columns: first what differs beside the figures, then the ratios, real
//! and virtual machines apart, then what has no counterpart.

use std::collections::{BTreeMap, BTreeSet};

use crate::record::{Configuration, MachineKind};
use crate::report::analysis::labels::in_words;
use crate::report::tables::numbers::{probability, with_interval};
use crate::statistics::LEVEL;

use super::verdict::percent;
use super::{Counterparts, Difference, FolderFacts, Measure, Runs, SideBySide, Tested, Verdict};

/// No line is longer, but for a single word that is.
const WIDTH: usize = 100;
/// Between columns.
const GAP: &str = "  ";
/// So many configurations without a counterpart are listed for each folder; JSON has all.
const MOST_ALONE: usize = 12;
/// Columns after these stand at the left: names and verdicts; numbers stand at the right.
const LEFT: [&str; 2] = ["runs", "verdict"];

/// What no interval can hold.
const APART: &str = "The folders were measured at different times: what else the computer did then is in a ratio of times, and \
                     is not in its interval.";

/// The whole text.
pub fn text(whole: &SideBySide) -> String {
    let mut lines: Vec<String> = Vec::new();
    for folder in &whole.folders {
        lines.extend(wrapped(&format!("{}  ", folder.name), &facts(folder)));
    }
    lines.push(String::new());
    lines.extend(what_differs(&whole.differences, &whole.folders));
    for note in &whole.notes {
        lines.extend(wrapped("Note: ", note));
    }
    lines.push(String::new());
    lines.extend(wrapped("", &legend(whole)));
    for (place, folder) in whole.folders.iter().enumerate().skip(1) {
        for machine in [MachineKind::Real, MachineKind::Virtual] {
            let of_section = |pair: &&Counterparts| pair.folder == place && pair.configuration.machine == machine;
            let pairs: Vec<&Counterparts> = whole.counterparts.iter().filter(of_section).collect();
            if !pairs.is_empty() {
                lines.push(String::new());
                section(&mut lines, whole, folder, machine, &pairs);
            }
        }
    }
    alone(&mut lines, whole);
    lines.iter().map(|line| format!("{}\n", line.trim_end())).collect()
}

fn facts(folder: &FolderFacts) -> String {
    let mut facts = vec![format!("{} searches", folder.searches)];
    let counts =
        [(folder.missing, "missing"), (folder.failed as u64, "failed"), (folder.disturbed as u64, "disturbed")];
    facts.extend(counts.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}")));
    format!("{} ({}): {}", folder.path.display(), folder.title, facts.join(", "))
}

fn what_differs(differences: &[Difference], folders: &[FolderFacts]) -> Vec<String> {
    if differences.is_empty() {
        return wrapped("", "Program, search, plan and computer are the same, as far as the folders tell.");
    }
    let width = differences.iter().map(|one| one.what.chars().count()).max().unwrap_or(0);
    let mut lines = vec!["What differs beside the figures".to_owned()];
    for difference in differences {
        for (place, (folder, value)) in folders.iter().zip(&difference.values).enumerate() {
            let what = if place == 0 { difference.what.as_str() } else { "" };
            let value = if value.is_empty() { "-" } else { value };
            lines.extend(wrapped(&format!("  {what:<width$}  {} ", folder.name), value));
        }
    }
    lines
}

fn legend(whole: &SideBySide) -> String {
    let first = &whole.folders[0].name;
    let others: Vec<&str> = whole.folders[1..].iter().map(|folder| folder.name.as_str()).collect();
    let other = if let [other] = others[..] { other.to_owned() } else { "the other folder".to_owned() };
    let ignored = match whole.ignored[..] {
        [] => String::new(),
        _ => format!(" Configurations may differ in {}.", whole.ignored.join(", ")),
    };
    format!(
        "Ratios are the figure of {other} divided by that of {first}: below 1 in time, {other} is faster. In brackets stand \
         intervals of {} for {}. p is how likely so large a difference is by chance, adjusted for all configurations \
         (Holm); a verdict is claimed at {}. Runs of both folders with the same position, seed and repetition are \
         pairs; others are compared position by position.{ignored}",
        percent(LEVEL),
        whole.interval.name(),
        percent(1.0 - LEVEL),
    )
}

/// One folder against the first on one kind of machine.
fn section(
    lines: &mut Vec<String>,
    whole: &SideBySide,
    folder: &FolderFacts,
    machine: MachineKind,
    pairs: &[&Counterparts],
) {
    let (first, other) = (&whole.folders[0].name, &folder.name);
    let title = match machine {
        MachineKind::Real => format!("Real machine: {other} / {first}"),
        MachineKind::Virtual => format!(
            "Virtual machine: {other} / {first}, in virtual seconds (costs {}); not to be ranked beside real ones",
            models(pairs)
        ),
    };
    lines.extend(wrapped("", &title));
    let common = in_common(pairs, &whole.ignored);
    if !common.is_empty() {
        lines.extend(wrapped("All: ", &common));
    }
    if machine == MachineKind::Real && pairs.iter().any(|pair| pair.time.verdict != Verdict::Copied) {
        lines.extend(wrapped("", APART));
    }
    let is_identical = pairs.iter().all(|pair| pair.time.verdict == Verdict::Identical);
    if is_identical {
        lines.push("Every run is bit-equal to its partner in the other folder: all ratios are 1.".to_owned());
    }
    for (name, measure, of) in [
        ("time", Measure::Time, (|pair| pair.time) as fn(&Counterparts) -> Tested),
        ("nodes", Measure::Nodes, |pair| pair.nodes),
    ] {
        if is_identical && measure == Measure::Nodes {
            continue;
        }
        lines.push(String::new());
        let row = |pair: &&Counterparts| {
            let tested = of(pair);
            let entries = vec![
                processors(pair),
                pair.positions.to_string(),
                runs(pair),
                with_interval(tested.ratio),
                probability(tested.p),
                tested.verdict.in_words(measure, whole.margin),
            ];
            (pair.label.clone(), entries)
        };
        let headings = ["CPUs", "pos", "runs", "ratio", "p", "verdict"];
        table(lines, name, &headings, &pairs.iter().map(row).collect::<Vec<_>>());
    }
    if is_identical {
        return;
    }
    lines.push(String::new());
    let row = |pair: &&Counterparts| {
        let speedup = pair.speedup.map(|speedup| {
            let note = if speedup.is_paired || !matches!(pair.runs, Runs::Pairs(_)) { "" } else { " (no pairs)" };
            format!("{}{note}", with_interval(speedup.ratio))
        });
        (pair.label.clone(), vec![processors(pair), with_interval(pair.nps), speedup.unwrap_or_else(|| "-".to_owned())])
    };
    table(lines, "", &["CPUs", "NPS, ratio", "time speedup, ratio"], &pairs.iter().map(row).collect::<Vec<_>>());
}

/// The cost models of a section, with their hashes.
fn models(pairs: &[&Counterparts]) -> String {
    let configurations = pairs.iter().flat_map(|pair| [&pair.configuration, &pair.counterpart]);
    let model = |configuration: &Configuration| match (&configuration.costs, &configuration.costs_hash) {
        (Some(name), Some(hash)) => Some(format!("{name} {hash}")),
        (name, _) => name.clone(),
    };
    let models: BTreeSet<String> = configurations.filter_map(model).collect();
    if models.is_empty() { "not known".to_owned() } else { models.into_iter().collect::<Vec<_>>().join(", ") }
}

/// What all configurations of a section have in common, in both folders.
fn in_common(pairs: &[&Counterparts], ignored: &[String]) -> String {
    let said = ["machine", "threads", "costs", "costs_hash"];
    let is_common = |field: &&str| {
        let values = pairs.iter().filter(|pair| !pair.configuration.is_baseline() || pairs.len() == 1);
        let mut values = values.map(|pair| pair.configuration.field(field));
        let first = values.next();
        !said.contains(field) && !ignored.iter().any(|ignored| ignored == field) && values.all(|v| Some(v) == first)
    };
    let Some(one) = pairs.iter().find(|pair| !pair.configuration.is_baseline()).or(pairs.first()) else {
        return String::new();
    };
    let words = Configuration::FIELDS
        .into_iter()
        .filter(is_common)
        .map(|field| in_words(field, &one.configuration, &BTreeMap::new()));
    words.filter(|words| !words.is_empty() && !words.starts_with("no ")).collect::<Vec<_>>().join(", ")
}

fn processors(pair: &Counterparts) -> String {
    let (first, other) = (pair.configuration.threads, pair.counterpart.threads);
    if first == other { first.to_string() } else { format!("{other} / {first}") }
}

fn runs(pair: &Counterparts) -> String {
    match pair.runs {
        Runs::Pairs(1) => "1 pair".to_owned(),
        Runs::Pairs(pairs) => format!("{pairs} pairs"),
        Runs::Unpaired([first, other]) => format!("{other} / {first}"),
    }
}

/// Rows under headings, each led by a label. A label that is too long for its column has a line of its own.
fn table(lines: &mut Vec<String>, name: &str, headings: &[&str], rows: &[(String, Vec<String>)]) {
    let length = |text: &str| text.chars().count();
    let entries = |column: usize| rows.iter().map(move |(_, entries)| length(&entries[column]));
    let widths: Vec<usize> = headings
        .iter()
        .enumerate()
        .map(|(column, heading)| entries(column).max().unwrap_or(0).max(length(heading)))
        .collect();
    let room = WIDTH.saturating_sub(widths.iter().map(|width| width + GAP.len()).sum());
    let labels = rows.iter().map(|(label, _)| length(label)).filter(|&width| width <= room).max().unwrap_or(0);
    let label_width = labels.max(length(name));
    let line = |label: &str, entries: &[&str]| {
        let mut line = format!("{label:<label_width$}");
        for ((entry, width), heading) in entries.iter().zip(&widths).zip(headings) {
            line.push_str(GAP);
            match LEFT.contains(heading) {
                true => line.push_str(&format!("{entry:<width$}")),
                false => line.push_str(&format!("{entry:>width$}")),
            }
        }
        line
    };
    lines.push(line(name, headings));
    for (label, entries) in rows {
        let entries: Vec<&str> = entries.iter().map(String::as_str).collect();
        if length(label) <= label_width {
            lines.push(line(label, &entries));
        } else {
            lines.extend(wrapped("", label));
            lines.push(line("", &entries));
        }
    }
}

/// Configurations that only one of two folders has.
fn alone(lines: &mut Vec<String>, whole: &SideBySide) {
    let mut sections: Vec<(usize, usize)> = Vec::new();
    for alone in whole.only_in.iter().filter(|alone| !alone.lacks_positions) {
        if !sections.contains(&(alone.folder, alone.missing_in)) {
            sections.push((alone.folder, alone.missing_in));
        }
    }
    for (folder, missing_in) in sections {
        let all = whole.only_in.iter().filter(|alone| (alone.folder, alone.missing_in) == (folder, missing_in));
        let all: Vec<_> = all.filter(|alone| !alone.lacks_positions).collect();
        let [has, lacks] = [folder, missing_in].map(|place| &whole.folders[place].name);
        lines.push(String::new());
        lines.push(format!("Only in {has}, not in {lacks}"));
        for alone in all.iter().take(MOST_ALONE) {
            let (machine, threads) = (alone.configuration.machine.name(), alone.configuration.threads);
            let processors = if threads == 1 { "CPU" } else { "CPUs" };
            lines.extend(wrapped("  ", &format!("{} on {threads} {machine} {processors}", alone.label)));
        }
        if all.len() > MOST_ALONE {
            lines.push(format!("  and {} more", all.len() - MOST_ALONE));
        }
    }
}

/// Words after a lead, in lines that begin under one another. A word that is too long for a line is broken after commas.
fn wrapped(lead: &str, text: &str) -> Vec<String> {
    let length = |text: &str| text.chars().count();
    let room = WIDTH.saturating_sub(length(lead));
    let mut lines: Vec<String> = Vec::new();
    let mut line = String::new();
    for word in text.split(' ') {
        let pieces: Vec<&str> = if length(word) > room { word.split_inclusive(',').collect() } else { vec![word] };
        for (place, piece) in pieces.into_iter().enumerate() {
            let blank = if line.is_empty() || place > 0 { "" } else { " " };
            if !line.is_empty() && length(&line) + blank.len() + length(piece) > room {
                lines.push(std::mem::take(&mut line));
            } else {
                line.push_str(blank);
            }
            line.push_str(piece);
        }
    }
    lines.push(line);
    let begun = |(place, line): (usize, String)| match place {
        0 => format!("{lead}{line}"),
        _ => format!("{:width$}{line}", "", width = length(lead)),
    };
    lines.into_iter().enumerate().map(begun).collect()
}
