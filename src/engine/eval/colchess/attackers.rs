//! The first pass: how many pieces of each side attack, or defend, every square.

use crate::chess::PieceKind::{self, *};
use crate::chess::{Board, Color, Piece, SquareSet, geometry};

/// Numbers from 0 to 15 on all squares, by bit: bit `i` of a square's number is in set `i`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Numbers([SquareSet; 4]);

impl Numbers {
    /// Adds 1 on these squares; more than 15 attackers of one square are not possible for one side in practice, and
    /// counted as 15.
    #[inline(always)]
    pub fn add(&mut self, set: SquareSet) {
        let [a, b, c, d] = self.0;
        let mut carry = set - (a & b & c & d);
        for digit in &mut self.0 {
            (*digit, carry) = (*digit ^ carry, *digit & carry);
        }
    }

    /// Squares with any number but 0.
    #[inline(always)]
    pub fn any(&self) -> SquareSet {
        let [a, b, c, d] = self.0;
        a | b | c | d
    }

    /// Squares whose number is above the other's.
    #[inline(always)]
    pub fn above(&self, other: &Self) -> SquareSet {
        let (mut above, mut equal) = (SquareSet::EMPTY, SquareSet::FULL);
        for (ours, theirs) in self.0.into_iter().zip(other.0).rev() {
            above |= equal & (ours - theirs);
            equal &= !(ours ^ theirs);
        }
        above
    }
}

/// Sets of a side's pieces, and how often it attacks each square.
#[derive(Clone, Copy, Debug, Default)]
pub struct Side {
    sets: [SquareSet; 6],
    pub attackers: Numbers,
    /// Rooks that another rook of the side protects, and queens likewise if they count as rooks.
    pub protected_rooks: SquareSet,
}

impl Side {
    #[inline(always)]
    pub fn of<B: Board>(board: &B, color: Color, queens_are_rooks: bool) -> Self {
        let mut side = Self::default();
        for kind in PieceKind::ALL {
            side.sets[kind.index()] = board.set_of(Piece::new(color, kind));
        }
        let rooks = side.set(Rook) | if queens_are_rooks { side.set(Queen) } else { SquareSet::EMPTY };
        let advanced = side.set(Pawn).forward(color);
        side.attackers.add(advanced.west());
        side.attackers.add(advanced.east());
        side.attackers.add(geometry::king(board.king(color)));
        for kind in [Knight, Bishop, Rook, Queen] {
            for square in side.set(kind) {
                let reached = board.attacks_of(Piece::new(color, kind), square);
                side.attackers.add(reached);
                if rooks.contains(square) {
                    side.protected_rooks |= reached & rooks;
                }
            }
        }
        side
    }

    /// Set of the pieces of a kind.
    #[inline(always)]
    pub fn set(&self, kind: PieceKind) -> SquareSet {
        self.sets[kind.index()]
    }

    /// Number of pieces of a kind.
    #[inline(always)]
    pub fn count(&self, kind: PieceKind) -> i32 {
        self.set(kind).len() as i32
    }

    /// All pieces.
    #[inline(always)]
    pub fn all(&self) -> SquareSet {
        self.sets.iter().fold(SquareSet::EMPTY, |all, set| all | *set)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Square;

    #[test]
    fn numbers_are_added_and_compared() {
        let mut numbers = [Numbers::default(); 2];
        // On square i there are i % 17 and i / 4 % 17.
        for square in Square::all() {
            for (numbers, times) in numbers.iter_mut().zip([square.index() % 17, square.index() / 4 % 17]) {
                (0..times).for_each(|_| numbers.add(SquareSet::of(square)));
            }
        }
        let [a, b] = numbers;
        for square in Square::all() {
            let [x, y] = [square.index() % 17, square.index() / 4 % 17].map(|number| number.min(15));
            assert_eq!(a.above(&b).contains(square), x > y, "{square}");
            assert_eq!(a.any().contains(square), x > 0, "{square}");
        }
    }
}
