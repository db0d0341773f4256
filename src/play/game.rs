//! A game: the moves so far, and whether the rules, or what both sides think of it, have ended it.

use std::fmt;
use std::str::FromStr;

use crate::chess::PieceKind::{Bishop, Knight, Pawn, Queen, Rook};
use crate::chess::bitboards::{Bitboards, sliders::Magic};
use crate::chess::{Board, Color, History, Keys, Move, MoveList, Piece, Score, Setup, SquareSet};
use crate::engine::Line;
use crate::record::{Ending, GameResult};
use crate::suggestion::WordError;

/// Board on which the rules of games are kept. What a player searches on is its own affair.
pub type Rules = Bitboards<Magic>;

/// A game.
#[derive(Clone)]
pub struct Game {
    start: Setup,
    board: Rules,
    past: History,
    moves: Vec<Move>,
}

impl Game {
    /// A game that begins with this position.
    pub fn from_setup(start: &Setup) -> Self {
        let board = Rules::set_up(start, Keys::of_seed(0)).expect("this board needs nothing of the processor");
        Self { start: start.clone(), board, past: History::with_capacity(MOST_PLIES as usize), moves: Vec::new() }
    }

    /// Present position.
    pub fn board(&self) -> &Rules {
        &self.board
    }

    /// The present position, with how the game has come there.
    pub fn line(&self) -> Line<'_> {
        Line { start: &self.start, moves: &self.moves }
    }

    /// Number of moves that have been made.
    pub fn plies(&self) -> u32 {
        self.moves.len() as u32
    }

    /// Moves that have been made.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// Legal moves, in the order of their generation.
    pub fn legal_moves(&self) -> MoveList {
        let mut list = MoveList::new();
        self.board.legal_moves(&mut list);
        list
    }

    /// Makes a legal move.
    pub fn play(&mut self, mv: Move) {
        self.past.push(self.board.key());
        let _ = self.board.make(mv);
        self.moves.push(mv);
    }

    /// Makes the move that is written in coordinates (`e2e4`); false if it is not legal.
    pub fn play_text(&mut self, text: &str) -> bool {
        let mv = self.legal_moves().iter().copied().find(|mv| mv.to_string() == text);
        mv.inspect(|mv| self.play(*mv)).is_some()
    }

    /// Result and reason, if the rules have ended the game. Mate comes before all else.
    pub fn end(&self) -> Option<(GameResult, Ending)> {
        if self.board.count_legal_moves() == 0 {
            return Some(match self.board.in_check() {
                true => (GameResult::win_of(!self.board.turn()), Ending::Mate),
                false => (GameResult::Draw, Ending::Stalemate),
            });
        }
        let ending = if cannot_be_won(&self.board) {
            Ending::Material
        } else if self.past.repetitions(self.board.state()).in_game >= 2 {
            Ending::Repetition
        } else if self.board.is_fifty_moves() {
            Ending::FiftyMoves
        } else {
            return None;
        };
        Some((GameResult::Draw, ending))
    }
}

impl Default for Game {
    /// A game from the start position.
    fn default() -> Self {
        Self::from_setup(&Setup::start())
    }
}

/// Whether no sequence of legal moves leads to a mate: bare kings, one minor piece, or bishops on squares of one
/// colour.
fn cannot_be_won(board: &Rules) -> bool {
    let pieces = |kind| Color::ALL.map(|color| Piece::new(color, kind));
    if [Pawn, Rook, Queen].into_iter().flat_map(pieces).any(|piece| board.has_any(piece)) {
        return false;
    }
    let knights: u32 = pieces(Knight).into_iter().map(|piece| board.count(piece)).sum();
    let bishops: SquareSet = pieces(Bishop).iter().flat_map(|piece| board.squares_of(*piece)).collect();
    match knights {
        0 => (bishops & SquareSet::LIGHT).is_empty() || (bishops - SquareSet::LIGHT).is_empty(),
        1 => bishops.is_empty(),
        _ => false,
    }
}

/// When a game ends by what both sides think of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Adjudication {
    /// Score from which on both sides agree on a win, and number of plies for which they must.
    pub won: Option<(Score, u32)>,
    /// Score up to which both sides agree on a draw, and number of plies for which they must.
    pub drawn: Option<(Score, u32)>,
}

/// A score and a number of plies on which both sides agree, as `10,4`: pawns and plies; or `never`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Agreement(Option<(Score, u32)>);

impl FromStr for Agreement {
    type Err = WordError;

    fn from_str(text: &str) -> Result<Self, WordError> {
        let wrong = || WordError::new(format!("'{text}' is not pawns and plies, such as 5,4, nor never"));
        if text == "never" {
            return Ok(Self(None));
        }
        let (pawns, plies) = text.split_once(',').ok_or_else(wrong)?;
        let pawns = pawns.trim().parse::<f64>().ok().filter(|pawns| (0.0..=100.0).contains(pawns)).ok_or_else(wrong)?;
        let plies = plies.trim().parse::<u32>().ok().filter(|plies| (1..=100).contains(plies)).ok_or_else(wrong)?;
        Ok(Self(Some((Score((pawns * 1000.0).round() as i32), plies))))
    }
}

/// A rule of adjudication that users may change: an option of a match, and a key in the file of a tournament.
#[derive(Clone, Copy, Debug)]
pub struct Rule {
    /// Name of the option and of the key.
    pub name: &'static str,
    /// Form of the option's value, for help.
    pub value: &'static str,
    /// Meaning, for help.
    pub meaning: &'static str,
    /// Changes an adjudication to what is given.
    pub change: fn(Adjudication, &str) -> Result<Adjudication, WordError>,
}

impl Adjudication {
    /// All rules that users may change.
    pub const RULES: &[Rule] = &[
        Rule {
            name: "resign",
            value: "PAWNS,PLIES",
            meaning: "Pawns and plies for which both sides must see a win, or never, to end a game [default: 10,4]",
            change: |usual, text| text.parse().map(|Agreement(won)| Self { won, ..usual }),
        },
        Rule {
            name: "draw",
            value: "PAWNS,PLIES",
            meaning: "Pawns and plies for which both sides must see no more than that, after ply 80, or never \
                      [default: 0.1,10]",
            change: |usual, text| text.parse().map(|Agreement(drawn)| Self { drawn, ..usual }),
        },
    ];
}

impl Default for Adjudication {
    fn default() -> Self {
        Self { won: Some((Score(10_000), 4)), drawn: Some((Score(100), 10)) }
    }
}

impl fmt::Display for Adjudication {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rule = |rule: Option<(Score, u32)>| {
            rule.map_or_else(|| "never".to_owned(), |(score, plies)| format!("{score} for {plies} plies"))
        };
        write!(f, "won: {}, drawn: {}", rule(self.won), rule(self.drawn))
    }
}

/// Number of plies before which no draw is agreed.
const DRAWN_FROM: u32 = 80;
/// Number of plies at which a game ends as a draw.
pub(super) const MOST_PLIES: u32 = 400;

impl Adjudication {
    /// Result and reason, if the scores of both sides, from White's view, or the length have ended the game. `plies`
    /// counts the moves of the opening too, which have no scores.
    pub fn end(&self, scores: &[Score], plies: u32) -> Option<(GameResult, Ending)> {
        let last = |count: u32| scores.len().checked_sub(count as usize).map(|from| &scores[from..]);
        if let Some((most, last)) = self.won.and_then(|(score, plies)| Some((score, last(plies)?))) {
            for (color, sign) in [(Color::White, 1), (Color::Black, -1)] {
                if last.iter().all(|score| score.0 * sign >= most.0) {
                    return Some((GameResult::win_of(color), Ending::AdjudicatedWin));
                }
            }
        }
        let is_drawn = |(most, plies): (Score, u32)| {
            last(plies).is_some_and(|last| last.iter().all(|score| score.0.abs() <= most.0))
        };
        if plies > DRAWN_FROM && self.drawn.is_some_and(is_drawn) {
            return Some((GameResult::Draw, Ending::AdjudicatedDraw));
        }
        (plies >= MOST_PLIES).then_some((GameResult::Draw, Ending::Length))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(moves: &str) -> Game {
        let mut game = Game::default();
        for text in moves.split_whitespace() {
            assert_eq!(game.end(), None, "before {text}");
            assert!(game.play_text(text), "{text}");
        }
        game
    }

    #[test]
    fn games_end_by_the_rules() {
        let back_and_forth = "g1f3 g8f6 f3g1 f6g8 ".repeat(2);
        let stalemate =
            "e2e3 a7a5 d1h5 a8a6 h5a5 h7h5 a5c7 a6h6 h2h4 f7f6 c7d7 e8f7 d7b7 d8d3 b7b8 d3h7 b8c8 f7g6 c8e6";
        for (moves, end) in [
            ("f2f3 e7e5 g2g4 d8h4", Some((GameResult::BlackWins, Ending::Mate))),
            ("e2e4 e7e5 d1h5 b8c6 f1c4 g8f6 h5f7", Some((GameResult::WhiteWins, Ending::Mate))),
            (stalemate, Some((GameResult::Draw, Ending::Stalemate))),
            (&back_and_forth, Some((GameResult::Draw, Ending::Repetition))),
            ("g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1", None),
            ("", None),
        ] {
            assert_eq!(game(moves).end(), end, "{moves}");
        }
        assert!(!game("").play_text("e2e5"));
    }

    #[test]
    fn fifty_moves_end_a_game_unless_it_is_mate() {
        for (fen, end) in [
            ("4k3/8/8/8/8/8/4P3/4K3 w - - 99 90", None),
            ("4k3/8/8/8/8/8/4P3/4K3 w - - 100 90", Some((GameResult::Draw, Ending::FiftyMoves))),
            ("R3k3/8/4K3/8/8/8/8/8 b - - 100 90", Some((GameResult::WhiteWins, Ending::Mate))),
        ] {
            assert_eq!(at(fen).end(), end, "{fen}");
        }
    }

    fn at(fen: &str) -> Game {
        Game::from_setup(&fen.parse().unwrap())
    }

    #[test]
    fn material_that_cannot_mate_is_a_draw() {
        for (pieces, is_draw) in [
            ("4k3/8/8/8/8/8/8/4K3", true),
            ("4k3/8/8/8/8/8/8/4KN2", true),
            ("4k3/8/8/8/8/8/8/4KB2", true),
            ("4kn2/8/8/8/8/8/8/4KN2", false),
            ("4k3/8/8/8/8/8/8/3NKN2", false),
            ("4k3/8/8/8/8/8/8/4KBN1", false),
            // Bishops on f1 and c8 stand on light squares, c1 is dark.
            ("2b1k3/8/8/8/8/8/8/4KB2", true),
            ("2b1k3/8/8/8/8/8/8/2B1K3", false),
            ("4k3/8/8/8/8/8/4P3/4K3", false),
            ("4k3/8/8/8/8/8/8/4K2R", false),
        ] {
            let end = at(&format!("{pieces} w - - 0 1")).end();
            assert_eq!(end.map(|(_, ending)| ending), is_draw.then_some(Ending::Material), "{pieces}");
        }
    }

    #[test]
    fn both_sides_must_agree() {
        let of = |scores: &[i32], plies| {
            Adjudication::default().end(&scores.iter().map(|score| Score(*score)).collect::<Vec<_>>(), plies)
        };
        let [win, draw] = [Ending::AdjudicatedWin, Ending::AdjudicatedDraw];
        assert_eq!(of(&[0, 10_000, 12_000, 129_995, 10_000], 20), Some((GameResult::WhiteWins, win)));
        assert_eq!(of(&[-10_000; 4], 20), Some((GameResult::BlackWins, win)));
        assert_eq!(of(&[10_000; 3], 20), None);
        assert_eq!(of(&[10_000, 10_000, 9_999, 10_000], 20), None);
        assert_eq!(of(&[10_000, -10_000, 10_000, -10_000], 20), None);
        assert_eq!(of(&[100, -100, 0, 0, 0, 0, 0, 0, 0, 50], 81), Some((GameResult::Draw, draw)));
        assert_eq!(of(&[0; 10], 80), None);
        assert_eq!(of(&[0; 9], 90), None);
        assert_eq!(of(&[0, 0, 0, 0, 101, 0, 0, 0, 0, 0], 90), None);
        assert_eq!(of(&[5_000; 10], 400), Some((GameResult::Draw, Ending::Length)));
        assert_eq!(of(&[], 0), None);
    }
}
