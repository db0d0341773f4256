//! The page: one file that opens anywhere, without a network. Its first screen has the verdict, the numbers that carry
//! it, one picture and one small table; below stand the questions, folded but for those that were asked. The same
//! analysis gives the same bytes.

pub(in crate::report) mod environment;
mod pictures;
#[cfg(test)]
mod tests;

use crate::record::Environment;
use crate::report::Source;
use crate::report::charts::Chart;
use crate::report::headline::{Headline, Tile};
use crate::report::questions::{self, QUESTIONS, Question};
use crate::table::markup::Html;
use crate::table::number::counted;
use crate::table::{Table, html};

pub(in crate::report) use pictures::write as write_chart;

/// Style sheet of the page.
const STYLE: &str = include_str!("style.css");
/// Script that sorts tables, opens what an address names and hides curves. The page is whole without it.
const SCRIPT: &str = include_str!("page.js");
/// Policy that forbids the page to load anything at all, whatever is in it.
const NO_LOADING: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:";
/// Title of an experiment that has none.
const NO_TITLE: &str = "Experiment";

/// The page of an experiment.
pub(crate) fn page(source: &Source<'_>, headline: &Headline, charts: &[Chart], environment: &Environment) -> String {
    let analysis = source.analysis;
    let description = &analysis.description;
    let asks = analysis.asks();
    let named = |name: &str| charts.iter().find(|chart| chart.name == name);
    let first = questions::first_chart(asks).iter().find_map(|name| named(name));
    let opened = questions::opened(asks);
    let part = |question: &Question| {
        let mut body = Html::new();
        let own = question.charts.iter().filter_map(|(name, ..)| named(name));
        // What stands on the first screen is not drawn again.
        let own: Vec<&Chart> = own.filter(|chart| first.is_none_or(|first| first.name != chart.name)).collect();
        // Those of the thesis belong together; of others one picture is enough to begin with.
        let at_once = if question.most_charts > 2 { own.len() } else { own.len().min(1) };
        write_charts(&mut body, own[..at_once].iter().copied());
        if let [next, ..] = own[at_once..] {
            body.within("details", &[("class", "more")], |html| {
                html.element("summary", &[], &next.title);
                write_charts(html, own[at_once..].iter().copied());
            });
        }
        let is_open = opened.contains(&question.key);
        let table = Table { title: String::new(), ..question.table(source) };
        match is_open && !table.rows.is_empty() {
            // What is open from the start shows its picture; the figures are one click away.
            true => body.within("details", &[("class", "more")], |html| {
                html.element("summary", &[], &counted(table.rows.len(), "row of figures", "rows of figures"));
                html::write(&table, html);
            }),
            false => html::write(&table, &mut body),
        }
        if let Some(write) = question.body {
            write(source, environment, &mut body);
        }
        Some(Part { key: question.key, title: question.title, sentence: (question.sentence)(source)?, is_open, body })
    };
    document(&Page {
        title: if description.title.is_empty() { NO_TITLE } else { &description.title },
        question: &description.question,
        headline,
        chart: first,
        parts: QUESTIONS.iter().filter_map(part).collect(),
        command: &description.command,
    })
}

/// What a page is made of.
pub(in crate::report) struct Page<'a> {
    pub title: &'a str,
    pub question: &'a str,
    pub headline: &'a Headline,
    /// The picture of the first screen.
    pub chart: Option<&'a Chart>,
    pub parts: Vec<Part>,
    /// Command that makes the results again.
    pub command: &'a str,
}

/// A question with its answer, and what stands behind it.
pub(in crate::report) struct Part {
    pub key: &'static str,
    pub title: &'static str,
    pub sentence: String,
    pub is_open: bool,
    pub body: Html,
}

impl Part {
    /// Closed part with whatever `fill` puts into it.
    pub fn new(key: &'static str, title: &'static str, sentence: String, fill: impl FnOnce(&mut Html)) -> Self {
        let mut body = Html::new();
        fill(&mut body);
        Self { key, title, sentence, is_open: false, body }
    }
}

/// Writes charts side by side.
pub(in crate::report) fn write_charts<'a>(html: &mut Html, charts: impl Iterator<Item = &'a Chart>) {
    let mut charts = charts.peekable();
    if charts.peek().is_some() {
        html.within("div", &[("class", "charts")], |html| charts.for_each(|chart| write_chart(html, chart)));
    }
}

/// The page as one file of HTML that needs no other.
pub(in crate::report) fn document(page: &Page<'_>) -> String {
    let mut html = Html::new();
    html.markup("<!DOCTYPE html>\n");
    html.within("html", &[("lang", "en-GB")], |html| {
        html.within("head", &[], |html| write_head(html, page.title));
        html.within("body", &[], |html| {
            html.within("main", &[], |html| {
                write_first_screen(html, page);
                html.within("div", &[("class", "questions")], |html| {
                    page.parts.iter().for_each(|part| write_part(html, part));
                });
            });
            html.within("footer", &[], |html| write_footer(html, page.command));
            html.within("script", &[], |html| html.markup(SCRIPT));
        });
    });
    html.into_string()
}

/// Writes the head of a page of this title, with the style sheet and the policy of all pages.
pub(crate) fn write_head(html: &mut Html, title: &str) {
    html.void("meta", &[("charset", "utf-8")]);
    html.void("meta", &[("http-equiv", "Content-Security-Policy"), ("content", NO_LOADING)]);
    html.void("meta", &[("name", "viewport"), ("content", "width=device-width, initial-scale=1")]);
    html.void("meta", &[("name", "color-scheme"), ("content", "light dark")]);
    html.element("title", &[], title);
    html.within("style", &[], |html| html.markup(STYLE));
}

fn write_first_screen(html: &mut Html, page: &Page<'_>) {
    let Headline { alerts, verdict, tiles, table, .. } = page.headline;
    html.within("header", &[], |html| {
        html.element("h1", &[], page.title);
        if !page.question.is_empty() {
            html.element("p", &[("class", "asked")], page.question);
        }
    });
    for alert in alerts {
        html.element("p", &[("class", "alert"), ("role", "note")], alert);
    }
    html.element("p", &[("class", "verdict"), ("id", "verdict")], verdict);
    if !tiles.is_empty() {
        html.within("div", &[("class", "tiles")], |html| tiles.iter().for_each(|tile| write_tile(html, tile)));
    }
    html.within("div", &[("class", "first")], |html| {
        if let Some(chart) = page.chart {
            write_chart(html, chart);
        }
        html.within("div", &[], |html| html::write(table, html));
    });
}

fn write_tile(html: &mut Html, tile: &Tile) {
    html.within("div", &[("class", if tile.is_warning { "tile warning" } else { "tile" })], |html| {
        html.element("b", &[], &tile.number);
        html.element("span", &[], &tile.words);
    });
}

fn write_part(html: &mut Html, part: &Part) {
    let open = if part.is_open { "open" } else { "" };
    html.within("details", &[("class", "part"), ("id", part.key), ("open", open)], |html| {
        html.within("summary", &[], |html| {
            html.element("h2", &[], part.title);
            html.element("p", &[], &part.sentence);
        });
        html.add(&part.body);
    });
}

fn write_footer(html: &mut Html, command: &str) {
    html.within("p", &[], |html| {
        if !command.is_empty() {
            html.text("Run it again: ");
            html.element("code", &[], command);
            html.text(" · ");
        }
        html.text("Tables as CSV and charts as files stand beside this page; columns.md says what each column means.");
    });
}
