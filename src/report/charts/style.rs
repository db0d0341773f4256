//! Style of what is drawn: colours that the colour-blind can tell apart (those of Okabe and Ito), and markers, dashes
//! and hatches that tell them apart in grey too. What is measured on a real machine is filled and solid, what is
//! virtual is hollow and dashed, what is published is thin and grey.

use super::canvas::{Area, Canvas, Colour, Place};
use super::font::{Text, USUAL_SIZE};

/// Colour of text and axes.
pub(super) const INK: Colour = (0x20, 0x20, 0x20);
/// Colour of text that matters less.
pub(super) const FAINT_INK: Colour = (0x59, 0x59, 0x59);
/// Colour of the lines of the grid.
pub(super) const GRID: Colour = (0xE2, 0xE2, 0xE2);
/// Colour of lines that data are compared with.
pub(super) const REFERENCE: Colour = (0x80, 0x80, 0x80);
/// Colour of paper.
pub(super) const PAPER: Colour = (0xFF, 0xFF, 0xFF);

/// Style of titles. One point in print is 1.76 units across two columns, 2.08 in one.
pub(super) const TITLE: Text = Text::new(21.0).bold();
/// Style of titles in a single column.
pub(super) const NARROW_TITLE: Text = Text::new(18.0).bold();
/// Style of what stands below the title.
pub(super) const SUBTITLE: Text = Text::new(16.0).colour(FAINT_INK);
/// Style of titles of panels.
pub(super) const PANEL_TITLE: Text = Text::new(17.0).bold();
/// Style of names of axes.
pub(super) const AXIS_NAME: Text = Text::new(17.0);
/// Style of ticks, legends and notes: 9 points in print across two columns, 7.7 in one.
pub(super) const SMALL: Text = Text::new(USUAL_SIZE);

/// Distance from one line of small text to the next.
pub(super) const LINE: f64 = 22.0;

const BLACK: Colour = (0x00, 0x00, 0x00);
const ORANGE: Colour = (0xE6, 0x9F, 0x00);
const SKY: Colour = (0x56, 0xB4, 0xE9);
const GREEN: Colour = (0x00, 0x9E, 0x73);
const BLUE: Colour = (0x00, 0x72, 0xB2);
const VERMILION: Colour = (0xD5, 0x5E, 0x00);
const PURPLE: Colour = (0xCC, 0x79, 0xA7);

/// Yellow is for areas only: a line of it cannot be seen on white.
const YELLOW: Colour = (0xF0, 0xE4, 0x42);

/// Colours of curves, in order.
const COLOURS: [Colour; 7] = [BLUE, VERMILION, GREEN, PURPLE, BLACK, ORANGE, SKY];

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
const HEXAGON: Marker = Marker(6, 0.25, 1.12, 1.12);
const TRIANGLE_LEFT: Marker = Marker(3, 0.75, 1.42, 1.42);
const TRIANGLE_RIGHT: Marker = Marker(3, 0.25, 1.42, 1.42);
const CROSS: Marker = Marker(8, 0.125, 1.7, 0.5);
const PLUS: Marker = Marker(8, 0.0, 1.7, 0.5);

/// Markers of curves, in order. There are eight of them and seven colours: the pair repeats after 56 curves only.
const MARKERS: [Marker; 8] = [CIRCLE, SQUARE, TRIANGLE, DIAMOND, TRIANGLE_DOWN, PENTAGON, STAR, HEXAGON];

/// Markers of published curves, in order: first those that our first curves do not have.
const PUBLISHED_MARKERS: [Marker; 12] = [
    DIAMOND,
    CROSS,
    TRIANGLE_DOWN,
    CIRCLE,
    STAR,
    TRIANGLE_LEFT,
    SQUARE,
    PLUS,
    TRIANGLE,
    PENTAGON,
    TRIANGLE_RIGHT,
    HEXAGON,
];

/// Pattern of a broken line: lengths of dash, gap, dash, gap, in units; empty for a solid line.
pub(super) type Dash = &'static [f64];

pub(super) const SOLID: Dash = &[];
/// Pattern of lines that data are compared with.
pub(super) const SHORT: Dash = &[4.0, 3.0];
/// Patterns of what is published, in order: dots, dots and dashes in turn, close dots.
const DOTTED: [Dash; 3] = [&[1.5, 3.0], &[1.5, 2.5, 5.0, 2.5], &[1.5, 1.5]];

/// Dashes of virtual curves, in order: medium, a dash and a dot in turn, short, long.
const DASHES: [Dash; 4] = [&[8.0, 4.0], &[9.0, 3.5, 2.0, 3.5], SHORT, &[14.0, 4.0]];

/// Greys of published curves, in order. Four can be told apart; with the markers, twelve curves can.
const PUBLISHED: [u8; 4] = [0x20, 0x84, 0x54, 0xA4];

/// Colours and hatches of stacked layers. Their greys go up and down, so that neighbours differ.
const FILLS: [Fill; 7] = [
    Fill { colour: BLUE, hatch: Hatch::None },
    Fill { colour: ORANGE, hatch: Hatch::Rising },
    Fill { colour: (0x28, 0x28, 0x28), hatch: Hatch::None },
    Fill { colour: SKY, hatch: Hatch::Falling },
    Fill { colour: YELLOW, hatch: Hatch::None },
    Fill { colour: VERMILION, hatch: Hatch::Level },
    Fill { colour: (0xDD, 0xDD, 0xDD), hatch: Hatch::Dots },
];

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

/// Style of a layer of a stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Fill {
    pub colour: Colour,
    pub hatch: Hatch,
}

/// Lines or dots over a colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Hatch {
    None,
    /// Lines from lower left to upper right.
    Rising,
    /// Lines from upper left to lower right.
    Falling,
    Level,
    Dots,
}

impl Look {
    /// Look of the curve in this place, measured on a real machine or a virtual one.
    pub fn of_curve(place: usize, is_virtual: bool) -> Self {
        Self {
            colour: COLOURS[place % COLOURS.len()],
            marker: MARKERS[place % MARKERS.len()],
            radius: 5.5,
            hollow: is_virtual,
            dash: if is_virtual { DASHES[place % DASHES.len()] } else { SOLID },
            width: 2.25,
        }
    }

    /// Look of the published curve in this place.
    pub fn of_published(place: usize) -> Self {
        let (grey, dash) = (PUBLISHED[place % PUBLISHED.len()], DOTTED[place % DOTTED.len()]);
        let marker = PUBLISHED_MARKERS[place % PUBLISHED_MARKERS.len()];
        Self { colour: (grey, grey, grey), marker, radius: 4.0, hollow: false, dash, width: 1.25 }
    }

    /// Look of what follows from less of a cost of the virtual machine, or from more.
    pub fn of_change(is_more: bool) -> Self {
        Self { marker: if is_more { TRIANGLE } else { TRIANGLE_DOWN }, ..Self::of_curve(is_more.into(), true) }
    }

    /// Whether this is the look of what is published.
    pub fn is_published(self) -> bool {
        DOTTED.contains(&self.dash)
    }

    /// Look of points that are not joined.
    #[must_use]
    pub fn without_line(self) -> Self {
        Self { width: 0.0, ..self }
    }

    /// Look of a fit to these points: with a thin line.
    #[must_use]
    pub fn thin(self) -> Self {
        Self { width: 1.0, dash: if self.hollow { SHORT } else { SOLID }, ..self }
    }
}

impl Fill {
    /// Fill of the layer in this place.
    pub const fn of_layer(place: usize) -> Self {
        FILLS[place % FILLS.len()]
    }

    /// Colour of text that can be read on this fill.
    pub fn ink(self) -> Colour {
        if lightness(self.colour) > 0.45 { INK } else { PAPER }
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
    /// Draws a point. A rim of paper sets it off from what is below.
    pub fn marker(&mut self, centre: Place, look: Look) {
        self.markers(&[centre], look);
    }

    /// Draws points of which none covers another, part by part, which makes the smaller files.
    pub fn markers(&mut self, centres: &[Place], look: Look) {
        /// Width of the rim, in units.
        const RIM: f64 = 1.0;
        /// Width of the outline of a hollow point, in units.
        const OUTLINE: f64 = 1.75;
        /// Greatest width of the outline, as a share of the radius: small points are hollow too.
        const MOST_OUTLINE: f64 = 0.45;
        let mut shape = |radius, colour| {
            for &centre in centres {
                match look.marker.corners(centre, radius) {
                    Some(corners) => self.polygon(corners, colour),
                    None => self.disc(centre, radius, colour),
                }
            }
        };
        shape(look.radius + RIM, PAPER);
        shape(look.radius, look.colour);
        if look.hollow {
            shape(look.radius - OUTLINE.min(MOST_OUTLINE * look.radius), PAPER);
        }
    }

    /// Draws rectangles with their hatch.
    pub fn filled(&mut self, areas: &[Area], fill: Fill) {
        areas.iter().for_each(|area| self.rectangle(*area, fill.colour));
        areas.iter().for_each(|area| self.hatch(*area, fill));
    }

    fn hatch(&mut self, area: Area, fill: Fill) {
        /// Distance from one line or dot to the next, in units.
        const PITCH: f64 = 6.0;
        const WIDTH: f64 = 0.75;
        /// Length of a dot, in units.
        const DOT: f64 = 1.5;
        let ink = fill.ink();
        let Area { left, top, right, bottom } = area;
        match fill.hatch {
            Hatch::None => {}
            Hatch::Level => {
                for y in multiples(PITCH, top, bottom) {
                    self.line(&[(left, y), (right, y)], ink, WIDTH);
                }
            }
            Hatch::Rising | Hatch::Falling => {
                let sign = if fill.hatch == Hatch::Rising { -1.0 } else { 1.0 };
                // Lines y = sign x + shift that meet the rectangle.
                let sides = (sign * left, sign * right);
                let (low, high) = (top - sides.0.max(sides.1), bottom - sides.0.min(sides.1));
                for shift in multiples(PITCH * std::f64::consts::SQRT_2, low, high) {
                    let at = |y: f64| (y - shift) / sign;
                    let (from, to) = (at(top).min(at(bottom)).max(left), at(top).max(at(bottom)).min(right));
                    self.line(&[(from, sign * from + shift), (to, sign * to + shift)], ink, WIDTH);
                }
            }
            Hatch::Dots => {
                // Rows of dots are broken lines, which makes the smaller files.
                for y in multiples(PITCH, top, bottom - 1.0).filter(|y| *y > top + 1.0) {
                    let first = multiples(PITCH, left + 1.0, right - 1.0).next();
                    let row = first.map(|first| [(first, y), (right - 1.0, y)]);
                    row.iter().for_each(|row| self.dashed(row, ink, DOT, &[DOT, PITCH - DOT]));
                }
            }
        }
    }
}

/// Multiples of a pitch in a range. They are counted from a common origin, so that neighbours continue each other.
fn multiples(pitch: f64, from: f64, to: f64) -> impl Iterator<Item = f64> {
    let first = (from / pitch).ceil();
    (0_u32..).map(move |count| (first + f64::from(count)) * pitch).take_while(move |place| *place < to)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn the_first_curves_differ_in_grey_too() {
        let looks: Vec<_> = (0..40).map(|place| Look::of_curve(place, false)).collect();
        let kinds: HashSet<_> = looks.iter().map(|look| (look.colour, format!("{:?}", look.marker))).collect();
        assert_eq!(kinds.len(), 40);
        let markers: HashSet<_> = looks[..8].iter().map(|look| format!("{:?}", look.marker)).collect();
        assert_eq!(markers.len(), 8, "in grey the markers are left");
    }

    #[test]
    fn published_curves_differ_in_marker_and_their_neighbours_in_grey() {
        let looks: Vec<_> = (0..12).map(Look::of_published).collect();
        let markers: HashSet<_> = looks.iter().map(|look| format!("{:?}", look.marker)).collect();
        assert_eq!(markers.len(), 12);
        for pair in looks.windows(2) {
            assert!((lightness(pair[0].colour) - lightness(pair[1].colour)).abs() > 0.15, "{pair:?}");
        }
        assert!(looks.iter().all(|look| look.is_published()));
        assert!((0..20).all(|place| !Look::of_curve(place, place % 2 == 0).is_published()));
    }

    #[test]
    fn virtual_curves_are_hollow_and_dashed() {
        for place in 0..20 {
            let (real, simulated) = (Look::of_curve(place, false), Look::of_curve(place, true));
            assert!(!real.hollow && real.dash == SOLID);
            assert!(simulated.hollow && simulated.dash != SOLID && simulated.thin().dash != SOLID);
            assert_eq!(real.colour, simulated.colour);
        }
    }

    #[test]
    fn layers_without_hatch_can_be_told_apart_in_grey() {
        let plain: Vec<f64> =
            FILLS.iter().filter(|fill| fill.hatch == Hatch::None).map(|fill| lightness(fill.colour)).collect();
        for (place, one) in plain.iter().enumerate() {
            assert!(plain[..place].iter().all(|other| (one - other).abs() > 0.15), "{plain:?}");
        }
    }

    #[test]
    fn neighbouring_layers_differ_in_lightness_or_hatch() {
        for place in 0..FILLS.len() - 1 {
            let (one, next) = (Fill::of_layer(place), Fill::of_layer(place + 1));
            assert!((lightness(one.colour) - lightness(next.colour)).abs() > 0.1, "layers {place} and the next");
            assert_ne!((one.colour, one.hatch), (next.colour, next.hatch));
        }
    }
}
