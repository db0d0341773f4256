//! `splitpoint merge`: joins the parts of a plan that were run apart.

use std::io::{Write, stdout};
use std::path::PathBuf;

use clap::Args;

use super::error::CliError;
use super::report::print;
use crate::record::{Merged, merge};
use crate::report;

/// Join the shards of a plan into one run folder
#[derive(Args)]
#[command(after_help = "\
Example:
  splitpoint run experiments/quick.toml --shard 1/2 --out /tmp/p1
  splitpoint run experiments/quick.toml --shard 2/2 --out /tmp/p2
  splitpoint merge /tmp/p1 /tmp/p2 --out /tmp/whole")]
pub struct Merge {
    /// Run folders of the shards
    #[arg(value_name = "DIR", required = true, num_args = 1..)]
    parts: Vec<PathBuf>,

    /// Folder for the whole run; it must not hold one yet
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
}

impl Merge {
    pub fn run(&self) -> Result<(), CliError> {
        let Merged { records, missing } = merge(&self.parts, &self.out)?;
        let made = report::make(&self.out, report::Wishes::default())?;
        let mut out = stdout().lock();
        print(&mut out, &made, &self.out, false)?;
        writeln!(out, "{records} records of {} folders in {}", self.parts.len(), self.out.display())?;
        if missing > 0 {
            let complete = format!(
                "merge all parts, or run what is missing with 'splitpoint run ... --out {} --resume'",
                self.out.display()
            );
            return Err(CliError::Failed(format!("{missing} cells of the plan have no record: {complete}")));
        }
        Ok(())
    }
}
