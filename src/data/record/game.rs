//! A game that was played, as its journal keeps it: moves, scores, times, result and the reason for it.

use serde::{Deserialize, Serialize};

use crate::choices::choices;
use crate::color::Color;

choices! {
    /// Result of a game.
    pub enum GameResult, "result of a game";
    /// White wins.
    WhiteWins "1-0",
    /// Black wins.
    BlackWins "0-1",
    /// A draw.
    Draw "1/2-1/2",
}

choices! {
    /// Reason why a game ended.
    pub enum Ending, "ending of a game";
    /// The side to move is mated.
    Mate "mate",
    /// The side to move has no legal move and is not in check.
    Stalemate "stalemate",
    /// The position occurred for the third time.
    Repetition "repetition",
    /// Fifty moves on either side without a capture or pawn move.
    FiftyMoves "fifty-moves",
    /// Neither side has the material for any mate.
    Material "material",
    /// Both sides agree that one of them wins.
    AdjudicatedWin "adjudicated-win",
    /// Both sides agree that nobody wins.
    AdjudicatedDraw "adjudicated-draw",
    /// The game became too long.
    Length "length",
    /// The side to move used more time than it had.
    Time "time",
    /// The engine to move ended, hung, or played an illegal move.
    Forfeit "forfeit",
}

impl GameResult {
    /// The win of a side.
    pub fn win_of(color: Color) -> Self {
        match color {
            Color::White => Self::WhiteWins,
            Color::Black => Self::BlackWins,
        }
    }

    /// Half points of a side: 2 for a win, 1 for a draw.
    pub fn half_points(self, color: Color) -> u32 {
        match self {
            Self::Draw => 1,
            win => 2 * u32::from(win == Self::win_of(color)),
        }
    }
}

/// A game that was played: a line of `games.jsonl`. But for the times, it depends on its contest alone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameRecord {
    /// Number of the game in its contest, from 0.
    pub number: u32,
    /// Place of White among the two entrants.
    pub white: usize,
    /// Position that the opening begins with, if it is not the start position.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub start: String,
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
    /// Least milliseconds that White and Black had on their clocks after a move, where they had one.
    #[serde(default, skip_serializing_if = "without_clocks")]
    pub least_left_ms: [Option<u64>; 2],
    /// Fault of the engine that forfeited the game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<String>,
}

fn without_clocks(left: &[Option<u64>; 2]) -> bool {
    left.iter().all(Option::is_none)
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
        self.places_of(color).count()
    }

    /// Number of plies of the opening, from White's first move on: one more where Black begins.
    pub fn opening_plies(&self) -> usize {
        let black_begins = self.start.split(' ').nth(1) == Some("b");
        self.opening.split_whitespace().count() + usize::from(black_begins)
    }

    /// Side that makes the first move after the opening.
    pub fn first_to_search(&self) -> Color {
        if self.opening_plies().is_multiple_of(2) { Color::White } else { Color::Black }
    }

    /// Places of a side's moves among those that were searched for.
    pub fn places_of(&self, color: Color) -> impl Iterator<Item = usize> + use<> {
        (usize::from(self.first_to_search() != color)..self.scores.len()).step_by(2)
    }

    /// Number of plies, those of the opening included.
    pub fn plies(&self) -> usize {
        self.opening.split_whitespace().count() + self.scores.len()
    }
}

#[cfg(test)]
mod tests {
    use super::super::journal::Line;
    use super::*;

    #[test]
    fn points_are_shared() {
        let of = |result: GameResult| Color::ALL.map(|color| result.half_points(color));
        assert_eq!(GameResult::ALL.iter().map(|one| of(*one)).collect::<Vec<_>>(), [[2, 0], [0, 2], [1, 1]]);
    }

    #[test]
    fn games_that_contradict_themselves_are_found() {
        let game = GameRecord {
            number: 0,
            white: 1,
            start: String::new(),
            opening: String::new(),
            moves: "e2e4 e7e5".to_owned(),
            scores: vec![1, 2],
            depths: vec![3, 3],
            result: GameResult::Draw,
            ending: Ending::AdjudicatedDraw,
            nodes: [1; 2],
            time_ns: [1; 2],
            times_ms: Vec::new(),
            least_left_ms: [None; 2],
            fault: None,
        };
        assert_eq!(game.contradiction(), None);
        for wrong in [
            GameRecord { white: 2, ..game.clone() },
            GameRecord { scores: vec![1], ..game.clone() },
            GameRecord { depths: vec![3; 3], ..game.clone() },
        ] {
            assert!(wrong.contradiction().is_some(), "{wrong:?}");
        }
    }
}
