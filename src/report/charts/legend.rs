//! Legend: below the data, so that it covers none, in as many columns as fit.

use super::canvas::{Area, Canvas, Place};
use super::forest;
use super::style::{Fill, LINE, Look, SMALL};

/// Width of a sample of line or filling, in units.
const SAMPLE: f64 = 38.0;

/// Distance between a sample and its name, in units.
const GAP: f64 = 7.0;

/// Distance between columns, in units.
const BETWEEN_COLUMNS: f64 = 20.0;

/// Entry of a legend.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Entry {
    pub name: String,
    pub sample: Sample,
}

/// Sample of what an entry stands for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Sample {
    /// Line with a point.
    Line(Look),
    Point(Look),
    /// Filled rectangle.
    Fill(Fill),
}

/// Names of what is drawn.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Legend {
    /// Entries, read along rows. Each group has columns of its own.
    groups: Vec<Vec<Entry>>,
}

impl Entry {
    /// Entry for the estimates of a forest that have this look.
    pub fn point(name: impl Into<String>, look: Look) -> Self {
        Self { name: name.into(), sample: Sample::Point(Look { radius: forest::RADIUS, ..look }) }
    }
}

impl Legend {
    /// Legend of what several panels show, without names that an earlier panel has: ours, then what is published.
    pub fn of(panels: impl IntoIterator<Item = Vec<Entry>>) -> Self {
        let mut all: Vec<Entry> = Vec::new();
        for entries in panels {
            let is_new = |entry: &Entry| !all.iter().any(|other| other.name == entry.name);
            let new: Vec<Entry> = entries.into_iter().filter(is_new).collect();
            all.extend(new);
        }
        let (published, ours) = all.into_iter().partition(|entry| entry.sample.is_published());
        Self { groups: vec![ours, published] }
    }

    /// Legend of what is published only.
    pub fn published(&self) -> Self {
        let of_group =
            |entries: &Vec<Entry>| entries.iter().filter(|entry| entry.sample.is_published()).cloned().collect();
        Self { groups: self.groups.iter().map(of_group).collect() }
    }

    /// Height of the legend in this width, in units.
    pub fn height(&self, width: f64) -> f64 {
        let rows = |entries: &Vec<Entry>| entries.len().div_ceil(columns(entries, width).len().max(1));
        self.groups.iter().map(|entries| rows(entries) as f64 * LINE).sum()
    }

    /// Draws the legend with its upper left corner at this place.
    pub fn draw(&self, canvas: &mut Canvas, (left, mut top): Place, width: f64) {
        for entries in &self.groups {
            let columns = columns(entries, width);
            let names = names(entries, width - SAMPLE - GAP);
            for (row, of_row) in entries.chunks(columns.len().max(1)).enumerate() {
                let mut x = left;
                let middle = top + LINE / 2.0;
                for (column, entry) in of_row.iter().enumerate() {
                    entry.sample.draw(canvas, x, middle);
                    let name = &names[row * columns.len() + column];
                    canvas.text(name, (x + SAMPLE + GAP, middle + SMALL.below_middle()), SMALL);
                    x += columns[column] + BETWEEN_COLUMNS;
                }
                top += LINE;
            }
        }
    }
}

/// Widths of the columns, as many as fit.
fn columns(entries: &[Entry], width: f64) -> Vec<f64> {
    let needed: Vec<f64> = entries.iter().map(|entry| SAMPLE + GAP + SMALL.width(&entry.name)).collect();
    let widest = |count: usize, column: usize| needed.iter().skip(column).step_by(count).copied().fold(0.0, f64::max);
    let widths = |count: usize| -> Vec<f64> { (0..count).map(|column| widest(count, column)).collect() };
    let fits =
        |widths: &Vec<f64>| widths.iter().map(|one| one + BETWEEN_COLUMNS).sum::<f64>() <= width + BETWEEN_COLUMNS;
    // A name that is wider than everything is cut, and has its row for itself.
    (1..=entries.len()).rev().map(widths).find(fits).unwrap_or_else(|| vec![width])
}

/// Names cut to a width.
fn names(entries: &[Entry], width: f64) -> Vec<String> {
    SMALL.shortened_apart(&entries.iter().map(|entry| entry.name.as_str()).collect::<Vec<_>>(), width)
}

impl Sample {
    fn is_published(self) -> bool {
        matches!(self, Self::Line(look) if look.is_published())
    }

    fn draw(self, canvas: &mut Canvas, left: f64, middle: f64) {
        let centre = (left + SAMPLE / 2.0, middle);
        match self {
            Self::Line(look) => {
                canvas.dashed(&[(left, middle), (left + SAMPLE, middle)], look.colour, look.width, look.dash);
                canvas.marker(centre, look);
            }
            Self::Point(look) => canvas.marker(centre, look),
            Self::Fill(fill) => {
                let area = Area { left: left + 8.0, top: middle - 7.0, right: left + SAMPLE, bottom: middle + 7.0 };
                canvas.filled(&[area], fill);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entries(names: &[&str]) -> Vec<Entry> {
        let sample = Sample::Point(Look::of_curve(0, false));
        names.iter().map(|name| Entry { name: (*name).to_owned(), sample }).collect()
    }

    #[test]
    fn as_many_columns_as_fit() {
        let height = |names: &[&str], width| Legend { groups: vec![entries(names)] }.height(width);
        assert_eq!(height(&[], 700.0), 0.0);
        assert_eq!(height(&["a", "b", "c"], 700.0), LINE);
        assert_eq!(height(&["a"; 50], 70.0), 50.0 * LINE);
        let long = "x".repeat(300);
        assert_eq!(height(&[&long, &long, "short"], 700.0), 3.0 * LINE, "one column if one name fills it");
        let two = Legend { groups: vec![entries(&["a", "b"]), entries(&["c"])] };
        assert_eq!(two.height(700.0), 2.0 * LINE, "groups begin on new lines");
    }

    #[test]
    fn columns_stay_within_the_width() {
        let entries = entries(&["a", "a longer name", "b", "x", "the longest name of all of these", "y", "z"]);
        for width in [350.0, 500.0, 760.0] {
            let columns = columns(&entries, width);
            assert!(columns.iter().sum::<f64>() + BETWEEN_COLUMNS * (columns.len() - 1) as f64 <= width);
        }
    }

    #[test]
    fn names_stay_different_when_they_are_cut() {
        let (one, other) =
            (format!("{}a{}", "x".repeat(100), "y".repeat(100)), format!("{}b{}", "x".repeat(100), "y".repeat(100)));
        let names = names(&entries(&[&one, &other]), 300.0);
        assert_ne!(names[0], names[1]);
        assert!(names.iter().all(|name| SMALL.width(name) <= 300.0));
    }
}
