//! The journal of a run: `journal.jsonl`, one record a line, on the disk before the next measurement begins. Whatever
//! ends the program, all lines but the one that was being written are whole; a half-written last line is set aside when
//! the journal is opened again. Judgements are kept in a journal of their own, `judgements.jsonl`.

use std::fs::{File, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::marker::PhantomData;
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::folder::{FolderError, contents};
use super::judgement::Judgement;
use super::result::Record;

/// Name of the journal's file.
pub const JOURNAL: &str = "journal.jsonl";

/// Kind of line that a journal holds.
pub trait Line: Serialize + DeserializeOwned {
    /// Name of the journal's file.
    const FILE: &'static str;
    /// Name of the file for a half-written line.
    const SET_ASIDE: &'static str;
}

impl Line for Record {
    const FILE: &'static str = JOURNAL;
    const SET_ASIDE: &'static str = "journal.half-line";
}

impl Line for Judgement {
    const FILE: &'static str = "judgements.jsonl";
    const SET_ASIDE: &'static str = "judgements.half-line";
}

/// An open journal.
#[derive(Debug)]
pub struct Journal<L = Record> {
    file: File,
    path: PathBuf,
    /// Number of bytes in whole lines.
    length: u64,
    lines: PhantomData<L>,
}

/// Contents of a journal when it was opened.
#[derive(Debug)]
pub struct Held<L = Record> {
    /// Records of its whole lines.
    pub records: Vec<L>,
    /// Warning about a half-written line that was set aside.
    pub warning: Option<String>,
}

/// Reads the records of a folder's journal; a half-written last line is left out.
pub fn read(folder: &Path) -> Result<Vec<Record>, FolderError> {
    let path = folder.join(JOURNAL);
    let bytes = contents(&path)?.ok_or_else(|| FolderError::no_run_folder(folder, JOURNAL))?;
    Ok(parse(&path, &bytes)?.0)
}

/// Reads the judgements of a folder: none if it has no such file.
pub fn read_judgements(folder: &Path) -> Result<Vec<Judgement>, FolderError> {
    let path = folder.join(Judgement::FILE);
    Ok(parse(&path, &contents(&path)?.unwrap_or_default())?.0)
}

/// Records of the whole lines, and the number of bytes in those.
fn parse<L: Line>(path: &Path, bytes: &[u8]) -> Result<(Vec<L>, usize), FolderError> {
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

impl<L: Line> Journal<L> {
    /// Opens the journal of a folder, or begins one.
    pub fn open(folder: &Path) -> Result<(Self, Held<L>), FolderError> {
        let path = folder.join(L::FILE);
        let unwritable = |error| FolderError::Unwritable { path: path.clone(), error };
        let bytes = contents(&path)?.unwrap_or_default();
        let (records, whole) = parse(&path, &bytes)?;
        let half = &bytes[whole..];
        let warning = (!half.is_empty()).then(|| {
            format!(
                "the last line of {} was half written: {} bytes are set aside in {}",
                path.display(),
                half.len(),
                L::SET_ASIDE
            )
        });
        if warning.is_some() {
            std::fs::write(folder.join(L::SET_ASIDE), half).map_err(unwritable)?;
        }
        let file = OpenOptions::new().create(true).truncate(false).write(true).open(&path).map_err(unwritable)?;
        let mut journal = Self { file, path: path.clone(), length: whole as u64, lines: PhantomData };
        journal.cut().map_err(unwritable)?;
        Ok((journal, Held { records, warning }))
    }

    /// Writes a record and waits until it is on the disk.
    ///
    /// # Errors
    /// If that fails, as on a full disk: then the journal ends with the record before.
    pub fn append(&mut self, record: &L) -> Result<(), FolderError> {
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
