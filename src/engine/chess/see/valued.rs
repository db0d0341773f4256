//! An exchange in other values of pieces than those of the search, such as a published table has.
//!
//! Who captures next depends on the order of the pieces by value, and not on the values: pawn, knight, bishop, rook,
//! queen, king. So all captures are found first, without a stop, and then valued by the form with a window.

use std::fmt;
use std::str::FromStr;

use super::Rules;
use super::forms::{Captures, Step, Stops, steps, within_window};
use super::value;
use crate::chess::{Board, Color, Move, MoveKind, PieceKind, PieceKind::*, Score};

/// Values of the pieces but the king, in the order pawn, knight, bishop, rook, queen. A dearer kind is not worth less.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Values([Score; 5]);

impl Values {
    /// Values of the search: 1, 3, 3, 5 and 9 pawns.
    pub const OF_SEARCH: Self = Self([value(Pawn), value(Knight), value(Bishop), value(Rook), value(Queen)]);
    /// Values of the program Loop, in which table 4.1 of Reul (2009) is printed: 1, 3.25, 3.25, 5 and 10 pawns.
    pub const OF_LOOP: Self = Self([Score(1_000), Score(3_250), Score(3_250), Score(5_000), Score(10_000)]);

    /// Value of a kind of piece.
    pub fn of(&self, kind: PieceKind) -> Score {
        self.0.get(kind.index()).copied().unwrap_or(value(King))
    }
}

/// Reasons why a text is no list of values.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum ValuesError {
    /// It does not have five entries.
    #[error(
        "expected 'search', 'loop', or five values, of pawn, knight, bishop, rook and queen, as 1,3.25,3.25,5,10; \
             found {0}"
    )]
    Number(usize),
    /// An entry is no value.
    #[error("'{0}' is not a value in pawns: expected a number above 0 and up to 100")]
    Value(String),
    /// The order of captures would be another.
    #[error("values must not fall from pawn to queen: the least valuable piece captures first")]
    Order,
}

/// In pawns: `1,3.25,3.25,5,10`, or by the names `search` and `loop`.
impl FromStr for Values {
    type Err = ValuesError;

    fn from_str(text: &str) -> Result<Self, ValuesError> {
        match text {
            "search" => return Ok(Self::OF_SEARCH),
            "loop" => return Ok(Self::OF_LOOP),
            _ => {}
        }
        let parts: Vec<&str> = text.split(',').map(str::trim).collect();
        let mut values = [Score(0); 5];
        if parts.len() != values.len() {
            return Err(ValuesError::Number(parts.len()));
        }
        for (value, part) in values.iter_mut().zip(parts) {
            let pawns: f64 = part.parse().map_err(|_| ValuesError::Value(part.to_owned()))?;
            *value = Score((pawns * 1_000.0).round() as i32);
            if !(1..=100_000).contains(&value.0) {
                return Err(ValuesError::Value(part.to_owned()));
            }
        }
        if values.is_sorted() { Ok(Self(values)) } else { Err(ValuesError::Order) }
    }
}

impl fmt::Display for Values {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pawns = self.0.map(|value| (f64::from(value.0) / 1_000.0).to_string());
        f.write_str(&pawns.join(","))
    }
}

/// Captures of an exchange that are known from its beginning, in some values.
struct Replayed<'a> {
    values: &'a Values,
    /// Kinds of the pieces that capture, in turns, beginning with the answer to the first move.
    captures: &'a [PieceKind],
    /// Side of the first of these.
    next: Color,
    won: Score,
    standing: Score,
    /// Whether a pawn that captures becomes a queen.
    promotes: bool,
}

impl Captures for Replayed<'_> {
    fn won(&self) -> Score {
        self.won
    }

    fn can_capture(&self, side: Color) -> bool {
        side == self.next && !self.captures.is_empty()
    }

    fn gain(&self, _: Color) -> Score {
        let promotes = self.promotes && self.captures.first() == Some(&Pawn);
        if promotes { self.standing + self.values.of(Queen) - self.values.of(Pawn) } else { self.standing }
    }

    fn take(&mut self, side: Color) -> PieceKind {
        let Some((&kind, rest)) = self.captures.split_first() else { return King };
        self.standing = self.values.of(if kind == Pawn && self.promotes { Queen } else { kind });
        (self.captures, self.next) = (rest, !side);
        kind
    }
}

/// Iterations of the form with a window until one of these stops, in these values, and the value of the exchange.
pub fn valued_steps<B: Board>(values: &Values, stops: Stops, rules: Rules, board: &B, mv: Move) -> (Vec<Step>, Score) {
    let all = steps(Stops { king: false, quantity: false, quality: false }, rules, board, mv).0;
    let captures: Vec<PieceKind> = all.iter().skip(1).map(|step| step.piece).collect();
    let is_seen = rules.en_passant || mv.kind() != MoveKind::EnPassant;
    let mut won = mv.captured().filter(|_| is_seen).map_or(Score(0), |kind| values.of(kind));
    let mut standing = values.of(mv.piece());
    if let Some(kind) = mv.promoted().filter(|_| rules.promotions) {
        won += values.of(kind) - values.of(Pawn);
        standing = values.of(kind);
    }
    let promotes = rules.promotions && matches!(mv.to().rank(), 0 | 7);
    let replayed = Replayed { values, captures: &captures, next: !board.turn(), won, standing, promotes };
    let mut seen = Vec::new();
    let found = within_window(stops, replayed, board.turn(), |_, _, (low, balance, high)| {
        let low = Some(low).filter(|low| low.0 > i32::MIN);
        seen.extend(all.get(seen.len()).map(|step| Step { balance, low, high, ..*step }));
    });
    (seen, found.value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::mailbox::Mailbox;
    use crate::chess::notation::parse_san;
    use crate::chess::suites::{SUITES, position};
    use crate::chess::{Keys, MoveList};

    #[test]
    fn in_the_values_of_the_search_it_is_the_exchange_of_the_search() {
        let mut longest = 0;
        for epd in SUITES.iter().flat_map(|suite| suite.positions()) {
            let board = Mailbox::set_up(&epd.setup, Keys::of_seed(0)).unwrap();
            let mut list = MoveList::new();
            board.legal_moves(&mut list);
            for &mv in &list[..] {
                for stops in Stops::all() {
                    let expected = steps(stops, Rules::FULL, &board, mv);
                    longest = longest.max(expected.0.len());
                    let found = valued_steps(&Values::OF_SEARCH, stops, Rules::FULL, &board, mv);
                    assert_eq!(found, expected, "{}, {mv}, {}", epd.setup, stops.name());
                }
            }
        }
        assert!(longest > 5, "{longest}");
    }

    /// Table 4.1 of Reul (2009).
    #[test]
    fn the_published_example_has_its_published_values() {
        let epd = position("reul-see").unwrap();
        let board = Mailbox::set_up(&epd.setup, Keys::of_seed(0)).unwrap();
        let capture = parse_san(&board, "Rxb6").unwrap();
        let of = |quality| {
            let stops = Stops { king: true, quantity: true, quality };
            valued_steps(&Values::OF_LOOP, stops, Rules::FULL, &board, capture)
        };
        let (steps, value) = of(false);
        let found: Vec<_> = steps.iter().map(|step| (step.low.map(|low| low.0), step.balance.0, step.high.0)).collect();
        let expected = [
            (None, 1_000, 1_000),
            (Some(-4_000), -4_000, 1_000),
            (Some(-4_000), -750, -750),
            (Some(-4_000), -10_750, -750),
        ];
        assert_eq!((found.as_slice(), value), (&expected[..], Score(-4_000)));
        let (steps, value) = of(true);
        assert_eq!((steps.len(), value), (3, Score(-750)));
    }

    #[test]
    fn values_are_read_and_written() {
        let read = |text: &str| text.parse::<Values>();
        assert_eq!(read("1,3.25,3.25,5,10"), Ok(Values::OF_LOOP));
        assert_eq!([read("loop"), read("search")], [Ok(Values::OF_LOOP), Ok(Values::OF_SEARCH)]);
        assert_eq!(read(" 1, 3,3,5,9 ").unwrap().to_string(), "1,3,3,5,9");
        assert_eq!(read("1,3,3,5"), Err(ValuesError::Number(4)));
        assert_eq!(read("1,3,x,5,9"), Err(ValuesError::Value("x".to_owned())));
        assert_eq!(read("0,3,3,5,9"), Err(ValuesError::Value("0".to_owned())));
        assert_eq!(read("1,3,3,5,1e9"), Err(ValuesError::Value("1e9".to_owned())));
        assert_eq!(read("1,3,3,9,5"), Err(ValuesError::Order));
    }
}
