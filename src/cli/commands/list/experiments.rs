//! `splitpoint list experiments`: the experiment files that ship by what they are for, with the question of each, its
//! number of searches and, where it is known, its time.

use std::io::Write;

use serde::Serialize;

use super::Listing;
use crate::commands::error::CliError;
use crate::commands::output::{self, object};
use crate::commands::source::shipped_experiment;
use crate::lab::shipped::{EXPERIMENTS, Shipped};
use crate::lab::{Listed, Plan};
use crate::table::Columns;

/// Row of the list.
#[derive(Serialize)]
struct Entry {
    #[serde(rename = "experiment")]
    name: &'static str,
    group: String,
    title: String,
    question: String,
    /// None if this computer has too few processors for the plan.
    searches: Option<usize>,
    positions: usize,
    time: Option<String>,
}

impl Entry {
    fn of(shipped: &Shipped) -> Result<Self, CliError> {
        let name = shipped.name;
        let experiment = shipped_experiment(name, &[""; 0])?;
        let plan = Plan::of(&experiment, "").ok();
        let Listed { group, time } = experiment.listed.unwrap_or_default();
        Ok(Self {
            group,
            name,
            time,
            question: experiment.description.question_on_one_line(),
            title: experiment.description.title,
            // On this computer: searches on real threads depend on its cores.
            searches: plan.as_ref().map(|plan| plan.cells.len()),
            positions: plan.map_or(0, |plan| plan.description.positions.len()),
        })
    }
}

pub fn listing() -> Result<Listing, CliError> {
    let entries: Vec<Entry> = EXPERIMENTS.iter().map(Entry::of).collect::<Result<_, _>>()?;
    let mut text = Vec::new();
    for group in entries.chunk_by(|one, next| one.group == next.group) {
        writeln!(text, "{}{}", if text.is_empty() { "" } else { "\n" }, group[0].group)?;
        for Entry { name, time, question, searches, .. } in group {
            let size = match searches {
                Some(searches) => format!("{searches} searches"),
                None => "needs several processors".to_owned(),
            };
            let question = format!("{question} ({size})");
            let time = time.as_deref().unwrap_or_default();
            output::paragraph(&mut text, &format!("  {name:<18} {time:>6}  "), &question)?;
        }
    }
    let printed = object! { experiments: &entries };
    let columns = Columns::new()
        .with("experiment", "", |entry: &&Entry| format!("`{}`", entry.name))
        .with("for", "", |entry| entry.group.as_str())
        .with("time", "", |entry| entry.time.as_deref().unwrap_or_default())
        .with("question", "", |entry| entry.question.as_str());
    Ok(Listing::new(&printed, vec![columns.table("", "", &entries)], text)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_experiment_has_its_place_and_groups_are_together() {
        let entries: Vec<Entry> = EXPERIMENTS.iter().map(|one| Entry::of(one).unwrap()).collect();
        assert!(entries.iter().all(|entry| !entry.group.is_empty()));
        let mut groups: Vec<&str> = entries.iter().map(|entry| entry.group.as_str()).collect();
        groups.dedup();
        let number = groups.len();
        groups.sort_unstable();
        groups.dedup();
        assert_eq!(groups.len(), number, "a group stands in two places of EXPERIMENTS");
    }
}
