//! Processes that `mpirun` has started together: one of them is this program as always, and the others do what it asks.

use std::process::ExitCode;

use super::error::CliError;

/// Begins to search together with the other processes, if there are any. Returns whether this one is to read its
/// command; if not, it has done what another asked, and ends.
///
/// # Errors
/// If they cannot write to one another, or are not of the same program and command.
#[cfg(feature = "mpi")]
pub fn join() -> Result<bool, CliError> {
    use crate::engine::ranks::{self, Member, Ranks};
    use crate::machine::Mpi;

    let failed = |error: &dyn std::fmt::Display| CliError::BadInput(error.to_string());
    let Some(transport) = Mpi::begin().map_err(|error| failed(&error))? else { return Ok(true) };
    let command = std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
    let this = Member::this_process(env!("SPLITPOINT_SOURCES"), command, crate::lab::host_name());
    if transport.rank() > 0 {
        ranks::follow(&transport, this);
        return Ok(false);
    }
    ranks::set_of_process(Ranks::gather(transport, this).map_err(|error| failed(&error))?);
    Ok(true)
}

/// Without MPI nobody can join: several processes would do the same thing side by side.
///
/// # Errors
/// If `mpirun` has started several.
#[cfg(not(feature = "mpi"))]
pub fn join() -> Result<bool, CliError> {
    match crate::machine::processes_started() {
        Some(started) if started > 1 => Err(CliError::BadInput(format!(
            "{started} processes were started by MPI, and the program on host '{}' was built without MPI: cargo build \
             --release --features mpi",
            crate::lab::host_name()
        ))),
        _ => Ok(true),
    }
}

/// Lets the other processes end, if there are any.
pub fn part(status: ExitCode) -> ExitCode {
    if let Some(ranks) = crate::engine::ranks::of_process() {
        ranks.end();
    }
    status
}
