//! What one computer contributes to what is known of scaling: its speedups beside those that the virtual machine
//! predicts, its boards, its costs, and how it is built. Small, and without its name. Plain data.

use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::environment::Session;
use super::folder::{FolderError, read_json, write_json};
use super::validation::{Size, WorkCosts};
use crate::sha256;
use crate::statistics::Interval;

/// Format of the file.
const CONTRIBUTION_FORMAT: u32 = 1;
/// Kind of the file.
const KIND: &str = "splitpoint contribution";
/// Letters of the hash of a name: enough to tell computers apart.
const NAME_LETTERS: usize = 12;

/// Contribution of one computer.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Contribution {
    /// Kind of file.
    pub kind: String,
    /// Format of the file.
    pub format: u32,
    /// Session in which it was finished. Where names of the computer stood, there is a hash.
    pub session: Session,
    /// Speedups and costs, for each set of features.
    pub parts: Vec<Part>,
    /// Boards, the first the one that others are divided by.
    pub boards: Vec<BoardTime>,
}

/// Searches with one set of features, on this computer and on virtual processors with its costs.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Part {
    /// Features of the searches.
    pub features: String,
    /// Amount that was measured.
    pub size: Size,
    /// Cost model of this computer.
    pub model: Value,
    /// Names of the costs that could not be measured and are those of the reference model.
    pub assumed: Vec<String>,
    /// Costs of coordination.
    pub coordination: Value,
    /// Fitted costs of work.
    pub work: WorkCosts,
    /// Predicted by measured time on one processor.
    pub alone: Option<Interval>,
    /// Real searches, and how many of them something disturbed.
    pub searches: [usize; 2],
    /// Speedups, by strategy and processors.
    pub points: Vec<Point>,
}

/// Speedup of a strategy on a number of processors.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Point {
    /// Strategy by which they share a search.
    pub strategy: String,
    /// Number of processors.
    pub threads: u32,
    /// Pairs of searches.
    pub pairs: usize,
    /// Time speedup that was measured.
    pub measured: Interval,
    /// Time speedup that the virtual machine predicts with the costs of this computer.
    pub predicted: Interval,
    /// Predicted by measured.
    pub ratio: Interval,
    /// Nodes that were searched, relative to one processor.
    pub nodes_measured: Interval,
    /// Nodes that the virtual machine predicts.
    pub nodes_predicted: Interval,
}

/// Time of a node on a board.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BoardTime {
    /// Board representation.
    pub board: String,
    /// Sliding method, if the board has several.
    pub sliders: Option<String>,
    /// Nanoseconds of a node: geometric mean over positions.
    pub node_ns: f64,
    /// Time of a node by that on the first board.
    pub ratio: Interval,
}

impl Contribution {
    /// Contribution of these parts, made in this session. The name of the computer becomes a hash wherever it stands.
    pub fn new(session: &Session, parts: Vec<Part>, boards: Vec<BoardTime>) -> Self {
        let mut session = session.clone();
        let name = session.host["name"].as_str().unwrap_or_default().to_owned();
        let hash = anonymous(&name);
        session.id = session.id.replace(&format!("-{name}-"), &format!("-{hash}-"));
        // It may hold paths, and with them somebody's name.
        session.command = "splitpoint contribute".to_owned();
        if let Some(host) = session.host.as_object_mut() {
            host.insert("name".to_owned(), hash.into());
        }
        Self { kind: KIND.to_owned(), format: CONTRIBUTION_FORMAT, session, parts, boards }
    }

    /// Contribution in a file.
    ///
    /// # Errors
    /// If there is none, or if it is damaged or of another kind or format.
    pub fn read(path: &Path) -> Result<Self, FolderError> {
        let damaged = |reason: &str| FolderError::damaged(path, reason);
        let read: Self = read_json(path)?.ok_or_else(|| damaged("there is no such file"))?;
        match (read.kind.as_str(), read.format) {
            (KIND, CONTRIBUTION_FORMAT) => Ok(read),
            (KIND, newer) => Err(damaged(&format!("it is of format {newer}, which this program does not read"))),
            _ => Err(damaged("it is no contribution")),
        }
    }

    /// Writes the file.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&self, path: &Path) -> Result<(), FolderError> {
        write_json(path, self)
    }

    /// Name of the computer: a hash, and its processor.
    pub fn computer(&self) -> String {
        let of = |key: &str| self.session.host[key].as_str().unwrap_or("an unknown processor").trim().to_owned();
        format!("{} ({})", of("processor"), of("name"))
    }
}

/// Stand-in for a name, the same for the same name.
fn anonymous(name: &str) -> String {
    let mut hash = sha256::hexadecimal(&sha256::Sha256::of(name.as_bytes()));
    hash.truncate(NAME_LETTERS);
    hash
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_name_of_the_computer_stands_nowhere() {
        let session = Session {
            id: "20261130T045833Z-annas-pc-15590".to_owned(),
            command: "/home/anna/splitpoint contribute".to_owned(),
            host: json!({ "name": "annas-pc", "processor": "Some Processor 3000" }),
            ..Session::default()
        };
        let contribution = Contribution::new(&session, Vec::new(), Vec::new());
        let text = serde_json::to_string(&contribution).unwrap();
        assert!(!text.contains("anna"), "{text}");
        assert_eq!(contribution, Contribution::new(&session, Vec::new(), Vec::new()), "the same name, the same hash");
        assert!(contribution.computer().starts_with("Some Processor 3000 ("));
    }
}
