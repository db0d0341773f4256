//! Moves that give check, where many of a position are asked for.

use super::castle::castling_moves;
use super::{Board, Move, MoveKind, MoveList, Piece, PieceKind, PieceKind::*, Square, SquareSet, geometry};

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

    /// Appends the quiet moves that give check, each piece from its own squares to those where it attacks the king, or
    /// off the line on which it hides an attack. They are those of [`Board::quiet_moves`], in another order.
    #[inline]
    pub fn quiet_moves<B: Board>(&self, board: &B, list: &mut MoveList) {
        let us = board.turn();
        for kind in [Knight, Bishop, Rook, Queen, King] {
            for from in board.squares_of(Piece::new(us, kind)) {
                let wanted = self.targets(kind, from);
                if wanted.is_empty() {
                    continue;
                }
                for to in board.attacks_of(Piece::new(us, kind), from) & wanted {
                    if board.piece_on(to).is_none() {
                        list.push(Move::new(kind, from, to, None, MoveKind::Plain));
                    }
                }
            }
        }
        let promotions = SquareSet::rank(0) | SquareSet::rank(7);
        for from in board.squares_of(Piece::new(us, Pawn)) {
            let (wanted, step) = (self.targets(Pawn, from) - promotions, SquareSet::of(from).forward(us));
            let double = if from.rank() == us.rank(1) { step.forward(us) } else { SquareSet::EMPTY };
            for (targets, way, kind) in [(step, step, MoveKind::Plain), (double, step | double, MoveKind::DoublePush)] {
                if let Some(to) = (targets & wanted).first()
                    && board.are_empty(way)
                {
                    list.push(Move::new(Pawn, from, to, None, kind));
                }
            }
        }
        let emit = |mv| {
            if board.gives_check(mv) {
                list.push(mv);
            }
        };
        castling_moves(board, |castling| board.are_empty(castling.empty), emit);
    }

    /// Squares from which a piece gives check that comes from there.
    #[inline(always)]
    fn targets(&self, kind: PieceKind, from: Square) -> SquareSet {
        let revealed = if self.revealing.contains(from) { !geometry::line(self.king, from) } else { SquareSet::EMPTY };
        self.squares[kind.index()] | revealed
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::bitboards::{Bitboards, sliders::Magic};
    use crate::chess::mailbox::Mailbox;
    use crate::chess::{Keys, Setup};

    fn quiet_checks<B: Board>(setup: &Setup) -> String {
        let board = B::set_up(setup, Keys::of_seed(0)).unwrap();
        let mut list = MoveList::new();
        Checks::on(&board).quiet_moves(&board, &mut list);
        let mut names: Vec<String> = list.iter().map(Move::to_string).collect();
        names.sort();
        names.join(" ")
    }

    /// Random games have few of these: castling, pushes, and pieces that step off a line.
    #[test]
    fn rare_quiet_checks_are_found() {
        for (fen, expected) in [
            ("5k2/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1 h1f1 h1h8"),
            ("8/8/8/2k5/8/8/3P4/4K3 w - - 0 1", "d2d4"),
            ("8/8/8/2k5/8/3p4/3P4/4K3 w - - 0 1", ""),
            ("8/8/8/2k5/3p4/8/3P4/4K3 w - - 0 1", ""),
            ("7k/8/8/8/8/2P5/8/B3K3 w - - 0 1", "c3c4"),
            ("k7/8/8/8/4K3/8/8/7B w - - 0 1", "e4d3 e4d4 e4e3 e4e5 e4f4 e4f5"),
            ("4k3/8/8/8/4K3/8/8/4R3 w - - 0 1", "e4d3 e4d4 e4d5 e4f3 e4f4 e4f5"),
            ("4k3/4P3/8/8/8/8/8/3QK3 w - - 0 1", "d1a4 d1d7 d1d8 d1h5"),
        ] {
            let setup: Setup = fen.parse().unwrap();
            assert_eq!(quiet_checks::<Mailbox>(&setup), expected, "{fen}");
            assert_eq!(quiet_checks::<Bitboards<Magic>>(&setup), expected, "{fen}");
        }
    }
}
