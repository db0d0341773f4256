//! Games in portable game notation (PGN), with score and depth of each move as a comment.

use std::fmt::Write;

use super::game::Game;
use crate::chess::{Board, Color, Score, Setup, notation};
use crate::record::GameRecord;

/// Length of the lines of moves, by the standard.
const LINE: usize = 79;

/// Games of two players, and the names of these.
pub type Played = ([String; 2], Vec<GameRecord>);

/// Writes games in the order given.
pub fn write<'a>(played: impl IntoIterator<Item = &'a Played>) -> String {
    let mut text = String::new();
    for (names, game) in played.into_iter().flat_map(|(names, games)| games.iter().map(move |game| (names, game))) {
        let name = |player: usize| names[player].replace('\\', "\\\\").replace('"', "\\\"");
        let tags = [
            ("Event", "splitpoint match".to_owned()),
            ("Site", "?".to_owned()),
            ("Date", "????.??.??".to_owned()),
            ("Round", format!("{}.{}", game.number / 2 + 1, game.number % 2 + 1)),
            ("White", name(game.white)),
            ("Black", name(1 - game.white)),
            ("Result", game.result.to_string()),
            ("PlyCount", game.plies().to_string()),
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
    let scored = record.scores.iter().zip(&record.depths).map(Some);
    for (text, scored) in opening.chain(record.moves.split_whitespace().zip(scored)) {
        let Some(mv) = game.legal_moves().iter().copied().find(|mv| mv.to_string() == text) else { break };
        let is_after_comment = game.plies() as usize > record.plies() - record.scores.len();
        match game.board().turn() {
            Color::White => words.push(format!("{}.", number(&game))),
            Color::Black if is_after_comment || game.plies() == 0 => words.push(format!("{}...", number(&game))),
            Color::Black => {}
        }
        words.push(notation::san(game.board(), mv));
        if let Some((score, depth)) = scored {
            words.push(format!("{{{}/{depth}}}", Score(*score)));
        }
        game.play(mv);
    }
    words.push(record.result.to_string());
    words
}
