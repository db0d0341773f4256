//! Positions that do not belong with the others. A position is an outlier if its difference lies farther from those of
//! the others than their spread explains, by the test of Grubbs ("Procedures for Detecting Outlying Observations in
//! Samples", Technometrics 11, 1969), and farther than the noise of its own runs explains, by Student's t. Either alone
//! says too much: noise that differs between positions looks like spread with outliers, and a spread of many positions
//! is no noise.
//!
//! Both are corrected for the number of positions and of groups that are looked at, so that of a report without any
//! outlier at most 5 % name one. (A fixed limit of 3.5 for the modified z-score named some position in 13 to 21 %.)

use super::distribution::student_two_sided;
use super::interval::LEVEL;
use super::sample::{mean, satterthwaite, squares_about};

/// Number of positions below which none can be told from the others.
const FEWEST: usize = 4;

/// Difference of a position, with the variance of the noise in it and its degrees of freedom, where they are known.
struct Position {
    place: usize,
    difference: f64,
    noise: Option<(f64, f64)>,
}

/// Places of outliers among the positions of two sides, which hold the logarithms of runs by position. `groups` is the
/// number of such pairs of sides that a report looks at.
pub fn outliers(upper: &[Vec<f64>], lower: &[Vec<f64>], groups: usize) -> Vec<usize> {
    let position = |(place, (upper, lower)): (usize, (&Vec<f64>, &Vec<f64>))| {
        let noise = noise(upper).zip(noise(lower)).map(|(a, b)| satterthwaite([a, b]));
        Some(Position { place, difference: mean(upper)? - mean(lower)?, noise })
    };
    let positions: Vec<Position> = upper.iter().zip(lower).enumerate().filter_map(position).collect();
    if positions.len() < FEWEST {
        return Vec::new();
    }
    let least_p = (1.0 - LEVEL) / (positions.len() * groups.max(1)) as f64;
    let is_outlier = |one: &&Position| is_outlier(one, &positions, least_p);
    positions.iter().filter(is_outlier).map(|one| one.place).collect()
}

fn is_outlier(one: &Position, all: &[Position], least_p: f64) -> bool {
    let others: Vec<f64> = all.iter().filter(|other| other.place != one.place).map(|other| other.difference).collect();
    let Some(centre) = mean(&others) else { return false };
    let (count, freedom) = (others.len() as f64, others.len() as f64 - 1.0);
    let variance = squares_about(&others, centre) / freedom;
    // Grubbs's ratio is a function of this t, which compares a value with those of the others.
    let of_spread = (variance * (1.0 + 1.0 / count), freedom);
    let of_noise = one.noise.map(|noise| satterthwaite([noise, (variance / count, freedom)]));
    let is_beyond = |(variance, freedom): (f64, f64)| {
        let distance = (one.difference - centre).abs();
        distance > 0.0 && student_two_sided(distance / variance.sqrt(), freedom) < least_p
    };
    is_beyond(of_spread) && of_noise.is_none_or(is_beyond)
}

/// Variance of the mean of runs, with its degrees of freedom.
fn noise(runs: &[f64]) -> Option<(f64, f64)> {
    let freedom = runs.len() as f64 - 1.0;
    (freedom > 0.0).then_some((squares_about(runs, mean(runs)?) / freedom / runs.len() as f64, freedom))
}

#[cfg(test)]
mod tests {
    use super::super::simulated::EXPERIMENTS;
    use super::*;
    use crate::random::SplitMix;

    /// Runs and baselines at positions whose noise differs by a standard deviation of `uneven` in its logarithm, and
    /// whose truth differs by `spread`; the last is off by so many standard deviations of the noise.
    fn sides(
        random: &mut SplitMix,
        positions: usize,
        runs: usize,
        uneven: f64,
        spread: f64,
        off: f64,
    ) -> [Vec<Vec<f64>>; 2] {
        let mut sides = [Vec::new(), Vec::new()];
        for position in 0..positions {
            let deviation = 0.2 * (uneven * random.normal()).exp();
            let truth = spread * random.normal() + if position + 1 == positions { off * deviation } else { 0.0 };
            sides[0].push((0..runs).map(|_| truth + deviation * random.normal()).collect());
            sides[1].push((0..runs).map(|_| deviation * random.normal()).collect());
        }
        sides
    }

    #[test]
    fn few_clean_experiments_have_an_outlier() {
        let mut random = SplitMix::new(5);
        for (positions, runs, uneven, spread, groups) in [
            (10, 4, 0.0, 0.0, 1),
            (10, 4, 0.7, 0.0, 1),
            (24, 4, 0.7, 0.0, 3),
            (40, 2, 0.7, 0.0, 1),
            (10, 4, 0.0, 0.3, 1),
            (24, 4, 0.7, 0.3, 2),
            (10, 1, 0.0, 0.3, 4),
        ] {
            let mut is_flagged = |off: f64| {
                (0..groups).any(|_| {
                    let [upper, lower] = sides(&mut random, positions, runs, uneven, spread, off);
                    !outliers(&upper, &lower, groups).is_empty()
                })
            };
            let flagged = (0..EXPERIMENTS).filter(|_| is_flagged(0.0)).count();
            let what = format!("{positions} positions, {runs} runs, {uneven}, {spread}, {groups} groups");
            println!("{what}: {:.1} % flagged", 100.0 * flagged as f64 / f64::from(EXPERIMENTS));
            // 5 %, and what chance adds in a thousand experiments.
            assert!(flagged <= 64, "{what}: {flagged}");
        }
    }

    #[test]
    fn what_lies_far_off_is_found() {
        let mut random = SplitMix::new(6);
        let is_found = |_: &u32| {
            let [upper, lower] = sides(&mut random, 10, 4, 0.3, 0.05, 8.0);
            outliers(&upper, &lower, 1).contains(&9)
        };
        let found = (0..200).filter(is_found).count();
        assert!(found > 150, "{found} of 200");
    }

    #[test]
    fn equal_values_and_few_positions_have_none() {
        let flat = vec![vec![1.0, 1.0]; 10];
        assert!(outliers(&flat, &flat, 1).is_empty());
        let far = [vec![1.0, 1.1], vec![1.0, 1.1], vec![9.0, 9.1]];
        assert!(outliers(&far, &far.clone().map(|_| vec![0.0, 0.1]), 1).is_empty());
    }
}
