//! The command line of Splitpoint.

mod cli;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::run()
}
