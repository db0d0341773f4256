//! `splitpoint licences`: the licences of what is inside the program.

use std::io::{Write, stdout};

use clap::Args;

use super::error::CliError;

/// Libraries and fonts with their licences; `scripts/licences.py` writes it.
const THIRD_PARTY: &str = include_str!("../licences.txt");
/// Licences of the program itself, of which whoever uses it chooses one.
const OWN: [(&str, &str); 2] =
    [("MIT", include_str!("../LICENSE-MIT")), ("Apache-2.0", include_str!("../LICENSE-APACHE"))];

/// Print the licence of this program, and those of the libraries and fonts in it
#[derive(Args)]
#[command(after_help = "\
Examples:
  splitpoint licences
  splitpoint licences --list")]
pub struct Licences {
    /// Print one line for each library, without the texts
    #[arg(long)]
    list: bool,
}

impl Licences {
    pub fn run(&self) -> Result<(), CliError> {
        let (list, _) = THIRD_PARTY.split_once("\n\n").unwrap_or((THIRD_PARTY, ""));
        let mut out = stdout().lock();
        writeln!(out, "Splitpoint {}, MIT OR Apache-2.0", env!("CARGO_PKG_VERSION"))?;
        if self.list {
            return Ok(writeln!(out, "{list}")?);
        }
        for (name, text) in OWN {
            writeln!(out, "\n== Splitpoint, {name}\n\n{}", text.trim_end())?;
        }
        Ok(writeln!(out, "\n== In the program\n\n{}", THIRD_PARTY.trim_end())?)
    }
}
