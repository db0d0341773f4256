//! The program behind `splitpoint micro`.

mod command;

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    match command::Micro::try_parse() {
        Ok(micro) => splitpoint_cli::end(micro.run()),
        Err(usage) => splitpoint_cli::of_usage(&usage),
    }
}
