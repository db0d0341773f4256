//! The canonical order of moves that are otherwise equally good.
//!
//! Generators find moves in an order of their own: bitboards by square, a mailbox by its lists, which permute with
//! every capture that was ever made. If ties were left to them, two boards would search different trees, and one board
//! would search different trees on different ways to one position. So every move has a rank that depends on nothing but
//! the move and a seed, and the rank is the low part of the number by which moves are compared.
//!
//! Seed 0 is the order in which the program of the 2004 thesis generates: captures first, then pawn, knight, bishop,
//! rook, queen, king, then by square. Every other seed keeps captures and pieces in that order and permutes the
//! squares: another sequential search, as good as the first, of which the statistics need a sample.

use super::moves::{Move, MoveList};
use super::{PieceKind, Square};
use crate::random::SplitMix;

/// Canonical order of all moves, for one seed.
#[derive(Clone, Debug)]
pub struct CanonicalOrder {
    from: [u8; 64],
    to: [u8; 64],
}

impl CanonicalOrder {
    /// Number of bits of a rank: capture 1, piece 3, from 6, to 6, promotion 2.
    pub const BITS: u32 = 18;
    /// The greatest rank. No move has rank 0: a piece's number is at least 1.
    const LAST: u32 = (1 << Self::BITS) - 1;

    /// The order for this seed.
    pub fn of_seed(seed: u64) -> Self {
        let natural = std::array::from_fn(|i| i as u8);
        let mut order = Self { from: natural, to: natural };
        if seed != 0 {
            let mut random = SplitMix::new(seed);
            random.shuffle(&mut order.from);
            random.shuffle(&mut order.to);
        }
        order
    }

    /// Rank of a move among all possible moves: lower is earlier, and no two moves of a position have the same rank.
    #[inline(always)]
    pub fn rank(&self, mv: Move) -> u32 {
        let promotion = mv.promoted().map_or(0, |kind| PieceKind::Queen as u32 - kind as u32);
        let place = |squares: &[u8; 64], square: Square| u32::from(squares[square.index()]);
        u32::from(!mv.is_capture()) << 17
            | (mv.piece() as u32) << 14
            | place(&self.from, mv.from()) << 8
            | place(&self.to, mv.to()) << 2
            | promotion
    }

    /// Sort key of a move: the higher score first, and the lower rank among equal scores. The score must fit
    /// 45 bits.
    #[inline(always)]
    pub fn key(&self, score: i64, mv: Move) -> i64 {
        score << Self::BITS | i64::from(Self::LAST - self.rank(mv))
    }

    /// [`key`](Self::key) of a quiet move, which is neither a capture nor a promotion.
    #[inline(always)]
    pub fn key_of_quiet(&self, score: i64, mv: Move) -> i64 {
        debug_assert!(mv.is_quiet());
        let place = |squares: &[u8; 64], square: Square| u32::from(squares[square.index()]);
        let rank =
            1 << 17 | (mv.piece() as u32) << 14 | place(&self.from, mv.from()) << 8 | place(&self.to, mv.to()) << 2;
        score << Self::BITS | i64::from(Self::LAST - rank)
    }

    /// Lower bound of the sort keys of all moves with this score.
    #[inline(always)]
    pub const fn least(score: i64) -> i64 {
        score << Self::BITS
    }

    /// Sort key that precedes those of all moves with this score and follows those with a higher one.
    #[inline(always)]
    pub const fn first(score: i64) -> i64 {
        score << Self::BITS | Self::LAST as i64
    }

    /// Whether a sort key comes from [`first`](Self::first) and belongs to no move.
    #[inline(always)]
    pub const fn is_first(key: i64) -> bool {
        key & Self::LAST as i64 == Self::LAST as i64
    }

    /// Score that a sort key was made with.
    #[inline(always)]
    pub const fn score(key: i64) -> i64 {
        key >> Self::BITS
    }

    /// Sorts a list into this order. For cold paths: a search picks by [`key`](Self::key) instead.
    pub fn sort(&self, list: &mut MoveList) {
        list.sort_unstable_by_key(|mv| self.rank(*mv));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::bitboards::{Bitboards, sliders::Ray};
    use crate::chess::{Board, Keys, Setup};

    fn sorted(fen: &str, seed: u64) -> Vec<String> {
        let setup: Setup = fen.parse().unwrap();
        let board = <Bitboards<Ray>>::set_up(&setup, Keys::of_seed(0)).unwrap();
        let mut list = MoveList::new();
        board.legal_moves(&mut list);
        CanonicalOrder::of_seed(seed).sort(&mut list);
        list.iter().map(Move::to_string).collect()
    }

    #[test]
    fn seed_0_is_captures_then_pieces_then_squares() {
        let moves = sorted("8/1P4k1/2p5/3p4/4P3/8/1N1R4/K7 w - - 0 1", 0);
        assert_eq!(moves[..2], ["e4d5", "d2d5"]);
        assert_eq!(moves[2..7], ["e4e5", "b7b8q", "b7b8r", "b7b8b", "b7b8n"]);
        assert_eq!(moves[7..9], ["b2d1", "b2d3"]);
        assert!(moves[moves.len() - 1].starts_with("a1"));
    }

    #[test]
    fn other_seeds_permute_within_captures_and_pieces() {
        let fen = crate::chess::fen::START;
        let (published, other) = (sorted(fen, 0), sorted(fen, 1));
        assert_ne!(published, other);
        assert_eq!(other, sorted(fen, 1));
        assert_ne!(other, sorted(fen, 2));
        let ranks = |moves: &[String]| moves.iter().map(|mv| mv.as_bytes()[1]).collect::<Vec<_>>();
        assert_eq!(ranks(&published), ranks(&other), "pawns before knights");
    }

    #[test]
    fn a_better_score_always_comes_first() {
        let setup = Setup::start();
        let board = <Bitboards<Ray>>::set_up(&setup, Keys::of_seed(0)).unwrap();
        let mut list = MoveList::new();
        board.legal_moves(&mut list);
        let order = CanonicalOrder::of_seed(5);
        for a in &list {
            for b in &list {
                assert!(order.key(1, *a) > order.key(0, *b));
                assert!(order.key(-1, *a) < order.key(0, *b));
                assert!(!a.is_quiet() || order.key_of_quiet(-7, *a) == order.key(-7, *a));
                assert_eq!(CanonicalOrder::score(order.key(-7, *a)), -7);
                let first = CanonicalOrder::first(-7);
                assert!(order.key(-7, *a) < first && first < order.key(-6, *b));
                assert!(CanonicalOrder::is_first(first) && !CanonicalOrder::is_first(order.key(-7, *a)));
                assert_eq!(order.key(7, *a) == order.key(7, *b), a == b);
            }
        }
    }
}
