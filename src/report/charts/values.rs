//! Charts of named values that come from no experiment: rows of values with their intervals, and bars of shares. For
//! matches and tournaments, whose figures are in no analysis.

use crate::statistics::Interval;

use super::axis::Axis;
use super::forest::{Estimate, Forest, Row};
use super::sheet::{Panel, Plot, Sheet};
use super::stacked::{Layer, Stacked};
use super::style::{Fill, Look};

/// Height of bars, in units.
const HEIGHT: f64 = 260.0;

/// Words around a chart.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Words {
    pub title: &'static str,
    /// Games that the figures rest on.
    pub subtitle: String,
    /// Mark that says what kind of figures all of them are.
    pub mark: Option<String>,
    /// Sentences on how to read the chart.
    pub caption: String,
    /// Sentences below it, on bars first.
    pub notes: Vec<String>,
}

/// Chart of a value for each name, one below the other.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct ValueChart {
    pub words: Words,
    /// Name of the axis of values.
    pub axis: &'static str,
    /// Value that is marked by a line.
    pub neutral: Option<f64>,
    /// Names and values from top to bottom.
    pub rows: Vec<(String, Interval)>,
}

/// Chart of bars that are shares of a whole.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct BarChart {
    pub words: Words,
    /// Name of what the bars are.
    pub bars: &'static str,
    /// Name of the axis of shares.
    pub axis: &'static str,
    /// Names of the bars, and their shares of one.
    pub shares: Vec<(String, f64)>,
}

impl Words {
    fn around(self, panel: Plot, height: f64) -> Option<Sheet> {
        let Self { title, subtitle, mark, caption, notes } = self;
        let sheet = Sheet { title: title.to_owned(), subtitle, caption, notes, mark, ..Sheet::default() };
        sheet.with_panels(vec![Panel { title: String::new(), plot: panel }], 1, [height; 2])
    }
}

impl ValueChart {
    /// The chart drawn; `None` if it has no value.
    pub(crate) fn sheet(self) -> Option<Sheet> {
        let look = Look::of_curve(0, false);
        let row = |(name, value)| Some(Row { name, columns: vec![vec![Estimate::of_value(value, look)?]] });
        let rows = self.rows.into_iter().filter_map(row).collect();
        self.words.around(Plot::Forest(Forest::of_values(self.axis, rows, self.neutral)?), 0.0)
    }
}

impl BarChart {
    /// The chart drawn; `None` if all shares are nothing.
    pub(crate) fn sheet(self) -> Option<Sheet> {
        let highest = self.shares.iter().map(|(_, share)| *share).fold(0.0, f64::max);
        let (categories, values) = self.shares.into_iter().unzip();
        let layer = Layer { name: String::new(), fill: Fill::of_layer(0), values };
        let stacked = Stacked {
            categories,
            categories_name: self.bars.to_owned(),
            y: Axis::shares(self.axis, 0.0, highest),
            totals: Vec::new(),
            layers: vec![layer],
        };
        (highest > 0.0).then(|| self.words.around(Plot::Stacked(stacked), HEIGHT))?
    }
}

#[cfg(test)]
mod tests {
    use super::super::Column;
    use super::*;

    #[test]
    fn values_have_their_names_in_order_and_need_no_zero() {
        let value = |estimate: f64| Interval { estimate, low: estimate - 20.0, high: estimate + 20.0 };
        let rows = [("best", 2_900.0), ("worst", 2_800.0), ("unknown", f64::NAN)];
        let chart = ValueChart {
            axis: "Elo",
            rows: rows.map(|(name, estimate)| (name.to_owned(), value(estimate))).to_vec(),
            ..ValueChart::default()
        };
        let sheet = chart.clone().sheet().unwrap();
        let svg = sheet.draw(Column::Double, false).to_svg("");
        let places = ["best", "worst"].map(|name| svg.find(&format!(">{name}<")).unwrap());
        assert!(places.is_sorted() && !svg.contains(">unknown<") && !svg.contains(">0<"), "{svg}");
        assert_eq!(ValueChart { rows: Vec::new(), ..chart }.sheet(), None);
    }

    #[test]
    fn bars_are_shares() {
        let bar = |name: &str, share: f64| (name.to_owned(), share);
        let chart = BarChart {
            bars: "points",
            axis: "pairs, %",
            shares: vec![bar("0", 0.25), bar("2", 0.75)],
            ..BarChart::default()
        };
        let svg = chart.clone().sheet().unwrap().draw(Column::Double, false).to_svg("");
        assert!([">25<", ">75<", "points", "pairs, %"].iter().all(|text| svg.contains(text)), "{svg}");
        assert_eq!(BarChart { shares: vec![bar("0", 0.0)], ..chart }.sheet(), None);
    }
}
