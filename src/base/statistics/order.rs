//! Quantiles of a sample with distribution-free intervals: between which two of the ordered values the quantile of the
//! population lies.
//!
//! The number of values below the quantile is binomial, whatever the distribution (Thompson, "On Confidence Ranges for
//! the Median and Other Expectation Distributions", 1936). So the interval holds for times of which some are disturbed,
//! which no normal distribution describes.

use super::interval::Interval;
use super::sample::quantile;

/// Quantile of a sample with its interval of this level, each tail at most half of the rest. An end is not a number if
/// the sample is too small to have one. Nothing for an empty sample or a share that is not from 0 to 1.
pub fn quantile_interval(values: &[f64], share: f64, level: f64) -> Option<Interval> {
    let estimate = quantile(values, share)?;
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let tail = (1.0 - level) / 2.0;
    let below = cumulative(sorted.len(), share);
    // Values that lie below the quantile with a probability of at least 1 - tail: one fewer than the first too many.
    let lower = below.iter().take_while(|&&probability| probability <= tail).count();
    let upper = below.iter().take_while(|&&probability| probability < 1.0 - tail).count();
    let low = lower.checked_sub(1).map_or(f64::NAN, |place| sorted[place]);
    let high = sorted.get(upper).copied().unwrap_or(f64::NAN);
    Some(Interval { estimate, low, high })
}

/// Probabilities that at most 0, 1, ... of this number of values lie below the quantile.
fn cumulative(count: usize, share: f64) -> Vec<f64> {
    let (mut sum, mut log_choices) = (0.0, 0.0);
    (0..=count)
        .map(|below| {
            if below > 0 {
                log_choices += ((count - below + 1) as f64 / below as f64).ln();
            }
            let log_power = |base: f64, times: usize| if times == 0 { 0.0 } else { times as f64 * base.ln() };
            sum += (log_choices + log_power(share, below) + log_power(1.0 - share, count - below)).exp();
            sum
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::SplitMix;
    use crate::statistics::LEVEL;
    use crate::statistics::simulated::{assert_misses_five_percent, miss_rate};

    /// Tables of the sign test: of ten values the median lies between the 2nd and the 9th in 97.9 %, of twenty between
    /// the 6th and the 15th in 95.9 %.
    #[test]
    fn the_median_lies_where_the_tables_say() {
        for (count, low, high) in [(10, 2.0, 9.0), (20, 6.0, 15.0), (6, 1.0, 6.0)] {
            let values: Vec<f64> = (1..=count).rev().map(f64::from).collect();
            let interval = quantile_interval(&values, 0.5, LEVEL).unwrap();
            assert_eq!((interval.low, interval.high), (low, high), "{count}");
        }
    }

    #[test]
    fn a_small_sample_has_no_end() {
        let interval = quantile_interval(&[3.0, 1.0, 2.0], 0.25, LEVEL).unwrap();
        assert!(interval.low.is_nan() && interval.estimate == 1.5, "{interval:?}");
        assert_eq!(quantile_interval(&[], 0.5, LEVEL), None);
    }

    /// A quarter of 28 values: binomial, so the true level is above 95 %, but not by much.
    #[test]
    fn it_misses_no_more_than_it_should() {
        let mut random = SplitMix::new(11);
        let quarter = -0.674_489_750_196_08;
        let rate = miss_rate(|| {
            let values: Vec<f64> = (0..400).map(|_| random.normal()).collect();
            let interval = quantile_interval(&values, 0.25, LEVEL)?;
            Some(interval.low <= quarter && quarter <= interval.high)
        });
        assert_misses_five_percent("quartile of 400", rate);
    }
}
