//! A drawing as commands of the LaTeX package pgf, as plotting libraries write them: lines and areas where they are in
//! the other files, words in the font of the document.

use super::super::text::{Align, LONG, Text};
use super::pdf::number;
use super::{Canvas, Colour, Place, Shape};
use crate::table::latex::escaped;

/// Points of PDF in a millimetre, which TeX calls big points.
const BIG_POINTS: f64 = 72.0 / 25.4;

impl Canvas {
    /// Drawing for `\input` in a document that has the package pgf.
    pub fn to_pgf(&self, name: &str) -> String {
        let scale = self.column.millimetres() * BIG_POINTS / self.column.units();
        let length = |units: f64| format!("{}bp", number(units * scale));
        let point = |&(x, y): &Place| format!("\\pgfqpoint{{{}}}{{{}}}", length(x), length(self.height - y));
        let path = |places: &[Place]| {
            let lines: String =
                places[1..].iter().map(|place| format!("\\pgfpathlineto{{{}}}%\n", point(place))).collect();
            format!("\\pgfpathmoveto{{{}}}%\n{lines}", point(&places[0]))
        };
        let mut picture = format!(
            "% {name}: \\usepackage{{pgf}}, and \\input this file.\n\\begin{{pgfpicture}}%\n\
             \\pgfpathrectangle{{\\pgfpointorigin}}{{\\pgfqpoint{{{}}}{{{}}}}}%\n\\pgfusepath{{use as bounding box}}%\n\
             \\pgfsetroundjoin%\n",
            length(self.column.units()),
            length(self.height)
        );
        for (_, shape) in &self.shapes {
            picture += &match shape {
                Shape::Line(places, ink, width, dash) => {
                    let dash: String = dash.iter().map(|part| format!("{{{}}}", length(*part))).collect();
                    format!(
                        "{}\\pgfsetstrokecolor{{splitpoint}}%\n\\pgfsetlinewidth{{{}}}%\n\
                         \\pgfsetdash{{{dash}}}{{0bp}}%\n{}\\pgfusepath{{stroke}}%\n",
                        colour(*ink),
                        length(*width),
                        path(places)
                    )
                }
                Shape::Polygon(corners, ink) => {
                    format!("{}\\pgfpathclose%\n\\pgfusepath{{fill}}%\n", filled(*ink) + &path(corners))
                }
                Shape::Disc(centre, radius, ink) => format!(
                    "{}\\pgfpathcircle{{{}}}{{{}}}%\n\\pgfusepath{{fill}}%\n",
                    filled(*ink),
                    point(centre),
                    length(*radius)
                ),
                Shape::Words(words, (x, y), text) => {
                    let Text { size, bold, colour: ink, align, upward } = *text;
                    let side = match align {
                        Align::Left => "left,",
                        Align::Center => "",
                        Align::Right => "right,",
                    };
                    // The turn comes last: pgf turns what comes after it, places too.
                    let turn = if upward { ",rotate=90" } else { "" };
                    let weight = if bold { "\\bfseries " } else { "" };
                    let [font, line] = [size, size * 1.2].map(&length);
                    let words_ = format!("\\fontsize{{{font}}}{{{line}}}\\selectfont {weight}{}", escaped(words));
                    // Long words keep to the room that was measured for them, whatever the font of the document.
                    let body = match words.chars().count() {
                        LONG.. => format!("\\resizebox{{{}}}{{\\height}}{{{words_}}}", length(text.width(words))),
                        _ => words_,
                    };
                    let place = format!("x={},y={}", length(*x), length(self.height - y));
                    format!("{}\\pgftext[{side}base,{place}{turn}]{{\\color{{splitpoint}}{body}}}%\n", colour(ink))
                }
            };
        }
        picture + "\\end{pgfpicture}%\n"
    }
}

/// Gives the name of the drawing's colour to this one.
fn colour((red, green, blue): Colour) -> String {
    format!("\\definecolor{{splitpoint}}{{RGB}}{{{red},{green},{blue}}}%\n")
}

fn filled(ink: Colour) -> String {
    colour(ink) + "\\pgfsetfillcolor{splitpoint}%\n"
}
