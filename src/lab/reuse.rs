//! Taking over records: an experiment that was changed, or made larger, need not measure again what another folder
//! holds of the same searches by the same search.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use serde_json::Value;

use super::plan::Plan;
use crate::record::folder::{self, FolderError, RunFolder};
use crate::record::journal::{self, Journal};
use crate::record::{Cell, Record};

/// Takes over from `other` what was measured of cells that are wanted and have no record yet. Returns how many records.
///
/// # Errors
/// If that folder cannot be read, or its search was another one.
pub fn reuse(
    plan: &Plan,
    is_wanted: &[bool],
    other: &Path,
    folder: &RunFolder,
    journal: &mut Journal,
    records: &mut Vec<Record>,
) -> Result<usize, FolderError> {
    let (theirs, ours) = (folder::description(other)?, &plan.description);
    if theirs.signature != ours.signature {
        let reason =
            format!("its search was another one (signature {} there, {} here)", theirs.signature, ours.signature);
        return Err(FolderError::Damaged { path: other.to_owned(), reason });
    }
    let known: HashSet<u64> = records.iter().map(|record| record.index).collect();
    let wanted = plan
        .cells
        .iter()
        .zip(is_wanted)
        .enumerate()
        .filter(|(index, (_, is_wanted))| **is_wanted && !known.contains(&(*index as u64)));
    let places: HashMap<&Cell, u64> = wanted.map(|(index, (cell, _))| (cell, index as u64)).collect();
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
    let there = folder::environment(other)?;
    let of_record =
        |session: &&Value| session.get("id").and_then(Value::as_str).is_some_and(|id| sessions.contains(id));
    for session in there.get("sessions").and_then(Value::as_array).into_iter().flatten().filter(of_record) {
        folder.add_session(session)?;
    }
    Ok(taken)
}
