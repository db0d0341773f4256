//! Terms of the evaluation: each is counted for both sides, and has a weight for the middlegame and one for the
//! endgame.

use crate::chess::{PieceKind, Square};

/// Declares the terms: name, number of weights, and meaning. Their weights follow one another in that order.
macro_rules! terms {
    ($( #[doc = $meaning:literal] $NAME:ident $name:literal [$count:expr]; )*) => {
        /// Place of each term's first weight.
        #[allow(non_camel_case_types, clippy::upper_case_acronyms)]
        #[repr(usize)]
        enum Order { $( $NAME, )* COUNT }

        const COUNTS: [usize; Order::COUNT as usize] = [$( $count, )*];

        const fn begin(order: usize) -> usize {
            let (mut sum, mut i) = (0, 0);
            while i < order {
                sum += COUNTS[i];
                i += 1;
            }
            sum
        }

        $( #[doc = $meaning] pub const $NAME: usize = begin(Order::$NAME as usize); )*

        /// Number of weights.
        pub const NUMBER: usize = begin(Order::COUNT as usize);

        /// Name, number of weights and meaning of each term.
        pub const TERMS: &[(&str, usize, &str)] = &[$( ($name, $count, $meaning), )*];
    };
}

terms! {
    /// A piece, by kind; kings count for nothing.
    MATERIAL "material" [6];
    /// A piece on a square, by kind, rank and distance of the file from the rim.
    SQUARES "squares" [6 * 32];
    /// Two bishops.
    BISHOP_PAIR "bishop-pair" [1];
    /// A knight, by number of own pawns beyond five.
    KNIGHT_PAWNS "knight-pawns" [1];
    /// A rook, by number of own pawns beyond five.
    ROOK_PAWNS "rook-pawns" [1];
    /// A second knight, which does in part what the first one does.
    KNIGHT_PAIR "knight-pair" [1];
    /// A second rook, likewise.
    ROOK_PAIR "rook-pair" [1];
    /// A queen beside rooks, by number of rooks.
    QUEEN_ROOKS "queen-rooks" [1];
    /// A minor piece more against pawns, the heavy pieces being equal.
    MINOR_FOR_PAWNS "minor-for-pawns" [1];
    /// The exchange: a rook more and a minor piece less.
    ROOK_FOR_MINOR "rook-for-minor" [1];
    /// Two minor pieces more and a rook less.
    MINORS_FOR_ROOK "minors-for-rook" [1];
    /// A queen more and two rooks less.
    QUEEN_FOR_ROOKS "queen-for-rooks" [1];
    /// Three minor pieces more and a queen less.
    MINORS_FOR_QUEEN "minors-for-queen" [1];
    /// A knight, by number of squares it attacks that no enemy pawn does and no own pawn or king stands on.
    KNIGHT_MOBILITY "knight-mobility" [9];
    /// A bishop, likewise.
    BISHOP_MOBILITY "bishop-mobility" [14];
    /// A rook, likewise.
    ROOK_MOBILITY "rook-mobility" [15];
    /// A queen, likewise.
    QUEEN_MOBILITY "queen-mobility" [28];
    /// A pawn without own pawns on the files beside it.
    ISOLATED "isolated" [1];
    /// A pawn with an own pawn in front of it.
    DOUBLED "doubled" [1];
    /// A pawn that no own pawn can protect, and whose next square an enemy pawn attacks.
    BACKWARD "backward" [1];
    /// A pawn with an own pawn beside or protecting it, by rank.
    CONNECTED "connected" [8];
    /// A pawn that no enemy pawn can stop, by rank.
    PASSED "passed" [8];
    /// A pawn on a file without enemy pawns that own pawns can escort past those beside its way, by rank.
    CANDIDATE "candidate" [8];
    /// A square of c2 to f4 without an own pawn that no enemy pawn attacks.
    SPACE "space" [1];
    /// A passed pawn that an own pawn protects.
    PASSED_PROTECTED "passed-protected" [1];
    /// A passed pawn whose next square is empty, by rank.
    PASSED_FREE "passed-free" [8];
    /// A passed pawn whose way is empty and not attacked, by rank.
    PASSED_SAFE "passed-safe" [8];
    /// A passed pawn, by distance of the own king from its next square.
    PASSED_OWN_KING "passed-own-king" [8];
    /// A passed pawn, by distance of the enemy king from its next square.
    PASSED_ENEMY_KING "passed-enemy-king" [8];
    /// A passed pawn that nobody can catch, where the opponent has pawns only.
    UNSTOPPABLE "unstoppable" [1];
    /// A rook on a file without pawns.
    ROOK_OPEN "rook-open" [1];
    /// A rook on a file without own pawns.
    ROOK_HALF_OPEN "rook-half-open" [1];
    /// A rook on its seventh rank, with the enemy king on the last or enemy pawns on the seventh.
    ROOK_SEVENTH "rook-seventh" [1];
    /// A knight on a square that an own pawn protects and no enemy pawn can attack.
    KNIGHT_OUTPOST "knight-outpost" [1];
    /// A bishop on such a square.
    BISHOP_OUTPOST "bishop-outpost" [1];
    /// A bishop, by number of own pawns on squares of its colour.
    BAD_BISHOP "bad-bishop" [1];
    /// A bishop on a main diagonal with no pawn of either side on the two central squares of it.
    BISHOP_DIAGONAL "bishop-diagonal" [1];
    /// A square of the own second to fourth rank that no own pawn holds, of a colour of which the side has no bishop.
    WEAK_COLOUR "weak-colour" [1];
    /// An enemy officer that a pawn attacks.
    PAWN_THREAT "pawn-threat" [1];
    /// An enemy rook or queen that a knight or bishop attacks.
    MINOR_THREAT "minor-threat" [1];
    /// An enemy queen that a rook attacks.
    ROOK_THREAT "rook-threat" [1];
    /// An enemy piece that is attacked and not protected.
    HANGING "hanging" [1];
    /// A file beside the own king, by rank of the own pawn that shelters it there; the first is for none.
    SHELTER "shelter" [8];
    /// A file beside the own king, by rank of the enemy pawn that comes nearest; the first is for none.
    STORM "storm" [8];
    /// A file beside the own king without pawns, where the opponent has a rook or queen.
    KING_OPEN "king-open" [1];
    /// The enemy king, by units of attack on the squares around it.
    ATTACK "attack" [32];
    /// The side to move.
    TEMPO "tempo" [1];
}

/// Place of the weight of a piece on a square, seen from its side.
#[inline(always)]
pub const fn on_square(kind: PieceKind, square: Square) -> usize {
    let (file, rank) = (square.index() % 8, square.index() / 8);
    let from_rim = if file < 4 { file } else { 7 - file };
    SQUARES + 32 * kind.index() + 4 * rank + from_rim
}
