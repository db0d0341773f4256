//! Equal searches of a plan. Its blocks may ask for one search under several labels: `copy = "trimmed"` in one block
//! and `copier = "owner-locked"` in another are both what the strategy does by itself. Such cells are searched once,
//! and each gets a record of that search: if each were searched by itself, the luck of equal searches would be read as
//! an effect of what their labels say.

use std::collections::HashMap;

use super::choice::Choice;
use super::conditions::Conditions;
use crate::record::{Cell, Configuration, Shared};
use crate::table::number::counted;

/// Cells that ask for the same search as an earlier one.
#[derive(Clone, Debug, Default)]
pub struct Equals {
    /// Indices of such cells, each with that of the first cell with the same search.
    firsts: HashMap<u64, u64>,
}

impl Equals {
    /// Equal searches among these indexed cells.
    pub fn among(cells: &[(u64, &Cell)], conditions: &Conditions) -> Self {
        let says_what_may_be_usual = |configuration: &Configuration| {
            configuration.copy.is_some() || configuration.copier.is_some() || configuration.make.is_some()
        };
        if !cells.iter().any(|(_, cell)| says_what_may_be_usual(&cell.configuration)) {
            return Self::default();
        }
        let mut searches: HashMap<&Configuration, Shared<Configuration>> = HashMap::new();
        let (mut known, mut firsts) = (HashMap::new(), HashMap::new());
        for (index, cell) in cells {
            let search = searches.entry(&cell.configuration).or_insert_with(|| search(&cell.configuration, conditions));
            let asked = Cell { configuration: search.clone(), ..(*cell).clone() };
            let first = *known.entry(asked).or_insert(*index);
            if first != *index {
                firsts.insert(*index, first);
            }
        }
        Self { firsts }
    }

    /// Index of the first cell with the same search as the cell with this index, which may be that cell.
    pub fn first(&self, index: u64) -> u64 {
        self.firsts.get(&index).copied().unwrap_or(index)
    }

    /// Note for a reader of the results, if any cells share a search.
    pub fn note(&self) -> Option<String> {
        let count = self.firsts.len();
        (count > 0).then(|| {
            let records = counted(count, "record is of a search", "records are of searches");
            format!(
                "{records} that another configuration of the plan asks for too, under another label: equal searches \
                     are made once."
            )
        })
    }
}

/// The search that a configuration asks for; itself, if it is of no engine of ours.
fn search(configuration: &Configuration, conditions: &Conditions) -> Shared<Configuration> {
    let is_ours = configuration.micro.is_none() && !configuration.is_outside();
    let choice = is_ours.then(|| Choice::of(configuration, conditions).ok()).flatten();
    choice.map_or_else(|| configuration.clone(), |choice| choice.in_own_words()).into()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::super::{Experiment, Plan};
    use super::*;

    #[test]
    fn cells_that_say_what_their_strategy_does_anyway_ask_for_one_search() {
        let text = "positions.first = 1\nbaseline = 1\n[axes]\nmachine = \"virtual\"\nstrategy = \"ybwc\"\ndepth = 3\n\
                    threads = 2\n[[plan]]\ncopy = [\"trimmed\", \"whole\"]\n[[plan]]\n\
                    copier = [\"owner-locked\", \"unlocked\"]\n[[plan]]\nmake = [\"undo\", \"copy\"]\n[[plan]]\n\
                    strategy = [\"ybwc,copy=whole\", \"ybwc\"]\n";
        let experiment = Experiment::parse(Path::new("x.toml"), text, &[], &[]).unwrap();
        let plan = Plan::of(&experiment, "").unwrap();
        let equals = Equals::among(&plan.part(None), &Conditions::default());
        let name = |index: u64| {
            let Configuration { strategy, threads, copy, copier, make, .. } =
                &*plan.cells[index as usize].configuration;
            let axes = [copy, copier, make].map(|axis| axis.clone().unwrap_or_default());
            format!("{strategy} {threads} {}", axes.concat())
        };
        let mut found: Vec<(String, String)> =
            (0..plan.cells.len() as u64).map(|at| (name(at), name(equals.first(at)))).collect();
        found.retain(|(one, first)| one != first);
        let expected = [
            ("ybwc 2 owner-locked", "ybwc 2 trimmed"),
            ("sequential 1 undo", "sequential 1 "),
            ("ybwc 2 undo", "ybwc 2 trimmed"),
            ("ybwc,copy=whole 2 ", "ybwc 2 whole"),
            ("ybwc 2 ", "ybwc 2 trimmed"),
        ];
        assert_eq!(found, expected.map(|(one, first)| (one.to_owned(), first.to_owned())));
        assert!(equals.note().unwrap().starts_with("5 records are of searches that"), "{:?}", equals.note());
        assert_eq!(Equals::default().note(), None);
    }
}
