//! Strategies in words: read from a command line, written into records, listed with their parameters.

use std::fmt;
use std::str::FromStr;

use super::{AnyStrategy, ask};
use crate::settings::{self, Setting, SettingError, Settings};

/// Why a text names no strategy.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StrategyError {
    /// The text begins with something else than a strategy.
    #[error("'{found}' is not a strategy; the strategies are {}", AnyStrategy::NAMES.join(", "))]
    Unknown {
        /// What stands there.
        found: String,
    },
    /// A change is none.
    #[error(transparent)]
    Change(#[from] SettingError),
    /// This one has no parameters.
    #[error("'{0}' has no parameters")]
    NoParameters(&'static str),
}

impl StrategyError {
    /// The word at fault and the names it might have been, for a suggestion.
    pub fn misspelt(&self) -> Option<(&str, Vec<&'static str>)> {
        match self {
            Self::Unknown { found } => Some((found, AnyStrategy::NAMES.to_vec())),
            Self::Change(error) => error.misspelt(),
            Self::NoParameters(_) => None,
        }
    }
}

/// A parameter as a list shows it.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// Its name.
    pub name: &'static str,
    /// What it can be set to.
    pub kind: settings::Kind,
    /// What it is if nothing is said.
    pub default: String,
    /// Its present value.
    pub value: i32,
    /// What it does.
    pub meaning: &'static str,
}

fn parameters<T: Settings + Default>(chosen: &T) -> Vec<Parameter> {
    let default = T::default();
    let parameter = |setting: &Setting<T>| Parameter {
        name: setting.name,
        kind: setting.kind,
        default: setting.written(&default),
        value: (setting.get)(chosen),
        meaning: setting.meaning,
    };
    T::all().iter().map(parameter).collect()
}

impl AnyStrategy {
    /// The strategy of this name with its defaults.
    pub fn named(name: &str) -> Option<Self> {
        Self::all().into_iter().find(|strategy| strategy.name() == name)
    }

    /// Its parameters.
    pub fn parameters(&self) -> Vec<Parameter> {
        ask!(self, it => parameters(it))
    }

    fn change(&mut self, word: &str) -> Result<(), StrategyError> {
        let name = self.name();
        if self.parameters().is_empty() {
            return Err(StrategyError::NoParameters(name));
        }
        Ok(ask!(self, it => settings::change(it, word))?)
    }
}

impl FromStr for AnyStrategy {
    type Err = StrategyError;

    /// `ybwc`, or with parameters `ybwc,minimum-draft=3,history=private`.
    fn from_str(text: &str) -> Result<Self, StrategyError> {
        let mut words = text.split(',').map(str::trim);
        let first = words.next().unwrap_or_default();
        let mut strategy = Self::named(first).ok_or_else(|| StrategyError::Unknown { found: first.to_owned() })?;
        words.try_for_each(|word| strategy.change(word))?;
        Ok(strategy)
    }
}

/// The shortest text that gives this strategy.
impl fmt::Display for AnyStrategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fn write_changes<T: Settings + Default>(f: &mut fmt::Formatter<'_>, chosen: &T) -> fmt::Result {
            settings::write_changes(f, &T::default(), chosen)
        }
        f.write_str(self.name())?;
        ask!(self, it => write_changes(f, it))
    }
}
