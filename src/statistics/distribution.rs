//! The normal distribution and Student's t with any real number of degrees of freedom.
//!
//! Both rest on the two incomplete integrals of the calculus textbooks: the error function by its power series and, far
//! out, by Laplace's continued fraction (Abramowitz and Stegun, "Handbook of Mathematical Functions", 7.1.6 and 7.1.14), and
//! the incomplete beta function by Lentz's evaluation of its continued fraction (26.5.8 there; Press et al., "Numerical
//! Recipes", 6.4). Quantiles are found by halving. Errors are below 1e-10.

use std::f64::consts::{PI, SQRT_2};

/// Beyond so many degrees of freedom Student's t differs from the normal distribution by less than 1e-9.
const AS_GOOD_AS_NORMAL: f64 = 1e9;
/// Where the continued fraction of the error function takes over from its power series.
const SERIES_ENDS: f64 = 2.5;
/// Terms that the continued fraction of the error function needs from [`SERIES_ENDS`] on.
const FRACTION_TERMS: u32 = 60;
/// Terms of the continued fraction of the beta function at most; it needs about the root of its larger parameter.
const BETA_TERMS: u32 = 200_000;
/// Halvings after which nothing is left of an interval of real numbers.
const HALVINGS: u32 = 200;

/// The probability that a normal variable of mean 0 and deviation 1 is at most `z`.
pub fn normal_probability(z: f64) -> f64 {
    if z < 0.0 { upper_tail(-z) } else { 1.0 - upper_tail(z) }
}

/// The value that a normal variable of mean 0 and deviation 1 is below with this probability. Infinite at 0 and 1.
pub fn normal_quantile(probability: f64) -> f64 {
    quantile(probability, upper_tail)
}

/// The probability that Student's t of these degrees of freedom is at most `t`.
pub fn student_probability(t: f64, freedom: f64) -> f64 {
    let beyond = student_two_sided(t, freedom) / 2.0;
    if t < 0.0 { beyond } else { 1.0 - beyond }
}

/// The probability that Student's t of these degrees of freedom is as far from 0 as `t`, on either side. Exact for small
/// probabilities too. Not a number without degrees of freedom.
pub fn student_two_sided(t: f64, freedom: f64) -> f64 {
    if t.is_nan() || freedom.is_nan() || freedom <= 0.0 {
        return f64::NAN;
    }
    if freedom > AS_GOOD_AS_NORMAL {
        return 2.0 * upper_tail(t.abs());
    }
    if t.is_infinite() {
        return 0.0;
    }
    let square = t * t;
    incomplete_beta(freedom / 2.0, 0.5, freedom / (freedom + square), square / (freedom + square))
}

/// The value that Student's t of these degrees of freedom is below with this probability. Infinite at 0 and 1.
pub fn student_quantile(probability: f64, freedom: f64) -> f64 {
    quantile(probability, |t| student_two_sided(t, freedom) / 2.0)
}

/// Half the width of an interval of this level, in standard errors.
pub fn student_factor(level: f64, freedom: f64) -> f64 {
    student_quantile(f64::midpoint(1.0, level), freedom)
}

/// The quantile of a distribution that is symmetric about 0, from the probability of being above a value that is not
/// negative.
fn quantile(probability: f64, above: impl Fn(f64) -> f64) -> f64 {
    if !(0.0..=1.0).contains(&probability) || above(0.0).is_nan() {
        return f64::NAN;
    }
    let (tail, sign) = if probability < 0.5 { (probability, -1.0) } else { (1.0 - probability, 1.0) };
    if tail == 0.0 {
        return sign * f64::INFINITY;
    }
    let (mut low, mut high) = (0.0, 1.0);
    while above(high) > tail {
        (low, high) = (high, 2.0 * high);
    }
    for _ in 0..HALVINGS {
        let middle = f64::midpoint(low, high);
        if middle <= low || middle >= high {
            break;
        }
        if above(middle) > tail { low = middle } else { high = middle }
    }
    sign * f64::midpoint(low, high)
}

/// The probability that a normal variable is above `z`, which is not negative.
fn upper_tail(z: f64) -> f64 {
    let x = z / SQRT_2;
    if x < SERIES_ENDS {
        // erf x = 2 / sqrt(pi) * exp(-x^2) * sum of 2^n x^(2n+1) / (1 * 3 * ... * (2n+1))
        let (mut term, mut sum, mut odd) = (x, x, 1.0);
        while term > sum * f64::EPSILON {
            odd += 2.0;
            term *= 2.0 * x * x / odd;
            sum += term;
        }
        0.5 - sum * (-x * x).exp() / PI.sqrt()
    } else {
        // sqrt(pi) * exp(x^2) * erfc x = 1 / (x + (1/2) / (x + (2/2) / (x + (3/2) / (x + ...
        let fraction = (1..=FRACTION_TERMS).rev().fold(x, |below, n| x + f64::from(n) / 2.0 / below);
        (-x * x).exp() / (2.0 * PI.sqrt() * fraction)
    }
}

/// The incomplete beta function of `a` and `b` relative to the complete one, at `x`. One of `a` and `b` is 1/2. `rest` is
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

/// The continued fraction of the incomplete beta function.
fn beta_fraction(a: f64, b: f64, x: f64) -> f64 {
    /// What stands for 0 in a denominator.
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

/// The gamma function at `x + 1/2` relative to that at `x`, by its asymptotic series (6.1.47), after the recurrence has
/// brought `x` to where the series is exact to the last digits.
fn half_step_of_gamma(mut x: f64) -> f64 {
    /// From here on five terms suffice.
    const SERIES_BEGINS: f64 = 100.0;
    let mut product = 1.0;
    while x < SERIES_BEGINS {
        product *= x / (x + 0.5);
        x += 1.0;
    }
    let terms = [-21.0 / 32_768.0, 5.0 / 1024.0, 1.0 / 128.0, -1.0 / 8.0, 1.0];
    product * x.sqrt() * terms.into_iter().fold(0.0, |sum, term| sum / x + term)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assert_close(value: f64, expected: f64, relative: f64, what: &str) {
        assert!((value - expected).abs() <= relative * expected.abs(), "{what}: {value} is not {expected}");
    }

    #[test]
    fn the_normal_distribution_is_that_of_the_tables() {
        for (z, probability) in [
            (0.0, 0.5),
            (1.0, 0.841_344_746_068_543),
            (1.959_963_984_540_054, 0.975),
            (-3.0, 1.349_898_031_630_095e-3),
            (-5.0, 2.866_515_718_791_939e-7),
            (-10.0, 7.619_853_024_160_527e-24),
        ] {
            assert_close(normal_probability(z), probability, 1e-12, "probability");
            assert_close(normal_quantile(probability) + 1.0, z + 1.0, 1e-12, "quantile");
        }
        assert_eq!(normal_quantile(1.0), f64::INFINITY);
        assert_eq!(normal_quantile(0.0), f64::NEG_INFINITY);
        assert!(normal_quantile(1.1).is_nan());
    }

    #[test]
    fn students_quantiles_are_those_of_the_tables() {
        for (probability, freedom, quantile) in [
            (0.975, 1.0, 12.706_204_736_432_1),
            (0.975, 2.0, 4.302_652_729_911_28),
            (0.975, 3.0, 3.182_446_305_284_26),
            (0.975, 9.0, 2.262_157_162_854_1),
            (0.975, 30.0, 2.042_272_456_301_24),
            (0.995, 5.0, 4.032_142_983_557_54),
            (0.95, 10.0, 1.812_461_122_811_68),
            (0.025, 9.0, -2.262_157_162_854_1),
            (0.5, 4.0, 0.0),
            (0.975, 1e12, 1.959_963_984_540_05),
        ] {
            let found = student_quantile(probability, freedom);
            assert!((found - quantile).abs() < 1e-9, "{probability} with {freedom}: {found} is not {quantile}");
            assert!((student_probability(quantile, freedom) - probability).abs() < 1e-10, "{probability}, {freedom}");
        }
        assert!(student_quantile(0.975, 0.0).is_nan());
    }

    /// With one and two degrees of freedom there are closed forms, here far out in the tail where 1 - p has no digits left.
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

    /// What degrees of freedom by Welch's formula need: between whole numbers the quantile lies between theirs, and it goes
    /// over into the normal one without a step.
    #[test]
    fn degrees_of_freedom_need_not_be_whole() {
        let factors: Vec<f64> = (10..200).map(|tenths| student_factor(0.95, f64::from(tenths) / 10.0)).collect();
        assert!(factors.windows(2).all(|pair| pair[0] > pair[1]));
        let (large, larger) = (student_factor(0.95, 0.99 * AS_GOOD_AS_NORMAL), student_factor(0.95, f64::INFINITY));
        assert!((large - larger).abs() < 1e-7, "{large} {larger}");
    }
}
