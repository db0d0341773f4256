//! Files that a user names: by their path, or by the name of one that ships with the program.

use std::path::{Path, PathBuf};

use super::error::{CliError, did_you_mean};
use crate::lab::shipped::{EXPERIMENTS, Shipped};
use crate::play::tournament::shipped::TOURNAMENTS;

/// An experiment or tournament that a file asks for, and the subcommand that does it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Source {
    Experiment,
    Tournament,
}

impl Source {
    fn shipped(self) -> &'static [Shipped] {
        match self {
            Self::Experiment => EXPERIMENTS,
            Self::Tournament => TOURNAMENTS,
        }
    }

    fn noun(self) -> &'static str {
        match self {
            Self::Experiment => "experiment",
            Self::Tournament => "tournament",
        }
    }

    fn subcommand(self) -> &'static str {
        match self {
            Self::Experiment => "run",
            Self::Tournament => "tournament",
        }
    }

    fn named(self, name: &str) -> Option<&'static Shipped> {
        self.shipped().iter().find(|one| one.name == name)
    }

    /// The text, with the name of the file.
    pub fn read(self, path: &Path) -> Result<(PathBuf, String), CliError> {
        std::fs::read_to_string(path).map(|text| (path.to_owned(), text)).or_else(|error| {
            let name = path.to_string_lossy();
            if let Some(shipped) = self.named(&name) {
                return Ok((PathBuf::from(format!("{name}.toml")), shipped.text.to_owned()));
            }
            let other = [Self::Experiment, Self::Tournament].into_iter().find(|other| other.named(&name).is_some());
            let hint = match other {
                Some(other) => format!("\n  It is the name of one for: splitpoint {} {name}", other.subcommand()),
                None => did_you_mean(&name, self.shipped().iter().map(|one| one.name)),
            };
            let message = format!("{name}: {error}, and no {} that ships has this name{hint}", self.noun());
            Err(CliError::BadInput(message))
        })
    }
}
