//! Measuring by turns: everything that is compared does a batch of its work in each round, in random order. A round
//! takes milliseconds, so that a disturbance that lasts longer falls on all of them.
//!
//! The time of a thing is the lower quartile of its batches: on a computer that others use too, most of what makes a
//! batch longer is theirs. A ratio is the median over rounds of the ratio within a round; where that is not the ratio
//! of the two times, since most rounds were disturbed, it is the ratio of the times. The intervals are those of
//! quantiles, and hold whatever the distribution.

use std::time::{Duration, Instant};

use crate::random::SplitMix;
use crate::statistics::{Interval, LEVEL, quantile_interval};

/// Quantile of the batches that is taken for the time of a quiet computer.
const QUIET: f64 = 0.25;
/// Number of rounds for which there is time enough if the work is short.
const ROUNDS: u32 = 40;
/// Least number of rounds: enough for the interval of the quartile to have both ends.
const FEWEST_ROUNDS: u32 = 16;
/// Largest number of rounds, where batches cannot be made longer.
const MOST_ROUNDS: u32 = 100;
/// Share by which the median of the ratios and the ratio of the times may differ, for the first to be believed.
const MOST_APART: f64 = 0.1;
/// Shortest batch: reading the clock takes a thousandth of it.
const SHORTEST_BATCH: Duration = Duration::from_micros(50);

/// Batch of work that has been done.
#[derive(Clone, Copy, Debug)]
pub struct Batch {
    /// Number of operations.
    pub operations: u64,
    /// Nanoseconds that all of them took.
    pub nanoseconds: f64,
}

/// One of the things that are compared.
pub enum Entry<'a> {
    /// Pass over the work, repeated until a batch is long enough. Returns its number of operations.
    Pass(Box<dyn FnMut() -> u64 + 'a>),
    /// Batch that times itself, because it begins with something that does not count.
    Batch(Box<dyn FnMut() -> Batch + 'a>),
}

impl<'a> Entry<'a> {
    /// Work that is timed from outside, as often as makes a batch. A pass returns its number of operations.
    pub fn new(pass: impl FnMut() -> u64 + 'a) -> Self {
        Self::Pass(Box::new(pass))
    }

    /// Work that times itself.
    pub fn self_timed(batch: impl FnMut() -> Batch + 'a) -> Self {
        Self::Batch(Box::new(batch))
    }

    fn batch(&mut self, passes: u64) -> Batch {
        match self {
            Self::Pass(pass) => timed(|| (0..passes).map(|_| pass()).sum()),
            Self::Batch(batch) => batch(),
        }
    }

    /// Number of passes that take this time, and the time that they take.
    fn passes_of(&mut self, batch: Duration) -> (u64, Duration) {
        let mut passes = 1;
        loop {
            let start = Instant::now();
            self.batch(passes);
            let time = start.elapsed();
            if matches!(self, Self::Batch(_)) || time >= batch {
                return (passes, time);
            }
            let missing = batch.as_secs_f64() / time.as_secs_f64().max(1e-9);
            passes = (passes as f64 * missing.clamp(1.2, 10.0)).ceil() as u64;
        }
    }
}

/// Work that returns its number of operations, with its time.
pub fn timed(work: impl FnOnce() -> u64) -> Batch {
    let start = Instant::now();
    let operations = work();
    Batch { operations, nanoseconds: start.elapsed().as_nanos() as f64 }
}

/// Nanoseconds of an operation by entry and round.
#[derive(Clone, Debug)]
pub struct Rounds {
    times: Vec<Vec<f64>>,
    /// Quantile of the batches that is taken for the time.
    share: f64,
}

/// Lets all entries take turns for about `time` each.
pub fn take_turns(entries: &mut [Entry<'_>], time: Duration, seed: u64) -> Rounds {
    let shortest = (time / ROUNDS).max(SHORTEST_BATCH);
    let sized: Vec<(u64, Duration)> = entries.iter_mut().map(|entry| entry.passes_of(shortest)).collect();
    let round: Duration = sized.iter().map(|(_, time)| *time).sum();
    let budget = time.as_secs_f64() * entries.len() as f64;
    let rounds = (budget / round.as_secs_f64().max(1e-9)) as u32;
    let rounds = rounds.clamp(FEWEST_ROUNDS, ROUNDS);
    let mut order: Vec<usize> = (0..entries.len()).collect();
    let mut times = vec![Vec::with_capacity(rounds as usize); entries.len()];
    let mut random = SplitMix::new(seed);
    for _ in 0..rounds {
        random.shuffle(&mut order);
        for &entry in &order {
            let batch = entries[entry].batch(sized[entry].0);
            times[entry].push(batch.nanoseconds / batch.operations.max(1) as f64);
        }
    }
    Rounds { times, share: QUIET }
}

/// Number of rounds that fit the time for each entry, if a batch is of the shortest kind.
pub fn rounds_for(time: Duration) -> u32 {
    ((time.as_secs_f64() / SHORTEST_BATCH.as_secs_f64()) as u32).clamp(FEWEST_ROUNDS, MOST_ROUNDS)
}

impl Rounds {
    /// Nanoseconds of an operation by entry and round, measured between threads. The time of such a thing is the
    /// median: a disturbance may make it shorter too, when what one thread has written leaves its cache before the
    /// other comes.
    pub fn between_threads(times: Vec<Vec<f64>>) -> Self {
        Self { times, share: 0.5 }
    }

    /// Nanoseconds of an operation of this entry.
    pub fn time(&self, entry: usize) -> Interval {
        interval(&self.times[entry], self.share, LEVEL)
    }

    /// Ratio of the time of one entry to that of another.
    pub fn ratio(&self, upper: usize, lower: usize) -> Interval {
        self.ratio_at(upper, lower, LEVEL)
    }

    /// Ratio of the time of one entry to that of another, with an interval of this level.
    pub fn ratio_at(&self, upper: usize, lower: usize, level: f64) -> Interval {
        let ratios: Vec<f64> = self.times[upper].iter().zip(&self.times[lower]).map(|(up, low)| up / low).collect();
        let within = interval(&ratios, 0.5, level);
        // Each end of both times holds with a probability that leaves the level to the ratio.
        let [up, low] = [upper, lower].map(|entry| interval(&self.times[entry], self.share, (1.0 + level) / 2.0));
        let of_times =
            Interval { estimate: up.estimate / low.estimate, low: up.low / low.high, high: up.high / low.low };
        let apart = (within.estimate / of_times.estimate).ln().abs();
        if apart > MOST_APART.ln_1p() { of_times } else { within }
    }
}

fn interval(values: &[f64], share: f64, level: f64) -> Interval {
    quantile_interval(values, share, level).unwrap_or(Interval::unknown(f64::NAN))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratios_are_formed_within_rounds() {
        // A disturbance that makes both ten times as long in half of the rounds does not change the ratio.
        let times = |factor: f64| (0..20).map(|round| factor * if round % 2 == 0 { 1.0 } else { 10.0 }).collect();
        let rounds = Rounds { times: vec![times(3.0), times(2.0)], share: QUIET };
        assert_eq!(rounds.ratio(0, 1), Interval { estimate: 1.5, low: 1.5, high: 1.5 });
        assert_eq!(rounds.time(0).estimate, 3.0);
        let times = (0..40).map(|round| 1.0 + f64::from(round) / 400.0).collect();
        let rising = Rounds { times: vec![times, vec![1.0; 40]], share: QUIET };
        let [narrow, wide] = [LEVEL, 0.995].map(|level| rising.ratio_at(0, 1, level));
        assert!(narrow.high < wide.high && narrow.low > wide.low, "{narrow:?} {wide:?}");
    }

    /// Two of three rounds were disturbed in the middle: the one that is three times as long as the other stands beside
    /// ratios of 30.
    #[test]
    fn a_ratio_that_is_not_that_of_its_times_is_that_of_the_times() {
        let upper = (0..30).map(|round| if round % 3 == 0 { 12.0 } else { 120.0 }).collect();
        let rounds = Rounds { times: vec![upper, vec![4.0; 30]], share: QUIET };
        let ratio = rounds.ratio(0, 1);
        assert_eq!(ratio.estimate, rounds.time(0).estimate / rounds.time(1).estimate);
        assert!(ratio.estimate == 3.0 && ratio.low <= 3.0 && ratio.high >= 30.0, "{ratio:?}");
    }

    #[test]
    fn every_entry_has_a_turn_in_every_round() {
        let mut counts = [0_u64; 2];
        let [first, second] = &mut counts;
        let mut entries = [
            Entry::new(|| {
                *first += 1;
                std::hint::black_box(7)
            }),
            Entry::self_timed(|| {
                *second += 1;
                Batch { operations: 4, nanoseconds: 100.0 }
            }),
        ];
        let rounds = take_turns(&mut entries, Duration::from_millis(4), 1);
        drop(entries);
        assert!(rounds.times.iter().all(|times| times.len() >= FEWEST_ROUNDS as usize));
        assert_eq!(rounds.times[0].len(), rounds.times[1].len());
        assert_eq!(counts[1], rounds.times[1].len() as u64 + 1, "one batch for sizing");
        assert_eq!(rounds.time(1), Interval { estimate: 25.0, low: 25.0, high: 25.0 });
    }
}
