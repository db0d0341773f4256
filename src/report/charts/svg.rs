//! Drawings as SVG. Neighbours of the same style share an element, and numbers have no more digits than can be seen: a
//! page holds dozens of drawings.

use std::fmt::Write;

use super::canvas::{Area, Canvas, Colour, Place, Shape, Stroke};
use super::font::{self, Align, Text};

impl Canvas {
    /// Drawing as a file of its own. The font is inside, so that it looks the same everywhere.
    pub fn to_svg(&self, title: &str) -> String {
        self.written(title, &format!("<style>{}</style>\n", font::faces()))
    }

    /// Drawing within a page that has the font.
    pub fn to_inline_svg(&self, title: &str) -> String {
        self.written(title, "")
    }

    fn written(&self, title: &str, style: &str) -> String {
        let (width, millimetres) = (self.column.units(), self.column.millimetres());
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{millimetres}mm\" height=\"{}mm\" viewBox=\"0 0 {width} \
             {}\" role=\"img\" aria-label=\"{}\" font-family=\"{}\" font-size=\"{}\" fill=\"none\" \
             stroke-linejoin=\"round\">\n{style}",
            digits(self.height * millimetres / width),
            self.height,
            escaped(title),
            font::FAMILY,
            font::USUAL_SIZE,
        );
        let mut open: Option<Style> = None;
        for shape in &self.shapes {
            let style = Style::of(shape);
            if open.is_some() && open != style {
                svg.push_str("\"/>\n");
            }
            if let Some(style) = style.filter(|_| open != style) {
                style.begin_path(&mut svg);
            }
            open = style;
            push(&mut svg, shape);
        }
        svg.push_str(if open.is_some() { "\"/>\n</svg>\n" } else { "</svg>\n" });
        svg
    }
}

/// Style of a path, which neighbours share.
#[derive(Clone, Copy, PartialEq)]
enum Style {
    Stroke(Stroke),
    Fill(Colour),
    /// Discs of a radius: round ends of lines without length.
    Discs(Colour, f64),
}

impl Style {
    /// Style of a shape; none for text, which is in no path.
    fn of(shape: &Shape) -> Option<Self> {
        match shape {
            Shape::Line(_, stroke) => Some(Self::Stroke(*stroke)),
            Shape::Polygon(_, colour) | Shape::Rectangle(_, colour) => Some(Self::Fill(*colour)),
            Shape::Disc(_, radius, colour) => Some(Self::Discs(*colour, *radius)),
            Shape::Text(..) => None,
        }
    }

    fn begin_path(self, svg: &mut String) {
        match self {
            Self::Fill(colour) => svg.push_str(&format!("<path fill=\"{}\"", hexadecimal(colour))),
            Self::Discs(colour, radius) => svg.push_str(&format!(
                "<path stroke=\"{}\" stroke-width=\"{}\" stroke-linecap=\"round\"",
                hexadecimal(colour),
                digits(radius * 2.0)
            )),
            Self::Stroke(Stroke { colour, width, dash }) => {
                svg.push_str(&format!("<path stroke=\"{}\" stroke-width=\"{}\"", hexadecimal(colour), digits(width)));
                if !dash.is_empty() {
                    let lengths: Vec<String> = dash.iter().map(|length| digits(*length)).collect();
                    svg.push_str(&format!(" stroke-dasharray=\"{}\"", lengths.join(" ")));
                }
            }
        }
        svg.push_str(" d=\"");
    }
}

/// Writes a line through places: the first from the corner, the others from the one before, which is shorter.
fn push_places(svg: &mut String, places: &[Place]) {
    let tenths = |at: f64| (at * 10.0).round() as i64;
    let shown = |tenths: i64| digits(tenths as f64 / 10.0);
    let (mut x, mut y) = (0, 0);
    for (place, (next_x, next_y)) in places.iter().map(|(x, y)| (tenths(*x), tenths(*y))).enumerate() {
        let (across, down) = (shown(next_x - x), shown(next_y - y));
        svg.push_str(&match place {
            0 => format!("M{across} {down}"),
            _ if next_y == y => format!("h{across}"),
            _ if next_x == x => format!("v{down}"),
            _ => format!("l{across} {down}"),
        });
        (x, y) = (next_x, next_y);
    }
}

/// Writes a shape into the path that is open, or a text. All filled shapes turn the same way, so that those which
/// overlap leave no hole.
fn push(svg: &mut String, shape: &Shape) {
    match shape {
        Shape::Line(places, _) => push_places(svg, places),
        Shape::Polygon(corners, _) => {
            push_places(svg, corners);
            svg.push('z');
        }
        Shape::Disc(centre, ..) => push_places(svg, &[*centre, *centre]),
        Shape::Rectangle(Area { left, top, right, bottom }, _) => {
            push_places(svg, &[(*left, *top), (*right, *top), (*right, *bottom), (*left, *bottom)]);
            svg.push('z');
        }
        Shape::Text(words, place, text) => svg.push_str(&written_text(words, *place, *text)),
    }
}

fn written_text(words: &str, (x, y): Place, Text { size, bold, colour, align, upward }: Text) -> String {
    let (x, y) = (digits(x), digits(y));
    let mut element = format!("<text x=\"{x}\" y=\"{y}\" fill=\"{}\"", hexadecimal(colour));
    let mut add = |name: &str, value: &str| {
        // Writing to a text cannot fail.
        let _ = write!(element, " {name}=\"{value}\"");
    };
    if size != font::USUAL_SIZE {
        add("font-size", &digits(size));
    }
    if bold {
        add("font-weight", "bold");
    }
    match align {
        Align::Left => {}
        Align::Center => add("text-anchor", "middle"),
        Align::Right => add("text-anchor", "end"),
    }
    if upward {
        add("transform", &format!("rotate(-90 {x} {y})"));
    }
    format!("{element}>{}</text>\n", escaped(words))
}

/// Number with two digits after the point at most.
pub(super) fn digits(number: f64) -> String {
    let text = format!("{number:.2}");
    let short = text.trim_end_matches('0').trim_end_matches('.');
    if short == "-0" { "0".to_owned() } else { short.to_owned() }
}

fn hexadecimal((red, green, blue): Colour) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}

/// Text as it stands in XML, within an element or an attribute.
fn escaped(text: &str) -> String {
    let plain: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    plain.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
