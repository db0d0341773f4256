//! Safety of a king: attacks of officers on the squares around it, the pawns beside it, and the lines that are open to
//! it.

use super::{ALL_OFFICERS, WEIGHT};
use crate::chess::PieceKind::{self, *};
use crate::chess::{Board, Color, Piece, SquareSet, geometry};

/// Units of an attack on one square around a king, pawns first. Those of knights and queens are published.
pub const UNITS: [i32; 6] = [0, 2, 2, 3, 5, 0];
/// Penalty for units of attack, in centipawns: the square of their number over 8.
static SAFETY: [i32; 100] = {
    let mut table = [0; 100];
    let mut units = 0;
    while units < table.len() {
        let penalty = (units * units / 8) as i32;
        table[units] = if penalty < 500 { penalty } else { 500 };
        units += 1;
    }
    table
};
/// Worth of a pawn beside its king, in centipawns.
const SHIELD: i32 = 8;
/// Penalty for each square that a queen in place of the king would attack, in centipawns.
const OPEN_LINE: i32 = 2;

/// Squares around a king.
#[inline(always)]
pub fn zone<B: Board>(board: &B, color: Color) -> SquareSet {
    geometry::king(board.king(color))
}

/// Penalty for attacks of so many units.
#[inline(always)]
pub fn danger(units: i32) -> i32 {
    SAFETY[(units as usize).min(SAFETY.len() - 1)]
}

/// Worth of the pawns beside a king.
#[inline(always)]
pub fn shield<B: Board>(board: &B, color: Color) -> i32 {
    SHIELD * (zone(board, color) & board.set_of(Piece::new(color, Pawn))).len() as i32
}

/// Penalty for open lines to a king.
#[inline(always)]
pub fn open_lines<B: Board>(board: &B, color: Color) -> i32 {
    OPEN_LINE * board.lines_from(board.king(color)).len() as i32
}

/// Units of attack on a king, weighted by the officers that are left: what the search of 2023 asks before it takes an
/// evaluation for granted.
pub fn units<B: Board>(board: &B, color: Color) -> i32 {
    let zone = zone(board, color);
    let (mut units, mut phase) = (0, 0);
    for kind in [Knight, Bishop, Rook, Queen] {
        let enemy = Piece::new(!color, kind);
        phase += WEIGHT[kind.index()] * (board.count(enemy) + board.count(Piece::new(color, kind))) as i32;
        for square in board.set_of(enemy) {
            units += attack(kind, board.attacks_of(enemy, square), zone);
        }
    }
    units * phase.min(ALL_OFFICERS) / ALL_OFFICERS
}

/// Units of an officer's attack on the squares around a king.
#[inline(always)]
pub fn attack(kind: PieceKind, reached: SquareSet, zone: SquareSet) -> i32 {
    UNITS[kind.index()] * (reached & zone).len() as i32
}
