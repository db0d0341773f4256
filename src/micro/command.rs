//! `splitpoint micro`: what is asked for, and the figures as tables, CSV and JSON.

use std::collections::HashSet;
use std::fmt::Display;
use std::io::{Write, stdout};
use std::path::Path;

use clap::Parser;
use splitpoint_base::distinct::distinct;
use splitpoint_base::statistics::Interval;
use splitpoint_cli::board_args::BoardArgs;
use splitpoint_cli::build;
use splitpoint_cli::error::CliError;
use splitpoint_cli::micro::{LIST, Micro};
use splitpoint_cli::output::{self, VERSION, object, paragraph};
use splitpoint_cli::position_args;
use splitpoint_data::record::MICRO_TIME;
use splitpoint_data::table::number::{counted, set_percent};
use splitpoint_data::table::{Cell, Columns, Table, columns, csv};
use splitpoint_engine::chess::choice::BoardChoice;
use splitpoint_micro::summary::{self, MOST_WIDTH};
use splitpoint_micro::{self as micro, Check, Figure, MICROS, Micro as Measurement, MicroError, Spec, Unit};
use splitpoint_report::micro::MicroFigures;

/// Times as much time is proposed where intervals are too wide.
const MORE_TIME: u32 = 10;

/// Micro-measurements of boards, locks and threads
#[derive(Parser)]
#[command(name = "splitpoint micro", bin_name = "splitpoint micro", version, max_term_width = 110)]
#[command(arg_required_else_help = true)]
pub struct Program {
    #[command(flatten)]
    asked: Micro,
}

impl Program {
    pub fn run(&self) -> Result<(), CliError> {
        if self.asked.name == LIST {
            return self.list();
        }
        let measurement = micro::named(&self.asked.name).map_err(|error| error.or(&[LIST.to_owned()]))?;
        let spec = self.spec(measurement)?;
        if let Some((print, set)) = measurement.print.zip(self.asked.print) {
            return Ok(write!(stdout().lock(), "{}", print(&spec, set).map_err(told)?)?);
        }
        let figures = match measurement.check.zip(self.asked.check.as_deref()) {
            Some((check, file)) => checked(check, file)?,
            None => measurement.run(&spec).map_err(told)?,
        };
        let verdict = measurement.verdict.map(|verdict| verdict(&figures));
        let means = if measurement.is_averaged { summary::rows(&figures) } else { Vec::new() };
        let mut out = stdout().lock();
        if let Some(path) = &self.asked.page {
            let page = page_of(measurement, &spec, &figures, &means, verdict.clone());
            output::file(path, page.page().map_err(|error| CliError::Failed(error.to_string()))?)?;
        }
        if self.asked.json {
            let Measurement { name, about, published, .. } = *measurement;
            let printed = object! {
                version: VERSION, sources: build().sources,
                micro: name, about, published, time_s: spec.time.as_secs_f64(), seed: spec.seed,
                figures: &figures, means: &means, verdict,
            };
            output::json(&mut out, &printed)?;
        } else if self.asked.csv {
            out.write_all(&csv::write(&table(&figures, true))?)?;
        } else {
            paragraph(&mut out, "", measurement.about)?;
            paragraph(&mut out, "", &source(measurement))?;
            writeln!(out)?;
            let all = table(&figures, false).without_empty_columns();
            if means.is_empty() || self.asked.rows {
                output::table(&mut out, &all)?;
            }
            if !means.is_empty() {
                output::table(&mut out, &mean_table(&means).without_empty_columns())?;
                let positions: HashSet<&str> = figures.iter().map(|figure| figure.of.as_str()).collect();
                let positions = counted(positions.len(), "position", "positions");
                let hint = if self.asked.rows {
                    String::new()
                } else {
                    format!("; --rows prints all {} rows", all.rows.len())
                };
                writeln!(out, "geometric mean of {positions}{hint}")?;
            }
            if let Some(verdict) = verdict {
                paragraph(&mut out, "", &verdict)?;
            }
            if let Some(path) = &self.asked.page {
                writeln!(out, "page  {}", path.display())?;
            }
            if let (wide @ 1.., ratios) = summary::wide(&figures) {
                let (limit, more) = (set_percent(MOST_WIDTH), spec.time.as_millis() * u128::from(MORE_TIME));
                writeln!(
                    out,
                    "! {wide} of {ratios} ratios have intervals wider than {limit}: measure again when quiet, or \
                     --time {more}ms"
                )?;
            }
        }
        Ok(())
    }

    fn spec(&self, measurement: &Measurement) -> Result<Spec, CliError> {
        let takes = measurement.takes;
        let refused = [
            ("--board", self.asked.board.is_some() && !takes.boards),
            ("--sliders", self.asked.sliders.is_some() && !takes.boards),
            ("--position", self.asked.position.is_some() && !takes.positions),
            ("--depth", self.asked.depth.is_some() && takes.depth.is_none()),
            ("--print", self.asked.print.is_some() && measurement.print.is_none()),
            ("--check", self.asked.check.is_some() && measurement.check.is_none()),
        ];
        if let Some((option, _)) = refused.into_iter().find(|(_, is_refused)| *is_refused) {
            return Err(CliError::BadInput(format!("'{}' takes no {option}", measurement.name)));
        }
        let positions = self.asked.position.as_deref().map(|text| position_args::named(text.trim())).transpose()?;
        Ok(Spec {
            boards: self.boards()?,
            positions: positions.unwrap_or_default(),
            depth: self.asked.depth,
            time: self.asked.time.unwrap_or(MICRO_TIME),
            seed: self.asked.seed,
        })
    }

    /// Boards that are asked for; none for all. Sliders are those of bitboards.
    fn boards(&self) -> Result<Vec<BoardChoice>, CliError> {
        let Some(sliders) = &self.asked.sliders else {
            let is_wanted = |board: &BoardChoice| self.asked.board.as_deref() == Some(board.name());
            return Ok(micro::supported_boards().into_iter().filter(is_wanted).collect());
        };
        let board = BoardArgs::of(self.asked.board.as_deref().unwrap_or(BoardChoice::NAMES[0]), Some(sliders))?;
        Ok(vec![board])
    }

    fn list(&self) -> Result<(), CliError> {
        let mut out = stdout().lock();
        if self.asked.json {
            let entry = |micro: &&Measurement| {
                let Measurement { name, about, published, takes, .. } = **micro;
                object! { name, about, published, takes }
            };
            let entries: Vec<_> = MICROS.iter().map(entry).collect();
            output::json(&mut out, &object! { version: VERSION, micros: entries })?;
        } else if self.asked.csv {
            let columns = columns! { &Measurement, micro;
                "name": "Name on the command line" => micro.name;
                "about": "What it measures" => micro.about;
                "published": "Published tables beside it" => micro.published.join("; ");
            };
            out.write_all(&csv::write(&columns.table("", "", MICROS.iter().copied()))?)?;
        } else {
            output::table(&mut out, &list_table())?;
        }
        Ok(())
    }
}

/// Page of a measurement, with the means of figures that are averaged, and with all of the others.
fn page_of(
    measurement: &Measurement,
    spec: &Spec,
    figures: &[Figure],
    means: &[summary::Row],
    verdict: Option<String>,
) -> MicroFigures {
    let board = |figure: &Figure| figure.sliders.clone().or_else(|| figure.board.clone()).unwrap_or_default();
    let name = |figure: &Figure| {
        let words = [figure.of.clone(), board(figure)];
        words.into_iter().filter(|word| !word.is_empty()).collect::<Vec<_>>().join(", ")
    };
    let of = |unit: Unit| figures.iter().filter(move |figure| figure.unit == unit);
    let (ratios, values) = if means.is_empty() {
        let titles = distinct(of(Unit::Ratio).map(|figure| figure.figure.clone()));
        let row = |figure: &Figure| (name(figure), figure.value(), figure.published);
        let panel =
            |title: String| (title.clone(), of(Unit::Ratio).filter(|one| one.figure == title).map(row).collect());
        let named = |figure: &Figure| (format!("{} {}", figure.figure, name(figure)), figure.value());
        (titles.into_iter().map(panel).collect(), of(Unit::Nanoseconds).map(named).collect())
    } else {
        let ratio = |row: &summary::Row| Some((row.board.clone(), row.to_mailbox?, row.published));
        let time = |row: &summary::Row| (row.board.clone(), Interval::unknown(row.time_ns));
        (
            vec![("times by that of the mailbox".to_owned(), means.iter().filter_map(ratio).collect())],
            means.iter().map(time).collect(),
        )
    };
    let all = table(figures, false).without_empty_columns();
    MicroFigures {
        name: format!("{}: {}", measurement.name, measurement.title),
        about: measurement.about.to_owned(),
        source: source(measurement),
        verdict,
        command: format!(
            "splitpoint micro {} --time {}ms --seed {}",
            measurement.name,
            spec.time.as_millis(),
            spec.seed
        ),
        version: VERSION.to_owned(),
        ratios,
        values: (Unit::Nanoseconds.name().to_owned(), values),
        first: if means.is_empty() { Table::default() } else { mean_table(means).without_empty_columns() },
        all,
    }
}

/// Figures of the multipliers of a file.
fn checked(check: Check, file: &Path) -> Result<Vec<Figure>, CliError> {
    let bad = |cause: &dyn Display| CliError::BadInput(format!("{}: {cause}", file.display()));
    let text = std::fs::read_to_string(file).map_err(|error| bad(&error))?;
    check(&text).map_err(|error| if error.is_bad_input() { bad(&error) } else { told(error) })
}

fn told(error: MicroError) -> CliError {
    if error.is_bad_input() { CliError::BadInput(error.to_string()) } else { CliError::Failed(error.to_string()) }
}

/// Table of all micro-measurements for a terminal, in which an author is named once for all tables.
fn list_table() -> Table {
    let published = |tables: &[&str]| {
        let author = tables.first().and_then(|table| table.split_once(", ")).map_or("", |(author, _)| author);
        let rest = tables.iter().map(|table| table.strip_prefix(author).unwrap_or(table).trim_start_matches(", "));
        [author].into_iter().chain(rest).filter(|text| !text.is_empty()).collect::<Vec<_>>().join(", ")
    };
    Columns::new()
        .with("name", "", |micro: &&Measurement| micro.name)
        .with("measures", "", |micro| micro.title)
        .with("published", "", move |micro| published(micro.published))
        .table("", "", MICROS.iter().copied())
}

/// Table of the means of boards.
fn mean_table(means: &[summary::Row]) -> Table {
    Columns::new()
        .with("board", "", |row: &&summary::Row| row.board.as_str())
        .with("ns", "", |row| row.time_ns)
        .with("to mailbox", "", |row| match row.to_mailbox {
            Some(ratio) if !summary::is_measured(ratio) => summary::NOT_MEASURED.into(),
            ratio => Cell::from(ratio),
        })
        .with("published", "", |row| row.published)
        .with("ours / published", "", |row| {
            row.over_published().filter(|_| row.to_mailbox.is_some_and(summary::is_measured))
        })
        .table("", "", means)
}

/// Line that says which published tables stand beside a micro-measurement.
fn source(micro: &Measurement) -> String {
    match micro.published {
        [] => "Published: nothing.".to_owned(),
        tables => format!("Published: {}.", tables.join("; ")),
    }
}

/// Table of figures; for files the ends of intervals have columns of their own.
fn table(figures: &[Figure], is_file: bool) -> Table {
    let digits = |figure: &Figure| match figure.unit {
        Unit::Ratio if !is_file && !summary::is_measured(figure.value()) => summary::NOT_MEASURED.into(),
        // What was measured has an interval, or none that is known; what was counted is whole, a mean, or a share.
        _ if figure.interval.is_some() => figure.value().into(),
        Unit::Count | Unit::Bytes if figure.estimate.fract() == 0.0 => Cell::whole(figure.estimate),
        _ => figure.estimate.into(),
    };
    let start = columns! { &Figure, figure;
        "of" as "Of": "Position, phase of the game or other circumstance" => figure.of.as_str();
        "board" as "Board": "Board representation" => figure.board.clone();
        "sliders" as "Sliders": "Sliding method of the board" => figure.sliders.clone();
        "figure" as "Figure": "Name of the figure" => figure.figure.as_str();
        "unit" as "Unit": "Unit of the figure and of the published one" => figure.unit.name();
        "ours" as "Ours": "Measured value" => digits(figure);
    };
    let end = columns! { &Figure, figure;
        "published" as "Published": "Published value" => figure.published;
        "ours_over_published" as "Ours / published": "Ratio of the two" =>
            figure.over_published().filter(|_| is_file || summary::is_measured(figure.value()));
        "source": "Source of the published value" => figure.source.clone();
    };
    let all = if is_file { start.with_ends().and(end) } else { start.and(end).for_readers() };
    all.table("", "", figures)
}
