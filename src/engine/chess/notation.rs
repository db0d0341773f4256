//! Moves as people write them: standard algebraic notation (SAN), both ways.
//!
//! ```
//! use splitpoint_engine::chess::mailbox::Mailbox;
//! use splitpoint_engine::chess::notation::{parse_san, san};
//! use splitpoint_engine::chess::{Board, Keys, Setup};
//!
//! let setup: Setup = "4k3/P7/8/8/8/8/8/R3K2R w KQ - 0 1".parse().unwrap();
//! let board = Mailbox::set_up(&setup, Keys::of_seed(0)).unwrap();
//! for (coordinates, text) in [("e1g1", "O-O"), ("a7a8q", "a8=Q+"), ("h1h8", "Rh8+"), ("a1b1", "Rb1")] {
//!     let mv = parse_san(&board, text).unwrap();
//!     assert_eq!((mv.to_string().as_str(), san(&board, mv).as_str()), (coordinates, text));
//! }
//! let error = parse_san(&board, "Nf3").unwrap_err();
//! assert_eq!(error.to_string(), "'Nf3' is not legal in this position");
//! ```

use super::board::Board;
use super::moves::{Move, MoveKind, MoveList};
use super::{Color, PieceKind, PieceKind::*, Square};

/// Reasons why a text is not a move of the position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MoveError {
    /// The text is not a move in this notation.
    #[error("'{0}' is not a move: expected standard algebraic notation, as in e4, Nbd7, exd6, e8=Q or O-O")]
    NotAMove(String),
    /// The move is not legal in the position.
    #[error("'{0}' is not legal in this position")]
    Illegal(String),
    /// The move fits several pieces.
    #[error("'{0}' may be {1}")]
    Ambiguous(String, String),
}

/// Writes a legal move in SAN: `Nbd7`, `exd6`, `e8=Q+`, `O-O-O#`.
pub fn san<B: Board>(board: &B, mv: Move) -> String {
    let mut text = match (mv.kind(), mv.piece()) {
        (MoveKind::Castling, _) if mv.to().file() == 6 => "O-O".to_owned(),
        (MoveKind::Castling, _) => "O-O-O".to_owned(),
        (_, Pawn) if mv.is_capture() => format!("{}x{}", file_letter(mv.from()), mv.to()),
        (_, Pawn) => mv.to().to_string(),
        (_, kind) => {
            let cross = if mv.is_capture() { "x" } else { "" };
            format!("{}{}{cross}{}", kind.letter(), distinction(board, mv), mv.to())
        }
    };
    if let Some(kind) = mv.promoted() {
        text.push('=');
        text.push(kind.letter());
    }
    let mut after = board.clone();
    let _ = after.make(mv);
    if after.in_check() {
        text.push(if after.count_legal_moves() == 0 { '#' } else { '+' });
    }
    text
}

/// Writes a line of legal moves in SAN, each white move with its number: `1...Bf5`, `2.Rad1`, `Bg6`.
pub fn numbered<B: Board>(board: &B, line: &[Move]) -> Vec<String> {
    let mut board = board.clone();
    let mut number = board.setup().fullmove;
    let write = |(i, mv): (usize, &Move)| {
        let text = san(&board, *mv);
        let text = match board.turn() {
            Color::White => format!("{number}.{text}"),
            Color::Black if i == 0 => format!("{number}...{text}"),
            Color::Black => text,
        };
        number += u32::from(board.turn() == Color::Black);
        let _ = board.make(*mv);
        text
    };
    line.iter().enumerate().map(write).collect()
}

/// Disambiguation of pieces of one kind that can move to the same square: the file if that is enough, else the rank,
/// else both.
fn distinction<B: Board>(board: &B, mv: Move) -> String {
    let list = legal(board);
    let rivals = || {
        list.iter()
            .map(|other| (other.piece(), other.from(), other.to()))
            .filter(|(kind, from, to)| (*kind, *to) == (mv.piece(), mv.to()) && *from != mv.from())
    };
    if rivals().count() == 0 {
        String::new()
    } else if rivals().all(|(_, from, _)| from.file() != mv.from().file()) {
        file_letter(mv.from()).to_string()
    } else if rivals().all(|(_, from, _)| from.rank() != mv.from().rank()) {
        (mv.from().rank() + 1).to_string()
    } else {
        mv.from().to_string()
    }
}

/// Reads a move in SAN. Marks of check, mate and comment (`!?`) at its end may be there or not, right or wrong;
/// castling may be written with zeros; a piece may be told apart more than needed.
pub fn parse_san<B: Board>(board: &B, text: &str) -> Result<Move, MoveError> {
    let pattern = san_pattern(text.trim_end_matches(['+', '#', '!', '?']));
    let fits = pattern.ok_or_else(|| MoveError::NotAMove(text.into()))?;
    let fitting: Vec<Move> = legal(board).iter().copied().filter(|mv| fits(*mv)).collect();
    match fitting[..] {
        [] => Err(MoveError::Illegal(text.into())),
        [mv] => Ok(mv),
        _ => {
            let choices: Vec<_> = fitting.iter().map(|mv| san(board, *mv)).collect();
            Err(MoveError::Ambiguous(text.into(), choices.join(" or ")))
        }
    }
}

/// Test of moves against what a SAN says of one. `None` if it is not well formed.
fn san_pattern(text: &str) -> Option<Box<dyn Fn(Move) -> bool>> {
    let castling = |to_file| move |mv: Move| mv.kind() == MoveKind::Castling && mv.to().file() == to_file;
    match text {
        "O-O" | "0-0" => return Some(Box::new(castling(6))),
        "O-O-O" | "0-0-0" => return Some(Box::new(castling(2))),
        _ => {}
    }
    let mut rest: Vec<char> = text.chars().collect();
    let kind = match rest.first() {
        Some(letter @ ('N' | 'B' | 'R' | 'Q' | 'K')) => PieceKind::from_letter(*letter)?,
        _ => Pawn,
    };
    if kind != Pawn {
        rest.remove(0);
    }
    let mut promoted = None;
    if kind == Pawn && rest.last().is_some_and(char::is_ascii_uppercase) {
        promoted = rest.pop().and_then(PieceKind::from_letter).filter(|kind| !matches!(kind, Pawn | King));
        promoted?;
        rest.pop_if(|c| *c == '=');
    }
    let rank = rest.pop()?;
    let file = rest.pop()?;
    let to = format!("{file}{rank}").parse().ok()?;
    let captures = rest.pop_if(|c| *c == 'x').is_some();
    let from_rank = rest.pop_if(|c| ('1'..='8').contains(c)).map(|c| c as u8 - b'1');
    let from_file = rest.pop_if(|c| ('a'..='h').contains(c)).map(|c| c as u8 - b'a');
    // A pawn that captures is told apart by its file, and one that does not never is.
    let pawn_is_told = kind != Pawn || captures == from_file.is_some();
    let fits = move |mv: Move| {
        mv.kind() != MoveKind::Castling
            && (mv.piece(), mv.to(), mv.promoted(), mv.is_capture()) == (kind, to, promoted, captures)
            && from_file.is_none_or(|file| mv.from().file() == file)
            && from_rank.is_none_or(|rank| mv.from().rank() == rank)
    };
    (rest.is_empty() && pawn_is_told).then_some(Box::new(fits))
}

fn file_letter(square: Square) -> char {
    (b'a' + square.file()) as char
}

fn legal<B: Board>(board: &B) -> MoveList {
    let mut list = MoveList::new();
    board.legal_moves(&mut list);
    list
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::mailbox::Mailbox;
    use crate::chess::{Keys, Setup};

    fn board(fen: &str) -> Mailbox {
        Mailbox::set_up(&fen.parse::<Setup>().unwrap(), Keys::of_seed(0)).unwrap()
    }

    #[test]
    fn both_notations_of_the_same_move() {
        let cases = [
            ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1g1", "O-O"),
            ("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "e8c8", "O-O-O"),
            ("4k3/8/8/8/8/8/8/R4R1K w - - 0 1", "a1d1", "Rad1"),
            ("4k3/8/8/R7/8/8/8/R6K w - - 0 1", "a1a3", "R1a3"),
            ("5k2/8/8/8/4Q2Q/8/8/3K3Q w - - 0 1", "h4e1", "Qh4e1"),
            ("8/4P3/8/8/k7/8/8/K7 w - - 0 1", "e7e8n", "e8=N"),
            ("3r4/4P3/8/8/8/8/8/k1K5 w - - 0 1", "e7d8q", "exd8=Q"),
            ("8/8/1k6/2b5/2pP4/8/5K2/8 b - d3 0 1", "c4d3", "cxd3+"),
            ("7k/5Q2/6K1/8/8/8/8/8 w - - 0 1", "f7f8", "Qf8#"),
            ("7k/8/6K1/8/8/8/8/1Q6 w - - 0 1", "b1b8", "Qb8#"),
            ("7k/8/8/8/8/6K1/8/1Q6 w - - 0 1", "b1b8", "Qb8+"),
            // The rival is pinned, so nothing need be told apart.
            ("4k3/8/8/8/4r3/8/4N3/N3K3 w - - 0 1", "a1c2", "Nc2"),
        ];
        for (fen, uci, text) in cases {
            let board = board(fen);
            let mv = *legal(&board).iter().find(|mv| mv.to_string() == uci).unwrap();
            assert_eq!(san(&board, mv), text, "{fen}");
            assert_eq!(parse_san(&board, text), Ok(mv), "{fen}");
        }
    }

    #[test]
    fn a_line_has_the_numbers_of_its_moves() {
        let numbers = |fen: &str, moves: &[&str]| {
            let (first, mut line) = (board(fen), Vec::new());
            let mut after = first.clone();
            for text in moves {
                let mv = parse_san(&after, text).unwrap();
                let _ = after.make(mv);
                line.push(mv);
            }
            numbered(&first, &line).join(" ")
        };
        let white = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        assert_eq!(numbers(white, &["e4", "e5", "Nf3"]), "1.e4 e5 2.Nf3");
        let black = "4k3/8/8/8/8/8/8/R3K3 b - - 0 41";
        assert_eq!(numbers(black, &["Ke7", "Ra7", "Kd6"]), "41...Ke7 42.Ra7+ Kd6");
        assert_eq!(numbers(black, &[]), "");
    }

    #[test]
    fn what_is_not_a_move_is_refused() {
        let board = board("4k3/8/8/8/8/8/4P3/R4R1K w - - 0 1");
        assert!(matches!(parse_san(&board, "Rd1"), Err(MoveError::Ambiguous(_, choices)) if choices == "Rad1 or Rfd1"));
        assert!(matches!(parse_san(&board, "Nf3"), Err(MoveError::Illegal(_))));
        assert!(matches!(parse_san(&board, "e5"), Err(MoveError::Illegal(_))));
        for text in ["", "e", "e9", "Zf3", "e4e", "ee4", "xd5", "Nx", "e8=K", "e8=", "O-O-O-O", "+", "é4", "Rh1xé"] {
            assert!(matches!(parse_san(&board, text), Err(MoveError::NotAMove(_))), "{text:?}");
        }
        assert!(parse_san(&board, "e4!?").is_ok() && parse_san(&board, "0-0").is_err());
    }
}
