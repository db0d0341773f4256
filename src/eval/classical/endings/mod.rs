//! Endings of which more is known than what the sum of terms says: those that nobody can win, those whose winner must
//! go about it in one way, and those where material is worth less than usual.

mod kpk;

#[cfg(test)]
pub(super) use kpk::is_won as kpk_is_won;

use super::pawns::{Facts, distance};
use crate::chess::PieceKind::{self, *};
use crate::chess::{Board, Color, Piece, Score, Square, SquareSet};

/// Weight of all officers up to which endings are looked at: a queen, or a rook and two minor pieces.
const FEW_OFFICERS: i32 = 4;
/// Score of a won ending beside material: more than any position that is not won.
const WON: i32 = 10_000;
/// Worth of each step by which the loser's king is driven, in thousandths of a pawn.
const STEP: i32 = 100;
/// Worth of nearly nothing, in 64ths: a draw among good players.
const DRAWISH: i32 = 8;
const OPPOSITE_BISHOPS: i32 = 36;
const WHOLE: i32 = 64;

/// Number of pieces of each kind that a side has.
struct Side {
    color: Color,
    counts: [u32; 6],
}

impl Side {
    fn of<B: Board>(board: &B, color: Color) -> Self {
        Self { color, counts: PieceKind::ALL.map(|kind| board.count(Piece::new(color, kind))) }
    }

    fn count(&self, kind: PieceKind) -> u32 {
        self.counts[kind.index()]
    }

    /// Pawns, knights, bishops, rooks, queens.
    fn is(&self, counts: [u32; 5]) -> bool {
        self.counts[..5] == counts
    }

    fn is_bare(&self) -> bool {
        self.is([0; 5])
    }

    fn officers(&self) -> u32 {
        self.counts[1..5].iter().sum()
    }
}

/// Score of an ending that is known, for the side to move.
#[inline(always)]
pub fn known<B: Board>(board: &B, phase: i32) -> Option<Score> {
    if phase > FEW_OFFICERS { None } else { of_few(board) }
}

#[inline(never)]
fn of_few<B: Board>(board: &B) -> Option<Score> {
    let [white, black] = Color::ALL.map(|color| Side::of(board, color));
    let has_pawns = white.count(Pawn) + black.count(Pawn) > 0;
    let cannot_win = |side: &Side| side.officers() < 2 && side.count(Rook) + side.count(Queen) == 0;
    let two_knights = |side: &Side| side.is([0, 2, 0, 0, 0]);
    if !has_pawns
        && (cannot_win(&white) || two_knights(&white) && black.is_bare())
        && (cannot_win(&black) || two_knights(&black) && white.is_bare())
    {
        return Some(Score::DRAW);
    }
    let (strong, weak) = match (white.is_bare(), black.is_bare()) {
        (false, true) => (white, black),
        (true, false) => (black, white),
        _ => return None,
    };
    let kings = [strong.color, weak.color].map(|color| board.king(color));
    let won = if strong.is([1, 0, 0, 0, 0]) {
        let pawn = board.squares_of(Piece::new(strong.color, Pawn)).next()?;
        if !kpk::is_won(strong.color, kings[0], pawn, kings[1], board.turn()) {
            return Some(Score::DRAW);
        }
        let rank = strong.color.rank(pawn.rank());
        WON + 1_000 + STEP * i32::from(rank)
    } else if has_pawns {
        return None;
    } else {
        let value: i32 = PieceKind::ALL.iter().map(|kind| strong.count(*kind) as i32 * worth(*kind)).sum();
        let driven = if strong.is([0, 1, 1, 0, 0]) {
            let bishop = board.squares_of(Piece::new(strong.color, Bishop)).next()?;
            3 * (7 - from_corner(kings[1], SquareSet::LIGHT.contains(bishop)))
        } else {
            6 - from_rim(kings[1])
        };
        WON + value + STEP * (driven + 7 - distance(kings[0], kings[1]) as i32)
    };
    Some(Score(if board.turn() == strong.color { won } else { -won }))
}

fn worth(kind: PieceKind) -> i32 {
    if kind == King { 0 } else { crate::chess::see::value(kind).0 }
}

/// Steps from the nearest rim, by file and by rank, added up.
fn from_rim(square: Square) -> i32 {
    let [file, rank] = [square.file(), square.rank()].map(|at| i32::from(at.min(7 - at)));
    file + rank
}

/// Steps from the nearer corner of this colour.
fn from_corner(square: Square, is_light: bool) -> i32 {
    let corners = if is_light { [Square::A8, Square::H1] } else { [Square::A1, Square::H8] };
    corners.iter().map(|corner| distance(square, *corner) as i32).min().unwrap_or(0)
}

/// Score for White of an ending in which material is worth less than usual.
#[inline(always)]
pub fn scale<B: Board>(board: &B, facts: &Facts, white: i32) -> i32 {
    let strong = if white > 0 { Color::White } else { Color::Black };
    if facts.pawns[strong.index()].len() > 1 {
        let of = |color: Color| Side::of(board, color);
        let has_bishop_only = |side: &Side| side.officers() == 1 && side.count(Bishop) == 1;
        let bishops = [Color::White, Color::Black].map(|color| board.count(Piece::new(color, Bishop)));
        if bishops == [1, 1] && has_bishop_only(&of(Color::White)) && has_bishop_only(&of(Color::Black)) {
            let on_light = Color::ALL.map(|color| {
                board.squares_of(Piece::new(color, Bishop)).any(|square| SquareSet::LIGHT.contains(square))
            });
            if on_light[0] != on_light[1] {
                return white * OPPOSITE_BISHOPS / WHOLE;
            }
        }
        return white;
    }
    if !facts.pawns[strong.index()].is_empty() {
        return white;
    }
    // Without pawns a lead of no more than a minor piece seldom wins.
    let [ours, theirs] = [strong, !strong].map(|color| Side::of(board, color));
    let officers =
        |side: &Side| -> i32 { PieceKind::ALL[1..5].iter().map(|kind| side.count(*kind) as i32 * worth(*kind)).sum() };
    if officers(&ours) - officers(&theirs) <= worth(Bishop) { white * DRAWISH / WHOLE } else { white }
}
