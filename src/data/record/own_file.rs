//! Files of a folder that somebody else may have made: nothing but regular files of the folder is read, within bounds;
//! nothing that is written there goes to another place, and what has a new name keeps it.

use std::fs::{File, Metadata, OpenOptions};
use std::io::{self, Read};
use std::path::Path;

use super::folder_error::FolderError;

/// Most bytes of a file that is read at once.
pub(super) const MOST_BYTES: u64 = 256 << 20;

/// Opens a regular file of a folder to read it. A link is refused, wherever it leads, and so is whatever would never
/// end, such as a device or a pipe.
pub fn open(path: &Path) -> io::Result<File> {
    let found = path.symlink_metadata()?;
    if !found.is_file() {
        let kind = if found.is_symlink() { "a link" } else { "no regular file" };
        return Err(io::Error::new(io::ErrorKind::InvalidInput, format!("it is {kind}, which is not read")));
    }
    File::open(path)
}

/// Contents of a regular file; `None` if there is none.
///
/// # Errors
/// If it is no regular file, is larger than 256 MiB, or cannot be read.
pub(super) fn contents(path: &Path) -> Result<Option<Vec<u8>>, FolderError> {
    let file = match open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(FolderError::unread(path, error)),
    };
    let mut bytes = Vec::new();
    file.take(MOST_BYTES + 1).read_to_end(&mut bytes).map_err(FolderError::io(path))?;
    match bytes.len() as u64 > MOST_BYTES {
        true => Err(FolderError::damaged(path, format!("it is larger than {} MiB", MOST_BYTES >> 20))),
        false => Ok(Some(bytes)),
    }
}

/// A new file in the place of whatever stands there.
pub(super) fn made_anew(path: &Path) -> io::Result<File> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => OpenOptions::new().write(true).create_new(true).open(path),
    }
}

/// Refuses a link, or whatever else is no file, in the place of one that is going to be written to; and a file that has
/// another name elsewhere, where it would change too.
pub(super) fn refuse_link(path: &Path) -> Result<(), FolderError> {
    match path.symlink_metadata() {
        Ok(found) if !found.is_file() => {
            let kind = if found.is_symlink() { "a link" } else { "no file" };
            Err(FolderError::damaged(path, format!("it is {kind}, and a file is going to be written there: remove it")))
        }
        Ok(found) if has_other_names(&found) => {
            let reason = "it has other names (hard links), under which it would change too: put a copy in its place";
            Err(FolderError::damaged(path, reason))
        }
        _ => Ok(()),
    }
}

/// Whether a file has several names.
fn has_other_names(file: &Metadata) -> bool {
    #[cfg(unix)]
    return std::os::unix::fs::MetadataExt::nlink(file) > 1;
    #[cfg(not(unix))]
    return std::mem::size_of_val(file) == 0;
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
