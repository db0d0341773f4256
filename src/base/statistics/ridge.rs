//! Costs of kinds of work, from totals in which the kinds always grow together: least squares drawn towards a common
//! multiple of costs that are known from elsewhere, none of them negative or above its cap.
//!
//! Plain least squares would divide a total among such columns by chance. Here the coefficient of column j is `s p_j
//! b_j`: p is the prior, s the multiple of it that fits by itself (a median), and b minimises `sum w (y / y' - sum_j
//! x_j s p_j b_j / y')^2 + k m sum_j (b_j - 1)^2` over m rows (ridge regression: Hoerl and Kennard, Technometrics 12,
//! 1970). Errors are relative to y', what the last round of the fit expects, so that too long and too short weigh the
//! same; w is Tukey's biweight of them, which leaves out totals that something has spoiled (Holland and Welsch,
//! Communications in Statistics 6, 1977).
//!
//! The strength k is the greatest that predicts groups of rows which were left out as well as the best one does, but
//! for one standard error (Breiman et al., "Classification and Regression Trees", 1984, 3.4.3); infinity, which is the
//! prior's multiple itself, is among those tried. Standard errors of coefficients are those of the jackknife over
//! groups.

use super::distribution::student_factor;
use super::interval::Interval;
use super::sample::{NORMAL_MAD, jackknife, mean, median, median_absolute_deviation, standard_deviation};

/// Strengths that are tried, the greatest first. The least pulls a coefficient that is off by all of itself as hard as
/// totals do that are off by a hundredth.
const STRENGTHS: [f64; 6] = [f64::INFINITY, 1.0, 1e-1, 1e-2, 1e-3, 1e-4];
/// Least number of groups that tell how well another one is predicted.
const FEWEST_GROUPS: usize = 3;
/// Number of rounds after which the weights of totals no longer change what follows.
const REWEIGHTED: u32 = 12;
/// Number of standard deviations beyond which an error has no weight: 95 % as good as least squares where nothing is
/// spoiled.
const BIWEIGHT: f64 = 4.685;
/// Size of an error up to which it is rounding, and weighs the same as others.
const EXACT: f64 = 1e-9;
/// Greatest number of rounds of coordinate descent.
const ROUNDS: u32 = 20_000;
/// Share of the prior's coefficient: a round that changes no coefficient by more is the last.
const SETTLED: f64 = 1e-12;

/// Fitted coefficients, and how well they are known.
#[derive(Clone, Debug, PartialEq)]
pub struct Ridge {
    /// Coefficient of each column.
    pub coefficients: Vec<f64>,
    /// Standard error of each coefficient.
    pub standard_errors: Vec<f64>,
    /// Degrees of freedom of Student's t: groups less one.
    pub freedom: f64,
    /// Multiple of the prior that fits best by itself.
    pub multiple: f64,
    /// Strength with which the coefficients are drawn towards that multiple.
    pub strength: f64,
    /// Median logarithm of prediction to value of each group, predicted from the others.
    pub left_out: Vec<f64>,
}

/// Totals to fit, by row.
#[derive(Clone, Copy, Debug)]
pub struct Totals<'a> {
    /// Amounts of each kind of work in each total.
    pub rows: &'a [Vec<f64>],
    /// Totals, whose errors are in proportion to them.
    pub values: &'a [f64],
    /// Group of each total, from 0. Rows of one group do not predict each other.
    pub groups: &'a [usize],
}

impl Ridge {
    /// Fits totals. Nothing with fewer than three groups, or if a total or a prior is not positive.
    pub fn fit(totals: Totals<'_>, prior: &[f64], caps: &[f64]) -> Option<Self> {
        let Totals { rows, values, groups } = totals;
        let count = groups.iter().max()? + 1;
        let fits_together = rows.len() == values.len()
            && rows.len() == groups.len()
            && prior.len() == caps.len()
            && rows.iter().all(|row| row.len() == prior.len() && row.iter().all(|x| x.is_finite()));
        let is_positive = |x: &f64| *x > 0.0 && x.is_finite();
        if !fits_together || count < FEWEST_GROUPS || !values.iter().chain(prior).all(is_positive) {
            return None;
        }
        let all: Vec<usize> = (0..rows.len()).collect();
        let tried: Vec<Tried> = STRENGTHS
            .into_iter()
            .map(|strength| Tried::with(strength, totals, count, prior, caps))
            .collect::<Option<_>>()?;
        let best = tried.iter().min_by(|one, other| one.error.total_cmp(&other.error))?;
        let chosen = tried.iter().find(|tried| tried.is_as_good_as(best))?;
        let Tried { strength, without, left_out, .. } = chosen.clone();
        let (coefficients, multiple) = solve(totals, &all, prior, caps, strength)?;
        let of_column = |column: usize| without.iter().map(|fit| fit[column]).collect::<Vec<f64>>();
        let standard_errors = (0..prior.len()).map(|column| jackknife(&of_column(column))).collect();
        Some(Self { coefficients, standard_errors, freedom: count as f64 - 1.0, multiple, strength, left_out })
    }

    /// Total that the coefficients predict for a row.
    pub fn value(&self, row: &[f64]) -> f64 {
        predict(row, &self.coefficients)
    }

    /// Interval of a coefficient, none of it negative. Nothing if there is none of this number, or if it is at its
    /// bound whatever is left out: then it is the bound and not the totals that say so.
    pub fn interval(&self, column: usize, level: f64) -> Option<Interval> {
        let estimate = *self.coefficients.get(column)?;
        let standard_error = self.standard_errors.get(column).filter(|error| **error > EXACT * self.multiple)?;
        let half_width = student_factor(level, self.freedom) * standard_error;
        Some(Interval { estimate, low: (estimate - half_width).max(0.0), high: estimate + half_width })
    }
}

/// Strength that was tried, and how well it predicts each group from the others.
#[derive(Clone)]
struct Tried {
    strength: f64,
    /// Coefficients without each group.
    without: Vec<Vec<f64>>,
    /// Median logarithm of prediction to value of each group.
    left_out: Vec<f64>,
    /// Mean of the amounts of `left_out`.
    error: f64,
}

impl Tried {
    fn with(strength: f64, totals: Totals<'_>, count: usize, prior: &[f64], caps: &[f64]) -> Option<Self> {
        let Totals { rows, values, groups } = totals;
        let (mut without, mut left_out) = (Vec::new(), Vec::new());
        for group in 0..count {
            let (own, kept): (Vec<usize>, Vec<usize>) = (0..rows.len()).partition(|&i| groups[i] == group);
            let (coefficients, _) = solve(totals, &kept, prior, caps, strength)?;
            let errors: Vec<f64> = own.iter().map(|&i| (predict(&rows[i], &coefficients) / values[i]).ln()).collect();
            left_out.push(median(&errors)?);
            without.push(coefficients);
        }
        let error = mean(&left_out.iter().map(|error| error.abs()).collect::<Vec<_>>())?;
        error.is_finite().then_some(Self { strength, without, left_out, error })
    }

    /// Whether this strength predicts groups no worse than the other by more than a standard error. The difference is
    /// formed group by group, so that those which nothing predicts do not count.
    fn is_as_good_as(&self, best: &Self) -> bool {
        let worse: Vec<f64> =
            self.left_out.iter().zip(&best.left_out).map(|(own, other)| own.abs() - other.abs()).collect();
        let standard_error = standard_deviation(&worse).map(|deviation| deviation / (worse.len() as f64).sqrt());
        mean(&worse).zip(standard_error).is_some_and(|(mean, standard_error)| mean <= standard_error)
    }
}

fn predict(row: &[f64], coefficients: &[f64]) -> f64 {
    row.iter().zip(coefficients).map(|(x, coefficient)| x * coefficient).sum()
}

/// Coefficients for the rows with these numbers, and the prior's multiple.
fn solve(totals: Totals<'_>, kept: &[usize], prior: &[f64], caps: &[f64], strength: f64) -> Option<(Vec<f64>, f64)> {
    let Totals { rows, values, .. } = totals;
    let multiples: Vec<f64> = kept.iter().map(|&i| values[i] / predict(&rows[i], prior)).collect();
    let multiple = median(&multiples).filter(|multiple| *multiple > 0.0 && multiple.is_finite())?;
    let unit: Vec<f64> = prior.iter().map(|prior| prior * multiple).collect();
    let caps: Vec<f64> = caps.iter().zip(&unit).map(|(cap, unit)| (cap / unit).max(0.0)).collect();
    let mut shares: Vec<f64> = caps.iter().map(|cap| cap.min(1.0)).collect();
    let coefficients =
        |shares: &[f64]| shares.iter().zip(&unit).map(|(share, unit)| share * unit).collect::<Vec<f64>>();
    if strength.is_finite() {
        let pull = strength * kept.len() as f64;
        for _ in 0..REWEIGHTED {
            let now = coefficients(&shares);
            let expected: Vec<f64> = kept.iter().map(|&i| predict(&rows[i], &now)).collect();
            if !expected.iter().all(|expected| *expected > 0.0) {
                return None;
            }
            let errors: Vec<f64> =
                kept.iter().zip(&expected).map(|(&i, expected)| (values[i] / expected).ln()).collect();
            let weights = biweights(&errors);
            // Rows and values in units of what is expected, times the root of the weight.
            let scales: Vec<f64> =
                weights.iter().zip(&expected).map(|(weight, expected)| weight.sqrt() / expected).collect();
            let column = |j: usize| kept.iter().zip(&scales).map(|(&i, scale)| rows[i][j] * unit[j] * scale).collect();
            let columns: Vec<Vec<f64>> = (0..unit.len()).map(column).collect();
            let wanted: Vec<f64> = kept.iter().zip(&scales).map(|(&i, scale)| values[i] * scale).collect();
            descend(&mut shares, &columns, &wanted, pull, &caps);
        }
    }
    Some((coefficients(&shares), multiple))
}

/// Moves one share after the other to its best place, until none moves. The sum of squares is convex, so that this ends
/// at its least.
fn descend(shares: &mut [f64], columns: &[Vec<f64>], wanted: &[f64], pull: f64, caps: &[f64]) {
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let right: Vec<f64> = columns.iter().map(|column| dot(column, wanted) + pull).collect();
    let normal: Vec<Vec<f64>> =
        columns.iter().map(|a| columns.iter().map(|b| dot(a, b)).collect::<Vec<f64>>()).collect();
    for _ in 0..ROUNDS {
        let mut moved = 0.0_f64;
        for j in 0..shares.len() {
            let others = dot(&normal[j], shares) - normal[j][j] * shares[j];
            let share = ((right[j] - others) / (normal[j][j] + pull)).clamp(0.0, caps[j]);
            moved = moved.max((share - shares[j]).abs());
            shares[j] = share;
        }
        if moved < SETTLED {
            return;
        }
    }
}

/// Tukey's biweights of errors, by their median distance from their median.
fn biweights(errors: &[f64]) -> Vec<f64> {
    let middle = median(errors).unwrap_or(0.0);
    let scale = median_absolute_deviation(errors).unwrap_or(0.0) / NORMAL_MAD;
    let weight = |error: &f64| {
        let distance = (error - middle) / (BIWEIGHT * scale);
        if distance.abs() < 1.0 { (1.0 - distance * distance).powi(2) } else { 0.0 }
    };
    if scale > EXACT { errors.iter().map(weight).collect() } else { vec![1.0; errors.len()] }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::SplitMix;

    const PRIOR: [f64; 3] = [200.0, 100.0, 50.0];
    const NO_CAPS: [f64; 3] = [f64::INFINITY; 3];

    /// Rows of twelve groups of three whose columns grow together, but for a share `apart`, with their true totals.
    fn sample(costs: [f64; 3], apart: f64, noise: f64) -> (Vec<Vec<f64>>, Vec<f64>, Vec<usize>) {
        let mut random = SplitMix::new(7);
        let (mut rows, mut values, mut groups) = (Vec::new(), Vec::new(), Vec::new());
        for group in 0..12 {
            let mix: Vec<f64> = (0..3).map(|_| (apart * random.normal()).exp()).collect();
            for _ in 0..3 {
                let size = (1.0 + random.normal()).exp();
                let row: Vec<f64> = mix.iter().map(|share| size * share).collect();
                let total = predict(&row, &costs) * (noise * random.normal()).exp();
                rows.push(row);
                values.push(total);
                groups.push(group);
            }
        }
        (rows, values, groups)
    }

    fn fit(costs: [f64; 3], apart: f64, noise: f64, caps: [f64; 3]) -> Ridge {
        let (rows, values, groups) = sample(costs, apart, noise);
        Ridge::fit(Totals { rows: &rows, values: &values, groups: &groups }, &PRIOR, &caps).unwrap()
    }

    #[test]
    fn known_costs_are_found_where_they_can_be_told_apart() {
        let costs = [170.0, 20.0, 90.0];
        let exact = fit(costs, 0.5, 0.0, NO_CAPS);
        for (found, cost) in exact.coefficients.iter().zip(costs) {
            // The weakest pull is felt where there is no noise at all.
            assert!((found / cost - 1.0).abs() < 0.08, "{exact:?}");
        }
        let noisy = fit(costs, 0.5, 0.03, NO_CAPS);
        for (column, cost) in costs.iter().enumerate() {
            let interval = noisy.interval(column, 0.99).unwrap();
            assert!((interval.low..=interval.high).contains(cost), "{cost}: {interval:?}");
            assert!(interval.high - interval.low < 40.0, "{interval:?}");
        }
    }

    #[test]
    fn where_they_cannot_be_told_apart_the_prior_divides_them() {
        // Half of the prior: each must be half of it, whatever the noise.
        let ridge = fit([100.0, 50.0, 25.0], 0.002, 0.03, NO_CAPS);
        for (found, prior) in ridge.coefficients.iter().zip(PRIOR) {
            assert!((found / prior - 0.5).abs() < 0.05, "{ridge:?}");
        }
        // Other proportions: the total is right all the same.
        let ridge = fit([0.0, 10.0, 300.0], 0.001, 0.01, NO_CAPS);
        assert!((ridge.value(&[1.0; 3]) / 310.0 - 1.0).abs() < 0.02, "{ridge:?}");
        assert!(ridge.left_out.len() == 12 && ridge.left_out.iter().all(|error| error.abs() < 0.05));
    }

    #[test]
    fn nothing_is_negative_or_above_its_cap() {
        // The truth would have the second cost at -60.
        let ridge = fit([170.0, -60.0, 90.0], 0.4, 0.0, NO_CAPS);
        assert!(ridge.coefficients[1] < 20.0 && ridge.coefficients.iter().all(|cost| *cost >= 0.0), "{ridge:?}");
        let ridge = fit([170.0, 60.0, 90.0], 0.4, 0.0, [f64::INFINITY, f64::INFINITY, 30.0]);
        assert!(ridge.coefficients[2] <= 30.0 + 1e-9 && ridge.coefficients[0] > 170.0, "{ridge:?}");
    }

    /// A busy computer: one total of each of three groups takes far longer, one seems far shorter than it was.
    #[test]
    fn spoiled_totals_are_left_out() {
        let costs = [170.0, 60.0, 90.0];
        let (rows, mut values, groups) = sample(costs, 0.5, 0.02);
        for (place, factor) in [(4, 3.0), (11, 2.5), (20, 5.0), (30, 0.25)] {
            values[place] *= factor;
        }
        let ridge = Ridge::fit(Totals { rows: &rows, values: &values, groups: &groups }, &PRIOR, &NO_CAPS).unwrap();
        for (found, cost) in ridge.coefficients.iter().zip(costs) {
            assert!((found / cost - 1.0).abs() < 0.1, "{ridge:?}");
        }
    }

    #[test]
    fn what_cannot_be_told_is_nothing() {
        let (rows, values, groups) = sample([1.0, 1.0, 1.0], 0.2, 0.0);
        let try_fit = |values: &[f64], groups: &[usize], prior: &[f64]| {
            Ridge::fit(Totals { rows: &rows, values, groups }, prior, &vec![f64::INFINITY; prior.len()])
        };
        assert!(try_fit(&values, &groups, &PRIOR).is_some());
        let two: Vec<usize> = groups.iter().map(|group| group % 2).collect();
        assert_eq!(try_fit(&values, &two, &PRIOR), None, "two groups");
        assert_eq!(try_fit(&values[1..], &groups, &PRIOR), None, "a value too few");
        assert_eq!(try_fit(&values, &groups, &PRIOR[1..]), None, "a prior too few");
        assert_eq!(try_fit(&vec![0.0; values.len()], &groups, &PRIOR), None, "no time");
        let gap: Vec<usize> = groups.iter().map(|group| group * 2).collect();
        assert_eq!(try_fit(&values, &gap, &PRIOR), None, "a group without rows");
    }
}
