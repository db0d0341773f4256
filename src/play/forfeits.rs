//! Engines that forfeit game after game, and are given no more.

use crate::record::{Ending, GameRecord};

/// Number of games in a row after which an engine that forfeits all of them is given no more.
const MOST_FORFEITS: u32 = 3;

/// Forfeited games of a contest, as they are played.
#[derive(Debug, Default)]
pub struct Forfeits {
    /// Number of games in a row that each entrant has forfeited.
    in_a_row: [u32; 2],
    /// Reason why no more games are to be played, if there is one.
    pub fault: Option<String>,
}

impl Forfeits {
    /// Begins a contest: what an engine did against another, or before it was mended, does not count.
    pub fn begin_contest(&mut self) {
        self.in_a_row = [0; 2];
    }

    /// Notes who has forfeited a game, and who has not.
    pub fn add(&mut self, game: &GameRecord) {
        for (entrant, in_a_row) in self.in_a_row.iter_mut().enumerate() {
            let has_forfeited = game.ending == Ending::Forfeit && game.half_points(entrant) == 0;
            *in_a_row = if has_forfeited { *in_a_row + 1 } else { 0 };
            if *in_a_row == MOST_FORFEITS {
                let fault = game.fault.as_deref().unwrap_or("no reason is known");
                let text = format!(
                    "{MOST_FORFEITS} games in a row were forfeited, so no more are played; in the last, {fault}"
                );
                self.fault.get_or_insert(text);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Color;
    use crate::record::GameResult;

    /// Game that White, the first entrant, loses or wins.
    fn game(white_loses: bool, ending: Ending) -> GameRecord {
        GameRecord {
            number: 0,
            white: 0,
            start: String::new(),
            opening: String::new(),
            moves: String::new(),
            scores: Vec::new(),
            depths: Vec::new(),
            result: GameResult::win_of(if white_loses { Color::Black } else { Color::White }),
            ending,
            nodes: [0; 2],
            time_ns: [0; 2],
            times_ms: Vec::new(),
            least_left_ms: [None; 2],
            fault: Some("it hangs".to_owned()),
        }
    }

    #[test]
    fn three_forfeits_of_one_engine_in_a_row_end_the_games() {
        let end_of = |games: &[GameRecord]| {
            let mut forfeits = Forfeits::default();
            games.iter().for_each(|game| forfeits.add(game));
            forfeits.fault
        };
        let (first, second) = (game(true, Ending::Forfeit), game(false, Ending::Forfeit));
        let lost = game(true, Ending::Mate);
        let ended = end_of(&[first.clone(), first.clone(), first.clone()]);
        let expected = "3 games in a row were forfeited, so no more are played; in the last, it hangs";
        assert_eq!(ended.as_deref(), Some(expected));
        for other in [&second, &lost] {
            assert_eq!(end_of(&[first.clone(), first.clone(), other.clone(), first.clone()]), None);
        }
    }
}
