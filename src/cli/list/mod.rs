//! `splitpoint list`: what there is to choose from, with sizes in bytes.

mod experiments;
mod features;
mod strategies;

use std::io::stdout;

use clap::{Args, ValueEnum};
use serde::Serialize;

use crate::chess::choice::{BoardChoice, OnBoard, SlidersChoice};
use crate::chess::epd::Epd;
use crate::chess::suites::SUITES;
use crate::chess::{Board, Footprint};
use crate::cli::error::CliError;
use crate::cli::output::{self, Column, bytes};

/// List what there is to choose from: boards, sliders, features, strategies, suites, experiments
#[derive(Args)]
#[command(after_help = "\
Examples:
  splitpoint list boards
  splitpoint list features
  splitpoint list strategies
  splitpoint list experiments
  splitpoint list suites --json")]
pub struct List {
    #[arg(value_enum)]
    what: What,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum What {
    /// Board representations: bytes of a board by part, and of the tables that all boards share
    Boards,
    /// Ways to slide on bitboards
    Sliders,
    /// What --features can change, with the values of each preset
    Features,
    /// Ways to share a search among processors, with their parameters
    Strategies,
    /// Sets of positions
    Suites,
    /// Experiment files that ship: what each asks, and how many searches it takes on this computer
    Experiments,
}

#[derive(Serialize)]
struct BoardEntry {
    board: &'static str,
    sliders: Option<&'static str>,
    supported: bool,
    bytes: Footprint,
}

#[derive(Serialize)]
struct SlidersEntry {
    sliders: &'static str,
    title: &'static str,
    supported: bool,
    board_bytes: usize,
    table_bytes: usize,
}

#[derive(Serialize)]
struct SuiteEntry {
    suite: &'static str,
    title: &'static str,
    positions: usize,
    best_moves: usize,
    perft_counts: usize,
    bytes: usize,
}

impl List {
    pub fn run(&self) -> Result<(), CliError> {
        match self.what {
            What::Boards => self.print("boards", boards(), board_row, board_columns()),
            What::Sliders => self.print("sliders", sliders(), sliders_row, sliders_columns()),
            What::Features => features::print(self.json),
            What::Strategies => strategies::print(self.json),
            What::Suites => self.print("suites", suites(), suite_row, suite_columns()),
            What::Experiments => experiments::print(self.json),
        }
    }

    fn print<E: Serialize>(
        &self,
        name: &'static str,
        entries: Vec<E>,
        row: impl Fn(&E) -> Vec<String>,
        columns: Vec<Column>,
    ) -> Result<(), CliError> {
        if self.json {
            let object: serde_json::Map<_, _> = [(name.to_owned(), serde_json::json!(entries))].into_iter().collect();
            output::json(&mut stdout(), &object)?;
        } else {
            output::table(&mut stdout(), columns, &entries.iter().map(row).collect::<Vec<_>>())?;
        }
        Ok(())
    }
}

struct Measure;

impl OnBoard for Measure {
    type Output = Footprint;

    fn on<B: Board>(self) -> Footprint {
        B::footprint()
    }
}

fn boards() -> Vec<BoardEntry> {
    BoardChoice::all()
        .map(|choice| BoardEntry {
            board: choice.name(),
            sliders: choice.sliders().map(SlidersChoice::name),
            supported: choice.check().is_ok(),
            bytes: choice.run(Measure),
        })
        .collect()
}

fn board_columns() -> Vec<Column> {
    let parts = [
        "total",
        "squares",
        "bitboards",
        "lists",
        "index",
        "state",
        "other",
        "history/ply",
        "slider tables",
        "other tables",
    ];
    [Column::text("board", 0), Column::text("sliders", 0)]
        .into_iter()
        .chain(parts.map(|part| Column::number(part, 0)))
        .collect()
}

fn board_row(entry: &BoardEntry) -> Vec<String> {
    let size = &entry.bytes;
    let parts = [
        size.total,
        size.squares,
        size.bitboards,
        size.piece_lists,
        size.index_board,
        size.state,
        size.other,
        size.history_per_ply,
    ];
    let names = [entry.board.to_owned(), entry.sliders.unwrap_or("-").to_owned()];
    names
        .into_iter()
        .chain(parts.map(|part| part.to_string()))
        .chain([bytes(size.slider_tables), bytes(size.other_tables)])
        .collect()
}

fn sliders() -> Vec<SlidersEntry> {
    SlidersChoice::ALL
        .iter()
        .map(|&sliders| {
            let choice = BoardChoice::Bitboards(sliders);
            let size = choice.run(Measure);
            SlidersEntry {
                sliders: sliders.name(),
                title: sliders.meaning(),
                supported: choice.check().is_ok(),
                board_bytes: size.total,
                table_bytes: size.slider_tables,
            }
        })
        .collect()
}

fn sliders_columns() -> Vec<Column> {
    vec![
        Column::text("sliders", 0),
        Column::number("board", 0),
        Column::number("tables", 0),
        Column::text("here", 0),
        Column::text("how", 0),
    ]
}

fn sliders_row(entry: &SlidersEntry) -> Vec<String> {
    let here = if entry.supported { "yes" } else { "no" };
    vec![entry.sliders.into(), bytes(entry.board_bytes), bytes(entry.table_bytes), here.into(), entry.title.into()]
}

fn suites() -> Vec<SuiteEntry> {
    SUITES
        .iter()
        .map(|suite| {
            let positions = suite.positions();
            let with = |has: fn(&Epd) -> bool| positions.iter().filter(|epd| has(epd)).count();
            SuiteEntry {
                suite: suite.name,
                title: suite.title,
                positions: positions.len(),
                best_moves: with(|epd| !epd.best.is_empty()),
                perft_counts: with(|epd| epd.counts.iter().any(Option::is_some)),
                bytes: suite.text.len(),
            }
        })
        .collect()
}

fn suite_columns() -> Vec<Column> {
    vec![
        Column::text("suite", 0),
        Column::number("positions", 0),
        Column::number("best moves", 0),
        Column::number("perft counts", 0),
        Column::number("size", 0),
        Column::text("what it is", 0),
    ]
}

fn suite_row(entry: &SuiteEntry) -> Vec<String> {
    vec![
        entry.suite.into(),
        entry.positions.to_string(),
        entry.best_moves.to_string(),
        entry.perft_counts.to_string(),
        bytes(entry.bytes),
        entry.title.into(),
    ]
}
