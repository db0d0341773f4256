//! Counting terms: into a score, or into the number of times that each counts, which is what tuning needs.

use std::ops::AddAssign;

use super::terms;
use super::weights::WEIGHTS;

/// Sums for the middlegame and for the endgame, White's minus Black's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Mixed {
    pub middle: i32,
    pub end: i32,
}

/// Receiver of counted terms.
pub trait Tally {
    /// A term counts so often more for White than for Black.
    fn add(&mut self, term: usize, count: i32);
}

/// Tally that adds weights up.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sum {
    pub mixed: Mixed,
}

/// Tally of the counts of all weights.
#[derive(Clone, Debug)]
pub struct Counts(pub Vec<i16>);

impl Mixed {
    /// Adds a weight so often.
    #[inline(always)]
    pub fn add(&mut self, term: usize, count: i32) {
        let weight = WEIGHTS[term];
        self.middle += weight.0 * count;
        self.end += weight.1 * count;
    }
}

impl AddAssign for Mixed {
    #[inline(always)]
    fn add_assign(&mut self, other: Self) {
        self.middle += other.middle;
        self.end += other.end;
    }
}

impl Tally for Sum {
    #[inline(always)]
    fn add(&mut self, term: usize, count: i32) {
        self.mixed.add(term, count);
    }
}

impl Tally for Mixed {
    #[inline(always)]
    fn add(&mut self, term: usize, count: i32) {
        Self::add(self, term, count);
    }
}

impl Counts {
    /// No term counted.
    pub fn none() -> Self {
        Self(vec![0; terms::NUMBER])
    }
}

impl Tally for Counts {
    fn add(&mut self, term: usize, count: i32) {
        self.0[term] += count as i16;
    }
}
