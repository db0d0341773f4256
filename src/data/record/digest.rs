//! The digest of a folder of results: one name, to be cited, for its plan, its records and where they were made. It is
//! the SHA-256 of a list with a line for each file, `DIGEST  NAME` as `sha256sum` writes it, sorted by name; so who has
//! no copy of this program can find it too. What a report has made is not in it, and can be made again.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::io::{self, Read};
use std::path::Path;

use super::cell::MachineKind;
use super::folder::{CLAIMS, ENVIRONMENT, EXPERIMENT, FILE, FolderError, MATCH, POSITIONS, TOURNAMENT, TUNING, open};
use super::game::GameRecord;
use super::journal::{self, JOURNAL, Line};
use super::judgement::Judgement;
use super::result::CellResult;
use crate::sha256::{Sha256, hexadecimal};

/// Files of which a folder's digest is made, wherever they stand in it.
const FILES: [&str; 11] = [
    EXPERIMENT,
    FILE,
    POSITIONS,
    JOURNAL,
    Judgement::FILE,
    ENVIRONMENT,
    MATCH,
    TUNING,
    TOURNAMENT,
    CLAIMS,
    GameRecord::FILE,
];
/// Bytes of a file that are read at once.
const BUFFER: usize = 1 << 16;

/// Digests of the files of a folder, by their names in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Digest {
    /// SHA-256 of each file, in hexadecimal digits.
    pub files: BTreeMap<String, String>,
}

impl fmt::Display for Digest {
    /// `sha256:` with the digest of all files.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list: String = self.files.iter().map(|(name, digest)| format!("{digest}  {name}\n")).collect();
        write!(f, "sha256:{}", hexadecimal(&Sha256::of(list.as_bytes())))
    }
}

/// Digest of a folder's results. Links in it are not followed.
///
/// # Errors
/// If the folder or a file of it cannot be read, or if there is a link in the place of one.
pub fn digest(folder: &Path) -> Result<Digest, FolderError> {
    let mut digest = Digest::default();
    add(folder, "", &mut digest)?;
    Ok(digest)
}

/// Digest of the searches of a folder on the virtual machine: of the cell and the result of each as its journal has
/// them, sorted. Whoever runs the plan again with the same version, wherever and in whatever order, gets the same; none
/// if there are no such searches.
///
/// # Errors
/// If there is no journal, or it cannot be read.
pub fn simulated(folder: &Path) -> Result<Option<String>, FolderError> {
    let mut lines = BTreeSet::new();
    journal::visit(folder, |record| {
        let is_simulated = record.cell.configuration.machine == MachineKind::Virtual;
        // That a search failed, for want of memory say, depends on the computer.
        if is_simulated && !matches!(record.result, CellResult::Failed(_)) {
            lines.extend(serde_json::to_string(&(&record.cell, &record.result)));
        }
    })?;
    let list: String = lines.iter().map(|line| format!("{line}\n")).collect();
    Ok((!lines.is_empty()).then(|| format!("sha256:{}", hexadecimal(&Sha256::of(list.as_bytes())))))
}

/// Adds the files of a folder, whose names have this beginning, and of those in it.
fn add(folder: &Path, above: &str, digest: &mut Digest) -> Result<(), FolderError> {
    for entry in std::fs::read_dir(folder).map_err(FolderError::io(folder))? {
        let entry = entry.map_err(FolderError::io(folder))?;
        let (path, name) = (entry.path(), entry.file_name().to_string_lossy().into_owned());
        if FILES.contains(&name.as_str()) {
            digest.files.insert(format!("{above}{name}"), of_file(&path)?);
        } else if entry.file_type().is_ok_and(|kind| kind.is_dir()) && !name.starts_with('.') {
            add(&path, &format!("{above}{name}/"), digest)?;
        }
    }
    Ok(())
}

/// SHA-256 of a file in hexadecimal digits.
///
/// # Errors
/// If it cannot be read.
pub fn of_file(path: &Path) -> Result<String, FolderError> {
    let mut file = open(path).map_err(|error| FolderError::unread(path, error))?;
    let (mut whole, mut buffer) = (Sha256::default(), vec![0; BUFFER]);
    loop {
        match file.read(&mut buffer) {
            Ok(0) => return Ok(hexadecimal(&whole.end())),
            Ok(length) => whole.add(&buffer[..length]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(FolderError::io(path)(error)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The expected digest is what `sha256sum environment.json games/a/games.jsonl journal.jsonl | sha256sum` prints.
    #[test]
    fn a_digest_is_that_of_sha256sum() {
        let folder = std::env::temp_dir().join(format!("splitpoint-digest-{}", std::process::id()));
        std::fs::create_dir_all(folder.join("games/a")).unwrap();
        let write = |name: &str, text: &str| std::fs::write(folder.join(name), text).unwrap();
        write(JOURNAL, "one\n");
        write(ENVIRONMENT, "{}\n");
        write("games/a/games.jsonl", "two\n");
        let found = digest(&folder).unwrap();
        let names: Vec<&str> = found.files.keys().map(String::as_str).collect();
        assert_eq!(names, [ENVIRONMENT, "games/a/games.jsonl", JOURNAL]);
        assert_eq!(found.to_string(), EXPECTED);
        // What a report makes does not change it; a byte of a journal does.
        write("summary.csv", "x\n");
        assert_eq!(digest(&folder).unwrap(), found);
        write("games/a/games.jsonl", "too\n");
        assert_ne!(digest(&folder).unwrap().to_string(), found.to_string());
        std::fs::remove_dir_all(&folder).unwrap();
    }

    const EXPECTED: &str = "sha256:4d69dc02abeec1a359eb91a90b87edb8c49ba7ff044f5c1c8960d5ea48066e26";
}
