//! Charts of ratios that come from no experiment: rows of estimates with their intervals beside the value one. For the
//! validation of the virtual machine, whose figures are in no analysis.

use crate::statistics::Interval;

use super::axis::Axis;
use super::figures::Figure;
use super::forest::{Estimate, Forest, Row};
use super::legend::{Entry, Legend, Sample};
use super::lines::Point;
use super::sheet::{Panel, Plot, Sheet};
use super::style::{Look, Marker};
use super::{Chart, ChartError, drawn, font};

/// The radius of a point, in units.
const RADIUS: f64 = 4.5;

/// A chart of ratios.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RatioChart {
    /// Its short name.
    pub name: &'static str,
    /// Its title.
    pub title: String,
    /// What was measured.
    pub subtitle: String,
    /// A mark that says what kind of figures all of them are; empty for none.
    pub mark: String,
    /// What is drawn and with which interval.
    pub caption: String,
    /// What the axis shows.
    pub axis: String,
    /// The names of the kinds of ratios, by their number; a single kind needs none.
    pub kinds: Vec<String>,
    /// Its panels, one below the other.
    pub panels: Vec<RatioPanel>,
}

/// Rows that share an axis.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RatioPanel {
    /// Its title; empty for none.
    pub title: String,
    /// From top to bottom.
    pub rows: Vec<RatioRow>,
}

/// What is said of one thing.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RatioRow {
    /// Its name.
    pub name: String,
    /// Its ratios.
    pub ratios: Vec<Ratio>,
}

/// A ratio of this kind.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ratio {
    /// The number of its kind.
    pub kind: usize,
    /// The ratio.
    pub interval: Interval,
}

impl RatioChart {
    /// Draws it; nothing if it has no row with a ratio.
    pub fn draw(&self) -> Result<Option<Chart>, ChartError> {
        font::register()?;
        let panels: Vec<Panel> = self.panels.iter().filter_map(|panel| self.panel(panel)).collect();
        if panels.is_empty() {
            return Ok(None);
        }
        let entry =
            |(kind, name): (usize, &String)| Entry { name: name.clone(), sample: Sample::Point(self.look(kind)) };
        let sheet = Sheet {
            title: self.title.clone(),
            subtitle: self.subtitle.clone(),
            mark: Some(self.mark.clone()).filter(|mark| !mark.is_empty()),
            columns: 1,
            panel_height: 0.0,
            panels,
            legend: Legend { groups: vec![self.kinds.iter().enumerate().map(entry).collect()] },
            notes: Vec::new(),
        };
        drawn(self.name, Figure { caption: self.caption.clone(), sheet }).map(Some)
    }

    fn panel(&self, panel: &RatioPanel) -> Option<Panel> {
        let row = |row: &RatioRow| {
            let ratios: Vec<Estimate> = row.ratios.iter().filter_map(|ratio| self.estimate(ratio)).collect();
            (!ratios.is_empty()).then(|| Row { name: row.name.clone(), columns: vec![ratios] })
        };
        let rows: Vec<Row> = panel.rows.iter().filter_map(row).collect();
        if rows.is_empty() {
            return None;
        }
        let estimates = rows.iter().flat_map(|row| &row.columns).flatten();
        let values = estimates.flat_map(|estimate| estimate.point.extent()).chain([1.0]);
        let axis = Axis::logarithmic(&self.axis, values)?;
        let plot = Plot::Forest(Forest { columns: vec![axis], neutral: 1.0, rows });
        Some(Panel { title: panel.title.clone(), plot })
    }

    fn estimate(&self, ratio: &Ratio) -> Option<Estimate> {
        let point = Point::with_interval(0.0, ratio.interval).filter(|point| point.y > 0.0)?;
        let ends = point.ends.map(|(low, high)| (low.max(f64::MIN_POSITIVE), high));
        Some(Estimate { point: Point { ends, ..point }, look: self.look(ratio.kind) })
    }

    /// All of them come from the virtual machine, at least in part: hollow.
    fn look(&self, kind: usize) -> Look {
        let marker = match (self.kinds.len(), kind) {
            (..=1, _) => Marker::Circle,
            (_, 0) => Marker::TriangleDown,
            _ => Marker::Triangle,
        };
        Look { radius: RADIUS, marker, ..Look::of_curve(kind, true) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_named_and_what_has_no_ratio_is_left_out() {
        let ratio = |kind, estimate: f64| Ratio {
            kind,
            interval: Interval { estimate, low: estimate * 0.9, high: estimate * 1.1 },
        };
        let nothing = Ratio { kind: 0, interval: Interval::unknown(f64::NAN) };
        let row = |name: &str, ratios| RatioRow { name: name.into(), ratios };
        let chart = RatioChart {
            name: "costs",
            title: "Costs".into(),
            kinds: vec!["halved".into(), "doubled".into()],
            axis: "time speedup, ratio".into(),
            panels: vec![RatioPanel {
                title: String::new(),
                rows: vec![row("lock handoff", vec![ratio(0, 1.2), ratio(1, 0.8)]), row("nothing", vec![nothing])],
            }],
            ..RatioChart::default()
        };
        let drawn = chart.draw().unwrap().unwrap();
        for text in ["lock handoff", "halved", "doubled", "time speedup, ratio"] {
            assert!(drawn.svg.contains(text), "{text}");
        }
        assert!(!drawn.svg.contains("nothing"));
        assert_eq!(RatioChart { panels: Vec::new(), ..chart }.draw().unwrap(), None);
    }
}
