//! Charts on a page.

use crate::report::charts::Chart;
use crate::table::markup::Html;

/// Writes a chart with how to read it.
pub(in crate::report) fn write(html: &mut Html, chart: &Chart) {
    let class = if chart.broad.is_some() { "broad" } else { "" };
    html.within("figure", &[("id", &format!("chart-{}", chart.name)), ("class", class)], |html| {
        let mut picture = |class: &str, svg: &str| {
            // What stands before the root of a picture, such as its declaration, has no place within a page.
            if let Some(root) = svg.find("<svg") {
                let attributes = [("class", class), ("role", "img"), ("aria-label", chart.title.as_str())];
                html.within("div", &attributes, |html| html.markup(svg[root..].trim_end()));
            }
        };
        picture("picture narrow", &chart.narrow);
        chart.broad.iter().for_each(|svg| picture("picture wide", svg));
        html.within("details", &[("class", "reading")], |html| {
            html.element("summary", &[], "How to read it");
            html.element("p", &[], &chart.caption);
        });
    });
}
