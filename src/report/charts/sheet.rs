//! Whole chart: title, panels in a grid, legend and notes, one below the other.

use super::canvas::{Area, Canvas, WIDTH};
use super::font::{Align, Text};
use super::forest::Forest;
use super::legend::{Entry, Legend, Sample};
use super::lines::Lines;
use super::stacked::Stacked;
use super::strips::Strips;
use super::style::{FAINT_INK, LINE, PANEL_TITLE, SMALL, SUBTITLE, TITLE};

/// Paper left free around everything, in units.
const MARGIN: f64 = 14.0;

/// Width between the margins, in units.
const INNER: f64 = WIDTH - 2.0 * MARGIN;

/// Distance between two panels, in units.
const BETWEEN: f64 = 14.0;

/// Distance between a mark and its frame, in units.
const MARK_MARGIN: f64 = 7.0;

/// Greatest number of rows of panels in one chart.
const MOST_ROWS: usize = 10;

/// Chart before it is drawn.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Sheet {
    pub title: String,
    /// Positions and depth that were measured.
    pub subtitle: String,
    /// Sentences on what is drawn, which interval, and what to bear in mind: for the page, not in the drawing.
    pub caption: String,
    /// Mark that says what kind of figures all of them are; for virtual ones.
    pub mark: Option<String>,
    /// Number of panels beside each other.
    pub columns: usize,
    /// Height of a panel, in units, but for those that know their own.
    pub panel_height: f64,
    /// Panels, read along rows.
    pub panels: Vec<Panel>,
    pub legend: Legend,
    /// Lines below the legend.
    pub notes: Vec<String>,
}

/// One panel.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Panel {
    /// Title; empty for none.
    pub title: String,
    pub plot: Plot,
}

/// Content of a panel.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Plot {
    Lines(Lines),
    Stacked(Stacked),
    Strips(Strips),
    Forest(Forest),
}

impl Sheet {
    /// Chart of these panels, as many as there is room for, with all that they show in the legend. Nothing if there is
    /// none. The heights are those of a panel alone and of one among several.
    pub fn with_panels(mut self, mut panels: Vec<Panel>, columns: usize, [alone, among]: [f64; 2]) -> Option<Self> {
        let panel_height = if panels.len() == 1 { alone } else { among };
        self.legend = Legend::of(panels.iter().map(Panel::entries));
        if panels.iter().any(Panel::has_published) {
            self.mark = self.mark.map(|mark| format!("ours: {mark}"));
        }
        let (count, most) = (panels.len(), columns * MOST_ROWS);
        if count > most {
            panels.truncate(most);
            self.notes.push(format!("The first {most} of {count} curves; the tables have all."));
        }
        (count > 0).then_some(Self { columns, panel_height, panels, ..self })
    }

    fn head_height(&self) -> f64 {
        let below = if self.subtitle.is_empty() && self.mark.is_none() { 0.0 } else { LINE + 4.0 };
        MARGIN + TITLE.size + 6.0 + below
    }

    /// Heights of the titles and of the whole of a row of panels.
    fn row_height(&self, row: &[Panel]) -> (f64, f64) {
        let own = |panel: &Panel| match &panel.plot {
            Plot::Forest(forest) => forest.height(),
            Plot::Lines(_) | Plot::Stacked(_) | Plot::Strips(_) => self.panel_height,
        };
        let title = if row.iter().any(|panel| !panel.title.is_empty()) { LINE } else { 0.0 };
        (title, row.iter().map(own).fold(0.0, f64::max) + title)
    }

    fn rows(&self) -> impl Iterator<Item = &[Panel]> {
        self.panels.chunks(self.columns.max(1))
    }

    fn notes_lines(&self) -> Vec<String> {
        self.notes.iter().flat_map(|note| wrapped(SMALL, note, INNER)).collect()
    }

    fn height(&self) -> f64 {
        let rows = self.rows().map(|row| self.row_height(row).1 + BETWEEN).sum::<f64>();
        self.head_height() + rows + self.legend.height(INNER) + self.notes_lines().len() as f64 * LINE + MARGIN
    }

    /// Draws the chart.
    pub fn draw(&self) -> Canvas {
        let mut canvas = Canvas::new(self.height());
        let mut y = MARGIN + TITLE.size * 0.8;
        canvas.text(&TITLE.shortened(&self.title, INNER), (MARGIN, y), TITLE);
        if !self.subtitle.is_empty() || self.mark.is_some() {
            y += LINE + 4.0;
            let mark_width = self.mark.as_ref().map_or(0.0, |mark| draw_mark(&mut canvas, mark, y));
            canvas.text(&SUBTITLE.shortened(&self.subtitle, INNER - mark_width), (MARGIN, y), SUBTITLE);
        }
        let mut top = self.head_height();
        let columns = self.columns.max(1) as f64;
        let width = (INNER - BETWEEN * (columns - 1.0)) / columns;
        for row in self.rows() {
            let (title_height, height) = self.row_height(row);
            for (column, panel) in row.iter().enumerate() {
                let left = MARGIN + column as f64 * (width + BETWEEN);
                let title = PANEL_TITLE.shortened(&panel.title, width);
                canvas.text(&title, (left, top + LINE * 0.75), PANEL_TITLE);
                let area = Area { left, top: top + title_height, right: left + width, bottom: top + height };
                panel.draw(&mut canvas, area);
            }
            top += height + BETWEEN;
        }
        self.legend.draw(&mut canvas, (MARGIN, top), INNER);
        top += self.legend.height(INNER);
        for line in self.notes_lines() {
            canvas.text(&line, (MARGIN, top + LINE * 0.75), SMALL.colour(FAINT_INK));
            top += LINE;
        }
        canvas
    }
}

impl Panel {
    fn has_published(&self) -> bool {
        match &self.plot {
            Plot::Lines(lines) => lines.series.iter().any(|series| series.look.is_published()),
            Plot::Strips(strips) => strips.look.is_published(),
            Plot::Stacked(_) | Plot::Forest(_) => false,
        }
    }

    /// Entries of the legend for all that the panel shows and has a name.
    fn entries(&self) -> Vec<Entry> {
        let entry = |name: &str, sample| Entry { name: name.to_owned(), sample };
        match &self.plot {
            Plot::Lines(Lines { series, .. }) => {
                series.iter().map(|series| entry(&series.name, Sample::Line(series.look))).collect()
            }
            Plot::Stacked(Stacked { layers, .. }) => {
                layers.iter().map(|layer| entry(&layer.name, Sample::Fill(layer.fill))).collect()
            }
            Plot::Strips(_) | Plot::Forest(_) => Vec::new(),
        }
    }

    fn draw(&self, canvas: &mut Canvas, area: Area) {
        match &self.plot {
            Plot::Lines(lines) => lines.draw(canvas, area),
            Plot::Stacked(stacked) => stacked.draw(canvas, area),
            Plot::Strips(strips) => strips.draw(canvas, area),
            Plot::Forest(forest) => forest.draw(canvas, area),
        }
    }
}

/// Draws a mark in a frame at the right margin. Returns the width it takes.
fn draw_mark(canvas: &mut Canvas, mark: &str, baseline: f64) -> f64 {
    let text = SUBTITLE.align(Align::Right);
    let mark = text.shortened(mark, INNER * 0.6);
    let width = text.width(&mark) + 2.0 * MARK_MARGIN;
    let (middle, right) = (baseline - text.below_middle(), WIDTH - MARGIN);
    let (left, top, bottom) = (right - width, middle - LINE / 2.0, middle + LINE / 2.0);
    canvas.line(&[(left, top), (right, top), (right, bottom), (left, bottom), (left, top)], FAINT_INK, 1.0);
    canvas.text(&mark, (right - MARK_MARGIN, baseline), text);
    width + MARGIN
}

/// Words in lines of this width. By hand, since libraries count letters, and here widths are those of the font.
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
    use super::*;

    #[test]
    fn long_notes_are_broken_between_words() {
        let lines = wrapped(SMALL, "as many words as a note may have in a long line", 120.0);
        assert!(lines.len() > 2 && lines.iter().all(|line| SMALL.width(line) <= 120.0), "{lines:?}");
        assert_eq!(lines.join(" "), "as many words as a note may have in a long line");
    }
}
