//! Estimates with their intervals, a row each, beside the value that means no effect. Several columns share the rows' names.

use plotters::backend::DrawingBackend;

use super::ChartError;
use super::axis::Axis;
use super::canvas::{Area, Canvas};
use super::font::Align;
use super::frame::labelled_every;
use super::lines::Point;
use super::style::{AXIS_NAME, Dash, GRID, INK, LINE, Look, REFERENCE, SMALL};

/// The height of a row with one estimate, and how much each further estimate adds, in units.
const ROW: f64 = 24.0;
const FURTHER: f64 = 15.0;

/// Room for the ticks and the name of the axis, in units.
const BELOW: f64 = LINE * 2.0 + 8.0;

/// Between two columns, in units.
const BETWEEN: f64 = 22.0;

/// Names of rows are cut to this width, in units.
const LONGEST_NAME: f64 = 300.0;

/// Half the height of the cap of an interval, in units.
const CAP: f64 = 4.0;

/// A panel of estimates.
#[derive(Clone, Debug, PartialEq)]
pub struct Forest {
    /// The axes, a column each.
    pub columns: Vec<Axis>,
    /// The value that means no effect.
    pub neutral: f64,
    /// From top to bottom.
    pub rows: Vec<Row>,
}

/// What is said of one thing.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Its name.
    pub name: String,
    /// Its estimates, by column.
    pub columns: Vec<Vec<Estimate>>,
}

/// An estimate; its place is along the axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// Where, and its interval. `x` is not used.
    pub point: Point,
    /// How it looks.
    pub look: Look,
}

impl Row {
    fn height(&self) -> f64 {
        let most = self.columns.iter().map(Vec::len).max().unwrap_or(0);
        ROW + FURTHER * most.saturating_sub(1) as f64
    }
}

impl Forest {
    /// Its height, in units.
    pub fn height(&self) -> f64 {
        self.rows.iter().map(Row::height).sum::<f64>() + BELOW + 8.0
    }

    /// Draws the panel.
    pub fn draw<B: DrawingBackend>(&self, canvas: &mut Canvas<B>, area: Area) -> Result<(), ChartError> {
        let widest = self.rows.iter().map(|row| SMALL.width(&row.name)).fold(0.0, f64::max).min(LONGEST_NAME);
        let left = area.left + widest + 12.0;
        let count = self.columns.len().max(1) as f64;
        let width = (area.right - 10.0 - left - BETWEEN * (count - 1.0)) / count;
        for (number, axis) in self.columns.iter().enumerate() {
            let left = left + number as f64 * (width + BETWEEN);
            let inside = Area { left, top: area.top + 8.0, right: left + width, bottom: area.bottom - BELOW };
            self.draw_column(canvas, inside, number, axis)?;
        }
        let mut top = area.top + 8.0;
        for row in &self.rows {
            let middle = top + row.height() / 2.0;
            let name = SMALL.shortened(&row.name, widest);
            canvas.text(&name, (left - 8.0, middle + SMALL.below_middle()), SMALL.align(Align::Right))?;
            top += row.height();
        }
        Ok(())
    }

    fn draw_column<B: DrawingBackend>(
        &self,
        canvas: &mut Canvas<B>,
        inside: Area,
        number: usize,
        axis: &Axis,
    ) -> Result<(), ChartError> {
        let x_of = |value: f64| inside.left + axis.share(value) * inside.width();
        for tick in &axis.ticks {
            let x = x_of(tick.value);
            canvas.line(&[(x, inside.top), (x, inside.bottom)], GRID, 1.0)?;
            canvas.line(&[(x, inside.bottom), (x, inside.bottom + 4.0)], INK, 1.25)?;
        }
        for tick in axis.ticks.iter().step_by(labelled_every(&axis.ticks, |tick| x_of(tick.value))) {
            canvas.text(&tick.label, (x_of(tick.value), inside.bottom + LINE), SMALL.align(Align::Centre))?;
        }
        let middle = (inside.left + inside.right) / 2.0;
        let name = AXIS_NAME.shortened(&axis.name, inside.width() + BETWEEN - 4.0);
        canvas.text(&name, (middle, inside.bottom + 2.0 * LINE), AXIS_NAME.align(Align::Centre))?;
        if axis.has(self.neutral) {
            let x = x_of(self.neutral);
            canvas.dashed(&[(x, inside.top), (x, inside.bottom)], REFERENCE, 1.5, Dash::Short)?;
        }
        let mut top = inside.top;
        for (place, row) in self.rows.iter().enumerate() {
            if place > 0 && row.height() > ROW {
                canvas.line(&[(inside.left, top), (inside.right, top)], GRID, 0.5)?;
            }
            let estimates = row.columns.get(number).map_or(&[][..], Vec::as_slice);
            let first = top + row.height() / 2.0 - FURTHER * estimates.len().saturating_sub(1) as f64 / 2.0;
            for (place, estimate) in estimates.iter().enumerate() {
                draw_estimate(canvas, inside, axis, first + FURTHER * place as f64, estimate)?;
            }
            top += row.height();
        }
        canvas.line(&[(inside.left, inside.bottom), (inside.right, inside.bottom)], INK, 1.25)
    }
}

fn draw_estimate<B: DrawingBackend>(
    canvas: &mut Canvas<B>,
    inside: Area,
    axis: &Axis,
    y: f64,
    estimate: &Estimate,
) -> Result<(), ChartError> {
    let Estimate { point, look } = estimate;
    let x_of = |value: f64| inside.left + axis.share(value) * inside.width();
    if let Some((low, high)) = point.ends {
        // An end outside has no cap.
        for (end, edge) in [(low, inside.left), (high, inside.right)] {
            let is_inside = axis.has(end);
            let end = if is_inside { x_of(end) } else { edge };
            canvas.line(&[(x_of(point.y), y), (end, y)], look.colour, 1.75)?;
            if is_inside {
                canvas.line(&[(end, y - CAP), (end, y + CAP)], look.colour, 1.75)?;
            }
        }
    }
    if axis.has(point.y) { canvas.marker((x_of(point.y), y), *look) } else { Ok(()) }
}
