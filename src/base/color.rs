//! The two sides of a game.

use std::ops::Not;

/// One of the two sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Color {
    /// Moves first and up the board.
    White,
    /// Moves second and down the board.
    Black,
}

impl Color {
    /// Both colours, White first.
    pub const ALL: [Self; 2] = [Self::White, Self::Black];

    /// Index of the colour: 0 for White, 1 for Black.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The rank (from 0) that is `rank` ranks in front of this side's own first rank.
    #[inline(always)]
    pub const fn rank(self, rank: u8) -> u8 {
        rank ^ (7 * self as u8)
    }

    /// Sign of what counts for this side in a sum that is White's: 1 for White, -1 for Black.
    #[inline(always)]
    pub const fn sign(self) -> i32 {
        1 - 2 * self as i32
    }

    /// English name: "White" or "Black".
    pub const fn name(self) -> &'static str {
        ["White", "Black"][self.index()]
    }
}

impl Not for Color {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        if self == Self::White { Self::Black } else { Self::White }
    }
}
