//! Strips of points: how values spread, by category. Every value is drawn; outliers are named, not removed.

use crate::distinct::found_or_added;

use super::axis::Axis;
use super::canvas::{Area, Canvas, Place};
use super::frame::{Bottom, Frame};
use super::lines::Point;
use super::style::{CIRCLE, INK, Look, PAPER, REFERENCE, SMALL};

/// Smallest radius of a point, in units.
const SMALLEST: f64 = 2.0;

/// Overlap of two points that cannot be seen, in units.
const UNSEEN_OVERLAP: f64 = 0.1;

/// Panel of strips.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Strips {
    /// Strips from left to right.
    pub strips: Vec<Strip>,
    /// Name of what the strips are.
    pub strips_name: String,
    /// Axis from bottom to top.
    pub y: Axis,
    /// Value to compare with everywhere.
    pub level: Option<f64>,
}

/// Values of one category.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Strip {
    /// Name of the category.
    pub name: String,
    /// Look of the points.
    pub look: Look,
    pub dots: Vec<Dot>,
    /// Average of the values, with its interval.
    pub centre: Option<Point>,
    /// Value to compare with.
    pub reference: Option<f64>,
}

/// One value.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Dot {
    pub value: f64,
    /// Name that is written beside the value, if it is an outlier.
    pub outlier: Option<String>,
}

/// Strip with the places of its points.
struct Swarm<'s> {
    strip: &'s Strip,
    /// Middle of the strip, in units from the left.
    middle: f64,
    /// Points from the smallest value.
    dots: Vec<&'s Dot>,
    places: Vec<Place>,
    look: Look,
}

impl Strips {
    /// Whether two panels show the same figures, whatever their looks.
    pub fn shows_the_same(&self, other: &Self) -> bool {
        let plain = |strips: &Self| -> Vec<Strip> {
            let look = Look::of_curve(0, false);
            strips.strips.iter().map(|strip| Strip { look, ..strip.clone() }).collect()
        };
        (&self.strips_name, &self.y, self.level) == (&other.strips_name, &other.y, other.level)
            && plain(self) == plain(other)
    }

    /// Names of the strips.
    pub fn names(&self) -> Vec<String> {
        self.strips.iter().map(|strip| strip.name.clone()).collect()
    }

    /// Draws the panel.
    pub fn draw(&self, canvas: &mut Canvas, area: Area) {
        let names = self.names();
        let frame = Frame::draw(canvas, area, Bottom::Categories(&names, &self.strips_name), &self.y);
        let count = self.strips.len();
        let slot = frame.inside.width() / count.max(1) as f64;
        let half = (slot * 0.4).min(40.0);
        let largest = self.strips.iter().map(|strip| strip.look.radius).fold(0.0, f64::max);
        let radius = self.radius(&frame, largest.min(slot / 5.0), half);
        if let Some(value) = self.level {
            frame.draw_level(canvas, value, "");
        }
        let swarms: Vec<Swarm<'_>> = self
            .strips
            .iter()
            .enumerate()
            .map(|(place, strip)| {
                let (dots, heights) = self.shown(strip, &frame);
                let asides = swarm(&heights, radius, half).unwrap_or_else(|crowded| crowded);
                let middle = frame.middle_of(place, count);
                let places = asides.iter().zip(&heights).map(|(aside, &y)| (middle + aside, y)).collect();
                // Panels, not shapes, tell the curves apart.
                Swarm { strip, middle, dots, places, look: Look { radius, marker: CIRCLE, ..strip.look } }
            })
            .collect();
        for Swarm { strip, middle, .. } in &swarms {
            if let Some(reference) = strip.reference.filter(|value| self.y.has(*value)) {
                let y = frame.y.at(reference);
                canvas.line(&[(middle - half, y), (middle + half, y)], REFERENCE, 1.5);
            }
        }
        draw_points(canvas, &swarms);
        for Swarm { strip, middle, dots, places, .. } in &swarms {
            if let Some(centre) = strip.centre.filter(|centre| self.y.has(centre.y)) {
                let y = frame.y.at(centre.y);
                canvas.line(&[(middle - half, y), (middle + half, y)], INK, 2.5);
                frame.y.interval(canvas, &centre, *middle, half * 0.4, (INK, 1.75));
            }
            for (dot, &place) in dots.iter().zip(places) {
                if let Some(name) = &dot.outlier {
                    draw_outlier(canvas, frame.inside.right, place, radius, name);
                }
            }
        }
    }

    /// Points of a strip that are on the axis, from the smallest, and their heights.
    fn shown<'s>(&self, strip: &'s Strip, frame: &Frame<'_>) -> (Vec<&'s Dot>, Vec<f64>) {
        let mut dots: Vec<&Dot> = strip.dots.iter().filter(|dot| self.y.has(dot.value)).collect();
        dots.sort_by(|one, other| one.value.total_cmp(&other.value));
        let heights = dots.iter().map(|dot| frame.y.at(dot.value)).collect();
        (dots, heights)
    }

    /// Largest radius, up to this one, with which no point of any strip covers another.
    fn radius(&self, frame: &Frame<'_>, largest: f64, half: f64) -> f64 {
        /// Factor by which a radius that is too large is made smaller.
        const SHRINK: f64 = 0.9;
        let heights: Vec<Vec<f64>> = self.strips.iter().map(|strip| self.shown(strip, frame).1).collect();
        let mut radius = largest;
        while radius > SMALLEST && heights.iter().any(|heights| swarm(heights, radius, half).is_err()) {
            radius *= SHRINK;
        }
        radius.max(SMALLEST)
    }
}

/// Draws the points of all strips. Those that none covers are drawn together, which makes the smaller files.
fn draw_points(canvas: &mut Canvas, swarms: &[Swarm<'_>]) {
    let covers = |look: &Look, (x, y): Place, (other_x, other_y): Place| {
        (x - other_x).hypot(y - other_y) < 2.0 * look.radius - UNSEEN_OVERLAP
    };
    let mut alone: Vec<(Look, Vec<Place>)> = Vec::new();
    for Swarm { look, places, .. } in swarms {
        let group = found_or_added(&mut alone, |(known, _)| known == look, || (*look, Vec::new()));
        for (one, place) in places.iter().enumerate() {
            match places.iter().enumerate().any(|(other, at)| other != one && covers(look, *place, *at)) {
                true => canvas.marker(*place, *look),
                false => group.1.push(*place),
            }
        }
    }
    alone.iter().for_each(|(look, places)| canvas.markers(places, *look));
}

/// Draws a ring around a point, and its name on the side where there is room.
fn draw_outlier(canvas: &mut Canvas, right: f64, (x, y): Place, radius: f64, name: &str) {
    /// Corners of a ring: enough to look round.
    const CORNERS: u32 = 24;
    /// Width of the rim of paper around the name, in units. It hides less than a box would.
    const RIM: f64 = 1.5;
    let ring: Vec<Place> = (0..=CORNERS)
        .map(|corner| f64::from(corner) / f64::from(CORNERS) * std::f64::consts::TAU)
        .map(|angle| (x + (radius + 3.5) * angle.cos(), y + (radius + 3.5) * angle.sin()))
        .collect();
    canvas.line(&ring, INK, 1.5);
    let (beside, width) = (radius + 8.0, SMALL.width(name));
    let left = if x + beside + width <= right { x + beside } else { x - beside - width };
    let baseline = y + SMALL.below_middle();
    for (right, down) in [(-RIM, 0.0), (RIM, 0.0), (0.0, -RIM), (0.0, RIM)] {
        canvas.text(name, (left + right, baseline + down), SMALL.colour(PAPER));
    }
    canvas.text(name, (left, baseline), SMALL);
}

/// Distances by which points are moved aside so that none covers another: each to the nearest free place, within half a
/// width. If there is none for some, these are in the middle, and the whole is an error.
fn swarm(heights: &[f64], radius: f64, half: f64) -> Result<Vec<f64>, Vec<f64>> {
    let apart = 2.0 * radius;
    let mut placed: Vec<(f64, f64)> = Vec::with_capacity(heights.len());
    let mut is_crowded = false;
    let steps = (half / radius).floor() as i32;
    let sides = || (0..=steps).flat_map(|step| [step, -step]);
    for &y in heights {
        let mut is_taken = vec![false; 2 * steps as usize + 1];
        // Heights come in order, so only the last few can be near. Each takes the places around it.
        for &(other_x, other_y) in placed.iter().rev().take_while(|(_, other)| (y - other).abs() < apart) {
            let reach = (apart.powi(2) - (y - other_y).powi(2)).sqrt();
            let steps_away = |x: f64| x / radius + f64::from(steps);
            let first = (steps_away(other_x - reach).floor() + 1.0).max(0.0) as usize;
            let last = (steps_away(other_x + reach).ceil() - 1.0).min(2.0 * f64::from(steps)) as usize;
            is_taken.iter_mut().take(last + 1).skip(first).for_each(|taken| *taken = true);
        }
        let free = sides().find(|step| !is_taken[(step + steps) as usize]).map(|step| f64::from(step) * radius);
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
