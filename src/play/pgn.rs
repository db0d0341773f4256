//! Games in portable game notation (PGN), with score, depth and time of each move as a comment.

use std::fmt::Write;

use super::game::Game;
use crate::chess::{Board, Color, Score, Setup, notation};
use crate::record::{GameRecord, calendar};

/// Length of the lines of moves, by the standard.
const LINE: usize = 79;

/// Words before the clock in the limit of a player.
const CLOCK: &str = "a clock of ";

/// Games of two players, and the names of these.
pub type Played = ([String; 2], Vec<GameRecord>);

/// Tags that all games of a file share: the date and the limits of the players.
#[derive(Clone, Debug, Default)]
pub struct Tags {
    /// Date on which they were played, as `2026.11.29`; none if that was not on one day, or is not known.
    pub date: Option<String>,
    /// Limits of the players, in words.
    pub limits: Vec<String>,
}

impl Tags {
    /// Date of this moment, in UTC.
    pub fn today() -> String {
        calendar::utc(calendar::now()).chars().take_while(|letter| *letter != 'T').collect::<String>().replace('-', ".")
    }

    /// Time control in the notation of the standard, if all have the same: `5+0.05` for a clock, `1/0.05` for a time
    /// for each move, `-` for limits of another kind; else `?`.
    fn time_control(&self) -> String {
        let control = |limit: &String| match (limit.strip_suffix(" s"), limit.strip_prefix(CLOCK)) {
            (Some(_), Some(clock)) => clock.trim_end_matches(" s").to_owned(),
            (Some(seconds), None) if seconds.parse::<f64>().is_ok() => format!("1/{seconds}"),
            (Some(_), None) => "?".to_owned(),
            (None, _) => "-".to_owned(),
        };
        match self.limits.as_slice() {
            [first, rest @ ..] if rest.iter().all(|limit| limit == first) => control(first),
            _ => "?".to_owned(),
        }
    }
}

/// Writes games in the order given.
pub fn write<'a>(tags: &Tags, played: impl IntoIterator<Item = &'a Played>) -> String {
    let all = tags;
    let mut text = String::new();
    for (names, game) in played.into_iter().flat_map(|(names, games)| games.iter().map(move |game| (names, game))) {
        let name = |player: usize| names[player].replace('\\', "\\\\").replace('"', "\\\"");
        let tags = [
            ("Event", "splitpoint match".to_owned()),
            ("Site", "?".to_owned()),
            ("Date", all.date.clone().unwrap_or_else(|| "????.??.??".to_owned())),
            ("Round", format!("{}.{}", game.number / 2 + 1, game.number % 2 + 1)),
            ("White", name(game.white)),
            ("Black", name(1 - game.white)),
            ("Result", game.result.to_string()),
            ("PlyCount", game.plies().to_string()),
            ("TimeControl", all.time_control()),
            ("Termination", game.ending.to_string()),
        ];
        let start = [("SetUp", "1".to_owned()), ("FEN", game.start.clone())];
        let start = start.into_iter().filter(|_| !game.start.is_empty());
        for (tag, value) in tags.into_iter().chain(start) {
            let _ = writeln!(text, "[{tag} \"{value}\"]");
        }
        text.push('\n');
        let mut line = String::new();
        for word in words(game) {
            if line.len() + 1 + word.len() > LINE {
                let _ = writeln!(text, "{line}");
                line.clear();
            }
            let blank = if line.is_empty() { "" } else { " " };
            let _ = write!(line, "{blank}{word}");
        }
        let _ = writeln!(text, "{line}\n");
    }
    text
}

/// Number of the next move.
fn number(game: &Game) -> u32 {
    game.board().setup().fullmove
}

/// Words of a game: numbers, moves, comments and the result.
fn words(record: &GameRecord) -> Vec<String> {
    let mut words = Vec::new();
    let mut game = record.start.parse().map_or_else(|_| Game::default(), |start: Setup| Game::from_setup(&start));
    let opening = record.opening.split_whitespace().map(|mv| (mv, None));
    let times = record.times_ms.iter().map(Some).chain(std::iter::repeat(None));
    let scored = record.scores.iter().zip(&record.depths).zip(times).map(Some);
    for (text, scored) in opening.chain(record.moves.split_whitespace().zip(scored)) {
        let Some(mv) = game.legal_moves().iter().copied().find(|mv| mv.to_string() == text) else { break };
        let is_after_comment = game.plies() as usize > record.plies() - record.scores.len();
        match game.board().turn() {
            Color::White => words.push(format!("{}.", number(&game))),
            Color::Black if is_after_comment || game.plies() == 0 => words.push(format!("{}...", number(&game))),
            Color::Black => {}
        }
        words.push(notation::san(game.board(), mv));
        if let Some(((score, depth), time_ms)) = scored {
            let time = time_ms.map_or_else(String::new, |ms| format!(" {:.3}s", *ms as f64 / 1e3));
            words.push(format!("{{{}/{depth}{time}}}", Score(*score)));
        }
        game.play(mv);
    }
    words.push(record.result.to_string());
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{Ending, GameResult};

    #[test]
    fn limits_are_written_as_the_standard_has_them() {
        for (limits, expected) in [
            (&["a clock of 5+0.05 s", "a clock of 5+0.05 s"][..], "5+0.05"),
            (&["a clock of 5+0.05 s", "a clock of 9+0.05 s"], "?"),
            (&["0.05 s", "0.05 s"], "1/0.05"),
            (&["500 nodes and 0.05 s"], "?"),
            (&["500 nodes", "500 nodes"], "-"),
            (&["depth 8"], "-"),
        ] {
            let limits = limits.iter().map(|limit| (*limit).to_owned()).collect();
            assert_eq!(Tags { date: None, limits }.time_control(), expected);
        }
    }

    #[test]
    fn moves_have_their_times_where_they_are_known() {
        let game = GameRecord {
            number: 0,
            white: 0,
            start: String::new(),
            opening: "e2e4".into(),
            moves: "e7e5 g1f3".into(),
            scores: vec![100, -300],
            depths: vec![8, 9],
            result: GameResult::Draw,
            ending: Ending::Repetition,
            nodes: [1, 1],
            time_ns: [1, 1],
            times_ms: vec![51, 1_234],
            least_left_ms: [None; 2],
            fault: None,
        };
        let tags = Tags { date: Some("2026.11.29".into()), limits: vec!["0.05 s".into(); 2] };
        let names = ["a".to_owned(), "b".to_owned()];
        let text = write(&tags, &[(names.clone(), vec![game.clone()])]);
        assert!(text.contains("[Date \"2026.11.29\"]\n") && text.contains("[TimeControl \"1/0.05\"]\n"), "{text}");
        assert!(text.contains("e5 {+0.10/8 0.051s} 2. Nf3 {-0.30/9 1.234s} 1/2-1/2"), "{text}");
        let untimed = GameRecord { times_ms: Vec::new(), ..game };
        let text = write(&Tags::default(), &[(names, vec![untimed])]);
        assert!(text.contains("e5 {+0.10/8} 2. Nf3") && text.contains("[Date \"????.??.??\"]"), "{text}");
    }
}
