//! Files of an experiment: comma-separated values for programs, a summary in Markdown, the first table in LaTeX, and
//! the meaning of all columns. All are functions of an analysis and its records, and the same input gives the same
//! bytes.

mod curves;
mod measured;
mod package;
mod run_row;
mod runs;
mod surroundings;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::Path;

use super::Source;
use super::analysis::Group;
use super::question::{File, Headline, LongFile, Rows, Subject, files};
use super::questions::rows::{Row, identity};
use super::questions::{CLAIMS, QUESTIONS};
use crate::record::Configuration;
use crate::record::axes::THREADS;
use crate::record::folder::{write_whole, write_whole_by};
use crate::table::{Column, Table, csv, guide, latex, markdown};
use package::Resource;

/// Name of the summary for readers.
const SUMMARY_MD: &str = "summary.md";
/// Name of the file with the table of the first screen for a paper.
const SUMMARY_TEX: &str = "summary.tex";
/// Name of the file that documents all others.
const COLUMNS_MD: &str = "columns.md";

/// Files of an experiment that belong to no question.
pub(super) const FILES: [File<Source>; 3] = [SUMMARY, curves::CURVES, CLAIMS];

/// Records, a row each.
pub(super) const RUNS: LongFile<Source> = LongFile {
    name: "runs.csv",
    rows: "One row per record, sorted by configuration and number of processors. Searches on a real machine have one \
           row per attempt; searches on the virtual machine have one row, in which columns that depend on the computer \
           are left empty.",
    cells: |source| runs::runs(&source.records),
};

/// Configurations, a row each.
const SUMMARY: File<Source> = File {
    name: "summary.csv",
    rows: "One row per configuration. Columns that begin with `thesis_` are by its definitions, all others by this \
           program's. Means are arithmetic means over positions of means over runs; ratios are geometric means over \
           the positions at which the baseline was measured too, and 1 for a baseline. Columns without any value are \
           left out.",
    table: summary,
};

/// Writes all files into a folder, which must exist. Fails if a file cannot be written.
pub(super) fn write_all<S: Subject + Default>(folder: &Path, subject: &S, headline: &Headline) -> io::Result<()> {
    let write = |name: &str, bytes: &[u8]| write_whole(&folder.join(name), bytes);
    let mut resources = Vec::new();
    let mut write_csv = |name: &'static str, (columns, rows): Rows<'_>| {
        let (path, mut rows) = (folder.join(name), rows.peekable());
        // A table that there is no longer reason for would contradict the others.
        if rows.peek().is_none() {
            return remove(&path);
        }
        let mut resource = Resource::new(name, &columns);
        write_whole_by(&path, |file| csv::write_rows(file, &columns, rows.inspect(|row| resource.see(row))))?;
        resources.push(resource);
        Ok(())
    };
    S::LONG_FILES.iter().try_for_each(|file| write_csv(file.name, (file.cells)(subject)))?;
    for file in files::<S>() {
        let Table { columns, rows, .. } = (file.table)(subject);
        write_csv(file.name, (columns, Box::new(rows.into_iter())))?;
    }
    match headline.table.rows.is_empty() {
        true => remove(&folder.join(SUMMARY_TEX))?,
        false => {
            let caption = [headline.table.caption.clone()].into_iter().chain(headline.limits()).collect::<Vec<_>>();
            let title = subject.about().title.to_owned();
            let table = Table { title, caption: caption.join(" "), ..headline.table.clone() };
            write(SUMMARY_TEX, latex::write(&table, "summary").as_bytes())?;
        }
    }
    write(package::NAME, package::text(subject.about().title, subject.about().version, &resources).as_bytes())?;
    write(SUMMARY_MD, summary_md(subject.shown().as_ref().unwrap_or(subject), headline).as_bytes())?;
    write(COLUMNS_MD, columns_md::<S>().as_bytes())
}

fn summary(source: &Source) -> Table {
    let columns = QUESTIONS.iter().filter_map(|question| question.columns).map(|columns| columns(source));
    let columns = columns.fold(identity(&source.analysis.groups), |all, columns| all.and(columns));
    let groups: Vec<(usize, &Group)> = source.analysis.groups.iter().enumerate().collect();
    let groups = by_configuration(groups, |(_, group)| &group.configuration);
    let rows = groups.into_iter().map(|(place, group)| Row { place, label: &group.label, group });
    let table = columns.table("", "", rows);
    if table.rows.is_empty() { table } else { table.without_empty_columns() }
}

/// The items sorted by configuration and number of processors: configurations that differ in it only come together, in
/// the order in which the first of them came.
pub(crate) fn by_configuration<T>(items: Vec<T>, configuration: impl Fn(&T) -> &Configuration) -> Vec<T> {
    let mut families: BTreeMap<Configuration, usize> = BTreeMap::new();
    let mut placed = Vec::with_capacity(items.len());
    for item in items {
        let count = families.len();
        let one = configuration(&item);
        let family = *families.entry(THREADS.without(one)).or_insert(count);
        placed.push(((family, one.threads), item));
    }
    placed.sort_by_key(|(place, _)| *place);
    placed.into_iter().map(|(_, item)| item).collect()
}

/// The summary in Markdown: the verdict, then every question with its answer and its table.
fn summary_md<S: Subject>(subject: &S, headline: &Headline) -> String {
    let about = subject.about();
    let mut sections = vec![format!("# {}", about.title), about.question.to_owned()];
    sections.extend(headline.alerts.iter().map(|alert| format!("**{alert}**")));
    sections.push(headline.verdict.to_string());
    sections.extend(headline.advice.iter().cloned());
    for question in S::QUESTIONS {
        let Some(sentence) = (question.sentence)(subject) else { continue };
        sections.extend([format!("## {}", question.title), sentence.to_string()]);
        let table = question.table(subject);
        if !table.rows.is_empty() {
            sections.push(markdown::write(&table));
        }
    }
    if !about.command.is_empty() {
        sections.push(format!("Made by splitpoint {} with `{}`.", about.version, about.command));
    }
    sections.retain(|section| !section.is_empty());
    markdown::harmless(&format!("{}\n", sections.join("\n\n")))
}

/// Text of `columns.md`: the meaning of the columns of all files.
fn columns_md<S: Subject + Default>() -> String {
    let note = "Comma-separated values with a line of headings. A value that is not known, or has no meaning for a \
                row, is left empty. A name means the same in all files; times are in seconds, shares are fractions of \
                one. Seconds of the machine are virtual seconds on the virtual machine, and must not be compared with \
                real ones. Words that a spreadsheet would take for a formula have an apostrophe before them.";
    let section = |guide: Table| {
        let (name, rows) = (guide.title.clone(), guide.caption.clone());
        let columns = markdown::write(&Table { title: String::new(), caption: String::new(), ..guide });
        format!("## {}\n\n{rows}\n\n{columns}\n", name.trim_matches('`'))
    };
    let sections: Vec<String> = guides_of::<S>().map(section).collect();
    format!("# Columns\n\n{note}\n\n{}", sections.join("\n"))
}

/// Columns of each file that the report of an experiment writes, with what they mean.
pub fn guides() -> Vec<Table> {
    guides_of::<Source>().collect()
}

/// Columns of each file that a report writes, with what they mean: one table a file, whatever was measured.
fn guides_of<S: Subject + Default>() -> impl Iterator<Item = Table> {
    let nothing = S::default();
    let guide = |name: &str, rows: &str, columns: &[Column]| Table {
        title: format!("`{name}`"),
        caption: rows.to_owned(),
        ..guide(columns)
    };
    let long: Vec<Table> =
        S::LONG_FILES.iter().map(|file| guide(file.name, file.rows, &(file.cells)(&nothing).0)).collect();
    let others = files::<S>().map(move |file| guide(file.name, file.rows, &(file.table)(&nothing).columns));
    long.into_iter().chain(others)
}

fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        result => result,
    }
}

#[cfg(test)]
mod ordering {
    use super::by_configuration;
    use crate::record::{Configuration, MachineKind};

    #[test]
    fn numbers_of_processors_of_one_configuration_come_together_in_order() {
        let one = |strategy: &str, threads| Configuration::sample(MachineKind::Virtual, strategy, threads);
        let items = vec![one("b", 4), one("a", 2), one("b", 2), one("a", 8)];
        let sorted: Vec<String> = by_configuration(items, |item| item)
            .into_iter()
            .map(|item| format!("{}{}", item.strategy, item.threads))
            .collect();
        assert_eq!(sorted, ["b2", "b4", "a2", "a8"]);
    }
}
