//! Numbers as they are read: in groups of three digits, with no more digits than they deserve, and with their
//! intervals.

use crate::statistics::{Interval, LEVEL};

/// What stands where there is no number.
pub const NOTHING: &str = "–";
/// Between groups of three digits: narrow, and no line breaks there.
const GROUP_SPACE: char = '\u{202f}';
/// Digits that tell, in a figure that says nothing of its own uncertainty.
const SIGNIFICANT_DIGITS: i32 = 3;
/// Digits that tell, in the width of an interval.
const DIGITS_OF_WIDTH: i32 = 2;
/// More digits after the point than this are never shown.
const MOST_DECIMALS: i32 = 6;
/// Of a probability by chance no smaller value is told apart.
const SMALLEST_P: f64 = 0.001;

/// A count: `8 720 113`. Means of counts are rounded.
pub fn count(value: f64) -> String {
    fixed(value, 0)
}

/// A figure with three digits that tell: `0.913`, `10.2`, `1 234`.
pub fn figure(value: f64) -> String {
    fixed(value, decimals(value, SIGNIFICANT_DIGITS))
}

/// A share of one in hundredths, without the sign: `37.5`.
pub fn hundredths(share: f64) -> String {
    fixed(share * 100.0, 1)
}

/// A share of one: `37.5 %`.
pub fn percent(share: f64) -> String {
    if share.is_finite() { format!("{} %", hundredths(share)) } else { NOTHING.to_owned() }
}

/// The level of intervals: `95 %`.
pub fn level() -> String {
    format!("{} %", fixed(LEVEL * 100.0, 0))
}

/// A count in a sentence: `8.72 million`.
pub fn in_words(value: f64) -> String {
    const MILLION: f64 = 1e6;
    const BILLION: f64 = 1e9;
    match value {
        value if value.abs() >= BILLION => format!("{} billion", figure(value / BILLION)),
        value if value.abs() >= MILLION => format!("{} million", figure(value / MILLION)),
        value => count(value),
    }
}

/// How likely something is by chance: `0.012`, or `< 0.001`.
pub fn probability(p: f64) -> String {
    if p < SMALLEST_P { format!("< {SMALLEST_P}") } else { fixed(p, 3) }
}

/// So many of something: `1 cell`, `2 cells`.
pub fn counted(number: u64, one: &str, many: &str) -> String {
    format!("{} {}", count(number as f64), if number == 1 { one } else { many })
}

/// Whether the interval was found; otherwise only the estimate is known.
pub fn is_known(interval: &Interval) -> bool {
    interval.low.is_finite() && interval.high.is_finite()
}

/// The estimate of a ratio, with as many digits as its interval deserves.
pub fn estimate(interval: &Interval) -> String {
    fixed(interval.estimate, interval_decimals(interval))
}

/// The ends of an interval: `1.80 to 1.90`; nothing if it is not known.
pub fn range(interval: &Interval) -> Option<String> {
    let decimals = interval_decimals(interval);
    is_known(interval).then(|| format!("{} to {}", fixed(interval.low, decimals), fixed(interval.high, decimals)))
}

/// With a fixed number of digits after the point.
pub fn fixed(value: f64, decimals: usize) -> String {
    if !value.is_finite() {
        return NOTHING.to_owned();
    }
    let digits = format!("{:.decimals$}", value.abs());
    let (whole, fraction) = digits.split_once('.').map_or((digits.as_str(), None), |(w, f)| (w, Some(f)));
    let is_zero = digits.chars().all(|digit| digit == '0' || digit == '.');
    let mut text = String::from(if value < 0.0 && !is_zero { "−" } else { "" });
    for (place, digit) in whole.chars().enumerate() {
        if place > 0 && (whole.len() - place).is_multiple_of(3) {
            text.push(GROUP_SPACE);
        }
        text.push(digit);
    }
    if let Some(fraction) = fraction {
        text.push('.');
        text.push_str(fraction);
    }
    text
}

/// Digits after the point that leave so many digits that tell.
fn decimals(value: f64, significant: i32) -> usize {
    if value == 0.0 || !value.is_finite() {
        return 0;
    }
    // Rounded first: 9.999 with three digits is 10.0.
    let rounded = format!("{:.*e}", (significant - 1) as usize, value);
    let exponent: i32 = rounded.rsplit('e').next().and_then(|exponent| exponent.parse().ok()).unwrap_or(0);
    (significant - 1 - exponent).clamp(0, MOST_DECIMALS) as usize
}

/// A narrow interval deserves more digits than a figure alone, so that its ends are told apart.
fn interval_decimals(interval: &Interval) -> usize {
    let of_estimate = decimals(interval.estimate, SIGNIFICANT_DIGITS);
    if is_known(interval) {
        of_estimate.max(decimals(interval.high - interval.low, DIGITS_OF_WIDTH))
    } else {
        of_estimate
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures() {
        let cases = [
            (0.0, "0"),
            (-0.0, "0"),
            (8_720_113.4, "8\u{202f}720\u{202f}113"),
            (1234.5, "1\u{202f}234"),
            (999.0, "999"),
            (10.24, "10.2"),
            (9.999, "10.0"),
            (1.845, "1.84"),
            (0.9128, "0.913"),
            (-0.9128, "−0.913"),
            (0.000_012_34, "0.000012"),
            (f64::NAN, "–"),
            (f64::INFINITY, "–"),
        ];
        for (value, expected) in cases {
            assert_eq!(figure(value), expected, "{value}");
        }
        assert_eq!(fixed(-0.001, 2), "0.00");
        assert_eq!(count(123_456.0), "123\u{202f}456");
    }

    #[test]
    fn intervals_show_as_much_as_they_know() {
        let cases = [
            (1.85, 1.8, 1.9, "1.85", Some("1.80 to 1.90")),
            (1.0042, 1.0011, 1.0073, "1.0042", Some("1.0011 to 1.0073")),
            (10.24, 6.1, 17.2, "10.2", Some("6.1 to 17.2")),
            (2.0, 2.0, 2.0, "2.00", Some("2.00 to 2.00")),
            (1.85, f64::NAN, f64::NAN, "1.85", None),
        ];
        for (mean, low, high, shown, ends) in cases {
            let interval = Interval { estimate: mean, low, high };
            assert_eq!((estimate(&interval).as_str(), range(&interval).as_deref()), (shown, ends));
        }
    }

    #[test]
    fn words() {
        let cases = [(999.0, "999"), (8.7201e6, "8.72 million"), (1.5e10, "15.0 billion")];
        for (value, expected) in cases {
            assert_eq!(in_words(value), expected);
        }
        assert_eq!((probability(0.0), probability(0.0124)), ("< 0.001".into(), "0.012".into()));
        assert_eq!((counted(1, "cell", "cells"), counted(0, "cell", "cells")), ("1 cell".into(), "0 cells".into()));
        assert_eq!((percent(0.3751), percent(f64::NAN)), ("37.5 %".into(), "–".into()));
    }
}
