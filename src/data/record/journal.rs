//! The journal of a run: `journal.jsonl`, one record a line, on the disk before the next measurement begins. Whatever
//! ends the program, all lines but the one that was being written are whole; a half-written last line is set aside when
//! the journal is opened again, and so are lines that were damaged later, so that their checksums are wrong or their
//! records contradict themselves. Judgements are kept in a journal of their own, `judgements.jsonl`.

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::marker::PhantomData;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::folder::{Rules, rules};
use super::folder_error::FolderError;
use super::game::GameRecord;
use super::judgement::Judgement;
use super::own_file::{made_anew, open, refuse_link, rename};
use super::result::Record;
use super::sanity::{contradiction, of_game, of_judgement};
use crate::checksum;

/// Is told of every line of a journal that a reader leaves out, in words that begin with the folder. The program sets
/// it as it begins: whichever command reads a folder, the user learns of damage from this place alone.
pub static LEFT_OUT: OnceLock<fn(String)> = OnceLock::new();

/// Name of the journal's file.
pub const JOURNAL: &str = "journal.jsonl";
/// End of the name of a file with a JSON object on each line.
const EXTENSION: &str = ".jsonl";

/// Kind of line that a journal holds.
pub trait Line: Serialize + DeserializeOwned {
    /// Name of the journal's file.
    const FILE: &'static str;

    /// Name of the file for a half-written line.
    fn set_aside() -> String {
        Self::FILE.replace(EXTENSION, ".half-line")
    }

    /// Name of the file for lines that are damaged or contradict themselves.
    fn contradictions() -> String {
        Self::FILE.replace(EXTENSION, ".contradictions")
    }

    /// Place in the plan of a folder, if lines have one.
    fn place(&self) -> Option<u64> {
        None
    }

    /// Contradiction of a line to itself, in words.
    fn contradiction(&self) -> Option<String> {
        None
    }
}

impl Line for Record {
    const FILE: &'static str = JOURNAL;

    fn place(&self) -> Option<u64> {
        Some(self.index)
    }

    fn contradiction(&self) -> Option<String> {
        contradiction(self)
    }
}

impl Line for GameRecord {
    const FILE: &'static str = "games.jsonl";

    fn contradiction(&self) -> Option<String> {
        let moves = self.moves.split_whitespace().count();
        let is_whole = (self.scores.len(), self.depths.len()) == (moves, moves) && self.white < 2;
        let lengths = || format!("{moves} moves, {} scores, {} depths", self.scores.len(), self.depths.len());
        if is_whole { of_game(self) } else { Some(lengths()) }
    }
}

impl Line for Judgement {
    const FILE: &'static str = "judgements.jsonl";

    fn contradiction(&self) -> Option<String> {
        of_judgement(self)
    }
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

/// Reads the judgements or games of a folder: none if it has no such file.
pub fn read_lines<L: Line>(folder: &Path) -> Result<Held<L>, FolderError> {
    let mut records = Vec::new();
    let warnings = scan(folder, |line| records.push(line))?.tell::<L>(folder);
    Ok(Held { records, warnings })
}

/// Reads the records of a folder's journal, with a warning about each line that is left out.
pub fn read(folder: &Path) -> Result<Held, FolderError> {
    let mut records = Vec::new();
    let warnings = visit(folder, |record| records.push(record))?;
    Ok(Held { records, warnings })
}

/// Passes on the records of a folder's journal one by one; there is a warning about each line that is left out.
pub fn visit(folder: &Path, known: impl FnMut(Record)) -> Result<Vec<String>, FolderError> {
    if !folder.join(JOURNAL).exists() {
        return Err(FolderError::no_run_folder(folder, JOURNAL));
    }
    Ok(scan(folder, known)?.tell::<Record>(folder))
}

/// Bytes of a journal that are read at once: many lines, since each is some thousand bytes long.
const BUFFER: usize = 1 << 18;

/// Most bytes of a line.
const MOST_BYTES: u64 = 64 << 20;

/// Contents of a journal beside its records.
#[derive(Debug, Default)]
struct Scanned {
    /// Number of bytes in whole lines.
    whole: u64,
    /// Bytes of a half-written last line.
    half: Vec<u8>,
    /// Lines that are no records any more: their numbers from 1, places in the file, and what is wrong with them.
    wrong: Vec<(usize, Range<u64>, String)>,
}

impl Scanned {
    /// Warnings about the lines that are left out, of which the listener is told too.
    fn tell<L: Line>(&self, folder: &Path) -> Vec<String> {
        let warnings = self.warnings::<L>();
        if let Some(listener) = LEFT_OUT.get() {
            warnings.iter().for_each(|warning| listener(format!("{}: {warning}", folder.display())));
        }
        warnings
    }

    fn warnings<L: Line>(&self) -> Vec<String> {
        let file = L::FILE;
        let of_wrong = |(line, _, what): &(usize, _, String)| format!("line {line} of {file} {what}");
        let half = (!self.half.is_empty()).then(|| {
            let bytes = self.half.len();
            format!("the last line of {file} is incomplete: its {bytes} bytes are set aside in {}", L::set_aside())
        });
        self.wrong.iter().map(of_wrong).chain(half).collect()
    }
}

/// Reads a folder's journal line by line: all of it may be larger than the memory. There are no records in a file that
/// is not there.
fn scan<L: Line>(folder: &Path, mut known: impl FnMut(L)) -> Result<Scanned, FolderError> {
    let path = folder.join(L::FILE);
    let mut scanned = Scanned::default();
    let failed = |error| FolderError::Io { path: path.clone(), error };
    let no_record = |line, error| FolderError::NoRecord { path: path.clone(), line, error };
    let mut lines = match open(&path) {
        Ok(file) => BufReader::with_capacity(BUFFER, file),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(scanned),
        Err(error) => return Err(FolderError::unread(&path, error)),
    };
    let mut line = Vec::new();
    // Where there are checksums, a line without one has lost it.
    let Rules { requires_checksums, cells } = rules(folder)?;
    let (mut has_checksums, mut unreadable) = (requires_checksums, None);
    let is_elsewhere = |line: &L| line.place().zip(cells).filter(|(place, cells)| place >= cells);
    for number in 1.. {
        line.clear();
        if lines.by_ref().take(MOST_BYTES + 1).read_until(b'\n', &mut line).map_err(failed)? == 0 {
            break;
        }
        if line.len() as u64 > MOST_BYTES {
            let reason = format!("line {number} is longer than {} MiB, as no record is", MOST_BYTES >> 20);
            return Err(FolderError::damaged(&path, reason));
        }
        let place = scanned.whole..scanned.whole + line.len() as u64;
        let Some(object) = line.strip_suffix(b"\n") else {
            scanned.half = line;
            break;
        };
        let is_right = checksum::is_right(object);
        has_checksums |= is_right.is_some();
        let record = match str::from_utf8(object) {
            Ok(text) => serde_json::from_str::<L>(text),
            Err(_) => serde_json::from_slice(object),
        };
        let wrong = match record {
            _ if is_right == Some(false) => Some("is damaged and set aside: its checksum is wrong".to_owned()),
            Ok(_) if has_checksums && is_right.is_none() => {
                Some("is damaged and set aside: it has no checksum".to_owned())
            }
            Ok(record) => match (record.contradiction(), is_elsewhere(&record)) {
                (None, None) => {
                    known(record);
                    None
                }
                (Some(why), _) => Some(format!("contradicts itself and is set aside: {why}")),
                (None, Some((place, cells))) => {
                    Some(format!("is set aside: it is of cell {place} of a plan that has {cells}, counted from 0"))
                }
            },
            // Whole, and yet nothing that this version knows.
            Err(error) if is_right == Some(true) => return Err(no_record(number, error)),
            Err(_) if is_right.is_none() && lines.fill_buf().map_err(failed)?.is_empty() => {
                scanned.half = line;
                break;
            }
            Err(error) => {
                unreadable.get_or_insert((number, error));
                Some("is damaged and set aside: it is not a record".to_owned())
            }
        };
        scanned.wrong.extend(wrong.map(|what| (number, place.clone(), what)));
        scanned.whole = place.end;
    }
    match unreadable {
        Some((number, error)) if !has_checksums => Err(no_record(number, error)),
        _ => Ok(scanned),
    }
}

impl<L: Line> Journal<L> {
    /// Opens the journal of a folder, or begins one. `known` gets its records; lines that hold none are set aside, and
    /// the [listener](LEFT_OUT) is told of each.
    pub fn open(folder: &Path, known: impl FnMut(L)) -> Result<Self, FolderError> {
        let path = folder.join(L::FILE);
        let unwritable = |error| FolderError::Unwritable { path: path.clone(), error };
        refuse_link(&path)?;
        let mut scanned = scan(folder, known)?;
        scanned.tell::<L>(folder);
        if !scanned.half.is_empty() {
            let aside = made_anew(&folder.join(L::set_aside()));
            aside.and_then(|mut file| file.write_all(&scanned.half)).map_err(unwritable)?;
        }
        if !scanned.wrong.is_empty() {
            refuse_link(&folder.join(L::contradictions()))?;
            take_out::<L>(folder, &mut scanned).map_err(unwritable)?;
        }
        let file = OpenOptions::new().create(true).truncate(false).write(true).open(&path).map_err(unwritable)?;
        let mut journal = Self { file, path: path.clone(), length: scanned.whole, lines: PhantomData };
        journal.cut().map_err(unwritable)?;
        Ok(journal)
    }

    /// Writes a record and waits until it is on the disk.
    ///
    /// # Errors
    /// If that fails, as on a full disk: then the journal ends with the record before. Also if somebody has deleted the
    /// journal, so that nothing would be left of what is written.
    pub fn append(&mut self, record: &L) -> Result<(), FolderError> {
        let mut line = serde_json::to_vec(record).map_err(|error| self.unwritable(error.into()))?;
        checksum::sign(&mut line);
        line.push(b'\n');
        let written = self.file.write_all(&line).and_then(|()| self.file.sync_data());
        if let Err(error) = written {
            // If even this fails, the half line is set aside when the journal is next opened.
            let _ = self.cut();
            return Err(self.unwritable(error));
        }
        self.length += line.len() as u64;
        match is_deleted(&self.file) {
            Ok(false) => Ok(()),
            Ok(true) => Err(FolderError::Deleted(self.path.clone())),
            Err(error) => Err(self.unwritable(error)),
        }
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

/// Whether a file that is open has no name any more.
fn is_deleted(file: &File) -> io::Result<bool> {
    #[cfg(unix)]
    return Ok(std::os::unix::fs::MetadataExt::nlink(&file.metadata()?) == 0);
    #[cfg(not(unix))]
    return file.metadata().map(|_| false);
}

/// Moves the lines that are no records any more into a file of their own, so that their cells are measured
/// again. At every moment the old journal or the new one is there whole.
fn take_out<L: Line>(folder: &Path, scanned: &mut Scanned) -> io::Result<()> {
    let path = folder.join(L::FILE);
    let beside = folder.join(format!("{}.new", L::FILE));
    let mut from = File::open(&path)?;
    let mut to = BufWriter::new(made_anew(&beside)?);
    let mut aside = OpenOptions::new().create(true).append(true).open(folder.join(L::contradictions()))?;
    let (mut at, mut kept) = (0, 0);
    for (_, place, _) in &scanned.wrong {
        kept += io::copy(&mut (&mut from).take(place.start - at), &mut to)?;
        io::copy(&mut (&mut from).take(place.end - place.start), &mut aside)?;
        at = place.end;
    }
    kept += io::copy(&mut from.take(scanned.whole - at), &mut to)?;
    aside.sync_data()?;
    to.into_inner()?.sync_data()?;
    rename(&beside, &path)?;
    scanned.whole = kept;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::cell::{Cell, Configuration, MachineKind};
    use super::super::result::CellResult;
    use super::*;

    /// Whatever bit of a journal changes, its records are the same, or something is said.
    #[test]
    fn no_bit_changes_without_a_word() {
        let folder = std::env::temp_dir().join(format!("splitpoint-bits-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let record = |index| {
            let configuration = Configuration::sample(MachineKind::Virtual, "sequential", 1);
            let fen = "8/8/8/8/8/4k3/4p3/4K3 b - - 0 1".to_owned();
            let cell = Cell { fen: fen.into(), ..Cell::sample(configuration, "P", index) };
            let result = CellResult::Failed("not tried".to_owned());
            let (attempt, surroundings, started, host_s, session) = Default::default();
            Record { index, cell, attempt, result, surroundings, started, host_s, session }
        };
        let mut journal = Journal::open(&folder, drop).unwrap();
        (0..3).for_each(|index| journal.append(&record(index)).unwrap());
        let whole = std::fs::read(folder.join(JOURNAL)).unwrap();
        let records = read(&folder).unwrap().records;
        assert_eq!(records.len(), 3);
        for bit in (0..8 * whole.len()).step_by(5) {
            let mut damaged = whole.clone();
            damaged[bit / 8] ^= 1 << (bit % 8);
            std::fs::write(folder.join(JOURNAL), damaged).unwrap();
            let held = read(&folder);
            let is_said = held.as_ref().map_or(true, |held| !held.warnings.is_empty());
            assert!(is_said || held.unwrap().records == records, "bit {bit}");
        }
        // A line that has lost its checksum, and with it all that could tell what else it has lost.
        let text = String::from_utf8(whole).unwrap();
        let (kept, lost) = text.trim_end().rsplit_once(",\"crc\":").unwrap();
        assert_eq!(lost.len(), "\"01234567\"}".len());
        std::fs::write(folder.join(JOURNAL), format!("{}}}\n", kept)).unwrap();
        let held = read(&folder).unwrap();
        assert_eq!(held.records.len(), 2, "{:?}", held.warnings);
        assert!(held.warnings[0].contains("line 3 of journal.jsonl is damaged and set aside: it has no checksum"));
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
