//! The journal of a run: `journal.jsonl`, one record a line, on the disk before the next measurement begins. Whatever
//! ends the program, all lines but the one that was being written are whole; a half-written last line is set aside when
//! the journal is opened again, and so are lines that were damaged later, so that their records contradict themselves.
//! Judgements are kept in a journal of their own, `judgements.jsonl`.

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::marker::PhantomData;
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::folder_error::FolderError;
use super::game::GameRecord;
use super::judgement::Judgement;
use super::result::Record;
use super::sanity::contradiction;

/// Name of the journal's file.
pub const JOURNAL: &str = "journal.jsonl";

/// Kind of line that a journal holds.
pub trait Line: Serialize + DeserializeOwned {
    /// Name of the journal's file.
    const FILE: &'static str;
    /// Name of the file for a half-written line.
    const SET_ASIDE: &'static str;
    /// Name of the file for lines that contradict themselves.
    const CONTRADICTIONS: &'static str;

    /// Contradiction of a line to itself, in words.
    fn contradiction(&self) -> Option<String> {
        None
    }
}

impl Line for Record {
    const FILE: &'static str = JOURNAL;
    const SET_ASIDE: &'static str = "journal.half-line";
    const CONTRADICTIONS: &'static str = "journal.contradictions";

    fn contradiction(&self) -> Option<String> {
        contradiction(self)
    }
}

impl Line for GameRecord {
    const FILE: &'static str = "games.jsonl";
    const SET_ASIDE: &'static str = "games.half-line";
    const CONTRADICTIONS: &'static str = "games.contradictions";

    fn contradiction(&self) -> Option<String> {
        let moves = self.moves.split_whitespace().count();
        let is_whole = (self.scores.len(), self.depths.len()) == (moves, moves) && self.white < 2;
        (!is_whole).then(|| format!("{moves} moves, {} scores, {} depths", self.scores.len(), self.depths.len()))
    }
}

impl Line for Judgement {
    const FILE: &'static str = "judgements.jsonl";
    const SET_ASIDE: &'static str = "judgements.half-line";
    const CONTRADICTIONS: &'static str = "judgements.contradictions";
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

/// Contents of a journal.
#[derive(Debug)]
pub struct Held<L = Record> {
    /// Records of its whole lines.
    pub records: Vec<L>,
    /// Warnings about lines that are left out.
    pub warnings: Vec<String>,
}

/// Reads the records of a folder's journal. A half-written last line is left out, and so are records that contradict
/// themselves.
pub fn read(folder: &Path) -> Result<Vec<Record>, FolderError> {
    Ok(read_with_warnings(folder)?.records)
}

/// Reads the judgements of a folder: none if it has no such file.
pub fn read_judgements(folder: &Path) -> Result<Vec<Judgement>, FolderError> {
    Ok(read_lines(folder)?.records)
}

/// Reads the games of a folder: none if it has no such file.
pub fn read_games(folder: &Path) -> Result<Held<GameRecord>, FolderError> {
    read_lines(folder)
}

/// Reads a journal of a folder, if it has it, with a warning about each line that is left out.
fn read_lines<L: Line>(folder: &Path) -> Result<Held<L>, FolderError> {
    let mut records = Vec::new();
    let warnings = scan(&folder.join(L::FILE), |line| records.push(line))?.warnings::<L>();
    Ok(Held { records, warnings })
}

/// Reads the records of a folder's journal, with a warning about each line that is left out.
pub fn read_with_warnings(folder: &Path) -> Result<Held, FolderError> {
    let mut records = Vec::new();
    let warnings = visit(folder, |record| records.push(record))?;
    Ok(Held { records, warnings })
}

/// Passes on the records of a folder's journal one by one; there is a warning about each line that is left out.
pub fn visit(folder: &Path, known: impl FnMut(Record)) -> Result<Vec<String>, FolderError> {
    let path = folder.join(JOURNAL);
    if !path.exists() {
        return Err(FolderError::no_run_folder(folder, JOURNAL));
    }
    Ok(scan(&path, known)?.warnings::<Record>())
}

/// Contents of a journal beside its records.
#[derive(Debug, Default)]
struct Scanned {
    /// Number of bytes in whole lines.
    whole: u64,
    /// Bytes of a half-written last line.
    half: Vec<u8>,
    /// Lines whose records contradict themselves: their numbers from 1, places in the file, and contradictions.
    contradictions: Vec<(usize, std::ops::Range<u64>, String)>,
}

impl Scanned {
    fn warnings<L: Line>(&self) -> Vec<String> {
        let file = L::FILE;
        let of_contradiction = |(line, _, why): &(usize, _, String)| {
            format!("line {line} of {file} contradicts itself and is set aside: {why}")
        };
        let half = (!self.half.is_empty()).then(|| {
            let bytes = self.half.len();
            format!("the last line of {file} is incomplete: its {bytes} bytes are set aside in {}", L::SET_ASIDE)
        });
        self.contradictions.iter().map(of_contradiction).chain(half).collect()
    }
}

/// Reads a journal line by line: all of it may be larger than the memory. There are no records in a file that is not
/// there.
fn scan<L: Line>(path: &Path, mut known: impl FnMut(L)) -> Result<Scanned, FolderError> {
    let mut scanned = Scanned::default();
    let failed = |error| FolderError::Io { path: path.to_owned(), error };
    let mut lines = match File::open(path) {
        Ok(file) => BufReader::new(file),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(scanned),
        Err(error) => return Err(failed(error)),
    };
    let mut line = Vec::new();
    for number in 1.. {
        line.clear();
        if lines.read_until(b'\n', &mut line).map_err(failed)? == 0 {
            break;
        }
        let place = scanned.whole..scanned.whole + line.len() as u64;
        match serde_json::from_slice::<L>(&line) {
            Ok(record) if line.ends_with(b"\n") => match record.contradiction() {
                None => known(record),
                Some(why) => scanned.contradictions.push((number, place.clone(), why)),
            },
            Err(error) if !lines.fill_buf().map_err(failed)?.is_empty() => {
                return Err(FolderError::NoRecord { path: path.to_owned(), line: number, error });
            }
            _ => {
                scanned.half = line;
                break;
            }
        }
        scanned.whole = place.end;
    }
    Ok(scanned)
}

impl<L: Line> Journal<L> {
    /// Opens the journal of a folder, or begins one. `known` gets its records; lines that hold none are set aside, and
    /// there is a warning about each.
    pub fn open(folder: &Path, known: impl FnMut(L)) -> Result<(Self, Vec<String>), FolderError> {
        let path = folder.join(L::FILE);
        let unwritable = |error| FolderError::Unwritable { path: path.clone(), error };
        let mut scanned = scan(&path, known)?;
        let warnings = scanned.warnings::<L>();
        if !scanned.half.is_empty() {
            std::fs::write(folder.join(L::SET_ASIDE), &scanned.half).map_err(unwritable)?;
        }
        if !scanned.contradictions.is_empty() {
            take_out::<L>(folder, &mut scanned).map_err(unwritable)?;
        }
        let file = OpenOptions::new().create(true).truncate(false).write(true).open(&path).map_err(unwritable)?;
        let mut journal = Self { file, path: path.clone(), length: scanned.whole, lines: PhantomData };
        journal.cut().map_err(unwritable)?;
        Ok((journal, warnings))
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

/// Moves the lines whose records contradict themselves into a file of their own, so that their cells are measured
/// again. At every moment the old journal or the new one is there whole.
fn take_out<L: Line>(folder: &Path, scanned: &mut Scanned) -> io::Result<()> {
    let path = folder.join(L::FILE);
    let beside = folder.join(format!("{}.new", L::FILE));
    let mut from = File::open(&path)?;
    let mut to = BufWriter::new(File::create(&beside)?);
    let mut aside = OpenOptions::new().create(true).append(true).open(folder.join(L::CONTRADICTIONS))?;
    let (mut at, mut kept) = (0, 0);
    for (_, place, _) in &scanned.contradictions {
        kept += io::copy(&mut (&mut from).take(place.start - at), &mut to)?;
        io::copy(&mut (&mut from).take(place.end - place.start), &mut aside)?;
        at = place.end;
    }
    kept += io::copy(&mut from.take(scanned.whole - at), &mut to)?;
    aside.sync_data()?;
    to.into_inner()?.sync_data()?;
    std::fs::rename(&beside, &path)?;
    scanned.whole = kept;
    Ok(())
}
