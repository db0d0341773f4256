//! Strips of points: how values spread, by category. Every value is drawn; outliers are named, not removed.

use std::collections::HashSet;

use crate::table::number;

use super::axis::Axis;
use super::canvas::{Area, Canvas, Place};
use super::frame::{Bottom, Frame};
use super::point::Point;
use super::style::{CIRCLE, INK, Look, REFERENCE, SMALL};

/// Smallest radius of a point, in units.
const SMALLEST: f64 = 2.0;

/// Greatest number of points in a panel that can each be pointed at: words for all would make a page heavy.
const MOST_TARGETS: usize = 250;

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

impl Strips {
    /// Whether two panels show the same figures, whatever their looks.
    pub fn shows_the_same(&self, other: &Self) -> bool {
        let look = Look::of_curve(0, false);
        let alike = |strip: &Strip| Strip { look, ..strip.clone() };
        let plain = |all: &Self| Self { strips: all.strips.iter().map(alike).collect(), ..all.clone() };
        plain(self) == plain(other)
    }

    /// Names of the strips.
    pub fn names(&self) -> Vec<String> {
        self.strips.iter().map(|strip| strip.name.clone()).collect()
    }

    /// Draws the panel.
    pub fn draw(&self, canvas: &mut Canvas, area: Area) {
        let names = self.names();
        let frame = Frame::draw(canvas, area, Bottom::Categories(&names, &self.strips_name), &self.y);
        let slot = frame.inside.width() / self.strips.len().max(1) as f64;
        let half = (slot * 0.4).min(40.0);
        if let Some(value) = self.level {
            frame.draw_level(canvas, value, "", &[]);
        }
        let shown: Vec<Vec<&Dot>> = self.strips.iter().map(|strip| self.shown(strip)).collect();
        let heights: Vec<Vec<f64>> =
            shown.iter().map(|dots| dots.iter().map(|dot| frame.y.at(dot.value)).collect()).collect();
        let largest = self.strips.iter().map(|strip| strip.look.radius).fold(0.0, f64::max).min(slot / 5.0);
        let radius = radius(&heights, largest, half);
        let have_targets = shown.iter().map(Vec::len).sum::<usize>() <= MOST_TARGETS;
        for (at, (strip, (dots, heights))) in self.strips.iter().zip(shown.iter().zip(&heights)).enumerate() {
            let middle = frame.middle_of(at, self.strips.len());
            let across = |value: f64| [(middle - half, frame.y.at(value)), (middle + half, frame.y.at(value))];
            if let Some(reference) = strip.reference.filter(|value| self.y.has(*value)) {
                canvas.line(&across(reference), REFERENCE, 1.5);
            }
            let (asides, _) = swarm(heights, radius, half);
            let places: Vec<Place> = asides.iter().zip(heights).map(|(aside, &y)| (middle + aside, y)).collect();
            // Panels, not shapes, tell the curves apart.
            canvas.markers(&visible(&places), Look { radius, marker: CIRCLE, ..strip.look });
            for (dot, place) in dots.iter().zip(&places).filter(|(dot, _)| have_targets || dot.outlier.is_some()) {
                let name = dot.outlier.as_ref().map_or(String::new(), |name| format!("; {name}"));
                let words = format!("{}{name}; {}", strip.name, number::figure(dot.value));
                canvas.target(Area::around(*place, radius), &words);
            }
            if let Some(centre) = strip.centre.filter(|centre| self.y.has(centre.y)) {
                canvas.line(&across(centre.y), INK, 2.5);
                frame.y.interval(canvas, &centre, middle, half * 0.4, (INK, 1.75));
                let [(left, y), (right, _)] = across(centre.y);
                let area = Area { left, top: y - 4.0, right, bottom: y + 4.0 };
                canvas.target(area, &format!("{}; mean {}", strip.name, centre.words()));
            }
            let outliers = dots.iter().zip(&places).filter_map(|(dot, place)| Some((dot.outlier.as_ref()?, *place)));
            for (name, place) in outliers {
                let beside = places.iter().filter(|(_, y)| (y - place.1).abs() < SMALL.size / 2.0 + radius);
                let beyond = beside.map(|(x, _)| (x - place.0).abs()).fold(radius + 3.5, f64::max);
                draw_outlier(canvas, frame.inside.right, place, (radius + 3.5, beyond + radius), name);
            }
        }
    }

    /// Points of a strip that are on the axis, from the smallest.
    fn shown<'s>(&self, strip: &'s Strip) -> Vec<&'s Dot> {
        let mut dots: Vec<&Dot> = strip.dots.iter().filter(|dot| self.y.has(dot.value)).collect();
        dots.sort_by(|one, other| one.value.total_cmp(&other.value));
        dots
    }
}

/// Largest radius, up to this one, with which no point of any strip covers another.
fn radius(heights: &[Vec<f64>], largest: f64, half: f64) -> f64 {
    /// Factor by which a radius that is too large is made smaller.
    const SHRINK: f64 = 0.85;
    let is_crowded = |radius: f64| heights.iter().any(|heights| swarm(heights, radius, half).1);
    let mut radius = largest.max(SMALLEST);
    while radius > SMALLEST && is_crowded(radius) {
        radius = (radius * SHRINK).max(SMALLEST);
    }
    radius
}

/// Draws a ring around an outlier, and its name on the side where there is room, beyond the points beside it.
fn draw_outlier(canvas: &mut Canvas, right: f64, (x, y): Place, (ring, beyond): (f64, f64), name: &str) {
    /// Corners of a ring: enough to look round.
    const CORNERS: u32 = 24;
    let angle = |corner: u32| f64::from(corner) / f64::from(CORNERS) * std::f64::consts::TAU;
    let corners = (0..=CORNERS).map(|corner| (x + ring * angle(corner).cos(), y + ring * angle(corner).sin()));
    canvas.line(&corners.collect::<Vec<_>>(), INK, 1.5);
    let (beside, width) = (beyond + 5.0, SMALL.width(name));
    let left = if x + beside + width <= right { x + beside } else { x - beside - width };
    canvas.text(name, (left, y + SMALL.below_middle()), SMALL);
}

/// Places of which none covers another wholly: of those in the same quarter of a pixel, the first.
fn visible(places: &[Place]) -> Vec<Place> {
    let in_quarters = |(x, y): &Place| [x, y].map(|at| (4.0 * at).round() as i64);
    let mut seen = HashSet::new();
    places.iter().filter(|place| seen.insert(in_quarters(place))).copied().collect()
}

/// Distances by which points are moved aside so that none covers another: each to the nearest free place, within half a
/// width. If there is none for some, these are in the middle, and the second value is true.
fn swarm(heights: &[f64], radius: f64, half: f64) -> (Vec<f64>, bool) {
    let apart = 2.0 * radius;
    let steps = (half / radius).floor() as i32;
    // Points with a place of their own: as many as there is room for, of those near by.
    let mut placed: Vec<Place> = Vec::new();
    let mut asides = Vec::with_capacity(heights.len());
    for &y in heights {
        // Heights come in order, so only the last few can be near.
        let near = placed.iter().rev().take_while(|(_, other)| (y - other).abs() < apart);
        let near: Vec<Place> = near.map(|(x, other)| (*x, y - other)).collect();
        let is_free = |x: &f64| near.iter().all(|(other, below)| (x - other).hypot(*below) >= apart - 1e-9);
        let free = (0..=steps).flat_map(|step| [step, -step]).map(|step| f64::from(step) * radius).find(is_free);
        placed.extend(free.map(|x| (x, y)));
        asides.push(free.unwrap_or(0.0));
    }
    let is_crowded = placed.len() < heights.len();
    (asides, is_crowded)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_of_a_swarm_cover_each_other_only_where_they_must() {
        let (aside, is_crowded) = swarm(&[10.0, 11.0, 12.0, 100.0], 4.0, 20.0);
        assert!(!is_crowded);
        assert_eq!(aside[0], 0.0);
        assert_eq!(aside[3], 0.0);
        assert!((aside[0] - aside[1]).abs() >= 7.0 && (aside[1] - aside[2]).abs() >= 7.0, "{aside:?}");
        let (crowded, is_crowded) = swarm(&[5.0; 200], 4.0, 20.0);
        assert!(is_crowded && crowded.len() == 200 && crowded.iter().all(|x| x.abs() <= 20.0));
        let places: Vec<Place> = crowded.iter().map(|x| (*x, 5.0)).collect();
        assert_eq!(visible(&places).len(), 5, "those in the middle are drawn once");
        assert_eq!(swarm(&[], 4.0, 20.0), (vec![], false));
        assert!(radius(&[vec![5.0; 40]], 4.0, 20.0) < 4.0);
    }
}
