//! What tuning needs to know of this evaluation: its terms and weights, and how often each counts in a position.

use super::tally::{Counts, Tally};
use super::terms::{MATERIAL, NUMBER, TERMS, on_square};
use super::weights::WEIGHTS;
use super::{ALL_OFFICERS, Classical, count_officers, endings, pawns, seen_by};
use crate::chess::{Board, Color, Piece, PieceKind};
use crate::eval::Evaluation;

/// A position as a sum of weights.
#[derive(Clone, Debug, PartialEq)]
pub struct Counted {
    /// Weights that count, and how many times more for White than for Black.
    pub counts: Vec<(u16, i16)>,
    /// Share of the middlegame's sum in the score; the rest is the endgame's.
    pub middle: f64,
    /// Factors of White's score by what is known of endings: if Black is ahead, and if White is.
    pub scales: [f64; 2],
    /// Weights of the worth of each piece but kings, of either side: its material and its square.
    pub worths: Vec<u16>,
}

/// Name, number of weights and meaning of each term, in the order of the weights.
pub fn terms() -> &'static [(&'static str, usize, &'static str)] {
    TERMS
}

/// Weights for the middlegame and for the endgame, in thousandths of a pawn.
pub fn weights() -> &'static [(i32, i32)] {
    &WEIGHTS
}

/// Place of the weight of a kind of piece.
pub fn material(kind: PieceKind) -> usize {
    MATERIAL + kind.index()
}

/// Counts of a position; nothing for an ending whose score is known without them.
pub fn counted<B: Board>(board: &B) -> Option<Counted> {
    /// Score by which the factors are found out, divisible by all their denominators.
    const PROBE: i32 = 1 << 16;
    let phase = Classical::from_scratch(board).phase;
    if endings::known(board, phase).is_some() {
        return None;
    }
    let facts = pawns::Facts::of(board);
    let mut all = Counts::none();
    let mut worths = Vec::new();
    for color in Color::ALL {
        for kind in PieceKind::ALL {
            for square in board.squares_of(Piece::new(color, kind)) {
                let own = [MATERIAL + kind.index(), on_square(kind, seen_by(color, square))];
                own.iter().for_each(|weight| all.add(*weight, if color == Color::White { 1 } else { -1 }));
                if kind != PieceKind::King {
                    worths.extend(own.map(|weight| weight as u16));
                }
            }
        }
    }
    pawns::count_structure(&mut all, &facts);
    count_officers(&mut all, board, &facts);
    // In no order of the board's own.
    worths.sort_unstable();
    let counts =
        (0..NUMBER).filter(|weight| all.0[*weight] != 0).map(|weight| (weight as u16, all.0[weight])).collect();
    let scale = |probe: i32| f64::from(endings::scale(board, &facts, probe)) / f64::from(probe);
    let middle = f64::from(phase.min(ALL_OFFICERS)) / f64::from(ALL_OFFICERS);
    Some(Counted { counts, middle, scales: [scale(-PROBE), scale(PROBE)], worths })
}
