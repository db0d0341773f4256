//! Handing the command line over to a program beside this one, which goes on in its place.

use std::process::Command;

use super::error::CliError;
use crate::lab::companions::Companion;

/// Variable of the environment by which a program that is handed a command line knows the sources of the one before.
const SOURCES: &str = "SPLITPOINT_HANDED_OVER_BY";

/// Lets a program beside this one do what is asked for behind the first `skipped` words of the command line.
///
/// # Errors
/// If it is not there, or cannot be started.
pub fn hand_over<T>(to: Companion, skipped: usize) -> Result<T, CliError> {
    let program = to.program().map_err(CliError::BadInput)?;
    let mut command = Command::new(&program);
    command.args(std::env::args_os().skip(skipped)).env(SOURCES, crate::build().sources);
    Err(CliError::Failed(format!("{}: {}", program.display(), replaced_by(&mut command))))
}

/// Why this program could not be replaced: by a system that can, in place; else by waiting for the other.
fn replaced_by(command: &mut Command) -> std::io::Error {
    #[cfg(unix)]
    return std::os::unix::process::CommandExt::exec(command);
    #[cfg(not(unix))]
    match command.status() {
        // It has told by itself what is wrong.
        Ok(ended) => std::process::exit(ended.code().unwrap_or(1)),
        Err(error) => error,
    }
}

/// Checks that the command line was handed over by a program of the same sources as this one, if it was handed over.
///
/// # Errors
/// If it was not.
pub fn check_sources(own: Companion) -> Result<(), CliError> {
    match std::env::var(SOURCES) {
        Ok(sources) if sources != crate::build().sources => {
            Err(CliError::BadInput(own.not_built("was built of other sources")))
        }
        _ => Ok(()),
    }
}
