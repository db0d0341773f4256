//! What charts are drawn on: lines, polygons and text in units of which 800 are the width of a printed page (16 cm). The
//! same calls make an SVG text and a PNG; the PNG is drawn larger and averaged down, which smooths its edges.

use plotters::backend::{BitMapBackend, DrawingBackend, SVGBackend};
use plotters::style::{Color, RGBAColor, ShapeStyle};

use super::ChartError;
use super::font::{self, Text};

/// The width of every chart in units: 16 cm in print, so that one point is 1.76 units.
pub const WIDTH: f64 = 800.0;

/// Backends take whole numbers only; this many of theirs are one unit.
const STEPS_PER_UNIT: f64 = 4.0;

/// Steps that are averaged into one pixel of a PNG, each way. So a PNG has two pixels a unit, 254 an inch.
const STEPS_PER_PIXEL: usize = 2;

/// Pixels in a metre of print: 1600 in 16 cm.
const PIXELS_PER_METRE: u32 = 10_000;

/// A colour.
pub type Colour = (u8, u8, u8);

/// A place, in units from the upper left corner.
pub type Place = (f64, f64);

/// A rectangle, in units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Area {
    /// Its left side.
    pub left: f64,
    /// Its upper side.
    pub top: f64,
    /// Its right side.
    pub right: f64,
    /// Its lower side.
    pub bottom: f64,
}

impl Area {
    /// From left to right.
    pub fn width(&self) -> f64 {
        self.right - self.left
    }

    /// From top to bottom.
    pub fn height(&self) -> f64 {
        self.bottom - self.top
    }
}

/// A surface to draw on.
pub struct Canvas<B> {
    backend: B,
    /// How far below the place where it puts a text the backend draws its baseline, in heights of the font.
    baseline_drop: f64,
}

/// Something that can be drawn on any canvas.
pub trait Drawing {
    /// Its height, in units.
    fn height(&self) -> f64;

    /// Draws it.
    fn draw<B: DrawingBackend>(&self, canvas: &mut Canvas<B>) -> Result<(), ChartError>;
}

impl<B: DrawingBackend> Canvas<B> {
    /// A line through all places.
    pub fn line(&mut self, places: &[Place], colour: Colour, width: f64) -> Result<(), ChartError> {
        // Segment by segment: the corners that a bitmap makes of a thick path stick out.
        for pair in places.windows(2) {
            let (from, to) = (steps(pair[0]), steps(pair[1]));
            if from != to {
                self.backend.draw_line(from, to, &stroke(colour, width)).map_err(ChartError::drawing)?;
            }
        }
        Ok(())
    }

    /// A filled polygon.
    pub fn polygon(&mut self, corners: &[Place], colour: Colour) -> Result<(), ChartError> {
        let corners: Vec<_> = corners.iter().copied().map(steps).collect();
        self.backend.fill_polygon(corners, &opaque(colour)).map_err(ChartError::drawing)
    }

    /// A filled disc.
    pub fn disc(&mut self, centre: Place, radius: f64, colour: Colour) -> Result<(), ChartError> {
        let radius = (radius * STEPS_PER_UNIT).round().max(1.0) as u32;
        self.backend.draw_circle(steps(centre), radius, &opaque(colour), true).map_err(ChartError::drawing)
    }

    /// A filled rectangle.
    pub fn rectangle(&mut self, area: Area, colour: Colour) -> Result<(), ChartError> {
        let (from, to) = (steps((area.left, area.top)), steps((area.right, area.bottom)));
        self.backend.draw_rect(from, to, &opaque(colour), true).map_err(ChartError::drawing)
    }

    /// The outline of a rectangle.
    pub fn outline(&mut self, area: Area, colour: Colour, width: f64) -> Result<(), ChartError> {
        let Area { left, top, right, bottom } = area;
        self.line(&[(left, top), (right, top), (right, bottom), (left, bottom), (left, top)], colour, width)
    }

    /// A text whose baseline begins, is centred or ends at the place.
    pub fn text(&mut self, words: &str, place: Place, text: Text) -> Result<(), ChartError> {
        // Control characters may not stand in XML, and say nothing in a chart.
        let words: String = words.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        let drop = self.baseline_drop * text.size;
        let place = if text.upward { (place.0 - drop, place.1) } else { (place.0, place.1 - drop) };
        let style = font::style(text, STEPS_PER_UNIT);
        self.backend.draw_text(&words, &style, steps(place)).map_err(ChartError::drawing)
    }
}

/// The chart as SVG. The font is inside, so that it looks the same everywhere.
pub fn to_svg(drawing: &impl Drawing, title: &str) -> Result<String, ChartError> {
    font::register()?;
    let (width, height) = size_in_steps(drawing);
    let mut written = String::new();
    {
        let backend = SVGBackend::with_string(&mut written, (width, height));
        draw_on(Canvas { backend, baseline_drop: font::DROP_IN_SVG }, drawing)?;
    }
    // The first line gives the size in steps; it is replaced by one in units that also names the chart.
    let rest = written.split_once('\n').map_or("", |(_, rest)| rest);
    let head = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}\" height=\"{}\" viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"{}\">\n",
        f64::from(width) / STEPS_PER_UNIT,
        f64::from(height) / STEPS_PER_UNIT,
        escaped(title),
    );
    Ok(format!("{head}<style>{}</style>\n{rest}", font::faces()))
}

/// The chart as PNG.
pub fn to_png(drawing: &impl Drawing) -> Result<Vec<u8>, ChartError> {
    font::register()?;
    let (width, height) = size_in_steps(drawing);
    let mut steps = vec![0xFF; width as usize * height as usize * 3];
    {
        let backend = BitMapBackend::with_buffer(&mut steps, (width, height));
        draw_on(Canvas { backend, baseline_drop: font::DROP_IN_BITMAPS }, drawing)?;
    }
    encode(&averaged(&steps, width as usize), width / STEPS_PER_PIXEL as u32, height / STEPS_PER_PIXEL as u32)
}

fn draw_on<B: DrawingBackend>(mut canvas: Canvas<B>, drawing: &impl Drawing) -> Result<(), ChartError> {
    canvas.backend.ensure_prepared().map_err(ChartError::drawing)?;
    canvas
        .rectangle(Area { left: 0.0, top: 0.0, right: WIDTH, bottom: drawing.height().ceil() }, (0xFF, 0xFF, 0xFF))?;
    drawing.draw(&mut canvas)?;
    canvas.backend.present().map_err(ChartError::drawing)
}

fn size_in_steps(drawing: &impl Drawing) -> (u32, u32) {
    ((WIDTH * STEPS_PER_UNIT) as u32, (drawing.height().ceil() * STEPS_PER_UNIT) as u32)
}

fn steps((x, y): Place) -> (i32, i32) {
    ((x * STEPS_PER_UNIT).round() as i32, (y * STEPS_PER_UNIT).round() as i32)
}

fn opaque((red, green, blue): Colour) -> RGBAColor {
    RGBAColor(red, green, blue, 1.0)
}

fn stroke(colour: Colour, width: f64) -> ShapeStyle {
    opaque(colour).stroke_width((width * STEPS_PER_UNIT).round().max(1.0) as u32)
}

fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '&' => escaped.push_str("&amp;"),
            '"' => escaped.push_str("&quot;"),
            c if c.is_control() => escaped.push(' '),
            c => escaped.push(c),
        }
    }
    escaped
}

/// Each square of steps as one pixel.
fn averaged(steps: &[u8], width: usize) -> Vec<u8> {
    let row = width * 3;
    let mut pixels = Vec::with_capacity(steps.len() / (STEPS_PER_PIXEL * STEPS_PER_PIXEL));
    for rows in steps.chunks_exact(row * STEPS_PER_PIXEL) {
        for column in (0..row).step_by(3 * STEPS_PER_PIXEL) {
            for channel in 0..3 {
                let mut sum = 0;
                for y in 0..STEPS_PER_PIXEL {
                    for x in 0..STEPS_PER_PIXEL {
                        sum += usize::from(rows[y * row + column + x * 3 + channel]);
                    }
                }
                let count = STEPS_PER_PIXEL * STEPS_PER_PIXEL;
                pixels.push(((sum + count / 2) / count) as u8);
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
    encoder.set_pixel_dims(Some(png::PixelDimensions {
        xppu: PIXELS_PER_METRE,
        yppu: PIXELS_PER_METRE,
        unit: png::Unit::Meter,
    }));
    let mut writer = encoder.write_header()?;
    writer.write_image_data(pixels)?;
    writer.finish()?;
    Ok(bytes)
}
