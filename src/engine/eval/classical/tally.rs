//! Counting terms: into a score, or into the number of times that each counts, which is what tuning needs.

use std::ops::{Add, AddAssign, Mul};

use super::terms::NUMBER;
use super::weights::WEIGHTS;

/// Sums for the middlegame and for the endgame, White's minus Black's, in the two halves of a word. A carry from the
/// lower half is undone when the upper one is read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Mixed(i64);

/// Receiver of counted terms.
pub trait Tally {
    /// Counts a term so many times more for White than for Black.
    fn add(&mut self, term: usize, count: i32);
}

/// Tally of the counts of all weights.
#[derive(Clone, Debug)]
pub struct Counts(pub Vec<i16>);

/// The weights, packed.
static PACKED: [Mixed; NUMBER] = {
    let mut packed = [Mixed(0); NUMBER];
    let mut i = 0;
    while i < NUMBER {
        packed[i] = Mixed::new(WEIGHTS[i].0, WEIGHTS[i].1);
        i += 1;
    }
    packed
};

impl Mixed {
    /// Sums of these amounts.
    pub const fn new(middle: i32, end: i32) -> Self {
        Self(((middle as i64) << 32) + end as i64)
    }

    /// Sum for the middlegame.
    #[inline(always)]
    pub const fn middle(self) -> i32 {
        ((self.0 - self.end() as i64) >> 32) as i32
    }

    /// Sum for the endgame.
    #[inline(always)]
    pub const fn end(self) -> i32 {
        self.0 as i32
    }

    /// Both sums together with another's; for constants.
    pub const fn plus(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl Add for Mixed {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        self.plus(other)
    }
}

impl AddAssign for Mixed {
    #[inline(always)]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Mul<i32> for Mixed {
    type Output = Self;
    #[inline(always)]
    fn mul(self, count: i32) -> Self {
        Self(self.0 * i64::from(count))
    }
}

impl Tally for Mixed {
    #[inline(always)]
    fn add(&mut self, term: usize, count: i32) {
        *self += PACKED[term] * count;
    }
}

impl Counts {
    /// No term counted.
    pub fn none() -> Self {
        Self(vec![0; NUMBER])
    }
}

impl Tally for Counts {
    fn add(&mut self, term: usize, count: i32) {
        self.0[term] += count as i16;
    }
}
