//! `splitpoint uci`.

use std::io::{BufReader, stdin, stdout};

use clap::Args;

use super::error::CliError;
use super::values;
use crate::engine::ranks;
use crate::machine::Pin;
use crate::play::uci::serve;

/// Obey a chess program that speaks UCI, such as a graphical interface
#[derive(Args)]
#[command(after_help = "\
Examples:
  splitpoint uci
  printf 'position startpos moves e2e4\\ngo depth 12\\n' | splitpoint uci
  mpirun -n 2 splitpoint uci --cluster-nodes 2

Name 'splitpoint uci' as the engine's command in your chess program. The answer to 'uci' lists the options: Hash, \
Threads, MultiPV, Board, Strategy, Features and others; with the option Expert, every feature of the search, too. \
'splitpoint match' plays games of such engines against ours. A search goes on for at most a minute after the end \
of the input.")]
pub struct Uci {
    /// Number of nodes: processes that mpirun has started together, each with the option Threads' number of threads (a
    /// build with the feature mpi)
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = values::processors())]
    cluster_nodes: u32,
}

impl Uci {
    pub fn run(self) -> Result<(), CliError> {
        let nodes = self.cluster_nodes as usize;
        ranks::on(Pin::None, nodes).map_err(|error| CliError::BadInput(error.to_string()))?;
        serve(BufReader::new(stdin()), stdout(), nodes);
        Ok(())
    }
}
