//! `splitpoint list`: what there is to choose from, as text, JSON or Markdown. The documentation's tables are made by
//! it.

mod declared;
mod experiments;
mod features;
mod strategies;

use std::io::{Write, stdout};

use clap::{Args, ValueEnum};
use serde::Serialize;

use crate::chess::choice::{BoardChoice, OnBoard, SlidersChoice};
use crate::chess::epd::Epd;
use crate::chess::suites::SUITES;
use crate::chess::{Board, Footprint};
use crate::cli::error::CliError;
use crate::cli::output;
use crate::report::tables::guides;
use crate::table::{Cell, Columns, Table, markdown};

/// List the boards, features, strategies, suites, experiments and other things to choose from
#[derive(Args)]
#[command(after_help = "\
Examples:
  splitpoint list boards
  splitpoint list features
  splitpoint list strategies
  splitpoint list experiments
  splitpoint list suites --json
  splitpoint list axes --markdown")]
pub struct List {
    #[arg(value_enum)]
    what: What,

    /// Print one JSON object
    #[arg(long, conflicts_with = "markdown")]
    json: bool,

    /// Print tables in Markdown
    #[arg(long)]
    markdown: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum What {
    /// Board representations, with the bytes of their parts and of the tables that all boards share
    Boards,
    /// Sliding methods of bitboards
    Sliders,
    /// Features of the search, with their values in each preset
    Features,
    /// Strategies by which processors share a search, with their parameters
    Strategies,
    /// Suites of positions
    Suites,
    /// Experiments that ship, with the question of each and its number of searches on this computer
    Experiments,
    /// Axes of experiment files, with their values and defaults
    Axes,
    /// Charts of a report
    Charts,
    /// Columns of the CSV files of a run folder
    Columns,
    /// Costs of the virtual machine, with their amounts in each model
    Costs,
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
        if self.markdown {
            let tables: Vec<String> = self.tables()?.iter().map(markdown::write).collect();
            writeln!(stdout(), "{}", tables.join("\n\n"))?;
            return Ok(());
        }
        match self.what {
            What::Boards => self.print("boards", boards(), board_columns()),
            What::Sliders => self.print("sliders", sliders(), sliders_columns()),
            What::Features => features::print(self.json),
            What::Strategies => strategies::print(self.json),
            What::Suites => self.print("suites", suites(), suite_columns()),
            What::Experiments => experiments::print(self.json),
            What::Axes => declared::print("axes", &self.tables()?, self.json),
            What::Charts => declared::print("charts", &self.tables()?, self.json),
            What::Columns => declared::print("columns", &self.tables()?, self.json),
            What::Costs => declared::print("costs", &self.tables()?, self.json),
        }
    }

    fn print<E: Serialize>(&self, name: &str, entries: Vec<E>, columns: Columns<'_, E>) -> Result<(), CliError> {
        let mut out = stdout().lock();
        match self.json {
            true => output::json(&mut out, &serde_json::json!({ name: entries }))?,
            false => output::table(&mut out, &columns.table("", "", entries))?,
        }
        Ok(())
    }

    fn tables(&self) -> Result<Vec<Table>, CliError> {
        Ok(match self.what {
            What::Boards => vec![board_columns().table("", "", boards())],
            What::Sliders => vec![sliders_columns().table("", "", sliders())],
            What::Features => features::tables(),
            What::Strategies => strategies::tables(),
            What::Suites => vec![suite_columns().table("", "", suites())],
            What::Experiments => vec![experiments::table()?],
            What::Axes => vec![declared::axes()],
            What::Charts => vec![declared::charts()],
            What::Columns => guides().collect(),
            What::Costs => vec![declared::costs()],
        })
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

fn board_columns<'a>() -> Columns<'a, BoardEntry> {
    Columns::new()
        .with("board", "", |entry: &BoardEntry| entry.board)
        .with("sliders", "", |entry| entry.sliders)
        .with("total", "", |entry| entry.bytes.total)
        .with("squares", "", |entry| entry.bytes.squares)
        .with("bitboards", "", |entry| entry.bytes.bitboards)
        .with("lists", "", |entry| entry.bytes.piece_lists)
        .with("index", "", |entry| entry.bytes.index_board)
        .with("state", "", |entry| entry.bytes.state)
        .with("other", "", |entry| entry.bytes.other)
        .with("history/ply", "", |entry| entry.bytes.history_per_ply)
        .with("slider tables", "", |entry| Cell::bytes(entry.bytes.slider_tables))
        .with("other tables", "", |entry| Cell::bytes(entry.bytes.other_tables))
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

fn sliders_columns<'a>() -> Columns<'a, SlidersEntry> {
    Columns::new()
        .with("sliders", "", |entry: &SlidersEntry| entry.sliders)
        .with("board", "", |entry| Cell::bytes(entry.board_bytes))
        .with("tables", "", |entry| Cell::bytes(entry.table_bytes))
        .with("here", "", |entry| if entry.supported { "yes" } else { "no" })
        .with("how", "", |entry| entry.title)
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

fn suite_columns<'a>() -> Columns<'a, SuiteEntry> {
    Columns::new()
        .with("suite", "", |entry: &SuiteEntry| entry.suite)
        .with("positions", "", |entry| entry.positions)
        .with("best moves", "", |entry| entry.best_moves)
        .with("perft counts", "", |entry| entry.perft_counts)
        .with("size", "", |entry| Cell::bytes(entry.bytes))
        .with("what it is", "", |entry| entry.title)
}
