//! `splitpoint bench`: a fixed amount of searching. The nodes it takes are the search's signature.

use std::io::{Write, stdout};

use clap::Args;

use super::board_args::BoardArgs;
use super::error::CliError;
use super::output::{self, Column};
use crate::chess::choice::OnBoard;
use crate::chess::{Board, Unsupported};
use crate::machine::{Failure, Pin, RealMachine, Waiting};
use crate::search::signature::{self, SECTIONS, Section, Taken};

/// Search a fixed set of positions; the nodes it takes are the signature of the search
#[derive(Args)]
#[command(after_help = "\
Examples:
  splitpoint bench
  splitpoint bench --board mailbox

The last line is 'NODES nodes NPS nps'. The nodes depend on nothing but the search: not on the board, not on the host.")]
pub struct Bench {
    #[command(flatten)]
    board: BoardArgs,
}

struct Task<'a> {
    section: &'a Section,
    machine: &'a RealMachine,
}

impl OnBoard for Task<'_> {
    type Output = Result<Result<Taken, Failure>, Unsupported>;

    fn on<B: Board>(self) -> Self::Output {
        self.section.search::<B, _>(self.machine)
    }
}

impl Bench {
    pub fn run(&self) -> Result<(), CliError> {
        let board = self.board.choice()?;
        let machine =
            RealMachine::new(1, &Pin::None, Waiting::default()).map_err(|error| CliError::Failed(error.to_string()))?;
        let columns = columns();
        writeln!(stdout(), "{}", output::headings(&columns))?;
        let mut total = Taken::default();
        for section in &SECTIONS {
            let taken = board
                .run(Task { section, machine: &machine })?
                .map_err(|failure| CliError::Failed(format!("the search failed: {failure}")))?;
            writeln!(stdout(), "{}", output::row(&columns, &row(section, taken)))?;
            total.nodes += taken.nodes;
            total.nanoseconds += taken.nanoseconds;
        }
        let recorded = signature::recorded();
        if total.nodes != recorded {
            eprintln!("note: the recorded signature is {recorded}; the search is another one");
        }
        writeln!(stdout(), "{} nodes {:.0} nps", total.nodes, rate(total))?;
        Ok(())
    }
}

fn rate(taken: Taken) -> f64 {
    taken.nodes as f64 / (taken.nanoseconds.max(1) as f64 / 1e9)
}

fn columns() -> Vec<Column> {
    let widest = |of: fn(&Section) -> &str| SECTIONS.iter().map(|section| of(section).len()).max().unwrap_or(0);
    vec![
        Column::text("suite", widest(|section| section.suite)),
        Column::number("positions", 0),
        Column::number("depth", 0),
        Column::number("nodes", 9),
        Column::number("nodes/s", 0),
        Column::text("features", widest(|section| section.recipe)),
    ]
}

fn row(section: &Section, taken: Taken) -> [String; 6] {
    [
        section.suite.into(),
        section.positions().count().to_string(),
        section.depth.to_string(),
        taken.nodes.to_string(),
        output::rate(rate(taken)),
        section.recipe.into(),
    ]
}
