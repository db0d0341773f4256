//! Charts for paper and page: from an analysis to SVG, PDF, pgf and PNG. Each chart is drawn by a few kinds of panels
//! (lines, stacked bars, strips of points, rows of estimates, steps); what it says is a small function in `figures`.
//! The same analysis gives the same bytes.

mod axis;
mod canvas;
mod captions;
mod error;
pub(crate) mod figures;
mod forest;
mod frame;
#[cfg(test)]
mod golden;
mod legend;
mod line_chart;
mod lines;
mod palette;
mod point;
mod ratios;
#[cfg(test)]
pub(crate) mod samples;
pub(crate) mod sheet;
mod stacked;
mod strips;
mod style;
#[cfg(test)]
mod tests;
mod text;
mod values;
mod waterfall;

use std::panic::AssertUnwindSafe;

use rayon::prelude::*;

use super::Source;
use super::question::{self, Drawn, Subject};
use crate::distinct::distinct;

pub(crate) use crate::record::Column;
pub(crate) use captions::captions;
pub use error::ChartError;
pub(crate) use line_chart::{Line, LineChart, Quantity};
pub(crate) use lines::Reference as Compared;
pub(crate) use ratios::{Ratio, RatioChart};
pub(crate) use values::{BarChart, ValueChart, Words};

pub(crate) use sheet::Sheet;

/// Chart as it is written to files and put on the page.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Chart {
    /// Stem of the names of its files.
    pub name: &'static str,
    pub title: String,
    /// Sentences on how to read the chart.
    pub caption: String,
    /// Positions and depth that were measured.
    pub measured: String,
    /// Sentences that a page says below the drawing: what bars mean, and what to bear in mind.
    pub notes: String,
    /// Title, subtitle, mark, caption and notes: the words that a bare figure lacks.
    pub words: String,
    /// Drawing as SVG for papers.
    pub svg: String,
    /// Drawing as PNG, two pixels a unit.
    pub png: Vec<u8>,
    /// Drawing as PDF, of its size in print.
    pub pdf: Vec<u8>,
    /// Drawing in commands of the LaTeX package pgf.
    pub pgf: String,
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
pub fn names() -> Vec<&'static str> {
    question::charts::<Source>().map(|(name, ..)| *name).collect()
}

/// Names of all charts with what they show, in the order of a report.
pub fn catalogue() -> impl Iterator<Item = (&'static str, &'static str)> {
    question::charts::<Source>().map(|(name, meaning, _)| (*name, *meaning))
}

/// Names that run folders of earlier versions may ask for, of charts that repeated another.
const RETIRED: [&str; 4] = ["efficiency", "factors", "distribution", "speedup-by-depth"];

/// Draws the charts that are asked for in their order; if none is, the first of each question. A chart whose figures
/// the subject does not have is left out.
pub(crate) fn draw<S: Subject>(subject: &S, files: Files) -> Result<Vec<Chart>, ChartError> {
    draw_those_that_can_be(subject, files).and_then(|(charts, failure)| failure.map_or(Ok(charts), Err))
}

/// [`draw`] without the charts whose drawing fails, and the first reason: the others are no worse for it.
pub(crate) fn draw_those_that_can_be<S: Subject>(
    subject: &S,
    files: Files,
) -> Result<(Vec<Chart>, Option<ChartError>), ChartError> {
    let drawn = sheets(subject)?.into_par_iter().map(|(name, sheet)| guarded(name, || drawn(name, &sheet, files)));
    let (charts, failed): (Vec<_>, Vec<_>) = drawn.collect::<Vec<_>>().into_iter().partition(Result::is_ok);
    Ok((charts.into_iter().flatten().collect(), failed.into_iter().find_map(Result::err)))
}

/// Draws a chart, and tells a panic from it.
fn guarded<T>(name: &str, draw: impl FnOnce() -> Result<T, ChartError>) -> Result<T, ChartError> {
    std::panic::catch_unwind(AssertUnwindSafe(draw)).unwrap_or_else(|_| Err(ChartError::Panic(name.to_owned())))
}

/// Names of the charts that are drawn.
pub(crate) fn usual<S: Subject>(subject: &S) -> Result<Vec<&'static str>, ChartError> {
    Ok(sheets(subject)?.into_iter().map(|(name, _)| name).collect())
}

/// What is drawn, by the names of the charts.
fn sheets<S: Subject>(subject: &S) -> Result<Vec<(&'static str, Sheet)>, ChartError> {
    let asked = subject.about().charts;
    let is_kept = |name: &&String| !RETIRED.contains(&name.as_str());
    let find = |name: &String| {
        question::charts::<S>().find(|(other, ..)| other == name).ok_or_else(|| ChartError::Unknown(name.clone()))
    };
    let wanted = distinct(asked.iter().filter(is_kept)).into_iter().map(find).collect::<Result<Vec<_>, _>>()?;
    let sheet = |&(name, _, make): &Drawn<S>| Some((name, make(subject)?));
    Ok(match wanted.is_empty() {
        true => {
            let answered = S::QUESTIONS.iter().filter(|question| (question.sentence)(subject).is_some());
            answered.flat_map(|one| one.charts.iter().filter_map(sheet).take(one.most_charts)).collect()
        }
        false => wanted.into_iter().filter_map(sheet).collect(),
    })
}

fn drawn(name: &'static str, sheet: &Sheet, files: Files) -> Result<Chart, ChartError> {
    let (canvas, title) = (sheet.draw(files.column, files.are_bare), sheet.title.as_str());
    let on_page = if sheet.is_broad() { Column::Double } else { Column::Single };
    let (measured, notes) = sheet.below();
    Ok(Chart {
        name,
        title: title.to_owned(),
        caption: sheet.caption.clone(),
        measured,
        notes,
        words: sheet.words(),
        svg: canvas.to_svg(title),
        png: canvas.to_png()?,
        pdf: canvas.to_pdf(title).ok_or(ChartError::Font)?,
        pgf: canvas.to_pgf(name),
        inline: sheet.draw_on_page(on_page).to_inline_svg(title),
        is_broad: sheet.is_broad(),
    })
}
