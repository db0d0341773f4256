//! A run folder: the experiment, its journal, the environment, and a lock that keeps a second process off.
//!
//! `experiment.json` says what was asked ([`Description`]), `experiment.toml` is the file that asks it again, with
//! `positions.epd` beside it if the positions came from a file, `journal.jsonl` holds the records, and
//! `environment.json` the sessions in which they were made.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::description::{Description, FORMAT, OLDEST_FORMAT};
pub use super::folder_error::FolderError;
use super::journal::{JOURNAL, Journal};
use super::own_file::{made_anew, refuse_link, rename};
use super::result::Record;

/// Name of the file that describes the experiment to readers of its results.
pub const EXPERIMENT: &str = "experiment.json";
/// Name of the file of the sessions in which the records were made.
pub const ENVIRONMENT: &str = "environment.json";
pub(super) const LOCK: &str = ".lock";
/// Name of the experiment file's positions, if they came from a file.
pub const POSITIONS: &str = "positions.epd";
/// Name of the experiment file.
pub const FILE: &str = "experiment.toml";

/// An experiment file, with the file of positions that it names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ExperimentFile {
    /// Text of the experiment file.
    pub text: String,
    /// Text of the file of positions, if they come from one.
    pub positions: Option<String>,
}

/// A folder that this process has for itself.
#[derive(Debug)]
pub struct RunFolder {
    /// Path of the folder.
    pub path: PathBuf,
    // Dropping it gives the lock back.
    _lock: File,
}

/// Files that say what a folder holds, and that in words.
const KINDS: [(&str, &str); 5] = [
    (EXPERIMENT, "an experiment"),
    (MATCH, "a match"),
    (TUNING, "games for tuning"),
    (TOURNAMENT, "a tournament"),
    (CLAIMS, "claims"),
];
/// Name of the file that describes a match.
pub const MATCH: &str = "match.json";
/// Name of the file that describes the games of a tuning.
pub const TUNING: &str = "games.json";
/// Name of the file that describes a tournament. A match has it too.
pub const TOURNAMENT: &str = "tournament.json";
/// Name of the file of published claims, beside the folders of the runs that test them.
pub const CLAIMS: &str = "claims.toml";

/// Makes a folder, unless it is there, and takes it for this process until the result is dropped. `kind` is the file
/// that says what it is going to hold.
///
/// # Errors
/// If another process has it, or if it holds something of another kind.
pub fn take(path: &Path, kind: &str) -> Result<File, FolderError> {
    std::fs::create_dir_all(path).map_err(FolderError::io(path))?;
    let is_other = |other: &str| other != kind && !(kind == MATCH && other == TOURNAMENT) && path.join(other).exists();
    if let Some((file, what)) = KINDS.iter().find(|(other, _)| is_other(other)) {
        return Err(FolderError::damaged(path, format!("it holds {what} ({file}): choose another folder with --out")));
    }
    let lock_path = path.join(LOCK);
    refuse_link(&lock_path)?;
    let lock = OpenOptions::new().write(true).create(true).truncate(false).open(&lock_path);
    let lock = lock.map_err(FolderError::io(&lock_path))?;
    lock.try_lock().map_err(|error| match error {
        TryLockError::WouldBlock => FolderError::InUse(path.to_owned()),
        TryLockError::Error(error) => FolderError::Io { path: lock_path, error },
    })?;
    Ok(lock)
}

/// Description of the experiment in a folder.
///
/// # Errors
/// If there is none, or if it is of a format that this program does not read.
pub fn description(folder: &Path) -> Result<Description, FolderError> {
    let path = folder.join(EXPERIMENT);
    let file: Value = read_json(&path)?.ok_or_else(|| FolderError::no_run_folder(folder, EXPERIMENT))?;
    // Before anything else: a file of another format may be one that cannot be read.
    is_of_format(folder, &file)?;
    serde_json::from_value(file).map_err(|error| FolderError::damaged(&path, error))
}

/// Makes sure that a folder whose description is this file is of a format that this program reads.
fn is_of_format(folder: &Path, file: &Value) -> Result<(), FolderError> {
    let format = file["format"].as_u64().unwrap_or(1);
    if (u64::from(OLDEST_FORMAT)..=u64::from(FORMAT)).contains(&format) {
        return Ok(());
    }
    let version = file["version"].as_str().unwrap_or("an unknown version").to_owned();
    Err(FolderError::OtherFormat { path: folder.to_owned(), version, format })
}

/// Makes sure that the records of a folder, if something describes them, are of a format that this program reads.
///
/// # Errors
/// If they are not, or if the description cannot be read.
pub fn can_be_read(folder: &Path) -> Result<(), FolderError> {
    read_json(&folder.join(EXPERIMENT))?.map_or(Ok(()), |file| is_of_format(folder, &file))
}

/// Contents of a folder's `environment.json`; null if it has no such file.
pub fn environment(folder: &Path) -> Result<Value, FolderError> {
    Ok(read_json(&folder.join(ENVIRONMENT))?.unwrap_or_default())
}

/// Sessions in which a folder's records were made, as JSON.
pub fn sessions(folder: &Path) -> Result<Vec<Value>, FolderError> {
    Ok(environment(folder)?.get("sessions").and_then(Value::as_array).cloned().unwrap_or_default())
}

/// Adds sessions to a folder's `environment.json`.
pub fn add_sessions(folder: &Path, more: impl IntoIterator<Item = Value>) -> Result<(), FolderError> {
    let mut sessions = sessions(folder)?;
    sessions.extend(more);
    write_json(&folder.join(ENVIRONMENT), &json!({ "sessions": sessions }))
}

/// Contents of a JSON file; `None` if there is no such file.
pub fn read_json<T: DeserializeOwned>(path: &Path) -> Result<Option<T>, FolderError> {
    let value = contents(path)?.map(|bytes| serde_json::from_slice(&bytes));
    value.transpose().map_err(|error| FolderError::damaged(path, error))
}

/// Contents of a file; `None` if there is no such file.
fn contents(path: &Path) -> Result<Option<Vec<u8>>, FolderError> {
    match std::fs::read(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(FolderError::io(path)(error)),
    }
}

/// Experiment file in a folder. It is kept for readers: a folder without one is as good.
pub fn file(folder: &Path) -> ExperimentFile {
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).ok();
    ExperimentFile { text: read(FILE).unwrap_or_default(), positions: read(POSITIONS) }
}

/// Writes a file so that at every moment the old one or the new one is there whole.
pub fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    write_whole_by(path, |file| file.write_all(bytes))
}

/// Writes a file by a function, so that at every moment the old one or the new one is there whole.
pub fn write_whole_by(path: &Path, write: impl FnOnce(&mut File) -> io::Result<()>) -> io::Result<()> {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".new");
    let beside = path.with_file_name(name);
    let mut file = made_anew(&beside)?;
    write(&mut file)?;
    file.sync_data()?;
    rename(&beside, path)
}

/// Writes a JSON file so that at every moment the old one or the new one is there whole.
pub fn write_json(path: &Path, value: &impl Serialize) -> Result<(), FolderError> {
    let text = serde_json::to_string_pretty(value).map_err(|error| FolderError::damaged(path, error))?;
    write_whole(path, (text + "\n").as_bytes()).map_err(FolderError::io(path))
}

impl RunFolder {
    /// Makes a folder for an experiment, or takes one up again. `known` gets the records of its journal.
    ///
    /// # Errors
    /// If it is not to be resumed and holds a run; if it is and holds one of another experiment; if it is in use.
    pub fn open(
        path: &Path,
        experiment: &Description,
        file: &ExperimentFile,
        resumes: bool,
        known: impl FnMut(Record),
    ) -> Result<(Self, Journal, Vec<String>), FolderError> {
        let folder = Self { path: path.to_owned(), _lock: take(path, EXPERIMENT)? };
        if !path.join(EXPERIMENT).exists() {
            if path.join(JOURNAL).metadata().is_ok_and(|file| file.len() > 0) {
                let reason = format!("it has a {JOURNAL}, but no {EXPERIMENT} that describes its plan");
                return Err(FolderError::damaged(path, reason));
            }
        } else {
            if !resumes {
                return Err(FolderError::Taken(path.to_owned()));
            }
            let changes = changes(&description(path)?, experiment);
            if let Some(reason) = changes {
                return Err(FolderError::Changed { path: path.to_owned(), reason });
            }
        }
        // Before anything is written, so that a folder with a damaged journal stays as it is.
        let (journal, warnings) = Journal::open(path, known)?;
        folder.write(FILE, file.text.as_bytes())?;
        if let Some(positions) = &file.positions {
            folder.write(POSITIONS, positions.as_bytes())?;
        }
        folder.describe(experiment)?;
        Ok((folder, journal, warnings))
    }

    /// Writes the description of the experiment anew.
    pub fn describe(&self, experiment: &Description) -> Result<(), FolderError> {
        write_json(&self.path.join(EXPERIMENT), experiment)
    }

    /// Adds sessions to `environment.json`.
    pub fn add_sessions(&self, more: impl IntoIterator<Item = Value>) -> Result<(), FolderError> {
        add_sessions(&self.path, more)
    }

    fn write(&self, name: &str, bytes: &[u8]) -> Result<(), FolderError> {
        let path = self.path.join(name);
        write_whole(&path, bytes).map_err(FolderError::io(&path))
    }
}

/// First difference that makes records of one experiment unfit for another.
fn changes(then: &Description, now: &Description) -> Option<String> {
    if then.plan != now.plan {
        return Some(format!("the experiment has changed (plan {} then, {} now)", then.plan, now.plan));
    }
    if then.signature != now.signature {
        return Some(format!("the search has changed (signature {} then, {} now)", then.signature, now.signature));
    }
    let shard = |shard: Option<(u32, u32)>| shard.map_or("the whole plan".into(), |(i, n)| format!("shard {i}/{n}"));
    (then.shard != now.shard).then(|| format!("it holds {}, and {} was asked for", shard(then.shard), shard(now.shard)))
}
