//! `splitpoint list experiments`: the experiment files that ship by what they are for, with the question of each, its
//! number of searches and, where it is known, its time.

use std::io::Write;

use serde::Serialize;

use super::Listing;
use crate::commands::error::CliError;
use crate::commands::output::{self, object};
use crate::commands::source::shipped_experiment;
use crate::lab::Plan;
use crate::table::Columns;

/// Experiments by purpose, each with its time on two cores if that is known: as a dry run estimates it, or as a whole
/// run took.
const GROUPS: [(&str, &str); 7] = [
    ("A first look", "quick 30 s"),
    ("The thesis", "thesis-main 30 min, thesis-explained 4 h, thesis-autopsy 3 h, printed-defects 11 min, dips 3 min"),
    (
        "Scaling and strategies",
        "strategies 15 min, strategies-modern 45 min, strategies-short 1 min, hyatt-24 1 h, hyatt-24-modern 40 min, \
         my-engine 3 min, scaling-limits 20 min, weak-scaling 11 min, large-trees 30 min, \
         two-baselines 10 min, two-baselines-large 15 min, claims-speed 11 min, claims-longer 17 min, \
         claims-boards 1 min",
    ),
    (
        "Parameters of sharing",
        "hash-table 12 min, torn-entries 1 min, minimum-draft 2 min, node-types 5 min, shared-memories 4 min, \
         waiting 3 min",
    ),
    (
        "Techniques of the search",
        "features 1 h 25 min, ordering, deepening 7 min, reductions, reduced-trees 20 min, null-move 3 min, \
         mate-distance, quiescence-widths, key-width 1 min, minimal-tree",
    ),
    (
        "Boards and the bytes of a split",
        "boards 1 min, split-cost 2 min, split-cost-virtual 3 min, padding 2 min, copy-ratio 1 min, representations 2 \
         min, bandwidth 2 min",
    ),
    ("The virtual machine", "costs 8 min, whatif 10 min, model-check 18 min"),
];

/// The name of each experiment, with its purpose and its time.
fn grouped() -> impl Iterator<Item = (&'static str, &'static str, &'static str)> {
    GROUPS.into_iter().flat_map(|(group, experiments)| {
        experiments
            .split(", ")
            .map(move |one| one.split_once(' ').unwrap_or((one, "")))
            .map(move |(name, time)| (group, name, time))
    })
}

/// Row of the list.
#[derive(Serialize)]
struct Entry {
    #[serde(rename = "experiment")]
    name: &'static str,
    group: &'static str,
    title: String,
    question: String,
    searches: usize,
    positions: usize,
    time: Option<&'static str>,
}

impl Entry {
    fn of((group, name, time): (&'static str, &'static str, &'static str)) -> Result<Self, CliError> {
        let experiment = shipped_experiment(name, &[""; 0])?;
        let plan = Plan::of(&experiment, "")?;
        Ok(Self {
            group,
            name,
            time: Some(time).filter(|time| !time.is_empty()),
            question: experiment.description.question_on_one_line(),
            title: experiment.description.title,
            // On this computer: searches on real threads depend on its cores.
            searches: plan.cells.len(),
            positions: plan.description.positions.len(),
        })
    }
}

pub fn listing() -> Result<Listing, CliError> {
    let entries: Vec<Entry> = grouped().map(Entry::of).collect::<Result<_, _>>()?;
    let mut text = Vec::new();
    for group in entries.chunk_by(|one, next| one.group == next.group) {
        writeln!(text, "{}{}", if text.is_empty() { "" } else { "\n" }, group[0].group)?;
        for Entry { name, time, question, searches, .. } in group {
            let question = format!("{question} ({searches} searches)");
            let time = time.unwrap_or_default();
            output::paragraph(&mut text, &format!("  {name:<18} {time:>6}  "), &question)?;
        }
    }
    let printed = object! { experiments: &entries };
    let columns = Columns::new()
        .with("experiment", "", |entry: &&Entry| format!("`{}`", entry.name))
        .with("for", "", |entry| entry.group)
        .with("time", "", |entry| entry.time.unwrap_or_default())
        .with("question", "", |entry| entry.question.as_str());
    Ok(Listing::new(&printed, vec![columns.table("", "", &entries)], text)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_experiment_has_its_place() {
        let listed: Vec<&str> = grouped().map(|(_, name, _)| name).collect();
        assert_eq!(listed, crate::lab::shipped::EXPERIMENTS.iter().map(|one| one.name).collect::<Vec<_>>());
    }
}
