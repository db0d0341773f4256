//! The legend: below the data, so that it covers none, in as many columns as fit.

use plotters::backend::DrawingBackend;

use super::ChartError;
use super::canvas::{Area, Canvas, Place};
use super::style::{Fill, LINE, Look, SMALL};

/// The width of a sample of line or filling, in units.
const SAMPLE: f64 = 38.0;

/// Between a sample and its name, and between columns, in units.
const GAP: f64 = 7.0;
const BETWEEN_COLUMNS: f64 = 20.0;

/// One entry.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// Its name.
    pub name: String,
    /// What it looks like.
    pub sample: Sample,
}

/// What an entry of the legend looks like.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Sample {
    /// A line with points.
    Line(Look),
    /// A point.
    Point(Look),
    /// A filled rectangle.
    Fill(Fill),
}

/// A legend.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Legend {
    /// Its entries, read along rows.
    pub entries: Vec<Entry>,
}

impl Legend {
    /// Its height if it may be so wide, in units.
    pub fn height(&self, width: f64) -> f64 {
        self.entries.len().div_ceil(self.columns(width)) as f64 * LINE
    }

    fn columns(&self, width: f64) -> usize {
        let widest = self.entries.iter().map(|entry| SMALL.width(&entry.name)).fold(0.0, f64::max);
        let column = SAMPLE + GAP + widest + BETWEEN_COLUMNS;
        ((width + BETWEEN_COLUMNS) / column).floor().clamp(1.0, self.entries.len().max(1) as f64) as usize
    }

    /// Draws it, its upper left corner at this place.
    pub fn draw<B: DrawingBackend>(
        &self,
        canvas: &mut Canvas<B>,
        (left, top): Place,
        width: f64,
    ) -> Result<(), ChartError> {
        let columns = self.columns(width);
        let column_width = (width + BETWEEN_COLUMNS) / columns as f64;
        let widest = self.entries.iter().map(|entry| SMALL.width(&entry.name)).fold(0.0, f64::max);
        // Columns are no further apart than their words need.
        let column_width = column_width.min(SAMPLE + GAP + widest + 2.5 * BETWEEN_COLUMNS);
        let names = self.names(width - SAMPLE - GAP);
        for (number, (entry, name)) in self.entries.iter().zip(&names).enumerate() {
            let x = left + (number % columns) as f64 * column_width;
            let middle = top + (number / columns) as f64 * LINE + LINE / 2.0;
            entry.sample.draw(canvas, x, middle)?;
            canvas.text(name, (x + SAMPLE + GAP, middle + SMALL.below_middle()), SMALL)?;
        }
        Ok(())
    }

    /// Names cut to a width. Those that would be the same are numbered.
    fn names(&self, width: f64) -> Vec<String> {
        let cut: Vec<String> = self.entries.iter().map(|entry| SMALL.shortened(&entry.name, width)).collect();
        let is_repeated = |name: &String| cut.iter().filter(|other| *other == name).count() > 1;
        cut.iter()
            .enumerate()
            .map(|(number, name)| {
                if is_repeated(name) {
                    SMALL.shortened(&format!("({}) {}", number + 1, self.entries[number].name), width)
                } else {
                    name.clone()
                }
            })
            .collect()
    }
}

impl Sample {
    fn draw<B: DrawingBackend>(self, canvas: &mut Canvas<B>, left: f64, middle: f64) -> Result<(), ChartError> {
        let line = [(left, middle), (left + SAMPLE, middle)];
        let centre = (left + SAMPLE / 2.0, middle);
        match self {
            Self::Line(look) => {
                canvas.dashed(&line, look.colour, look.width, look.dash)?;
                canvas.marker(centre, look)
            }
            Self::Point(look) => canvas.marker(centre, look),
            Self::Fill(fill) => {
                let area = Area { left: left + 8.0, top: middle - 7.0, right: left + SAMPLE, bottom: middle + 7.0 };
                canvas.filled(area, fill)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::font;
    use super::*;

    fn legend(names: &[&str]) -> Legend {
        let sample = Sample::Point(Look::of_curve(0, false));
        Legend { entries: names.iter().map(|name| Entry { name: (*name).to_owned(), sample }).collect() }
    }

    #[test]
    fn as_many_columns_as_fit() {
        font::register().unwrap();
        assert_eq!(legend(&[]).height(700.0), 0.0);
        assert_eq!(legend(&["a", "b", "c"]).height(700.0), LINE);
        assert_eq!(legend(&["a"; 50]).height(70.0), 50.0 * LINE);
        let long = "x".repeat(300);
        assert_eq!(legend(&[&long, &long, "short"]).height(700.0), 3.0 * LINE, "one column if one name fills it");
    }

    #[test]
    fn names_stay_different_when_they_are_cut() {
        font::register().unwrap();
        let (one, other) =
            (format!("{}a{}", "x".repeat(100), "y".repeat(100)), format!("{}b{}", "x".repeat(100), "y".repeat(100)));
        let names = legend(&[&one, &other]).names(300.0);
        assert_ne!(names[0], names[1]);
        assert!(names.iter().all(|name| SMALL.width(name) <= 300.0));
    }
}
