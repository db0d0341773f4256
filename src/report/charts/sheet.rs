//! A whole chart: title, panels in a grid, legend and notes, one below the other.

use plotters::backend::DrawingBackend;

use super::ChartError;
use super::canvas::{Area, Canvas, Drawing, WIDTH};
use super::font::{Align, Text};
use super::forest::Forest;
use super::legend::Legend;
use super::lines::Lines;
use super::stacked::Stacked;
use super::strips::Strips;
use super::style::{FAINT_INK, LINE, PANEL_TITLE, SMALL, SUBTITLE, TITLE};

/// Paper left free around everything, in units.
const MARGIN: f64 = 14.0;

/// Between two panels, in units.
const BETWEEN: f64 = 14.0;

/// Inside the frame of a mark, in units.
const MARK_MARGIN: f64 = 7.0;

/// A chart.
#[derive(Clone, Debug, PartialEq)]
pub struct Sheet {
    /// Its title.
    pub title: String,
    /// What was measured: positions, depth.
    pub subtitle: String,
    /// A mark that says what kind of figures all of them are; for virtual ones.
    pub mark: Option<String>,
    /// How many panels are beside each other.
    pub columns: usize,
    /// The height of a panel, in units, but for those that know their own.
    pub panel_height: f64,
    /// The panels, read along rows.
    pub panels: Vec<Panel>,
    /// The legend.
    pub legend: Legend,
    /// What is said below the legend.
    pub notes: Vec<String>,
}

/// One panel.
#[derive(Clone, Debug, PartialEq)]
pub struct Panel {
    /// Its title; empty for none.
    pub title: String,
    /// What it shows.
    pub plot: Plot,
}

/// What a panel shows.
#[derive(Clone, Debug, PartialEq)]
pub enum Plot {
    /// Lines through points.
    Lines(Lines),
    /// Stacked bars.
    Stacked(Stacked),
    /// Strips of points.
    Strips(Strips),
    /// Estimates in rows.
    Forest(Forest),
}

impl Sheet {
    fn head_height(&self) -> f64 {
        let below = if self.subtitle.is_empty() && self.mark.is_none() { 0.0 } else { LINE + 4.0 };
        MARGIN + TITLE.size + 6.0 + below
    }

    /// The height of a row of panels.
    fn row_height(&self, row: &[Panel]) -> f64 {
        let own = |panel: &Panel| match &panel.plot {
            Plot::Forest(forest) => forest.height(),
            Plot::Lines(_) | Plot::Stacked(_) | Plot::Strips(_) => self.panel_height,
        };
        let title = if row.iter().any(|panel| !panel.title.is_empty()) { LINE } else { 0.0 };
        row.iter().map(own).fold(0.0, f64::max) + title
    }

    fn notes_lines(&self) -> Vec<String> {
        self.notes.iter().flat_map(|note| wrapped(SMALL, note, WIDTH - 2.0 * MARGIN)).collect()
    }
}

impl Drawing for Sheet {
    fn height(&self) -> f64 {
        let rows = self.panels.chunks(self.columns.max(1)).map(|row| self.row_height(row) + BETWEEN).sum::<f64>();
        let legend = self.legend.height(WIDTH - 2.0 * MARGIN);
        self.head_height() + rows + legend + self.notes_lines().len() as f64 * LINE + MARGIN
    }

    fn draw<B: DrawingBackend>(&self, canvas: &mut Canvas<B>) -> Result<(), ChartError> {
        let (left, right) = (MARGIN, WIDTH - MARGIN);
        let mut y = MARGIN + TITLE.size * 0.8;
        canvas.text(&TITLE.shortened(&self.title, right - left), (left, y), TITLE)?;
        if !self.subtitle.is_empty() || self.mark.is_some() {
            y += LINE + 4.0;
            let mark_width = match &self.mark {
                Some(mark) => draw_mark(canvas, mark, right, y)?,
                None => 0.0,
            };
            canvas.text(&SUBTITLE.shortened(&self.subtitle, right - left - mark_width), (left, y), SUBTITLE)?;
        }
        let mut top = self.head_height();
        let columns = self.columns.max(1);
        let width = (right - left - BETWEEN * (columns - 1) as f64) / columns as f64;
        for row in self.panels.chunks(columns) {
            let height = self.row_height(row);
            let title_height = if row.iter().any(|panel| !panel.title.is_empty()) { LINE } else { 0.0 };
            for (column, panel) in row.iter().enumerate() {
                let left = left + column as f64 * (width + BETWEEN);
                let title = PANEL_TITLE.shortened(&panel.title, width);
                canvas.text(&title, (left, top + LINE * 0.75), PANEL_TITLE)?;
                let area = Area { left, top: top + title_height, right: left + width, bottom: top + height };
                panel.plot.draw(canvas, area)?;
            }
            top += height + BETWEEN;
        }
        self.legend.draw(canvas, (left, top), right - left)?;
        top += self.legend.height(right - left);
        for line in self.notes_lines() {
            canvas.text(&line, (left, top + LINE * 0.75), SMALL.colour(FAINT_INK))?;
            top += LINE;
        }
        Ok(())
    }
}

impl Plot {
    fn draw<B: DrawingBackend>(&self, canvas: &mut Canvas<B>, area: Area) -> Result<(), ChartError> {
        match self {
            Self::Lines(lines) => lines.draw(canvas, area),
            Self::Stacked(stacked) => stacked.draw(canvas, area),
            Self::Strips(strips) => strips.draw(canvas, area),
            Self::Forest(forest) => forest.draw(canvas, area),
        }
    }
}

/// A mark in a frame that ends at this place. Returns the width it takes.
fn draw_mark<B: DrawingBackend>(
    canvas: &mut Canvas<B>,
    mark: &str,
    right: f64,
    baseline: f64,
) -> Result<f64, ChartError> {
    let text = SUBTITLE.align(Align::Right);
    let mark = text.shortened(mark, (WIDTH - 2.0 * MARGIN) * 0.6);
    let width = text.width(&mark) + 2.0 * MARK_MARGIN;
    let middle = baseline - text.below_middle();
    let frame = Area { left: right - width, top: middle - LINE / 2.0, right, bottom: middle + LINE / 2.0 };
    canvas.outline(frame, FAINT_INK, 1.0)?;
    canvas.text(&mark, (right - MARK_MARGIN, baseline), text)?;
    Ok(width + MARGIN)
}

/// Words in lines of this width.
fn wrapped(text: Text, words: &str, width: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in words.split_whitespace() {
        match lines.last_mut() {
            Some(line) if text.width(&format!("{line} {word}")) <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(text.shortened(word, width)),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::super::font;
    use super::*;

    #[test]
    fn long_notes_are_broken_between_words() {
        font::register().unwrap();
        let lines = wrapped(SMALL, "as many words as a note may have in a long line", 120.0);
        assert!(lines.len() > 2 && lines.iter().all(|line| SMALL.width(line) <= 120.0), "{lines:?}");
        assert_eq!(lines.join(" "), "as many words as a note may have in a long line");
    }
}
