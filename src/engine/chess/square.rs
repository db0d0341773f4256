//! The 64 squares. `a1` is 0, `b1` is 1, `h8` is 63.
//!
//! An enumeration rather than a number, so that an index into a table of 64 needs no bounds check and
//! `Option<Square>` is one byte.

use std::fmt;
use std::str::FromStr;

/// A square of the board.
///
/// ```
/// use splitpoint_engine::chess::Square;
/// let square: Square = "e4".parse().unwrap();
/// assert_eq!(square, Square::E4);
/// assert_eq!((square.file(), square.rank()), (4, 3));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
#[rustfmt::skip]
#[allow(missing_docs)]
pub enum Square {
    A1, B1, C1, D1, E1, F1, G1, H1,
    A2, B2, C2, D2, E2, F2, G2, H2,
    A3, B3, C3, D3, E3, F3, G3, H3,
    A4, B4, C4, D4, E4, F4, G4, H4,
    A5, B5, C5, D5, E5, F5, G5, H5,
    A6, B6, C6, D6, E6, F6, G6, H6,
    A7, B7, C7, D7, E7, F7, G7, H7,
    A8, B8, C8, D8, E8, F8, G8, H8,
}

impl Square {
    /// Number of squares.
    pub const COUNT: usize = 64;

    /// The square with this index, counted modulo 64.
    #[inline(always)]
    pub const fn wrapping(index: usize) -> Self {
        // SAFETY: the enumeration has the 64 values 0..=63 and the mask leaves no other.
        unsafe { std::mem::transmute::<u8, Self>((index & 63) as u8) }
    }

    /// The square on this file and rank, both counted from 0.
    ///
    /// # Panics
    /// If either is above 7.
    #[inline]
    pub const fn at(file: u8, rank: u8) -> Self {
        assert!(file < 8 && rank < 8);
        Self::wrapping((rank * 8 + file) as usize)
    }

    /// The square this many files and ranks away, if it is on the board.
    pub const fn offset(self, files: i8, ranks: i8) -> Option<Self> {
        let (file, rank) = (self.file() as i8 + files, self.rank() as i8 + ranks);
        if 0 <= file && file < 8 && 0 <= rank && rank < 8 { Some(Self::at(file as u8, rank as u8)) } else { None }
    }

    /// All squares, `a1` first.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator {
        (0..Self::COUNT).map(Self::wrapping)
    }

    /// Index of the square: 0 for `a1`, 63 for `h8`.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// File of the square: 0 for the a-file.
    #[inline(always)]
    pub const fn file(self) -> u8 {
        self as u8 & 7
    }

    /// Rank of the square: 0 for the first rank.
    #[inline(always)]
    pub const fn rank(self) -> u8 {
        self as u8 >> 3
    }

    /// Whether this is a light square.
    #[inline(always)]
    pub const fn is_light(self) -> bool {
        (self.file() + self.rank()) & 1 == 1
    }

    /// The square with the ranks flipped (`e2` becomes `e7`).
    #[inline(always)]
    pub const fn flipped(self) -> Self {
        Self::wrapping(self.index() ^ 56)
    }

    /// The square with the files flipped (`e2` becomes `d2`).
    #[inline(always)]
    pub const fn mirrored(self) -> Self {
        Self::wrapping(self.index() ^ 7)
    }

    /// The square as this side sees it: its own first rank is rank 0.
    #[inline(always)]
    pub const fn seen_by(self, color: super::Color) -> Self {
        Self::wrapping(self.index() ^ (56 * color.index()))
    }

    /// Steps of a king from the nearest of the four squares in the centre: 0 to 3.
    #[inline(always)]
    pub fn from_centre(self) -> i32 {
        let [file, rank] = [self.file(), self.rank()].map(|at| 3 - i32::from(at.min(7 - at)));
        file.max(rank)
    }

    /// Number of moves that a king needs from here to another square of an empty board.
    #[inline(always)]
    pub const fn distance(self, other: Self) -> usize {
        let (files, ranks) = (self.file().abs_diff(other.file()), self.rank().abs_diff(other.rank()));
        (if files > ranks { files } else { ranks }) as usize
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let file = (b'a' + self.file()) as char;
        let rank = (b'1' + self.rank()) as char;
        write!(f, "{file}{rank}")
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Error of a text that does not name a square.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected a square, a file a-h followed by a rank 1-8")]
pub struct NotASquare;

impl FromStr for Square {
    type Err = NotASquare;

    fn from_str(text: &str) -> Result<Self, NotASquare> {
        match text.as_bytes() {
            &[file @ b'a'..=b'h', rank @ b'1'..=b'8'] => Ok(Self::at(file - b'a', rank - b'1')),
            _ => Err(NotASquare),
        }
    }
}
