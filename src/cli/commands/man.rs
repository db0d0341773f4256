//! `splitpoint man`: manual pages, from the same definitions as the help.

use std::io::{Write, stdout};
use std::path::PathBuf;

use clap::{Args, CommandFactory};

use super::error::CliError;
use super::output::tell;

/// Print the manual page, or write the pages of all subcommands
#[derive(Args)]
#[command(after_help = "\
Examples:
  splitpoint man | man -l -
  splitpoint man --out ~/.local/share/man/man1

After the second, 'man splitpoint' and 'man splitpoint-run' find them.")]
pub struct Man {
    /// Folder for the pages of splitpoint and of all subcommands
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

impl Man {
    pub fn run(&self) -> Result<(), CliError> {
        let command = super::Cli::command();
        let Some(folder) = &self.out else {
            let mut page = Vec::new();
            clap_mangen::Man::new(command).render(&mut page)?;
            return Ok(stdout().lock().write_all(&page)?);
        };
        let failed = |error| CliError::Failed(format!("cannot write to {}: {error}", folder.display()));
        std::fs::create_dir_all(folder).map_err(failed)?;
        clap_mangen::generate_to(command, folder).map_err(failed)?;
        tell(format_args!("manual pages in {}", folder.display()));
        Ok(())
    }
}
