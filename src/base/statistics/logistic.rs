//! Logistic regression of scores between 0 and 1, with the covariance of clusters: observations of a cluster, such as
//! the two games of an opening, depend on one another. Nothing is assumed of their distribution but their mean.

use super::distribution::student_factor;
use super::interval::{Interval, LEVEL};

/// An observation.
#[derive(Clone, Debug, PartialEq)]
pub struct Observation {
    /// Values of the predictors.
    pub x: Vec<f64>,
    /// Score, from 0 to 1.
    pub score: f64,
    /// Number of its cluster.
    pub cluster: usize,
}

/// A fitted model: the logarithm of the odds is the product of coefficients and place.
#[derive(Clone, Debug, PartialEq)]
pub struct Logistic {
    /// Coefficients.
    pub coefficients: Vec<f64>,
    /// Their covariance.
    covariance: Vec<Vec<f64>>,
    /// Number of clusters less that of coefficients.
    freedom: f64,
}

/// Steps of Newton's method after which a fit is given up.
const MOST_STEPS: usize = 100;
/// Largest change of a coefficient in the last step.
const ACCURACY: f64 = 1e-10;
/// Pivots below this are those of matrices that have no inverse.
const SMALLEST_PIVOT: f64 = 1e-12;
/// Coefficients beyond this are those of scores that are all 0 or all 1: nothing is known of them.
const LARGEST: f64 = 30.0;

impl Logistic {
    /// The fit; nothing if there is none, as for scores that are all the same, or too few clusters.
    pub fn fit(observations: &[Observation]) -> Option<Self> {
        let number = observations.first()?.x.len();
        let mut coefficients = vec![0.0; number];
        let mut bread = Vec::new();
        for step in 0.. {
            if step == MOST_STEPS {
                return None;
            }
            let mut gradient = vec![0.0; number];
            let mut information = vec![vec![0.0; number]; number];
            for one in observations {
                let expected = expected(&coefficients, &one.x);
                let (residual, weight) = (one.score - expected, expected * (1.0 - expected));
                gradient.iter_mut().zip(&one.x).for_each(|(sum, x)| *sum += x * residual);
                add_square(&mut information, &one.x, weight);
            }
            bread = inverse(&information)?;
            let change = product(&bread, &gradient);
            coefficients.iter_mut().zip(&change).for_each(|(coefficient, change)| *coefficient += change);
            if coefficients.iter().any(|coefficient| coefficient.is_nan() || coefficient.abs() > LARGEST) {
                return None;
            }
            if change.iter().all(|change| change.abs() < ACCURACY) {
                break;
            }
        }
        let clusters = observations.iter().map(|one| one.cluster).max()? + 1;
        let mut sums = vec![vec![0.0; number]; clusters];
        for one in observations {
            let residual = one.score - expected(&coefficients, &one.x);
            sums[one.cluster].iter_mut().zip(&one.x).for_each(|(sum, x)| *sum += x * residual);
        }
        let present: std::collections::HashSet<usize> = observations.iter().map(|one| one.cluster).collect();
        let freedom = present.len() as f64 - number as f64;
        if freedom < 1.0 {
            return None;
        }
        let mut meat = vec![vec![0.0; number]; number];
        sums.iter().for_each(|sum| add_square(&mut meat, sum, 1.0));
        // Residuals are smaller than errors by what the fit has taken.
        let scale = present.len() as f64 / freedom;
        let mut covariance = matrix_product(&matrix_product(&bread, &meat), &bread);
        covariance.iter_mut().flatten().for_each(|value| *value *= scale);
        Some(Self { coefficients, covariance, freedom })
    }

    /// Expected score at a place.
    pub fn expected(&self, x: &[f64]) -> f64 {
        expected(&self.coefficients, x)
    }

    /// A sum of coefficients with these weights, with its interval.
    pub fn sum(&self, weights: &[f64]) -> Interval {
        let estimate = weights.iter().zip(&self.coefficients).map(|(weight, coefficient)| weight * coefficient).sum();
        let spread = product(&self.covariance, weights);
        let variance: f64 = weights.iter().zip(&spread).map(|(weight, spread)| weight * spread).sum();
        Interval::around(estimate, student_factor(LEVEL, self.freedom) * variance.max(0.0).sqrt())
    }

    /// Place at which the score is one half, on a line of two coefficients of which the first belongs to a constant.
    /// The interval holds all places at which one half is not refuted (Fieller); where the slope may be nothing its
    /// ends are infinite.
    pub fn even(&self) -> Interval {
        self.even_at(LEVEL)
    }

    /// That place with an interval of this level.
    pub fn even_at(&self, level: f64) -> Interval {
        let [constant, slope] = [self.coefficients[0], self.coefficients[1]];
        let square = student_factor(level, self.freedom).powi(2);
        let [[of_constant, of_both], [_, of_slope]] = [0, 1].map(|i| [0, 1].map(|j| self.covariance[i][j]));
        // All x with (constant + slope x)^2 <= square (of_constant + 2 of_both x + of_slope x^2).
        let (a, half_b, c) = (
            slope.powi(2) - square * of_slope,
            constant * slope - square * of_both,
            constant.powi(2) - square * of_constant,
        );
        let estimate = -constant / slope;
        let under_root = half_b.powi(2) - a * c;
        if a <= 0.0 || under_root < 0.0 {
            return Interval { estimate, low: f64::NEG_INFINITY, high: f64::INFINITY };
        }
        Interval { estimate, low: (-half_b - under_root.sqrt()) / a, high: (-half_b + under_root.sqrt()) / a }
    }
}

fn expected(coefficients: &[f64], x: &[f64]) -> f64 {
    let odds: f64 = coefficients.iter().zip(x).map(|(coefficient, x)| coefficient * x).sum();
    1.0 / (1.0 + (-odds).exp())
}

/// Adds the product of a vector with itself, weighted, to a matrix.
fn add_square(matrix: &mut [Vec<f64>], vector: &[f64], weight: f64) {
    for (row, one) in matrix.iter_mut().zip(vector) {
        row.iter_mut().zip(vector).for_each(|(sum, other)| *sum += weight * one * other);
    }
}

fn product(matrix: &[Vec<f64>], vector: &[f64]) -> Vec<f64> {
    matrix.iter().map(|row| row.iter().zip(vector).map(|(a, b)| a * b).sum()).collect()
}

/// Product of square matrices.
fn matrix_product(left: &[Vec<f64>], right: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let entry = |row: &[f64], column: usize| row.iter().zip(right).map(|(value, of)| value * of[column]).sum();
    left.iter().map(|row| (0..right.len()).map(|column| entry(row, column)).collect()).collect()
}

/// Inverse of a symmetric matrix that is positive definite; nothing if it is not, by far.
fn inverse(matrix: &[Vec<f64>]) -> Option<Vec<Vec<f64>>> {
    let number = matrix.len();
    let mut left = matrix.to_vec();
    let mut right: Vec<Vec<f64>> =
        (0..number).map(|i| (0..number).map(|j| f64::from(u8::from(i == j))).collect()).collect();
    for at in 0..number {
        let pivot = (at..number).max_by(|a, b| left[*a][at].abs().total_cmp(&left[*b][at].abs()))?;
        left.swap(at, pivot);
        right.swap(at, pivot);
        let divisor = left[at][at];
        if divisor.is_nan() || divisor.abs() < SMALLEST_PIVOT {
            return None;
        }
        for value in left[at].iter_mut().chain(&mut right[at]) {
            *value /= divisor;
        }
        let (pivot_left, pivot_right) = (left[at].clone(), right[at].clone());
        for row in (0..number).filter(|row| *row != at) {
            let factor = left[row][at];
            left[row].iter_mut().zip(&pivot_left).for_each(|(value, pivot)| *value -= factor * pivot);
            right[row].iter_mut().zip(&pivot_right).for_each(|(value, pivot)| *value -= factor * pivot);
        }
    }
    Some(right)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::SplitMix;
    use crate::statistics::simulated::miss_rate;

    fn close(found: f64, expected: f64) {
        assert!((found - expected).abs() < 1e-6, "{found} is not {expected}");
    }

    /// Example worked by hand. The coefficient of a constant alone is the logarithm of the odds, and its variance, with
    /// clusters of one, that of the mean score divided by the square of its slope: scores 0, 1, 1, 1 have the mean 3/4,
    /// the logarithm of 3, squared residuals 9/16 + 3/16 = 3/4; over (4 * 3/16)^2 = 9/16 that is 4/3, and with 4/3 for
    /// the freedom 16/9.
    #[test]
    fn a_constant_worked_by_hand() {
        let one = |(cluster, score): (usize, f64)| Observation { x: vec![1.0], score, cluster };
        let fit = Logistic::fit(&[0.0, 1.0, 1.0, 1.0].into_iter().enumerate().map(one).collect::<Vec<_>>()).unwrap();
        let found = fit.sum(&[1.0]);
        close(found.estimate, 3.0_f64.ln());
        close(found.high - found.estimate, student_factor(LEVEL, 3.0) * 4.0 / 3.0);
    }

    #[test]
    fn where_nothing_is_known_there_is_no_fit() {
        let one = |score: f64, cluster: usize| Observation { x: vec![1.0], score, cluster };
        assert_eq!(Logistic::fit(&[]), None);
        assert_eq!(Logistic::fit(&[one(1.0, 0), one(1.0, 1), one(1.0, 2)]), None, "all are won");
        assert_eq!(Logistic::fit(&[one(1.0, 0), one(0.0, 0)]), None, "one cluster");
        let same = |score: f64, cluster: usize| Observation { x: vec![1.0, 2.0], score, cluster };
        assert_eq!(Logistic::fit(&[same(1.0, 0), same(0.0, 1), same(1.0, 2)]), None, "all at one place");
    }

    /// Pairs of games with an opening in common at four places: the place of the even score is found, and its interval
    /// misses it in about 5 of 100.
    #[test]
    fn the_even_place_is_covered() {
        let mut random = SplitMix::new(4);
        let rate = miss_rate(|| {
            let mut observations = Vec::new();
            for cluster in 0..120 {
                let x = f64::from(cluster % 4) * 0.5 - 0.5;
                let opening = 0.15 * random.normal();
                for side in [opening, -opening] {
                    let expected = expected(&[-0.3, 1.5], &[1.0, x]) + side;
                    let score = if random.uniform() < expected { 1.0 } else { 0.0 };
                    observations.push(Observation { x: vec![1.0, x], score, cluster: cluster as usize });
                }
            }
            let even = Logistic::fit(&observations)?.even();
            Some(even.low <= 0.2 && 0.2 <= even.high)
        });
        assert!((0.03..0.08).contains(&rate), "{rate}");
    }
}
