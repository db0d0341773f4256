//! `splitpoint uci-check`: whether an engine keeps to the protocol.

use std::io::stdout;

use clap::Args;

use super::engine::command;
use super::error::CliError;
use super::output::{self, object};
use crate::outside::check::{Check, Outcome, check};
use crate::table::columns;
use crate::table::number::counted;

/// Check whether an engine keeps to UCI: two dozen questions, half a minute
#[derive(Args)]
#[command(after_help = "\
Examples:
  splitpoint uci-check stockfish
  splitpoint uci-check \"target/release/splitpoint uci\" --json

The exit status is 1 if a check fails.")]
pub struct UciCheck {
    /// Program that speaks UCI, with its arguments: a path, or a name that is found on the PATH or in /usr/games
    #[arg(value_name = "PATH")]
    program: String,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

impl UciCheck {
    pub fn run(&self) -> Result<(), CliError> {
        let checks = check(&command(&self.program))?;
        let mut out = stdout().lock();
        if self.json {
            output::json(&mut out, &object! { checks: &checks })?;
        } else {
            let columns = columns! { &Check, one;
                "check" as "the engine": "" => one.what;
                "outcome" as "": "" => one.outcome.name();
                "seen" as "seen": "" => one.seen.clone();
            };
            output::table(&mut out, &columns.table("", "", &checks))?;
        }
        match checks.iter().filter(|check| check.outcome == Outcome::Failed).count() {
            0 => Ok(()),
            failed => Err(CliError::Failed(format!("{} failed", counted(failed, "check", "checks")))),
        }
    }
}
