//! The journal of a run: `journal.jsonl`, one record a line, on the disk before the next measurement begins. Whatever
//! ends the program, all lines but the one that was being written are whole; a half-written last line is set aside when
//! the journal is opened again.

use std::fs::{File, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::folder::{FolderError, contents};
use super::result::Record;

/// Name of the journal's file.
pub const JOURNAL: &str = "journal.jsonl";
/// Name of the file for a half-written line.
const SET_ASIDE: &str = "journal.half-line";

/// An open journal.
#[derive(Debug)]
pub struct Journal {
    file: File,
    path: PathBuf,
    /// Number of bytes in whole lines.
    length: u64,
}

/// Contents of a journal when it was opened.
#[derive(Debug, Default)]
pub struct Held {
    /// Records of its whole lines.
    pub records: Vec<Record>,
    /// Warning about a half-written line that was set aside.
    pub warning: Option<String>,
}

/// Reads the records of a folder's journal; a half-written last line is left out.
pub fn read(folder: &Path) -> Result<Vec<Record>, FolderError> {
    let path = folder.join(JOURNAL);
    let bytes = contents(&path)?.ok_or_else(|| FolderError::no_run_folder(folder, JOURNAL))?;
    Ok(parse(&path, &bytes)?.0)
}

/// Records of the whole lines, and the number of bytes in those.
fn parse(path: &Path, bytes: &[u8]) -> Result<(Vec<Record>, usize), FolderError> {
    let mut records = Vec::new();
    let mut whole = 0;
    for (i, line) in bytes.split_inclusive(|&byte| byte == b'\n').enumerate() {
        let is_last = whole + line.len() == bytes.len();
        match serde_json::from_slice(line) {
            Ok(record) if line.ends_with(b"\n") => records.push(record),
            Ok(_) => break,
            Err(_) if is_last => break,
            Err(error) => return Err(FolderError::NoRecord { path: path.to_owned(), line: i + 1, error }),
        }
        whole += line.len();
    }
    Ok((records, whole))
}

impl Journal {
    /// Opens the journal of a folder, or begins one.
    pub fn open(folder: &Path) -> Result<(Self, Held), FolderError> {
        let path = folder.join(JOURNAL);
        let unwritable = |error| FolderError::Unwritable { path: path.clone(), error };
        let bytes = contents(&path)?.unwrap_or_default();
        let (records, whole) = parse(&path, &bytes)?;
        let half = &bytes[whole..];
        let warning = (!half.is_empty()).then(|| {
            format!(
                "the last line of {} was half written: {} bytes are set aside in {SET_ASIDE}",
                path.display(),
                half.len()
            )
        });
        if warning.is_some() {
            std::fs::write(folder.join(SET_ASIDE), half).map_err(unwritable)?;
        }
        let file = OpenOptions::new().create(true).truncate(false).write(true).open(&path).map_err(unwritable)?;
        let mut journal = Self { file, path: path.clone(), length: whole as u64 };
        journal.cut().map_err(unwritable)?;
        Ok((journal, Held { records, warning }))
    }

    /// Writes a record and waits until it is on the disk.
    ///
    /// # Errors
    /// If that fails, as on a full disk: then the journal ends with the record before.
    pub fn append(&mut self, record: &Record) -> Result<(), FolderError> {
        let mut line = serde_json::to_vec(record).map_err(|error| self.unwritable(error.into()))?;
        line.push(b'\n');
        let written = self.file.write_all(&line).and_then(|()| self.file.sync_data());
        if let Err(error) = written {
            // If even this fails, the half line is set aside when the journal is next opened.
            let _ = self.cut();
            return Err(self.unwritable(error));
        }
        self.length += line.len() as u64;
        Ok(())
    }

    /// Ends the file where the whole lines end.
    fn cut(&mut self) -> io::Result<()> {
        self.file.set_len(self.length)?;
        self.file.seek(SeekFrom::Start(self.length))?;
        Ok(())
    }

    fn unwritable(&self, error: io::Error) -> FolderError {
        FolderError::Unwritable { path: self.path.clone(), error }
    }
}
