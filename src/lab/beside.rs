//! Searches beside the same ones on one processor, with one seed after the other, and how many times as fast they are.

use serde::Serialize;

use super::laboratory::{Laboratory, Measurement};
use super::measure_error::MeasureError;
use crate::engine::Options;
use crate::record::{Cell, OVERSUBSCRIBED, Quietness};
use crate::statistics::{Contrast, Interval, Scope, mean};

/// Time and nodes of a search.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Taken {
    /// Time in seconds of the machine.
    pub time_s: f64,
    /// Number of nodes.
    pub nodes: u64,
    /// Quietness of the computer meanwhile.
    pub quietness: Quietness,
    /// Share of the processor time wanted that was taken away, where it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub taken_share: Option<f64>,
    /// Whether there were more threads than processors.
    #[serde(skip)]
    pub is_oversubscribed: bool,
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
    /// A search of a second and one node on a quiet computer, for tests.
    pub fn sample() -> Self {
        Self { time_s: 1.0, nodes: 1, quietness: Quietness::Quiet, taken_share: Some(0.0), is_oversubscribed: false }
    }

    fn by(Measurement { measured, surroundings, .. }: &Measurement) -> Self {
        let around = surroundings.as_ref();
        Self {
            time_s: measured.time_ns as f64 / 1e9,
            nodes: measured.nodes,
            // Nothing can disturb a virtual machine, around which nothing is watched.
            quietness: around.map_or(Quietness::Quiet, |around| around.state),
            taken_share: around.and_then(|around| around.taken_share),
            is_oversubscribed: around
                .is_some_and(|around| around.disturbed.iter().any(|reason| reason == OVERSUBSCRIBED)),
        }
    }
}

/// Searches of a cell, which has been measured with its own seed, with this number of seeds beside those of one thread.
///
/// # Errors
/// If a search does not come to its end.
pub fn pairs(
    laboratory: &Laboratory,
    cell: &Cell,
    measurement: &Measurement,
    seeds: u64,
) -> Result<Vec<Pair>, MeasureError> {
    let take = |cell: &Cell| Ok::<_, MeasureError>(Taken::by(&laboratory.measure(cell, Options::default())?));
    let pair = |i: u64| {
        let several = Cell { seed: cell.seed.wrapping_add(i), ..cell.clone() };
        let one = Cell { configuration: several.configuration.baseline().into(), ..several.clone() };
        let all_threads = if i == 0 { Taken::by(measurement) } else { take(&several)? };
        Ok(Pair { seed: several.seed, all_threads, one_thread: take(&one)? })
    };
    (0..seeds).map(pair).collect()
}

/// Time of one thread divided by that of all, as a geometric mean over positions, each with its pairs. Nothing if there
/// are no pairs.
pub fn speedup(positions: &[&[Pair]]) -> Option<Interval> {
    let side =
        |side: fn(&Pair) -> Taken| -> Vec<Vec<f64>> { positions.iter().map(|pairs| logs(pairs, side)).collect() };
    let contrast = Contrast::unpaired(&side(|pair| pair.one_thread), &side(|pair| pair.all_threads))?;
    Some(contrast.estimated(Scope::ThesePositions).exp())
}

/// Geometric mean of the times of one side over positions, in seconds.
pub fn mean_time_s(positions: &[&[Pair]], side: fn(&Pair) -> Taken) -> f64 {
    let means: Vec<f64> = positions.iter().filter_map(|pairs| mean(&logs(pairs, side))).collect();
    mean(&means).map_or(0.0, f64::exp)
}

/// Logarithms of the times.
fn logs(pairs: &[Pair], side: fn(&Pair) -> Taken) -> Vec<f64> {
    pairs.iter().map(|pair| side(pair).time_s.max(1e-9).ln()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_divided_as_geometric_means() {
        let taken = |time_s| Taken { time_s, ..Taken::sample() };
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
