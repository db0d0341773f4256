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
/// Score of a rook against a pawn that it wins, against one that races with a king, and against one that it must be
/// given for; and worth of each move by which a king comes earlier, in thousandths of a pawn.
const ROOK_WINS: i32 = 6_000;
const ROOK_RACES: i32 = 2_000;
const ROOK_HELD: i32 = 300;
const MOVE: i32 = 100;
/// Worth of a lead in 64ths: all of it, and less where it seldom wins.
const WHOLE: u8 = 64;
const HOPELESS: u8 = 0;
const DRAWISH: u8 = 8;
const LAST_PAWN: u8 = 24;
const ROOK_ENDING: u8 = 44;
const OPPOSITE_BISHOPS: u8 = 32;
const OPPOSITE_BISHOPS_WITH_OTHERS: u8 = 54;

/// Treatment of positions with certain pieces, which is found once for each material: as a known ending, or by the
/// sum of terms with a lead that counts less.
#[derive(Clone, Copy, Debug, Default)]
pub struct Plan {
    ending: Ending,
    /// Share of a lead that counts, by the side that has it.
    scales: [Scale; 2],
}

/// An ending with a rule of its own, whose score is not the sum of terms.
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
    /// This side has a rook against a pawn.
    RookAgainstPawn(Color),
    /// This side has a queen against a pawn.
    QueenAgainstPawn(Color),
}

/// Share of a lead that counts, in endings that are seldom won.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scale {
    /// The lead counts this many 64ths of itself.
    By(u8),
    /// The lead counts this many 64ths of itself if the bishops stand on squares of different colours, else all of it.
    Bishops(u8),
    /// The lead counts nothing if all pawns are on one file of the rim, and the opponent's king stands in the corner
    /// before them, which no bishop attacks.
    RimPawns,
}

impl Default for Scale {
    fn default() -> Self {
        Self::By(WHOLE)
    }
}

/// Number of pieces of each kind that a side has.
struct Side([i32; 5]);

impl Side {
    const BARE: [i32; 5] = [0; 5];

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
        self.0 == Self::BARE
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
    /// Ending that this material is, if a rule for it exists, and how much of a lead counts in it for each side.
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
        let (strong, color) = match (white.0, black.0) {
            ([0, 0, 0, 1, 0], [1, 0, 0, 0, 0]) => return Ending::RookAgainstPawn(Color::White),
            ([1, 0, 0, 0, 0], [0, 0, 0, 1, 0]) => return Ending::RookAgainstPawn(Color::Black),
            ([0, 0, 0, 0, 1], [1, 0, 0, 0, 0]) => return Ending::QueenAgainstPawn(Color::White),
            ([1, 0, 0, 0, 0], [0, 0, 0, 0, 1]) => return Ending::QueenAgainstPawn(Color::Black),
            (_, Side::BARE) => (white, Color::White),
            (Side::BARE, _) => (black, Color::Black),
            _ => return Ending::Unknown,
        };
        match strong.0 {
            [1, 0, 0, 0, 0] => Ending::Pawn(color),
            [0, ..] => Ending::Mate(color),
            _ => Ending::Unknown,
        }
    }

    fn scale_of(ours: &Side, theirs: &Side) -> Scale {
        const MINOR: i32 = see::value(Bishop).0;
        let lead = ours.worth() - theirs.worth();
        let is_bishop_each = ours.count(Bishop) == 1 && theirs.count(Bishop) == 1;
        let has_rook_only = |side: &Side| side.count(Rook) == 1 && side.officers() == 1;
        let may_be_given_for_pawn = theirs.count(Knight) + theirs.count(Bishop) > 0;
        let has_bishop_at_most = ours.officers() == ours.count(Bishop) && ours.officers() < 2;
        match ours.count(Pawn) {
            0 if lead <= MINOR => Scale::By(DRAWISH),
            // The last pawn can be bought.
            1 if lead <= 0 && may_be_given_for_pawn => Scale::By(LAST_PAWN),
            1.. if has_bishop_at_most && theirs.officers() == 0 => Scale::RimPawns,
            2.. if is_bishop_each && ours.officers() == 1 && theirs.officers() == 1 => Scale::Bishops(OPPOSITE_BISHOPS),
            2.. if is_bishop_each => Scale::Bishops(OPPOSITE_BISHOPS_WITH_OTHERS),
            pawns if has_rook_only(ours) && has_rook_only(theirs) && pawns - theirs.count(Pawn) < 2 => {
                Scale::By(ROOK_ENDING)
            }
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
        let scale = match self.scales[strong.index()] {
            Scale::By(WHOLE) => return white,
            Scale::By(scale) => scale,
            Scale::Bishops(scale) if has_opposite_bishops(board) => scale,
            Scale::RimPawns if is_held_in_corner(board, strong) => HOPELESS,
            Scale::Bishops(_) | Scale::RimPawns => return white,
        };
        white * i32::from(scale) / i32::from(WHOLE)
    }
}

/// Whether two bishops, one of each side, are on different colours.
fn has_opposite_bishops<B: Board>(board: &B) -> bool {
    let [white, black] =
        Color::ALL.map(|color| (board.set_of(Piece::new(color, Bishop)) & SquareSet::LIGHT).is_empty());
    white != black
}

/// Whether all pawns of a side are on one file of the rim, and the opponent's king is in the corner where they promote,
/// which the side's bishop, if it has one, does not attack.
fn is_held_in_corner<B: Board>(board: &B, strong: Color) -> bool {
    let pawns = board.set_of(Piece::new(strong, Pawn));
    let Some(file) = [0, 7].into_iter().find(|file| (pawns - SquareSet::file(*file)).is_empty()) else { return false };
    let corner = Square::at(file, strong.rank(7));
    let is_attacked = board.set_of(Piece::new(strong, Bishop)).any(|bishop| bishop.is_light() == corner.is_light());
    !is_attacked && board.king(!strong).distance(corner) <= 1
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
                let bishops = board.set_of(Piece::new(strong, Bishop));
                let is_one_colour = (bishops & SquareSet::LIGHT).is_empty() || (bishops - SquareSet::LIGHT).is_empty();
                if side.officers() == side.count(Bishop) && is_one_colour {
                    return Some(Score::DRAW);
                }
                let driven = if side.0 == [0, 1, 1, 0, 0] {
                    3 * (7 - from_corner(loser, square(strong, Bishop)?.is_light()))
                } else {
                    6 - from_rim(loser)
                };
                (strong, WON + side.worth() + STEP * (driven + 7 - king.distance(loser) as i32))
            }
            Self::RookAgainstPawn(strong) => {
                let [rook, pawn] = [square(strong, Rook)?, square(!strong, Pawn)?];
                (strong, rook_against_pawn(board, strong, rook, pawn))
            }
            Self::QueenAgainstPawn(strong) => (strong, queen_against_pawn(board, strong, square(!strong, Pawn)?)),
        };
        Some(Score(if board.turn() == strong { won } else { -won }))
    }
}

/// Rook against pawn: a race of the kings to the square in front of the pawn.
fn rook_against_pawn<B: Board>(board: &B, strong: Color, rook: Square, pawn: Square) -> i32 {
    let [king, pawn_king] = [board.king(strong), board.king(!strong)];
    let is_to_move = board.turn() == strong;
    let promotion = Square::at(pawn.file(), strong.rank(0));
    let stop = SquareSet::of(pawn).forward(!strong).first().unwrap_or(promotion);
    let steps = pawn.distance(promotion);
    let stands_before = king.file() == pawn.file() && king.distance(promotion) < steps;
    let guard = pawn_king.distance(pawn);
    // Without its king at hand the pawn falls, unless the rook itself is attacked.
    let is_left_alone = guard > 2 + usize::from(!is_to_move) && pawn_king.distance(rook) > 2;
    if stands_before || is_left_alone {
        return ROOK_WINS - MOVE * king.distance(pawn) as i32;
    }
    let is_far = king.distance(promotion) > steps + 1 + usize::from(is_to_move);
    if guard == 1 && steps <= 2 && is_far {
        return ROOK_HELD - MOVE / 10 * king.distance(stop) as i32;
    }
    let lead = pawn_king.distance(stop) + steps;
    ROOK_RACES + MOVE * (lead as i32 - king.distance(stop) as i32)
}

/// Queen against pawn: won, but for a pawn of the rim or of a bishop's file one step before its promotion with its king
/// beside it, while the other king is far.
fn queen_against_pawn<B: Board>(board: &B, strong: Color, pawn: Square) -> i32 {
    let king = board.king(strong);
    let is_on_seventh = pawn.seen_by(strong).rank() == 1;
    let is_stalemating = matches!(pawn.file(), 0 | 2 | 5 | 7);
    if is_on_seventh && is_stalemating && board.king(!strong).distance(pawn) == 1 && king.distance(pawn) > 4 {
        return ROOK_HELD;
    }
    WON - 1_000 - STEP * king.distance(pawn) as i32
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
