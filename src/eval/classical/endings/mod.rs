//! Endings of which more is known than what the sum of terms says: those that nobody can win, those whose winner must
//! go about it in one way, and those where material is worth less than usual.

mod kpk;

#[cfg(test)]
pub(super) use kpk::is_won as kpk_is_won;

use super::material::Material;
use crate::chess::PieceKind::{self, *};
use crate::chess::{Board, Color, Piece, Score, Square, SquareSet, see};

/// Score of a won ending beside material: more than any position that is not won.
const WON: i32 = 10_000;
/// Worth of each step by which the loser's king is driven, in thousandths of a pawn.
const STEP: i32 = 100;
/// Worth of nearly nothing, in 64ths: a draw among good players.
const DRAWISH: u8 = 8;
const OPPOSITE_BISHOPS: i32 = 36;
const WHOLE: u8 = 64;

/// What is known of a material before one looks where the pieces stand.
#[derive(Clone, Copy, Debug, Default)]
pub struct Plan {
    ending: Ending,
    /// What a lead is worth, by the side that has it.
    scales: [Scale; 2],
}

/// An ending whose score does not come from the sum of terms.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Ending {
    #[default]
    Unknown,
    /// Nobody can win.
    Drawn,
    /// This side has a pawn against the bare king.
    Pawn(Color),
    /// This side has officers that mate the bare king.
    Mate(Color),
}

/// What a lead is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scale {
    /// So many 64ths.
    By(u8),
    /// Less if the bishops are on different colours.
    Bishops,
}

impl Default for Scale {
    fn default() -> Self {
        Self::By(WHOLE)
    }
}

/// Number of pieces of each kind that a side has.
struct Side([i32; 5]);

impl Side {
    fn of(material: Material, color: Color) -> Self {
        Self([Pawn, Knight, Bishop, Rook, Queen].map(|kind| material.count(color, kind)))
    }

    fn count(&self, kind: PieceKind) -> i32 {
        self.0[kind.index()]
    }

    fn officers(&self) -> i32 {
        self.0[1..].iter().sum()
    }

    fn is_bare(&self) -> bool {
        self.0 == [0; 5]
    }

    /// Whether its officers cannot win by themselves.
    fn cannot_win(&self, other: &Self) -> bool {
        let is_minor = self.officers() < 2 && self.count(Rook) + self.count(Queen) == 0;
        is_minor || self.0 == [0, 2, 0, 0, 0] && other.is_bare()
    }

    /// Worth of its officers.
    fn worth(&self) -> i32 {
        PieceKind::ALL[1..5].iter().map(|kind| self.count(*kind) * see::value(*kind).0).sum()
    }
}

impl Plan {
    /// What is known of this material.
    pub fn of(material: Material) -> Self {
        let sides = Color::ALL.map(|color| Side::of(material, color));
        let scales = Color::ALL.map(|color| Self::scale_of(&sides[color.index()], &sides[(!color).index()]));
        Self { ending: Self::ending(&sides), scales }
    }

    fn ending([white, black]: &[Side; 2]) -> Ending {
        let has_pawns = white.count(Pawn) + black.count(Pawn) > 0;
        if !has_pawns && white.cannot_win(black) && black.cannot_win(white) {
            return Ending::Drawn;
        }
        let (strong, color) = match (white.is_bare(), black.is_bare()) {
            (false, true) => (white, Color::White),
            (true, false) => (black, Color::Black),
            _ => return Ending::Unknown,
        };
        match strong.0 {
            [1, 0, 0, 0, 0] => Ending::Pawn(color),
            [0, ..] => Ending::Mate(color),
            _ => Ending::Unknown,
        }
    }

    fn scale_of(ours: &Side, theirs: &Side) -> Scale {
        let has_bishop_only = |side: &Side| side.officers() == 1 && side.count(Bishop) == 1;
        match ours.count(Pawn) {
            // Without pawns a lead of no more than a minor piece seldom wins.
            0 if ours.worth() - theirs.worth() <= see::value(Bishop).0 => Scale::By(DRAWISH),
            2.. if has_bishop_only(ours) && has_bishop_only(theirs) => Scale::Bishops,
            _ => Scale::default(),
        }
    }

    /// Score of an ending that is known, for the side to move.
    #[inline(always)]
    pub fn known<B: Board>(&self, board: &B, material: Material) -> Option<Score> {
        if self.ending == Ending::Unknown { None } else { self.ending.score(board, material) }
    }

    /// Score for White of an ending in which material is worth less than usual.
    #[inline(always)]
    pub fn scale<B: Board>(&self, board: &B, white: i32) -> i32 {
        let strong = if white > 0 { Color::White } else { Color::Black };
        match self.scales[strong.index()] {
            Scale::By(WHOLE) => white,
            Scale::By(scale) => white * i32::from(scale) / i32::from(WHOLE),
            Scale::Bishops => {
                let on_light = Color::ALL.map(|color| !(board.set_of(Piece::new(color, Bishop)) & SquareSet::LIGHT).is_empty());
                if on_light[0] == on_light[1] { white } else { white * OPPOSITE_BISHOPS / i32::from(WHOLE) }
            }
        }
    }
}

impl Ending {
    #[inline(never)]
    fn score<B: Board>(self, board: &B, material: Material) -> Option<Score> {
        let square = |color, kind| board.set_of(Piece::new(color, kind)).first();
        let (strong, won) = match self {
            Self::Unknown => return None,
            Self::Drawn => return Some(Score::DRAW),
            Self::Pawn(strong) => {
                let pawn = square(strong, Pawn)?;
                if !kpk::is_won(strong, board.king(strong), pawn, board.king(!strong), board.turn()) {
                    return Some(Score::DRAW);
                }
                (strong, WON + 1_000 + STEP * i32::from(pawn.seen_by(strong).rank()))
            }
            Self::Mate(strong) => {
                let (king, loser) = (board.king(strong), board.king(!strong));
                let side = Side::of(material, strong);
                let driven = if side.0 == [0, 1, 1, 0, 0] {
                    3 * (7 - from_corner(loser, square(strong, Bishop)?.is_light()))
                } else {
                    6 - from_rim(loser)
                };
                (strong, WON + side.worth() + STEP * (driven + 7 - king.distance(loser) as i32))
            }
        };
        Some(Score(if board.turn() == strong { won } else { -won }))
    }
}

/// Steps from the nearest rim, by file and by rank, added up.
fn from_rim(square: Square) -> i32 {
    let [file, rank] = [square.file(), square.rank()].map(|at| i32::from(at.min(7 - at)));
    file + rank
}

/// Steps from the nearer corner of this colour.
fn from_corner(square: Square, is_light: bool) -> i32 {
    let corners = if is_light { [Square::A8, Square::H1] } else { [Square::A1, Square::H8] };
    corners.iter().map(|corner| square.distance(*corner) as i32).min().unwrap_or(0)
}
