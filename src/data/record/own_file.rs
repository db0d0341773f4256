//! Files of a folder that somebody else may have made: nothing that is written there goes to another place, and what
//! has a new name keeps it.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::Path;

use super::folder_error::FolderError;

/// A new file in the place of whatever stands there.
pub(super) fn made_anew(path: &Path) -> io::Result<File> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => OpenOptions::new().write(true).create_new(true).open(path),
    }
}

/// Refuses a link, or whatever else is no file, in the place of one that is going to be written to.
pub(super) fn refuse_link(path: &Path) -> Result<(), FolderError> {
    match path.symlink_metadata() {
        Ok(found) if !found.is_file() => {
            let kind = if found.is_symlink() { "a link" } else { "no file" };
            Err(FolderError::damaged(path, format!("it is {kind}, and a file is going to be written there: remove it")))
        }
        _ => Ok(()),
    }
}

/// Gives a file that is on the disk its name, and waits until that is on the disk too.
pub(super) fn rename(from: &Path, to: &Path) -> io::Result<()> {
    std::fs::rename(from, to)?;
    // Of what cannot be opened as a file the system keeps names in its own way.
    match to.parent().map(File::open) {
        Some(Ok(folder)) => folder.sync_all(),
        _ => Ok(()),
    }
}
