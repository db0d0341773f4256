//! Moves that give check, where many of a position are asked for.

use super::{Board, Move, MoveKind, PieceKind::*, Square, SquareSet, geometry};

/// Squares and pieces from which the side to move can give check: they are found once for all moves of a position.
pub struct Checks {
    king: Square,
    /// Squares from which a piece attacks the king, by kind.
    squares: [SquareSet; 6],
    /// Pieces that reveal an attack on the king if they leave their line.
    revealing: SquareSet,
}

impl Checks {
    /// Checks that the side to move can give.
    #[inline(always)]
    pub fn on<B: Board>(board: &B) -> Self {
        let us = board.turn();
        let king = board.king(!us);
        let lines = board.lines_from(king);
        let mut squares = [SquareSet::EMPTY; 6];
        squares[Pawn.index()] = geometry::pawn(!us, king);
        squares[Knight.index()] = geometry::knight(king);
        squares[Bishop.index()] = lines & geometry::bishop_lines(king);
        squares[Rook.index()] = lines & geometry::rook_lines(king);
        squares[Queen.index()] = lines;
        let mut revealing = SquareSet::EMPTY;
        for square in board.by_color(lines)[us.index()] {
            let revealed = board.revealed_attackers(king, square, SquareSet::of(square));
            if !board.by_color(revealed)[us.index()].is_empty() {
                revealing |= SquareSet::of(square);
            }
        }
        Self { king, squares, revealing }
    }

    /// Whether a legal move gives check; the same as [`Board::gives_check`].
    #[inline(always)]
    pub fn are_given_by<B: Board>(&self, board: &B, mv: Move) -> bool {
        if !matches!(mv.kind(), MoveKind::Plain | MoveKind::DoublePush) {
            return board.gives_check(mv);
        }
        let reveals = || self.revealing.contains(mv.from()) && !geometry::line(self.king, mv.from()).contains(mv.to());
        self.squares[mv.piece().index()].contains(mv.to()) || reveals()
    }
}
