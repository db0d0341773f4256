//! Making a report: from the files of a run folder to tables, charts and a page in it. The same files give the same
//! bytes.

use std::io;
use std::path::Path;

use super::charts::{self, Chart, ChartError, Column, Files};
use super::claims::Judged;
use super::error::ReportError;
use super::games::Results;
use super::question::{Headline, Subject};
use super::{Source, page, tables, terminal};
use crate::record::folder::{self, write_whole};
use crate::record::{CLAIMS, TOURNAMENT, digest};

/// Report that was made, as a terminal shows it.
#[derive(Clone, Debug)]
pub struct Made {
    /// Sentences that answer the experiment's question.
    pub verdict: String,
    /// Sentences on the run that a reader should know, in lines.
    pub notes: String,
    /// Table that the verdict stands on.
    pub table: String,
    /// All tables that are shown in a terminal, and the whole answer.
    pub details: String,
}

/// Name of the folder of charts.
const CHARTS: &str = "charts";

/// Wishes for a report.
#[derive(Clone, Copy, Debug, Default)]
pub struct Wishes<'a> {
    /// Folder whose results charts show too.
    pub beside: Option<&'a Path>,
    /// Charts that are drawn beside the usual ones, if there are figures for them.
    pub charts: &'a [String],
    /// Column of a paper that charts are drawn for; if none, the one that the experiment asks for.
    pub column: Option<Column>,
    /// Whether the files of charts are without words that a caption has.
    pub are_bare: bool,
}

impl Wishes<'_> {
    /// Wishes for the files of charts of an experiment that asks for this column.
    fn files(&self, column: Column) -> Files {
        Files { column: self.column.unwrap_or(column), are_bare: self.are_bare }
    }
}

/// Makes tables, charts and page from what a folder holds: an experiment, games, or claims.
pub fn make(folder: &Path, wishes: Wishes<'_>) -> Result<Made, ReportError> {
    let (made, written) = try_to_make(folder, wishes)?;
    written.map(|()| made)
}

/// The texts of a folder's report, to be printed, and whether its tables, charts and page could be written.
pub fn try_to_make(folder: &Path, wishes: Wishes<'_>) -> Result<(Made, Result<(), ReportError>), ReportError> {
    let is_of_searches = !folder.join(CLAIMS).exists() && !folder.join(TOURNAMENT).exists();
    if let Some(chart) = wishes.charts.first().filter(|_| !is_of_searches) {
        return Err(ChartError::NoFigures(chart.clone()).into());
    }
    if folder.join(CLAIMS).exists() {
        return make_of(&Judged::read(folder)?, folder, wishes.files(Column::default()));
    }
    if folder.join(TOURNAMENT).exists() {
        return make_of(&Results::read(folder, wishes.beside)?, folder, wishes.files(Column::default()));
    }
    let mut source = Source::read(folder, wishes.beside)?;
    if !wishes.charts.is_empty() {
        let usual = charts::usual(&source)?.into_iter().map(str::to_owned);
        source.analysis.description.charts = usual.chain(wishes.charts.iter().cloned()).collect();
        let drawn = charts::usual(&source)?;
        if let Some(missing) = wishes.charts.iter().find(|name| !drawn.contains(&name.as_str())) {
            return Err(ChartError::NoFigures(missing.clone()).into());
        }
    }
    let files = wishes.files(source.analysis.description.column);
    make_of(&source, folder, files)
}

/// Makes tables, charts and page of a subject in a folder.
fn make_of<S: Subject + Default>(
    subject: &S,
    folder: &Path,
    files: Files,
) -> Result<(Made, Result<(), ReportError>), ReportError> {
    // Files for other programs have what was measured, readers what means something.
    let of_readers = subject.shown();
    let shown = of_readers.as_ref().unwrap_or(subject);
    let Headline { table, tiles, .. } = shown.headline();
    let headline = Headline { table, tiles, ..subject.headline() };
    let (charts, failure) = charts::draw_those_that_can_be(shown, files)?;
    let next = headline.next.as_ref().map(|next| ready(next, folder));
    let on_terminal = next.as_ref().map(|next| next.replace("DIR", &folder.display().to_string()));
    let on_terminal = Headline { next: on_terminal, ..headline.clone() };
    let headline = Headline { next, ..headline };
    let digest = digest(folder)?.to_string();
    let limits = headline.limits();
    let written = tables::write_all(folder, subject, &headline).map_err(at(folder));
    let written = written.and_then(|()| write_charts(folder, &charts, &limits, files)).and_then(|()| {
        let path = folder.join("report.html");
        write_whole(&path, page::page(shown, &headline, &charts, Some(&digest)).as_bytes()).map_err(at(&path))
    });
    let written = written.and_then(|()| failure.map_or(Ok(()), |error| Err(error.into())));
    let made = Made {
        verdict: terminal::verdict(&on_terminal),
        notes: terminal::notes(subject),
        table: terminal::table(&headline),
        details: terminal::questions(shown),
    };
    Ok((made, written))
}

/// Advice on the next run, fitted to an experiment whose blocks have repetitions of their own: these are to be changed.
fn ready(next: &str, folder: &Path) -> String {
    let file = folder::file(folder).unwrap_or_default();
    let of_plan = file.text.split_once("[[plan]]").map_or("", |(_, plan)| plan);
    let is_own = of_plan.lines().any(|line| line.starts_with("repetitions = "));
    if is_own { next.replace("--set repetitions=", "--set plan.repetitions=") } else { next.to_owned() }
}

/// An error of writing a file.
fn at(path: &Path) -> impl FnOnce(io::Error) -> ReportError {
    let path = path.to_owned();
    move |error| ReportError::Write { path, error }
}

/// Writes the files of charts. Those of an earlier report that are no longer drawn do not stay.
fn write_charts(folder: &Path, charts: &[Chart], limits: &[String], files: Files) -> Result<(), ReportError> {
    let place = folder.join(CHARTS);
    if place.exists() {
        std::fs::remove_dir_all(&place).map_err(at(&place))?;
    }
    std::fs::create_dir_all(&place).map_err(at(&place))?;
    let write = |name: &str, bytes: &[u8]| {
        let path = place.join(name);
        std::fs::write(&path, bytes).map_err(at(&path))
    };
    for chart in charts {
        write(&format!("{}.svg", chart.name), chart.svg.as_bytes())?;
        write(&format!("{}.png", chart.name), &chart.png)?;
        write(&format!("{}.pdf", chart.name), &chart.pdf)?;
        write(&format!("{}.pgf", chart.name), chart.pgf.as_bytes())?;
    }
    charts::captions(charts, limits, files.column).iter().try_for_each(|(name, text)| write(name, text.as_bytes()))
}
