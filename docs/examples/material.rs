//! Material and nothing else.

use super::Evaluation;
use crate::chess::{Board, Color, Piece, PieceKind, Score, Square, see};

/// Evaluation by material alone.
pub struct Material;

impl Evaluation for Material {
    /// White's material minus Black's.
    type State = i32;
    type Cache = ();

    fn change(state: &mut i32, piece: Piece, _: Square, count: i32) {
        // Kings are never exchanged, and each side has one.
        if piece.kind() != PieceKind::King {
            *state += count * piece.color().sign() * see::value(piece.kind()).0;
        }
    }

    fn material(state: i32, color: Color) -> Score {
        Score(color.sign() * state)
    }

    fn score<B: Board>(state: i32, _: &mut (), board: &B) -> Score {
        Self::material(state, board.turn())
    }
}
