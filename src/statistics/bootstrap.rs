//! Intervals for figures without a formula, such as a ratio of sums: the runs of each position are drawn again and again
//! from those that were made, and the figure is computed from each draw (Efron and Tibshirani, "An Introduction to the
//! Bootstrap", 1993; Davison and Hinkley, "Bootstrap Methods and their Application", 1997, 3.2).
//!
//! The positions are fixed: the interval is for these positions. With few runs the plain percentile interval is too narrow for
//! two reasons, and both are corrected. Runs differ less from their own mean than from the true one: residuals are stretched by
//! `sqrt(n / (n - 1))`. And the noise is known from few runs only: the percentiles are those at which a normal variable is as
//! many deviations out as Student's t would be (Hesterberg, "What Teachers Should Know About the Bootstrap", The American
//! Statistician 69, 2015). Its degrees of freedom are Satterthwaite's, each position weighted by what the figure does when
//! its runs shift by their standard error.

use super::distribution::{normal_probability, student_factor};
use super::interval::Interval;
use super::sample::{mean, quantile};
use crate::random::SplitMix;

/// Draws for an interval that is shown: its ends then vary by 1 to 2 % of its width with the seed.
pub const RESAMPLES: u32 = 2_000;

/// The interval of a figure of two sides, each with runs by position, if these positions were searched again. Nothing if on a
/// side no position has two runs, or the figure is not finite for a draw. It takes `resamples` evaluations and two more for
/// each position and side.
pub fn bootstrap_these_positions(
    upper: &[Vec<f64>],
    lower: &[Vec<f64>],
    statistic: impl Fn(&[Vec<f64>], &[Vec<f64>]) -> f64,
    resamples: u32,
    seed: u64,
    level: f64,
) -> Option<Interval> {
    let sides = [upper.to_vec(), lower.to_vec()];
    bootstrap_sides(&sides, |sides| statistic(&sides[0], &sides[1]), resamples, seed, level)
}

/// The same for any number of sides.
pub fn bootstrap_sides(
    sides: &[Vec<Vec<f64>>],
    statistic: impl Fn(&[Vec<Vec<f64>>]) -> f64,
    resamples: u32,
    seed: u64,
    level: f64,
) -> Option<Interval> {
    let estimate = Some(statistic(sides)).filter(|estimate| estimate.is_finite())?;
    let noise: Vec<Vec<GroupNoise>> = sides.iter().map(|side| noise_of(side)).collect::<Option<_>>()?;
    let freedom = degrees_of_freedom(sides, &noise, &statistic)?;

    let mut random = SplitMix::new(seed);
    let mut drawn = sides.to_vec();
    let mut figures = Vec::new();
    for _ in 0..resamples {
        for (values, noise) in drawn.iter_mut().flatten().zip(noise.iter().flatten()) {
            for value in values {
                *value = noise.mean + noise.residuals[random.below(noise.residuals.len() as u64) as usize];
            }
        }
        figures.push(Some(statistic(&drawn)).filter(|figure| figure.is_finite())?);
    }
    let tail = normal_probability(-student_factor(level, freedom));
    Some(Interval { estimate, low: quantile(&figures, tail)?, high: quantile(&figures, 1.0 - tail)? })
}

/// What the runs of one side and position say of their noise.
struct GroupNoise {
    mean: f64,
    /// What may be added to the mean to make a run; never empty unless there are no runs.
    residuals: Vec<f64>,
    /// The mean is known so well.
    standard_error: f64,
    freedom: f64,
}

/// The noise of each position of a side. A single run has that of all others of the side. Nothing if there are no others.
fn noise_of(side: &[Vec<f64>]) -> Option<Vec<GroupNoise>> {
    let residuals = |group: &Vec<f64>| -> Vec<f64> {
        let (count, centre) = (group.len() as f64, mean(group).unwrap_or_default());
        let stretch = (count / (count - 1.0)).sqrt();
        group.iter().map(|value| (value - centre) * stretch).collect()
    };
    let several = || side.iter().filter(|group| group.len() > 1);
    let pooled: Vec<f64> = several().flat_map(residuals).collect();
    let pooled_freedom: f64 = several().map(|group| group.len() as f64 - 1.0).sum();
    let of_group = |group: &Vec<f64>| {
        let (residuals, freedom) = match group.len() {
            0 => (Vec::new(), 0.0),
            1 => (pooled.clone(), pooled_freedom),
            count => (residuals(group), count as f64 - 1.0),
        };
        let mean_square = residuals.iter().map(|x| x * x).sum::<f64>() / residuals.len().max(1) as f64;
        let standard_error = (mean_square / group.len().max(1) as f64).sqrt();
        GroupNoise { mean: mean(group).unwrap_or_default(), residuals, standard_error, freedom }
    };
    (pooled_freedom > 0.0).then(|| side.iter().map(of_group).collect())
}

/// Satterthwaite's degrees of freedom of a figure, whose slopes are found by shifting the runs of one position and side at a
/// time.
fn degrees_of_freedom(
    sides: &[Vec<Vec<f64>>],
    noise: &[Vec<GroupNoise>],
    statistic: impl Fn(&[Vec<Vec<f64>>]) -> f64,
) -> Option<f64> {
    let (mut variance, mut squares) = (0.0, 0.0);
    let mut shifted = sides.to_vec();
    for (i, side) in noise.iter().enumerate() {
        for (j, noise) in side.iter().enumerate().filter(|(_, noise)| noise.standard_error > 0.0) {
            let mut at = |shift: f64| {
                for (to, from) in shifted[i][j].iter_mut().zip(&sides[i][j]) {
                    *to = from + shift;
                }
                statistic(&shifted)
            };
            let part = ((at(noise.standard_error) - at(-noise.standard_error)) / 2.0).powi(2);
            at(0.0);
            variance += part;
            squares += part * part / noise.freedom;
        }
    }
    let freedom = if squares > 0.0 { variance * variance / squares } else { f64::INFINITY };
    Some(freedom).filter(|freedom| !freedom.is_nan())
}

#[cfg(test)]
mod tests {
    use super::super::simulated::{Random, assert_misses_five_percent, miss_rate};
    use super::super::{Contrast, LEVEL, mean_of_means};
    use super::*;

    /// The ratio of the sums of times, from their logarithms.
    fn ratio_of_sums(upper: &[Vec<f64>], lower: &[Vec<f64>]) -> f64 {
        let sum = |side: &[Vec<f64>]| side.iter().filter_map(|group| mean(group)).map(f64::exp).sum::<f64>();
        sum(upper) / sum(lower)
    }

    #[test]
    fn intervals_miss_in_five_of_a_hundred() {
        let mut random = Random::new(21);
        for (positions, runs, baselines, deviation) in [(10, 3, 8, 0.2), (10, 2, 4, 0.1), (1, 4, 8, 0.1)] {
            let times: Vec<f64> = (0..positions).map(|_| random.normal()).collect();
            let truth = f64::exp(0.5);
            let mut seed = 0;
            let rate = miss_rate(|| {
                let mut side = |more: f64, runs: usize| -> Vec<Vec<f64>> {
                    let mut runs = |mean: f64| (0..runs).map(|_| mean + deviation * random.normal()).collect();
                    times.iter().map(|time| runs(time + more)).collect()
                };
                let (upper, lower) = (side(0.5, runs), side(0.0, baselines));
                seed += 1;
                let interval = bootstrap_these_positions(&upper, &lower, ratio_of_sums, 400, seed, LEVEL)?;
                Some((interval.low..=interval.high).contains(&truth))
            });
            assert_misses_five_percent(&format!("{positions} positions, {runs} runs, {baselines} baselines"), rate);
        }
    }

    /// Where there is a formula, the bootstrap comes to the same interval, single runs included.
    #[test]
    fn of_a_mean_it_is_the_interval_of_the_contrast() {
        let mut random = Random::new(22);
        let mut side = |counts: &[usize]| -> Vec<Vec<f64>> {
            counts.iter().map(|&count| (0..count).map(|_| random.normal()).collect()).collect()
        };
        let (upper, lower) = (side(&[6, 5, 1, 6, 4]), side(&[8, 8, 8, 1, 7]));
        let difference = |upper: &[Vec<f64>], lower: &[Vec<f64>]| {
            mean_of_means(upper).unwrap_or(f64::NAN) - mean_of_means(lower).unwrap_or(f64::NAN)
        };
        let found = bootstrap_these_positions(&upper, &lower, difference, 20_000, 1, LEVEL).unwrap();
        let expected = Contrast::unpaired(&upper, &lower).unwrap().these_positions(LEVEL).unwrap();
        assert!((found.estimate - expected.estimate).abs() < 1e-12);
        let width = expected.high - expected.low;
        assert!((found.low - expected.low).abs() < 0.05 * width, "{found:?} {expected:?}");
        assert!((found.high - expected.high).abs() < 0.05 * width, "{found:?} {expected:?}");
    }

    #[test]
    fn what_is_not_known_is_nothing() {
        let (singles, several) = ([vec![1.0], vec![2.0]], [vec![1.0, 2.0], vec![2.0, 4.0]]);
        let interval = |upper: &[Vec<f64>], lower: &[Vec<f64>]| {
            bootstrap_these_positions(upper, lower, ratio_of_sums, 50, 0, LEVEL)
        };
        assert_eq!(interval(&singles, &several), None);
        assert_eq!(interval(&several, &[]), None);
        assert_eq!(bootstrap_these_positions(&several, &several, |_, _| f64::NAN, 50, 0, LEVEL), None);
        let constant = [vec![1.0; 3], vec![2.0; 2]];
        assert_eq!(interval(&constant, &constant), Some(Interval { estimate: 1.0, low: 1.0, high: 1.0 }));
        assert_eq!(interval(&several, &several), interval(&several, &several), "the seed decides");
    }
}
