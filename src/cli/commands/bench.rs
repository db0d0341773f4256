//! `splitpoint bench`: fixed amounts of searching. The nodes they take are the search's signatures.

use std::io::{Write, stdout};

use clap::Args;

use super::board_args::BoardArgs;
use super::error::CliError;
use super::output::{self, Column};
use crate::chess::choice::BoardChoice;
use crate::engine::Options;
use crate::lab::{Conditions, Laboratory, default_configuration, single_cell};
use crate::machine::host::{Host, popcnt};
use crate::record::{Configuration, Depth};
use crate::search::signature::{SIGNATURES, Section, TABLE_MIB};

/// Search fixed sets of positions; their numbers of nodes are the search's signatures
#[derive(Args)]
#[command(after_help = "\
Examples:
  splitpoint bench
  splitpoint bench --board mailbox

One signature is of the search of the thesis, the other of that of today. They depend on the search alone, not on board
or host. The last line is 'NODES nodes NPS nps', of both.")]
pub struct Bench {
    #[command(flatten)]
    board: BoardArgs,
}

/// Sum over some searches.
#[derive(Clone, Copy, Default)]
struct Total {
    nodes: u64,
    nanoseconds: u64,
}

impl Bench {
    pub fn run(&self) -> Result<(), CliError> {
        let board = self.board.searched()?;
        let laboratory = Laboratory::new(Conditions::default());
        let columns = columns();
        writeln!(stdout(), "{}", output::headings(&columns))?;
        let mut all = Total::default();
        let mut signatures = Vec::new();
        for signature in &SIGNATURES {
            let mut nodes = 0;
            for section in signature.sections {
                let (configuration, mut total) = (configuration(section, board), Total::default());
                for epd in section.positions() {
                    let cell = single_cell(&configuration, &epd, 0);
                    let measured = laboratory.measure(&cell, Options::default())?.measured;
                    total.nodes += measured.nodes;
                    total.nanoseconds += measured.time_ns;
                }
                writeln!(stdout(), "{}", output::row(&columns, &row(section, total)))?;
                nodes += total.nodes;
                all.nodes += total.nodes;
                all.nanoseconds += total.nanoseconds;
            }
            signatures.push((signature, nodes));
        }
        for (signature, nodes) in signatures {
            let state = match signature.recorded() {
                recorded if nodes == recorded => "as recorded".to_owned(),
                recorded => format!("differs from the recorded signature, {recorded}: the search has changed"),
            };
            writeln!(stdout(), "{}: {nodes} nodes, {state}", signature.name)?;
        }
        if let Some(finding) = popcnt(&Host::read()) {
            output::tell(format_args!("caution: {} {}", finding.what, finding.remedy));
        }
        writeln!(stdout(), "{} nodes {:.0} nps", all.nodes, rate(all))?;
        Ok(())
    }
}

fn configuration(section: &Section, board: BoardChoice) -> Configuration {
    Configuration {
        board: board.name().to_owned(),
        sliders: board.sliders().map(|sliders| sliders.name().to_owned()),
        features: section.recipe.into(),
        depth: Depth::Plies(section.depth),
        hash_mib: TABLE_MIB,
        ..default_configuration()
    }
}

fn rate(total: Total) -> f64 {
    total.nodes as f64 / (total.nanoseconds.max(1) as f64 / 1e9)
}

fn columns() -> Vec<Column> {
    let sections = || SIGNATURES.iter().flat_map(|signature| signature.sections);
    let widest = |of: fn(&Section) -> &str| sections().map(|section| of(section).len()).max().unwrap_or(0);
    vec![
        Column::text("suite", widest(|section| section.suite)),
        Column::number("positions", 0),
        Column::number("depth", 0),
        Column::number("nodes", 9),
        Column::number("nodes/s", 0),
        Column::text("features", widest(|section| section.recipe)),
    ]
}

fn row(section: &Section, total: Total) -> [String; 6] {
    [
        section.suite.into(),
        section.positions().count().to_string(),
        section.depth.to_string(),
        total.nodes.to_string(),
        output::rate(rate(total)),
        section.recipe.into(),
    ]
}
