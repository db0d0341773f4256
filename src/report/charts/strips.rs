//! Strips of points: how values spread, by category. Every value is drawn; outliers are named, not removed.

use plotters::backend::DrawingBackend;

use super::ChartError;
use super::axis::Axis;
use super::canvas::{Area, Canvas, Place};
use super::frame::{Bottom, Frame};
use super::lines::Point;
use super::style::{INK, Look, PAPER, REFERENCE, SMALL};

/// Points are not smaller than this radius, in units.
const SMALLEST: f64 = 1.5;

/// A panel of strips.
#[derive(Clone, Debug, PartialEq)]
pub struct Strips {
    /// The strips, from left to right.
    pub strips: Vec<Strip>,
    /// What they are.
    pub strips_name: String,
    /// From bottom to top.
    pub y: Axis,
    /// How points look.
    pub look: Look,
    /// A value to compare with everywhere, and what it is called.
    pub level: Option<(f64, &'static str)>,
}

/// One category.
#[derive(Clone, Debug, PartialEq)]
pub struct Strip {
    /// Its name.
    pub name: String,
    /// Its values.
    pub dots: Vec<Dot>,
    /// What they are on the whole, with its interval.
    pub centre: Option<Point>,
    /// A value to compare with.
    pub reference: Option<f64>,
}

/// A value.
#[derive(Clone, Debug, PartialEq)]
pub struct Dot {
    /// Where it is.
    pub value: f64,
    /// What is written beside it, if it is an outlier.
    pub outlier: Option<String>,
}

impl Strips {
    /// Draws the panel.
    pub fn draw<B: DrawingBackend>(&self, canvas: &mut Canvas<B>, area: Area) -> Result<(), ChartError> {
        let names: Vec<String> = self.strips.iter().map(|strip| strip.name.clone()).collect();
        let frame = Frame::draw(canvas, area, Bottom::Categories(&names, &self.strips_name), &self.y)?;
        let count = self.strips.len();
        let slot = frame.inside.width() / count.max(1) as f64;
        let half = (slot * 0.4).min(40.0);
        let look = Look { radius: self.radius(&frame, self.look.radius.min(slot / 5.0), half), ..self.look };
        if let Some((value, words)) = self.level {
            frame.level(canvas, value, words)?;
        }
        for (place, strip) in self.strips.iter().enumerate() {
            let middle = frame.middle_of(place, count);
            if let Some(reference) = strip.reference.filter(|value| self.y.has(*value)) {
                let y = frame.height_of(reference);
                canvas.line(&[(middle - half, y), (middle + half, y)], REFERENCE, 1.5)?;
            }
            let (dots, heights) = self.shown(strip, &frame);
            let asides = swarm(&heights, look.radius, half).unwrap_or_else(|crowded| crowded);
            let places: Vec<Place> = asides.iter().zip(&heights).map(|(aside, &y)| (middle + aside, y)).collect();
            for &place in &places {
                canvas.marker(place, look)?;
            }
            if let Some(centre) = strip.centre.filter(|centre| self.y.has(centre.y)) {
                self.draw_centre(canvas, &frame, centre, middle, half)?;
            }
            for (dot, &place) in dots.iter().zip(&places) {
                if let Some(name) = &dot.outlier {
                    draw_outlier(canvas, &frame, place, look, name)?;
                }
            }
        }
        Ok(())
    }

    /// The points of a strip that are on the axis, from the smallest, and how high they are.
    fn shown<'s>(&self, strip: &'s Strip, frame: &Frame<'_>) -> (Vec<&'s Dot>, Vec<f64>) {
        let mut dots: Vec<&Dot> = strip.dots.iter().filter(|dot| self.y.has(dot.value)).collect();
        dots.sort_by(|one, other| one.value.total_cmp(&other.value));
        let heights = dots.iter().map(|dot| frame.height_of(dot.value)).collect();
        (dots, heights)
    }

    /// The largest radius, up to this one, with which no point of any strip covers another.
    fn radius(&self, frame: &Frame<'_>, largest: f64, half: f64) -> f64 {
        /// By how much a radius that is too large is made smaller.
        const SHRINK: f64 = 0.9;
        let heights: Vec<Vec<f64>> = self.strips.iter().map(|strip| self.shown(strip, frame).1).collect();
        let mut radius = largest;
        while radius > SMALLEST && heights.iter().any(|heights| swarm(heights, radius, half).is_err()) {
            radius *= SHRINK;
        }
        radius.max(SMALLEST)
    }

    fn draw_centre<B: DrawingBackend>(
        &self,
        canvas: &mut Canvas<B>,
        frame: &Frame<'_>,
        centre: Point,
        middle: f64,
        half: f64,
    ) -> Result<(), ChartError> {
        let y = frame.height_of(centre.y);
        canvas.line(&[(middle - half, y), (middle + half, y)], INK, 2.5)?;
        let Some((low, high)) = centre.ends else { return Ok(()) };
        for end in [low, high] {
            let end = frame.height_of(end).clamp(frame.inside.top, frame.inside.bottom);
            canvas.line(&[(middle, y), (middle, end)], INK, 1.75)?;
            canvas.line(&[(middle - half * 0.4, end), (middle + half * 0.4, end)], INK, 1.75)?;
        }
        Ok(())
    }
}

/// A ring around a point, and its name on the side where there is room.
fn draw_outlier<B: DrawingBackend>(
    canvas: &mut Canvas<B>,
    frame: &Frame<'_>,
    (x, y): Place,
    look: Look,
    name: &str,
) -> Result<(), ChartError> {
    /// Corners of a ring: enough to look round.
    const CORNERS: u32 = 24;
    /// The width of the rim of paper around the name, in units. It hides less than a box would.
    const RIM: f64 = 1.5;
    let ring: Vec<Place> = (0..=CORNERS)
        .map(|corner| f64::from(corner) / f64::from(CORNERS) * std::f64::consts::TAU)
        .map(|angle| (x + (look.radius + 3.5) * angle.cos(), y + (look.radius + 3.5) * angle.sin()))
        .collect();
    canvas.line(&ring, INK, 1.5)?;
    let (beside, width) = (look.radius + 8.0, SMALL.width(name));
    let left = if x + beside + width <= frame.inside.right { x + beside } else { x - beside - width };
    let baseline = y + SMALL.below_middle();
    for (right, down) in [(-RIM, 0.0), (RIM, 0.0), (0.0, -RIM), (0.0, RIM)] {
        canvas.text(name, (left + right, baseline + down), SMALL.colour(PAPER))?;
    }
    canvas.text(name, (left, baseline), SMALL)
}

/// How far aside each of these points goes so that it covers no other: the nearest free place, within half a width. If there
/// is none for some, these are in the middle, and the whole is an error.
fn swarm(heights: &[f64], radius: f64, half: f64) -> Result<Vec<f64>, Vec<f64>> {
    let apart = 2.0 * radius;
    let mut placed: Vec<(f64, f64)> = Vec::with_capacity(heights.len());
    let mut is_crowded = false;
    for &y in heights {
        let is_free = |x: f64| placed.iter().all(|&(other_x, other_y)| (x - other_x).hypot(y - other_y) >= apart);
        let steps = (half / radius).floor() as i32;
        let sides = (0..=steps).flat_map(|step| [f64::from(step), -f64::from(step)]);
        let free = sides.map(|step| step * radius).find(|&x| is_free(x));
        is_crowded |= free.is_none();
        placed.push((free.unwrap_or(0.0), y));
    }
    let asides = placed.into_iter().map(|(x, _)| x).collect();
    if is_crowded { Err(asides) } else { Ok(asides) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_of_a_swarm_cover_each_other_only_where_they_must() {
        let aside = swarm(&[10.0, 11.0, 12.0, 100.0], 4.0, 20.0).unwrap();
        assert_eq!(aside[0], 0.0);
        assert_eq!(aside[3], 0.0);
        assert!((aside[0] - aside[1]).abs() >= 7.0 && (aside[1] - aside[2]).abs() >= 7.0, "{aside:?}");
        let crowded = swarm(&[5.0; 200], 4.0, 20.0).unwrap_err();
        assert!(crowded.len() == 200 && crowded.iter().all(|x| x.abs() <= 20.0));
        assert_eq!(swarm(&[], 4.0, 20.0), Ok(vec![]));
    }
}
