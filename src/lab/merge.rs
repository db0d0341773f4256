//! Joining shards: the records of several folders that each ran a part of one plan become those of one folder, after a check
//! that they belong together.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::description::Description;
use super::folder::{self, FolderError, RunFolder};
use super::journal;
use super::record::Record;

/// Why folders cannot be joined.
#[derive(Debug, thiserror::Error)]
pub enum MergeError {
    /// Parts of different plans, or made by different searches.
    #[error("{} and {} do not belong together: {what}", first.display(), other.display())]
    Unlike {
        /// A folder.
        first: PathBuf,
        /// One that does not fit it.
        other: PathBuf,
        /// What differs.
        what: &'static str,
    },
    /// The same cell was measured in both.
    #[error("{} and {} hold the same cells, as that of {position}: they are no parts of one run", first.display(), other.display())]
    Overlap {
        /// A folder.
        first: PathBuf,
        /// Another.
        other: PathBuf,
        /// The position of the first such cell.
        position: String,
    },
    /// One of them cannot be read, or the new one not be written.
    #[error(transparent)]
    Folder(#[from] FolderError),
}

/// What came of joining.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Merged {
    /// Records.
    pub records: usize,
    /// Cells of the plan without one.
    pub missing: u64,
}

/// Joins folders into a new one.
pub fn merge(parts: &[PathBuf], out: &Path) -> Result<Merged, MergeError> {
    let mut whole: Option<(PathBuf, Description)> = None;
    let mut records: Vec<Record> = Vec::new();
    let mut owners: BTreeMap<u64, PathBuf> = BTreeMap::new();
    let mut sessions: Vec<Value> = Vec::new();
    let mut file = String::new();
    for part in parts {
        let description = folder::description(part)?;
        match &whole {
            None => {
                // The file is kept for readers; a folder without it can be joined all the same.
                file = std::fs::read_to_string(part.join("experiment.toml")).unwrap_or_default();
                whole = Some((
                    part.clone(),
                    Description { shard: None, own_cells: description.cells, ..description.clone() },
                ));
            }
            Some((first, known)) => {
                let unlike = |what| MergeError::Unlike { first: first.clone(), other: part.clone(), what };
                if known.plan != description.plan {
                    return Err(unlike("they are parts of different plans"));
                }
                if known.signature != description.signature {
                    return Err(unlike("the search was another one"));
                }
            }
        }
        let planned = description.cells;
        let mut own = journal::read(part).map_err(FolderError::from)?;
        // What was added to the plan has a number in its own folder only.
        let next = records.iter().map(|record| record.index + 1).max().unwrap_or(0).max(planned);
        own.iter_mut().filter(|record| record.index >= planned).for_each(|record| record.index += next - planned);
        for record in &own {
            let owner = owners.entry(record.index).or_insert_with(|| part.clone());
            if owner != part {
                let position = record.cell.position.clone();
                return Err(MergeError::Overlap { first: owner.clone(), other: part.clone(), position });
            }
        }
        records.append(&mut own);
        let environment = folder::environment(part)?;
        sessions.extend(environment.get("sessions").and_then(Value::as_array).cloned().unwrap_or_default());
    }
    let Some((_, description)) = whole else { return Ok(Merged { records: 0, missing: 0 }) };
    records.sort_by_key(|record| (record.index, record.attempt));
    let (folder, mut journal, _) = RunFolder::open(out, &description, &file, false)?;
    for record in &records {
        journal.append(record).map_err(FolderError::from)?;
    }
    folder.write_environment(&json!({ "sessions": sessions }))?;
    let measured: BTreeSet<u64> = records.iter().map(|record| record.index).collect();
    let missing = (0..description.cells).filter(|index| !measured.contains(index)).count() as u64;
    Ok(Merged { records: records.len(), missing })
}
