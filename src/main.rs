//! The command line of Splitpoint.

use std::process::ExitCode;

fn main() -> ExitCode {
    splitpoint_cli::run()
}
