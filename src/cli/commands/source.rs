//! Files that a user names: by their path, or by the name of one that ships with the program.

use std::path::{Path, PathBuf};

use super::error::{CliError, did_you_mean};
use crate::lab::shipped::{self, EXPERIMENTS, Shipped};
use crate::lab::{Experiment, FileError};
use crate::play::tournament::shipped::TOURNAMENTS;
use crate::report::charts;

/// Kind of file that is run: an experiment or a tournament, with those that ship and the subcommand that does it.
pub struct Source {
    noun: &'static str,
    subcommand: &'static str,
    shipped: &'static [Shipped],
}

pub static EXPERIMENT: Source = Source { noun: "experiment", subcommand: "run", shipped: EXPERIMENTS };
pub static TOURNAMENT: Source = Source { noun: "tournament", subcommand: "tournament", shipped: TOURNAMENTS };

impl Source {
    fn named(&self, name: &str) -> Option<&'static Shipped> {
        self.shipped.iter().find(|one| one.name == name)
    }

    /// The text, with the name of the file.
    pub fn read(&self, path: &Path) -> Result<(PathBuf, String), CliError> {
        std::fs::read_to_string(path).map(|text| (path.to_owned(), text)).or_else(|error| {
            let name = path.to_string_lossy();
            if let Some(shipped) = self.named(&name) {
                return Ok((PathBuf::from(format!("{name}.toml")), shipped.text.to_owned()));
            }
            let other = [&EXPERIMENT, &TOURNAMENT].into_iter().find(|other| other.named(&name).is_some());
            let hint = match other {
                Some(other) => format!("\n  It is the name of one for: splitpoint {} {name}", other.subcommand),
                None => did_you_mean(&name, self.shipped.iter().map(|one| one.name)),
            };
            let message = format!("{name}: {error}, and no {} that ships has this name{hint}", self.noun);
            Err(CliError::BadInput(message))
        })
    }
}

/// The experiment of this name that ships, with changes.
pub fn shipped_experiment(name: &str, changes: &[impl ToString]) -> Result<Experiment, FileError> {
    let text = shipped::named(name).map(|shipped| shipped.text).unwrap_or_default();
    let changes: Vec<String> = changes.iter().map(ToString::to_string).collect();
    Experiment::parse(Path::new(&format!("{name}.toml")), text, &changes, &charts::names())
}
