//! `splitpoint list experiments`: the experiment files that ship by what they are for, with the question of each, its
//! number of searches and, where it is known, its time.

use std::io::Write;
use std::path::Path;

use serde::Serialize;

use super::Listing;
use crate::commands::error::CliError;
use crate::commands::output::{self, object};
use crate::lab::shipped::{self, Shipped};
use crate::lab::{Experiment, Plan};
use crate::report::charts;
use crate::table::Columns;

/// Experiments of one purpose, each with its time on two cores, as a dry run estimates it.
type Group = (&'static str, &'static [(&'static str, &'static str)]);

const GROUPS: [Group; 7] = [
    ("A first look", &[("quick", "30 s")]),
    ("The thesis", &[("thesis-main", "30 min"), ("thesis-explained", "4 h"), ("thesis-autopsy", "3 h")]),
    (
        "Scaling and strategies",
        &[
            ("strategies", "15 min"),
            ("strategies-modern", "1 h 10 min"),
            ("strategies-short", "1 min"),
            ("hyatt-24", "1 h"),
            ("hyatt-24-modern", "20 min"),
            ("my-engine", "3 min"),
            ("scaling-limits", "45 min"),
        ],
    ),
    ("Parameters of sharing", &[("hash-table", "8 min"), ("minimum-draft", "15 min"), ("waiting", "3 min")]),
    (
        "Techniques of the search",
        &[
            ("features", "11 min"),
            ("ordering", ""),
            ("reductions", ""),
            ("reduced-trees", "40 min"),
            ("null-move", "11 min"),
            ("mate-distance", ""),
            ("quiescence-widths", ""),
            ("minimal-tree", ""),
        ],
    ),
    (
        "Boards and the bytes of a split",
        &[
            ("boards", "1 min"),
            ("split-cost", "2 min"),
            ("split-cost-virtual", "3 min"),
            ("padding", "2 min"),
            ("copy-ratio", "1 min"),
            ("representations", "2 min"),
            ("bandwidth", "2 min"),
        ],
    ),
    ("The virtual machine", &[("costs", "8 min")]),
];

/// Row of the list.
struct Entry {
    group: &'static str,
    name: &'static str,
    time: &'static str,
    title: String,
    question: String,
    searches: usize,
    positions: usize,
}

impl Entry {
    fn of(group: &'static str, time: &'static str, shipped: &Shipped) -> Result<Self, CliError> {
        let file = format!("{}.toml", shipped.name);
        let experiment = Experiment::parse(Path::new(&file), shipped.text, &[], &charts::names())?;
        let plan = Plan::of(&experiment, "")?;
        Ok(Self {
            group,
            name: shipped.name,
            time,
            question: experiment.description.question_on_one_line(),
            title: experiment.description.title,
            // On this computer: searches on real threads depend on its cores.
            searches: plan.cells.len(),
            positions: plan.description.positions.len(),
        })
    }

    fn json(&self) -> impl Serialize {
        object! {
            experiment: self.name,
            group: self.group,
            title: &self.title,
            question: &self.question,
            searches: self.searches,
            positions: self.positions,
            time: Some(self.time).filter(|time| !time.is_empty()),
        }
    }
}

pub fn listing() -> Result<Listing, CliError> {
    let named = |&(group, experiments): &Group| {
        experiments.iter().filter_map(move |&(name, time)| Some((group, time, shipped::named(name)?)))
    };
    let all = GROUPS.iter().flat_map(named).map(|(group, time, shipped)| Entry::of(group, time, shipped));
    let entries: Vec<Entry> = all.collect::<Result<_, _>>()?;
    let mut text = Vec::new();
    for group in entries.chunk_by(|one, next| one.group == next.group) {
        writeln!(text, "{}{}", if text.is_empty() { "" } else { "\n" }, group[0].group)?;
        for Entry { name, time, question, searches, .. } in group {
            let question = format!("{question} ({searches} searches)");
            output::paragraph(&mut text, &format!("  {name:<18} {time:>6}  "), &question)?;
        }
    }
    let printed = object! { experiments: entries.iter().map(Entry::json).collect::<Vec<_>>() };
    let columns = Columns::new()
        .with("experiment", "", |entry: &&Entry| format!("`{}`", entry.name))
        .with("for", "", |entry| entry.group)
        .with("time", "", |entry| entry.time)
        .with("question", "", |entry| entry.question.as_str());
    Ok(Listing::new(&printed, vec![columns.table("", "", &entries)], text)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_experiment_has_its_place() {
        let listed: Vec<&str> = GROUPS.iter().flat_map(|(_, group)| group.iter().map(|(name, _)| *name)).collect();
        assert_eq!(listed, shipped::EXPERIMENTS.iter().map(|one| one.name).collect::<Vec<_>>());
    }
}
