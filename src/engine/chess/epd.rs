//! Extended position description: a position and operations about it, one position a line.
//!
//! Understood are `bm` and `am` (best moves, moves to avoid), `id`, `D1`..`D9` (perft counts), `hmvc` and `fmvn` (the
//! two counters of a FEN, which may also stand in their place of a FEN) and `c0` (a comment). All others are kept as
//! they are. A text that holds a blank or a semicolon stands in quotation marks, which it cannot contain.
//!
//! ```
//! use splitpoint_engine::chess::epd::Epd;
//!
//! let epd = Epd::parse("7k/8/6K1/8/8/8/8/1Q6 w - - bm Qb8#; id \"mate in one\"; D1 25;").unwrap();
//! assert_eq!(epd.id.as_deref(), Some("mate in one"));
//! assert_eq!((epd.best[0].to_string().as_str(), epd.counts[0]), ("b1b8", Some(25)));
//! let error = Epd::parse("7k/8/6K1/8/8/8/8/1Q6 w - - bm Qb9;").unwrap_err();
//! assert_eq!(error.column(), Some(30));
//! ```

use std::fmt;
use std::path::{Path, PathBuf};

use super::bitboards::{Bitboards, sliders::Ray};
use super::board::Board;
use super::fen::{FenError, FourFields, leading_position};
use super::moves::Move;
use super::notation::{MoveError, parse_san, san};
use super::setup::Setup;
use super::zobrist::Keys;

/// Number of depths that have a perft count: D1 to D9.
pub const DEPTHS: usize = 9;

/// Position with what is known about it: name, best moves, perft counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Epd {
    /// Position of the line.
    pub setup: Setup,
    /// Name of the position.
    pub id: Option<String>,
    /// Best moves; finding one of them solves the position.
    pub best: Vec<Move>,
    /// Moves to avoid.
    pub avoid: Vec<Move>,
    /// Perft counts, by depth from 1.
    pub counts: [Option<u64>; DEPTHS],
    /// Free comment.
    pub comment: Option<String>,
    /// Operations that are kept without being understood: name and operands.
    pub others: Vec<(String, String)>,
}

/// Reasons why a line is not an EPD.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EpdError {
    /// The position is malformed or illegal.
    #[error(transparent)]
    Position(#[from] FenError),
    /// One of the operations is wrong.
    #[error("operation {opcode}, character {}: {reason}", .at + 1)]
    Operation {
        /// Name of the operation.
        opcode: String,
        /// Number of characters before the error.
        at: usize,
        /// Reason for refusing the operation.
        reason: String,
    },
}

impl EpdError {
    /// Number of characters before the error, if it is at one place.
    pub fn column(&self) -> Option<usize> {
        match self {
            Self::Position(error) => error.column(),
            Self::Operation { at, .. } => Some(*at),
        }
    }
}

/// Reasons why a file of EPD lines cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum EpdFileError {
    /// The file cannot be read.
    #[error("{}: {source}", path.display())]
    Unreadable {
        /// Path of the file.
        path: PathBuf,
        /// Error of the operating system.
        source: std::io::Error,
    },
    /// A line is not an EPD.
    #[error("{}, line {line}: {source}", path.display())]
    Line {
        /// Path of the file.
        path: PathBuf,
        /// Number of the line, from 1.
        line: usize,
        /// Text of the line.
        text: String,
        /// Error in the line.
        source: EpdError,
    },
    /// The file holds no position.
    #[error("{}: there is no position in this file", .0.display())]
    Empty(PathBuf),
}

/// Operation as it stands in the line.
struct Operation<'a> {
    opcode: &'a str,
    operands: &'a str,
    /// Number of characters before the operands.
    at: usize,
}

impl Operation<'_> {
    fn error(&self, reason: impl fmt::Display) -> EpdError {
        EpdError::Operation { opcode: self.opcode.into(), at: self.at, reason: reason.to_string() }
    }

    fn number<N: TryFrom<u64>>(&self) -> Result<N, EpdError> {
        let number: Option<u64> = self.operands.parse().ok();
        number
            .and_then(|number| N::try_from(number).ok())
            .ok_or_else(|| self.error(format_args!("expected a number, found {:?}", self.operands)))
    }

    /// The operand as a text, without quotation marks.
    fn text(&self) -> Result<String, EpdError> {
        let inner = self.operands.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
        match inner.unwrap_or(self.operands) {
            text if text.contains('"') => Err(self.error("expected one text")),
            text => Ok(text.to_owned()),
        }
    }

    fn moves<B: Board>(&self, board: &B) -> Result<Vec<Move>, EpdError> {
        if self.operands.is_empty() {
            return Err(self.error("expected a move"));
        }
        self.operands
            .split_ascii_whitespace()
            .map(|text| parse_san(board, text).map_err(|error: MoveError| self.error(error)))
            .collect()
    }
}

/// State of reading the operands of an operation.
#[derive(Clone, Copy, PartialEq)]
enum Reading {
    /// Between operands.
    Blank,
    /// In an operand without quotation marks.
    Bare,
    /// Between quotation marks.
    Quoted,
    /// Behind the second quotation mark.
    Unquoted,
}

/// Finds the end of operands: the first `;` that is not quoted, or the end of the text. An error comes with the byte at
/// which it is.
fn end_of_operands(text: &str) -> Result<usize, (usize, String)> {
    let (mut reading, mut opened) = (Reading::Blank, 0);
    for (at, c) in text.char_indices() {
        reading = match (reading, c) {
            (Reading::Quoted, '"') => Reading::Unquoted,
            (Reading::Quoted, _) => Reading::Quoted,
            (_, ';') => return Ok(at),
            (_, c) if c.is_ascii_whitespace() => Reading::Blank,
            (Reading::Blank, '"') => {
                opened = at;
                Reading::Quoted
            }
            (Reading::Blank, _) => Reading::Bare,
            (Reading::Bare, '"') => return Err((at, "a quotation mark inside an operand".to_owned())),
            (Reading::Bare, _) => Reading::Bare,
            (Reading::Unquoted, c) => return Err((at, format!("expected ';' or a blank after the text, found {c:?}"))),
        };
    }
    match reading {
        Reading::Quoted => Err((opened, "the quotation mark is not closed".to_owned())),
        _ => Ok(text.len()),
    }
}

/// Splits the text behind the position into operations.
fn operations(text: &str, mut column: usize) -> Result<Vec<Operation<'_>>, EpdError> {
    let mut operations = Vec::new();
    let mut rest = text;
    loop {
        let trimmed = rest.trim_start_matches(|c: char| c == ';' || c.is_ascii_whitespace());
        column += rest.len() - trimmed.len();
        rest = trimmed;
        if rest.is_empty() {
            return Ok(operations);
        }
        let is_behind = |c: char| c == ';' || c.is_ascii_whitespace();
        let (opcode, behind) = rest.split_at(rest.find(is_behind).unwrap_or(rest.len()));
        if !opcode.starts_with(|c: char| c.is_ascii_alphabetic()) || opcode.contains('"') {
            let reason = format!("expected the name of an operation, found {opcode:?}");
            return Err(EpdError::Operation { opcode: opcode.into(), at: column, reason });
        }
        column += opcode.chars().count();
        let end = end_of_operands(behind).map_err(|(at, reason)| {
            let at = column + behind[..at].chars().count();
            EpdError::Operation { opcode: opcode.into(), at, reason }
        })?;
        let operands = behind[..end].trim_ascii_start();
        let at = column + (end - operands.len());
        operations.push(Operation { opcode, operands: operands.trim_ascii_end(), at });
        column += behind[..end].chars().count();
        rest = &behind[end..];
    }
}

impl Epd {
    /// Reads one line.
    pub fn parse(line: &str) -> Result<Self, EpdError> {
        let (mut parts, cursor) = leading_position(line)?;
        let operations = operations(cursor.rest, cursor.column)?;
        let is_repeated = |i: usize| operations[..i].iter().any(|earlier| earlier.opcode == operations[i].opcode);
        if let Some(i) = (0..operations.len()).find(|i| is_repeated(*i)) {
            return Err(operations[i].error("given twice"));
        }
        // The counters first: they belong to the position, and the moves are read in it.
        for operation in &operations {
            match operation.opcode {
                "hmvc" => parts.halfmove_clock = operation.number()?,
                "fmvn" => parts.fullmove = operation.number()?,
                _ => {}
            }
        }
        let mut epd = Self::from(Setup::new(parts).map_err(FenError::from)?);
        let board = epd.board();
        for operation in &operations {
            match operation.opcode {
                "hmvc" | "fmvn" => {}
                "bm" => epd.best = operation.moves(&board)?,
                "am" => epd.avoid = operation.moves(&board)?,
                "id" => epd.id = Some(operation.text()?),
                "c0" => epd.comment = Some(operation.text()?),
                opcode => match depth_of(opcode) {
                    Some(depth) => epd.counts[depth - 1] = Some(operation.number()?),
                    None => epd.others.push((opcode.into(), operation.operands.into())),
                },
            }
        }
        Ok(epd)
    }

    /// Reads all lines of a text. Empty lines and lines that begin with `#` are skipped. An error comes with the number
    /// of its line, counted from 1.
    pub fn parse_all(text: &str) -> Result<Vec<Self>, (usize, EpdError)> {
        let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'));
        lines.map(|(i, line)| Self::parse(line.trim_end()).map_err(|error| (i + 1, error))).collect()
    }

    /// Reads a file of EPD lines.
    pub fn read(path: &Path) -> Result<Vec<Self>, EpdFileError> {
        let text =
            std::fs::read_to_string(path).map_err(|source| EpdFileError::Unreadable { path: path.into(), source })?;
        let positions = Self::parse_all(&text).map_err(|(line, source)| EpdFileError::Line {
            path: path.into(),
            line,
            text: text.lines().nth(line - 1).unwrap_or_default().into(),
            source,
        })?;
        if positions.is_empty() { Err(EpdFileError::Empty(path.into())) } else { Ok(positions) }
    }

    fn board(&self) -> Bitboards<Ray> {
        Bitboards::set_up(&self.setup, Keys::of_seed(0)).expect("rays slide on every processor")
    }
}

/// Depth whose perft count an operation gives.
fn depth_of(opcode: &str) -> Option<usize> {
    let depth = opcode.strip_prefix('D')?;
    (1..=DEPTHS).find(|candidate| candidate.to_string() == depth)
}

impl From<Setup> for Epd {
    /// Position of which nothing is known.
    fn from(setup: Setup) -> Self {
        Self {
            setup,
            id: None,
            best: Vec::new(),
            avoid: Vec::new(),
            counts: [None; DEPTHS],
            comment: None,
            others: Vec::new(),
        }
    }
}

/// EPD line: the position, then the operations in a fixed order.
impl fmt::Display for Epd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let setup = &self.setup;
        write!(f, "{} hmvc {}; fmvn {};", FourFields(setup), setup.halfmove_clock, setup.fullmove)?;
        let board = self.board();
        for (opcode, moves) in [("bm", &self.best), ("am", &self.avoid)] {
            if !moves.is_empty() {
                write!(f, " {opcode}")?;
                moves.iter().try_for_each(|mv| write!(f, " {}", san(&board, *mv)))?;
                write!(f, ";")?;
            }
        }
        for (opcode, text) in [("id", &self.id), ("c0", &self.comment)] {
            if let Some(text) = text {
                write!(f, " {opcode} \"{text}\";")?;
            }
        }
        for (i, count) in self.counts.iter().enumerate() {
            if let Some(count) = count {
                write!(f, " D{} {count};", i + 1)?;
            }
        }
        for (opcode, operands) in &self.others {
            let blank = if operands.is_empty() { "" } else { " " };
            write!(f, " {opcode}{blank}{operands};")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BARE: &str = "4k3/8/8/8/8/8/4P3/4K3 w - -";

    #[test]
    fn operations_are_understood_or_kept() {
        let line = format!(
            "{BARE} hmvc 3; fmvn 42; bm e4 Kf2; am e3; id \"a; b\"; c0 \"hello\"; D1 5; D9 12345678901; acd 7; noop; \
             c1 \"x;y\";"
        );
        let epd = Epd::parse(&line).unwrap();
        assert_eq!(epd.setup.to_string(), "4k3/8/8/8/8/8/4P3/4K3 w - - 3 42");
        assert_eq!(epd.best.iter().map(Move::to_string).collect::<Vec<_>>(), ["e2e4", "e1f2"]);
        assert_eq!(epd.avoid.len(), 1);
        assert_eq!((epd.id.as_deref(), epd.comment.as_deref()), (Some("a; b"), Some("hello")));
        assert_eq!((epd.counts[0], epd.counts[8]), (Some(5), Some(12_345_678_901)));
        let others = [("acd", "7"), ("noop", ""), ("c1", "\"x;y\"")];
        assert_eq!(epd.others, others.map(|(a, b)| (a.to_owned(), b.to_owned())));
        assert_eq!(Epd::parse(&epd.to_string()), Ok(epd.clone()));
    }

    #[test]
    fn the_form_of_other_perft_files_is_read() {
        for line in
            [format!("{BARE} 0 1 ;D1 5 ;D2 25"), format!("{BARE} 0 1;D1 5;D2 25"), format!("{BARE};D1 5;D2 25;")]
        {
            let epd = Epd::parse(&line).unwrap();
            assert_eq!((epd.counts[0], epd.counts[1]), (Some(5), Some(25)), "{line}");
        }
    }

    #[test]
    fn an_error_names_the_operation_and_the_character() {
        let cases = [
            ("bm Nf3;", "operation bm, character 32: 'Nf3' is not legal in this position"),
            ("bm;", "operation bm, character 31: expected a move"),
            ("D1 many;", "operation D1, character 32: expected a number, found \"many\""),
            ("id \"a; D1 5;", "operation id, character 32: the quotation mark is not closed"),
            ("id a\"; D1 5; D2 \"7;", "operation id, character 33: a quotation mark inside an operand"),
            ("id \"a\"b;", "operation id, character 35: expected ';' or a blank after the text, found 'b'"),
            ("id \"a\" \"b\";", "operation id, character 32: expected one text"),
            ("i\"d a\";", "operation i\"d, character 29: expected the name of an operation, found \"i\\\"d\""),
            ("acd 7 \"8;", "operation acd, character 35: the quotation mark is not closed"),
            ("id a; id b;", "operation id, character 38: given twice"),
            ("hmvc -1;", "operation hmvc, character 34: expected a number, found \"-1\""),
            ("hmvc 151;", "illegal position: halfmove clock 151: a game ends at 150 (the 75-move rule)"),
            ("id a; 7;", "operation 7, character 35: expected the name of an operation, found \"7\""),
        ];
        for (operations, message) in cases {
            let error = Epd::parse(&format!("{BARE} {operations}")).unwrap_err();
            assert_eq!(error.to_string(), message);
        }
    }
}
