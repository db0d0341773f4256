//! Charts of ratios that come from no experiment: rows of estimates with their intervals beside the value one. For the
//! validation of the virtual machine, whose figures are in no analysis.

use crate::statistics::Interval;

use super::forest::{self, Forest};
use super::legend::{Entry, Legend};
use super::sheet::{Panel, Plot, Sheet};
use super::style::Look;

/// Chart of ratios of several kinds. All come from the virtual machine, at least in part.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct RatioChart {
    pub title: &'static str,
    /// Positions and runs that were measured.
    pub subtitle: String,
    /// Mark that says what kind of figures all of them are.
    pub mark: Option<String>,
    /// Sentences on how to read the chart.
    pub caption: &'static str,
    /// Sentence on what bars mean.
    pub bars: &'static str,
    /// Quantity that the axis shows.
    pub axis: &'static str,
    /// Names of the kinds of ratios; of two, the second is drawn as more of what the first is less of.
    pub kinds: &'static [&'static str],
    /// Whether the rows with the largest effects come first.
    pub is_ranked: bool,
    /// Titles and ratios of the panels, one below the other. A title may be empty.
    pub panels: Vec<(String, Vec<Ratio>)>,
}

/// Name of the row, number of the kind, and the ratio itself.
pub(crate) type Ratio = (String, usize, Interval);

impl RatioChart {
    /// The chart drawn; `None` if it has no ratio.
    pub(crate) fn sheet(self) -> Option<Sheet> {
        let look = |kind: usize| match self.kinds.len() {
            2 => Look::of_change(kind == 1),
            _ => Look::of_curve(kind, true),
        };
        let panel = |(title, ratios): (String, Vec<Ratio>)| {
            let mut rows = Vec::new();
            for (name, kind, ratio) in ratios {
                forest::add(&mut rows, &name, [ratio], look(kind));
            }
            if self.is_ranked {
                forest::rank(&mut rows);
            }
            Some(Panel { title, plot: Plot::Forest(Forest::of(&[self.axis], rows)?) })
        };
        let panels = self.panels.into_iter().filter_map(panel).collect();
        let entries = self.kinds.iter().enumerate().map(|(kind, name)| Entry::point(*name, look(kind)));
        let sheet = Sheet {
            title: self.title.to_owned(),
            subtitle: self.subtitle,
            caption: self.caption.to_owned(),
            notes: vec![self.bars.to_owned()],
            mark: self.mark,
            ..Sheet::default()
        };
        let sheet = sheet.with_panels(panels, 1, [0.0; 2])?;
        Some(Sheet { legend: Legend::of(entries.map(|entry| vec![entry])), ..sheet })
    }
}

#[cfg(test)]
mod tests {
    use super::super::Column;
    use super::*;

    #[test]
    fn rows_are_named_and_what_has_no_ratio_is_left_out() {
        let ratio = |name: &str, kind: usize, estimate: f64| {
            (name.to_owned(), kind, Interval { estimate, low: estimate * 0.9, high: estimate * 1.1 })
        };
        let chart = RatioChart {
            title: "Costs",
            kinds: &["halved", "doubled"],
            axis: "time speedup, ratio",
            panels: vec![(
                String::new(),
                vec![ratio("lock handoff", 0, 1.2), ratio("lock handoff", 1, 0.8), ratio("nothing", 0, f64::NAN)],
            )],
            ..RatioChart::default()
        };
        let sheet = chart.clone().sheet().unwrap();
        let svg = sheet.draw(Column::Double, false).to_svg("");
        for text in ["lock handoff", "halved", "doubled", "time speedup, ratio"] {
            assert!(svg.contains(text), "{text}");
        }
        assert!(!svg.contains("nothing"));
        assert_eq!(RatioChart { panels: Vec::new(), ..chart }.sheet(), None);
    }
}
