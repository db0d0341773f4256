//! Lines through points with their intervals. Where several series have intervals at the same place, they are moved
//! apart by a few units, so that all can be seen.

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

/// Greatest distance between the intervals of two series at the same place, in units.
const APART: f64 = 6.0;

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
}

/// Values of all points along the lower axis.
pub(super) fn xs<'a>(series: impl IntoIterator<Item = &'a Series>) -> impl Iterator<Item = f64> {
    series.into_iter().flat_map(|series| series.points.iter().map(|point| point.x))
}

/// Values of all points along the upright axis, with the ends of their intervals.
pub(super) fn extents<'a>(series: impl IntoIterator<Item = &'a Series>) -> impl Iterator<Item = f64> {
    series.into_iter().flat_map(|series| series.points.iter().flat_map(Point::extent))
}

impl Lines {
    /// Draws the panel.
    pub fn draw(&self, canvas: &mut Canvas, area: Area) {
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
        // Each series with its points that are inside, and where.
        let shifts = self.shifts(x);
        let all = || {
            self.series.iter().zip(&shifts).map(|(series, shift)| {
                let inside = series.points.iter().filter(|point| is_inside(point.x, point.y));
                let shown = inside.map(|point| {
                    let (x, y) = place(point.x, point.y);
                    // Without intervals there is nothing to keep apart.
                    (point, if point.ends.is_some() { (x + shift, y) } else { (x, y) })
                });
                (series.look, shown.collect::<Vec<(&Point, Place)>>())
            })
        };
        for (look, shown) in all() {
            let places: Vec<Place> = shown.into_iter().map(|(_, place)| place).collect();
            canvas.dashed(&places, look.colour, look.width, look.dash);
        }
        for (look, shown) in all() {
            for (point, (x, _)) in shown {
                frame.y.interval(canvas, point, x, CAP, (look.colour, INTERVAL_WIDTH));
            }
        }
        for (look, shown) in all() {
            shown.into_iter().for_each(|(_, place)| canvas.marker(place, look));
        }
    }

    /// Distances by which the series are moved aside: none without intervals, and never so far as to meet the next
    /// place.
    fn shifts(&self, x: Ruler<'_>) -> Vec<f64> {
        let count = self.series.iter().filter(|series| series.has_intervals()).count();
        let mut xs: Vec<f64> = xs(&self.series).collect();
        xs.sort_by(f64::total_cmp);
        xs.dedup();
        let nearest = xs.windows(2).map(|pair| x.at(pair[1]) - x.at(pair[0])).fold(f64::INFINITY, f64::min);
        let step = if count > 1 { APART.min(0.5 * nearest / count as f64) } else { 0.0 };
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
