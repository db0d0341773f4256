//! Judgements: the score that a deeper search gives to a position, and to each move that some run chose there. They say
//! what a move is worth, so that runs to the same depth can be told apart by their results. Plain data; each is a line
//! of `judgements.jsonl`.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use super::cell::Cell;
use super::named::Named;
use super::result::Record;
use super::shared::Word;

/// Score of a position or of a move there, by a sequential search that is deeper than those it judges.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Judgement {
    /// Position that was judged, with the search that judged it.
    pub subject: Subject,
    /// Move that was judged, as `e2e4`; none if it was the position itself.
    pub chosen: Option<Word>,
    /// Best move that the search found: after the move if one was judged.
    pub best: Option<Word>,
    /// Score in thousandths of a pawn, for the side that chooses the move.
    pub score_raw: i32,
    /// Nodes of the search.
    pub nodes: u64,
    /// Time that the search took of this computer, in seconds.
    pub host_s: f64,
    /// Id of the session in which the judgement was made.
    pub session: Word,
}

/// Position that is judged, and the search that judges it: all runs with the same subject have the same judges.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(default)]
pub struct Subject {
    /// Id of the position.
    pub position: Word,
    /// The position itself.
    pub fen: Word,
    /// Features of the search, which decide what scores mean.
    pub features: Named,
    /// Depth in plies to which the position is searched; after a move it is one ply less.
    pub depth: u32,
}

/// Rule by which runs find their subjects.
#[derive(Clone, Debug, Default)]
pub struct Judging {
    plies_deeper: u32,
    /// Depth that the deepest run without a depth of its own reached, by position and features.
    reached: HashMap<(Word, Named), u32>,
}

impl Judging {
    /// Rule for judges that search this many plies deeper than the runs. Runs that no depth limits are judged by a
    /// search deeper than the deepest of them.
    pub fn of(records: &[Record], plies_deeper: u32) -> Self {
        let mut reached: HashMap<(Word, Named), u32> = HashMap::new();
        for record in records.iter().filter(|record| record.cell.depth.is_none()) {
            if let Some(measured) = record.measured() {
                let deepest = reached.entry(key(&record.cell)).or_default();
                *deepest = measured.depth.max(*deepest);
            }
        }
        Self { plies_deeper, reached }
    }

    /// Subject by which a run of this cell is judged; nothing if no such run reached any depth.
    pub fn subject(&self, cell: &Cell) -> Option<Subject> {
        let depth = cell.depth.or_else(|| self.reached.get(&key(cell)).copied())?;
        Some(Subject {
            position: cell.position.clone(),
            fen: cell.fen.clone(),
            features: cell.configuration.features.clone(),
            depth: depth + self.plies_deeper,
        })
    }
}

fn key(cell: &Cell) -> (Word, Named) {
    (cell.fen.clone(), cell.configuration.features.clone())
}
