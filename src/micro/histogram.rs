//! Things that are counted by their size, beside published counts: their mean size, and the share of each size.

use super::{Figure, Unit};

/// Counts by size.
pub struct Histogram<'a> {
    /// Circumstance in which they were counted.
    pub of: &'a str,
    /// Size of the first count.
    pub smallest: usize,
    /// Counts of ours.
    pub ours: &'a [u64],
    /// Published counts, from the same size on.
    pub published: Option<&'a [u64]>,
    /// Where they were published.
    pub source: &'static str,
}

/// Mean size of things of which these are the counts; not a number if there are none.
pub fn mean(counts: &[u64], smallest: usize) -> f64 {
    let sum: u64 = counts.iter().zip(smallest as u64..).map(|(count, size)| count * size).sum();
    sum as f64 / counts.iter().sum::<u64>() as f64
}

/// Standard deviation of these sizes.
pub fn deviation(counts: &[u64], smallest: usize) -> f64 {
    let mean = mean(counts, smallest);
    let squares = counts.iter().zip(smallest..).map(|(count, size)| *count as f64 * (size as f64 - mean).powi(2));
    (squares.sum::<f64>() / counts.iter().sum::<u64>() as f64).sqrt()
}

impl Histogram<'_> {
    /// Standard deviation of the size.
    pub fn deviation(&self, name: impl Into<String>) -> Figure {
        let deviation = |counts| deviation(counts, self.smallest);
        Figure::new(self.of, name, Unit::Count, deviation(self.ours)).beside(self.published.map(deviation), self.source)
    }

    /// Mean size.
    pub fn mean(&self, name: impl Into<String>) -> Figure {
        let mean = |counts| mean(counts, self.smallest);
        Figure::new(self.of, name, Unit::Count, mean(self.ours)).beside(self.published.map(mean), self.source)
    }

    /// Share of each size that we or others have found.
    pub fn shares<'h>(&'h self, name: impl Fn(usize) -> String + 'h) -> impl Iterator<Item = Figure> + 'h {
        let share = |counts: &[u64], place: usize| {
            let count = *counts.get(place)? as f64;
            Some(count / counts.iter().sum::<u64>().max(1) as f64)
        };
        (0..self.ours.len()).filter_map(move |place| {
            let (ours, theirs) = (share(self.ours, place)?, self.published.and_then(|counts| share(counts, place)));
            let figure = Figure::new(self.of, name(place + self.smallest), Unit::Share, ours);
            (ours > 0.0 || theirs.is_some()).then(|| figure.beside(theirs, self.source))
        })
    }
}
