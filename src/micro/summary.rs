//! Summary of figures of the same work at several positions: for each board the geometric mean of its times, and of its
//! ratios to the mailbox.
//!
//! The interval of a mean of independent figures is made of theirs. On the scale of logarithms each end is as far from
//! the mean as the root of the sum of squares of the distances of the ends of all figures, divided by their number (Zou
//! and Donner, "Construction of Confidence Limits about Effect Measures", Statistics in Medicine 27, 2008).

use serde::Serialize;

use super::{Figure, Unit};
use crate::distinct::distinct;
use crate::statistics::{Interval, mean};

/// Width of an interval, relative to its estimate, above which a ratio is too noisy to be used.
pub const MOST_WIDTH: f64 = 0.2;

/// Ratio of the ends of an interval above which a ratio says nothing.
const WIDEST: f64 = 2.0;
/// Words in place of a ratio whose interval is too wide to say anything.
pub const NOT_MEASURED: &str = "not measured: the computer was busy, or the time too short";

/// Whether a ratio is known well enough to be printed; one without an interval is not in doubt.
pub fn is_measured(ratio: Interval) -> bool {
    !ratio.is_known() || ratio.low > 0.0 && ratio.high <= WIDEST * ratio.low
}

/// Means of one board.
#[derive(Debug, PartialEq, Serialize)]
pub struct Row {
    /// Sliding method of bitboards, or name of the board.
    pub board: String,
    /// Geometric mean of the times in nanoseconds.
    pub time_ns: f64,
    /// Geometric mean of the ratios to the mailbox, with its interval; none for the mailbox itself.
    pub to_mailbox: Option<Interval>,
    /// Geometric mean of the published ratios, if all are known.
    pub published: Option<f64>,
}

impl Row {
    /// Ratio of our ratio to the published one.
    pub fn over_published(&self) -> Option<f64> {
        Some(self.to_mailbox?.estimate / self.published?)
    }
}

/// A row for each board, in the order of the figures.
pub fn rows(figures: &[Figure]) -> Vec<Row> {
    let name = |figure: &Figure| figure.sliders.clone().or_else(|| figure.board.clone()).unwrap_or_default();
    let boards = distinct(figures.iter().filter(|figure| figure.board.is_some()).map(name));
    let row = |board: String| {
        let of = |unit: Unit| figures.iter().filter(|figure| figure.unit == unit && name(figure) == board).collect();
        let (times, ratios): (Vec<&Figure>, Vec<&Figure>) = (of(Unit::Nanoseconds), of(Unit::Ratio));
        let published = ratios.iter().map(|figure| figure.published).collect::<Option<Vec<f64>>>();
        Row {
            time_ns: geometric_mean(times.iter().map(|figure| figure.estimate)).unwrap_or(f64::NAN),
            to_mailbox: mean_of_intervals(&ratios),
            published: published.and_then(|all| geometric_mean(all.into_iter())),
            board,
        }
    };
    boards.into_iter().map(row).collect()
}

/// Number of ratios whose intervals are wider than [`MOST_WIDTH`], and number of all ratios with an interval.
pub fn wide(figures: &[Figure]) -> (usize, usize) {
    let ratios = figures.iter().filter(|figure| figure.unit == Unit::Ratio).filter_map(|figure| {
        let [low, high] = figure.interval?;
        Some((high - low) / figure.estimate > MOST_WIDTH)
    });
    ratios.fold((0, 0), |(wide, all), is_wide| (wide + usize::from(is_wide), all + 1))
}

fn geometric_mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    mean(&values.map(f64::ln).collect::<Vec<_>>()).map(f64::exp)
}

fn mean_of_intervals(figures: &[&Figure]) -> Option<Interval> {
    let logs: Vec<Interval> = figures.iter().map(|figure| figure.value().map(f64::ln)).collect();
    let estimate = mean(&logs.iter().map(|log| log.estimate).collect::<Vec<_>>())?;
    let distance = |end: fn(&Interval) -> f64| {
        let squares = logs.iter().map(|log| (end(log) - log.estimate).powi(2));
        squares.sum::<f64>().sqrt() / logs.len() as f64
    };
    let (below, above) = (distance(|log| log.low), distance(|log| log.high));
    Some(Interval { estimate, low: estimate - below, high: estimate + above }.map(f64::exp))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figure(of: &str, board: &str, unit: Unit, estimate: f64, interval: Option<[f64; 2]>) -> Figure {
        Figure { board: Some(board.into()), interval, ..Figure::new(of, "time", unit, estimate) }
    }

    /// Ratios 2 and 8 with ends a factor 2 away: their mean is 4, and its ends 2^(sqrt(2) / 2) away.
    #[test]
    fn means_worked_by_hand() {
        let ratio = |of: &str, estimate: f64| Figure {
            published: Some(estimate / 2.0),
            ..figure(of, "rotated", Unit::Ratio, estimate, Some([estimate / 2.0, estimate * 2.0]))
        };
        let time = |of: &str, board: &str, ns: f64| figure(of, board, Unit::Nanoseconds, ns, None);
        let figures = [
            time("a", "rotated", 10.0),
            time("b", "rotated", 40.0),
            time("a", "mailbox", 5.0),
            time("b", "mailbox", 5.0),
            ratio("a", 2.0),
            ratio("b", 8.0),
        ];
        let [rotated, mailbox] = &rows(&figures)[..] else { panic!("two boards") };
        let (interval, factor) = (rotated.to_mailbox.unwrap(), 2.0_f64.powf(0.5_f64.sqrt()));
        for (value, expected) in [
            (rotated.time_ns, 20.0),
            (interval.estimate, 4.0),
            (interval.low, 4.0 / factor),
            (interval.high, 4.0 * factor),
            (rotated.over_published().unwrap(), 2.0),
            (mailbox.time_ns, 5.0),
        ] {
            assert!((value - expected).abs() < 1e-9, "{value} is not {expected}");
        }
        assert_eq!((mailbox.board.as_str(), mailbox.to_mailbox, mailbox.published), ("mailbox", None, None));
    }

    /// The ratio of 12.3 ns and 3.82 ns, as it came out on a busy computer, and as it should.
    #[test]
    fn a_ratio_with_ends_a_factor_of_two_apart_is_not_measured() {
        let is_measured = |low, estimate, high| super::is_measured(Interval { estimate, low, high });
        assert!(!is_measured(3.2, 27.4, 100.1) && !is_measured(0.0, 1.0, 1.0));
        assert!(is_measured(2.4, 3.22, 4.8) && is_measured(3.1, 3.22, 3.3) && is_measured(f64::NAN, 3.0, f64::NAN));
    }

    #[test]
    fn wide_intervals_are_counted() {
        let ratio = |interval| figure("a", "rotated", Unit::Ratio, 1.0, interval);
        let time = figure("a", "rotated", Unit::Nanoseconds, 1.0, Some([0.1, 9.0]));
        let figures = [ratio(Some([0.95, 1.1])), ratio(Some([0.7, 3.1])), ratio(None), time];
        assert_eq!(wide(&figures), (1, 2));
    }
}
