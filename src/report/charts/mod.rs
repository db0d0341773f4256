//! Charts for paper and page: from an analysis to SVG and PNG. Each chart is drawn by a few kinds of panels (lines,
//! stacked bars, strips of points, rows of estimates, steps); what it says is a small function in `figures`. The same
//! analysis gives the same bytes.

mod axis;
mod canvas;
mod captions;
mod column;
mod figures;
mod forest;
mod frame;
#[cfg(test)]
mod golden;
mod legend;
mod line_chart;
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
mod text;
mod waterfall;

use rayon::prelude::*;

use super::analysis::Analysis;
use super::published::Published;
use crate::distinct::distinct;

pub(crate) use captions::captions;
pub(crate) use column::Column;
pub(crate) use line_chart::{Line, LineChart, Quantity};
pub(crate) use lines::Reference as Compared;
pub(crate) use ratios::{Ratio, RatioChart};

use figures::{FIGURES, Source};
use sheet::Sheet;

/// Chart as it is written to files and put on the page.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Chart {
    /// Stem of the names of its files.
    pub name: &'static str,
    pub title: String,
    /// Sentences on how to read the chart.
    pub caption: String,
    /// Title, subtitle, mark, caption and notes: the words that a bare figure lacks.
    pub words: String,
    /// Drawing as SVG for papers.
    pub svg: String,
    /// Drawing as PNG, two pixels a unit.
    pub png: Vec<u8>,
    /// Drawing as SVG for a page, in the page's colours.
    pub inline: String,
    /// Whether the drawing for a page is as wide as two columns.
    pub is_broad: bool,
}

/// Wishes for the files of charts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Files {
    /// Column of a paper that the charts fill.
    pub column: Column,
    /// Whether title, subtitle, notes and mark are left to the caption.
    pub are_bare: bool,
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
    #[error("cannot draw a chart: {0}")]
    Drawing(String),
    /// Bytes that cannot be compressed.
    #[error("cannot write a chart: {0}")]
    Png(#[from] png::EncodingError),
}

/// Names that run folders of earlier versions may ask for, of charts that repeated another.
const RETIRED: [&str; 1] = ["search-speed-trend"];

/// Draws the charts that the experiment asks for, in its order; if it asks for none, all
/// that its figures allow. A chart whose figures the analysis does not have is left out.
pub(crate) fn draw(analysis: &Analysis, published: &Published, files: Files) -> Result<Vec<Chart>, ChartError> {
    let source = Source { analysis, published };
    let asked = &analysis.description.charts;
    let find = |name: &String| {
        let figure = FIGURES.into_iter().find(|(other, ..)| other == name);
        figure.ok_or_else(|| ChartError::Unknown(name.clone()))
    };
    let is_kept = |name: &&String| !RETIRED.contains(&name.as_str());
    let mut wanted = distinct(asked.iter().filter(is_kept)).into_iter().map(find).collect::<Result<Vec<_>, _>>()?;
    if asked.is_empty() {
        wanted.extend(FIGURES);
    }
    wanted.into_par_iter().filter_map(|(name, _, make)| Some(drawn(name, &make(&source)?, files))).collect()
}

fn drawn(name: &'static str, sheet: &Sheet, files: Files) -> Result<Chart, ChartError> {
    let (canvas, title) = (sheet.draw(files.column, files.are_bare), sheet.title.as_str());
    let on_page = if sheet.is_broad() { Column::Double } else { Column::Single };
    Ok(Chart {
        name,
        title: title.to_owned(),
        caption: sheet.caption.clone(),
        words: sheet.words(),
        svg: canvas.to_svg(title)?,
        png: canvas.to_png()?,
        inline: sheet.draw(on_page, false).to_inline_svg(title)?,
        is_broad: sheet.is_broad(),
    })
}
