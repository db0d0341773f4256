//! `splitpoint merge`: joins the parts of a plan that were run apart.

use std::io::{Write, stdout};
use std::path::PathBuf;

use clap::Args;

use super::error::CliError;
use super::report::print;
use crate::record::{Merged, NewFolder, merge};
use crate::report;
use crate::table::number::counted;

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

    /// Folder for the whole run; it must not hold a run yet
    #[arg(long, value_name = "DIR")]
    out: PathBuf,

    /// Merge although some cells have no record; 'splitpoint run ... --resume' can measure them later
    #[arg(long)]
    incomplete: bool,
}

impl Merge {
    pub fn run(&self) -> Result<(), CliError> {
        let folder = NewFolder::at(&self.out)?;
        let Merged { records, missing, short } = merge(&self.parts, folder.path())?;
        let lacking = lacking(missing, &short, &self.parts);
        if missing > 0 && !self.incomplete {
            return Err(CliError::Failed(format!(
                "{lacking}: run and merge all shards, or merge the records that exist with --incomplete"
            )));
        }
        let made = report::make(folder.path(), report::Wishes::default())?;
        folder.keep()?;
        let mut stdout = stdout().lock();
        print(&mut stdout, &made, &self.out, false)?;
        writeln!(stdout, "merged {records} records of {} folders into {}", self.parts.len(), self.out.display())?;
        if missing > 0 {
            let out = self.out.display();
            writeln!(stdout, "{lacking}: run them with 'splitpoint run ... --out {out} --resume'")?;
        }
        Ok(())
    }
}

/// How many cells of the plan have no record, and which shards they are of: `3 cells of the plan without a record (1 of
/// /tmp/p1, 2 of other shards)`.
fn lacking(missing: u64, short: &[(usize, u64)], parts: &[PathBuf]) -> String {
    let others = missing.saturating_sub(short.iter().map(|(_, lacking)| lacking).sum());
    let of_parts = short.iter().map(|(part, lacking)| format!("{lacking} of {}", parts[*part].display()));
    let of_others = (others > 0).then(|| format!("{others} of other shards"));
    let all: Vec<String> = of_parts.chain(of_others).collect();
    format!("{} of the plan without a record ({})", counted(missing, "cell", "cells"), all.join(", "))
}
