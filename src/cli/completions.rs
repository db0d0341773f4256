//! `splitpoint completions`: what a shell needs to complete our commands.

use std::io::{Write, stdout};

use clap::{Args, CommandFactory};
use clap_complete::Shell;

use super::error::CliError;

/// Print the completion script for a shell
#[derive(Args)]
#[command(after_help = "\
Examples:
  splitpoint completions bash
  splitpoint completions zsh

For bash: splitpoint completions bash > ~/.local/share/bash-completion/completions/splitpoint")]
pub struct Completions {
    #[arg(value_enum)]
    shell: Shell,
}

impl Completions {
    pub fn run(&self) -> Result<(), CliError> {
        // Into memory first: the generator panics when nobody reads its output.
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut super::Cli::command(), "splitpoint", &mut script);
        stdout().lock().write_all(&script)?;
        Ok(())
    }
}
