//! Linear least squares with few coefficients: which amounts of each cause add up to what was measured?
//!
//! The equations are solved by modified Gram and Schmidt orthogonalisation, the measured values taken along as a last column
//! (Björck, "Numerical Methods for Least Squares Problems", 1996, 2.4). Times have errors in proportion to their length: for
//! them [`LeastSquares::relative`] makes the relative errors small, as the fit of `time = a C + b W / n` to work and span does
//! (Blumofe et al., "Cilk: An Efficient Multithreaded Runtime System", PPoPP 1995).

use super::distribution::student_factor;
use super::interval::Interval;

/// A cause that the others explain but for this share of its length cannot be told from them.
const SAME_DIRECTION: f64 = 1e-9;
/// Rounds after which the weights of relative errors no longer change: each gains a digit or more.
const ROUNDS: u32 = 12;

/// The coefficients that fit best, and how well they are known.
#[derive(Clone, Debug, PartialEq)]
pub struct LeastSquares {
    /// One for each column.
    pub coefficients: Vec<f64>,
    /// Theirs.
    pub standard_errors: Vec<f64>,
    /// Measurements beyond the number of coefficients.
    pub freedom: f64,
    /// The standard deviation of what is left unexplained; of relative errors, a share.
    pub residual_deviation: f64,
}

impl LeastSquares {
    /// Fits `values` by sums of columns; each row holds the columns of one value. A constant is a column of ones. Nothing if
    /// there are not more values than columns, the rows differ in length, or a column follows from the others.
    pub fn fit(rows: &[Vec<f64>], values: &[f64]) -> Option<Self> {
        Self::weighted(rows, values, &vec![1.0; values.len()])
    }

    /// The same with errors in proportion to the values, which must be positive: each is weighted with its fitted value.
    /// Nothing, too, if a fitted value is not positive. Weights from the measured values would pull the fit down.
    pub fn relative(rows: &[Vec<f64>], values: &[f64]) -> Option<Self> {
        let mut expected = values.to_vec();
        let mut fit = None;
        for _ in 0..ROUNDS {
            if !expected.iter().all(|&value| value > 0.0) {
                return None;
            }
            let weights: Vec<f64> = expected.iter().map(|value| 1.0 / value).collect();
            let found = Self::weighted(rows, values, &weights)?;
            expected = rows.iter().map(|row| found.value(row)).collect();
            fit = Some(found);
        }
        fit
    }

    /// What the fit says for a row.
    pub fn value(&self, row: &[f64]) -> f64 {
        row.iter().zip(&self.coefficients).map(|(x, coefficient)| x * coefficient).sum()
    }

    /// The interval of a coefficient, by Student's t; nothing if there is none of this number.
    pub fn interval(&self, column: usize, level: f64) -> Option<Interval> {
        let estimate = *self.coefficients.get(column)?;
        let half_width = student_factor(level, self.freedom) * self.standard_errors.get(column)?;
        Some(Interval { estimate, low: estimate - half_width, high: estimate + half_width })
    }

    /// Rows and values are multiplied by the weights first.
    fn weighted(rows: &[Vec<f64>], values: &[f64], weights: &[f64]) -> Option<Self> {
        let count = rows.first()?.len();
        if rows.len() != values.len() || rows.len() <= count || rows.iter().any(|row| row.len() != count) {
            return None;
        }
        let weigh = |(value, weight): (f64, &f64)| value * weight;
        let mut columns: Vec<Vec<f64>> =
            (0..count).map(|j| rows.iter().map(|row| row[j]).zip(weights).map(weigh).collect()).collect();
        let mut left: Vec<f64> = values.iter().copied().zip(weights).map(weigh).collect();
        if columns.iter().flatten().chain(&left).any(|x| !x.is_finite()) {
            return None;
        }
        // `triangle` times the coefficients is `right`, once the columns are orthogonal and of length 1.
        let lengths: Vec<f64> = columns.iter().map(|column| length(column)).collect();
        let mut triangle = vec![vec![0.0; count]; count];
        let mut right = vec![0.0; count];
        for j in 0..count {
            let norm = length(&columns[j]);
            if norm <= SAME_DIRECTION * lengths[j] {
                return None;
            }
            let unit: Vec<f64> = columns[j].iter().map(|x| x / norm).collect();
            triangle[j][j] = norm;
            for k in j + 1..count {
                triangle[j][k] = take_out(&unit, &mut columns[k]);
            }
            right[j] = take_out(&unit, &mut left);
        }
        let freedom = (rows.len() - count) as f64;
        let residual_deviation = length(&left) / freedom.sqrt();
        let coefficients = back_substitute(&triangle, &right);
        // The covariance is that of the residuals times the inverse of the triangle times its transpose.
        let mut squares = vec![0.0; count];
        for j in 0..count {
            let unit: Vec<f64> = (0..count).map(|k| f64::from(u8::from(k == j))).collect();
            for (square, x) in squares.iter_mut().zip(back_substitute(&triangle, &unit)) {
                *square += x * x;
            }
        }
        let standard_errors = squares.iter().map(|square| square.sqrt() * residual_deviation).collect();
        Some(Self { coefficients, standard_errors, freedom, residual_deviation })
    }
}

/// The root of the sum of squares.
fn length(column: &[f64]) -> f64 {
    column.iter().map(|x| x * x).sum::<f64>().sqrt()
}

/// Takes the direction `unit` out of a column and says how much of it there was.
fn take_out(unit: &[f64], column: &mut [f64]) -> f64 {
    let amount: f64 = unit.iter().zip(column.iter()).map(|(a, b)| a * b).sum();
    for (x, direction) in column.iter_mut().zip(unit) {
        *x -= amount * direction;
    }
    amount
}

/// Solves an upper triangle for its right side.
fn back_substitute(triangle: &[Vec<f64>], right: &[f64]) -> Vec<f64> {
    let mut solution = right.to_vec();
    for j in (0..right.len()).rev() {
        let known: f64 = (j + 1..right.len()).map(|k| triangle[j][k] * solution[k]).sum();
        solution[j] = (right[j] - known) / triangle[j][j];
    }
    solution
}

#[cfg(test)]
mod tests {
    use super::super::interval::LEVEL;
    use super::super::simulated::{Random, assert_misses_five_percent, miss_rate};
    use super::*;

    /// y = 1, 2, 2, 5 at x = 0, 1, 2, 3: mean x 1.5, sum of squares 5, of products 6, so slope 1.2 and intercept 0.7; residuals
    /// 0.3, 0.1, -1.1, 0.7 with squares 1.8, so s^2 = 0.9; errors sqrt(0.9 / 5) and sqrt(0.9 (1/4 + 1.5^2 / 5)).
    #[test]
    fn a_line_worked_by_hand() {
        let rows: Vec<Vec<f64>> = (0..4).map(|x| vec![1.0, f64::from(x)]).collect();
        let fit = LeastSquares::fit(&rows, &[1.0, 2.0, 2.0, 5.0]).unwrap();
        for (found, expected) in [
            (fit.coefficients[0], 0.7),
            (fit.coefficients[1], 1.2),
            (fit.standard_errors[0], (0.9_f64 * 0.7).sqrt()),
            (fit.standard_errors[1], 0.18_f64.sqrt()),
            (fit.residual_deviation, 0.9_f64.sqrt()),
            (fit.freedom, 2.0),
            (fit.value(&[1.0, 10.0]), 12.7),
            (fit.interval(1, LEVEL).unwrap().high, 1.2 + 4.302_652_729_911_28 * 0.18_f64.sqrt()),
        ] {
            assert!((found - expected).abs() < 1e-9, "{found} is not {expected}");
        }
        assert_eq!(fit.interval(2, LEVEL), None);
    }

    #[test]
    fn what_cannot_be_told_is_nothing() {
        let twice: Vec<Vec<f64>> = (1..6).map(|x| vec![f64::from(x), 2.0 * f64::from(x)]).collect();
        let values = [1.0, 2.0, 3.0, 4.0, 6.0];
        assert_eq!(LeastSquares::fit(&twice, &values), None, "one column follows from the other");
        assert_eq!(LeastSquares::fit(&twice[..2], &values[..2]), None, "no degrees of freedom");
        assert_eq!(LeastSquares::fit(&twice, &values[..4]), None, "a value too few");
        assert_eq!(LeastSquares::fit(&[], &[]), None);
        let ones = vec![vec![1.0]; 5];
        assert_eq!(LeastSquares::relative(&ones, &[1.0, 2.0, -0.5, 1.0, 1.0]), None, "a time that is negative");
        assert_eq!(LeastSquares::fit(&ones, &[1.0, f64::NAN, 1.0, 1.0, 1.0]), None);
    }

    /// Searches of very different lengths, on 2 to 32 processors, whose time is 1.1 of the span and 0.95 of the work shared.
    #[test]
    fn work_and_span_are_told_apart() {
        let mut random = Random::new(31);
        for column in [0, 1] {
            let rate = miss_rate(|| {
                let mut rows = Vec::new();
                for i in 0..40 {
                    let processors = f64::from(2 << (i % 5));
                    let work = (2.0 * random.normal()).exp();
                    rows.push(vec![work / 40.0 * (0.5 * random.normal()).exp(), work / processors]);
                }
                let mut time = |row: &Vec<f64>| (1.1 * row[0] + 0.95 * row[1]) * (1.0 + 0.1 * random.normal());
                let times: Vec<f64> = rows.iter().map(&mut time).collect();
                let interval = LeastSquares::relative(&rows, &times)?.interval(column, LEVEL)?;
                Some((interval.low..=interval.high).contains(&[1.1, 0.95][column]))
            });
            assert_misses_five_percent(["span", "work"][column], rate);
        }
    }
}
