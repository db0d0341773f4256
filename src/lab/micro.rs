//! Micro-measurements of a plan. They are made by a program of their own, `splitpoint-micro`, since a fifth of the time
//! to compile everything was theirs and few runs need them.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use serde::Deserialize;

use super::BUILD;
use super::measure_error::{MeasureError, wrong};
use crate::choices::unknown_name;
use crate::record::axes::MICRO;
use crate::record::{Cell, Configuration, Figure, MICROS, MachineKind};
use crate::suggestion::WordError;

/// Name of the program, and of the package that it is.
const PROGRAM: &str = "splitpoint-micro";

/// The program, which lies beside this one.
///
/// # Errors
/// If it is not there.
pub fn program() -> Result<PathBuf, String> {
    let own = std::env::current_exe().map_err(|error| format!("the folder of this program is not known: {error}"))?;
    let file = format!("{PROGRAM}{}", std::env::consts::EXE_SUFFIX);
    // Tests of a crate lie in a folder below.
    let places = own.ancestors().skip(1).take(2).map(|folder| folder.join(&file));
    places.into_iter().find(|path| path.is_file()).ok_or_else(|| not_built("is not there"))
}

/// Checks that the program is there if any of these cells needs it, so that a user is told before anything is measured.
///
/// # Errors
/// If it is not there.
pub(super) fn check<'a>(mut cells: impl Iterator<Item = &'a Cell>) -> Result<(), MeasureError> {
    let is_needed = cells.any(|cell| cell.configuration.micro.is_some());
    if is_needed { program().map(|_| ()).map_err(wrong(MICRO.name)) } else { Ok(()) }
}

fn not_built(what: &str) -> String {
    format!("micro-measurements are made by the program {PROGRAM}, which {what}: cargo build --release -p {PROGRAM}")
}

/// The name of a micro-measurement, if it is one.
///
/// # Errors
/// If there is no such micro-measurement.
pub fn named(name: &str) -> Result<&'static str, WordError> {
    let found = MICROS.iter().copied().find(|&micro| micro == name);
    found.ok_or_else(|| unknown_name(name, "micro-measurement", &MICROS))
}

/// Configuration of a cell that is a micro-measurement of all boards, which take turns.
pub fn configuration(name: &str) -> Configuration {
    Configuration { machine: MachineKind::Real, threads: 1, micro: Some(name.to_owned()), ..Configuration::default() }
}

/// Output of the program for micro-measurements: the part that a record holds, and the sources it was built of.
#[derive(Deserialize)]
struct Printed {
    sources: String,
    figures: Vec<Figure>,
}

/// Figures of such a cell.
///
/// # Errors
/// If the program is not there, was built of other sources than this one, or does not end well.
pub fn measure(name: &str, seed: u64) -> Result<Vec<Figure>, String> {
    let mut command = Command::new(program()?);
    command.args([name, "--seed", &seed.to_string(), "--json"]).stdin(Stdio::null());
    let output = command.output().map_err(|error| format!("{PROGRAM} cannot be started: {error}"))?;
    if !output.status.success() {
        let told = String::from_utf8_lossy(&output.stderr);
        return Err(format!("{PROGRAM} ended with {}: {}", output.status, told.trim().trim_start_matches("error: ")));
    }
    figures(&output.stdout, BUILD.get().map(|build| build().sources).as_deref())
}

/// Figures that the program printed, if it was built of the sources of this one, as far as these are known.
fn figures(printed: &[u8], sources: Option<&str>) -> Result<Vec<Figure>, String> {
    let printed: Printed =
        serde_json::from_slice(printed).map_err(|error| format!("what {PROGRAM} printed cannot be read: {error}"))?;
    if sources.is_some_and(|sources| sources != printed.sources) {
        return Err(not_built("was built of other sources"));
    }
    Ok(printed.figures)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_of_a_program_of_other_sources_are_refused() {
        let printed = br#"{"version": "0.2.0", "sources": "a", "figures": [{"figure": "time", "estimate": 2.5}]}"#;
        for sources in [None, Some("a")] {
            assert_eq!(figures(printed, sources).unwrap()[0].estimate, 2.5);
        }
        assert!(figures(printed, Some("b")).unwrap_err().contains("other sources"));
        assert!(figures(b"no JSON", None).unwrap_err().contains("cannot be read"));
    }
}
