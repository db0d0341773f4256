//! `splitpoint micro`: hands its arguments to the program that makes micro-measurements.

use std::process::Command;

use clap::Args;

use super::error::CliError;
use crate::lab::micro;

/// Name that asks for the list of what there is.
pub(super) const LIST: &str = "list";

/// Measure single operations of boards, locks and threads, beside published tables
#[derive(Args)]
#[command(disable_help_flag = true)]
pub struct Micro {
    /// Name of a micro-measurement, or 'list', and options; --help tells them
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "NAME")]
    name: Vec<String>,
}

impl Micro {
    pub fn run(&self) -> Result<(), CliError> {
        let program = micro::program().map_err(CliError::BadInput)?;
        let ended = Command::new(&program).args(&self.name).status();
        let ended = ended.map_err(|error| CliError::Failed(format!("{}: {error}", program.display())))?;
        // It has told by itself what is wrong.
        std::process::exit(ended.code().unwrap_or(1))
    }
}
