//! Material and nothing else.

use super::Evaluation;
use crate::chess::{Board, Color, Move, Piece, PieceKind, Score, see};

/// Evaluation by material alone.
pub struct Material;

/// Worth of a piece that is exchanged; kings never are.
fn worth(kind: PieceKind) -> i32 {
    if kind == PieceKind::King { 0 } else { see::value(kind).0 }
}

impl Evaluation for Material {
    /// White's material minus Black's.
    type State = i32;
    type Cache = ();

    fn from_scratch<B: Board>(board: &B) -> i32 {
        let of = |color| PieceKind::ALL.map(|kind| board.count(Piece::new(color, kind)) as i32 * worth(kind));
        of(Color::White).iter().sum::<i32>() - of(Color::Black).iter().sum::<i32>()
    }

    fn after<B: Board>(state: i32, board: &B, mv: Move) -> i32 {
        let won = mv.captured().map_or(0, worth) + mv.promoted().map_or(0, |kind| worth(kind) - worth(PieceKind::Pawn));
        if board.turn() == Color::White { state + won } else { state - won }
    }

    fn material(state: i32, color: Color) -> Score {
        Score(if color == Color::White { state } else { -state })
    }

    fn score<B: Board>(state: i32, _: &mut (), board: &B) -> Score {
        Self::material(state, board.turn())
    }
}
