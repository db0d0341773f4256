//! A question, whatever a report is about: an experiment, games, a validation, or folders side by side. It has a title
//! in plain words, one sentence that answers it from tests, charts and one table. What is known of the subject may not
//! answer it; then it is not there.

use super::charts::sheet::Sheet;
use crate::table::markup::Html;
use crate::table::{Cell, Column, Columns, Table};

use super::questions::rows::Row;
use super::sentence::Sentence;

/// Question about subjects of a kind.
pub(crate) struct Question<S: 'static> {
    /// Name in addresses and files.
    pub key: &'static str,
    /// The question in plain words.
    pub title: &'static str,
    /// Instructions for reading the chart and the table.
    pub reading: &'static str,
    /// Answer in one sentence; nothing if the subject does not answer the question.
    pub sentence: fn(&S) -> Option<Sentence>,
    /// Charts, the first the most telling.
    pub charts: &'static [Drawn<S>],
    /// Number of charts that are drawn if none is asked for by name.
    pub most_charts: usize,
    /// Columns of `summary.csv`, a row a configuration; those with headings are shown to readers.
    pub columns: Option<for<'a> fn(&'a S) -> Columns<'a, Row<'a>>>,
    /// Table for readers.
    pub table: fn(&S) -> Table,
    /// Files of rows that are no configurations.
    pub files: &'static [File<S>],
    /// Further parts of the page.
    pub body: fn(&S, &mut Html),
}

/// Chart of a question: its name, what it shows, and the function that makes it.
pub(crate) type Drawn<S> = (&'static str, &'static str, fn(&S) -> Option<Sheet>);

/// File of comma-separated values; it is not written without rows.
pub(crate) struct File<S> {
    pub name: &'static str,
    /// Meaning of its rows.
    pub rows: &'static str,
    pub table: fn(&S) -> Table,
}

/// Columns of a file, and the cells of its rows as they are asked for.
pub(crate) type Rows<'a> = (Vec<Column>, Box<dyn Iterator<Item = Vec<Cell>> + 'a>);

/// File of comma-separated values with so many rows that they are never in memory together.
pub(crate) struct LongFile<S> {
    pub name: &'static str,
    /// Meaning of its rows.
    pub rows: &'static str,
    /// Columns, and rows as they are asked for.
    pub cells: for<'a> fn(&'a S) -> Rows<'a>,
}

/// Kind of results that a report is about.
pub(crate) trait Subject: Sized + Sync + 'static {
    /// All questions, in the order of a report.
    const QUESTIONS: &'static [Question<Self>];
    /// Long files, which stand before all others.
    const LONG_FILES: &'static [LongFile<Self>] = &[];
    /// Files that stand before those of the questions.
    const FILES: &'static [File<Self>];

    /// Title, question, and how to make the report again.
    fn about(&self) -> About<'_>;

    /// The subject as pictures and tables for readers show it, where that differs: without figures that mean nothing.
    fn shown(&self) -> Option<Self> {
        None
    }

    /// First screen of the page.
    fn headline(&self) -> Headline;
}

/// Facts that a subject tells of itself, and its wishes for a report.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct About<'a> {
    pub title: &'a str,
    pub question: &'a str,
    /// Command that makes the results again.
    pub command: &'a str,
    /// Version of the program that made them.
    pub version: &'a str,
    /// Names of the charts that are asked for; if there are none, the first of each question are drawn.
    pub charts: &'a [String],
    /// Names of charts for the first screen, the first that was drawn is shown. If there are none, any is.
    pub first_charts: &'static [&'static str],
    /// Keys of the questions that are open from the start.
    pub opened: &'static [&'static str],
    /// Notes for a reader, a sentence each.
    pub notes: &'a [String],
}

/// First screen of a page.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Headline {
    /// Warnings to be read before any figure, each with its remedy.
    pub alerts: Vec<String>,
    /// Limits of the verdict, each with its remedy; a page shows them as tiles.
    pub cautions: Vec<String>,
    /// One or two sentences that answer the question.
    pub verdict: Sentence,
    /// Limits that the verdict says itself.
    pub said: Vec<String>,
    /// Whether the verdict is weaker than one usually is: searches were disturbed, are missing, or are too small.
    pub is_tentative: bool,
    /// Advice on the next steps, a line each.
    pub advice: Vec<String>,
    /// Run that would decide a question that stays open, with the command; `DIR` stands for the folder of the results.
    pub next: Option<String>,
    /// Numbers that carry the story.
    pub tiles: Vec<Tile>,
    /// The figures that the verdict stands on.
    pub table: Table,
}

impl Headline {
    /// What whoever copies a figure must copy with it, each with its remedy.
    pub fn limits(&self) -> Vec<String> {
        [&self.alerts[..], &self.cautions, &self.said].concat()
    }
}

/// A number with what it is.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Tile {
    pub number: String,
    pub words: String,
    /// Whether what is said undermines the verdict.
    pub is_warning: bool,
}

impl<S> Question<S> {
    /// Question without charts and tables.
    pub const PLAIN: Self = Self {
        key: "",
        title: "",
        reading: "",
        sentence: |_| None,
        charts: &[],
        most_charts: 2,
        columns: None,
        table: |_| Table::default(),
        files: &[],
        body: |_, _| {},
    };

    /// Table for readers, under the words on how to read it; without rows if there is none.
    pub fn table(&self, subject: &S) -> Table {
        let table = (self.table)(subject);
        let caption = if table.caption.is_empty() { self.reading.to_owned() } else { table.caption.clone() };
        Table { title: String::new(), caption, ..table }
    }
}

/// All charts of a kind of subject, in the order of a report.
pub(crate) fn charts<S: Subject>() -> impl Iterator<Item = &'static Drawn<S>> {
    S::QUESTIONS.iter().flat_map(|question| question.charts)
}

/// All files that the report of such a subject writes, `files` first.
pub(crate) fn files<S: Subject>() -> impl Iterator<Item = &'static File<S>> {
    S::FILES.iter().chain(S::QUESTIONS.iter().flat_map(|question| question.files))
}
