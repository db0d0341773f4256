//! Numbers in tables. Files for programs get the shortest text that reads back as the same number; tables for readers get
//! as many digits as they mean.

use crate::statistics::Interval;

/// In tables for readers: not known.
pub(in crate::report) const UNKNOWN: &str = "-";

/// The shortest text that reads back as this number; empty if it is none.
pub(in crate::report) fn exact(value: f64) -> String {
    if value.is_finite() { value.to_string() } else { String::new() }
}

/// The same for what may be missing.
pub(in crate::report) fn exact_or_empty(value: Option<f64>) -> String {
    value.map(exact).unwrap_or_default()
}

/// Nanoseconds as seconds, exactly.
pub(in crate::report) fn seconds(nanoseconds: u64) -> String {
    const NS_PER_S: u64 = 1_000_000_000;
    format!("{}.{:09}", nanoseconds / NS_PER_S, nanoseconds % NS_PER_S)
}

/// So many digits after the point.
pub(in crate::report) fn rounded(value: f64, digits: usize) -> String {
    if value.is_finite() { format!("{value:.digits$}") } else { UNKNOWN.to_owned() }
}

/// A number in so many characters, six or more, with at most so many digits after the point.
pub(in crate::report) fn fitted(value: f64, width: usize, digits: usize) -> String {
    let plain = (0..=digits).rev().map(|digits| rounded(value, digits)).find(|text| text.len() <= width);
    plain.unwrap_or_else(|| format!("{value:.0e}"))
}

/// A ratio with its interval: `1.93 [1.88, 1.98]`, or `1.93 [-]` if that is not known.
pub(in crate::report) fn with_interval(ratio: Interval) -> String {
    if !ratio.is_known() {
        return format!("{} [{UNKNOWN}]", ratio_digits(ratio.estimate));
    }
    let [estimate, low, high] = [ratio.estimate, ratio.low, ratio.high].map(ratio_digits);
    format!("{estimate} [{low}, {high}]")
}

/// A ratio with the digits that a measurement of this kind can have.
pub(in crate::report) fn ratio_digits(ratio: f64) -> String {
    match ratio.abs() {
        size if size > 0.0 && !(0.001..99_999.5).contains(&size) => format!("{ratio:.1e}"),
        size if size < 9.9995 => rounded(ratio, 3),
        size if size < 99.995 => rounded(ratio, 2),
        size if size < 999.95 => rounded(ratio, 1),
        _ => rounded(ratio, 0),
    }
}

/// A probability for a reader.
pub(in crate::report) fn probability(p: Option<f64>) -> String {
    match p {
        None => UNKNOWN.to_owned(),
        Some(p) if p < 0.001 => "< 0.001".to_owned(),
        Some(p) => rounded(p, 3),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_are_exact() {
        let cases = [
            (0, "0.000000000"),
            (1, "0.000000001"),
            (2_000_000_005, "2.000000005"),
            (u64::MAX, "18446744073.709551615"),
        ];
        for (nanoseconds, expected) in cases {
            assert_eq!(seconds(nanoseconds), expected);
        }
    }

    #[test]
    fn ratios_have_the_digits_they_mean() {
        let cases = [
            (0.0, "0.000"),
            (2.1e-5, "2.1e-5"),
            (9.9994, "9.999"),
            (9.9996, "10.00"),
            (123.456, "123.5"),
            (12_345.6, "12346"),
            (1.26e12, "1.3e12"),
            (f64::NAN, "-"),
        ];
        for (ratio, expected) in cases {
            assert_eq!(ratio_digits(ratio), expected);
        }
    }

    #[test]
    fn numbers_fit() {
        let cases = [
            ((1.23456, 7, 3), "1.235"),
            ((12345.678, 7, 3), "12345.7"),
            ((12_345_678.9, 7, 3), "1e7"),
            ((f64::NAN, 7, 3), "-"),
        ];
        for ((value, width, digits), expected) in cases {
            assert_eq!(fitted(value, width, digits), expected);
        }
    }

    #[test]
    fn intervals_are_shown_or_said_to_be_unknown() {
        let cases = [
            (Interval { estimate: 1.9304, low: 1.8, high: 12.0 }, "1.930 [1.800, 12.00]"),
            (Interval::unknown(2.0), "2.000 [-]"),
        ];
        for (interval, expected) in cases {
            assert_eq!(with_interval(interval), expected);
        }
        assert_eq!(exact(f64::NAN), "");
        assert_eq!(exact(0.1), "0.1");
        assert_eq!(probability(Some(0.0004)), "< 0.001");
    }
}
