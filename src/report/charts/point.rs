//! A point with its interval, as all panels draw it.

use crate::statistics::Interval;
use crate::table::number;

/// Point with its interval.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Point {
    /// Value from left to right.
    pub x: f64,
    /// Value from bottom to top.
    pub y: f64,
    /// Ends of the interval, if there is one.
    pub ends: Option<(f64, f64)>,
}

impl Point {
    /// Point without interval; nothing if a coordinate is not a number.
    pub fn plain(x: f64, y: f64) -> Option<Self> {
        (x.is_finite() && y.is_finite()).then_some(Self { x, y, ends: None })
    }

    /// Point with its interval, as far as these are numbers.
    pub fn with_interval(x: f64, interval: Interval) -> Option<Self> {
        let has_ends = interval.low.is_finite() && interval.high.is_finite() && interval.low < interval.high;
        Some(Self { ends: has_ends.then_some((interval.low, interval.high)), ..Self::plain(x, interval.estimate)? })
    }

    /// Value with its interval.
    pub fn interval(self) -> Interval {
        let (low, high) = self.ends.unwrap_or((f64::NAN, f64::NAN));
        Interval { estimate: self.y, low, high }
    }

    /// Value and interval in words.
    pub fn words(self) -> String {
        match self.ends {
            None => number::figure(self.y),
            Some(_) => format!("{} ({})", number::estimate(&self.interval()), number::range(&self.interval())),
        }
    }

    /// Value and ends of the interval for the range of an axis, which one wide interval must not spoil.
    pub fn extent(&self) -> impl Iterator<Item = f64> {
        /// Multiple of the estimate, and its fraction, to which intervals are drawn.
        const FURTHEST: f64 = 3.0;
        let reach = self.y.abs() * FURTHEST;
        let ends = self.ends.map(|(low, high)| [low.max(self.y / FURTHEST).min(self.y), high.min(reach.max(self.y))]);
        std::iter::once(self.y).chain(ends.into_iter().flatten())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_number_is_not_drawn() {
        let interval = |estimate, low, high| Interval { estimate, low, high };
        for (interval, expected) in [
            (interval(2.0, 1.5, 3.0), Some(Some((1.5, 3.0)))),
            (interval(2.0, f64::NAN, 3.0), Some(None)),
            (interval(2.0, 2.0, 2.0), Some(None)),
            (interval(2.0, 1.0, f64::INFINITY), Some(None)),
            (interval(f64::NAN, 1.0, 2.0), None),
        ] {
            assert_eq!(Point::with_interval(4.0, interval).map(|point| point.ends), expected, "{interval:?}");
        }
    }

    #[test]
    fn one_wide_interval_does_not_spoil_the_axis() {
        let point = Point { x: 1.0, y: 2.0, ends: Some((1e-9, 1e9)) };
        let extent: Vec<f64> = point.extent().collect();
        assert_eq!(extent, [2.0, 2.0 / 3.0, 6.0]);
    }
}
