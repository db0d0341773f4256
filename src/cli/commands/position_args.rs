//! Positions given on the command line: a FEN, `startpos`, the id of a position that ships, a suite, or a file.

use std::collections::HashSet;
use std::path::PathBuf;

use clap::Args;

use super::error::{CliError, did_you_mean, pointed};
use crate::chess::Setup;
use crate::chess::epd::{Epd, EpdFileError};
use crate::chess::suites::{self, DEFAULT_SUITE, SUITES, Suite};

const START: &str = "startpos";

/// Positions to be searched or shown.
#[derive(Args)]
pub struct PositionArgs {
    /// FEN, 'startpos', id of a position that ships (BK09), or name of a suite [default: thesis-10]
    #[arg(value_name = "POSITION")]
    position: Option<String>,

    /// File of EPD lines with the positions
    #[arg(long, value_name = "FILE", conflicts_with = "position")]
    epd: Option<PathBuf>,
}

impl PositionArgs {
    /// The positions, each with an id.
    pub fn resolve(&self) -> Result<Vec<Epd>, CliError> {
        let mut positions = match (&self.epd, &self.position) {
            (Some(path), _) => Epd::read(path).map_err(|error| CliError::BadInput(describe(&error)))?,
            (None, Some(text)) => named(text.trim())?,
            (None, None) => named(DEFAULT_SUITE)?,
        };
        for (i, epd) in positions.iter_mut().enumerate() {
            epd.id.get_or_insert_with(|| format!("#{}", i + 1));
        }
        Ok(positions)
    }
}

fn describe(error: &EpdFileError) -> String {
    let place = match error {
        EpdFileError::Line { text, source, .. } => pointed(text, source.column()),
        EpdFileError::Unreadable { .. } | EpdFileError::Empty(_) => String::new(),
    };
    format!("{error}{place}")
}

/// Positions that a text names: a FEN, `startpos`, the id of a position that ships, or a suite.
pub fn named(text: &str) -> Result<Vec<Epd>, CliError> {
    if text.eq_ignore_ascii_case(START) {
        return Ok(vec![Epd { id: Some(START.into()), ..Setup::start().into() }]);
    }
    if text.contains('/') {
        let setup = text
            .parse::<Setup>()
            .map_err(|error| CliError::BadInput(format!("FEN: {error}{}", pointed(text, error.column()))))?;
        return Ok(vec![setup.into()]);
    }
    if let Some(suite) = Suite::named(text) {
        return Ok(suite.positions());
    }
    if let Some(epd) = suites::position(text) {
        return Ok(vec![epd]);
    }
    Err(CliError::BadInput(format!(
        "'{text}' is not a position{}\n  Expected a FEN, 'startpos', the id of a position that ships (BK09) or the \
         name of a suite ('splitpoint list suites' names them); files are read with --epd FILE",
        did_you_mean(text, names())
    )))
}

/// Ids of positions that ship, names of suites, and `startpos`: each once, though some positions are in several suites.
pub fn names() -> impl Iterator<Item = String> {
    let all = suites::ids().chain(SUITES.iter().map(|suite| suite.name.to_owned())).chain([START.to_owned()]);
    let mut known = HashSet::new();
    all.filter(move |name| known.insert(name.clone()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_there_once() {
        let mut names: Vec<String> = names().collect();
        let all = names.len();
        names.sort_unstable();
        names.dedup();
        assert!(names.len() == all && names.iter().any(|name| name == "BK10"), "{names:?}");
    }
}
