//! The page: one file that opens anywhere, without a network. It begins with the question and the answer in one
//! paragraph, and ends with how the figures were made and the command that makes them again. The same analysis gives
//! the same bytes.

mod answer;
mod charts;
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
use crate::report::tables::{found, micro, promises, shown};
use crate::table::markup::Html;
use crate::table::number::counted;
use crate::table::{Table, html};

pub(crate) use answer::Answer;
pub(in crate::report) use charts::{Targets, write_charts};

use charts::{Link, chart_id, short, table_id, write_links};

/// Style sheet of the page.
const STYLE: &str = include_str!("style.css");
/// Scripts that sort tables, make files of tables and charts, and fit tables to a narrow window. The page is whole
/// without them.
const SCRIPTS: [&str; 3] = [include_str!("sort.js"), include_str!("save.js"), include_str!("narrow.js")];
/// Policy that forbids the page to load anything at all, whatever is in it.
const NO_LOADING: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:";
/// Title of an experiment that has none.
const NO_TITLE: &str = "Experiment";
/// Rows beyond which a table is folded away until it is asked for.
const ROWS_UNFOLDED: usize = 60;

/// The page of an experiment. `environment` is what the run folder's `environment.json` holds, or null.
pub(crate) fn page(analysis: &Analysis, charts: &[Chart], environment: &serde_json::Value) -> String {
    let environment = Environment::read(environment);
    let title = if analysis.description.title.is_empty() { NO_TITLE } else { &analysis.description.title };
    let tables = MachineKind::ALL.iter().flat_map(|machine| tables(analysis, *machine)).collect::<Vec<_>>();
    let named = tables.iter().map(|(machine, name, table)| (*machine, *name, table.title.clone()));
    let targets = Targets { tables: named.collect(), ..Targets::of_charts(charts) };
    let sections = sections(analysis, charts, &environment, (&tables, &targets));
    let mut answer = Answer::of(analysis);
    let beginning = Beginning {
        title,
        question: &analysis.description.question,
        notice: answer.notice.take(),
        answer: &answer.paragraphs(),
        links: &targets.of_answer(),
        // What disturbs a real machine does not touch virtual time.
        warnings: &if analysis.quality.real > 0 { environment.serious() } else { Vec::new() },
    };
    document(&beginning, &sections)
}

/// Beginning of a page, above its sections.
#[derive(Clone, Debug, Default)]
pub(in crate::report) struct Beginning<'a> {
    pub title: &'a str,
    pub question: &'a str,
    /// Notice that must be read before any figure.
    pub notice: Option<String>,
    pub answer: &'a [String],
    /// Links to charts and tables that the answer speaks of, by kind.
    pub links: &'a [(&'static str, Vec<Link>)],
    /// Findings on this computer that spoil times of real processors.
    pub warnings: &'a [&'a Finding],
}

/// Page with a beginning and these sections.
pub(in crate::report) fn document(beginning: &Beginning<'_>, sections: &[Section]) -> String {
    let mut html = Html::new();
    html.markup("<!DOCTYPE html>\n");
    html.within("html", &[("lang", "en-GB")], |html| {
        html.within("head", &[], |html| head(html, beginning.title));
        html.within("body", &[], |html| {
            contents(html, sections);
            html.within("main", &[], |html| {
                write_beginning(html, beginning);
                for section in sections {
                    html.section(section.id, section.heading, |html| html.add(&section.body));
                }
            });
            html.within("script", &[], |html| SCRIPTS.iter().for_each(|script| html.markup(script)));
        });
    });
    html.into_string()
}

fn write_beginning(html: &mut Html, beginning: &Beginning<'_>) {
    html.within("header", &[], |html| {
        html.element("h1", &[], beginning.title);
        if !beginning.question.is_empty() {
            html.element("p", &[("class", "question")], beginning.question);
        }
    });
    if let Some(notice) = &beginning.notice {
        html.element("p", &[("class", "notice"), ("role", "note")], notice);
    }
    html.section("answer", "Answer", |html| {
        html.within("div", &[("class", "answer")], |html| html.paragraphs(beginning.answer));
        beginning.links.iter().for_each(|(kind, links)| write_links(html, kind, links));
    });
    write_warnings(html, beginning.warnings);
}

/// Section of a page, which its contents name.
pub(in crate::report) struct Section {
    id: &'static str,
    heading: &'static str,
    body: Html,
    /// Ids and titles of what is in it, for the contents.
    parts: Vec<Link>,
}

impl Section {
    /// Section with whatever `fill` puts into it.
    pub(in crate::report) fn new(id: &'static str, heading: &'static str, fill: impl FnOnce(&mut Html)) -> Self {
        let mut body = Html::new();
        fill(&mut body);
        Self { id, heading, body, parts: Vec::new() }
    }

    /// Section that the contents name with its parts.
    fn with_parts(self, parts: impl IntoIterator<Item = Link>) -> Self {
        Self { parts: parts.into_iter().collect(), ..self }
    }
}

/// Table of a machine, with its name.
type Named = (MachineKind, &'static str, Table);

fn sections(
    analysis: &Analysis,
    charts: &[Chart],
    environment: &Environment,
    (tables, targets): (&[Named], &Targets),
) -> Vec<Section> {
    let charts_named = targets.charts.iter().map(|(name, title)| (chart_id(name), title.clone()));
    let of_machine = |id, machine: MachineKind| {
        let own = || tables.iter().filter(move |(of, ..)| *of == machine);
        let section =
            Section::new(id, shown::heading(machine), |html| own().for_each(|table| write_table(html, table, targets)));
        section.with_parts(own().map(|(_, name, table)| (table_id(machine, name), short(&table.title))))
    };
    let mut sections = vec![
        Section::new("charts", "Charts", |html| write_charts(html, charts, targets)).with_parts(charts_named),
        of_machine("real", MachineKind::Real),
        of_machine("virtual", MachineKind::Virtual),
        Section::new("method", "Method", |html| method::write(html, analysis)),
        Section::new("environment", "Environment", |html| {
            environment.write(html);
            environment::write_costs(html, &environment.costs());
        }),
        Section::new("quality", "Quality of the records", |html| quality::write(html, analysis)),
        Section::new("again", "Reproduce this", |html| write_command(html, &analysis.description)),
    ];
    sections.retain(|section| !section.body.is_empty());
    sections
}

/// Function that makes a table of a machine.
type MakeTable = fn(&Analysis, MachineKind) -> Table;

/// All tables of one machine that have rows.
fn tables(analysis: &Analysis, machine: MachineKind) -> Vec<Named> {
    if !shown::is_any(analysis, machine) {
        return Vec::new();
    }
    let all: [(&'static str, MakeTable); 28] = [
        ("explanations", shown::explanations),
        ("replications", shown::replications),
        ("predictions", shown::predictions),
        ("thesis", shown::thesis),
        ("speedup", shown::speedups),
        ("regrets", found::regrets),
        ("by-depth", found::by_depth),
        ("solutions", found::solutions),
        ("agreement", found::agreement),
        ("factors", shown::factors),
        ("averages", shown::averages),
        ("cut-off", shown::cut_off),
        ("without-depth", shown::without_depth),
        ("counts", shown::counts),
        ("transpositions", shown::transpositions),
        ("activities", shown::activities),
        ("splitting", shown::splitting),
        ("stages", shown::stages),
        ("copy-sizes", shown::copy_sizes),
        ("losses", shown::losses),
        ("micro", micro::figures),
        ("amdahl", shown::amdahl),
        ("comparisons", shown::comparisons),
        ("effects", shown::effects),
        ("baseline", shown::baseline_spread),
        ("outliers", shown::outliers),
        ("promises", promises::promises),
        ("positions", shown::by_position),
    ];
    let made = all.into_iter().map(|(name, make)| (machine, name, make(analysis, machine)));
    made.filter(|(.., table)| !table.rows.is_empty()).collect()
}

/// Writes a table with links to the charts of its figures. A long table is folded away until it is asked for.
fn write_table(html: &mut Html, (machine, name, table): &Named, targets: &Targets) {
    let write = |html: &mut Html| {
        html::write(table, html);
        write_links(html, "Charts:", &targets.charts_of(name));
    };
    html.within("div", &[("id", &table_id(*machine, name)), ("class", "table")], |html| {
        if table.rows.len() <= ROWS_UNFOLDED {
            return write(html);
        }
        html.within("details", &[], |html| {
            let rows = counted(table.rows.len(), "row", "rows");
            html.element("summary", &[], &format!("{} ({rows})", table.title));
            write(html);
        });
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
            let mut item = |id: &str, heading: &str, parts: &[Link]| {
                html.within("li", &[], |html| {
                    html.element("a", &[("href", &format!("#{id}"))], heading);
                    if !parts.is_empty() {
                        html.within("ul", &[("class", "parts")], |html| parts.iter().for_each(|part| link(html, part)));
                    }
                });
            };
            item("answer", "Answer", &[]);
            sections.iter().for_each(|section| item(section.id, section.heading, &section.parts));
        });
    });
}

fn link(html: &mut Html, (id, title): &Link) {
    html.within("li", &[], |html| html.element("a", &[("href", &format!("#{id}"))], title));
}

fn write_warnings(html: &mut Html, warnings: &[&Finding]) {
    if !warnings.is_empty() {
        html.within("aside", &[("aria-label", "Warnings")], |html| {
            let found = "Conditions on this computer that make real times unreliable:";
            html.element("p", &[], found);
            environment::write_findings(html, warnings);
        });
    }
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
