//! Whole chart: title, panels in a grid, legend and notes, one below the other.

use super::axis::Axis;
use super::canvas::{Area, Canvas};
use super::column::Column;
use super::font::Text;
use super::forest::Forest;
use super::frame::height_of_upright;
use super::legend::{Entry, Legend, Sample};
use super::lines::{self, Lines, Names};
use super::stacked::Stacked;
use super::strips::Strips;
use super::style::{FAINT_INK, LINE, NARROW_TITLE, PANEL_TITLE, SMALL, SUBTITLE, TITLE};
use super::waterfall::Waterfall;

/// Paper left free around everything, in units.
const MARGIN: f64 = 14.0;

/// Distance between two panels, in units.
const BETWEEN: f64 = 14.0;

/// Distance between a mark and its frame, in units.
const MARK_MARGIN: f64 = 7.0;

/// Greatest number of rows of panels in one chart.
const MOST_ROWS: usize = 10;

/// Greatest height of a panel, in widths.
const HIGHEST: f64 = 0.7;

/// Number of strips or bars beyond which a chart is cramped in a single column.
const MOST_IN_SINGLE: usize = 12;

/// Chart before it is drawn.
#[derive(Clone, Debug, Default, PartialEq)]
pub(in crate::report) struct Sheet {
    pub(super) title: String,
    /// Positions and depth that were measured.
    pub(super) subtitle: String,
    /// Sentences on how to read the chart: for the page, not in the drawing.
    pub(super) caption: String,
    /// Mark that says what kind of figures all of them are; for virtual ones.
    pub(super) mark: Option<String>,
    /// Number of panels beside each other across two columns of a paper. In a single one each stands alone.
    pub(super) columns: usize,
    /// Height of a panel, in units, but for those that know their own.
    pub(super) panel_height: f64,
    /// Panels, read along rows.
    pub(super) panels: Vec<Panel>,
    pub(super) legend: Legend,
    /// Lines below the legend: what bars and markers mean, and what to bear in mind.
    pub(super) notes: Vec<String>,
}

/// Sizes and texts of a sheet in a column.
struct Layout {
    column: Column,
    /// Width between the margins, in units.
    inner: f64,
    /// Number of panels beside each other.
    columns: usize,
    title: Vec<String>,
    subtitle: Vec<String>,
    /// Mark, and whether it stands beside the one line of the subtitle.
    mark: Option<(String, bool)>,
    notes: Vec<String>,
    /// Names at the ends of the lines of the only panel.
    names: Option<Names>,
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
    Waterfall(Waterfall),
}

impl Sheet {
    /// Chart of these panels, as many as there is room for, with all that they show in the legend. Panels that show the
    /// same are one, under both titles. Nothing if there is none. The heights are those of a panel alone and of one
    /// among several.
    pub(super) fn with_panels(mut self, panels: Vec<Panel>, columns: usize, [alone, among]: [f64; 2]) -> Option<Self> {
        let mut panels = merged(panels);
        let panel_height = if panels.len() == 1 { alone } else { among };
        self.legend = Legend::of(panels.iter().map(Panel::entries));
        if panels.iter().any(Panel::has_published) {
            self.mark = self.mark.map(|mark| format!("ours: {mark}"));
            self.subtitle = format!("Ours: {}", self.subtitle);
        }
        let (count, most) = (panels.len(), columns * MOST_ROWS);
        if count > most {
            panels.truncate(most);
            self.notes.push(format!("The first {most} of {count} curves; the tables list all."));
        }
        (count > 0).then_some(Self { columns, panel_height, panels, ..self })
    }

    /// Whether a single column is narrow for the chart: it has several panels, or many bars or strips.
    pub fn is_broad(&self) -> bool {
        self.panels.len() > 1 || self.panels.iter().any(|panel| panel.categories() > MOST_IN_SINGLE)
    }

    fn layout(&self, column: Column) -> Layout {
        let inner = column.units() - 2.0 * MARGIN;
        let (columns, heading) = match column {
            Column::Single => (1, NARROW_TITLE),
            Column::Double => (self.columns.max(1), TITLE),
        };
        let room = inner - 2.0 * MARK_MARGIN;
        let mark = self.mark.as_ref().map(|mark| {
            let mark = SUBTITLE.shortened(mark, room);
            let is_beside = SUBTITLE.width(&self.subtitle) + SUBTITLE.width(&mark) + MARGIN <= room;
            (mark, is_beside)
        });
        let mut layout = Layout {
            column,
            inner,
            columns,
            title: wrapped(heading, &self.title, inner),
            subtitle: wrapped(SUBTITLE, &self.subtitle, inner),
            mark,
            notes: self.notes.iter().flat_map(|note| wrapped(SMALL, note, inner)).collect(),
            names: None,
        };
        if let [Panel { plot: Plot::Lines(lines), .. }] = &self.panels[..] {
            let area = Area { left: 0.0, top: 0.0, right: inner, bottom: self.height_of_panels(&layout) };
            layout.names = lines.names(area).map(|(_, names)| names);
        }
        layout
    }

    /// Height of panels that do not know their own.
    fn height_of_panels(&self, layout: &Layout) -> f64 {
        self.panel_height.min(layout.width_of_panels() * HIGHEST)
    }

    /// Heights of the titles and of the whole of a row of panels.
    fn row_height(&self, row: &[Panel], layout: &Layout) -> (f64, f64) {
        let usual = self.height_of_panels(layout);
        let with_names =
            |names: &[String], y: &Axis| usual + height_of_upright(names, y, layout.width_of_panels()).max(0.0);
        let own = |panel: &Panel| match &panel.plot {
            Plot::Forest(forest) => forest.height(),
            Plot::Waterfall(waterfall) => waterfall.height(),
            Plot::Lines(_) => usual,
            Plot::Stacked(stacked) => with_names(&stacked.categories, &stacked.y),
            Plot::Strips(strips) => with_names(&strips.names(), &strips.y),
        };
        let title = if row.iter().any(|panel| !panel.title.is_empty()) { LINE } else { 0.0 };
        (title, row.iter().map(own).fold(0.0, f64::max) + title)
    }

    /// Legend in this layout: what is written at the ends of lines needs no sample.
    fn legend(&self, layout: &Layout) -> Legend {
        if layout.names.is_some() { self.legend.published() } else { self.legend.clone() }
    }

    fn height(&self, layout: &Layout) -> f64 {
        let rows = self.panels.chunks(layout.columns);
        let rows = rows.map(|row| self.row_height(row, layout).1 + BETWEEN).sum::<f64>();
        let below = self.legend(layout).height(layout.inner) + layout.notes.len() as f64 * LINE + MARGIN;
        layout.height_of_head() + rows + below
    }

    /// Draws the chart to fill a column of a paper.
    pub(super) fn draw(&self, column: Column) -> Canvas {
        let layout = self.layout(column);
        let mut canvas = Canvas::new(column, self.height(&layout));
        layout.draw_head(&mut canvas);
        let mut top = layout.height_of_head();
        let width = layout.width_of_panels();
        for row in self.panels.chunks(layout.columns) {
            let (title_height, height) = self.row_height(row, &layout);
            for (column, panel) in row.iter().enumerate() {
                let left = MARGIN + column as f64 * (width + BETWEEN);
                let title = PANEL_TITLE.shortened(&panel.title, width);
                canvas.text(&title, (left, top + LINE * 0.75), PANEL_TITLE);
                let area = Area { left, top: top + title_height, right: left + width, bottom: top + height };
                panel.draw(&mut canvas, area, layout.names.is_some());
            }
            top += height + BETWEEN;
        }
        let legend = self.legend(&layout);
        legend.draw(&mut canvas, (MARGIN, top), layout.inner);
        top += legend.height(layout.inner);
        for line in &layout.notes {
            canvas.text(line, (MARGIN, top + LINE * 0.75), SMALL.colour(FAINT_INK));
            top += LINE;
        }
        canvas
    }
}

impl Layout {
    fn width_of_panels(&self) -> f64 {
        (self.inner - BETWEEN * (self.columns as f64 - 1.0)) / self.columns as f64
    }

    fn height_of_head(&self) -> f64 {
        let title = self.title.len() as f64 * (TITLE.size + 4.0);
        let own_line = self.mark.as_ref().is_some_and(|(_, is_beside)| !is_beside);
        let lines = self.subtitle.len().max(usize::from(self.mark.is_some())) + usize::from(own_line);
        MARGIN + title + lines as f64 * LINE + if lines > 0 { 6.0 } else { 2.0 }
    }

    fn draw_head(&self, canvas: &mut Canvas) {
        let text = if self.column == Column::Single { NARROW_TITLE } else { TITLE };
        let mut y = MARGIN + TITLE.size * 0.8;
        for line in &self.title {
            canvas.text(line, (MARGIN, y), text);
            y += TITLE.size + 4.0;
        }
        y += 1.0;
        let first = y;
        for line in &self.subtitle {
            canvas.text(line, (MARGIN, y), SUBTITLE);
            y += LINE;
        }
        match &self.mark {
            None => {}
            Some((mark, true)) => draw_mark(canvas, mark, (self.inner + MARGIN - mark_width(mark), first)),
            Some((mark, false)) => draw_mark(canvas, mark, (MARGIN, y + 2.0)),
        }
    }
}

/// Panels of which those that show the same are one, under both titles. Lines of equal figures within a panel are one.
fn merged(panels: Vec<Panel>) -> Vec<Panel> {
    let mut merged: Vec<Panel> = Vec::new();
    for mut panel in panels {
        if let Plot::Lines(Lines { series, .. }) = &mut panel.plot {
            *series = lines::merged(std::mem::take(series));
        }
        match merged.iter_mut().find(|other| other.plot.shows_the_same(&panel.plot) && !panel.title.is_empty()) {
            Some(equal) => equal.title = format!("{} = {}", equal.title, panel.title),
            None => merged.push(panel),
        }
    }
    merged
}

impl Plot {
    /// Whether there is more than one bar, strip or point to compare.
    pub fn has_several(&self) -> bool {
        match self {
            Self::Lines(lines) => lines.series.iter().any(|series| series.points.len() > 1),
            Self::Stacked(stacked) => stacked.categories.len() > 1,
            Self::Strips(strips) => strips.strips.len() > 1,
            Self::Forest(_) | Self::Waterfall(_) => true,
        }
    }

    /// Whether two panels show the same figures, whatever their looks.
    fn shows_the_same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Strips(one), Self::Strips(other)) => one.shows_the_same(other),
            (one, other) => one == other,
        }
    }
}

impl Panel {
    fn has_published(&self) -> bool {
        match &self.plot {
            Plot::Lines(lines) => lines.series.iter().any(|series| series.look.is_published()),
            Plot::Strips(strips) => strips.strips.iter().any(|strip| strip.look.is_published()),
            Plot::Stacked(_) | Plot::Forest(_) | Plot::Waterfall(_) => false,
        }
    }

    /// Number of bars or strips.
    fn categories(&self) -> usize {
        match &self.plot {
            Plot::Strips(strips) => strips.strips.len(),
            Plot::Stacked(stacked) => stacked.categories.len(),
            Plot::Lines(_) | Plot::Forest(_) | Plot::Waterfall(_) => 0,
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
            Plot::Strips(_) | Plot::Forest(_) | Plot::Waterfall(_) => Vec::new(),
        }
    }

    fn draw(&self, canvas: &mut Canvas, area: Area, has_names: bool) {
        match &self.plot {
            Plot::Lines(lines) => {
                let (area, names) = lines.names(area).filter(|_| has_names).unwrap_or((area, Names::new()));
                lines.draw(canvas, area, &names);
            }
            Plot::Stacked(stacked) => stacked.draw(canvas, area),
            Plot::Strips(strips) => strips.draw(canvas, area),
            Plot::Forest(forest) => forest.draw(canvas, area),
            Plot::Waterfall(waterfall) => waterfall.draw(canvas, area),
        }
    }
}

fn mark_width(mark: &str) -> f64 {
    SUBTITLE.width(mark) + 2.0 * MARK_MARGIN
}

/// Draws a mark in a frame that begins at this place.
fn draw_mark(canvas: &mut Canvas, mark: &str, (left, baseline): (f64, f64)) {
    let (middle, right) = (baseline - SUBTITLE.below_middle(), left + mark_width(mark));
    let (top, bottom) = (middle - LINE / 2.0, middle + LINE / 2.0);
    canvas.line(&[(left, top), (right, top), (right, bottom), (left, bottom), (left, top)], FAINT_INK, 1.0);
    canvas.text(mark, (left + MARK_MARGIN, baseline), SUBTITLE);
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
