//! The program behind `splitpoint micro`.

mod command;

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    match command::Program::try_parse() {
        Ok(program) => splitpoint_cli::end(program.run()),
        Err(usage) => splitpoint_cli::of_usage(&usage),
    }
}
