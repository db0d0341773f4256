//! Whole chart: title, panels in a grid, legend and notes, one below the other.

use super::Column;
use super::axis::Axis;
use super::canvas::{Area, Canvas};
use super::forest::Forest;
use super::frame::height_of_upright;
use super::legend::{Entry, Legend, Sample};
use super::lines::{self, Lines, Names};
use super::stacked::Stacked;
use super::strips::Strips;
use super::style::{FAINT_INK, LINE, PANEL_TITLE, SMALL, SUBTITLE, TITLE};
use super::text::Text;
use super::waterfall::Waterfall;

/// Paper left free around everything, in units.
const MARGIN: f64 = 14.0;

/// Distance between two panels, in units.
const BETWEEN: f64 = 14.0;

/// Greatest number of rows of panels in one chart.
const MOST_ROWS: usize = 10;

/// Greatest height of a panel, in widths.
const HIGHEST: f64 = 0.7;

/// Greatest height of a panel on a page, in units.
const HIGHEST_ON_PAGE: f64 = 300.0;

/// Number of small multiples beside each other.
const MULTIPLES: usize = 3;

/// Greatest height of a small multiple, in units.
const SMALL_MULTIPLE: f64 = 240.0;

/// Greatest number of panels in which lines have their names beside them; more share a legend.
const MOST_NAMED: usize = 2;

/// Number of strips or bars beyond which a chart is cramped in a single column.
const MOST_IN_SINGLE: usize = 12;

/// Chart before it is drawn.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Sheet {
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
    /// Whether panels with a single place from left to right are left out.
    pub(super) drops_single_places: bool,
    pub(super) legend: Legend,
    /// Lines below the legend: what bars and markers mean, and what to bear in mind.
    pub(super) notes: Vec<String>,
}

/// Sizes of a sheet in a column, and its lines of words.
struct Layout {
    /// Width between the margins, in units.
    inner: f64,
    /// Number of panels beside each other.
    columns: usize,
    title: Vec<String>,
    subtitle: Vec<String>,
    notes: Vec<String>,
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
    /// The chart with another note on its bars.
    pub(super) fn noting(mut self, bars: impl Into<String>) -> Self {
        self.notes[0] = bars.into();
        self
    }

    /// Chart of these panels, as many as there is room for, with all that they show in the legend. Panels that show the
    /// same are one, under both titles. Nothing if there is none. The heights are those of a panel alone and of one
    /// among several.
    pub(super) fn with_panels(
        mut self,
        mut panels: Vec<Panel>,
        columns: usize,
        [alone, among]: [f64; 2],
    ) -> Option<Self> {
        if self.drops_single_places {
            panels.retain(|panel| panel.plot.has_several());
        }
        let before = panels.len();
        let mut panels: Vec<Panel> = merged(panels).into_iter().flat_map(Panel::multiples).collect();
        let columns = match panels.len() {
            count if count <= before.max(1) => columns,
            3 | 5.. => MULTIPLES,
            few => few.min(2),
        };
        let panel_height = match panels.len() {
            1 => alone,
            _ if columns == MULTIPLES => among.min(SMALL_MULTIPLE),
            _ => among,
        };
        self.legend = Legend::of(panels.iter().map(Panel::entries));
        if panels.iter().any(Panel::has_published) {
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

    /// Positions and depth that were measured, and the notes: what a page says below the picture.
    pub fn below(&self) -> (String, String) {
        (self.subtitle.clone(), self.notes.join(" "))
    }

    /// The chart for a page, which says below it what was measured and what to bear in mind: the picture is seen with
    /// the answer.
    pub(super) fn draw_on_page(&self, column: Column) -> Canvas {
        let panel_height = self.panel_height.min(HIGHEST_ON_PAGE);
        Self { subtitle: String::new(), notes: Vec::new(), panel_height, ..self.clone() }.draw(column, false)
    }

    /// All that is said of the chart, as a caption.
    pub fn words(&self) -> String {
        let caption = self.caption.trim_start_matches("How to read it: ");
        let first = caption.chars().next().map(|first| first.to_uppercase().collect::<String>());
        let rest: String = caption.chars().skip(1).collect();
        let measured: Vec<&str> = [self.subtitle.as_str()].into_iter().chain(self.mark.as_deref()).collect();
        let sentences = [self.title.clone(), measured.join("; "), first.unwrap_or_default() + &rest];
        let sentences = sentences.into_iter().chain(self.notes.iter().cloned()).filter(|words| !words.is_empty());
        sentences.map(|words| format!("{}.", words.trim_end_matches('.'))).collect::<Vec<_>>().join(" ")
    }

    /// Layout in a column. A bare chart has no words but those of its panels.
    fn layout(&self, column: Column, is_bare: bool) -> Layout {
        let inner = column.units() - 2.0 * MARGIN;
        let columns = match (column, self.columns) {
            (Column::Single, MULTIPLES) => MULTIPLES - 1,
            (Column::Single, _) => 1,
            (Column::Double, columns) => columns.max(1),
        };
        let parts = [self.subtitle.as_str(), self.mark.as_deref().unwrap_or_default()];
        let subtitle = parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" · ");
        let wrapped = |text: Text, words: &str| if is_bare { Vec::new() } else { text.wrapped(words, inner) };
        Layout {
            inner,
            columns,
            title: wrapped(TITLE, &self.title),
            subtitle: wrapped(SUBTITLE, &subtitle),
            notes: self.notes.iter().flat_map(|note| wrapped(SMALL, note)).collect(),
        }
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

    /// Names at the ends of the lines of a panel in this area, and the area that is left.
    fn names(&self, panel: &Panel, area: Area) -> Option<(Area, Names)> {
        match &panel.plot {
            Plot::Lines(lines) if self.panels.len() <= MOST_NAMED => lines.names(area),
            _ => None,
        }
    }

    /// Legend in this layout: what is named beside its lines in all panels needs no sample.
    fn legend(&self, layout: &Layout) -> Legend {
        let area = Area { left: 0.0, top: 0.0, right: layout.width_of_panels(), bottom: self.height_of_panels(layout) };
        let (mut named, mut unnamed) = (Vec::new(), Vec::new());
        for panel in &self.panels {
            let Plot::Lines(Lines { series, .. }) = &panel.plot else { continue };
            let names = self.names(panel, area).map_or_else(Names::new, |(_, names)| names);
            for (place, series) in series.iter().enumerate() {
                let is_named = names.iter().any(|(at, _)| *at == place);
                if is_named { &mut named } else { &mut unnamed }.push(series.name.as_str());
            }
        }
        named.retain(|name| !unnamed.contains(name));
        // The titles of small multiples are names.
        named.extend(self.panels.iter().map(|panel| panel.title.as_str()));
        self.legend.without(&named)
    }

    fn height(&self, layout: &Layout) -> f64 {
        let rows = self.panels.chunks(layout.columns);
        let rows = rows.map(|row| self.row_height(row, layout).1 + BETWEEN).sum::<f64>();
        let below = self.legend(layout).height(layout.inner) + layout.notes.len() as f64 * LINE;
        layout.height_of_head() + rows + below + MARGIN / 2.0
    }

    /// Draws the chart to fill a column of a paper; bare, without title, subtitle and notes.
    pub(super) fn draw(&self, column: Column, is_bare: bool) -> Canvas {
        let layout = self.layout(column, is_bare);
        let mut canvas = Canvas::new(column, self.height(&layout));
        layout.draw_head(&mut canvas);
        let mut top = layout.height_of_head();
        let width = layout.width_of_panels();
        let titles: Vec<&str> = self.panels.iter().map(|panel| panel.title.as_str()).collect();
        let mut titles = PANEL_TITLE.shortened_apart(&titles, width).into_iter();
        for row in self.panels.chunks(layout.columns) {
            let (title_height, height) = self.row_height(row, &layout);
            for ((column, panel), title) in row.iter().enumerate().zip(&mut titles) {
                let left = MARGIN + column as f64 * (width + BETWEEN);
                canvas.text(&title, (left, top + LINE * 0.75), PANEL_TITLE);
                let area = Area { left, top: top + title_height, right: left + width, bottom: top + height };
                let (area, names) = self.names(panel, area).unwrap_or((area, Names::new()));
                panel.draw(&mut canvas, area, &names);
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
        let (titles, lines) = (self.title.len() as f64, self.subtitle.len() as f64);
        MARGIN / 2.0 + titles * (TITLE.size + 5.0) + lines * LINE + if titles > 0.0 { 8.0 } else { 0.0 }
    }

    fn draw_head(&self, canvas: &mut Canvas) {
        let mut y = MARGIN / 2.0;
        for line in &self.title {
            y += TITLE.size + 5.0;
            canvas.text(line, (MARGIN, y - 5.0), TITLE);
        }
        for line in &self.subtitle {
            y += LINE;
            canvas.text(line, (MARGIN, y - 5.0), SUBTITLE);
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
    /// Panel of lines.
    pub fn of_lines(title: &str, lines: Lines) -> Self {
        Self { title: title.to_owned(), plot: Plot::Lines(lines) }
    }

    pub fn has_published(&self) -> bool {
        match &self.plot {
            Plot::Lines(lines) => lines.series.iter().any(|series| series.look.is_published()),
            Plot::Strips(strips) => strips.strips.iter().any(|strip| strip.look.is_published()),
            _ => false,
        }
    }

    /// Number of bars or strips.
    fn categories(&self) -> usize {
        match &self.plot {
            Plot::Strips(strips) => strips.strips.len(),
            Plot::Stacked(stacked) => stacked.categories.len(),
            _ => 0,
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
            _ => Vec::new(),
        }
    }

    /// Panels of one curve each, if the panel has too many.
    fn multiples(self) -> Vec<Self> {
        let Plot::Lines(lines) = self.plot else { return vec![self] };
        let panel = |(name, lines): (String, Lines)| {
            let titles = [self.title.as_str(), &name].into_iter().filter(|title| !title.is_empty());
            Self { title: titles.collect::<Vec<_>>().join(": "), plot: Plot::Lines(lines) }
        };
        lines.multiples().into_iter().map(panel).collect()
    }

    fn draw(&self, canvas: &mut Canvas, area: Area, names: &Names) {
        match &self.plot {
            Plot::Lines(lines) => lines.draw(canvas, area, names),
            Plot::Stacked(stacked) => stacked.draw(canvas, area),
            Plot::Strips(strips) => strips.draw(canvas, area),
            Plot::Forest(forest) => forest.draw(canvas, area),
            Plot::Waterfall(waterfall) => waterfall.draw(canvas, area),
        }
    }
}
