//! Records among which new ones may stand. An experiment that was changed, or made larger, need not measure again what
//! another folder holds of the same searches by the same search; but times on real processors of two computers are
//! never divided by each other, whether they are taken over or a run is resumed.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use serde_json::Value;

use crate::record::folder::{self, FolderError, RunFolder};
use crate::record::journal::{self, Journal};
use crate::record::{Cell, CellResult, Environment, Record, Session, Word};
use crate::search::signature;

/// Takes over from `other` what was measured of those of the indexed cells that have no record yet. Returns the number
/// of records.
///
/// # Errors
/// If that folder cannot be read, if its search was another one, or if it holds searches on real processors of another
/// computer or by another version: real times of one computer never divide those of another.
pub fn reuse(
    cells: &[(u64, &Cell)],
    other: &Path,
    (folder, session): (&RunFolder, &Session),
    journal: &mut Journal,
    records: &mut Vec<Record>,
) -> Result<usize, FolderError> {
    let known: HashSet<u64> = records.iter().map(|record| record.index).collect();
    let wanted = reusable(cells.iter().filter(|(index, _)| !known.contains(index)), other, session)?;
    let mut sessions = HashSet::new();
    let mut taken = 0;
    for (index, record) in wanted {
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

/// Records of the folder `other` that stand for cells of a plan, each with the place of its cell.
///
/// # Errors
/// As [`reuse`].
pub fn reusable<'a>(
    cells: impl Iterator<Item = &'a (u64, &'a Cell)>,
    other: &Path,
    session: &Session,
) -> Result<Vec<(u64, Record)>, FolderError> {
    let (theirs, ours) = (folder::description(other)?.signature, signature::recorded());
    if theirs != ours {
        let reason = format!("they come from another version of the search (signature {theirs} there, {ours} here)");
        return Err(FolderError::Foreign { path: other.to_owned(), reason });
    }
    let places: HashMap<&Cell, u64> = cells.map(|&(index, cell)| (cell, index)).collect();
    let known_there = Environment::read(&folder::environment(other)?).sessions;
    let made_in = |record: &Record| known_there.iter().find(|one| one.id == record.session);
    let held = journal::read(other)?;
    let wanted: Vec<(u64, Record)> = held
        .records
        .into_iter()
        .filter(|record| record.measured().is_some() || matches!(record.result, CellResult::Micro(_)))
        .filter_map(|record| Some((*places.get(&record.cell)?, record)))
        .collect();
    // All are checked before any is taken.
    for (_, record) in &wanted {
        let reason = match made_in(record) {
            Some(there) => refusal(there, session, record.is_real()),
            None => Some(format!("the record of {} does not belong to any session", record.cell.position)),
        };
        if let Some(reason) = reason {
            return Err(FolderError::Foreign { path: other.to_owned(), reason });
        }
    }
    Ok(wanted)
}

/// Makes sure that a run is resumed on the computer that made its records on real processors. These name the
/// sessions.
///
/// # Errors
/// If that was another computer.
pub fn on_same_computer(folder: &Path, sessions: &HashSet<Word>, here: &Session) -> Result<(), FolderError> {
    let known = Environment::read(&folder::environment(folder)?).sessions;
    let described = known.iter().filter(|one| sessions.contains(one.id.as_str()) && !one.host.is_null());
    match described.filter_map(|there| other_computer(there, here)).next() {
        Some(reason) => Err(FolderError::Changed { path: folder.to_owned(), reason }),
        None => Ok(()),
    }
}

/// Reason why a record of that session cannot stand among those of this one, if there is one.
fn refusal(there: &Session, here: &Session, is_real: bool) -> Option<String> {
    if there.version != here.version {
        return Some(format!("they were made by version {}, and this is version {}", there.version, here.version));
    }
    other_computer(there, here).filter(|_| is_real)
}

/// Reason why records on real processors of these sessions cannot be compared, if there is one.
fn other_computer(there: &Session, here: &Session) -> Option<String> {
    let (theirs, ours) = (computer(&there.host), computer(&here.host));
    (theirs != ours).then(|| {
        format!(
            "the searches on real processors were made on another computer ({theirs} there, {ours} here), and real \
             times of two computers cannot be compared"
        )
    })
}

/// Identity of a computer in words: its name and its processors. In a container the name is made up anew.
fn computer(host: &Value) -> String {
    let is_container = host["container"].is_string();
    let parts = ["name", "processor", "machine", "logical_cpus", "cores"];
    let named = parts.into_iter().filter(|part| *part != "name" || !is_container);
    let text = |part: &str| match &host[part] {
        Value::Null => None,
        Value::String(text) => Some(text.clone()),
        other => Some(format!("{} {other}", part.replace('_', " "))),
    };
    let parts: Vec<String> = named.filter_map(text).collect();
    if parts.is_empty() { "unknown".to_owned() } else { parts.join(", ") }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn real_records_of_another_computer_are_refused() {
        let session = |host: Value, version: &str| Session { host, version: version.into(), ..Session::default() };
        let host = |name: &str, processor: &str, container: bool| {
            let container = container.then_some("docker");
            json!({"name": name, "processor": processor, "logical_cpus": 8, "container": container})
        };
        let here = session(host("a", "EPYC", false), "1");
        for (there, is_real, expected) in [
            (session(host("a", "EPYC", false), "1"), true, None),
            (session(host("b", "EPYC", false), "1"), true, Some("(b, EPYC, logical cpus 8 there, a, EPYC,")),
            (session(host("a", "Xeon", false), "1"), true, Some("another computer (a, Xeon, ")),
            (session(Value::Null, "1"), true, Some("(unknown there")),
            // A virtual machine is the same on every computer, but not of every version.
            (session(host("b", "Xeon", false), "1"), false, None),
            (session(host("a", "EPYC", false), "0"), false, Some("by version 0, and this is version 1")),
            (session(host("a", "EPYC", false), "0"), true, Some("by version 0, and this is version 1")),
        ] {
            let reason = refusal(&there, &here, is_real);
            assert_eq!(reason.is_some(), expected.is_some(), "{there:?}");
            assert!(expected.is_none_or(|text| reason.as_ref().unwrap().contains(text)), "{reason:?}");
        }
        let here = session(host("a1", "EPYC", true), "1");
        assert_eq!(refusal(&session(host("a2", "EPYC", true), "1"), &here, true), None, "a container's name");
    }
}
