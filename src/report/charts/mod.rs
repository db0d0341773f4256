//! Charts for paper and page: from an analysis to SVG and PNG. Each chart is drawn once for both, by few kinds of panels
//! (lines, stacked bars, strips of points, rows of estimates); what it says is a small function in `figures`. The same
//! analysis gives the same bytes.

mod axis;
mod canvas;
mod figures;
mod font;
mod forest;
mod frame;
mod legend;
mod lines;
mod ratios;
#[cfg(test)]
mod samples;
mod sheet;
mod stacked;
mod strips;
mod style;
#[cfg(test)]
mod tests;

use super::analysis::Analysis;
use super::published::Published;

pub use ratios::{Ratio, RatioChart, RatioPanel, RatioRow};

use figures::{FIGURES, Figure, Source};

/// A chart.
#[derive(Clone, Debug, PartialEq)]
pub struct Chart {
    /// The stem of its files.
    pub name: &'static str,
    /// What it is about.
    pub title: String,
    /// What is drawn and which interval, in a sentence or two.
    pub caption: String,
    /// It as SVG, with its font inside.
    pub svg: String,
    /// It as PNG, two pixels a unit of the SVG.
    pub png: Vec<u8>,
}

/// Names of all charts that an experiment may ask for, in the order of a report.
pub const NAMES: &[&str] = &{
    let mut names = [""; FIGURES.len()];
    let mut place = 0;
    while place < names.len() {
        names[place] = FIGURES[place].0;
        place += 1;
    }
    names
};

/// Why charts cannot be drawn.
#[derive(Debug, thiserror::Error)]
pub enum ChartError {
    /// There is no chart of this name.
    #[error("'{name}' is not a chart")]
    Unknown {
        /// What stands there.
        name: String,
    },
    /// The font in the program cannot be read.
    #[error("the font of the charts cannot be read")]
    Font,
    /// The drawing library failed.
    #[error("a chart cannot be drawn: {0}")]
    Drawing(String),
    /// The pixels cannot be written as PNG.
    #[error("a chart cannot be written as PNG: {0}")]
    Png(#[from] png::EncodingError),
}

impl ChartError {
    fn drawing(cause: impl std::fmt::Display) -> Self {
        Self::Drawing(cause.to_string())
    }
}

/// Draws the charts that the experiment asks for, in its order; if it asks for none, all that its figures allow. A chart
/// whose figures the analysis does not have is left out.
pub fn draw(analysis: &Analysis, published: &Published) -> Result<Vec<Chart>, ChartError> {
    let source = Source { analysis, published };
    let asked = &analysis.description.charts;
    let mut wanted = Vec::new();
    for name in asked {
        let Some(figure) = FIGURES.iter().find(|(other, _)| other == name) else {
            return Err(ChartError::Unknown { name: name.clone() });
        };
        if !wanted.iter().any(|(other, _)| *other == figure.0) {
            wanted.push(*figure);
        }
    }
    if asked.is_empty() {
        wanted.extend(FIGURES);
    }
    // Widths of words are needed before the first chart is laid out.
    font::register()?;
    let mut charts = Vec::new();
    for (name, make) in wanted {
        let Some(figure) = make(&source) else { continue };
        charts.push(drawn(name, figure)?);
    }
    Ok(charts)
}

fn drawn(name: &'static str, figure: Figure) -> Result<Chart, ChartError> {
    let title = figure.sheet.title.clone();
    let svg = canvas::to_svg(&figure.sheet, &title)?;
    let png = canvas::to_png(&figure.sheet)?;
    Ok(Chart { name, title, caption: figure.caption, svg, png })
}
