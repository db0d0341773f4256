//! `splitpoint list`: what there is to choose from, as text, JSON or Markdown. The documentation's tables are made by
//! it.

mod declared;
mod experiments;
mod features;
mod strategies;
mod tournaments;

use std::io::{self, Write, stdout};

use clap::{Args, ValueEnum};
use serde::Serialize;
use serde_json::{Value, json};

use crate::chess::Footprint;
use crate::chess::choice::{BoardChoice, SlidersChoice};
use crate::chess::epd::Epd;
use crate::chess::suites::{SUITES, Suite};
use crate::commands::error::CliError;
use crate::commands::output;
use crate::engine::compiled;
use crate::report::tables::guides;
use crate::table::{Cell, Columns, Table, markdown};

/// List boards, features, strategies, suites, experiments and other things to choose from
#[derive(Args)]
#[command(after_help = "\
Examples:
  splitpoint list boards
  splitpoint list features
  splitpoint list strategies
  splitpoint list strategies teams
  splitpoint list experiments
  splitpoint list suites --json
  splitpoint list axes --markdown")]
pub struct List {
    #[arg(value_enum)]
    what: What,

    /// Only these strategies
    names: Vec<String>,

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
    /// Tournaments that ship, with the question of each and its number of games
    Tournaments,
    /// Axes of experiment files, with their values and defaults
    Axes,
    /// Charts of a report
    Charts,
    /// Columns of the CSV files of a run folder
    Columns,
    /// Costs of the virtual machine, with their amounts in each model
    Costs,
}

/// A list in all forms in which it can be printed.
struct Listing {
    json: Vec<u8>,
    tables: Vec<Table>,
    text: Vec<u8>,
}

impl Listing {
    fn new(value: &impl Serialize, tables: Vec<Table>, text: Vec<u8>) -> io::Result<Self> {
        let mut json = Vec::new();
        output::json(&mut json, value)?;
        Ok(Self { json, tables, text })
    }

    /// The list of a table, with the entries of its JSON.
    fn of_table(name: &str, entries: Vec<Value>, table: Table) -> io::Result<Self> {
        let mut text = Vec::new();
        output::table(&mut text, &table)?;
        Self::new(&json!({ name: entries }), vec![table], text)
    }
}

impl List {
    pub fn run(&self) -> Result<(), CliError> {
        if !self.names.is_empty() && !matches!(self.what, What::Strategies) {
            return Err(CliError::BadInput("only of strategies some can be chosen by their names".to_owned()));
        }
        let Listing { json, tables, text } = match self.what {
            What::Boards => boards()?,
            What::Sliders => sliders()?,
            What::Features => features::listing()?,
            What::Strategies => strategies::listing(&self.names)?,
            What::Suites => suites()?,
            What::Experiments => experiments::listing()?,
            What::Tournaments => tournaments::listing()?,
            What::Axes => declared::listing("axes", vec![declared::axes()])?,
            What::Charts => declared::listing("charts", vec![declared::charts()])?,
            What::Columns => declared::listing("columns", guides())?,
            What::Costs => declared::listing("costs", vec![declared::costs()])?,
        };
        let mut out = stdout().lock();
        if self.markdown {
            writeln!(out, "{}", tables.iter().map(markdown::write).collect::<Vec<_>>().join("\n\n"))?;
        } else {
            out.write_all(if self.json { &json } else { &text })?;
        }
        Ok(())
    }
}

fn boards() -> io::Result<Listing> {
    let boards: Vec<_> = BoardChoice::all().map(|board| (board, board.footprint())).collect();
    let name = |board: &BoardChoice| board.sliders().map(SlidersChoice::name);
    let json = |(board, bytes): &(BoardChoice, Footprint)| {
        let is_supported = board.check().is_ok();
        let searched = compiled::check(*board).is_ok();
        json!({
            "board": board.name(), "sliders": name(board), "supported": is_supported, "searched": searched,
            "bytes": bytes,
        })
    };
    let columns = Columns::new()
        .with("board", "", |(board, _): &(BoardChoice, Footprint)| board.name())
        .with("sliders", "", move |(board, _)| name(board))
        .with("search", "", |(board, _)| if compiled::check(*board).is_ok() { "yes" } else { "virtual" })
        .with("total", "", |(_, bytes)| bytes.total)
        .with("squares", "", |(_, bytes)| bytes.squares)
        .optional()
        .with("bitboards", "", |(_, bytes)| bytes.bitboards)
        .optional()
        .with("lists", "", |(_, bytes)| bytes.piece_lists)
        .optional()
        .with("index", "", |(_, bytes)| bytes.index_board)
        .optional()
        .with("state", "", |(_, bytes)| bytes.state)
        .optional()
        .with("other", "", |(_, bytes)| bytes.other)
        .optional()
        .with("history/ply", "", |(_, bytes)| bytes.history_per_ply)
        .optional()
        .with("slider tables", "", |(_, bytes)| Cell::bytes(bytes.slider_tables))
        .with("other tables", "", |(_, bytes)| Cell::bytes(bytes.other_tables));
    Listing::of_table("boards", boards.iter().map(json).collect(), columns.table("", "", boards))
}

fn sliders() -> io::Result<Listing> {
    let is_supported = |sliders: &SlidersChoice| BoardChoice::Bitboards(*sliders).check().is_ok();
    let measured = |sliders: &SlidersChoice| (*sliders, BoardChoice::Bitboards(*sliders).footprint());
    let all: Vec<(SlidersChoice, Footprint)> = SlidersChoice::ALL.iter().map(measured).collect();
    let json = |(sliders, bytes): &(SlidersChoice, Footprint)| {
        json!({
            "sliders": sliders.name(), "title": sliders.meaning(), "supported": is_supported(sliders),
            "board_bytes": bytes.total, "table_bytes": bytes.slider_tables,
        })
    };
    let columns = Columns::new()
        .with("sliders", "", |(sliders, _): &(SlidersChoice, Footprint)| sliders.name())
        .with("board", "", |(_, bytes)| Cell::bytes(bytes.total))
        .with("tables", "", |(_, bytes)| Cell::bytes(bytes.slider_tables))
        .with("here", "", |(sliders, _)| if is_supported(sliders) { "yes" } else { "no" })
        .with("meaning", "", |(sliders, _)| sliders.meaning());
    Listing::of_table("sliders", all.iter().map(json).collect(), columns.table("", "", all))
}

fn suites() -> io::Result<Listing> {
    let has_best: fn(&Epd) -> bool = |epd| !epd.best.is_empty();
    let has_counts: fn(&Epd) -> bool = |epd| epd.counts.iter().any(Option::is_some);
    let with = |suite: &Suite, has: fn(&Epd) -> bool| suite.positions().iter().filter(|epd| has(epd)).count();
    let json = |suite: &Suite| {
        json!({
            "suite": suite.name, "title": suite.title, "bytes": suite.text.len(),
            "positions": suite.positions().len(), "best_moves": with(suite, has_best),
            "perft_counts": with(suite, has_counts),
        })
    };
    let columns = Columns::new()
        .with("suite", "", |suite: &&Suite| suite.name)
        .with("positions", "", |suite| suite.positions().len())
        .with("best moves", "", |suite| with(suite, has_best))
        .with("perft counts", "", |suite| with(suite, has_counts))
        .optional()
        .with("size", "", |suite| Cell::bytes(suite.text.len()))
        .optional()
        .with("meaning", "", |suite| suite.title);
    Listing::of_table("suites", SUITES.iter().map(json).collect(), columns.table("", "", &SUITES))
}
