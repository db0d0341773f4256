//! `splitpoint uci`.

use std::io::{BufReader, stdin, stdout};

use clap::Args;

use super::error::CliError;
use crate::play::uci::serve;

/// Obey a chess program that speaks UCI, such as a graphical interface
#[derive(Args)]
#[command(after_help = "\
Examples:
  splitpoint uci
  printf 'position startpos moves e2e4\\ngo depth 12\\n' | splitpoint uci

Name 'splitpoint uci' as the engine's command in your chess program. The answer to 'uci' lists all options: Hash, \
Threads, MultiPV, Board, Strategy, Features, and every feature of the search by its name. 'splitpoint match' plays \
games of such engines against ours. A search goes on for at most a minute after the end of the input.")]
pub struct Uci {}

impl Uci {
    pub fn run(self) -> Result<(), CliError> {
        serve(BufReader::new(stdin()), stdout());
        Ok(())
    }
}
