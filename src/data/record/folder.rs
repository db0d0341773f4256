//! A run folder: the experiment, its journal, the environment, and a lock that keeps a second process off.
//!
//! `experiment.json` says what was asked ([`Description`]), `experiment.toml` is the file that asks it again, with
//! `positions.epd` beside it if the positions came from a file, `journal.jsonl` holds the records, and
//! `environment.json` the sessions in which they were made. JSON files have checksums ([`sealed`]).

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::description::{Description, FORMAT, OLDEST_FORMAT};
pub use super::folder_error::FolderError;
use super::journal::{JOURNAL, Journal};
pub use super::own_file::open;
use super::own_file::{contents, made_anew, refuse_link, rename};
use super::result::Record;
use super::seal::{Contents, has_checksums, sealed, unknown_key};

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
const KINDS: [(&str, &str); 6] = [
    (EXPERIMENT, "an experiment"),
    (MATCH, "a match"),
    (TUNING, "games for tuning"),
    (TOURNAMENT, "a tournament"),
    (CLAIMS, "claims"),
    (CONTRIBUTION, "a contribution"),
];
/// Name of the file that describes a match.
pub const MATCH: &str = "match.json";
/// Name of the file that describes the games of a tuning.
pub const TUNING: &str = "games.json";
/// Name of the file that describes a tournament. A match has it too.
pub const TOURNAMENT: &str = "tournament.json";
/// Name of the file of what a computer contributes.
pub const CONTRIBUTION: &str = "contribution.json";
/// Name of the file of published claims, beside the folders of the runs that test them.
pub const CLAIMS: &str = "claims.toml";

/// Makes a folder, unless it is there, and takes it for this process until the result is dropped. `kind` is the file
/// that says what it is going to hold.
///
/// # Errors
/// If another process has it, or if it holds something of another kind.
pub fn take(path: &Path, kind: &str) -> Result<File, FolderError> {
    let is_locked =
        |error: &io::Error| matches!(error.kind(), ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem);
    let refused = |path: &Path, error: io::Error| match is_locked(&error) {
        true => FolderError::damaged(path, format!("{error}: choose another folder with --out")),
        false => FolderError::io(path)(error),
    };
    std::fs::create_dir_all(path).map_err(|error| refused(path, error))?;
    let is_other = |other: &str| other != kind && !(kind == MATCH && other == TOURNAMENT) && path.join(other).exists();
    if let Some((file, what)) = KINDS.iter().find(|(other, _)| is_other(other)) {
        return Err(FolderError::damaged(path, format!("it holds {what} ({file}): choose another folder with --out")));
    }
    let lock_path = path.join(LOCK);
    refuse_link(&lock_path)?;
    let lock = OpenOptions::new().write(true).create(true).truncate(false).open(&lock_path);
    let lock = lock.map_err(|error| refused(&lock_path, error))?;
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
    described(&path)?.ok_or_else(|| FolderError::no_run_folder(folder, EXPERIMENT))
}

/// Description in a file that states its format; `None` if there is no such file.
///
/// # Errors
/// If it is of a format that this program does not read; or if one of the present format is damaged, or has an unknown
/// key.
pub(super) fn described<T: Serialize + DeserializeOwned>(path: &Path) -> Result<Option<T>, FolderError> {
    let Some(file) = json_contents(path)? else { return Ok(None) };
    // Before anything else: a file of another format may be one that cannot be read.
    let format = checked(path, &file)?;
    let damaged = |error| FolderError::damaged(path, error);
    let read: T = T::deserialize(&file.value).map_err(damaged)?;
    if format == u64::from(FORMAT) {
        let known = serde_json::to_value(&read).map_err(damaged)?;
        if let Some(key) = unknown_key(&file.value, &known) {
            return Err(FolderError::damaged(
                path,
                format!("it has the key {key}, which is unknown in format {format}"),
            ));
        }
    }
    Ok(Some(read))
}

/// Format of a file that describes a folder: one that this program reads, and with the checksum that it asks for.
fn checked(path: &Path, file: &Contents) -> Result<u64, FolderError> {
    let format = format_of(path, &file.value)?;
    file.check(format).map_err(|reason| FolderError::damaged(path, reason))?;
    Ok(format)
}

/// Rules for the lines of a folder's journals.
#[derive(Clone, Copy, Debug, Default)]
pub struct Rules {
    /// Whether all of them must have checksums.
    pub requires_checksums: bool,
    /// Number of cells of the plan, if it is known.
    pub cells: Option<u64>,
}

/// Rules for the lines of a folder's journals, by the first file that describes it.
///
/// # Errors
/// If it is of a format that this program does not read, or cannot be read.
pub fn rules(folder: &Path) -> Result<Rules, FolderError> {
    let described = described_by(folder)?;
    Ok(described.map_or_else(Rules::default, |(format, file)| Rules {
        requires_checksums: has_checksums(format),
        cells: file["cells"].as_u64(),
    }))
}

/// Format of the files of a folder, and the first file that describes it; none if nothing does.
fn described_by(folder: &Path) -> Result<Option<(u64, Value)>, FolderError> {
    for (name, _) in KINDS.iter().filter(|(name, _)| *name != CLAIMS) {
        let path = folder.join(name);
        if let Some(file) = json_contents(&path)? {
            return Ok(Some((checked(&path, &file)?, file.value)));
        }
    }
    Ok(None)
}

/// Format that this file gives, which must be one that this program reads.
fn format_of(path: &Path, file: &Value) -> Result<u64, FolderError> {
    // Descriptions of games had none before format 4.
    let before = if path.ends_with(EXPERIMENT) { 1 } else { OLDEST_FORMAT };
    let format = file["format"].as_u64().unwrap_or(before.into());
    if (u64::from(OLDEST_FORMAT)..=u64::from(FORMAT)).contains(&format) {
        return Ok(format);
    }
    let version = file["version"].as_str().unwrap_or("an unknown version").to_owned();
    let folder = path.parent().unwrap_or(path);
    Err(FolderError::OtherFormat { path: folder.to_owned(), version, format })
}

/// Contents of a folder's `environment.json`; null if it has no such file.
pub fn environment(folder: &Path) -> Result<Value, FolderError> {
    let path = folder.join(ENVIRONMENT);
    let Some(file) = json_contents(&path)? else { return Ok(Value::Null) };
    let format = described_by(folder)?.map_or(OLDEST_FORMAT.into(), |(format, _)| format);
    file.check(format).map_err(|reason| FolderError::damaged(&path, reason))?;
    Ok(file.value)
}

/// Gives the `environment.json` of a folder its checksum, if it is from before files had one: the folder is about to be
/// described in the present format.
pub fn renew_environment(folder: &Path) -> Result<(), FolderError> {
    if folder.join(ENVIRONMENT).exists() && !rules(folder)?.requires_checksums {
        add_sessions(folder, [])
    } else {
        Ok(())
    }
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

/// Contents of a JSON file, whose checksum must be right if it has one; `None` if there is no such file.
pub fn read_json<T: DeserializeOwned>(path: &Path) -> Result<Option<T>, FolderError> {
    let value = json_contents(path)?.map(|file| T::deserialize(file.value));
    value.transpose().map_err(|error| FolderError::damaged(path, error))
}

fn json_contents(path: &Path) -> Result<Option<Contents>, FolderError> {
    let read = contents(path)?.map(|bytes| Contents::read(&bytes));
    read.transpose().map_err(|reason| FolderError::damaged(path, reason))
}

/// Description of games in a folder, with the format that [`describe_games`] gave it; `None` if there is no such file.
pub fn games_described(path: &Path) -> Result<Option<Value>, FolderError> {
    let Some(mut file) = json_contents(path)? else { return Ok(None) };
    checked(path, &file)?;
    if let Value::Object(fields) = &mut file.value {
        fields.remove("format");
    }
    Ok(Some(file.value))
}

/// Writes the description of games into a folder, in the present format.
pub fn describe_games(path: &Path, description: &Value) -> Result<(), FolderError> {
    let mut described = description.clone();
    described["format"] = FORMAT.into();
    write_json(path, &described)
}

/// Experiment file in a folder. It is kept for readers: a folder without one is as good.
///
/// # Errors
/// If something else stands in its place, such as a link to a file that is none of the folder's.
pub fn file(folder: &Path) -> Result<ExperimentFile, FolderError> {
    let read = |name: &str| text(&folder.join(name));
    Ok(ExperimentFile { text: read(FILE)?.unwrap_or_default(), positions: read(POSITIONS)? })
}

/// Text of a regular file; `None` if there is none.
pub fn text(path: &Path) -> Result<Option<String>, FolderError> {
    let text = contents(path)?.map(String::from_utf8);
    text.transpose().map_err(|error| FolderError::damaged(path, error))
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
    let written = write(&mut file).and_then(|()| file.sync_data()).and_then(|()| rename(&beside, path));
    if written.is_err() {
        // Half a file beside the old one is of no use to anybody.
        let _ = std::fs::remove_file(&beside);
    }
    written
}

/// Writes a JSON file with its checksum, so that at every moment the old one or the new one is there whole.
pub fn write_json(path: &Path, value: &impl Serialize) -> Result<(), FolderError> {
    let text = serde_json::to_string_pretty(value).map_err(|error| FolderError::damaged(path, error))?;
    write_whole(path, sealed(&text).as_bytes()).map_err(FolderError::io(path))
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
    ) -> Result<(Self, Journal), FolderError> {
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
            holds(path, experiment)?;
        }
        // Before anything is written, so that a folder with a damaged journal stays as it is.
        let journal = Journal::open(path, known)?;
        folder.write(FILE, file.text.as_bytes())?;
        if let Some(positions) = &file.positions {
            folder.write(POSITIONS, positions.as_bytes())?;
        }
        renew_environment(path)?;
        folder.describe(experiment)?;
        Ok((folder, journal))
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

/// Makes sure that the records of a folder are of this experiment.
///
/// # Errors
/// If they are of another one, of another search or of another part of the plan.
pub fn holds(path: &Path, experiment: &Description) -> Result<(), FolderError> {
    match changes(&description(path)?, experiment) {
        Some(reason) => Err(FolderError::Changed { path: path.to_owned(), reason }),
        None => Ok(()),
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
