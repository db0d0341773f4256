//! The page: one file that opens anywhere, without a network. It begins with the question and the answer in one
//! paragraph, and ends with how the figures were made and the command that makes them again. The same analysis gives
//! the same bytes.

mod answer;
pub(in crate::report) mod environment;
mod method;
mod quality;
#[cfg(test)]
mod samples;
#[cfg(test)]
mod tests;

use crate::record::{Description, Environment, Finding, MachineKind};
use crate::report::analysis::Analysis;
use crate::report::charts::Chart;
use crate::report::tables::{found, promises, shown};
use crate::table::html;
use crate::table::markup::Html;
use crate::table::number::counted;

pub(crate) use answer::Answer;

/// Style sheet of the page.
const STYLE: &str = include_str!("style.css");
/// Script that sorts tables. The page is whole without it.
const SORTING: &str = include_str!("sort.js");
/// Policy that forbids the page to load anything at all, whatever is in it.
const NO_LOADING: &str =
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:; font-src data:";
/// Title of an experiment that has none.
const NO_TITLE: &str = "Experiment";
/// Rows beyond which the table of positions is folded away until it is asked for.
const ROWS_UNFOLDED: usize = 60;

/// The page of an experiment. `environment` is what the run folder's `environment.json` holds, or null.
pub(crate) fn page(analysis: &Analysis, charts: &[Chart], environment: &serde_json::Value) -> String {
    let environment = Environment::read(environment);
    let title = if analysis.description.title.is_empty() { NO_TITLE } else { &analysis.description.title };
    let sections = sections(analysis, charts, &environment);
    // What disturbs a real machine does not touch virtual time.
    let warnings = if analysis.quality.real > 0 { environment.serious() } else { Vec::new() };
    document(title, &analysis.description.question, &Answer::of(analysis).paragraphs(), &warnings, &sections)
}

/// Page with the question, the answer, what spoils times of real processors on this computer, and these sections.
pub(in crate::report) fn document(
    title: &str,
    question: &str,
    answer: &[String],
    warnings: &[&Finding],
    sections: &[Section],
) -> String {
    let mut html = Html::new();
    html.markup("<!DOCTYPE html>\n");
    html.within("html", &[("lang", "en-GB")], |html| {
        html.within("head", &[], |html| head(html, title));
        html.within("body", &[], |html| {
            contents(html, sections);
            html.within("main", &[], |html| {
                html.within("header", &[], |html| {
                    html.element("h1", &[], title);
                    if !question.is_empty() {
                        html.element("p", &[("class", "question")], question);
                    }
                });
                html.section("answer", "Answer", |html| {
                    html.within("div", &[("class", "answer")], |html| html.paragraphs(answer));
                });
                write_warnings(html, warnings);
                for section in sections {
                    html.section(section.id, section.heading, |html| html.add(&section.body));
                }
            });
            html.within("script", &[], |html| html.markup(SORTING));
        });
    });
    html.into_string()
}

/// Section of a page, which its contents name.
pub(in crate::report) struct Section {
    id: &'static str,
    heading: &'static str,
    body: Html,
}

impl Section {
    /// Section with whatever `fill` puts into it.
    pub(in crate::report) fn new(id: &'static str, heading: &'static str, fill: impl FnOnce(&mut Html)) -> Self {
        let mut body = Html::new();
        fill(&mut body);
        Self { id, heading, body }
    }
}

fn sections(analysis: &Analysis, charts: &[Chart], environment: &Environment) -> Vec<Section> {
    let mut sections = vec![
        Section::new("charts", "Charts", |html| write_charts(html, charts)),
        Section::new("real", shown::heading(MachineKind::Real), |html| write_tables(html, analysis, MachineKind::Real)),
        Section::new("virtual", shown::heading(MachineKind::Virtual), |html| {
            write_tables(html, analysis, MachineKind::Virtual);
        }),
        Section::new("method", "Method", |html| method::write(html, analysis)),
        Section::new("environment", "Environment", |html| {
            environment.write(html);
            environment::write_costs(html, &environment.costs());
        }),
        Section::new("quality", "Quality of the records", |html| quality::write(html, analysis)),
        Section::new("again", "To make it again", |html| write_command(html, &analysis.description)),
    ];
    sections.retain(|section| !section.body.is_empty());
    sections
}

/// Writes all tables of one machine; nothing if nothing was measured on it.
fn write_tables(html: &mut Html, analysis: &Analysis, machine: MachineKind) {
    if !shown::is_any(analysis, machine) {
        return;
    }
    let tables = [
        shown::explanations,
        shown::replications,
        shown::predictions,
        shown::thesis,
        shown::speedups,
        found::regrets,
        found::by_depth,
        found::solutions,
        found::agreement,
        shown::factors,
        shown::averages,
        shown::cut_off,
        shown::without_depth,
        shown::counts,
        shown::transpositions,
        shown::activities,
        shown::losses,
        shown::amdahl,
        shown::comparisons,
        shown::effects,
        shown::baseline_spread,
        shown::outliers,
        promises::promises,
    ];
    tables.iter().for_each(|table| html::write(&table(analysis, machine), html));
    let positions = shown::by_position(analysis, machine);
    if positions.rows.len() <= ROWS_UNFOLDED {
        return html::write(&positions, html);
    }
    html.within("details", &[], |html| {
        let rows = counted(positions.rows.len(), "row", "rows");
        html.element("summary", &[], &format!("Each position by itself ({rows})"));
        html::write(&positions, html);
    });
}

fn head(html: &mut Html, title: &str) {
    html.void("meta", &[("charset", "utf-8")]);
    html.void("meta", &[("http-equiv", "Content-Security-Policy"), ("content", NO_LOADING)]);
    html.void("meta", &[("name", "viewport"), ("content", "width=device-width, initial-scale=1")]);
    html.void("meta", &[("name", "color-scheme"), ("content", "light dark")]);
    html.element("title", &[], title);
    html.within("style", &[], |html| html.markup(STYLE));
}

fn contents(html: &mut Html, sections: &[Section]) {
    html.within("nav", &[("aria-label", "Contents")], |html| {
        html.within("ul", &[], |html| {
            let first = ("answer", "Answer");
            for (id, heading) in
                std::iter::once(first).chain(sections.iter().map(|section| (section.id, section.heading)))
            {
                html.within("li", &[], |html| html.element("a", &[("href", &format!("#{id}"))], heading));
            }
        });
    });
}

fn write_warnings(html: &mut Html, warnings: &[&Finding]) {
    if !warnings.is_empty() {
        html.within("aside", &[("aria-label", "Warnings")], |html| {
            let found = "Conditions on this computer that make real timings unreliable:";
            html.element("p", &[], found);
            environment::write_findings(html, warnings);
        });
    }
}

/// Writes charts with their captions.
pub(in crate::report) fn write_charts(html: &mut Html, charts: &[Chart]) {
    // What stands before the root of a picture, such as its declaration, has no place within a page.
    let drawn: Vec<(&Chart, &str)> =
        charts.iter().filter_map(|chart| Some((chart, &chart.svg[chart.svg.find("<svg")?..]))).collect();
    if drawn.is_empty() {
        return;
    }
    html.within("div", &[("class", "charts")], |html| {
        for (chart, svg) in drawn {
            html.within("figure", &[("id", &format!("chart-{}", chart.name))], |html| {
                html.within("div", &[("class", "picture"), ("role", "img"), ("aria-label", &chart.title)], |html| {
                    html.markup(svg.trim_end());
                });
                html.element("figcaption", &[], &chart.caption);
            });
        }
    });
}

fn write_command(html: &mut Html, description: &Description) {
    if !description.command.is_empty() {
        html.within("pre", &[], |html| html.element("code", &[], &description.command));
    }
    let or_empty = |number: u64| if number == 0 { String::new() } else { number.to_string() };
    let part = description.shard.map(|(part, of)| format!("{part} of {of}")).unwrap_or_default();
    let facts = [
        ("Version", description.version.clone()),
        ("Signature of the search", or_empty(description.signature)),
        ("Hash of the plan", description.plan.clone()),
        ("Part of the plan", part),
    ];
    html.facts(&facts);
}
