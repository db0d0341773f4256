//! Searches beside the same ones on one processor, with one seed after the other, and how many times as fast they are.

use serde::Serialize;

use super::laboratory::Laboratory;
use super::measure_error::MeasureError;
use crate::engine::Options;
use crate::record::{Cell, Measured};
use crate::statistics::{Contrast, Interval, Scope, mean};

/// Time and nodes of a search.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Taken {
    /// Time in seconds of the machine.
    pub time_s: f64,
    /// Number of nodes.
    pub nodes: u64,
}

/// Searches of one position with the same seed.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Pair {
    /// The seed.
    pub seed: u64,
    /// The search on all threads.
    pub all_threads: Taken,
    /// The search on one thread.
    pub one_thread: Taken,
}

impl Taken {
    fn by(measured: &Measured) -> Self {
        Self { time_s: measured.time_ns as f64 / 1e9, nodes: measured.nodes }
    }
}

/// Searches of a cell, which has been measured with its own seed, with this number of seeds beside those of one thread.
///
/// # Errors
/// If a search does not come to its end.
pub fn pairs(laboratory: &Laboratory, cell: &Cell, measured: &Measured, seeds: u64) -> Result<Vec<Pair>, MeasureError> {
    let take = |cell: &Cell| Ok::<_, MeasureError>(Taken::by(&laboratory.measure(cell, Options::default())?.measured));
    let pair = |i: u64| {
        let several = Cell { seed: cell.seed.wrapping_add(i), ..cell.clone() };
        let one = Cell { configuration: several.configuration.baseline().into(), ..several.clone() };
        let all_threads = if i == 0 { Taken::by(measured) } else { take(&several)? };
        Ok(Pair { seed: several.seed, all_threads, one_thread: take(&one)? })
    };
    (0..seeds).map(pair).collect()
}

/// Time of one thread divided by that of all, as a geometric mean over positions, each with its pairs. Nothing if there
/// are no pairs.
pub fn speedup(positions: &[&[Pair]]) -> Option<Interval> {
    let side = |of: fn(&Pair) -> Taken| -> Vec<Vec<f64>> { positions.iter().map(|pairs| logs(pairs, of)).collect() };
    let contrast = Contrast::unpaired(&side(|pair| pair.one_thread), &side(|pair| pair.all_threads))?;
    Some(contrast.estimated(Scope::ThesePositions).exp())
}

/// Geometric mean of the times of one side over positions, in seconds.
pub fn mean_time_s(positions: &[&[Pair]], of: fn(&Pair) -> Taken) -> f64 {
    let means: Vec<f64> = positions.iter().filter_map(|pairs| mean(&logs(pairs, of))).collect();
    mean(&means).map_or(0.0, f64::exp)
}

/// Logarithms of the times.
fn logs(pairs: &[Pair], of: fn(&Pair) -> Taken) -> Vec<f64> {
    pairs.iter().map(|pair| of(pair).time_s.max(1e-9).ln()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_divided_as_geometric_means() {
        let taken = |time_s| Taken { time_s, nodes: 1 };
        let pair = |one, all| Pair { seed: 0, all_threads: taken(all), one_thread: taken(one) };
        let (first, second) = ([pair(8.0, 4.0)], [pair(16.0, 2.0)]);
        let both = [&first[..], &second];
        let speedup = speedup(&both).unwrap();
        assert!((speedup.estimate - 4.0).abs() < 1e-9 && !speedup.is_known(), "one seed has no interval: {speedup:?}");
        assert!((mean_time_s(&both, |pair| pair.all_threads) - 8.0_f64.sqrt()).abs() < 1e-9);
        assert!((mean_time_s(&[], |pair| pair.one_thread)).abs() < 1e-9);
        assert_eq!(super::speedup(&[]), None);
    }
}
