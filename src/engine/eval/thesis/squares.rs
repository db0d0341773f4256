//! Piece-square tables of the 2004 thesis, in thousandths of a pawn.
//!
//! Knights, bishops and queens are judged by how far a square is from the rim. The king's table is the same from the
//! opening to the end, and not its own mirror image: it likes its home square and shuns the queen's.

use crate::chess::PieceKind::{self, *};
use crate::chess::Square;

/// Value of a square for a knight by its distance from the rim, 0 to 3; bishop and queen likewise.
const KNIGHT: [i32; 4] = [-120, 25, 50, 100];
const BISHOP: [i32; 4] = [-40, 20, 30, 45];
const QUEEN: [i32; 4] = [0, 0, 75, 100];
/// Value of a square for a rook by file; for a king by file and rank.
const ROOK: [i32; 8] = [0, 0, 10, 15, 15, 10, 0, 0];
const KING_FIRST_RANK: [i32; 8] = [200, 300, 100, -300, 300, 100, 300, 200];
const KING_SECOND_RANK: [i32; 8] = [-200, -200, -500, -500, -500, -500, -200, -200];
const KING_THIRD_RANK: i32 = -700;
const KING_BEYOND: i32 = -900;

/// Value of a square for a piece, seen from its own side: rank 1 is its first.
pub(super) const fn gain(kind: PieceKind, square: Square) -> i32 {
    let (file, rank) = (square.index() % 8, square.index() / 8);
    match kind {
        Pawn => pawn(file, rank),
        Knight => KNIGHT[from_rim(file, rank)],
        Bishop => BISHOP[from_rim(file, rank)],
        Rook => ROOK[file],
        Queen => QUEEN[from_rim(file, rank)],
        King => match rank {
            0 => KING_FIRST_RANK[file],
            1 => KING_SECOND_RANK[file],
            2 => KING_THIRD_RANK,
            _ => KING_BEYOND,
        },
    }
}

const fn pawn(file: usize, rank: usize) -> i32 {
    let central = matches!(file, 3 | 4);
    match (rank + 1, central, matches!(file, 2 | 5)) {
        (2, true, _) => -100,
        (3, true, _) => 40,
        (4 | 5, true, _) => 75,
        (4, _, true) => 15,
        _ => 0,
    }
}

const fn from_rim(file: usize, rank: usize) -> usize {
    let across = if file < 4 { file } else { 7 - file };
    let up = if rank < 4 { rank } else { 7 - rank };
    if across < up { across } else { up }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_published_squares() {
        let cases = [
            (Pawn, "d5", 75),
            (Pawn, "c5", 0),
            (Pawn, "c4", 15),
            (Pawn, "e3", 40),
            (Pawn, "e2", -100),
            (Pawn, "e7", 0),
            (Knight, "a4", -120),
            (Knight, "b7", 25),
            (Knight, "c3", 50),
            (Knight, "e5", 100),
            (Bishop, "h8", -40),
            (Bishop, "g2", 20),
            (Bishop, "d3", 30),
            (Bishop, "d4", 45),
            (Rook, "a8", 0),
            (Rook, "f1", 10),
            (Rook, "d7", 15),
            (Queen, "b2", 0),
            (Queen, "c6", 75),
            (Queen, "e4", 100),
            (King, "d1", -300),
            (King, "e1", 300),
            (King, "g1", 300),
            (King, "c1", 100),
            (King, "b2", -200),
            (King, "c2", -500),
            (King, "a3", -700),
            (King, "e8", -900),
        ];
        for (kind, square, expected) in cases {
            assert_eq!(gain(kind, square.parse().unwrap()), expected, "{kind:?} {square}");
        }
    }
}
