//! A set of squares in one machine word: bit 0 is `a1`, bit 63 is `h8`.

use std::fmt;
use std::ops::{Not, Sub};

use super::operators::operators;
use super::{Color, Square, primitives};

/// Set of squares. As an iterator it gives its squares in order, `a1` first.
///
/// ```
/// use splitpoint_engine::chess::{Square, SquareSet};
///
/// let cross = SquareSet::file(3) | SquareSet::rank(4);
/// assert_eq!(format!("{:?}", cross - SquareSet::of(Square::D5)), "\
/// . . . X . . . .
/// . . . X . . . .
/// . . . X . . . .
/// X X X . X X X X
/// . . . X . . . .
/// . . . X . . . .
/// . . . X . . . .
/// . . . X . . . .
/// ");
/// assert_eq!((cross.len(), cross.first()), (15, Some(Square::D1)));
/// assert_eq!((cross & SquareSet::rank(0)).collect::<Vec<_>>(), [Square::D1]);
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub struct SquareSet(pub u64);

impl SquareSet {
    /// The empty set.
    pub const EMPTY: Self = Self(0);
    /// All 64 squares.
    pub const FULL: Self = Self(!0);
    const FILE_A: u64 = 0x0101_0101_0101_0101;
    const FILE_H: u64 = Self::FILE_A << 7;

    /// The squares of a rank, counted from 0.
    #[inline(always)]
    pub const fn rank(rank: u8) -> Self {
        Self(0xFF << (8 * rank))
    }

    /// The squares of a file, counted from 0.
    #[inline(always)]
    pub const fn file(file: u8) -> Self {
        Self(Self::FILE_A << file)
    }

    /// The light squares.
    pub const LIGHT: Self = Self(0x55AA_55AA_55AA_55AA);

    /// The set of this one square.
    #[inline(always)]
    pub const fn of(square: Square) -> Self {
        Self(1 << square as u64)
    }

    /// The set with this square as well.
    #[inline(always)]
    #[must_use]
    pub const fn with(self, square: Square) -> Self {
        Self(self.0 | Self::of(square).0)
    }

    /// Whether the square is in the set.
    #[inline(always)]
    pub const fn contains(self, square: Square) -> bool {
        self.0 & (1 << square as u64) != 0
    }

    /// Whether the set is empty.
    #[inline(always)]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Number of squares in the set.
    #[inline(always)]
    pub const fn len(self) -> u32 {
        primitives::count(self.0)
    }

    /// Whether the set has at least two squares.
    #[inline(always)]
    pub const fn has_several(self) -> bool {
        self.0 & self.0.wrapping_sub(1) != 0
    }

    /// The lowest square of the set.
    #[inline(always)]
    pub const fn first(self) -> Option<Square> {
        if self.0 == 0 { None } else { Some(Square::wrapping(primitives::lowest(self.0) as usize)) }
    }

    /// The set moved one rank towards this side's opponent.
    #[inline(always)]
    pub const fn forward(self, color: Color) -> Self {
        match color {
            Color::White => Self(self.0 << 8),
            Color::Black => Self(self.0 >> 8),
        }
    }

    /// The squares in front of these, up to the last rank.
    #[inline(always)]
    #[must_use]
    pub const fn in_front(self, color: Color) -> Self {
        let set = self.forward(color).0;
        Self(match color {
            Color::White => {
                let set = set | set << 8;
                let set = set | set << 16;
                set | set << 32
            }
            Color::Black => {
                let set = set | set >> 8;
                let set = set | set >> 16;
                set | set >> 32
            }
        })
    }

    /// All squares of the files of these.
    #[inline(always)]
    #[must_use]
    pub const fn files(self) -> Self {
        Self(self.0 | self.in_front(Color::White).0 | self.in_front(Color::Black).0)
    }

    /// Files of these squares, a bit for each.
    #[inline(always)]
    pub const fn as_files(self) -> u8 {
        (self.files().0 & 0xFF) as u8
    }

    /// All squares of these files, a bit for each.
    #[inline(always)]
    pub const fn of_files(files: u8) -> Self {
        Self(files as u64 * Self::FILE_A)
    }

    /// The squares beside these on the same rank.
    #[inline(always)]
    #[must_use]
    pub const fn beside(self) -> Self {
        Self(self.west().0 | self.east().0)
    }

    /// The set moved one file towards the a-file; what leaves the board is lost.
    #[inline(always)]
    pub const fn west(self) -> Self {
        Self((self.0 & !Self::FILE_A) >> 1)
    }

    /// The set moved one file towards the h-file; what leaves the board is lost.
    #[inline(always)]
    pub const fn east(self) -> Self {
        Self((self.0 & !Self::FILE_H) << 1)
    }
}

impl Iterator for SquareSet {
    type Item = Square;

    #[inline(always)]
    fn next(&mut self) -> Option<Square> {
        let square = self.first()?;
        self.0 &= self.0 - 1;
        Some(square)
    }
}

impl FromIterator<Square> for SquareSet {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Self {
        squares.into_iter().fold(Self::EMPTY, |set, square| set | Self::of(square))
    }
}

operators!(
    SquareSet: BitAnd bitand &, BitOr bitor |, BitXor bitxor ^;
    BitAndAssign bitand_assign &=, BitOrAssign bitor_assign |=, BitXorAssign bitxor_assign ^=
);

impl Sub for SquareSet {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }
}

impl Not for SquareSet {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        Self(!self.0)
    }
}

/// A picture of the board, rank 8 on top.
impl fmt::Debug for SquareSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in (0..8).rev() {
            for file in 0..8 {
                let mark = if self.contains(Square::at(file, rank)) { 'X' } else { '.' };
                write!(f, "{mark}{}", if file < 7 { ' ' } else { '\n' })?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_and_what_is_in_front() {
        for square in Square::all() {
            let (set, file) = (SquareSet::of(square), SquareSet::file(square.file()));
            assert_eq!(set.files(), file);
            assert_eq!(set.beside().files(), file.beside());
            for color in Color::ALL {
                let ahead = |other: &Square| color.rank(other.rank()) > color.rank(square.rank());
                assert_eq!(set.in_front(color), file.filter(ahead).collect());
            }
        }
    }
}
