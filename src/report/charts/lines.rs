//! Lines through points with their intervals. Where several series have intervals at the same place, they are moved apart by
//! a few units, so that all can be seen.

use plotters::backend::DrawingBackend;

use crate::statistics::Interval;

use super::ChartError;
use super::axis::Axis;
use super::canvas::{Area, Canvas, Place};
use super::font::Align;
use super::frame::{Bottom, Frame};
use super::legend::{Entry, Sample};
use super::style::{Dash, FAINT_INK, Look, REFERENCE, SMALL};

/// Half the width of the cap of an interval, in units.
const CAP: f64 = 4.0;

/// How far apart the intervals of two series at the same place are, in units, at most.
const APART: f64 = 6.0;

/// A panel of lines.
#[derive(Clone, Debug, PartialEq)]
pub struct Lines {
    /// From left to right.
    pub x: Axis,
    /// From bottom to top.
    pub y: Axis,
    /// What is drawn, the last on top.
    pub series: Vec<Series>,
    /// What it is compared with.
    pub reference: Option<Reference>,
}

/// A line that data are compared with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Reference {
    /// y = x.
    Diagonal,
    /// The same value everywhere, and what it is called.
    Level(f64, &'static str),
}

/// A line through points.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// Its name in the legend.
    pub name: String,
    /// How it looks.
    pub look: Look,
    /// Its points, from left to right.
    pub points: Vec<Point>,
    /// A thin line through other points: what was fitted to it.
    pub fit: Vec<(f64, f64)>,
}

/// A point with its interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// From left to right.
    pub x: f64,
    /// From bottom to top.
    pub y: f64,
    /// The ends of the interval, if there is one.
    pub ends: Option<(f64, f64)>,
}

impl Point {
    /// A point without interval; nothing if it is none that can be drawn.
    pub fn plain(x: f64, y: f64) -> Option<Self> {
        (x.is_finite() && y.is_finite()).then_some(Self { x, y, ends: None })
    }

    /// A point with its interval, as far as these are numbers.
    pub fn with_interval(x: f64, interval: Interval) -> Option<Self> {
        let has_ends = interval.low.is_finite() && interval.high.is_finite() && interval.low < interval.high;
        Some(Self { ends: has_ends.then_some((interval.low, interval.high)), ..Self::plain(x, interval.estimate)? })
    }

    /// Its value and the ends of its interval, these no further away than so many times the value: for the range of an axis,
    /// which one wide interval must not spoil.
    pub fn extent(&self) -> impl Iterator<Item = f64> {
        /// Intervals are drawn to this many times the estimate, and to its fraction.
        const FURTHEST: f64 = 3.0;
        let reach = self.y.abs() * FURTHEST;
        let ends = self.ends.map(|(low, high)| [low.max(self.y / FURTHEST).min(self.y), high.min(reach.max(self.y))]);
        std::iter::once(self.y).chain(ends.into_iter().flatten())
    }
}

impl Series {
    /// Its entry in the legend.
    pub fn entry(&self) -> Entry {
        Entry { name: self.name.clone(), sample: Sample::Line(self.look) }
    }
}

impl Lines {
    /// Draws the panel.
    pub fn draw<B: DrawingBackend>(&self, canvas: &mut Canvas<B>, area: Area) -> Result<(), ChartError> {
        let frame = Frame::draw(canvas, area, Bottom::Values(&self.x), &self.y)?;
        self.draw_reference(canvas, &frame)?;
        for series in &self.series {
            let fit: Vec<Place> = series
                .fit
                .iter()
                .filter(|(x, y)| self.is_inside(*x, *y))
                .map(|(x, y)| frame.place(&self.x, *x, *y))
                .collect();
            let thin = series.look.thin();
            canvas.dashed(&fit, thin.colour, thin.width, thin.dash)?;
        }
        let shifts = self.shifts(&frame);
        for (series, &shift) in self.series.iter().zip(&shifts) {
            let places: Vec<Place> = self.places(series, &frame, shift).map(|(_, place)| place).collect();
            canvas.dashed(&places, series.look.colour, series.look.width, series.look.dash)?;
        }
        for (series, &shift) in self.series.iter().zip(&shifts) {
            for (point, place) in self.places(series, &frame, shift) {
                self.draw_interval(canvas, &frame, point, place, series.look)?;
            }
        }
        for (series, &shift) in self.series.iter().zip(&shifts) {
            for (_, place) in self.places(series, &frame, shift) {
                canvas.marker(place, series.look)?;
            }
        }
        Ok(())
    }

    fn is_inside(&self, x: f64, y: f64) -> bool {
        self.x.has(x) && self.y.has(y)
    }

    /// The points of a series that are inside, and where.
    fn places<'s>(
        &'s self,
        series: &'s Series,
        frame: &'s Frame<'_>,
        shift: f64,
    ) -> impl Iterator<Item = (&'s Point, Place)> {
        series.points.iter().filter(|point| self.is_inside(point.x, point.y)).map(move |point| {
            let (x, y) = frame.place(&self.x, point.x, point.y);
            // Without intervals there is nothing to keep apart.
            (point, if point.ends.is_some() { (x + shift, y) } else { (x, y) })
        })
    }

    /// How far each series is moved aside: not at all without intervals, and never so far as to meet the next place.
    fn shifts(&self, frame: &Frame<'_>) -> Vec<f64> {
        let has_intervals = |series: &Series| series.points.iter().any(|point| point.ends.is_some());
        let count = self.series.iter().filter(|series| has_intervals(series)).count();
        let mut xs: Vec<f64> =
            self.series.iter().flat_map(|series| series.points.iter().map(|point| point.x)).collect();
        xs.sort_by(f64::total_cmp);
        xs.dedup();
        let gaps = xs.windows(2).map(|pair| (self.x.share(pair[1]) - self.x.share(pair[0])) * frame.inside.width());
        let nearest = gaps.fold(f64::INFINITY, f64::min);
        let step = if count > 1 { APART.min(0.5 * nearest / count as f64) } else { 0.0 };
        let mut next = -(count.saturating_sub(1) as f64) / 2.0;
        self.series
            .iter()
            .map(|series| {
                if !has_intervals(series) {
                    return 0.0;
                }
                let shift = next * step;
                next += 1.0;
                shift
            })
            .collect()
    }

    fn draw_interval<B: DrawingBackend>(
        &self,
        canvas: &mut Canvas<B>,
        frame: &Frame<'_>,
        point: &Point,
        (x, y): Place,
        look: Look,
    ) -> Result<(), ChartError> {
        let Some((low, high)) = point.ends else { return Ok(()) };
        // An end outside has no cap.
        for (end, edge) in [(low, frame.inside.bottom), (high, frame.inside.top)] {
            let is_inside = self.y.has(end);
            let end = if is_inside { frame.height_of(end) } else { edge };
            canvas.line(&[(x, y), (x, end)], look.colour, 1.5)?;
            if is_inside {
                canvas.line(&[(x - CAP, end), (x + CAP, end)], look.colour, 1.5)?;
            }
        }
        Ok(())
    }

    fn draw_reference<B: DrawingBackend>(&self, canvas: &mut Canvas<B>, frame: &Frame<'_>) -> Result<(), ChartError> {
        match self.reference {
            None => Ok(()),
            Some(Reference::Level(value, words)) => frame.level(canvas, value, words),
            Some(Reference::Diagonal) => {
                let (low, high) = (self.x.low.max(self.y.low), self.x.high.min(self.y.high));
                if low >= high {
                    return Ok(());
                }
                // Two axes of the same scale show y = x as a straight line; others as a curve.
                const PIECES: u32 = 64;
                let places: Vec<Place> = (0..=PIECES)
                    .map(|piece| low + (high - low) * f64::from(piece) / f64::from(PIECES))
                    .map(|value| frame.place(&self.x, value, value))
                    .collect();
                canvas.dashed(&places, REFERENCE, 1.25, Dash::Short)?;
                // Left of the line and near its end: speedups are rarely above y = x.
                let y = places.iter().map(|place| place.1).fold(f64::INFINITY, f64::min) + SMALL.size;
                let x =
                    places.iter().filter(|place| place.1 >= y).map(|place| place.0).fold(frame.inside.left, f64::max);
                canvas.text("y = x", (x - 8.0, y), SMALL.colour(FAINT_INK).align(Align::Right))
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
