//! Surface that charts are drawn on: shapes and words in units. An SVG has an element for each; plotters paints the
//! pixels of a PNG; PDF and pgf are in modules of their own. All are the same on every machine. What can be pointed at
//! is kept beside the shapes.

mod cff;
mod pdf;
mod pgf;

use plotters::coord::Shift;
use plotters::drawing::DrawingAreaErrorKind;
use plotters::element::DashedPathElement;
use plotters::prelude::{
    BitMapBackend, Circle, Color, DrawingArea, DrawingBackend, IntoDrawingArea, PathElement, Polygon, RGBColor,
    Text as Words,
};

use super::Column;
use super::error::ChartError;
use super::palette::{Colour, Dash, SOLID, VARIABLES};
use super::text::{self, Align, Text};
use crate::pixels::halved;

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
    /// Square around a place.
    pub fn around((x, y): Place, half: f64) -> Self {
        Self { left: x - half, top: y - half, right: x + half, bottom: y + half }
    }

    pub fn width(&self) -> f64 {
        self.right - self.left
    }

    pub fn height(&self) -> f64 {
        self.bottom - self.top
    }

    pub fn has(&self, (x, y): Place) -> bool {
        (self.left..=self.right).contains(&x) && (self.top..=self.bottom).contains(&y)
    }

    pub fn centre(&self) -> Place {
        ((self.left + self.right) / 2.0, (self.top + self.bottom) / 2.0)
    }
}

/// Steps in a unit, since plotters takes whole numbers only.
const STEPS: f64 = 4.0;

/// Steps of a bitmap that are averaged into one pixel, each way: there are two pixels a unit.
const STEPS_PER_PIXEL: u32 = 2;

/// Drawing: its shapes, each above those before it.
pub(super) struct Canvas {
    column: Column,
    /// Length from top to bottom, in units.
    height: f64,
    /// Curve that is being drawn; empty for none.
    pub curve: String,
    shapes: Vec<(String, Shape)>,
    /// Curves, areas and words of what can be pointed at.
    targets: Vec<(String, Area, String)>,
}

enum Shape {
    Line(Vec<Place>, Colour, f64, Dash),
    Polygon(Vec<Place>, Colour),
    Disc(Place, f64, Colour),
    /// Words with the place where their baseline begins, is centred or ends.
    Words(String, Place, Text),
}

impl Canvas {
    pub fn new(column: Column, height: f64) -> Self {
        Self { column, height: height.ceil(), curve: String::new(), shapes: Vec::new(), targets: Vec::new() }
    }

    fn push(&mut self, shape: Shape) {
        self.shapes.push((self.curve.clone(), shape));
    }

    pub fn line(&mut self, places: &[Place], colour: Colour, width: f64) {
        self.dashed(places, colour, width, SOLID);
    }

    /// Draws a line through all places, broken as this dash has it.
    pub fn dashed(&mut self, places: &[Place], colour: Colour, width: f64, dash: Dash) {
        if places.len() > 1 && width > 0.0 {
            self.push(Shape::Line(places.to_vec(), colour, width, dash));
        }
    }

    pub fn polygon(&mut self, corners: Vec<Place>, colour: Colour) {
        self.push(Shape::Polygon(corners, colour));
    }

    pub fn disc(&mut self, centre: Place, radius: f64, colour: Colour) {
        self.push(Shape::Disc(centre, radius, colour));
    }

    pub fn rectangle(&mut self, Area { left, top, right, bottom }: Area, colour: Colour) {
        self.polygon(vec![(left, top), (right, top), (right, bottom), (left, bottom)], colour);
    }

    /// Writes words whose baseline begins, is centred or ends at the place.
    pub fn text(&mut self, words: &str, place: Place, text: Text) {
        if !words.is_empty() {
            self.push(Shape::Words(plain(words), place, text));
        }
    }

    /// Gives an area words that are shown where it is pointed at.
    pub fn target(&mut self, area: Area, words: &str) {
        self.targets.push((self.curve.clone(), area, words.to_owned()));
    }

    /// Drawing as a file of its own: on white paper, with its size in print.
    pub fn to_svg(&self, title: &str) -> String {
        let (width, millimetres) = (self.column.units(), self.column.millimetres());
        let high = (self.height * millimetres / width * 100.0).round() / 100.0;
        let size = format!(" width=\"{millimetres}mm\" height=\"{high}mm\"");
        let paper =
            format!("<rect width=\"{}\" height=\"{}\" fill=\"#ffffff\"/>\n", width * STEPS, self.height * STEPS);
        self.svg(title, &size, &paper)
    }

    /// Drawing within a page, in the page's colours.
    pub fn to_inline_svg(&self, title: &str) -> String {
        // A pixel a unit at most: larger letters than those of the page help nobody.
        let widest = format!(" style=\"max-width:{}px\"", self.column.units());
        let svg = self.svg(title, &widest, "");
        let with_variable = |svg: String, (name, colour): &(&str, Colour)| {
            let colour = hexadecimal(*colour);
            svg.replace(&format!("\"{colour}\""), &format!("\"var({name},{colour})\""))
        };
        VARIABLES.iter().fold(svg, with_variable)
    }

    fn svg(&self, title: &str, size: &str, paper: &str) -> String {
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\"{size} viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\" \
             font-family=\"{}\" font-size=\"{}\" fill=\"none\" stroke-linejoin=\"round\">\n{paper}",
            self.column.units() * STEPS,
            self.height * STEPS,
            escaped(title),
            text::FAMILIES,
            text::USUAL_SIZE * STEPS,
        );
        // Neighbours of the same curve and style are a group, which has their attributes.
        let group = |(curve, shape): &(String, Shape)| data_curve(curve) + &shape.attributes();
        for run in self.shapes.chunk_by(|one, next| group(one) == group(next)) {
            let elements: String = run.iter().map(|(_, shape)| shape.element()).collect();
            svg += &format!("<g{}>\n{elements}</g>\n", group(&run[0]));
        }
        if !self.targets.is_empty() {
            let target = |(curve, area, words): &(String, Area, String)| {
                let [x, y, width, height] = [area.left, area.top, area.width(), area.height()].map(steps);
                let (curve, words) = (data_curve(curve), escaped(words));
                format!(
                    "<rect{curve} x=\"{x}\" y=\"{y}\" width=\"{width}\" \
                     height=\"{height}\"><title>{words}</title></rect>\n"
                )
            };
            svg += &format!("<g fill=\"transparent\">\n{}</g>\n", self.targets.iter().map(target).collect::<String>());
        }
        svg + "</svg>\n"
    }

    /// Drawing as PNG. Shapes are painted larger and averaged down, which smooths their edges; letters are smooth.
    pub fn to_png(&self) -> Result<Vec<u8>, ChartError> {
        let size = [self.column.units(), self.height].map(|length| (length * STEPS) as u32);
        let mut pixels = vec![0xFF; size[0] as usize * size[1] as usize * 3];
        self.draw(&mut pixels, size, Shape::paint)?;
        let mut pixels = halved(&pixels, size[0] as usize);
        let size = size.map(|steps| steps / STEPS_PER_PIXEL);
        self.draw(&mut pixels, size, Shape::write)?;
        encode(&pixels, size, f64::from(size[0]) / self.column.millimetres() * 1000.0)
    }

    /// Draws a part of each shape on a bitmap.
    fn draw(
        &self,
        pixels: &mut [u8],
        [width, height]: [u32; 2],
        part: impl Fn(&Shape, &Bitmap<'_>) -> Result<(), BitmapError>,
    ) -> Result<(), ChartError> {
        let area = BitMapBackend::with_buffer(pixels, (width, height)).into_drawing_area();
        let drawn = self.shapes.iter().try_for_each(|(_, shape)| part(shape, &area)).and_then(|()| area.present());
        drawn.map_err(|cause| ChartError::Drawing(cause.to_string()))
    }
}

type Bitmap<'a> = DrawingArea<BitMapBackend<'a>, Shift>;
type BitmapError = DrawingAreaErrorKind<<BitMapBackend<'static> as DrawingBackend>::ErrorType>;

impl Shape {
    /// Paints the shape, unless it is words, on a bitmap with a pixel for each step.
    fn paint(&self, area: &Bitmap<'_>) -> Result<(), BitmapError> {
        let colour = |(red, green, blue): Colour| RGBColor(red, green, blue);
        let places = |places: &[Place]| places.iter().copied().map(in_steps).collect::<Vec<_>>();
        match self {
            Self::Line(line, ink, width, dash) => {
                let (places, style) = (places(line), colour(*ink).stroke_width(thickness(*width)));
                match *dash {
                    &[on, off] => area.draw(&DashedPathElement::new(places, steps(on), steps(off), style)),
                    // Segment by segment: the corners that a bitmap makes of a thick path stick out.
                    _ => places.windows(2).try_for_each(|pair| area.draw(&PathElement::new(pair, style))),
                }
            }
            Self::Polygon(corners, ink) => area.draw(&Polygon::new(places(corners), colour(*ink))),
            Self::Disc(centre, radius, ink) => {
                area.draw(&Circle::new(in_steps(*centre), thickness(*radius), colour(*ink).filled()))
            }
            Self::Words(..) => Ok(()),
        }
    }

    /// Writes the words, if the shape is some, on a bitmap with a pixel for some steps.
    fn write(&self, area: &Bitmap<'_>) -> Result<(), BitmapError> {
        const PIXELS: f64 = STEPS / STEPS_PER_PIXEL as f64;
        let Self::Words(words, (x, y), text) = self else { return Ok(()) };
        // The baseline lies below the place that a bitmap is given.
        let drop = text::DROP_IN_BITMAPS * text.size;
        let (x, y) = if text.upward { (x - drop, *y) } else { (*x, y - drop) };
        let at = [x, y].map(|length| (length * PIXELS).round().max(0.0) as i32);
        area.draw(&Words::new(words.as_str(), at.into(), text.style(PIXELS)))
    }

    /// SVG element of the shape, without what its group says.
    fn element(&self) -> String {
        match self {
            Self::Line(line, ..) => format!("<polyline{}/>\n", points(line)),
            Self::Polygon(corners, _) => format!("<polygon{}/>\n", points(corners)),
            Self::Disc(centre, radius, _) => {
                let (x, y) = in_steps(*centre);
                format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"{}\"/>\n", thickness(*radius))
            }
            Self::Words(words, place, text) => {
                let (x, y) = in_steps(*place);
                let turn = attribute_if(text.upward, "transform", format!("rotate(270, {x}, {y})"));
                // Long words keep to the room that was measured for them, whatever font draws them.
                let length = match words.chars().count() {
                    text::LONG.. => {
                        attribute("textLength", steps(text.width(words))) + " lengthAdjust=\"spacingAndGlyphs\""
                    }
                    _ => String::new(),
                };
                let words = escaped(words).replace('\'', "&apos;");
                format!("<text x=\"{x}\" y=\"{y}\"{turn}{length}>{words}</text>\n")
            }
        }
    }

    /// Attributes of an SVG group of shapes like this.
    fn attributes(&self) -> String {
        match self {
            Self::Line(_, colour, width, dash) => {
                let lengths: Vec<String> = dash.iter().map(|length| steps(*length).to_string()).collect();
                let dash = attribute_if(!dash.is_empty(), "stroke-dasharray", lengths.join(" "));
                let width = attribute("stroke-width", thickness(*width));
                attribute("stroke", hexadecimal(*colour)) + &width + &dash
            }
            Self::Polygon(_, colour) | Self::Disc(_, _, colour) => attribute("fill", hexadecimal(*colour)),
            Self::Words(_, _, text) => {
                let anchor = match text.align {
                    Align::Left => "",
                    Align::Center => " text-anchor=\"middle\"",
                    Align::Right => " text-anchor=\"end\"",
                };
                let size = attribute_if(text.size != text::USUAL_SIZE, "font-size", text.size * STEPS);
                let weight = attribute_if(text.bold, "font-weight", 600);
                attribute("fill", hexadecimal(text.colour)) + &size + &weight + anchor
            }
        }
    }
}

fn attribute(name: &str, value: impl std::fmt::Display) -> String {
    format!(" {name}=\"{value}\"")
}

/// Attribute that is there on a condition only.
fn attribute_if(is_there: bool, name: &str, value: impl std::fmt::Display) -> String {
    if is_there { attribute(name, value) } else { String::new() }
}

/// Attribute by which a script finds all of a curve.
fn data_curve(curve: &str) -> String {
    attribute_if(!curve.is_empty(), "data-curve", escaped(curve))
}

/// Attribute with the places of a line or of corners.
fn points(places: &[Place]) -> String {
    let places: Vec<String> = places.iter().map(|place| in_steps(*place)).map(|(x, y)| format!("{x},{y}")).collect();
    attribute("points", places.join(" "))
}

/// Place in steps, moved onto the drawing if it lies left of it or above.
fn in_steps((x, y): Place) -> (i32, i32) {
    (steps(x).max(0), steps(y).max(0))
}

/// Width or radius in steps, which can be seen.
fn thickness(length: f64) -> u32 {
    steps(length).max(1) as u32
}

fn steps(length: f64) -> i32 {
    (length * STEPS).round() as i32
}

fn hexadecimal((red, green, blue): Colour) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}

/// Words without control characters, which may not stand in XML and say nothing.
fn plain(words: &str) -> String {
    words.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

/// Words as they stand in XML, within an element or an attribute.
fn escaped(words: &str) -> String {
    plain(words).replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

fn encode(pixels: &[u8], [width, height]: [u32; 2], pixels_per_metre: f64) -> Result<Vec<u8>, ChartError> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, width, height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    // Charts are flat areas: what takes ten times as long saves a tenth of the bytes.
    encoder.set_deflate_compression(png::DeflateCompression::Level(1));
    encoder.set_filter(png::Filter::Up);
    let pixels_per_metre = pixels_per_metre.round() as u32;
    let print = png::PixelDimensions { xppu: pixels_per_metre, yppu: pixels_per_metre, unit: png::Unit::Meter };
    encoder.set_pixel_dims(Some(print));
    let mut writer = encoder.write_header()?;
    writer.write_image_data(pixels)?;
    writer.finish()?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::super::palette::PAPER;
    use super::*;

    #[test]
    fn shapes_and_words_are_on_the_bitmap() {
        let drawn = |draw: &dyn Fn(&mut Canvas)| {
            let mut canvas = Canvas::new(Column::Single, 30.0);
            draw(&mut canvas);
            canvas.to_png().unwrap()
        };
        let blank = drawn(&|_| {});
        let disc = drawn(&|canvas| canvas.disc((9.0, 9.0), 5.0, (0, 0, 0)));
        let across = drawn(&|canvas| canvas.text("ybwc", (20.0, 20.0), Text::new(16.0)));
        let upward = drawn(&|canvas| canvas.text("ybwc", (20.0, 20.0), Text::new(16.0).upward()));
        assert!(disc != blank && across != blank && upward != blank && upward != across && across != disc);
    }

    #[test]
    fn a_page_gives_its_colours_and_a_file_has_its_own() {
        let mut canvas = Canvas::new(Column::Single, 10.0);
        canvas.disc((1.0, 1.0), 1.0, PAPER);
        canvas.target(Area::around((1.0, 1.0), 1.0), "1 < 2");
        let (file, page) = (canvas.to_svg(""), canvas.to_inline_svg(""));
        assert!(file.contains("width=\"85mm\"") && !file.contains("var("), "{file}");
        assert!(page.contains("<g fill=\"var(--card,#ffffff)\">\n<circle cx=\"4\" cy=\"4\" r=\"4\"/>\n</g>"), "{page}");
        assert!(page.contains("<title>1 &lt; 2</title>"), "{page}");
    }
}
