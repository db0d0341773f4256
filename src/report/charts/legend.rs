//! Legend: below the data, so that it covers none, in lines like words.

use super::canvas::{Area, Canvas, Place};
use super::forest;
use super::style::{Fill, LINE, Look, SMALL};

/// Distance between a sample and its name, in units.
const GAP: f64 = 6.0;
/// Distance between entries, in units.
const BETWEEN: f64 = 20.0;

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

/// Names of what is drawn: ours, then what is published.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Legend(Vec<Entry>);

/// Width of the longest sample, in units.
const LONGEST: f64 = 34.0;

impl Sample {
    fn width(self) -> f64 {
        match self {
            Self::Line(_) => LONGEST,
            Self::Point(_) => 12.0,
            Self::Fill(_) => 20.0,
        }
    }
}

impl Entry {
    /// Entry for the estimates of a forest that have this look.
    pub fn point(name: impl Into<String>, look: Look) -> Self {
        Self { name: name.into(), sample: Sample::Point(Look { radius: forest::RADIUS, ..look }) }
    }

    fn is_published(&self) -> bool {
        matches!(self.sample, Sample::Line(look) if look.is_published())
    }
}

impl Legend {
    /// Legend of what several panels show, without names that an earlier panel has.
    pub fn of(panels: impl IntoIterator<Item = Vec<Entry>>) -> Self {
        let mut all: Vec<Entry> = Vec::new();
        for entry in panels.into_iter().flatten().filter(|entry| !entry.name.is_empty()) {
            if !all.iter().any(|other| other.name == entry.name) {
                all.push(entry);
            }
        }
        all.sort_by_key(Entry::is_published);
        Self(all)
    }

    /// Legend without these names.
    pub fn without(&self, names: &[&str]) -> Self {
        Self(self.0.iter().filter(|entry| !names.contains(&entry.name.as_str())).cloned().collect())
    }

    /// Places of the entries in this width, from the upper left corner of the legend, with their names.
    fn places(&self, width: f64) -> Vec<(Place, String)> {
        let names: Vec<&str> = self.0.iter().map(|entry| entry.name.as_str()).collect();
        let mut next = (0.0, LINE / 2.0);
        let mut was_published = false;
        let mut place = |(entry, name): (&Entry, String)| {
            let needed = entry.sample.width() + GAP + SMALL.width(&name);
            if next.0 > 0.0 && (next.0 + needed > width || entry.is_published() != was_published) {
                next = (0.0, next.1 + LINE);
            }
            was_published = entry.is_published();
            let place = next;
            next.0 += needed + BETWEEN;
            (place, name)
        };
        self.0.iter().zip(SMALL.shortened_apart(&names, width - LONGEST - GAP)).map(&mut place).collect()
    }

    /// Height of the legend in this width, in units.
    pub fn height(&self, width: f64) -> f64 {
        self.places(width).last().map_or(0.0, |((_, middle), _)| middle + LINE / 2.0 + 2.0)
    }

    /// Draws the legend with its upper left corner at this place.
    pub fn draw(&self, canvas: &mut Canvas, (left, top): Place, width: f64) {
        for (entry, ((x, y), name)) in self.0.iter().zip(self.places(width)) {
            let (left, middle, sample) = (left + x, top + y, entry.sample.width());
            canvas.curve.clone_from(&entry.name);
            match entry.sample {
                Sample::Line(look) => {
                    canvas.dashed(&[(left, middle), (left + sample, middle)], look.colour, look.width, look.dash);
                    canvas.markers(&[(left + sample / 2.0, middle)], look);
                }
                Sample::Point(look) => canvas.markers(&[(left + sample / 2.0, middle)], look),
                Sample::Fill(Fill(colour)) => {
                    let area = Area { left, top: middle - 7.0, right: left + sample, bottom: middle + 7.0 };
                    canvas.rectangle(area, colour);
                }
            }
            canvas.text(&name, (left + sample + GAP, middle + SMALL.below_middle()), SMALL);
            canvas.curve.clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn legend(names: &[&str]) -> Legend {
        let sample = Sample::Point(Look::of_curve(0, false));
        Legend::of([names.iter().map(|name| Entry { name: (*name).to_owned(), sample }).collect()])
    }

    #[test]
    fn entries_stay_within_the_width() {
        let legend = legend(&["a", "a longer name", "b", "x", "the longest name of all of these", "y", "z", "a"]);
        for width in [350.0, 500.0, 760.0] {
            for ((x, _), name) in legend.places(width) {
                assert!(x + 12.0 + GAP + SMALL.width(&name) <= width, "{name}");
            }
        }
        assert_eq!(legend.without(&["a", "b"]).0.len(), 5);
        assert!(legend.height(760.0) < legend.height(350.0));
    }
}
