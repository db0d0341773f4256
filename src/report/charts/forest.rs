//! Rows of estimates with their intervals, beside the value that means no effect. Several columns share the names of
//! the rows.

use crate::distinct::found_or_added;
use crate::statistics::Interval;

use super::axis::Axis;
use super::canvas::{Area, Canvas};
use super::font::Align;
use super::frame::{BELOW_VALUES, Ruler};
use super::lines::{Point, Series};
use super::style::{GRID, INK, Look, REFERENCE, SHORT, SMALL};

/// Height of a row with one estimate, in units.
const ROW: f64 = 24.0;

/// Height that each further estimate adds to a row, in units.
const FURTHER: f64 = 15.0;

/// Room above the rows, in units.
const ABOVE: f64 = 8.0;

/// Room below the rows, for the ticks and the name of the axis, in units.
const BELOW: f64 = BELOW_VALUES + 4.0;

/// Distance between two columns, in units.
const BETWEEN: f64 = 22.0;

/// Width to which names of rows are cut, in units.
const LONGEST_NAME: f64 = 300.0;

/// Share of the width of a panel that names of rows may take.
const MOST_FOR_NAMES: f64 = 0.45;

/// Half the height of the cap of an interval, in units.
const CAP: f64 = 4.0;

/// Ratio that means no effect.
const NEUTRAL: f64 = 1.0;

/// Radius of a point, in units.
pub(super) const RADIUS: f64 = 4.5;

/// Panel of estimates of ratios.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Forest {
    /// Axes by column.
    pub columns: Vec<Axis>,
    /// Rows from top to bottom.
    pub rows: Vec<Row>,
}

/// Estimates for one thing.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Row {
    pub name: String,
    /// Estimates by column.
    pub columns: Vec<Vec<Estimate>>,
}

/// Estimate of a ratio.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Estimate {
    /// Ratio, as `y`, with its interval. `x` is not used.
    pub point: Point,
    pub look: Look,
}

impl Estimate {
    /// Estimate of a ratio; nothing if it is not a positive number.
    pub fn of(ratio: Interval, look: Look) -> Option<Self> {
        let point = Point::with_interval(0.0, ratio).filter(|point| point.y > 0.0)?;
        // An interval of a ratio that reaches to nothing is cut at the edge.
        let ends = point.ends.map(|(low, high)| (low.max(f64::MIN_POSITIVE), high));
        Some(Self { point: Point { ends, ..point }, look: Look { radius: RADIUS, ..look } })
    }
}

/// Adds estimates of these ratios to the columns of the row of this name.
pub(super) fn add<const COLUMNS: usize>(rows: &mut Vec<Row>, name: &str, ratios: [Interval; COLUMNS], look: Look) {
    let new = || Row { name: name.to_owned(), columns: vec![Vec::new(); COLUMNS] };
    let row = found_or_added(rows, |row| row.name == name, new);
    for (column, ratio) in row.columns.iter_mut().zip(ratios) {
        column.extend(Estimate::of(ratio, look));
    }
}

/// Puts the rows with the largest effects first, and leaves out those without any.
pub(super) fn rank(rows: &mut Vec<Row>) {
    rows.retain(Row::has_estimates);
    // Stable, so that equal effects keep their order.
    rows.sort_by(|one, other| other.size().total_cmp(&one.size()));
}

impl Row {
    fn has_estimates(&self) -> bool {
        !self.columns.iter().all(Vec::is_empty)
    }

    /// Size of the largest effect in the first column, either way.
    fn size(&self) -> f64 {
        let sizes = self.columns.iter().take(1).flatten().map(|estimate| estimate.point.y.ln().abs());
        sizes.fold(0.0, f64::max)
    }

    fn height(&self) -> f64 {
        let most = self.columns.iter().map(Vec::len).max().unwrap_or(0);
        ROW + FURTHER * most.saturating_sub(1) as f64
    }
}

impl Forest {
    /// Panel with one axis, on which each series has its points in a row: for series of one place along the other axis.
    pub fn of_series<'a>(name: &str, series: impl IntoIterator<Item = (&'a str, &'a Series)>) -> Option<Self> {
        let mut rows = Vec::new();
        for (row, Series { look, points, .. }) in series {
            for point in points {
                add(&mut rows, row, [point.interval()], *look);
            }
        }
        Self::of(&[name], rows)
    }

    /// Panel with a logarithmic axis of this name for each column. Nothing without estimates.
    pub fn of(names: &[&str], mut rows: Vec<Row>) -> Option<Self> {
        rows.retain(Row::has_estimates);
        let axis = |(column, name): (usize, &&str)| {
            let estimates = rows.iter().filter_map(|row| row.columns.get(column)).flatten();
            Axis::logarithmic(name, estimates.flat_map(|estimate| estimate.point.extent()).chain([NEUTRAL]))
        };
        let columns = names.iter().enumerate().map(axis).collect::<Option<_>>()?;
        (!rows.is_empty()).then_some(Self { columns, rows })
    }

    /// Height of the panel, in units.
    pub fn height(&self) -> f64 {
        self.rows.iter().map(Row::height).sum::<f64>() + BELOW + ABOVE
    }

    /// Draws the panel.
    pub fn draw(&self, canvas: &mut Canvas, area: Area) {
        let widest = self.rows.iter().map(|row| SMALL.width(&row.name)).fold(0.0, f64::max);
        let widest = widest.min(LONGEST_NAME).min(area.width() * MOST_FOR_NAMES);
        let left = area.left + widest + 12.0;
        let count = self.columns.len().max(1) as f64;
        let width = (area.right - 10.0 - left - BETWEEN * (count - 1.0)) / count;
        let top = area.top + ABOVE;
        for (number, axis) in self.columns.iter().enumerate() {
            let left = left + number as f64 * (width + BETWEEN);
            let inside = Area { left, top, right: left + width, bottom: area.bottom - BELOW };
            self.draw_column(canvas, number, axis, inside);
        }
        let mut top = top;
        let names: Vec<&str> = self.rows.iter().map(|row| row.name.as_str()).collect();
        for (row, name) in self.rows.iter().zip(SMALL.shortened_apart(&names, widest)) {
            let middle = top + row.height() / 2.0;
            canvas.text(&name, (left - 8.0, middle + SMALL.below_middle()), SMALL.align(Align::Right));
            top += row.height();
        }
    }

    fn draw_column(&self, canvas: &mut Canvas, number: usize, axis: &Axis, inside: Area) {
        let ruler = Ruler::level(axis, inside);
        ruler.draw_below(canvas);
        if axis.has(NEUTRAL) {
            let x = ruler.at(NEUTRAL);
            canvas.dashed(&[(x, inside.top), (x, inside.bottom)], REFERENCE, 1.5, SHORT);
        }
        let mut top = inside.top;
        for (place, row) in self.rows.iter().enumerate() {
            if place > 0 && row.height() > ROW {
                canvas.line(&[(inside.left, top), (inside.right, top)], GRID, 0.5);
            }
            let estimates = row.columns.get(number).map_or(&[][..], Vec::as_slice);
            let mut y = top + row.height() / 2.0 - FURTHER * estimates.len().saturating_sub(1) as f64 / 2.0;
            for Estimate { point, look } in estimates {
                ruler.interval(canvas, point, y, CAP, (look.colour, 1.75));
                if axis.has(point.y) {
                    canvas.marker((ruler.at(point.y), y), *look);
                }
                y += FURTHER;
            }
            top += row.height();
        }
        canvas.line(&[(inside.left, inside.bottom), (inside.right, inside.bottom)], INK, 1.25);
    }
}
