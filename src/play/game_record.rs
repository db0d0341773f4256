//! A game that was played, as its journal keeps it.

use serde::{Deserialize, Serialize};

use super::game::{Ending, GameResult};
use crate::chess::Color;
use crate::record::journal::Line;

/// A game that was played: a line of `games.jsonl`. But for the times, it depends on its contest alone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameRecord {
    /// Number of the game in its contest, from 0.
    pub number: u32,
    /// Place of White among the two entrants.
    pub white: usize,
    /// Moves of the opening, in coordinates.
    pub opening: String,
    /// Moves after the opening, in coordinates.
    pub moves: String,
    /// Score of each of these moves for the side that made it, in thousandths of a pawn.
    pub scores: Vec<i32>,
    /// Depth that each of these moves was searched to.
    pub depths: Vec<u32>,
    /// Result.
    pub result: GameResult,
    /// Reason for the result.
    pub ending: Ending,
    /// Nodes searched by White and by Black.
    pub nodes: [u64; 2],
    /// Nanoseconds that White and Black took.
    pub time_ns: [u64; 2],
    /// Milliseconds that each of the moves took, where time was limited.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub times_ms: Vec<u64>,
    /// What was wrong with the engine that forfeited the game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<String>,
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

impl GameRecord {
    /// Colour of one of the two entrants.
    pub fn color_of(&self, entrant: usize) -> Color {
        if self.white == entrant { Color::White } else { Color::Black }
    }

    /// Half points of one of the two entrants.
    pub fn half_points(&self, entrant: usize) -> u32 {
        self.result.half_points(self.color_of(entrant))
    }

    /// Number of moves of a side that it searched for.
    pub fn moves_of(&self, color: Color) -> usize {
        let opening = self.opening.split_whitespace().count();
        let is_white_first = opening.is_multiple_of(2);
        let first = self.scores.len().div_ceil(2);
        if is_white_first == (color == Color::White) { first } else { self.scores.len() - first }
    }

    /// Number of plies, those of the opening included.
    pub fn plies(&self) -> usize {
        self.opening.split_whitespace().count() + self.scores.len()
    }
}
