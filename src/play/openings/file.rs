//! Openings of a file: games in portable game notation (PGN), positions as EPD or FEN, or lines of moves in coordinates
//! as the book that ships has them.

use std::path::Path;

use super::Opening;
use crate::chess::epd::Epd;
use crate::chess::{Setup, notation};
use crate::fingerprint::fingerprint;
use crate::game::Game;

/// Openings of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpeningsFile {
    /// Name of the file, without its folder.
    pub name: String,
    /// Fingerprint of its text.
    pub fingerprint: String,
    /// The openings.
    pub openings: Vec<Opening>,
}

/// Books that ship beside the even one, by their names.
const SHIPPED: [(&str, &str); 1] = [("unbalanced", splitpoint_positions::UNBALANCED)];

impl OpeningsFile {
    /// Reads a file, which a name is sought in this folder for, or takes the book that ships by this name. Of each
    /// opening no more than the first `plies` moves are taken.
    ///
    /// # Errors
    /// In words, with the line, if it cannot be read or holds anything that is no opening.
    pub fn read(folder: &Path, name: &str, plies: Option<u32>) -> Result<Self, String> {
        let path = &folder.join(name);
        let text = match SHIPPED.iter().find(|(shipped, _)| *shipped == name) {
            Some((_, text)) => (*text).to_owned(),
            None => std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?,
        };
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let is_pgn = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("pgn"));
        let read = if is_pgn { games(&text) } else { lines(&text) };
        let mut openings = read.map_err(|(line, error)| format!("{}, line {line}: {error}", path.display()))?;
        if openings.is_empty() {
            return Err(format!("{}: it holds no opening", path.display()));
        }
        let most = plies.map_or(usize::MAX, |plies| plies as usize);
        openings.iter_mut().for_each(|opening| opening.moves.truncate(most));
        if let Some(place) = openings.iter().position(|opening| opening.game().end().is_some()) {
            let path = path.display();
            return Err(format!(
                "{path}: after opening {} the game is over: leave it out, or take fewer plies",
                place + 1
            ));
        }
        let fingerprint = fingerprint([format!("{text}{plies:?}")]);
        Ok(Self { name, fingerprint, openings })
    }
}

/// Number of a line from 1, and what is wrong there.
type Wrong = (usize, String);

/// Openings of lines: positions, or moves in coordinates.
fn lines(text: &str) -> Result<Vec<Opening>, Wrong> {
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'));
    lines.map(|(at, line)| opening_of(line).map_err(|message| (at + 1, message))).collect()
}

/// Opening of a line: a position, or moves in coordinates.
fn opening_of(line: &str) -> Result<Opening, String> {
    if line.contains('/') {
        let epd = Epd::parse(line.trim()).or_else(|error| {
            // A line of FEN has its counters where EPD has operations.
            line.trim().parse::<Setup>().map(Epd::from).map_err(|_| error)
        });
        let start = epd.map_err(|error| error.to_string())?.setup;
        return Ok(Opening { start: Some(start).filter(|start| *start != Setup::start()), moves: Vec::new() });
    }
    let mut game = Game::default();
    for text in line.split_whitespace() {
        if !game.play_text(text) {
            return Err(format!("'{text}' is no legal move here"));
        }
    }
    Ok(Opening { start: None, moves: game.moves().to_vec() })
}

/// Openings of games: their moves without comments and variations.
fn games(text: &str) -> Result<Vec<Opening>, Wrong> {
    let (mut openings, mut game): (Vec<Opening>, Option<(Option<Setup>, Game)>) = (Vec::new(), None);
    let (mut depth, mut in_comment) = (0_u32, false);
    for (at, line) in text.lines().enumerate() {
        let wrong = |message: String| (at + 1, message);
        if !in_comment && line.starts_with('[') {
            // A tag after moves begins the next game.
            if game.as_ref().is_some_and(|(_, game)| game.plies() > 0) {
                openings.extend(game.take().map(opening));
            }
            let start = line.strip_prefix("[FEN \"").and_then(|rest| rest.split('"').next());
            let start = start.map(|fen| fen.parse::<Setup>().map_err(|error| wrong(error.to_string()))).transpose()?;
            match (start, &game) {
                (Some(start), _) => game = Some((Some(start.clone()), Game::from_setup(&start))),
                (None, None) => game = Some((None, Game::default())),
                (None, Some(_)) => {}
            }
            continue;
        }
        if line.starts_with('%') {
            continue;
        }
        for word in words(line) {
            match word {
                "}" => in_comment = false,
                _ if in_comment => {}
                "{" => in_comment = true,
                ";" => break,
                "(" => depth += 1,
                ")" => depth = depth.saturating_sub(1),
                _ if depth > 0 || word.starts_with('$') => {}
                "1-0" | "0-1" | "1/2-1/2" | "*" => openings.extend(game.take().map(opening)),
                _ => {
                    let san = word.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
                    let san = if word.starts_with("0-0") { word } else { san }.trim_end_matches(['!', '?']);
                    if san.is_empty() {
                        continue;
                    }
                    let (_, game) = game.get_or_insert_with(|| (None, Game::default()));
                    let mv = notation::parse_san(game.board(), san).map_err(|error| wrong(error.to_string()))?;
                    game.play(mv);
                }
            }
        }
    }
    openings.extend(game.filter(|(start, game)| start.is_some() || game.plies() > 0).map(opening));
    Ok(openings)
}

fn opening((start, game): (Option<Setup>, Game)) -> Opening {
    Opening { start, moves: game.moves().to_vec() }
}

/// Words of a line; braces, brackets and semicolons are words of their own.
fn words(line: &str) -> impl Iterator<Item = &str> {
    line.split_whitespace().flat_map(|word| {
        word.split_inclusive(|c| "{}();".contains(c)).flat_map(|part| {
            let end = part.len() - usize::from(part.ends_with(['{', '}', '(', ')', ';']));
            [&part[..end], &part[end..]].into_iter().filter(|part| !part.is_empty())
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(openings: &[Opening]) -> Vec<String> {
        let start = |opening: &Opening| opening.start.as_ref().map_or("", |_| "from a position: ");
        openings.iter().map(|opening| format!("{}{opening}", start(opening))).collect()
    }

    #[test]
    fn books_that_ship_have_enough_different_lines() {
        for (name, _) in SHIPPED {
            let file = OpeningsFile::read(Path::new("nowhere"), name, None).unwrap();
            let mut lines = told(&file.openings);
            assert!(lines.len() >= 1_000 && file.openings.iter().all(|one| one.moves.len() == 8), "{name}");
            lines.sort_unstable();
            lines.dedup();
            assert_eq!(lines.len(), file.openings.len(), "{name}");
        }
    }

    #[test]
    fn games_become_openings() {
        let text = "[Event \"x\"]\n[White \"a (b) {c}\"]\n\n1. e4 {best, by test (really)} e5 2.Nf3 $1 (2. f4 exf4\n3. \
                    Nf3) Nc6! ; a comment\n3. Bb5 1/2-1/2\n\n[Event \"y\"]\n[SetUp \"1\"]\n\
                    [FEN \"4k3/8/8/8/8/8/4P3/4K2R b K - 0 1\"]\n\n1... Kd7 2. O-O *\n\n1. d4\n";
        let found = games(text).unwrap();
        assert_eq!(told(&found), ["e2e4 e7e5 g1f3 b8c6 f1b5", "from a position: e8d7 e1g1", "d2d4"]);
        let (line, error) = games("[Event \"x\"]\n\n1. e4 e5\n2. Ke3 *\n").unwrap_err();
        assert!(line == 4 && error.contains("Ke3"), "{line} {error}");
    }

    #[test]
    fn lines_become_openings() {
        let text = "# a comment\ne2e4 e7e5\n\nrnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - id \"start\";\n\
                    4k3/8/8/8/8/8/4P3/4K2R b K - 3 9\n";
        assert_eq!(told(&lines(text).unwrap()), ["e2e4 e7e5", "", "from a position: "]);
        for (text, line, part) in [("e2e4\ne2e5\n", 2, "e2e5"), ("8/8/8/8/8/8/8/8 w - - 0 1", 1, "king")] {
            let error = lines(text).unwrap_err();
            assert!(error.0 == line && error.1.contains(part), "{error:?}");
        }
    }
}
