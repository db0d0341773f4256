//! What can be wrong with a run folder.

use std::path::{Path, PathBuf};
use std::{fmt, io};

use super::description::{FORMAT, OLDEST_FORMAT};

/// Reason why a folder cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    /// A file or folder cannot be made, read or written.
    #[error("{}: {error}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// Error of the operating system.
        error: io::Error,
    },
    /// Another process has the folder.
    #[error("{} is in use: another splitpoint process runs an experiment there", .0.display())]
    InUse(PathBuf),
    /// The folder holds a run already.
    #[error("{} already holds a run\n  Complete it with --resume, or choose another folder with --out", .0.display())]
    Taken(PathBuf),
    /// The folder holds a run of something else.
    #[error("{} cannot be resumed: {reason}", path.display())]
    Changed {
        /// The folder.
        path: PathBuf,
        /// The difference.
        reason: String,
    },
    /// Records of the folder cannot stand among others.
    #[error("the records of {} cannot be reused: {reason}", path.display())]
    Foreign {
        /// The folder.
        path: PathBuf,
        /// The difference.
        reason: String,
    },
    /// The folder is of a version with another format.
    #[error("{}: {}", path.display(), of_other_format(version, *format))]
    OtherFormat {
        /// The folder.
        path: PathBuf,
        /// Version that made it.
        version: String,
        /// Format of its files.
        format: u64,
    },
    /// A file in the folder is not what it should be.
    #[error("{}: {reason}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Description of the damage.
        reason: String,
    },
    /// A journal cannot be written; the records in it are whole.
    #[error(
        "cannot write {}: {error}\n  All records in it are complete; free some space and continue with --resume",
        path.display()
    )]
    Unwritable {
        /// The journal.
        path: PathBuf,
        /// Error of the operating system.
        error: io::Error,
    },
    /// Somebody has deleted a journal that was being written.
    #[error("{} was deleted while it was being written: nothing that is measured would be kept", .0.display())]
    Deleted(PathBuf),
    /// A line of a journal before the last is no record.
    #[error("{}, line {line} is not a record: {error}", path.display())]
    NoRecord {
        /// The journal.
        path: PathBuf,
        /// Number of the line, from 1.
        line: usize,
        /// Error of the JSON parser.
        error: serde_json::Error,
    },
}

/// Why a folder of this version and format is not read, and what reads it.
fn of_other_format(version: &str, format: u64) -> String {
    if format > FORMAT.into() {
        return format!(
            "it was made by version {version} in format {format}, and this version reads formats up to {FORMAT}: use \
             the newer version"
        );
    }
    format!(
        "it was made by version {version} in format {format}, and this version reads formats from {OLDEST_FORMAT} on: \
         use splitpoint {version}"
    )
}

impl FolderError {
    /// Whether the user asked for something that cannot be; else something failed.
    pub fn is_bad_input(&self) -> bool {
        matches!(
            self,
            Self::Taken(_)
                | Self::Changed { .. }
                | Self::Foreign { .. }
                | Self::Damaged { .. }
                | Self::OtherFormat { .. }
        )
    }

    /// A file that cannot be read.
    pub fn damaged(path: &Path, reason: impl fmt::Display) -> Self {
        Self::Damaged { path: path.to_owned(), reason: reason.to_string() }
    }

    /// A file that cannot be opened: by the fault of whoever made it, if it is no regular file.
    pub fn unread(path: &Path, error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::InvalidInput => Self::damaged(path, error),
            _ => Self::io(path)(error),
        }
    }

    /// A folder without this file.
    pub(super) fn no_run_folder(folder: &Path, file: &str) -> Self {
        if !folder.exists() {
            return Self::damaged(folder, "there is no such folder");
        }
        let newest = folder_within(folder, file).map(|path| format!("; the newest in it is {}", path.display()));
        Self::damaged(folder, format!("this is not a run folder: it has no {file}{}", newest.unwrap_or_default()))
    }

    /// Error of the operating system at a path.
    pub fn io(path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |error| Self::Io { path: path.to_owned(), error }
    }
}
/// Newest folder in this one that has such a file.
fn folder_within(folder: &Path, file: &str) -> Option<PathBuf> {
    let entries = std::fs::read_dir(folder).ok()?.flatten().map(|entry| entry.path());
    let changed = |path: &PathBuf| path.join(file).metadata().and_then(|file| file.modified()).ok();
    entries.filter_map(|path| Some((changed(&path)?, path))).max().map(|(_, path)| path)
}
