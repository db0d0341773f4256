//! Style of what is drawn: colours that the colour-blind can tell apart (those of Okabe and Ito), and markers and
//! dashes that tell them apart in grey too. What is measured on a real machine is filled and solid, what is virtual is
//! hollow and dashed, what is published is thin and grey.

use super::canvas::{Canvas, Place};
use super::palette::{Colour, Dash, SOLID};
pub(super) use super::palette::{FAINT_INK, GRID, INK, PAPER, REFERENCE};
use super::text::{Text, USUAL_SIZE};

/// Style of titles. One point in print is 1.76 units across two columns, 2.08 in one.
pub(super) const TITLE: Text = Text::new(20.0).bold();
/// Style of what stands below the title.
pub(super) const SUBTITLE: Text = Text::new(16.0).colour(FAINT_INK);
/// Style of titles of panels.
pub(super) const PANEL_TITLE: Text = Text::new(16.0).bold();
/// Style of ticks and names of axes.
pub(super) const TICK_TEXT: Text = Text::new(USUAL_SIZE).colour(FAINT_INK);
/// Style of legends and names: 9 points in print across two columns, 7.7 in one.
pub(super) const SMALL: Text = Text::new(USUAL_SIZE);

/// Distance from one line of small text to the next.
pub(super) const LINE: f64 = 22.0;

const ORANGE: Colour = (0xE6, 0x9F, 0x00);
const SKY: Colour = (0x56, 0xB4, 0xE9);
const GREEN: Colour = (0x00, 0x9E, 0x73);
const BLUE: Colour = (0x00, 0x72, 0xB2);
const VERMILION: Colour = (0xD5, 0x5E, 0x00);
const PURPLE: Colour = (0xCC, 0x79, 0xA7);
/// Yellow is for areas only: a line of it cannot be seen on white.
const YELLOW: Colour = (0xF0, 0xE4, 0x42);

/// Colours of curves, in order.
const COLOURS: [Colour; 8] = [BLUE, VERMILION, GREEN, PURPLE, INK, ORANGE, SKY, FAINT_INK];

/// Shape of a point: the number of its corners, none for a circle; the angle from the top at which the first corner is,
/// in turns; and the distances from the centre of the even and the odd corners, in radii. All shapes cover about the
/// same area.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Marker(u32, f64, f64, f64);

pub(super) const CIRCLE: Marker = Marker(0, 0.0, 1.0, 1.0);
pub(super) const SQUARE: Marker = Marker(4, 0.125, 1.27, 1.27);
const TRIANGLE: Marker = Marker(3, 0.0, 1.42, 1.42);
const DIAMOND: Marker = Marker(4, 0.0, 1.32, 1.32);
const TRIANGLE_DOWN: Marker = Marker(3, 0.5, 1.42, 1.42);
const PENTAGON: Marker = Marker(5, 0.0, 1.16, 1.16);
const STAR: Marker = Marker(10, 0.0, 1.5, 0.68);
const TRIANGLE_RIGHT: Marker = Marker(3, 0.25, 1.42, 1.42);

/// Markers of curves, in order.
const MARKERS: [Marker; 8] = [CIRCLE, SQUARE, TRIANGLE, DIAMOND, TRIANGLE_DOWN, PENTAGON, STAR, TRIANGLE_RIGHT];

/// Pattern of lines that data are compared with.
pub(super) const SHORT: Dash = &[3.0, 4.0];
/// Pattern of virtual curves.
const DASHED: Dash = &[8.0, 5.0];
/// Patterns of what is published, in order.
const DOTTED: [Dash; 2] = [&[2.0, 3.0], &[4.0, 2.0]];

/// Greys of published curves, in order.
const PUBLISHED: [Colour; 2] = [FAINT_INK, REFERENCE];

/// Style of the points and the line of a series.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Look {
    /// Colour of line, points and intervals.
    pub colour: Colour,
    pub marker: Marker,
    /// Radius of points, in units.
    pub radius: f64,
    /// Whether points are outlines only.
    pub hollow: bool,
    pub dash: Dash,
    /// Width of the line, in units.
    pub width: f64,
}

impl Look {
    /// Look of the curve in this place, measured on a real machine or a virtual one.
    pub fn of_curve(place: usize, is_virtual: bool) -> Self {
        let (colour, marker) = (COLOURS[place % COLOURS.len()], MARKERS[place % MARKERS.len()]);
        let dash = if is_virtual { DASHED } else { SOLID };
        Self { colour, marker, radius: 5.0, hollow: is_virtual, dash, width: 2.25 }
    }

    /// Look of the published curve in this place, whose marker differs from that of our first curves.
    pub fn of_published(place: usize) -> Self {
        let (colour, dash) = (PUBLISHED[place % PUBLISHED.len()], DOTTED[place / 2 % DOTTED.len()]);
        let marker = MARKERS[(place + 3) % MARKERS.len()];
        Self { colour, marker, radius: 4.0, hollow: false, dash, width: 1.25 }
    }

    /// Look of what follows from less of a cost of the virtual machine, or from more.
    pub fn of_change(is_more: bool) -> Self {
        Self { marker: if is_more { TRIANGLE } else { TRIANGLE_DOWN }, ..Self::of_curve(is_more.into(), true) }
    }

    /// Look of a curve that stands behind the one that a panel is about.
    pub fn of_background() -> Self {
        Self { colour: REFERENCE, radius: 0.0, dash: SOLID, width: 0.75, ..Self::of_curve(0, false) }
    }

    /// Look of the same curve beside another baseline: thinner, with smaller points.
    pub fn beside_another_baseline(self) -> Self {
        Self { radius: 3.25, width: 1.0, ..self }
    }

    /// Whether this is the look of what is published.
    pub fn is_published(self) -> bool {
        DOTTED.contains(&self.dash)
    }
}

/// Colour of a layer of a stack.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Fill(pub Colour);

impl Fill {
    /// Fills of layers. Their greys go up and down, so that neighbours differ; activities have those of a timeline.
    const ALL: [Self; 8] = [
        Self(BLUE),
        Self(ORANGE),
        Self((0x44, 0x4C, 0x54)),
        Self((0xCF, 0xD5, 0xDA)),
        Self(SKY),
        Self(VERMILION),
        Self(YELLOW),
        Self(PURPLE),
    ];

    /// Fill of the layer in this place.
    pub const fn of_layer(place: usize) -> Self {
        Self::ALL[place % Self::ALL.len()]
    }

    /// Colour of text that can be read on this fill, on a dark page too.
    pub fn ink(self) -> Colour {
        if lightness(self.0) > 0.45 { (0x11, 0x11, 0x11) } else { (0xFE, 0xFE, 0xFE) }
    }
}

/// Lightness from 0, black, to 1, white, as an eye sees it.
fn lightness((red, green, blue): Colour) -> f64 {
    (0.299 * f64::from(red) + 0.587 * f64::from(green) + 0.114 * f64::from(blue)) / 255.0
}

impl Marker {
    /// Corners around a centre; nothing for a circle.
    fn corners(self, (x, y): Place, radius: f64) -> Option<Vec<Place>> {
        let Self(count, first, even, odd) = self;
        let corner = |corner: u32| {
            let angle = (first + f64::from(corner) / f64::from(count)) * std::f64::consts::TAU;
            let distance = radius * if corner.is_multiple_of(2) { even } else { odd };
            (x + distance * angle.sin(), y - distance * angle.cos())
        };
        (count > 0).then(|| (0..count).map(corner).collect())
    }
}

impl Canvas {
    /// Draws points, part by part, which makes the smaller files. A rim of paper sets them off from what is below.
    pub fn markers(&mut self, centres: &[Place], look: Look) {
        /// Width of the rim, in units.
        const RIM: f64 = 1.25;
        /// Greatest number of points with a rim: those of clouds cover little else, and make a page heavy.
        const MOST_RIMS: usize = 100;
        /// Width of the outline of a hollow point, in units.
        const OUTLINE: f64 = 1.75;
        /// Greatest width of the outline, as a share of the radius: small points are hollow too.
        const MOST_OUTLINE: f64 = 0.45;
        let mut shape = |radius, colour| {
            for &centre in centres.iter().filter(|_| look.radius > 0.0) {
                match look.marker.corners(centre, radius) {
                    Some(corners) => self.polygon(corners, colour),
                    None => self.disc(centre, radius, colour),
                }
            }
        };
        if centres.len() <= MOST_RIMS {
            shape(look.radius + RIM, PAPER);
        }
        shape(look.radius, look.colour);
        if look.hollow {
            shape(look.radius - OUTLINE.min(MOST_OUTLINE * look.radius), PAPER);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn the_first_curves_differ_in_grey_too() {
        let looks = (0..8).map(|place| Look::of_curve(place, false));
        let markers: HashSet<_> = looks.map(|look| format!("{:?}", look.marker)).collect();
        assert_eq!(markers.len(), 8, "in grey the markers are left");
        let published = (0..8).map(Look::of_published).map(|look| (look.colour, format!("{:?}", look.marker)));
        assert_eq!(published.collect::<HashSet<_>>().len(), 8);
    }

    #[test]
    fn virtual_curves_are_hollow_and_dashed_and_published_ones_neither() {
        for place in 0..20 {
            let (real, simulated) = (Look::of_curve(place, false), Look::of_curve(place, true));
            assert!(!real.hollow && real.dash == SOLID && !real.is_published());
            assert!(simulated.hollow && simulated.dash != SOLID && !simulated.is_published());
            assert_eq!(real.colour, simulated.colour);
            assert!(Look::of_published(place).is_published());
        }
    }

    #[test]
    fn neighbouring_layers_differ_in_lightness() {
        for pair in Fill::ALL.windows(2) {
            assert!((lightness(pair[0].0) - lightness(pair[1].0)).abs() > 0.1, "{pair:?}");
        }
    }
}
