//! The page: one file that opens anywhere, without a network. Its first screen has the verdict, the numbers that carry
//! it, one picture and one small table; below stand the questions, folded but for those that were asked. The same
//! analysis gives the same bytes.

pub(crate) mod environment;
#[cfg(test)]
mod tests;

use super::charts::Chart;
use super::question::{About, Headline, Question, Subject, Tile};
use crate::sha256::{Sha256, base64};
use crate::table::markup::Html;
use crate::table::number::counted;
use crate::table::{Cell, Table, html};

/// Style sheet of the page.
const STYLE: &str = include_str!("style.css");
/// Script that sorts tables, opens what an address names and hides curves. The page is whole without it.
const SCRIPT: &str = include_str!("page.js");

/// Policy that forbids a page to load anything at all and to run anything but this script, whatever is in it.
fn policy(script: &str) -> String {
    let hash = base64(&Sha256::of(script.as_bytes()));
    format!("default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{hash}'; img-src data:")
}

/// The page of a subject, as one file of HTML that needs no other, with the digest of the folder that it was made of.
pub(crate) fn page<S: Subject>(subject: &S, headline: &Headline, charts: &[Chart], digest: Option<&str>) -> String {
    let about = subject.about();
    let named = |name: &str| charts.iter().find(|chart| chart.name == name);
    let first = about.first_charts.iter().find_map(|name| named(name));
    let first = first.or(charts.first().filter(|_| about.first_charts.is_empty()));
    let part = |html: &mut Html, question: &Question<S>| {
        let Some(sentence) = (question.sentence)(subject) else { return };
        let is_open = about.opened.contains(&question.key);
        let open = if is_open { "open" } else { "" };
        // What stands on the first screen is not drawn again.
        let own = question.charts.iter().filter_map(|(name, ..)| named(name));
        let own: Vec<&Chart> = own.filter(|chart| first.is_none_or(|first| first.name != chart.name)).collect();
        html.within("details", &[("class", "part"), ("id", question.key), ("open", open)], |html| {
            html.within("summary", &[], |html| {
                html.element("h2", &[], question.title);
                html.element("p", &[], &sentence);
            });
            // Those of the thesis belong together; of others one picture is enough to begin with.
            let at_once = if question.most_charts > 2 { own.len() } else { own.len().min(1) };
            write_charts(html, &own[..at_once]);
            if let [next, ..] = own[at_once..] {
                write_folded(html, &next.title, |html| write_charts(html, &own[at_once..]));
            }
            let table = question.table(subject);
            match is_open && !table.rows.is_empty() {
                // What is open from the start shows its picture; the figures are one click away.
                true => {
                    let rows = counted(table.rows.len(), "row of figures", "rows of figures");
                    write_folded(html, &rows, |html| html::write(&table, html));
                }
                false => html::write(&table, html),
            }
            (question.body)(subject, html);
        });
    };
    let mut html = Html::new();
    html.markup("<!DOCTYPE html>\n");
    html.within("html", &[("lang", "en-GB")], |html| {
        html.within("head", &[], |html| write_head(html, about.title, SCRIPT));
        html.within("body", &[], |html| {
            html.within("main", &[], |html| {
                write_first_screen(html, about, headline, first);
                html.within("div", &[("class", "questions")], |html| {
                    S::QUESTIONS.iter().for_each(|question| part(html, question));
                });
            });
            html.within("footer", &[], |html| write_footer(html, about.command, digest));
            html.within("script", &[], |html| html.markup(SCRIPT));
        });
    });
    html.into_string()
}

/// Writes what is seen when its title is clicked.
fn write_folded(html: &mut Html, title: &str, body: impl FnOnce(&mut Html)) {
    html.within("details", &[("class", "more")], |html| {
        html.element("summary", &[], title);
        body(html);
    });
}

/// Writes charts side by side.
fn write_charts(html: &mut Html, charts: &[&Chart]) {
    if !charts.is_empty() {
        html.within("div", &[("class", "charts")], |html| charts.iter().for_each(|chart| write_chart(html, chart)));
    }
}

/// Writes a chart with how to read it.
fn write_chart(html: &mut Html, chart: &Chart) {
    let class = if chart.is_broad { "broad" } else { "" };
    html.within("figure", &[("id", &format!("chart-{}", chart.name)), ("class", class)], |html| {
        html.within("div", &[("class", "picture")], |html| html.markup(chart.inline.trim_end()));
        html.element("p", &[("class", "bars")], &chart.notes);
        html.within("details", &[("class", "reading")], |html| {
            html.element("summary", &[], "How to read it");
            html.element("p", &[], &chart.caption);
            if !chart.measured.is_empty() {
                html.element("p", &[], &format!("Measured: {}.", chart.measured.trim_end_matches('.')));
            }
        });
    });
}

/// Writes the head of a page of this title that has no script but this one, with the style sheet of all pages.
pub fn write_head(html: &mut Html, title: &str, script: &str) {
    html.void("meta", &[("charset", "utf-8")]);
    html.void("meta", &[("http-equiv", "Content-Security-Policy"), ("content", &policy(script))]);
    html.void("meta", &[("name", "viewport"), ("content", "width=device-width, initial-scale=1")]);
    html.void("meta", &[("name", "color-scheme"), ("content", "light dark")]);
    html.element("title", &[], title);
    html.within("style", &[], |html| html.markup(STYLE));
}

fn write_first_screen(html: &mut Html, about: About<'_>, headline: &Headline, chart: Option<&Chart>) {
    let Headline { alerts, cautions, verdict, advice, next, tiles, table, .. } = headline;
    html.within("header", &[], |html| {
        html.element("h1", &[], about.title);
        if !about.question.is_empty() {
            html.element("p", &[("class", "asked")], about.question);
        }
    });
    for alert in alerts {
        html.element("p", &[("class", "alert"), ("role", "note")], alert);
    }
    let (class, words) = match headline.is_tentative {
        false => ("verdict", ""),
        true => ("verdict doubtful", DOUBTFUL),
    };
    html.element("p", &[("class", class), ("id", "verdict")], &unbroken(verdict));
    if !words.is_empty() {
        html.element("p", &[("class", "doubt")], words);
    }
    for caution in cautions {
        html.element("p", &[("class", "alert"), ("role", "note")], caution);
    }
    for line in advice {
        html.element("p", &[("class", "advice")], line);
    }
    if !tiles.is_empty() {
        html.within("div", &[("class", "tiles")], |html| tiles.iter().for_each(|tile| write_tile(html, tile)));
    }
    html.within("div", &[("class", "first")], |html| {
        if let Some(chart) = chart {
            write_chart(html, chart);
        }
        let class = if is_broad(table) { "broad" } else { "" };
        html.within("div", &[("class", class)], |html| html::write(table, html));
    });
    if let Some(next) = next {
        html.element("p", &[("class", "asked")], next);
    }
}

/// Whether a table is too broad to stand beside a chart. A column of intervals is about as broad as two others.
fn is_broad(table: &Table) -> bool {
    /// Number of columns that have room.
    const MOST: usize = 9;
    let has_intervals =
        |column: &usize| table.rows.iter().any(|row| matches!(row.get(*column), Some(Cell::Interval(_))));
    table.columns.len() + (0..table.columns.len()).filter(has_intervals).count() > MOST
}

/// Explanation of a verdict in grey; one in bold says itself that nothing is held against it.
const DOUBTFUL: &str = "In grey, not bold: what is marked on this screen speaks against relying on this answer.";

/// Words in which a number and its unit stay on one line.
fn unbroken(words: &str) -> String {
    [" %", " ms", " µs"]
        .into_iter()
        .fold(words.to_owned(), |words, unit| words.replace(unit, &unit.replace(' ', "\u{a0}")))
}

fn write_tile(html: &mut Html, tile: &Tile) {
    html.within("div", &[("class", if tile.is_warning { "tile warning" } else { "tile" })], |html| {
        html.element("b", &[], &tile.number);
        html.element("span", &[], &unbroken(&tile.words));
    });
}

fn write_footer(html: &mut Html, command: &str, digest: Option<&str>) {
    html.within("p", &[], |html| {
        if !command.is_empty() {
            html.text("Run it again: ");
            html.element("code", &[], command);
        }
        // A page that is made of a folder stands in it.
        if digest.is_some() {
            html.text(if command.is_empty() { "" } else { " · " });
            html.text(
                "Tables as CSV and charts as files stand beside this page; columns.md says what each column means.",
            );
        }
    });
    if let Some(digest) = digest {
        html.within("p", &[], |html| {
            html.text("Made of the results with the digest ");
            html.element("code", &[], digest);
            html.text(", which 'splitpoint digest' finds again.");
        });
    }
}
