//! Taking over records: an experiment that was changed, or made larger, need not measure again what another folder
//! holds of the same searches by the same search.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use serde_json::Value;

use crate::record::folder::{self, FolderError, RunFolder};
use crate::record::journal::{self, Journal};
use crate::record::{Cell, Record};
use crate::search::signature;

/// Takes over from `other` what was measured of those of the indexed cells that have no record yet. Returns how many
/// records.
///
/// # Errors
/// If that folder cannot be read, or its search was another one.
pub fn reuse(
    cells: &[(u64, &Cell)],
    other: &Path,
    folder: &RunFolder,
    journal: &mut Journal,
    records: &mut Vec<Record>,
) -> Result<usize, FolderError> {
    let (theirs, ours) = (folder::description(other)?.signature, signature::recorded());
    if theirs != ours {
        let reason = format!("its search was another one (signature {theirs} there, {ours} here)");
        return Err(FolderError::Damaged { path: other.to_owned(), reason });
    }
    let known: HashSet<u64> = records.iter().map(|record| record.index).collect();
    let missing = cells.iter().filter(|(index, _)| !known.contains(index));
    let places: HashMap<&Cell, u64> = missing.map(|&(index, cell)| (cell, index)).collect();
    let mut sessions = HashSet::new();
    let mut taken = 0;
    for record in journal::read(other)?.into_iter().filter(|record| record.measured().is_some()) {
        let Some(&index) = places.get(&record.cell) else { continue };
        let attempt = records.iter().filter(|known| known.index == index).count() as u32;
        sessions.insert(record.session.clone());
        let record = Record { index, attempt, ..record };
        journal.append(&record)?;
        records.push(record);
        taken += 1;
    }
    // Records name the sessions in which they were made.
    let is_of_record =
        |session: &Value| session.get("id").and_then(Value::as_str).is_some_and(|id| sessions.contains(id));
    folder.add_sessions(folder::sessions(other)?.into_iter().filter(is_of_record))?;
    Ok(taken)
}
