//! Charts of lines that come from no experiment: those of matches and tournaments, whose figures are in no analysis.

use crate::statistics::Interval;

use super::axis::{Axis, extremes};
use super::lines::{Lines, Point, Reference, Series, extents, xs};
use super::sheet::{Panel, Plot, Sheet};
use super::style::Look;

/// Height of a panel alone and of one among several, in units.
const HEIGHT: [f64; 2] = [420.0, 300.0];

/// Quantity of an axis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Quantity {
    /// Numbers of processors.
    Processors,
    /// Factors, on a logarithmic axis with ticks at powers of two.
    Factors,
    /// Speedups, likewise, with one among them.
    Speedups,
    /// Shares of one, from none to all.
    Shares,
    /// Whatever is counted from zero.
    #[default]
    Amounts,
    /// Differences, which may be less than zero.
    Differences,
}

impl Quantity {
    fn axis(self, name: &str, values: impl IntoIterator<Item = f64>) -> Option<Axis> {
        match self {
            Self::Processors => Axis::of_processors(name, values),
            Self::Factors => Axis::powers_of_two(name, values),
            Self::Speedups => Axis::powers_of_two(name, values.into_iter().chain([1.0])),
            Self::Shares => Some(Axis::shares(name, 0.0, 1.0)),
            Self::Amounts | Self::Differences => {
                let (low, high) = extremes(values.into_iter().chain([0.0]))?;
                Some(Axis::linear(name, low, high))
            }
        }
    }
}

/// Line of a chart.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Line {
    /// Name in the legend.
    pub name: String,
    /// Number of its colour and marker; lines of the same number look the same.
    pub look: usize,
    /// Whether its figures come from the virtual machine.
    pub is_virtual: bool,
    /// Whether the line stands beside ours, in grey.
    pub is_beside: bool,
    /// Points from left to right.
    pub points: Vec<(f64, Interval)>,
    /// Places of a fitted curve; where there is one, the points themselves are not joined.
    pub fit: Vec<(f64, f64)>,
}

/// Chart of lines.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct LineChart {
    pub title: &'static str,
    /// Games that the figures rest on.
    pub subtitle: String,
    /// Mark that says what kind of figures all of them are.
    pub mark: Option<String>,
    /// Sentences on how to read the chart.
    pub caption: String,
    /// Sentences below it, on bars first.
    pub notes: Vec<String>,
    /// Names of the axes with their quantities.
    pub x: (String, Quantity),
    pub y: (String, Quantity),
    /// Lines that data are compared with.
    pub compared: Option<Reference>,
    /// Titles and lines of the panels. A title may be empty.
    pub panels: Vec<(String, Vec<Line>)>,
}

impl LineChart {
    /// The chart drawn; `None` if it has no point.
    pub(crate) fn sheet(self) -> Option<Sheet> {
        let of_panel = |(title, lines): (String, Vec<Line>)| (title, lines.iter().filter_map(series).collect());
        let mut panels: Vec<(String, Vec<Series>)> = self.panels.into_iter().map(of_panel).collect();
        panels.retain(|(_, series)| !series.is_empty());
        // All panels have the same axes, so that they can be compared.
        let all = || panels.iter().flat_map(|(_, series)| series);
        let fits = || all().flat_map(|series| &series.fit);
        let x = self.x.1.axis(&self.x.0, xs(all()).chain(fits().map(|place| place.0)))?;
        // Where zero is no natural end, an interval is not measured by its estimate.
        let is_difference = self.y.1 == Quantity::Differences;
        let ends = all().flat_map(|series| &series.points).filter(|_| is_difference);
        let ends = ends.filter_map(|point| point.ends).flat_map(|(low, high)| [low, high]);
        let y = self.y.1.axis(&self.y.0, extents(all()).chain(ends).chain(fits().map(|place| place.1)))?;
        let columns = if panels.len() == 1 { 1 } else { 2 };
        let panel = |(title, series): (String, Vec<Series>)| Panel {
            title,
            plot: Plot::Lines(Lines { x: x.clone(), y: y.clone(), series, reference: self.compared }),
        };
        let sheet = Sheet {
            title: self.title.to_owned(),
            subtitle: self.subtitle,
            caption: self.caption,
            notes: self.notes,
            mark: self.mark,
            ..Sheet::default()
        };
        sheet.with_panels(panels.into_iter().map(panel).collect(), columns, HEIGHT)
    }
}

fn series(line: &Line) -> Option<Series> {
    let look = match line.is_beside {
        true => Look::of_published(line.look),
        false => Look::of_curve(line.look, line.is_virtual),
    };
    // A width of zero draws no line.
    let look = if line.fit.is_empty() { look } else { Look { width: 0.0, ..look } };
    let points = line.points.iter().filter_map(|(x, y)| Point::with_interval(*x, *y));
    Some(Series { fit: line.fit.clone(), ..Series::new(&line.name, look, points)? })
}

#[cfg(test)]
mod tests {
    use super::super::Column;
    use super::*;

    #[test]
    fn amounts_and_differences_have_axes_with_zero() {
        let lowest = |quantity: Quantity| quantity.axis("", [1800.0, 3000.0]).unwrap().low;
        assert_eq!([Quantity::Amounts, Quantity::Differences].map(lowest), [0.0; 2]);
    }

    #[test]
    fn panels_have_the_same_axes_and_what_is_empty_is_left_out() {
        let line = |name: &str, values: &[f64]| Line {
            name: name.to_owned(),
            points: values.iter().enumerate().map(|(x, y)| (x as f64 + 1.0, Interval::unknown(*y))).collect(),
            ..Line::default()
        };
        let chart = LineChart {
            title: "Score",
            x: ("multiple".to_owned(), Quantity::Factors),
            y: ("score".to_owned(), Quantity::Shares),
            panels: vec![
                ("first".to_owned(), vec![line("a", &[0.2, 0.4]), line("nothing", &[])]),
                ("second".to_owned(), vec![line("b", &[0.1, 0.3, 0.9])]),
                ("empty".to_owned(), vec![line("c", &[f64::NAN])]),
            ],
            ..LineChart::default()
        };
        let sheet = chart.clone().sheet().unwrap();
        let svg = sheet.draw(Column::Double, false).to_svg("");
        for text in ["first", "second", ">a<", ">b<", "multiple"] {
            assert!(svg.contains(text), "{text}");
        }
        assert!(!svg.contains("nothing") && !svg.contains("empty"));
        assert_eq!(LineChart { panels: Vec::new(), ..chart }.sheet(), None);
    }
}
