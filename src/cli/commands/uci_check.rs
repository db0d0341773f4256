//! `splitpoint uci-check`: whether an engine keeps to the protocol.

use std::io::stdout;

use clap::Args;
use serde::Serialize;

use super::engine::command;
use super::error::CliError;
use super::output::{self, object};
use super::values;
use crate::outside::check::{Check, Outcome, check};
use crate::outside::{Definition, Processors};
use crate::table::columns;
use crate::table::number::counted;

/// Check whether an engine keeps to UCI: two dozen questions, half a minute
#[derive(Args)]
#[command(after_help = "\
Examples:
  splitpoint uci-check stockfish
  splitpoint uci-check \"target/release/splitpoint uci\" --json
  splitpoint uci-check \"mpirun -n {nodes} stockfish\" --nodes 1,2

The exit status is 1 if a check fails.")]
pub struct UciCheck {
    /// Program that speaks UCI, with its arguments: a path, or a name that is found on the PATH or in /usr/games
    #[arg(value_name = "PATH")]
    program: String,

    /// Numbers of nodes to check it on, each in turn; {nodes} in its command stands for the number
    #[arg(long, value_name = "N", value_delimiter = ',', value_parser = values::processors())]
    nodes: Vec<u32>,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// A check, with the number of nodes on which it was made where that was asked for.
#[derive(Serialize)]
struct Checked {
    #[serde(skip_serializing_if = "Option::is_none")]
    nodes: Option<u32>,
    #[serde(flatten)]
    check: Check,
}

impl UciCheck {
    pub fn run(&self) -> Result<(), CliError> {
        let definition = Definition { command: command(&self.program), ..Definition::default() };
        let on_one = [1];
        let all: &[u32] = if self.nodes.is_empty() { &on_one } else { &self.nodes };
        let most = Processors { nodes: all.iter().copied().max().unwrap_or(1), threads: 1 };
        let told = |why| CliError::BadInput(format!("the engine '{}' {why}", self.program));
        definition.command_on(most).map_err(told)?;
        let mut checks = Vec::new();
        for &nodes in all {
            let of = check(&definition, nodes)?;
            checks.extend(
                of.into_iter().map(|check| Checked { nodes: (!self.nodes.is_empty()).then_some(nodes), check }),
            );
        }
        let mut out = stdout().lock();
        if self.json {
            output::json(&mut out, &object! { checks: &checks })?;
        } else {
            let nodes = columns! { &Checked, one;
                "nodes" as "nodes": "" => one.nodes;
            };
            let columns = columns! { &Checked, one;
                "check" as "the engine": "" => one.check.what;
                "outcome" as "": "" => one.check.outcome.name();
                "seen" as "seen": "" => one.check.seen.clone();
            };
            let columns = if self.nodes.is_empty() { columns } else { nodes.and(columns) };
            output::table(&mut out, &columns.table("", "", &checks))?;
        }
        match checks.iter().filter(|one| one.check.outcome == Outcome::Failed).count() {
            0 => Ok(()),
            failed => Err(CliError::Failed(format!("{} failed", counted(failed, "check", "checks")))),
        }
    }
}
