//! Forsyth-Edwards notation. Reading is strict, and an error names the field and the character.

use std::fmt;
use std::str::FromStr;

use super::castling::{CASTLINGS, CastlingRights};
use super::setup::{IllegalPosition, Parts, Setup};
use super::{Color, Piece, Square};
use crate::choices::choices;

/// The start position.
pub const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

choices! {
    /// Field of a FEN.
    pub enum Field, "field of a FEN";
    /// Piece on each square.
    Placement "field 1 (piece placement)",
    /// Side to move.
    Turn "field 2 (side to move)",
    /// Castling rights.
    Castling "field 3 (castling rights)",
    /// Square that a pawn has just passed with a double step.
    EnPassant "field 4 (en passant square)",
    /// Plies since the last capture or pawn move.
    HalfmoveClock "field 5 (halfmove clock)",
    /// Move number, 1 at the start of the game.
    Fullmove "field 6 (move number)",
    /// Text behind the last field.
    End "after the last field",
}

/// Reasons why a text is not the FEN of a legal position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FenError {
    /// A character that does not belong where it stands.
    #[error("{field}, character {}: {}, {expected}", .at + 1, describe(*.found))]
    Syntax {
        /// Field of the character.
        field: Field,
        /// Number of characters before it.
        at: usize,
        /// Unexpected character; `None` at the end of the text.
        found: Option<char>,
        /// Description of what was expected instead.
        expected: &'static str,
    },
    /// The text is well formed, but the position cannot occur.
    #[error("illegal position: {0}")]
    Illegal(#[from] IllegalPosition),
}

impl FenError {
    /// Number of characters before the error, if it is at one place.
    pub fn column(&self) -> Option<usize> {
        match self {
            Self::Syntax { at, .. } => Some(*at),
            Self::Illegal(_) => None,
        }
    }
}

fn describe(found: Option<char>) -> String {
    found.map_or("the text ends".into(), |found| format!("found {found:?}"))
}

/// Reader of a text that knows its field and column.
pub(super) struct Cursor<'a> {
    /// Text that has not been read yet.
    pub rest: &'a str,
    /// Number of characters that have been read.
    pub column: usize,
    field: Field,
}

impl<'a> Cursor<'a> {
    fn new(text: &'a str) -> Self {
        Self { rest: text, column: 0, field: Field::Placement }
    }

    fn peek(&self) -> Option<char> {
        self.rest.chars().next()
    }

    fn advance(&mut self) {
        if let Some(c) = self.peek() {
            self.rest = &self.rest[c.len_utf8()..];
            self.column += 1;
        }
    }

    /// Skips this character, if it is the next one.
    fn skip(&mut self, c: char) -> bool {
        let is_next = self.peek() == Some(c);
        if is_next {
            self.advance();
        }
        is_next
    }

    /// Reads one character that must mean something.
    fn take<T>(&mut self, read: impl Fn(char) -> Option<T>, expected: &'static str) -> Result<T, FenError> {
        let value = self.peek().and_then(read).ok_or_else(|| self.unexpected(expected))?;
        self.advance();
        Ok(value)
    }

    fn at_end_of_field(&self) -> bool {
        matches!(self.peek(), None | Some(' ' | ';'))
    }

    fn unexpected(&self, expected: &'static str) -> FenError {
        FenError::Syntax { field: self.field, at: self.column, found: self.peek(), expected }
    }

    /// Skips the blanks behind a field.
    fn end_field(&mut self) -> Result<(), FenError> {
        if !self.at_end_of_field() {
            return Err(self.unexpected("expected a blank and the next field"));
        }
        self.skip_blanks();
        Ok(())
    }

    fn next_field(&mut self, field: Field) -> Result<(), FenError> {
        self.end_field()?;
        self.field = field;
        Ok(())
    }

    fn skip_blanks(&mut self) {
        while self.skip(' ') {}
    }

    fn placement(&mut self) -> Result<[Option<Piece>; 64], FenError> {
        let mut pieces = [None; 64];
        for rank in (0..8).rev() {
            let mut file = 0;
            while file < 8 {
                match self.peek() {
                    None => return Err(self.unexpected("expected eight ranks of eight squares")),
                    Some('/' | ' ') => return Err(self.unexpected("but this rank has fewer than eight squares")),
                    Some(c @ '1'..='8') => {
                        file += c as u8 - b'0';
                        if file > 8 {
                            return Err(self.unexpected("but this rank has fewer squares left"));
                        }
                        self.advance();
                    }
                    Some(_) => {
                        const EXPECTED: &str = "expected a piece (PNBRQK or pnbrqk) or a number of empty squares (1-8)";
                        pieces[Square::at(file, rank).index()] = Some(self.take(Piece::from_letter, EXPECTED)?);
                        file += 1;
                    }
                }
            }
            if rank > 0 && !self.skip('/') {
                return Err(self.unexpected(match self.peek() {
                    None | Some(' ') => "expected eight ranks with '/' between them",
                    Some(_) => "but this rank has eight squares already: expected '/'",
                }));
            }
        }
        Ok(pieces)
    }

    fn turn(&mut self) -> Result<Color, FenError> {
        let color = |c| [('w', Color::White), ('b', Color::Black)].into_iter().find(|(letter, _)| *letter == c);
        Ok(self.take(color, "expected 'w' or 'b'")?.1)
    }

    fn castling(&mut self) -> Result<CastlingRights, FenError> {
        if self.skip('-') {
            return Ok(CastlingRights::NONE);
        }
        let mut rights = CastlingRights::NONE;
        while rights == CastlingRights::NONE || !matches!(self.peek(), None | Some(' ')) {
            match CASTLINGS.iter().position(|castling| self.peek() == Some(castling.letter)) {
                Some(i) if rights.has(i) => return Err(self.unexpected("but this right was given before")),
                Some(i) => rights = rights.with(i),
                None => return Err(self.unexpected("expected some of KQkq, or '-' for none")),
            }
            self.advance();
        }
        Ok(rights)
    }

    fn en_passant(&mut self) -> Result<Option<Square>, FenError> {
        const EXPECTED: &str = "expected the square a pawn has just passed (a3-h3, a6-h6), or '-'";
        if self.skip('-') {
            return Ok(None);
        }
        let file = self.take(|c| ('a'..='h').contains(&c).then(|| c as u8 - b'a'), EXPECTED)?;
        let rank = self.take(|c| matches!(c, '3' | '6').then(|| c as u8 - b'1'), EXPECTED)?;
        Ok(Some(Square::at(file, rank)))
    }

    fn number(&mut self, expected: &'static str) -> Result<u32, FenError> {
        let mut value: u32 = 0;
        if self.at_end_of_field() {
            return Err(self.unexpected(expected));
        }
        while let Some(c) = self.peek().filter(|c| !matches!(c, ' ' | ';')) {
            let digit = c.to_digit(10).ok_or_else(|| self.unexpected("expected a digit"))?;
            value = value
                .checked_mul(10)
                .and_then(|value| value.checked_add(digit))
                .ok_or_else(|| self.unexpected("but the number is too large"))?;
            self.advance();
        }
        Ok(value)
    }

    /// Reads the four fields that FEN and EPD share.
    fn four_fields(&mut self) -> Result<Parts, FenError> {
        self.skip_blanks();
        let pieces = self.placement()?;
        self.next_field(Field::Turn)?;
        let turn = self.turn()?;
        self.next_field(Field::Castling)?;
        let castling = self.castling()?;
        self.next_field(Field::EnPassant)?;
        let en_passant = self.en_passant()?;
        self.end_field()?;
        Ok(Parts { pieces, turn, castling, en_passant, halfmove_clock: 0, fullmove: 1 })
    }

    /// Reads the two counters that end a FEN.
    fn counters(&mut self, parts: &mut Parts) -> Result<(), FenError> {
        self.field = Field::HalfmoveClock;
        parts.halfmove_clock = self.number("expected a number")?;
        self.next_field(Field::Fullmove)?;
        parts.fullmove = self.number("expected the number of the move")?;
        self.skip_blanks();
        Ok(())
    }
}

/// Reads the position at the beginning of an EPD line: four fields, with or without the two counters of a FEN. Leaves
/// the cursor on what follows.
pub(super) fn leading_position(text: &str) -> Result<(Parts, Cursor<'_>), FenError> {
    let mut cursor = Cursor::new(text);
    let mut parts = cursor.four_fields()?;
    if cursor.peek().is_some_and(|c| c.is_ascii_digit()) {
        cursor.counters(&mut parts)?;
    }
    Ok((parts, cursor))
}

impl Setup {
    /// The position in which every game starts.
    pub fn start() -> Self {
        START.parse().expect("the start position is legal")
    }
}

/// Reads a FEN. The two counters at its end may both be left out; they are then 0 and 1.
///
/// ```
/// use splitpoint_engine::chess::Setup;
/// let fen = "8/8/1k6/2b5/2pP4/8/5K2/8 b - d3 0 1";
/// assert_eq!(fen.parse::<Setup>().unwrap().to_string(), fen);
/// let error = "8/8/1k6/2b5/2pP4/9/5K2/8 b - d3 0 1".parse::<Setup>().unwrap_err();
/// assert_eq!(error.column(), Some(17));
/// ```
impl FromStr for Setup {
    type Err = FenError;

    fn from_str(text: &str) -> Result<Self, FenError> {
        let (parts, mut cursor) = leading_position(text)?;
        if cursor.peek().is_some() {
            let (field, expected) = match cursor.field {
                Field::EnPassant => (Field::HalfmoveClock, "expected a number"),
                _ => (Field::End, "expected the end of the text"),
            };
            cursor.field = field;
            return Err(cursor.unexpected(expected));
        }
        Ok(Self::new(parts)?)
    }
}

/// First four fields of the FEN, as EPD has them.
pub(super) struct FourFields<'a>(pub &'a Setup);

impl fmt::Display for FourFields<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letter = |square| self.0.piece_on(square).map_or('1', Piece::letter);
        let rank = |rank| (0..8).map(|file| letter(Square::at(file, rank))).collect::<String>();
        let squares = (0..8).rev().map(rank).collect::<Vec<_>>().join("/");
        let placement = (2..=8).rev().fold(squares, |text, run| text.replace(&"1".repeat(run), &run.to_string()));
        let turn = ['w', 'b'][self.0.turn.index()];
        write!(f, "{placement} {turn} {} ", self.0.castling)?;
        match self.0.en_passant {
            Some(square) => write!(f, "{square}"),
            None => write!(f, "-"),
        }
    }
}

/// FEN of the position.
impl fmt::Display for Setup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", FourFields(self), self.halfmove_clock, self.fullmove)
    }
}

impl fmt::Debug for Setup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Setup({self})")
    }
}
