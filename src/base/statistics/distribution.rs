//! Student's t distribution with any real number of degrees of freedom.
//!
//! It rests on the incomplete beta function by Lentz's evaluation of its continued fraction (Abramowitz and Stegun,
//! "Handbook of Mathematical Functions", 26.5.8; Press et al., "Numerical Recipes", 6.4). Quantiles are found by
//! halving. Errors are below 1e-10, also relative to the smallest probabilities. It is written by hand because it is
//! short, and a library of distributions would cost every build more than it saves.

use std::f64::consts::PI;

/// Largest number of degrees of freedom that is told apart: from here on Student's t is within 1e-7 of the normal
/// distribution.
const AS_GOOD_AS_NORMAL: f64 = 1e8;
/// Largest number of terms of the continued fraction, which needs about the root of its larger parameter.
const BETA_TERMS: u32 = 200_000;

/// Probability that Student's t of these degrees of freedom is as far from 0 as `t`, on either side. Exact for small
/// probabilities too. Not a number without degrees of freedom.
pub fn student_two_sided(t: f64, freedom: f64) -> f64 {
    if t.is_nan() || freedom.is_nan() || freedom <= 0.0 {
        return f64::NAN;
    }
    if t.is_infinite() {
        return 0.0;
    }
    let (freedom, square) = (freedom.min(AS_GOOD_AS_NORMAL), t * t);
    incomplete_beta(freedom / 2.0, 0.5, freedom / (freedom + square), square / (freedom + square))
}

/// Half the width of a confidence interval of this level, in standard errors. Not a number without degrees of freedom
/// or for a level that is not from 0 to below 1.
pub fn student_factor(level: f64, freedom: f64) -> f64 {
    let above = |t: f64| student_two_sided(t, freedom) / 2.0;
    if !(0.0..1.0).contains(&level) || above(0.0).is_nan() {
        return f64::NAN;
    }
    let tail = 1.0 - f64::midpoint(1.0, level);
    let (mut low, mut high) = (0.0, 1.0);
    while above(high) > tail {
        (low, high) = (high, 2.0 * high);
    }
    let (low, high) = narrow(low, high, |t| above(t) > tail);
    f64::midpoint(low, high)
}

/// Incomplete beta function of `a` and `b` relative to the complete one, at `x`. One of `a` and `b` is 1/2. `rest` is
/// `1 - x`, given apart because it may be smaller than the rounding of `x`.
fn incomplete_beta(a: f64, b: f64, x: f64, rest: f64) -> f64 {
    if x <= 0.0 {
        return 0.0;
    }
    if rest <= 0.0 {
        return 1.0;
    }
    let ln = |share: f64, other: f64| if share < other { share.ln() } else { (-other).ln_1p() };
    let front = half_step_of_gamma(a.max(b)) / PI.sqrt() * (a * ln(x, rest) + b * ln(rest, x)).exp();
    // The fraction converges fast only on this side of the mean; on the other its mirror image does.
    if x < (a + 1.0) / (a + b + 2.0) {
        front * beta_fraction(a, b, x) / a
    } else {
        1.0 - front * beta_fraction(b, a, rest) / b
    }
}

/// Continued fraction of the incomplete beta function.
fn beta_fraction(a: f64, b: f64, x: f64) -> f64 {
    /// Replacement of 0 in a denominator.
    const TINY: f64 = 1e-300;
    let away_from_zero = |value: f64| if value.abs() < TINY { TINY } else { value };
    let mut numerator = 1.0;
    let mut denominator = 1.0 / away_from_zero(1.0 - (a + b) * x / (a + 1.0));
    let mut fraction = denominator;
    for m in 1..=BETA_TERMS {
        let m = f64::from(m);
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        let mut change = 1.0;
        for coefficient in [even, odd] {
            denominator = 1.0 / away_from_zero(1.0 + coefficient * denominator);
            numerator = away_from_zero(1.0 + coefficient / numerator);
            change = numerator * denominator;
            fraction *= change;
        }
        if (change - 1.0).abs() < f64::EPSILON {
            break;
        }
    }
    fraction
}

/// Gamma function at `x + 1/2` relative to that at `x`, by its asymptotic series (6.1.47), after the recurrence has
/// brought `x` to where the series is exact to the last digits.
fn half_step_of_gamma(mut x: f64) -> f64 {
    /// Argument from which on five terms suffice.
    const SERIES_BEGINS: f64 = 100.0;
    let mut product = 1.0;
    while x < SERIES_BEGINS {
        product *= x / (x + 0.5);
        x += 1.0;
    }
    let terms = [-21.0 / 32_768.0, 5.0 / 1024.0, 1.0 / 128.0, -1.0 / 8.0, 1.0];
    product * x.sqrt() * terms.into_iter().fold(0.0, |sum, term| sum / x + term)
}

/// Narrows an interval, at whose first end something holds and at whose second it does not, down to the place where it
/// ceases to hold.
fn narrow(mut inside: f64, mut outside: f64, holds: impl Fn(f64) -> bool) -> (f64, f64) {
    /// Number of halvings after which nothing is left of an interval of real numbers.
    const HALVINGS: u32 = 200;
    for _ in 0..HALVINGS {
        let middle = f64::midpoint(inside, outside);
        if middle == inside || middle == outside {
            break;
        }
        if holds(middle) { inside = middle } else { outside = middle }
    }
    (inside, outside)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assert_close(value: f64, expected: f64, relative: f64, what: &str) {
        assert!((value - expected).abs() <= relative * expected.abs(), "{what}: {value} is not {expected}");
    }

    #[test]
    fn students_factors_are_those_of_the_tables() {
        for (level, freedom, factor) in [
            (0.95, 1.0, 12.706_204_736_432_1),
            (0.95, 2.0, 4.302_652_729_911_28),
            (0.95, 3.0, 3.182_446_305_284_26),
            (0.95, 9.0, 2.262_157_162_854_1),
            (0.95, 30.0, 2.042_272_456_301_24),
            (0.99, 5.0, 4.032_142_983_557_54),
            (0.9, 10.0, 1.812_461_122_811_68),
            (0.0, 4.0, 0.0),
        ] {
            let found = student_factor(level, freedom);
            assert!((found - factor).abs() < 1e-9, "{level} with {freedom}: {found} is not {factor}");
            assert!((student_two_sided(factor, freedom) - (1.0 - level)).abs() < 1e-10, "{level}, {freedom}");
        }
        assert!(student_factor(0.95, 0.0).is_nan() && student_factor(1.0, 5.0).is_nan());
    }

    /// With one and two degrees of freedom there are closed forms, here far out in the tail where 1 - p has no digits
    /// left.
    #[test]
    fn small_probabilities_keep_their_digits() {
        for t in [0.001, 0.3, 1.0, 7.0, 1e3, 1e6] {
            assert_close(student_two_sided(t, 1.0), 2.0 / PI * (1.0 / t).atan(), 1e-11, "one degree");
        }
        for t in [0.001_f64, 0.3, 1.0, 7.0, 1e3] {
            let square = t * t;
            let root = (square + 2.0).sqrt();
            assert_close(student_two_sided(t, 2.0), 2.0 / (root * (root + t)), 1e-11, "two degrees");
        }
    }

    /// Student's quantile at degrees of freedom by Welch's formula: between whole numbers the quantile lies between
    /// theirs, and it goes over into the normal one without a step.
    #[test]
    fn degrees_of_freedom_need_not_be_whole() {
        let factors: Vec<f64> = (10..200).map(|tenths| student_factor(0.95, f64::from(tenths) / 10.0)).collect();
        assert!(factors.windows(2).all(|pair| pair[0] > pair[1]));
        let (large, larger) = (student_factor(0.95, 0.99 * AS_GOOD_AS_NORMAL), student_factor(0.95, f64::INFINITY));
        assert!((large - larger).abs() < 1e-7, "{large} {larger}");
        assert!((larger - 1.959_963_984_540_05).abs() < 1e-7, "{larger}");
    }
}
