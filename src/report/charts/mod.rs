//! Charts for paper and page: from an analysis to SVG and PNG. Each chart is drawn once for both, by few kinds of
//! panels (lines, stacked bars, strips of points, rows of estimates); what it says is a small function in `figures`.
//! The same analysis gives the same bytes.

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
use crate::distinct::distinct;

pub(crate) use ratios::{Ratio, RatioChart};

use figures::{FIGURES, Source};
use sheet::Sheet;

/// Chart as it is written to files and put on the page.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Chart {
    /// Stem of the names of its files.
    pub name: &'static str,
    pub title: String,
    /// Sentences on what is drawn and which interval.
    pub caption: String,
    /// Drawing as SVG, with its font inside.
    pub svg: String,
    /// Drawing as PNG, two pixels a unit of the SVG.
    pub png: Vec<u8>,
}

/// Names of all charts that an experiment may ask for, in the order of a report.
pub fn names() -> [&'static str; FIGURES.len()] {
    FIGURES.map(|(name, ..)| name)
}

/// Names of all charts with what they show, in the order of a report.
pub(crate) fn catalogue() -> impl Iterator<Item = (&'static str, &'static str)> {
    FIGURES.into_iter().map(|(name, meaning, _)| (name, meaning))
}

/// Reason for which charts cannot be drawn.
#[derive(Debug, thiserror::Error)]
pub enum ChartError {
    /// Name that no chart has.
    #[error("'{0}' is not a chart")]
    Unknown(String),
    /// Failure of the drawing library.
    #[error("a chart cannot be drawn: {0}")]
    Drawing(String),
    /// Pixels that cannot be written as PNG.
    #[error("a chart cannot be written as PNG: {0}")]
    Png(#[from] png::EncodingError),
}

/// Draws the charts that the experiment asks for, in its order; if it asks for none, all that its figures allow. A
/// chart whose figures the analysis does not have is left out.
pub(crate) fn draw(analysis: &Analysis, published: &Published) -> Result<Vec<Chart>, ChartError> {
    let source = Source { analysis, published };
    let asked = &analysis.description.charts;
    let find = |name: &String| {
        let figure = FIGURES.into_iter().find(|(other, ..)| other == name);
        figure.ok_or_else(|| ChartError::Unknown(name.clone()))
    };
    let mut wanted = distinct(asked).into_iter().map(find).collect::<Result<Vec<_>, _>>()?;
    if asked.is_empty() {
        wanted.extend(FIGURES);
    }
    wanted.into_iter().filter_map(|(name, _, make)| Some(drawn(name, make(&source)?))).collect()
}

fn drawn(name: &'static str, sheet: Sheet) -> Result<Chart, ChartError> {
    let canvas = sheet.draw();
    let (svg, png) = (canvas.to_svg(&sheet.title)?, canvas.to_png()?);
    Ok(Chart { name, title: sheet.title, caption: sheet.caption, svg, png })
}
