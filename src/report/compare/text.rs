//! Folders side by side for a terminal, in at most 100 columns: first what differs beside the figures, then the ratios,
//! real and virtual machines apart, then what has no counterpart.

use std::collections::{BTreeMap, BTreeSet};

use crate::distinct::distinct;
use crate::record::{Configuration, MachineKind};
use crate::report::analysis::labels::in_words;
use crate::statistics::LEVEL;
use crate::table::number::{counted, interval, level, listed, set_percent};
use crate::table::terminal::{self, WIDTH, paragraph};
use crate::table::{Cell, Columns};

use super::{Alone, Counterparts, Difference, FolderFacts, Measure, Runs, SideBySide, Tested, Verdict};

/// Configurations without a counterpart that are listed for each folder; JSON has all.
const MOST_ALONE: usize = 12;

/// Reminder of what no interval can hold.
const APART: &str = "The folders were measured at different times. Whatever else the computer did then affects a ratio \
                     of times, but is not part of its interval.";

/// The whole text.
pub(crate) fn text(whole: &SideBySide) -> String {
    let mut lines = vec![wrapped("", &verdict(whole)), String::new()];
    lines.extend(whole.folders.iter().map(|folder| wrapped(&format!("{}  ", folder.name), &facts(folder))));
    lines.push(String::new());
    lines.extend(what_differs(&whole.differences, &whole.folders));
    lines.extend(whole.notes.iter().map(|note| wrapped("Note: ", note)));
    lines.push(String::new());
    lines.push(wrapped("", &legend(whole)));
    for (place, folder) in whole.folders.iter().enumerate().skip(1) {
        for &machine in MachineKind::ALL {
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

/// What the comparison shows of times, in one sentence.
fn verdict(whole: &SideBySide) -> String {
    let all = &whole.counterparts;
    let count = |accept: fn(Verdict) -> bool| all.iter().filter(|pair| accept(pair.time.verdict)).count();
    let of = counted(all.len(), "configuration", "configurations");
    if count(|verdict| verdict == Verdict::Identical) == all.len() {
        return format!("Identical: every search of {of} is the same in both folders.");
    }
    let kinds: [(usize, &str); 6] = [
        (count(|verdict| matches!(verdict, Verdict::Less { .. })), "faster"),
        (count(|verdict| matches!(verdict, Verdict::More { .. })), "slower"),
        (count(|verdict| matches!(verdict, Verdict::Equivalent | Verdict::Equal | Verdict::Identical)), "equal"),
        (count(|verdict| matches!(verdict, Verdict::NoDifferenceShown | Verdict::NotKnown)), "not shown to differ"),
        (count(|verdict| verdict == Verdict::Disturbed), "not comparable, since disturbed"),
        (count(|verdict| verdict == Verdict::Copied), "copied"),
    ];
    let kinds: Vec<String> =
        kinds.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}")).collect();
    format!("Of {of}, by time: {}.", listed(&kinds))
}

fn wrapped(lead: &str, text: &str) -> String {
    paragraph(lead, text, WIDTH)
}

fn facts(folder: &FolderFacts) -> String {
    let mut facts = vec![counted(folder.searches, "search", "searches")];
    let counts =
        [(folder.missing, "missing"), (folder.failed as u64, "failed"), (folder.disturbed as u64, "disturbed")];
    facts.extend(counts.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}")));
    format!("{} ({}): {}", folder.path, folder.title, facts.join(", "))
}

fn what_differs(differences: &[Difference], folders: &[FolderFacts]) -> Vec<String> {
    if differences.is_empty() {
        return vec![wrapped("", "Program, search, plan and computer are the same, as far as the folders tell.")];
    }
    let width = differences.iter().map(|one| one.what.chars().count()).max().unwrap_or(0);
    let mut lines = vec!["Differences other than the figures".to_owned()];
    for difference in differences {
        for (place, (folder, value)) in folders.iter().zip(&difference.values).enumerate() {
            let what = if place == 0 { difference.what.as_str() } else { "" };
            let value = if value.is_empty() { "-" } else { value };
            lines.push(wrapped(&format!("  {what:<width$}  {} ", folder.name), value));
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
        "Ratios are the figure of {other} divided by that of {first}: where the ratio of times is below 1, {other} is \
         faster. Brackets hold intervals of {} for {}. p is the probability that chance alone gives so large a \
         difference, adjusted for all configurations (Holm); a difference is claimed below {}. Runs of both folders \
         with the same position, seed and repetition are pairs; others are compared position by position.{ignored}",
        level(),
        whole.interval.name(),
        set_percent(1.0 - LEVEL),
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
            "Virtual machine: {other} / {first}, in virtual seconds (costs {}); not to be ranked against real ones",
            models(pairs)
        ),
    };
    lines.push(wrapped("", &title));
    let common = in_common(pairs, &whole.ignored);
    if !common.is_empty() {
        lines.push(wrapped("All: ", &common));
    }
    if machine == MachineKind::Real && pairs.iter().any(|pair| pair.time.verdict != Verdict::Copied) {
        lines.push(wrapped("", APART));
    }
    let is_identical = pairs.iter().all(|pair| pair.time.verdict == Verdict::Identical);
    let mut tables = vec![tested(whole.margin, Measure::Time, |pair| pair.time)];
    if is_identical {
        lines.push("Every run is identical to its counterpart in the other folder: all ratios are 1.".to_owned());
    } else {
        tables.push(tested(whole.margin, Measure::Nodes, |pair| pair.nodes));
        tables.push(rates());
    }
    for columns in tables {
        let table = terminal::write(&columns.table("", "", pairs.iter().copied()), WIDTH);
        lines.extend([String::new(), table.trim_end().to_owned()]);
    }
}

/// Columns for nodes a second and the time speedup, which are not tested.
fn rates<'a>() -> Columns<'a, &'a Counterparts> {
    labelled("").with("NPS ratio", "", |pair| pair.nps).with("time speedup ratio", "", |pair| {
        let speedup = pair.speedup?;
        let is_as_expected = speedup.is_paired || !matches!(pair.runs, Runs::Pairs(_));
        Some(match is_as_expected {
            true => Cell::from(speedup.ratio),
            false => format!("{} (no pairs)", interval(&speedup.ratio)).into(),
        })
    })
}

/// Columns for what is compared.
fn labelled<'a>(name: &str) -> Columns<'a, &'a Counterparts> {
    Columns::new().with(name, "", |pair: &&Counterparts| pair.label.as_str()).with("CPUs", "", |pair| {
        let (first, other) = (pair.configuration.threads, pair.counterpart.threads);
        if first == other { Cell::from(first) } else { format!("{other} / {first}").into() }
    })
}

/// Columns for a measure with its verdict.
fn tested<'a>(margin: f64, measure: Measure, of: fn(&Counterparts) -> Tested) -> Columns<'a, &'a Counterparts> {
    labelled(measure.name())
        .with("pos", "", |pair| pair.positions)
        .with("runs", "", |pair| match pair.runs {
            Runs::Pairs(pairs) => counted(pairs, "pair", "pairs"),
            Runs::Unpaired([first, other]) => format!("{other} / {first}"),
        })
        .with("ratio", "", move |pair| of(pair).ratio)
        .with("p", "", move |pair| Cell::probability(of(pair).p))
        .with("verdict", "", move |pair| of(pair).verdict.in_words(measure, margin))
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

/// Fields that all configurations of a section have in common, in both folders.
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

/// Configurations that only one of two folders has.
fn alone(lines: &mut Vec<String>, whole: &SideBySide) {
    let section_of = |alone: &Alone| (alone.folder, alone.missing_in);
    let only_in: Vec<&Alone> = whole.only_in.iter().filter(|alone| !alone.lacks_positions).collect();
    for (folder, missing_in) in distinct(only_in.iter().map(|alone| section_of(alone))) {
        let all: Vec<_> = only_in.iter().filter(|alone| section_of(alone) == (folder, missing_in)).collect();
        let [has, lacks] = [folder, missing_in].map(|place| &whole.folders[place].name);
        lines.push(String::new());
        lines.push(format!("Only in {has}, not in {lacks}"));
        for alone in all.iter().take(MOST_ALONE) {
            let (machine, threads) = (alone.configuration.machine.name(), alone.configuration.threads);
            let processors = if threads == 1 { "CPU" } else { "CPUs" };
            lines.push(wrapped("  ", &format!("{} on {threads} {machine} {processors}", alone.label)));
        }
        if all.len() > MOST_ALONE {
            lines.push(format!("  and {} more", all.len() - MOST_ALONE));
        }
    }
}
