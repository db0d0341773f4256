//! Number of threads up to which a parallel search gains: a set of numbers rather than one, since measurements seldom
//! single one out. A number is the limit if no larger one gains 5 % or more on it, and if it gains on each smaller one
//! at least the fourth root of the ratio of their numbers (a fifth with twice as many). The set holds the numbers for
//! which neither part is refuted. Each part is tested for all other numbers together with an error of 2.5 %
//! (Bonferroni), so that the true limit is missing in at most 5 of 100.

use crate::analysis::scope::Holds;
use crate::statistics::{Contrast, Interval};

use super::{LITTLE, MUCH};

/// Time speedup from more threads that is a gain.
pub(super) const GAIN: f64 = 1.05;
/// Time speedup from more threads below which they do harm.
pub(super) const HARM: f64 = 0.95;

/// Times of one curve with each number of threads, one thread first.
pub(super) struct Times<'a> {
    pub threads: &'a [u32],
    /// Logarithms of the times, by position.
    pub logs: &'a [Vec<Vec<f64>>],
    pub holds: Holds,
}

/// Numbers of threads up to which a search may gain, and those by which it loses.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Limit {
    /// Numbers that may be the limit, the smallest first; none if no gain is shown.
    pub good_to: Vec<u32>,
    /// Larger numbers that are shown to be slower than all of those.
    pub slower: Vec<u32>,
    /// Whether the speedup with the smallest number that may be the limit is above its square root.
    pub gains_well: bool,
}

impl Times<'_> {
    /// Time speedup with the number of threads at place `to` over that at place `from`, with an interval that holds
    /// together with those of `among` in all.
    pub fn gain(&self, from: usize, to: usize, among: usize) -> Interval {
        let contrast = Contrast::unpaired(&self.logs[from], &self.logs[to]);
        contrast.map_or(Interval::unknown(f64::NAN), |gain| self.holds.interval_among(&gain, among).exp())
    }

    /// Time speedup with most threads over one.
    pub fn speedup(&self) -> Interval {
        self.gain(0, self.last(), 1)
    }

    /// Time speedup with most threads over half as many, or the next smaller number that was measured.
    pub fn last_doubling(&self) -> Interval {
        let last = self.last();
        let half = self.threads.iter().rposition(|&threads| 2 * threads <= self.threads[last]);
        self.gain(half.unwrap_or(0), last, 1)
    }

    /// Numbers up to which the search may gain.
    pub fn limit(&self) -> Limit {
        let may_be: Vec<usize> = (0..self.threads.len()).filter(|&place| self.may_be_limit(place)).collect();
        if may_be.first().is_none_or(|&first| first == 0) {
            return Limit::default();
        }
        let is_slower = |&place: &usize| {
            may_be.iter().all(|&limit| limit < place && self.gain(limit, place, may_be.len()).high < HARM)
        };
        let threads = |place: usize| self.threads[place];
        let first = may_be[0];
        Limit {
            slower: (0..self.threads.len()).filter(is_slower).map(threads).collect(),
            good_to: may_be.iter().copied().map(threads).collect(),
            gains_well: self.gain(0, first, 1).low > f64::from(self.threads[first]).powf(MUCH),
        }
    }

    fn may_be_limit(&self, place: usize) -> bool {
        let (count, last) = (self.threads.len(), self.last());
        let gains_beyond = (place + 1..count).any(|more| self.gain(place, more, count - place - 1).low > GAIN);
        let gains_little = |&fewer: &usize| {
            let times_as_many = f64::from(self.threads[place]) / f64::from(self.threads[fewer]);
            self.gain(fewer, place, place).high < times_as_many.powf(LITTLE)
        };
        // What less than twice as many threads add is not told from noise.
        let is_far = place == last || 2 * self.threads[place] <= self.threads[last];
        is_far && !gains_beyond && !(0..place).any(|fewer| gains_little(&fewer))
    }

    fn last(&self) -> usize {
        self.threads.len() - 1
    }
}
