//! Micro-measurements of a plan. They are made by a program of their own, `splitpoint-micro`, since a fifth of the time
//! to compile everything was theirs and few runs need them.

use std::process::{Command, Stdio};

use serde::Deserialize;

use super::BUILD;
use super::companions::MEASURER;
use crate::choices::unknown_name;
use crate::record::{Configuration, Figure, MICROS, MachineKind};
use crate::suggestion::WordError;

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
    let mut command = Command::new(MEASURER.program()?);
    command.args([name, "--seed", &seed.to_string(), "--json"]).stdin(Stdio::null());
    let output = command.output().map_err(|error| format!("{} cannot be started: {error}", MEASURER.name))?;
    if !output.status.success() {
        let told = String::from_utf8_lossy(&output.stderr);
        let told = told.trim().trim_start_matches("error: ");
        return Err(format!("{} ended with {}: {told}", MEASURER.name, output.status));
    }
    figures(&output.stdout, BUILD.get().map(|build| build().sources).as_deref())
}

/// Figures that the program printed, if it was built of the sources of this one, as far as these are known.
fn figures(printed: &[u8], sources: Option<&str>) -> Result<Vec<Figure>, String> {
    let printed: Printed = serde_json::from_slice(printed)
        .map_err(|error| format!("what {} printed cannot be read: {error}", MEASURER.name))?;
    if sources.is_some_and(|sources| sources != printed.sources) {
        return Err(MEASURER.not_built("was built of other sources"));
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
