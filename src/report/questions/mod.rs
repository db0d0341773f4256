//! The report as a list of questions. A question has a title in plain words, one sentence that answers it from tests,
//! at most two charts and one table; page, terminal, Markdown and CSV files are made of the list. What the records
//! cannot answer is not there.

mod answer;
mod differences;
mod effects;
mod how;
mod micro;
mod noise;
mod parameters;
mod positions;
mod published;
pub(in crate::report) mod rows;
pub(in crate::report) mod size;
mod speedup;
mod split;
mod table_use;
mod thesis;
mod tree;
mod wherefore;

use crate::record::{Asks, Environment, MachineKind};
use crate::report::Source;
use crate::report::analysis::{Analysis, Group};
use crate::report::charts::Make;
use crate::statistics::LEVEL;
use crate::table::markup::Html;
use crate::table::{Columns, Table, number};

pub(in crate::report) use differences::in_words;
pub(in crate::report) use how::sentence_of;
pub(in crate::report) use micro::verdict as of_micro;
pub(in crate::report) use noise::CLAIMS;
pub(in crate::report) use published::{beside as beside_published, verdict as of_published};
use rows::Row;
pub(in crate::report) use split::{is_padded, verdict as of_split};
pub(in crate::report) use wherefore::losses;

/// Question of a report.
#[derive(Clone, Copy)]
pub(in crate::report) struct Question {
    /// Name in addresses and files.
    pub key: &'static str,
    /// The question in plain words.
    pub title: &'static str,
    /// How to read the chart and the table.
    pub reading: &'static str,
    /// Answer in one sentence; nothing if the records cannot answer.
    pub sentence: fn(&Source<'_>) -> Option<String>,
    /// Charts, the first the most telling.
    pub charts: &'static [Drawn],
    /// Number of charts that are drawn if the experiment names none.
    pub most_charts: usize,
    /// Columns of `summary.csv`, a row a configuration; those with headings are shown to readers.
    pub columns: Option<for<'a> fn(&'a Analysis) -> Columns<'a, Row<'a>>>,
    /// Whether a configuration has a row in the table for readers.
    pub has_row: fn(&Group) -> bool,
    /// Table for readers, where it is not that of the columns.
    pub table: Option<fn(&Source<'_>) -> Table>,
    /// File of rows that are no configurations.
    pub file: Option<File>,
    /// What else the page shows.
    pub body: Option<fn(&Source<'_>, &Environment, &mut Html)>,
}

/// Chart of a question: its name, what it shows, and the function that makes it.
pub(in crate::report) type Drawn = (&'static str, &'static str, Make);

/// File of comma-separated values; it is not written without rows.
#[derive(Clone, Copy)]
pub(in crate::report) struct File {
    pub name: &'static str,
    /// Meaning of its rows.
    pub rows: &'static str,
    pub table: fn(&Analysis) -> Table,
}

impl Question {
    /// Question without charts and tables.
    const PLAIN: Self = Self {
        key: "",
        title: "",
        reading: "",
        sentence: |_| None,
        charts: &[],
        most_charts: 2,
        columns: None,
        has_row: |group| group.runs > 0,
        table: None,
        file: None,
        body: None,
    };

    /// Table for readers; without rows if there is none.
    pub fn table(&self, source: &Source<'_>) -> Table {
        match (self.table, self.columns, self.file) {
            (Some(table), ..) => table(source),
            (None, Some(columns), _) => {
                let rows = rows::shown(source.analysis).into_iter().filter(|row| (self.has_row)(row.group));
                let columns = rows::first(source.analysis).and(columns(source.analysis).for_readers());
                columns.table(self.title, self.reading, rows).without_empty_columns()
            }
            (None, None, Some(file)) => {
                let table = (file.table)(source.analysis).for_readers().without_empty_columns();
                Table { title: self.title.to_owned(), caption: self.reading.to_owned(), ..table }
            }
            (None, None, None) => Table::default(),
        }
    }
}

/// All questions, in the order of a report.
pub(in crate::report) const QUESTIONS: [Question; 16] = [
    speedup::SPEEDUP,
    differences::DIFFERENCES,
    effects::EFFECTS,
    wherefore::WHERE,
    size::SIZE,
    tree::TREE,
    answer::ANSWER,
    split::SPLIT,
    table_use::TABLE,
    thesis::THESIS,
    published::PUBLISHED,
    parameters::PARAMETERS,
    micro::MICRO,
    noise::NOISE,
    positions::POSITIONS,
    how::HOW,
];

/// Keys of the questions that are open from the start.
pub(in crate::report) fn opened(asks: Asks) -> &'static [&'static str] {
    match asks {
        Asks::Scaling | Asks::Best => &["where", "size"],
        Asks::Effect => &["differences", "effects"],
        Asks::Splitting => &["split", "differences"],
        Asks::Published => &["published", "thesis"],
    }
}

/// Name of the chart that the first screen shows.
pub(in crate::report) fn first_chart(asks: Asks) -> &'static [&'static str] {
    match asks {
        Asks::Scaling | Asks::Best => &["time-speedup"],
        Asks::Effect => &["comparisons", "effects", "micro", "time-speedup"],
        Asks::Splitting => &["copy-sizes", "stages", "comparisons", "splitting"],
        Asks::Published => &["predictions", "tree-size", "time-speedup"],
    }
}

/// All charts, in the order of a report.
pub(in crate::report) fn charts() -> impl Iterator<Item = Drawn> {
    QUESTIONS.into_iter().flat_map(|question| question.charts.iter().copied())
}

/// A difference that chance makes less often than this is called one.
pub(in crate::report) fn is_shown(p: Option<f64>) -> bool {
    p.is_some_and(|p| p < 1.0 - LEVEL)
}

/// `16 real processors`, `1 virtual processor`.
pub(in crate::report) fn processors(threads: u32, machine: MachineKind) -> String {
    format!("{threads} {} processor{}", machine.name(), if threads == 1 { "" } else { "s" })
}

/// Candidates of all contests with the largest number of processors of each machine, the fastest first.
fn leaders(analysis: &Analysis) -> Vec<(MachineKind, u32, Vec<&Group>)> {
    let mut leaders = Vec::new();
    for &machine in MachineKind::ALL {
        let candidates = analysis.contests.iter().flat_map(|contest| &contest.candidates);
        let mut groups: Vec<&Group> = candidates.map(|&place| &analysis.groups[place]).collect();
        groups.retain(|group| group.configuration.machine == machine);
        let Some(most) = groups.iter().map(|group| group.configuration.threads).max() else { continue };
        groups.retain(|group| group.configuration.threads == most);
        let speedup =
            |group: &&Group| group.against_baseline.as_ref().map_or(f64::NAN, |ratios| ratios.time_speedup.estimate);
        groups.sort_by(|one, other| speedup(other).total_cmp(&speedup(one)));
        leaders.push((machine, most, groups));
    }
    leaders
}

/// Words for the first of these items, and how many more there are.
fn few(items: &[String], most: usize) -> String {
    let mut words: Vec<String> = items.iter().take(most).cloned().collect();
    if items.len() > most {
        words.push(number::counted(items.len() - most, "other", "others"));
    }
    number::listed(&words)
}
