//! The page: one file that opens anywhere, without a network. It begins with the question and the answer in one
//! paragraph, and ends with how the figures were made and the command that makes them again. The same analysis gives
//! the same bytes.

mod answer;
pub(in crate::report) mod environment;
pub(in crate::report) mod html;
mod method;
pub(in crate::report) mod numbers;
mod quality;
#[cfg(test)]
mod samples;
pub(in crate::report) mod table;
mod tables;
#[cfg(test)]
mod tests;

use crate::record::{Description, Environment, MachineKind};
use crate::report::analysis::Analysis;

pub use answer::answer;

use html::Html;

/// How it looks.
const STYLE: &str = include_str!("style.css");
/// Sorts tables. The page is whole without it.
const SORTING: &str = include_str!("sort.js");
/// Forbids the page to load anything at all, whatever is in it.
const NO_LOADING: &str =
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:; font-src data:";
/// Stands where an experiment has no title.
const NO_TITLE: &str = "Experiment";

/// A chart as the page shows it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PageChart {
    /// Its short name, which links can point to.
    pub name: String,
    /// What it shows, for those who cannot see it.
    pub title: String,
    /// What is drawn, and with which interval.
    pub caption: String,
    /// The picture. It is put into the page as it stands, so it must be of this program's making.
    pub svg: String,
}

/// The page of an experiment. `environment` is what the run folder's `environment.json` holds, or null.
pub fn page(analysis: &Analysis, charts: &[PageChart], environment: &serde_json::Value) -> String {
    let environment = Environment::read(environment);
    let title = if analysis.description.title.is_empty() { NO_TITLE } else { &analysis.description.title };
    let sections = sections(analysis, charts, &environment);
    document(title, &sections, |html| introduction(html, title, analysis, &environment))
}

/// A whole page of these parts. Its introduction holds a section `answer`.
pub(in crate::report) fn document(title: &str, sections: &[Section], introduction: impl FnOnce(&mut Html)) -> String {
    let mut html = Html::new();
    html.markup("<!DOCTYPE html>\n");
    html.within("html", &[("lang", "en-GB")], |html| {
        html.within("head", &[], |html| head(html, title));
        html.within("body", &[], |html| {
            contents(html, sections);
            html.within("main", &[], |html| {
                introduction(html);
                for section in sections {
                    html.section(section.id, section.heading, |html| html.add(&section.body));
                }
            });
            html.within("script", &[], |html| html.markup(SORTING));
        });
    });
    html.into_string()
}

/// A part of the page that the contents name.
pub(in crate::report) struct Section {
    id: &'static str,
    heading: &'static str,
    body: Html,
}

impl Section {
    /// A part with whatever `fill` puts into it.
    pub(in crate::report) fn new(id: &'static str, heading: &'static str, fill: impl FnOnce(&mut Html)) -> Self {
        let mut body = Html::new();
        fill(&mut body);
        Self { id, heading, body }
    }
}

fn sections(analysis: &Analysis, charts: &[PageChart], environment: &Environment) -> Vec<Section> {
    let section = |id, heading, fill: &dyn Fn(&mut Html)| Section::new(id, heading, |html| fill(html));
    let mut sections = vec![
        section("charts", "Charts", &|html| write_charts(html, charts)),
        section("real", "Real processors", &|html| html.add(&tables::of_machine(analysis, MachineKind::Real))),
        section("virtual", "○ Virtual processors", &|html| {
            html.add(&tables::of_machine(analysis, MachineKind::Virtual));
        }),
        section("method", "Method", &|html| method::write(html, analysis)),
        section("environment", "Environment", &|html| {
            environment.write(html);
            environment::write_costs(html, &environment.costs());
        }),
        section("quality", "Quality of the records", &|html| quality::write(html, &analysis.quality)),
        section("again", "To make it again", &|html| write_command(html, &analysis.description)),
    ];
    sections.retain(|section| !section.body.is_empty());
    sections
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

/// The question, the answer, and what spoils it.
fn introduction(html: &mut Html, title: &str, analysis: &Analysis, environment: &Environment) {
    let description = &analysis.description;
    html.within("header", &[], |html| {
        html.element("h1", &[], title);
        if !description.question.is_empty() {
            html.element("p", &[("class", "question")], &description.question);
        }
    });
    html.section("answer", "Answer", |html| {
        html.within("div", &[("class", "answer")], |html| {
            answer::paragraphs(analysis).iter().for_each(|paragraph| html.element("p", &[], paragraph));
        });
    });
    // What disturbs a real machine does not touch virtual time.
    if analysis.quality.real > 0 {
        write_warnings(html, environment);
    }
}

/// What is grave about the computer.
pub(in crate::report) fn write_warnings(html: &mut Html, environment: &Environment) {
    let serious = environment.serious();
    if !serious.is_empty() {
        html.within("aside", &[("aria-label", "Warnings")], |html| {
            html.element(
                "p",
                &[],
                "What was found on the computer before it measured, and spoils times of real processors:",
            );
            html.within("ul", &[("class", "findings")], |html| serious.iter().for_each(|finding| finding.write(html)));
        });
    }
}

/// Charts with their captions.
pub(in crate::report) fn write_charts(html: &mut Html, charts: &[PageChart]) {
    // What stands before the root of a picture, such as its declaration, has no place within a page.
    let drawn: Vec<(&PageChart, &str)> =
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
    html.facts(&facts.map(|(name, value)| (name.to_owned(), value)));
}
