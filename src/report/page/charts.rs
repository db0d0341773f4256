//! Charts on a page, with links to the tables of their figures and back.

use crate::distinct::distinct;
use crate::record::MachineKind;
use crate::report::charts::Chart;
use crate::table::markup::Html;

/// Tables that hold the figures of charts: name of the chart, name of the table. A chart that is not here has no link.
const TABLES: [(&str, &str); 29] = [
    ("time-speedup", "speedup"),
    ("efficiency", "speedup"),
    ("time-speedup-published", "speedup"),
    ("parameter", "speedup"),
    ("speedup-by-depth", "by-depth"),
    ("solutions", "solutions"),
    ("processors", "activities"),
    ("losses", "factors"),
    ("factors", "factors"),
    ("overhead", "losses"),
    ("splitting", "splitting"),
    ("copy-sizes", "copy-sizes"),
    ("stages", "stages"),
    ("micro", "micro"),
    ("comparisons", "comparisons"),
    ("effects", "effects"),
    ("predictions", "predictions"),
    ("hash-size", "counts"),
    ("positions", "positions"),
    ("distribution", "positions"),
    ("baseline", "baseline"),
    ("speedup", "thesis"),
    ("search-speed", "thesis"),
    ("tree-size", "thesis"),
    ("nodes", "thesis"),
    ("time", "thesis"),
    ("hash", "thesis"),
    ("order", "thesis"),
    ("quiescence", "thesis"),
];

/// Charts and tables that the answer speaks of, as far as there are such.
const OF_ANSWER: [&str; 9] = [
    "time-speedup",
    "factors",
    "processors",
    "splitting",
    "copy-sizes",
    "micro",
    "comparisons",
    "effects",
    "predictions",
];

/// Id of a chart on the page.
pub(super) fn chart_id(name: &str) -> String {
    format!("chart-{name}")
}

/// Id of a table on the page.
pub(super) fn table_id(machine: MachineKind, name: &str) -> String {
    format!("{}-{name}", machine.name())
}

/// Title of a table without what all tables of its machine have in common.
pub(super) fn short(title: &str) -> String {
    title.split(" (virtual machine").next().unwrap_or(title).to_owned()
}

/// Id and title of what a link leads to.
pub(in crate::report) type Link = (String, String);

/// Targets of links on a page.
#[derive(Clone, Debug, Default, PartialEq)]
pub(in crate::report) struct Targets {
    /// Names of charts with their titles.
    pub charts: Vec<(String, String)>,
    /// Machines and names of tables with their titles.
    pub tables: Vec<(MachineKind, &'static str, String)>,
}

impl Targets {
    /// Charts of a page that has no tables to link to.
    pub fn of_charts(charts: &[Chart]) -> Self {
        let charts = charts.iter().map(|chart| (chart.name.to_owned(), chart.title.clone())).collect();
        Self { charts, tables: Vec::new() }
    }

    /// Links to the tables of a chart, one a machine.
    fn tables_of(&self, chart: &str) -> Vec<Link> {
        let names = || TABLES.iter().filter(|(name, _)| *name == chart).map(|(_, table)| *table);
        let is_it = |(_, name, _): &&(MachineKind, &str, String)| names().any(|table| table == *name);
        let link = |(machine, name, title): &(MachineKind, &str, String)| (table_id(*machine, name), short(title));
        self.tables.iter().filter(is_it).map(link).collect()
    }

    /// Links to the charts of a table.
    pub fn charts_of(&self, table: &str) -> Vec<Link> {
        let is_it = |(chart, _): &&(String, String)| TABLES.contains(&(chart.as_str(), table));
        self.charts.iter().filter(is_it).map(|(name, title)| (chart_id(name), title.clone())).collect()
    }

    /// Links from the answer to the charts that it speaks of, and to the tables of their figures.
    pub fn of_answer(&self) -> [(&'static str, Vec<Link>); 2] {
        let spoken_of = || self.charts.iter().filter(|(name, _)| OF_ANSWER.contains(&name.as_str()));
        let charts = spoken_of().map(|(name, title)| (chart_id(name), title.clone())).collect();
        let tables = distinct(spoken_of().flat_map(|(name, _)| self.tables_of(name)));
        [("Charts:", charts), ("Tables:", tables)]
    }
}

/// Writes links after a word that says what they lead to; nothing if there are none.
pub(super) fn write_links(html: &mut Html, word: &str, links: &[Link]) {
    if links.is_empty() {
        return;
    }
    html.within("p", &[("class", "links")], |html| {
        html.text(word);
        for (place, (id, title)) in links.iter().enumerate() {
            html.text(if place == 0 { " " } else { " · " });
            html.element("a", &[("href", &format!("#{id}"))], title);
        }
    });
}

/// Writes charts with their captions.
pub(in crate::report) fn write_charts(html: &mut Html, charts: &[Chart], targets: &Targets) {
    if charts.is_empty() {
        return;
    }
    html.within("div", &[("class", "charts")], |html| charts.iter().for_each(|chart| write(html, chart, targets)));
}

fn write(html: &mut Html, chart: &Chart, targets: &Targets) {
    let class = if chart.is_broad { "broad" } else { "" };
    html.within("figure", &[("id", &chart_id(chart.name)), ("class", class)], |html| {
        html.within("div", &[("class", "picture")], |html| html.markup(chart.inline.trim_end()));
        html.within("figcaption", &[], |html| {
            html.element("p", &[], &chart.caption);
            write_links(html, "Figures:", &targets.tables_of(chart.name));
        });
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_lead_to_charts_and_tables_that_there_are() {
        let all = crate::report::charts::names();
        assert!(TABLES.iter().all(|(chart, _)| all.contains(chart)));
        assert!(OF_ANSWER.iter().all(|chart| all.contains(chart)));
        let targets = Targets {
            charts: vec![("time-speedup".into(), "Time speedup".into()), ("hash".into(), "Hits".into())],
            tables: vec![(MachineKind::Real, "speedup", "Speedup".into())],
        };
        assert_eq!(targets.tables_of("time-speedup"), [("real-speedup".into(), "Speedup".into())]);
        assert_eq!(targets.charts_of("speedup"), [("chart-time-speedup".into(), "Time speedup".into())]);
        assert_eq!(targets.tables_of("hash"), []);
        let [(_, charts), (_, tables)] = targets.of_answer();
        assert_eq!(charts, [("chart-time-speedup".into(), "Time speedup".into())]);
        assert_eq!(tables, [("real-speedup".into(), "Speedup".into())]);
    }
}
