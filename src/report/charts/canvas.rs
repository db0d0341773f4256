//! Surface that charts are drawn on: shapes and text in units. A chart is drawn once; its shapes then make an SVG text,
//! a PDF and a PNG.

use super::column::Column;
use super::font::Text;
use super::style::{Dash, PAPER, SOLID};

/// Colour in shares of red, green and blue.
pub(super) type Colour = (u8, u8, u8);

/// Place, in units from the upper left corner.
pub(super) type Place = (f64, f64);

/// Rectangle, in units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Area {
    pub left: f64,
    pub top: f64,
    pub right: f64,
    pub bottom: f64,
}

impl Area {
    /// Length from left to right.
    pub fn width(&self) -> f64 {
        self.right - self.left
    }

    /// Length from top to bottom.
    pub fn height(&self) -> f64 {
        self.bottom - self.top
    }

    /// Place in the middle.
    pub fn centre(&self) -> Place {
        ((self.left + self.right) / 2.0, (self.top + self.bottom) / 2.0)
    }
}

/// Drawing: its shapes, each above those before it.
pub(super) struct Canvas {
    /// Column of a paper that the drawing fills.
    pub column: Column,
    /// Length from top to bottom, in units.
    pub height: f64,
    pub shapes: Vec<Shape>,
}

/// Shape of a drawing.
pub(super) enum Shape {
    Line(Vec<Place>, Stroke),
    Polygon(Vec<Place>, Colour),
    Disc(Place, f64, Colour),
    Rectangle(Area, Colour),
    /// Words with the place where their baseline begins, is centred or ends.
    Text(String, Place, Text),
}

/// Style of a line.
#[derive(Clone, Copy, PartialEq)]
pub(super) struct Stroke {
    pub colour: Colour,
    /// Width, in units.
    pub width: f64,
    pub dash: Dash,
}

impl Canvas {
    /// White paper of this height.
    pub fn new(column: Column, height: f64) -> Self {
        let height = height.ceil();
        let mut canvas = Self { column, height, shapes: Vec::new() };
        canvas.rectangle(Area { left: 0.0, top: 0.0, right: column.units(), bottom: height }, PAPER);
        canvas
    }

    /// Draws a line through all places.
    pub fn line(&mut self, places: &[Place], colour: Colour, width: f64) {
        self.dashed(places, colour, width, SOLID);
    }

    /// Draws a line through all places, broken as this dash has it.
    pub fn dashed(&mut self, places: &[Place], colour: Colour, width: f64, dash: Dash) {
        if places.len() > 1 && width > 0.0 {
            self.shapes.push(Shape::Line(places.to_vec(), Stroke { colour, width, dash }));
        }
    }

    /// Draws a filled polygon.
    pub fn polygon(&mut self, corners: Vec<Place>, colour: Colour) {
        self.shapes.push(Shape::Polygon(corners, colour));
    }

    /// Draws a filled disc.
    pub fn disc(&mut self, centre: Place, radius: f64, colour: Colour) {
        self.shapes.push(Shape::Disc(centre, radius, colour));
    }

    /// Draws a filled rectangle.
    pub fn rectangle(&mut self, area: Area, colour: Colour) {
        self.shapes.push(Shape::Rectangle(area, colour));
    }

    /// Writes a text whose baseline begins, is centred or ends at the place.
    pub fn text(&mut self, words: &str, place: Place, text: Text) {
        if words.is_empty() {
            return;
        }
        // Control characters may not stand in XML, and say nothing in a chart.
        let words = words.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        self.shapes.push(Shape::Text(words, place, text));
    }
}
