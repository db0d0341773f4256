//! Joining shards: the records of several folders that each ran a part of one plan become those of one folder, after a
//! check that they belong together.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::description::Description;
use super::folder::{self, ExperimentFile, FolderError, RunFolder};
use super::journal::{self, Journal};
use super::judgement::{Judgement, Subject};
use super::result::Record;
use super::shared::Word;
use crate::distinct::distinct;

/// Reason why folders cannot be joined.
#[derive(Debug, thiserror::Error)]
pub enum MergeError {
    /// Parts of different plans, or made by different searches.
    #[error("{} and {} do not belong together: {what}", first.display(), other.display())]
    Unlike {
        /// A folder.
        first: PathBuf,
        /// A folder that does not fit the first.
        other: PathBuf,
        /// The difference.
        what: &'static str,
    },
    /// Two folders hold records of one cell.
    #[error(
        "{} and {} hold the same cells, for example of {position}: they are not different parts of one run",
        first.display(),
        other.display()
    )]
    Overlap {
        /// A folder.
        first: PathBuf,
        /// Another folder.
        other: PathBuf,
        /// Position of the first such cell.
        position: String,
    },
    /// A folder cannot be read, or the new one cannot be written.
    #[error(transparent)]
    Folder(#[from] FolderError),
}

impl MergeError {
    /// Whether the user asked for something that cannot be; else something failed.
    pub fn is_bad_input(&self) -> bool {
        !matches!(self, Self::Folder(error) if !error.is_bad_input())
    }
}

/// Result of joining folders.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Merged {
    /// Number of records.
    pub records: usize,
    /// Number of cells of the plan without a record.
    pub missing: u64,
    /// Places of the folders that lack records of their own shards, and how many.
    pub short: Vec<(usize, u64)>,
}

/// Joins folders into a new one.
pub fn merge(parts: &[PathBuf], out: &Path) -> Result<Merged, MergeError> {
    let mut joined = Joined { parts, ..Joined::default() };
    (0..parts.len()).try_for_each(|part| joined.add(part))?;
    joined.write(out)
}

/// Contents of the parts, which are joined one by one.
#[derive(Default)]
struct Joined<'a> {
    parts: &'a [PathBuf],
    /// Description of the whole, once the first part is known.
    description: Option<Description>,
    file: ExperimentFile,
    records: Vec<Record>,
    /// Place of the part that holds a cell: the same folder named twice is two parts that overlap.
    owners: BTreeMap<u64, usize>,
    /// Number of cells that each part is to hold.
    own_cells: Vec<u64>,
    sessions: Vec<Value>,
    judgements: Vec<Judgement>,
    /// Subjects and moves of the judgements.
    judged: BTreeSet<(Subject, Option<Word>)>,
    notes: Vec<String>,
}

impl Joined<'_> {
    /// Adds the part at a place.
    fn add(&mut self, part: usize) -> Result<(), MergeError> {
        let folder = &self.parts[part];
        let description = folder::description(folder)?;
        self.own_cells.push(description.own_cells);
        match &self.description {
            None => {
                self.file = folder::file(folder)?;
                let own_cells = description.cells;
                self.description = Some(Description { shard: None, own_cells, ..description.clone() });
            }
            Some(known) => {
                let unlike = |what| MergeError::Unlike { first: self.parts[0].clone(), other: folder.clone(), what };
                if known.plan != description.plan {
                    return Err(unlike("they hold different plans"));
                }
                if known.signature != description.signature {
                    return Err(unlike("they come from different versions of the search"));
                }
            }
        }
        self.add_records(part)?;
        self.notes.extend(description.notes);
        self.sessions.extend(folder::sessions(folder)?);
        self.add_judgements(part)
    }

    /// Adds the records of a part, which no other part may have.
    fn add_records(&mut self, part: usize) -> Result<(), MergeError> {
        let mut held = journal::read(&self.parts[part])?;
        self.note(part, &held.warnings);
        for record in &held.records {
            let owner = *self.owners.entry(record.index).or_insert(part);
            if owner != part {
                let [first, other] = [owner, part].map(|part| self.parts[part].clone());
                return Err(MergeError::Overlap { first, other, position: record.cell.position.to_string() });
            }
        }
        self.records.append(&mut held.records);
        Ok(())
    }

    /// Adds the judgements of a part. Several parts may have judged the same move: by the same search, so that one is
    /// as good as the other.
    fn add_judgements(&mut self, part: usize) -> Result<(), MergeError> {
        let held = journal::read_lines::<Judgement>(&self.parts[part])?;
        self.note(part, &held.warnings);
        for judgement in held.records {
            if self.judged.insert((judgement.subject.clone(), judgement.chosen.clone())) {
                self.judgements.push(judgement);
            }
        }
        Ok(())
    }

    /// Notes in the description of the whole which lines of a part are left out: its journal does not show it.
    fn note(&mut self, part: usize, warnings: &[String]) {
        let folder = self.parts[part].display();
        self.notes.extend(warnings.iter().map(|warning| format!("{folder}: {warning}")));
    }

    /// Writes the folder of the whole; none if there are no parts.
    fn write(mut self, out: &Path) -> Result<Merged, MergeError> {
        let Some(description) = self.description else { return Ok(Merged::default()) };
        let description = Description { notes: distinct(self.notes), ..description };
        self.records.sort_by_key(|record| (record.index, record.attempt));
        let (folder, mut journal) = RunFolder::open(out, &description, &self.file, false, drop)?;
        for record in &self.records {
            journal.append(record)?;
        }
        if !self.judgements.is_empty() {
            let mut kept = Journal::open(&folder.path, drop)?;
            for judgement in &self.judgements {
                kept.append(judgement)?;
            }
        }
        folder.add_sessions(self.sessions)?;
        let missing = description.cells - self.owners.len() as u64;
        let held = |part: usize| self.owners.values().filter(|owner| **owner == part).count() as u64;
        let lacking = |(part, own_cells): (usize, &u64)| (part, own_cells.saturating_sub(held(part)));
        let short = self.own_cells.iter().enumerate().map(lacking).filter(|(_, lacking)| *lacking > 0).collect();
        Ok(Merged { records: self.records.len(), missing, short })
    }
}

#[cfg(test)]
mod tests {
    use super::super::cell::{Cell, Configuration, MachineKind};
    use super::super::description::FORMAT;
    use super::super::result::CellResult;
    use super::*;

    fn record(index: u64) -> Record {
        let configuration = Configuration::sample(MachineKind::Virtual, "sequential", 1);
        let cell = Cell {
            configuration: configuration.into(),
            position: format!("P{index}").into(),
            fen: "8/8/8/8/8/4k3/4p3/4K3 b - - 0 1".into(),
            depth: None,
            seed: 0,
            repetition: 0,
        };
        Record {
            index,
            cell,
            attempt: 0,
            result: CellResult::Failed("not tried".to_owned()),
            surroundings: None,
            started: 0.0,
            host_s: 0.0,
            session: Word::default(),
        }
    }

    /// A folder with a part of a plan of four cells, which is to hold two of them.
    fn part(place: &Path, name: &str, plan: &str, signature: u64, indices: &[u64]) -> PathBuf {
        let path = place.join(name);
        let (plan, format) = (plan.to_owned(), FORMAT);
        let description = Description { plan, format, signature, cells: 4, own_cells: 2, ..Description::default() };
        let file = ExperimentFile { text: "{}".to_owned(), positions: Some("of it".to_owned()) };
        let open = |path: &Path, description: &Description| RunFolder::open(path, description, &file, false, drop);
        let (_folder, mut journal): (_, Journal) = open(&path, &description).unwrap();
        indices.iter().for_each(|index| journal.append(&record(*index)).unwrap());
        path
    }

    #[test]
    fn parts_must_belong_together() {
        let place = std::env::temp_dir().join(format!("splitpoint-merge-{}", std::process::id()));
        let one = part(&place, "one", "p", 1, &[0, 2]);
        let two = part(&place, "two", "p", 1, &[1]);
        let overlapping = part(&place, "overlapping", "p", 1, &[2, 3]);
        let foreign = part(&place, "foreign", "q", 1, &[3]);
        let other_search = part(&place, "other-search", "p", 2, &[3]);
        for (parts, expected) in [
            (vec![&one, &foreign], "different plans"),
            (vec![&one, &other_search], "they come from different versions of the search"),
            (vec![&one, &two, &overlapping], "hold the same cells, for example of P2"),
            (vec![&one, &one], "hold the same cells, for example of P0"),
            (vec![&one, &place], "this is not a run folder"),
        ] {
            let parts: Vec<PathBuf> = parts.into_iter().cloned().collect();
            let error = merge(&parts, &place.join("out")).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
            assert!(!place.join("out").exists(), "nothing is begun that cannot be finished");
        }
        assert!(matches!(
            merge(&[one.clone(), two.clone()], &one),
            Err(MergeError::Folder(FolderError::Taken(path))) if path == one
        ));

        // Cell 3 has no record yet, which the second part lacks.
        let merged = merge(&[one, two], &place.join("out")).unwrap();
        assert_eq!(merged, Merged { records: 3, missing: 1, short: vec![(1, 1)] });
        let records = journal::read(&place.join("out")).unwrap().records;
        let cells: Vec<(u64, &str)> =
            records.iter().map(|record| (record.index, record.cell.position.as_str())).collect();
        assert_eq!(cells, [(0, "P0"), (1, "P1"), (2, "P2")]);
        let kept = folder::description(&place.join("out")).unwrap();
        assert_eq!((kept.cells, kept.own_cells, kept.shard), (4, 4, None));
        let file = folder::file(&place.join("out")).unwrap();
        assert_eq!((file.text.as_str(), file.positions.as_deref()), ("{}", Some("of it")));
        std::fs::remove_dir_all(place).unwrap();
    }
}
