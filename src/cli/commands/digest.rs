//! `splitpoint digest`: the one name of a folder of results.

use std::io::{Write, stdout};
use std::path::PathBuf;

use clap::Args;

use super::error::CliError;
use crate::record::digest;
use crate::record::digest::simulated;
use crate::record::journal::JOURNAL;

/// Print the digest of a folder of results, by which it can be cited and checked
#[derive(Args)]
#[command(after_help = "\
Examples:
  splitpoint digest results/quick
  splitpoint digest results/quick --check sha256:0a1b...

A line for each file with its SHA-256, as sha256sum writes it, sorted by name; last the digest of the folder, which is \
the SHA-256 of these lines. It ties together the plan, the records and the computers on which they were made: somebody \
else's run of the plan has another one. Tables, charts and pages are not in it: 'splitpoint report' makes them again. \
The line 'simulated' is the digest of the searches on the virtual machine alone, without when and where they were run: \
whoever repeats them with this version gets it again.")]
pub struct DigestArgs {
    /// Folder of a run, a match, a tournament or claims
    #[arg(value_name = "DIR")]
    folder: PathBuf,

    /// Digest that the folder, or its simulated searches, must have; if they have another one, the status is 1
    #[arg(long, value_name = "DIGEST")]
    check: Option<String>,
}

impl DigestArgs {
    pub fn run(&self) -> Result<(), CliError> {
        let (folder, digest) = (self.folder.display(), digest(&self.folder)?);
        if digest.files.is_empty() {
            return Err(CliError::BadInput(format!("{folder} holds no results")));
        }
        let whole = digest.to_string();
        let mut out = stdout().lock();
        for (name, of_file) in &digest.files {
            writeln!(out, "{of_file}  {name}")?;
        }
        let simulated = if self.folder.join(JOURNAL).exists() { simulated(&self.folder)? } else { None };
        if let Some(simulated) = &simulated {
            writeln!(out, "simulated {simulated}")?;
        }
        writeln!(out, "{whole}")?;
        match &self.check {
            Some(expected) if *expected != whole && simulated.as_ref() != Some(expected) => {
                let simulated = simulated.map(|digest| format!(", and its simulated searches {digest}"));
                let also = simulated.unwrap_or_default();
                Err(CliError::Failed(format!(
                    "{folder} has the digest {whole}{also}, not {expected}: something was changed, or it is another run"
                )))
            }
            _ => Ok(()),
        }
    }
}
