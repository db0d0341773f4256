//! Charts for paper and page: from an analysis to SVG, PDF and PNG. Each chart is drawn once for all three, by a few
//! kinds of panels (lines, stacked bars, strips of points, rows of estimates); what it says is a small function in
//! `figures`. The same analysis gives the same bytes.

mod axis;
mod bitmap;
mod canvas;
mod column;
pub(in crate::report) mod figures;
mod font;
mod forest;
mod frame;
mod legend;
mod line_chart;
mod lines;
mod pdf;
mod ratios;
#[cfg(test)]
mod samples;
mod sheet;
mod stacked;
mod strips;
mod style;
mod svg;
#[cfg(test)]
mod tests;
mod typeface;
mod waterfall;

use rayon::prelude::*;

use super::Source;
use super::questions::{self, Drawn, QUESTIONS};
use crate::distinct::distinct;

pub(crate) use column::Column;
pub(crate) use line_chart::{Compared, Line, LineChart, Quantity};
pub(crate) use ratios::{Ratio, RatioChart};

pub(in crate::report) use figures::Make;
use sheet::Sheet;

/// Chart as it is written to files and put on the page.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Chart {
    /// Stem of the names of its files.
    pub name: &'static str,
    pub title: String,
    /// Sentences on how to read the chart.
    pub caption: String,
    /// Drawing as SVG, with its font inside.
    pub svg: String,
    /// Drawing as PDF, likewise.
    pub pdf: Vec<u8>,
    /// Drawing as PNG, two pixels a unit of the SVG.
    pub png: Vec<u8>,
    /// Drawing for a page that has the font: in a single column, which can be read on a telephone too.
    pub narrow: String,
    /// Drawing for a page across two columns, where a single one is narrow for the chart.
    pub broad: Option<String>,
}

/// Names of all charts that an experiment may ask for, in the order of a report.
pub fn names() -> Vec<&'static str> {
    questions::charts().map(|(name, ..)| name).collect()
}

/// Names of all charts with what they show, in the order of a report.
pub(crate) fn catalogue() -> impl Iterator<Item = (&'static str, &'static str)> {
    questions::charts().map(|(name, meaning, _)| (name, meaning))
}

/// Reason for which charts cannot be drawn.
#[derive(Debug, thiserror::Error)]
pub enum ChartError {
    /// Name that no chart has.
    #[error("'{0}' is not a chart")]
    Unknown(String),
    /// Failure of the drawing library.
    #[error("cannot draw a chart: {0}")]
    Drawing(String),
    /// Bytes that cannot be compressed.
    #[error("cannot write a chart: {0}")]
    Png(#[from] png::EncodingError),
}

/// Names that run folders of earlier versions may ask for, of charts that repeated another.
const RETIRED: [&str; 2] = ["search-speed-trend", "efficiency"];

/// Draws the charts that the experiment asks for to fill a column of a paper, in its order; if it asks for none, the
/// first of each question. A chart whose figures the analysis does not have is left out.
pub(in crate::report) fn draw(source: &Source<'_>, column: Column) -> Result<Vec<Chart>, ChartError> {
    let asked = &source.analysis.description.charts;
    let is_kept = |name: &&String| !RETIRED.contains(&name.as_str());
    let find = |name: &String| {
        questions::charts().find(|(other, ..)| other == name).ok_or_else(|| ChartError::Unknown(name.clone()))
    };
    let wanted = distinct(asked.iter().filter(is_kept)).into_iter().map(find).collect::<Result<Vec<_>, _>>()?;
    let sheets = |drawn: &[Drawn], most: usize| -> Vec<(&'static str, Sheet)> {
        drawn.iter().filter_map(|(name, _, make)| Some((*name, make(source)?))).take(most).collect()
    };
    let sheets: Vec<(&'static str, Sheet)> = match wanted.is_empty() {
        true => QUESTIONS.iter().flat_map(|question| sheets(question.charts, question.most_charts())).collect(),
        false => sheets(&wanted, usize::MAX),
    };
    sheets.into_par_iter().map(|(name, sheet)| drawn(name, &sheet, column)).collect()
}

fn drawn(name: &'static str, sheet: &Sheet, column: Column) -> Result<Chart, ChartError> {
    let (canvas, title) = (sheet.draw(column), sheet.title.as_str());
    Ok(Chart {
        name,
        title: title.to_owned(),
        caption: sheet.caption.clone(),
        svg: canvas.to_svg(title),
        pdf: canvas.to_pdf(title)?,
        png: canvas.to_png()?,
        narrow: sheet.draw(Column::Single).to_inline_svg(title),
        broad: sheet.is_broad().then(|| sheet.draw(Column::Double).to_inline_svg(title)),
    })
}
