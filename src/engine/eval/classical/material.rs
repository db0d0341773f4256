//! Material: how many pieces of each kind there are, in one word, and the terms that depend on that alone.

use super::tally::Tally;
use super::terms::*;
use crate::chess::PieceKind::{self, *};
use crate::chess::{Color, Piece, see};
use crate::eval::Terms;

/// Numbers of all pieces but kings, four bits for each, and above them White's material minus Black's in thousandths of
/// a pawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Material(pub(super) i64);

const COUNT_BITS: usize = 4;
/// First bit of the balance: after ten counts.
const BALANCE: usize = 10 * COUNT_BITS;

/// Weight of an officer, by kind, in the phase of the game.
const WEIGHT: [i32; 6] = [0, 1, 1, 2, 4, 0];
/// Weight of all officers at the beginning: then only the middlegame's sum counts.
pub const ALL_OFFICERS: i32 = 24;
/// Number of own pawns for which knights and rooks have their usual worth.
const USUAL_PAWNS: i32 = 5;

/// First bit of the number of these pieces.
const fn place(color: Color, kind: PieceKind) -> usize {
    COUNT_BITS * (5 * color.index() + kind.index())
}

/// Share of a piece, by its code, in the word.
static SHARES: [i64; 16] = {
    let mut shares = [0; 16];
    let mut i = 0;
    while i < 5 {
        let kind = PieceKind::ALL[i];
        let value = (see::value(kind).0 as i64) << BALANCE;
        shares[Piece::new(Color::White, kind).code()] = value + (1 << place(Color::White, kind));
        shares[Piece::new(Color::Black, kind).code()] = -value + (1 << place(Color::Black, kind));
        i += 1;
    }
    shares
};

impl Material {
    /// Counts so many more of a piece.
    #[inline(always)]
    pub fn change(&mut self, piece: Piece, count: i32) {
        self.0 += SHARES[piece.code()] * i64::from(count);
    }

    /// White's material minus Black's.
    #[inline(always)]
    pub fn balance(self) -> i32 {
        (self.0 >> BALANCE) as i32
    }

    /// Number of pieces of a kind, kings aside.
    #[inline(always)]
    pub fn count(self, color: Color, kind: PieceKind) -> i32 {
        (self.0 >> place(color, kind)) as i32 & ((1 << COUNT_BITS) - 1)
    }

    /// Weight of all officers, [`ALL_OFFICERS`] at most: how much of a middlegame it is.
    pub(super) fn phase(self) -> i32 {
        let of = |kind: PieceKind| Color::ALL.map(|color| self.count(color, kind)).iter().sum::<i32>();
        let sum: i32 = PieceKind::ALL[1..5].iter().map(|kind| WEIGHT[kind.index()] * of(*kind)).sum();
        sum.min(ALL_OFFICERS)
    }
}

/// Counts what depends on material alone, beside the pieces' own worth.
pub fn count<T: Tally>(tally: &mut T, material: Material, terms: &Terms) {
    for color in Color::ALL {
        let of = |kind: PieceKind| material.count(color, kind);
        let more = |kind: PieceKind| of(kind) - material.count(!color, kind);
        let mut add = |term: usize, count: i32| tally.add(term, color.sign() * count);
        if terms.bishop_pair {
            add(BISHOP_PAIR, i32::from(of(Bishop) > 1));
        }
        if !terms.imbalance {
            continue;
        }
        let pawns = of(Pawn) - USUAL_PAWNS;
        add(KNIGHT_PAWNS, of(Knight) * pawns);
        add(ROOK_PAWNS, of(Rook) * pawns);
        add(KNIGHT_PAIR, i32::from(of(Knight) > 1));
        add(ROOK_PAIR, i32::from(of(Rook) > 1));
        add(QUEEN_ROOKS, of(Queen).min(1) * of(Rook));
        let minors = more(Knight) + more(Bishop);
        // What one side has more of is counted for that side alone.
        match (minors, more(Rook), more(Queen)) {
            (1, 0, 0) if more(Pawn) < 0 => add(MINOR_FOR_PAWNS, 1),
            (-1, 1, 0) => add(ROOK_FOR_MINOR, 1),
            (2, -1, 0) => add(MINORS_FOR_ROOK, 1),
            (0, -2, 1) => add(QUEEN_FOR_ROOKS, 1),
            (3, 0, -1) => add(MINORS_FOR_QUEEN, 1),
            _ => {}
        }
    }
}
