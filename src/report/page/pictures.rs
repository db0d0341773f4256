//! Charts on a page.

use crate::report::charts::Chart;
use crate::table::markup::Html;

/// Writes a chart with how to read it.
pub(in crate::report) fn write(html: &mut Html, chart: &Chart) {
    let class = if chart.is_broad { "broad" } else { "" };
    html.within("figure", &[("id", &format!("chart-{}", chart.name)), ("class", class)], |html| {
        html.within("div", &[("class", "picture")], |html| html.markup(chart.inline.trim_end()));
        html.within("details", &[("class", "reading")], |html| {
            html.element("summary", &[], "How to read it");
            html.element("p", &[], &chart.caption);
        });
    });
}
