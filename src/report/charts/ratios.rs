//! Charts of ratios that come from no experiment: rows of estimates with their intervals beside the value one. For the
//! validation of the virtual machine, whose figures are in no analysis.

use crate::statistics::Interval;

use super::forest::{Estimate, Forest, RADIUS, Row};
use super::legend::{Entry, Legend, Sample};
use super::sheet::{Panel, Plot, Sheet};
use super::style::{CIRCLE, Look, TRIANGLE, TRIANGLE_DOWN};
use super::{Chart, ChartError, drawn};

/// Chart of ratios.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct RatioChart {
    /// Stem of the names of its files.
    pub name: &'static str,
    pub title: String,
    /// Positions and runs that were measured.
    pub subtitle: String,
    /// Mark that says what kind of figures all of them are; empty for none.
    pub mark: String,
    /// Sentences on what is drawn and with which interval.
    pub caption: String,
    /// Quantity that the axis shows.
    pub axis: String,
    /// Names of the kinds of ratios, by their number; a single kind needs none.
    pub kinds: Vec<String>,
    /// Titles and rows of the panels, one below the other. A title may be empty.
    pub panels: Vec<(String, Vec<RatioRow>)>,
}

/// Ratios of one thing.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct RatioRow {
    pub name: String,
    /// Ratios with the numbers of their kinds.
    pub ratios: Vec<(usize, Interval)>,
}

impl RatioChart {
    /// Draws the chart; nothing if it has no row with a ratio.
    pub(crate) fn draw(&self) -> Result<Option<Chart>, ChartError> {
        let panels: Vec<Panel> = self.panels.iter().filter_map(|panel| self.panel(panel)).collect();
        let sample = |kind| Sample::Point(Look { radius: RADIUS, ..self.look(kind) });
        let entry = |(kind, name): (usize, &String)| vec![Entry { name: name.clone(), sample: sample(kind) }];
        let sheet = Sheet {
            title: self.title.clone(),
            subtitle: self.subtitle.clone(),
            caption: self.caption.clone(),
            mark: Some(self.mark.clone()).filter(|mark| !mark.is_empty()),
            ..Sheet::default()
        };
        let Some(sheet) = sheet.with_panels(panels, 1, 0.0) else { return Ok(None) };
        let legend = Legend::of(self.kinds.iter().enumerate().map(entry));
        drawn(self.name, Sheet { legend, ..sheet }).map(Some)
    }

    fn panel(&self, (title, rows): &(String, Vec<RatioRow>)) -> Option<Panel> {
        let estimate = |(kind, ratio): &(usize, Interval)| Estimate::of(*ratio, self.look(*kind));
        let row = |row: &RatioRow| Row {
            name: row.name.clone(),
            columns: vec![row.ratios.iter().filter_map(estimate).collect()],
        };
        let rows = rows.iter().map(row).filter(|row| !row.is_empty()).collect();
        let plot = Plot::Forest(Forest::of(&[&self.axis], rows)?);
        Some(Panel { title: title.clone(), plot })
    }

    /// Look of a kind. All ratios come from the virtual machine, at least in part: hollow.
    fn look(&self, kind: usize) -> Look {
        let marker = match (self.kinds.len(), kind) {
            (..=1, _) => CIRCLE,
            (_, 0) => TRIANGLE_DOWN,
            _ => TRIANGLE,
        };
        Look { marker, ..Look::of_curve(kind, true) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_named_and_what_has_no_ratio_is_left_out() {
        let ratio =
            |kind: usize, estimate: f64| (kind, Interval { estimate, low: estimate * 0.9, high: estimate * 1.1 });
        let nothing = (0, Interval::unknown(f64::NAN));
        let row = |name: &str, ratios| RatioRow { name: name.into(), ratios };
        let chart = RatioChart {
            name: "costs",
            title: "Costs".into(),
            kinds: vec!["halved".into(), "doubled".into()],
            axis: "time speedup, ratio".into(),
            panels: vec![(
                String::new(),
                vec![row("lock handoff", vec![ratio(0, 1.2), ratio(1, 0.8)]), row("nothing", vec![nothing])],
            )],
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
