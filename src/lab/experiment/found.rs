//! Depths that a pilot has found for sizes of searches, as the file of a run folder keeps them: a run that is resumed
//! or run again, and each part of a run, searches to the same depths whatever a new pilot would find.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

use super::document::{Document, DocumentError, Entry, Item, Table, Value};
use super::duration;
use super::section::Section;
use super::values::{choice, text};
use crate::record::axes::{COSTS, ENGINE, FEATURES, MACHINE};
use crate::record::{Configuration, Depth, MachineKind, Named, Seconds};
use crate::search::DEEPEST;

/// Key of the depths in a file.
pub const KEY: &str = "found_depths";
/// Keys of a row of it.
const KEYS: [&str; 7] = [MACHINE.name, "size", ENGINE.name, FEATURES.name, COSTS.name, "hash", "depths"];
/// Shortest and longest size in seconds.
const SIZES_S: [f64; 2] = [0.001, 3600.0];

/// Everything that decides the depth of a size at a position: what decides how long one processor takes. Changes of a
/// preset or of a cost model are left out, as are boards, so that configurations which are compared with one another
/// search to the same depth.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Problem {
    /// Machine whose time it is.
    pub machine: MachineKind,
    /// Time of one processor.
    pub size: Seconds,
    /// Engine from outside, if one searches.
    pub engine: Option<Named>,
    /// Preset of the features.
    pub features: Named,
    /// Cost model of a virtual machine, without changes.
    pub costs: Option<Named>,
    /// Size of the table in MiB.
    pub hash_mib: u32,
}

impl Problem {
    /// Problem of a configuration whose depth is given by a size.
    pub fn of(configuration: &Configuration) -> Option<Self> {
        let Depth::Size(size) = configuration.depth else { return None };
        let Configuration { machine, engine, features, costs, hash_mib, .. } = configuration.duration();
        let [engine, costs] = [engine, costs].map(|defined| defined.map(|defined| defined.name));
        Some(Self { machine, size, engine, features: features.name().into(), costs, hash_mib })
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} s on the {} machine", self.size, self.machine)
    }
}

/// Depths by problem and by the id of a position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FoundDepths(BTreeMap<Problem, BTreeMap<String, u32>>);

impl FoundDepths {
    /// The depth of a problem at a position, if it was found.
    pub fn depth(&self, problem: &Problem, position: &str) -> Option<u32> {
        self.0.get(problem)?.get(position).copied()
    }

    /// Keeps a depth, unless one is known.
    pub fn add(&mut self, problem: &Problem, position: &str, depth: u32) {
        self.0.entry(problem.clone()).or_default().entry(position.to_owned()).or_insert(depth);
    }

    /// All depths, each with its problem and position.
    pub fn all(&self) -> impl Iterator<Item = (&Problem, &str, u32)> {
        self.0.iter().flat_map(|(problem, depths)| depths.iter().map(move |(id, depth)| (problem, id.as_str(), *depth)))
    }

    /// Depths that a file has.
    pub fn read(root: &Section<'_>) -> Result<Self, DocumentError> {
        let mut found = Self::default();
        for row in root.sections(KEY)? {
            row.allow_only("a key of found_depths", &KEYS)?;
            let named = |key: &str| Ok::<_, DocumentError>(row.text(key)?.map(Named::from));
            let first = |values: Vec<MachineKind>| values.first().copied().unwrap_or_default();
            let problem = Problem {
                machine: first(row.required(MACHINE.name, choice)?),
                size: row.required("size", size)?,
                engine: named(ENGINE.name)?,
                features: named(FEATURES.name)?.unwrap_or_default(),
                costs: named(COSTS.name)?,
                hash_mib: row.whole("hash", 0..=u32::MAX.into())?.unwrap_or_default() as u32,
            };
            let depths = row.section("depths")?.ok_or_else(|| row.wrong("depths", "is missing"))?;
            for entry in &depths.table.entries {
                let depth = depths.whole(&entry.key, 1..=DEEPEST.into())?.unwrap_or_default() as u32;
                found.add(&problem, &entry.key, depth);
            }
        }
        Ok(found)
    }

    /// Depths that the file of a run folder has; none if it has none, or none that can be read.
    pub fn of_folder(folder: &Path) -> Self {
        let path = folder.join("experiment.toml");
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        let document = Document::parse(&path, text).ok();
        document.and_then(|document| Self::read(&Section::root(&document.root)).ok()).unwrap_or_default()
    }

    /// The depths as an item of a file.
    pub(super) fn item(&self) -> Item {
        let row = |(problem, depths): (&Problem, &BTreeMap<String, u32>)| {
            let text = |named: &Named| Item::Text(named.to_string());
            let mut entries = vec![
                entry(MACHINE.name, Item::Text(problem.machine.name().to_owned())),
                entry("size", Item::Fraction(problem.size.into())),
            ];
            entries.extend(problem.engine.as_ref().map(|engine| entry(ENGINE.name, text(engine))));
            if !problem.features.is_empty() {
                entries.push(entry(FEATURES.name, text(&problem.features)));
            }
            entries.extend(problem.costs.as_ref().map(|costs| entry(COSTS.name, text(costs))));
            entries.push(entry("hash", Item::Whole(problem.hash_mib.into())));
            let depths = depths.iter().map(|(id, depth)| entry(id, Item::Whole((*depth).into()))).collect();
            entries.push(entry("depths", Item::Table(Table { entries: depths })));
            Value { item: Item::Table(Table { entries }), place: None }
        };
        Item::List(self.0.iter().map(row).collect())
    }
}

fn entry(key: &str, item: Item) -> Entry {
    Entry { key: key.to_owned(), key_place: None, value: Value { item, place: None } }
}

/// Size of a search as a duration.
pub fn size(item: &Item) -> Result<Seconds, String> {
    if let Item::Text(words) = item
        && text(item)?.contains("..")
    {
        return Err(format!("'{words}' is a range, and sizes are listed: [\"0.25s\", \"1s\"]"));
    }
    let size = duration::read(item)?;
    let [least, most] = SIZES_S;
    if (least..=most).contains(&f64::from(size)) {
        Ok(size)
    } else {
        Err(format!("{size} s is no size of a search: from 1ms to 1h of one processor"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_problem_is_what_is_searched_and_not_how() {
        let of = |strategy: &str, features: &str, board: &str| {
            let mut one = Configuration::sample(MachineKind::Virtual, strategy, 4);
            (one.features, one.board, one.depth) = (features.into(), board.into(), Depth::Size(0.5.into()));
            Problem::of(&one).unwrap()
        };
        let first = of("ybwc", "modern", "bitboards");
        assert_eq!(first, of("lazy", "modern,-null-move", "mailbox"));
        assert_ne!(first, of("ybwc", "thesis", "bitboards"));
        assert_eq!(Problem::of(&Configuration::sample(MachineKind::Virtual, "ybwc", 4)), None);
    }
}
