//! What an engine tells while it searches: lines `info ...`.

use crate::chess::Score;

/// Thousandths of a pawn in a hundredth.
const CENTIPAWN: i32 = 10;

/// Facts of an `info` line; those that it does not tell are missing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Info {
    /// Depth in plies.
    pub depth: Option<u32>,
    /// Deepest line in plies.
    pub deepest: Option<u64>,
    /// Number of the line among the best ones, from 1.
    pub rank: Option<u32>,
    /// Score for the side to move.
    pub score: Option<Score>,
    /// Whether the score is only a bound of the true one.
    pub is_bound: bool,
    /// Number of nodes.
    pub nodes: Option<u64>,
    /// First move of the line, in coordinates.
    pub first_move: Option<String>,
}

impl Info {
    /// Facts of a line, if it is an `info` line about a search.
    pub fn parse(line: &str) -> Option<Self> {
        let mut words = line.split_whitespace();
        if words.next() != Some("info") {
            return None;
        }
        let mut info = Self::default();
        while let Some(word) = words.next() {
            match word {
                // What follows is text, or lines that have been left.
                "string" | "refutation" | "currline" => break,
                "depth" => info.depth = number(words.next()),
                "seldepth" => info.deepest = number(words.next()),
                "multipv" => info.rank = number(words.next()),
                "nodes" => info.nodes = number(words.next()),
                "score" => {
                    info.score = match (words.next(), number::<i32>(words.next())) {
                        (Some("cp"), Some(amount)) => {
                            Some(Score(amount.saturating_mul(CENTIPAWN).clamp(-MOST.0, MOST.0)))
                        }
                        (Some("mate"), Some(moves)) => Some(mate(moves)),
                        _ => None,
                    };
                }
                "lowerbound" | "upperbound" => info.is_bound = true,
                "pv" => {
                    info.first_move = words.next().map(str::to_owned);
                    break;
                }
                _ => {}
            }
        }
        Some(info)
    }

    /// Whether the line tells the score of the best move, and not a bound of it or another move's.
    pub fn is_answer(&self) -> bool {
        self.score.is_some() && !self.is_bound && self.rank.is_none_or(|rank| rank == 1)
    }
}

/// Largest score that is not a mate.
const MOST: Score = Score::LONGEST_MATE;

/// Score of a mate in so many moves of the side to move, or of being mated in as many if it is not positive.
fn mate(moves: i32) -> Score {
    let plies = moves.unsigned_abs().min(140) * 2;
    if moves > 0 { Score::mate_in(plies - 1) } else { Score::mated_in(plies) }
}

fn number<T: std::str::FromStr>(word: Option<&str>) -> Option<T> {
    word?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_understood() {
        let of = |line: &str| Info::parse(line).unwrap();
        let line = "info depth 9 seldepth 20 multipv 1 score cp -35 lowerbound nodes 1234 nps 9 pv e2e4 e7e5";
        let expected = Info {
            depth: Some(9),
            deepest: Some(20),
            rank: Some(1),
            score: Some(Score(-350)),
            is_bound: true,
            nodes: Some(1_234),
            first_move: Some("e2e4".into()),
        };
        assert_eq!(of(line), expected);
        assert!(!expected.is_answer());
        assert!(of("info score cp 3").is_answer());
        assert!(!of("info multipv 2 score cp 3").is_answer());
        assert_eq!(of("info string depth 3 score cp 999 nodes 7"), Info::default());
        assert_eq!(of("info depth many nodes -1 score cp x"), Info::default());
        assert_eq!(Info::parse("bestmove depth 99"), None);
        for (text, score) in [("mate 3", Score::mate_in(5)), ("mate -2", Score::mated_in(4)), ("mate 0", -Score::MATE)]
        {
            assert_eq!(of(&format!("info score {text}")).score, Some(score));
        }
        assert_eq!(of("info score cp 2147483647").score, Some(MOST));
    }
}
