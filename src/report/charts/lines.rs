//! Lines through points with their intervals. Points stand where they belong; only the bars of intervals at the same
//! place are moved apart by a few units, so that all can be seen. Series of equal figures are one line.

use crate::statistics::Interval;

use super::axis::Axis;
use super::canvas::{Area, Canvas, Place};
use super::font::Align;
use super::frame::{Bottom, Frame, Ruler};
use super::style::{FAINT_INK, Look, REFERENCE, SHORT, SMALL};

/// Half the width of the cap of an interval, in units.
const CAP: f64 = 4.0;

/// Width of the line of an interval, in units.
const INTERVAL_WIDTH: f64 = 1.5;

/// Greatest distance between the bars of two series at the same place, in units.
const APART: f64 = 5.0;

/// Width over which all bars at one place are spread, in units.
const FURTHEST_BAR: f64 = 24.0;

/// Distance from the end of a line to its name, in units.
const BEFORE_NAME: f64 = 10.0;

/// Greatest number of names at the ends of lines.
const MOST_NAMES: usize = 8;

/// Greatest distance by which a name is moved from the end of its line, in units.
const FURTHEST: f64 = 10.0;

/// Panel of lines.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Lines {
    /// Axis from left to right.
    pub x: Axis,
    /// Axis from bottom to top.
    pub y: Axis,
    /// Lines, the last on top.
    pub series: Vec<Series>,
    /// Line that data are compared with.
    pub reference: Option<Reference>,
}

/// Line that data are compared with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Reference {
    /// Line y = x.
    Diagonal,
    /// One value everywhere, and its name.
    Level(f64, &'static str),
}

/// Line through points.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Series {
    /// Name in the legend.
    pub name: String,
    pub look: Look,
    /// Points from left to right.
    pub points: Vec<Point>,
    /// Thin line through other points: what was fitted to this series.
    pub fit: Vec<(f64, f64)>,
}

/// Point with its interval.
#[derive(Clone, Copy, Debug, PartialEq)]
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

    /// Point with its value and its interval multiplied.
    #[must_use]
    pub fn times(self, factor: f64) -> Self {
        let ends = self.ends.map(|(low, high)| (low * factor, high * factor));
        Self { y: self.y * factor, ends, ..self }
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

impl Series {
    /// Series without a fit; nothing if there is no point.
    pub fn new(name: &str, look: Look, points: impl IntoIterator<Item = Point>) -> Option<Self> {
        let points: Vec<Point> = points.into_iter().collect();
        (!points.is_empty()).then(|| Self { name: name.to_owned(), look, points, fit: Vec::new() })
    }

    fn has_intervals(&self) -> bool {
        self.points.iter().any(|point| point.ends.is_some())
    }

    /// Place of the last point along the lower axis.
    fn last(&self) -> Option<&Point> {
        self.points.last()
    }
}

/// Series of which those with equal figures are one, under both names: nothing is drawn where nothing can be seen, and
/// nothing is told apart that does not differ.
pub(super) fn merged(series: Vec<Series>) -> Vec<Series> {
    let mut merged: Vec<Series> = Vec::new();
    for one in series {
        match merged.iter_mut().find(|other| other.points == one.points && other.look.hollow == one.look.hollow) {
            Some(equal) if equal.name != one.name => equal.name = format!("{} = {}", equal.name, one.name),
            Some(_) => {}
            None => merged.push(one),
        }
    }
    merged
}

/// Values of all points along the lower axis.
pub(super) fn xs<'a>(series: impl IntoIterator<Item = &'a Series>) -> impl Iterator<Item = f64> {
    series.into_iter().flat_map(|series| series.points.iter().map(|point| point.x))
}

/// Values of all points along the upright axis, with the ends of their intervals.
pub(super) fn extents<'a>(series: impl IntoIterator<Item = &'a Series>) -> impl Iterator<Item = f64> {
    series.into_iter().flat_map(|series| series.points.iter().flat_map(Point::extent))
}

/// Names at the ends of lines: the place of the series, and the height at which its name is written.
pub(super) type Names = Vec<(usize, f64)>;

impl Lines {
    /// Width that names at the ends of our lines take beside the panel; nothing if they cannot stand there, since a
    /// line ends elsewhere or a name is too long.
    fn width_of_names(&self, width: f64) -> Option<f64> {
        /// Greatest share of the width of a chart that goes to names.
        const MOST: f64 = 0.28;
        let ours: Vec<&Series> = self.ours().map(|(_, series)| series).collect();
        let end = xs(&self.series).fold(f64::NEG_INFINITY, f64::max);
        let widest = ours.iter().map(|series| SMALL.width(&series.name)).fold(0.0, f64::max) + BEFORE_NAME;
        let all_end_there = ours.iter().all(|series| series.last().is_some_and(|point| point.x == end));
        (all_end_there && (1..=MOST_NAMES).contains(&ours.len()) && widest <= MOST * width).then_some(widest)
    }

    /// Series that are not published, with their places.
    fn ours(&self) -> impl Iterator<Item = (usize, &Series)> {
        self.series.iter().enumerate().filter(|(_, series)| !series.look.is_published())
    }

    /// Area that is left of names at the ends of our lines, and these names; nothing if they would cover each other.
    pub fn names(&self, area: Area) -> Option<(Area, Names)> {
        let area = Area { right: area.right - self.width_of_names(area.width())?, ..area };
        let (inside, _) = Frame::inside(area, Bottom::Values(&self.x), &self.y);
        let ruler = Ruler::upright(&self.y, inside);
        let mut ends: Names = self
            .ours()
            .filter_map(|(place, series)| Some((place, ruler.at(series.last()?.y).clamp(inside.top, inside.bottom))))
            .collect();
        ends.sort_by(|one, other| one.1.total_cmp(&other.1));
        let names = spread(&ends.iter().map(|(_, y)| *y).collect::<Vec<_>>(), SMALL.size + 1.0);
        let is_near = names.iter().zip(&ends).all(|(name, (_, end))| (name - end).abs() <= FURTHEST);
        is_near.then(|| (area, ends.into_iter().map(|(place, _)| place).zip(names).collect()))
    }

    /// Draws the panel, with our names at the ends of lines if these are given.
    pub fn draw(&self, canvas: &mut Canvas, area: Area, names: &Names) {
        let frame = Frame::draw(canvas, area, Bottom::Values(&self.x), &self.y);
        let x = Ruler::level(&self.x, frame.inside);
        let place = |at: f64, value: f64| (x.at(at), frame.y.at(value));
        let is_inside = |at: f64, value: f64| self.x.has(at) && self.y.has(value);
        self.draw_reference(canvas, &frame, place);
        for series in &self.series {
            let inside = series.fit.iter().filter(|(x, y)| is_inside(*x, *y));
            let places: Vec<Place> = inside.map(|(x, y)| place(*x, *y)).collect();
            let thin = series.look.thin();
            canvas.dashed(&places, thin.colour, thin.width, thin.dash);
        }
        let shown = |series: &Series| -> Vec<(Point, Place)> {
            let inside = series.points.iter().filter(|point| is_inside(point.x, point.y));
            inside.map(|point| (*point, place(point.x, point.y))).collect()
        };
        for series in &self.series {
            let Look { colour, width, dash, .. } = series.look;
            let places: Vec<Place> = shown(series).into_iter().map(|(_, place)| place).collect();
            canvas.dashed(&places, colour, width, dash);
        }
        for (series, shift) in self.series.iter().zip(self.shifts(x)) {
            for (point, (x, _)) in shown(series) {
                frame.y.interval(canvas, &point, x + shift, CAP, (series.look.colour, INTERVAL_WIDTH));
            }
        }
        for series in &self.series {
            shown(series).into_iter().for_each(|(_, place)| canvas.marker(place, series.look));
        }
        for (place, y) in names {
            let name = &self.series[*place].name;
            canvas.text(name, (frame.inside.right + BEFORE_NAME, y + SMALL.below_middle()), SMALL);
        }
    }

    /// Distances by which the bars of series are moved aside: none for one series, and never so far as to meet the next
    /// place.
    fn shifts(&self, x: Ruler<'_>) -> Vec<f64> {
        let count = self.series.iter().filter(|series| series.has_intervals()).count();
        let mut xs: Vec<f64> = xs(&self.series).collect();
        xs.sort_by(f64::total_cmp);
        xs.dedup();
        let nearest = xs.windows(2).map(|pair| x.at(pair[1]) - x.at(pair[0])).fold(f64::INFINITY, f64::min);
        let width = FURTHEST_BAR.min(0.5 * nearest);
        let step = if count > 1 { APART.min(width / count as f64) } else { 0.0 };
        let mut next = -(count.saturating_sub(1) as f64) / 2.0;
        let shift = |series: &Series| {
            if !series.has_intervals() {
                return 0.0;
            }
            next += 1.0;
            (next - 1.0) * step
        };
        self.series.iter().map(shift).collect()
    }

    fn draw_reference(&self, canvas: &mut Canvas, frame: &Frame<'_>, place: impl Fn(f64, f64) -> Place) {
        match self.reference {
            None => {}
            Some(Reference::Level(value, words)) => frame.draw_level(canvas, value, words),
            Some(Reference::Diagonal) => {
                let (low, high) = (self.x.low.max(self.y.low), self.x.high.min(self.y.high));
                if low >= high {
                    return;
                }
                // Two axes of the same scale show y = x as a straight line; others as a curve.
                const PIECES: u32 = 64;
                let places: Vec<Place> = (0..=PIECES)
                    .map(|piece| low + (high - low) * f64::from(piece) / f64::from(PIECES))
                    .map(|value| place(value, value))
                    .collect();
                canvas.dashed(&places, REFERENCE, 1.25, SHORT);
                // Left of the line and near its end: speedups are rarely above y = x.
                let y = places.iter().map(|place| place.1).fold(f64::INFINITY, f64::min) + SMALL.size;
                let x =
                    places.iter().filter(|place| place.1 >= y).map(|place| place.0).fold(frame.inside.left, f64::max);
                canvas.text("y = x", (x - 8.0, y), SMALL.colour(FAINT_INK).align(Align::Right));
            }
        }
    }
}

/// Heights at least so far apart, each as near to its own as that allows. They ascend.
fn spread(heights: &[f64], apart: f64) -> Vec<f64> {
    // Heights less what lies before them must not descend: neighbours that do are put at their mean together.
    let mut blocks: Vec<(f64, usize)> = Vec::new();
    for (place, height) in heights.iter().enumerate() {
        let (mut mean, mut count) = (height - place as f64 * apart, 1);
        while let Some(&(before, size)) = blocks.last().filter(|(before, _)| *before > mean) {
            mean = (before * size as f64 + mean * count as f64) / (size + count) as f64;
            count += size;
            blocks.pop();
        }
        blocks.push((mean, count));
    }
    let means = blocks.into_iter().flat_map(|(mean, count)| std::iter::repeat_n(mean, count));
    means.enumerate().map(|(place, mean)| mean + place as f64 * apart).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn series(name: &str, values: &[f64]) -> Series {
        let point = |(place, y): (usize, &f64)| Point { x: place as f64 + 1.0, y: *y, ends: None };
        Series::new(name, Look::of_curve(0, false), values.iter().enumerate().map(point)).unwrap()
    }

    #[test]
    fn equal_figures_are_one_line_with_both_names() {
        let merged = merged(vec![series("a", &[1.0, 2.0]), series("b", &[1.0, 2.5]), series("c", &[1.0, 2.0])]);
        assert_eq!(merged.iter().map(|series| series.name.as_str()).collect::<Vec<_>>(), ["a = c", "b"]);
        let simulated = Series { look: Look::of_curve(0, true), ..series("d", &[1.0, 2.0]) };
        assert_eq!(super::merged(vec![series("a", &[1.0, 2.0]), simulated]).len(), 2, "machines stay apart");
    }

    #[test]
    fn names_stand_at_the_ends_of_lines_where_they_fit() {
        let lines = |all: &[(&str, &[f64])]| Lines {
            x: Axis::linear("x", 0.0, 4.0),
            y: Axis::linear("y", 0.0, 10.0),
            series: all.iter().map(|(name, values)| series(name, values)).collect(),
            reference: None,
        };
        let area = Area { left: 0.0, top: 0.0, right: 500.0, bottom: 300.0 };
        let heights = |all: &[(&str, &[f64])]| lines(all).names(area).map(|(_, names)| names);
        let apart = heights(&[("a", &[1.0, 2.0, 3.0]), ("b", &[1.0, 5.0, 9.0])]).unwrap();
        assert_eq!(apart.iter().map(|(place, _)| *place).collect::<Vec<_>>(), [1, 0], "from above");
        let near = heights(&[("a", &[1.0, 2.0, 5.0]), ("b", &[1.0, 2.0, 5.1])]).unwrap();
        assert!(near[1].1 - near[0].1 >= SMALL.size, "{near:?}");
        assert_eq!(heights(&[("a", &[5.0, 5.0]), ("b", &[5.0, 5.0]), ("c", &[5.0, 5.1])]), None, "they are crowded");
        assert_eq!(heights(&[("a", &[1.0, 2.0, 3.0]), ("b", &[1.0, 2.0])]), None, "one ends before");
        assert_eq!(heights(&[("a name that is longer than a quarter of it", &[1.0, 2.0])]), None);
    }

    #[test]
    fn heights_are_spread_as_little_as_need_be() {
        assert_eq!(spread(&[0.0, 50.0], 10.0), [0.0, 50.0]);
        assert_eq!(spread(&[20.0, 20.0, 90.0], 10.0), [15.0, 25.0, 90.0]);
        assert!(spread(&[], 10.0).is_empty());
    }

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
