//! What tuning needs to know of this evaluation: its terms and weights, and how often each counts in a position.

use super::balance::Balance;
use super::material::{self, ALL_OFFICERS};
use super::tally::{Counts, Tally};
use super::terms::{MATERIAL, NUMBER, TERMS, on_square};
use super::weights::WEIGHTS;
use super::{Classical, count_officers, king, pawns};
use crate::chess::{Board, Color, Piece, PieceKind};
use crate::eval::{Evaluation, Terms};

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

/// Counts of all weights in a position.
pub(super) fn count_all<B: Board>(board: &B, terms: &Terms) -> Counts {
    let mut counts = Counts::none();
    for piece in Piece::all() {
        let (kind, color) = (piece.kind(), piece.color());
        for square in board.squares_of(piece) {
            counts.add(MATERIAL + kind.index(), color.sign());
            counts.add(on_square(kind, square.seen_by(color)), color.sign());
        }
    }
    let facts = pawns::Facts::of(board);
    material::count(&mut counts, Classical::from_scratch(board).material, terms);
    pawns::count_structure(&mut counts, &facts, terms);
    king::count_shelter(&mut counts, facts.pawns, Color::ALL.map(|color| board.king(color)));
    count_officers(&mut counts, board, &facts, terms);
    counts
}

/// Counts of a position; nothing for an ending whose score is known without them.
pub fn counted<B: Board>(board: &B) -> Option<Counted> {
    /// Score by which the factors are found out, divisible by all their denominators.
    const PROBE: i32 = 1 << 16;
    let terms = &Terms::DEFAULT;
    let material = Classical::from_scratch(board).material;
    let balance = Balance::of(material, terms);
    if balance.plan.known(board, material).is_some() {
        return None;
    }
    let mut worths = Vec::new();
    for piece in Piece::all().filter(|piece| piece.kind() != PieceKind::King) {
        for square in board.squares_of(piece) {
            let kind = piece.kind();
            worths.extend([MATERIAL + kind.index(), on_square(kind, square.seen_by(piece.color()))].map(|i| i as u16));
        }
    }
    // In no order of the board's own.
    worths.sort_unstable();
    let all = count_all(board, terms).0;
    let counts = (0..NUMBER).filter(|weight| all[*weight] != 0).map(|weight| (weight as u16, all[weight])).collect();
    let scale = |probe: i32| f64::from(balance.plan.scale(board, probe)) / f64::from(probe);
    let middle = f64::from(balance.phase) / f64::from(ALL_OFFICERS);
    Some(Counted { counts, middle, scales: [scale(-PROBE), scale(PROBE)], worths })
}
