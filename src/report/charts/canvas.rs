//! Surface that charts are drawn on: shapes and text in units of which 800 are the width of a printed page (16 cm). A
//! chart is drawn once; its shapes then make an SVG text and a PNG. The PNG is drawn larger and averaged down, which
//! smooths its edges.

use plotters::backend::{BitMapBackend, DrawingBackend, SVGBackend};
use plotters::style::{Color, RGBAColor};

use super::ChartError;
use super::font::{self, Text};

/// Width of every chart in units: 16 cm in print, so that one point is 1.76 units.
pub(super) const WIDTH: f64 = 800.0;

/// Steps in a unit: the drawing library takes whole numbers only.
const STEPS_PER_UNIT: f64 = 4.0;

/// Steps that are averaged into one pixel of a PNG, each way. So a PNG has two pixels a unit, 254 an inch.
const STEPS_PER_PIXEL: usize = 2;

/// Pixels in a metre of print: 1600 in 16 cm.
const PIXELS_PER_METRE: u32 = 10_000;

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
    height: f64,
    shapes: Vec<Shape>,
}

enum Shape {
    Line(Vec<Place>, Colour, f64),
    Polygon(Vec<Place>, Colour),
    Disc(Place, f64, Colour),
    Rectangle(Area, Colour),
    Text(String, Place, Text),
}

impl Canvas {
    /// White paper of this height.
    pub fn new(height: f64) -> Self {
        let height = height.ceil();
        let mut canvas = Self { height, shapes: Vec::new() };
        canvas.rectangle(Area { left: 0.0, top: 0.0, right: WIDTH, bottom: height }, (0xFF, 0xFF, 0xFF));
        canvas
    }

    /// Draws a line through all places.
    pub fn line(&mut self, places: &[Place], colour: Colour, width: f64) {
        self.shapes.push(Shape::Line(places.to_vec(), colour, width));
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
        // Control characters may not stand in XML, and say nothing in a chart.
        let words = words.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        self.shapes.push(Shape::Text(words, place, text));
    }

    /// Chart as SVG. The font is inside, so that it looks the same everywhere.
    pub fn to_svg(&self, title: &str) -> Result<String, ChartError> {
        let (width, height) = self.size_in_steps();
        let mut written = String::new();
        self.draw_on(SVGBackend::with_string(&mut written, (width, height)), font::DROP_IN_SVG)?;
        // The first line gives the size in steps; it is replaced by one in units that also names the chart.
        let rest = written.split_once('\n').map_or("", |(_, rest)| rest);
        Ok(format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{}\" viewBox=\"0 0 {width} \
             {height}\" role=\"img\" aria-label=\"{}\">\n<style>{}</style>\n{rest}",
            self.height,
            escaped(title),
            font::faces(),
        ))
    }

    /// Chart as PNG.
    pub fn to_png(&self) -> Result<Vec<u8>, ChartError> {
        let (width, height) = self.size_in_steps();
        let mut steps = vec![0xFF; width as usize * height as usize * 3];
        self.draw_on(BitMapBackend::with_buffer(&mut steps, (width, height)), font::DROP_IN_BITMAPS)?;
        encode(&averaged(&steps, width as usize), width / STEPS_PER_PIXEL as u32, height / STEPS_PER_PIXEL as u32)
    }

    fn size_in_steps(&self) -> (u32, u32) {
        ((WIDTH * STEPS_PER_UNIT) as u32, (self.height * STEPS_PER_UNIT) as u32)
    }

    /// Draws all shapes. The backend puts the baseline of a text `baseline_drop` heights of the font below its place.
    fn draw_on<B: DrawingBackend>(&self, mut backend: B, baseline_drop: f64) -> Result<(), ChartError> {
        font::register()?;
        let mut draw = || {
            backend.ensure_prepared()?;
            for shape in &self.shapes {
                match shape {
                    Shape::Line(places, colour, width) => {
                        let style = opaque(*colour).stroke_width(whole_steps(*width));
                        // Segment by segment: the corners that a bitmap makes of a thick path stick out.
                        for pair in places.windows(2) {
                            let (from, to) = (steps(pair[0]), steps(pair[1]));
                            if from != to {
                                backend.draw_line(from, to, &style)?;
                            }
                        }
                    }
                    Shape::Polygon(corners, colour) => {
                        backend.fill_polygon(corners.iter().copied().map(steps), &opaque(*colour))?;
                    }
                    Shape::Disc(centre, radius, colour) => {
                        backend.draw_circle(steps(*centre), whole_steps(*radius), &opaque(*colour), true)?;
                    }
                    Shape::Rectangle(Area { left, top, right, bottom }, colour) => {
                        backend.draw_rect(steps((*left, *top)), steps((*right, *bottom)), &opaque(*colour), true)?;
                    }
                    Shape::Text(words, (x, y), text) => {
                        let drop = baseline_drop * text.size;
                        let place = if text.upward { (x - drop, *y) } else { (*x, y - drop) };
                        backend.draw_text(words, &font::style(*text, STEPS_PER_UNIT), steps(place))?;
                    }
                }
            }
            backend.present()
        };
        draw().map_err(|cause| ChartError::Drawing(cause.to_string()))
    }
}

fn steps((x, y): Place) -> (i32, i32) {
    ((x * STEPS_PER_UNIT).round() as i32, (y * STEPS_PER_UNIT).round() as i32)
}

/// Steps of a length, at least one.
fn whole_steps(length: f64) -> u32 {
    (length * STEPS_PER_UNIT).round().max(1.0) as u32
}

fn opaque((red, green, blue): Colour) -> RGBAColor {
    RGBAColor(red, green, blue, 1.0)
}

/// Text as the value of an attribute.
fn escaped(text: &str) -> String {
    let plain: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    plain.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// Pixels of a bitmap: each is a square of steps.
fn averaged(steps: &[u8], width: usize) -> Vec<u8> {
    const COUNT: usize = STEPS_PER_PIXEL * STEPS_PER_PIXEL;
    let row = width * 3;
    let mut pixels = Vec::with_capacity(steps.len() / COUNT);
    for rows in steps.chunks_exact(row * STEPS_PER_PIXEL) {
        for column in (0..row).step_by(3 * STEPS_PER_PIXEL) {
            for channel in column..column + 3 {
                let at = |step| usize::from(rows[step / STEPS_PER_PIXEL * row + channel + step % STEPS_PER_PIXEL * 3]);
                pixels.push((((0..COUNT).map(at).sum::<usize>() + COUNT / 2) / COUNT) as u8);
            }
        }
    }
    pixels
}

fn encode(pixels: &[u8], width: u32, height: u32) -> Result<Vec<u8>, ChartError> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, width, height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    let print = png::PixelDimensions { xppu: PIXELS_PER_METRE, yppu: PIXELS_PER_METRE, unit: png::Unit::Meter };
    encoder.set_pixel_dims(Some(print));
    let mut writer = encoder.write_header()?;
    writer.write_image_data(pixels)?;
    writer.finish()?;
    Ok(bytes)
}
