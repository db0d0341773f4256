//! Rows of estimates with their intervals, beside the value that means no effect. Several columns share the names of
//! the rows.

use crate::distinct::found_or_added;
use crate::statistics::Interval;

use super::axis::{Axis, Origin};
use super::canvas::{Area, Canvas};
use super::frame::{Rows, Ruler};
use super::point::Point;
use super::style::{GRID, INK, Look, REFERENCE, SHORT};

/// Height of a row with one estimate, in units.
const ROW: f64 = 24.0;

/// Height that each further estimate adds to a row, in units.
const FURTHER: f64 = 15.0;

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
    /// Value that means no effect, where there is one.
    pub neutral: Option<f64>,
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
    /// Distance of the ratio from 1 [for certain](Interval::certain_effect).
    effect: f64,
}

impl Estimate {
    /// Estimate of a ratio; nothing if it is not a positive number.
    pub fn of(ratio: Interval, look: Look) -> Option<Self> {
        let point = Point::with_interval(0.0, ratio).filter(|point| point.y > 0.0)?;
        // An interval of a ratio that reaches to nothing is cut at the edge.
        let ends = point.ends.map(|(low, high)| (low.max(f64::MIN_POSITIVE), high));
        Some(Self {
            point: Point { ends, ..point },
            look: Look { radius: RADIUS, ..look },
            effect: ratio.certain_effect(),
        })
    }
}

impl Estimate {
    /// Estimate of a value that is no ratio, such as a rating.
    pub fn of_value(value: Interval, look: Look) -> Option<Self> {
        let look = Look { radius: RADIUS, ..look };
        Some(Self { point: Point::with_interval(0.0, value)?, look, effect: 0.0 })
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

/// Puts the rows with the largest effects that are certain first, and leaves out those without any.
pub(super) fn rank(rows: &mut Vec<Row>) {
    rows.retain(Row::has_estimates);
    // Stable, so that equal effects keep their order.
    rows.sort_by(|one, other| other.effect().total_cmp(&one.effect()));
}

impl Row {
    fn has_estimates(&self) -> bool {
        !self.columns.iter().all(Vec::is_empty)
    }

    /// Largest effect that is certain, either way.
    pub fn effect(&self) -> f64 {
        self.columns.iter().flatten().map(|estimate| estimate.effect).fold(f64::NEG_INFINITY, f64::max)
    }

    fn height(&self) -> f64 {
        let most = self.columns.iter().map(Vec::len).max().unwrap_or(0);
        ROW + FURTHER * most.saturating_sub(1) as f64
    }
}

impl Forest {
    /// Panel with a logarithmic axis of this name for each column that has estimates. Nothing without any.
    pub fn of(names: &[&str], mut rows: Vec<Row>) -> Option<Self> {
        rows.retain(Row::has_estimates);
        let is_known =
            |column: usize| rows.iter().any(|row| row.columns.get(column).is_some_and(|all| !all.is_empty()));
        let known: Vec<usize> = (0..names.len()).filter(|&column| is_known(column)).collect();
        let names: Vec<&str> = known.iter().map(|&column| names[column]).collect();
        for row in &mut rows {
            row.columns = known.iter().map(|&column| std::mem::take(&mut row.columns[column])).collect();
        }
        let axis = |(column, name): (usize, &&str)| {
            let estimates = rows.iter().filter_map(|row| row.columns.get(column)).flatten();
            Axis::logarithmic(name, estimates.flat_map(|estimate| estimate.point.extent()).chain([NEUTRAL]))
        };
        let columns = names.iter().enumerate().map(axis).collect::<Option<_>>()?;
        (!rows.is_empty()).then_some(Self { columns, rows, neutral: Some(NEUTRAL) })
    }

    /// Panel of values that are no ratios, in this order, with an axis of this name that need not begin at zero, and a
    /// line at the value that means none. Nothing without values.
    pub fn of_values(name: &str, rows: Vec<Row>, neutral: Option<f64>) -> Option<Self> {
        let extents = rows.iter().flat_map(|row| row.columns.iter().flatten()).flat_map(|one| {
            let ends = one.point.ends.map(|(low, high)| [low, high]);
            ends.into_iter().flatten().chain([one.point.y])
        });
        let axis = Axis::of_values(name, extents.chain(neutral), Origin::Free)?;
        (!rows.is_empty()).then(|| Self { columns: vec![axis], rows, neutral })
    }

    /// Height of the panel, in units.
    pub fn height(&self) -> f64 {
        Rows::height(self.rows.iter().map(Row::height))
    }

    /// Draws the panel.
    pub fn draw(&self, canvas: &mut Canvas, area: Area) {
        let named: Vec<(&str, f64)> = self.rows.iter().map(|row| (row.name.as_str(), row.height())).collect();
        let rows = Rows::draw(canvas, area, &named, &self.columns, 10.0);
        for (column, ruler) in rows.rulers.iter().enumerate() {
            let inside = ruler.inside;
            if let Some(neutral) = self.neutral.filter(|neutral| ruler.axis.has(*neutral)) {
                let x = ruler.at(neutral);
                canvas.dashed(&[(x, inside.top), (x, inside.bottom)], REFERENCE, 1.5, SHORT);
            }
            for (row, (top, height)) in self.rows.iter().zip(&rows.places) {
                if height > &ROW && *top > inside.top {
                    canvas.line(&[(inside.left, *top), (inside.right, *top)], GRID, 0.5);
                }
                row.draw(canvas, column, ruler, top + height / 2.0);
            }
            canvas.line(&[(inside.left, inside.bottom), (inside.right, inside.bottom)], INK, 1.0);
        }
    }
}

impl Row {
    /// Draws the estimates of one column around a height.
    fn draw(&self, canvas: &mut Canvas, column: usize, ruler: &Ruler<'_>, middle: f64) {
        let estimates = self.columns.get(column).map_or(&[][..], Vec::as_slice);
        let first = middle - FURTHER * estimates.len().saturating_sub(1) as f64 / 2.0;
        for (place, Estimate { point, look, .. }) in estimates.iter().enumerate() {
            let y = first + place as f64 * FURTHER;
            ruler.interval(canvas, point, y, CAP, (look.colour, 1.5));
            if ruler.axis.has(point.y) {
                let place = (ruler.at(point.y), y);
                canvas.markers(&[place], *look);
                let words = format!("{}; {} {}", self.name, ruler.axis.name, point.words());
                canvas.target(Area::around(place, FURTHER / 2.0), &words);
            }
        }
    }
}
