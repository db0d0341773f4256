//! Numbers as they are written: for readers in groups of three digits, with no more digits than they deserve, and with
//! their intervals.

use crate::statistics::{Interval, LEVEL};

/// Text where there is no number.
pub const NOTHING: &str = "–";
/// Space between groups of three digits: narrow, and no line breaks there.
const GROUP_SPACE: char = '\u{202f}';
/// Significant digits of a figure that says nothing of its own uncertainty.
const SIGNIFICANT_DIGITS: i32 = 3;
/// Largest number of significant digits of a figure with an interval.
const MOST_SIGNIFICANT: i32 = 4;
/// Significant digits of the width of an interval.
const DIGITS_OF_WIDTH: i32 = 2;
/// Largest number of digits after the point.
const MOST_DECIMALS: i32 = 6;
/// Smallest probability by chance that is told apart.
const SMALLEST_P: f64 = 0.001;

/// Count, or a mean of counts rounded: `8 720 113`.
pub fn count(value: f64) -> String {
    fixed(value, 0)
}

/// Figure with three significant digits: `0.913`, `10.2`, `1 234`.
pub fn figure(value: f64) -> String {
    fixed(value, decimals(value, SIGNIFICANT_DIGITS))
}

/// Share of one in hundredths, without the sign: `37.5`.
pub fn hundredths(share: f64) -> String {
    fixed(share * 100.0, 1)
}

/// Share of one that was measured: `37.5 %`.
pub fn percent(share: f64) -> String {
    if share.is_finite() { format!("{} %", hundredths(share)) } else { NOTHING.to_owned() }
}

/// Share of one that somebody set, in hundredths and without needless digits: `5`, `12.5`.
pub fn set_hundredths(share: f64) -> String {
    // Rounded, for 7 hundredths of 1 are not exactly 7.
    ((share * 1e6).round() / 1e4).to_string()
}

/// Share of one that somebody set: `5 %`, `12.5 %`.
pub fn set_percent(share: f64) -> String {
    format!("{} %", set_hundredths(share))
}

/// Level of intervals: `95 %`.
pub fn level() -> String {
    set_percent(LEVEL)
}

/// Count in a sentence: `8.72 million`.
pub fn in_words(value: f64) -> String {
    const MILLION: f64 = 1e6;
    const BILLION: f64 = 1e9;
    match value {
        value if value.abs() >= BILLION => format!("{} billion", figure(value / BILLION)),
        value if value.abs() >= MILLION => format!("{} million", figure(value / MILLION)),
        value => count(value),
    }
}

/// Count or rate of four digits with a larger unit: `95.30 M`.
pub fn scaled(value: f64) -> String {
    let units = [(1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k")];
    match units.into_iter().find(|(unit, _)| value >= *unit) {
        Some((unit, name)) => format!("{} {name}", fixed(value / unit, decimals(value / unit, 4))),
        None => count(value),
    }
}

/// Number of bytes: `800 B`, `41.0 KiB`, `8.0 GiB`.
pub fn bytes(count: f64) -> String {
    let units = [(30, "GiB"), (20, "MiB"), (10, "KiB")];
    match units.into_iter().find(|(bits, _)| count >= f64::from(1 << bits)) {
        Some((bits, name)) => format!("{} {name}", fixed(count / f64::from(1 << bits), 1)),
        None => format!("{} B", fixed(count, 0)),
    }
}

/// Nanoseconds as seconds, exactly.
pub fn seconds(nanoseconds: u64) -> String {
    const NS_PER_S: u64 = 1_000_000_000;
    format!("{}.{:09}", nanoseconds / NS_PER_S, nanoseconds % NS_PER_S)
}

/// Probability by chance: `0.012`, or `< 0.001`.
pub fn probability(p: f64) -> String {
    if p < SMALLEST_P { format!("< {SMALLEST_P}") } else { fixed(p, 3) }
}

/// Number of things: `1 cell`, `2 cells`.
pub fn counted(number: impl TryInto<u64>, one: &str, many: &str) -> String {
    let number = number.try_into().unwrap_or(u64::MAX);
    format!("{} {}", count(number as f64), if number == 1 { one } else { many })
}

/// Estimate of a ratio, with as many digits as its interval deserves: `1.85`.
pub fn estimate(interval: &Interval) -> String {
    fixed(interval.estimate, interval_decimals(interval))
}

/// Ends of an interval: `1.80 to 1.90`, `from 1.80` or `up to 1.90` if one end is infinite, or `no interval`.
pub fn range(interval: &Interval) -> String {
    if interval.low.is_finite() && interval.high == f64::INFINITY {
        return format!("from {}", figure(interval.low));
    }
    if interval.high.is_finite() && interval.low == f64::NEG_INFINITY {
        return format!("up to {}", figure(interval.high));
    }
    if !interval.is_known() {
        return "no interval".to_owned();
    }
    let decimals = interval_decimals(interval);
    format!("{} to {}", fixed(interval.low, decimals), fixed(interval.high, decimals))
}

/// Estimate with its interval: `1.85 (1.80 to 1.90)`.
pub fn interval(interval: &Interval) -> String {
    if !interval.estimate.is_finite() {
        return NOTHING.to_owned();
    }
    format!("{} ({})", estimate(interval), range(interval))
}

/// `a, b and c`.
pub fn listed(items: &[String]) -> String {
    match items {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// Number with this many digits after the point.
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
    // A difference near nothing has the digits of what it may be, not of itself.
    let is_around_zero = interval.is_known() && interval.low < 0.0 && interval.high > 0.0;
    let size = if is_around_zero { interval.high.max(-interval.low) } else { interval.estimate };
    let of_estimate = decimals(size, SIGNIFICANT_DIGITS);
    if interval.is_known() {
        let of_width = decimals(interval.high - interval.low, DIGITS_OF_WIDTH);
        of_estimate.max(of_width.min(decimals(size, MOST_SIGNIFICANT)))
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
            (1.85, 1.8, 1.9, "1.85 (1.80 to 1.90)"),
            (1.0042, 1.0011, 1.0073, "1.004 (1.001 to 1.007)"),
            (10.24, 6.1, 17.2, "10.2 (6.1 to 17.2)"),
            (2.0, 2.0, 2.0, "2.00 (2.00 to 2.00)"),
            (0.11, -25.61, 25.83, "0.1 (−25.6 to 25.8)"),
            (1.85, f64::NAN, f64::NAN, "1.85 (no interval)"),
            (0.5, 0.2, f64::INFINITY, "0.500 (from 0.200)"),
            (f64::NAN, f64::NAN, f64::NAN, "–"),
        ];
        for (estimate, low, high, shown) in cases {
            assert_eq!(interval(&Interval { estimate, low, high }), shown);
        }
    }

    #[test]
    fn words() {
        let cases = [(999.0, "999"), (8.7201e6, "8.72 million"), (1.5e10, "15.0 billion")];
        for (value, expected) in cases {
            assert_eq!(in_words(value), expected);
        }
        assert_eq!((probability(0.0), probability(0.0124)), ("< 0.001".into(), "0.012".into()));
        assert_eq!([0.07, 0.125, 0.05].map(set_percent), ["7 %", "12.5 %", "5 %"]);
        assert_eq!(
            (counted(1_u64, "cell", "cells"), counted(0_usize, "cell", "cells")),
            ("1 cell".into(), "0 cells".into())
        );
        assert_eq!((percent(0.3751), percent(f64::NAN)), ("37.5 %".into(), "–".into()));
    }

    #[test]
    fn units() {
        let of_scaled = [(999.0, "999"), (183_788.6, "183.8 k"), (9_944_716.9, "9.945 M"), (1.1e12, "1.100 T")];
        for (value, expected) in of_scaled {
            assert_eq!(scaled(value), expected);
        }
        assert_eq!([800.0, 41_984.0, 8_589_934_592.0].map(bytes), ["800 B", "41.0 KiB", "8.0 GiB"]);
        let of_seconds = [(0, "0.000000000"), (2_000_000_005, "2.000000005"), (u64::MAX, "18446744073.709551615")];
        for (nanoseconds, expected) in of_seconds {
            assert_eq!(seconds(nanoseconds), expected);
        }
        assert_eq!(listed(&["a", "b", "c"].map(str::to_owned)), "a, b and c");
    }
}
