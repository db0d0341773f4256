//! Strategies in words: read from a command line, written into records, listed with their parameters.

use std::fmt;
use std::str::FromStr;

use super::{AnyStrategy, Copying, ask};
use crate::settings::{self, Setting, Settings};
use crate::suggestion::WordError;

/// A parameter as a list shows it.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// Name on the command line and in records.
    pub name: &'static str,
    /// Values that it can be set to.
    pub kind: settings::Kind,
    /// Default value in words.
    pub default: String,
    /// Present value: 0 or 1 for a switch, the place among the names for a choice.
    pub value: i32,
    /// Sentence that says what it does.
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

    /// Parameters with their present values.
    pub fn parameters(&self) -> Vec<Parameter> {
        ask!(self, it => parameters(it))
    }

    /// Whether the depth asked for changes what workers search before it is reached, unless the horizon is open.
    pub fn has_horizon(&self) -> bool {
        matches!(self, Self::Lazy(_) | Self::Teams(_))
    }

    /// Way in which the strategy hands positions over, if it does.
    pub fn copying(&self) -> Option<Copying> {
        let (parameters, mut copying) = (self.parameters(), Copying::default());
        for setting in Copying::all() {
            let parameter = parameters.iter().find(|parameter| parameter.name == setting.name)?;
            (setting.set)(&mut copying, parameter.value);
        }
        Some(copying)
    }

    /// Makes it hand positions over in this way, if it hands any over.
    pub fn set_copying(&mut self, copying: &Copying) {
        fn set<T: Settings>(parameters: &mut T, copying: &Copying) {
            for setting in Copying::all() {
                if let Some(own) = T::all().iter().find(|own| own.name == setting.name) {
                    (own.set)(parameters, (setting.get)(copying));
                }
            }
        }
        ask!(self, it => set(it, copying));
    }

    fn change(&mut self, word: &str) -> Result<(), WordError> {
        if self.parameters().is_empty() {
            return Err(WordError::new(format!("'{}' has no parameters", self.name())));
        }
        ask!(self, it => settings::change(it, word))
    }
}

impl FromStr for AnyStrategy {
    type Err = WordError;

    /// `ybwc`, or with parameters `ybwc,minimum-draft=3,history=private`.
    fn from_str(text: &str) -> Result<Self, WordError> {
        let mut words = text.split(',').map(str::trim);
        let first = words.next().unwrap_or_default();
        let mut strategy = Self::named(first).ok_or_else(|| {
            let message = format!("'{first}' is not a strategy: expected {}", Self::NAMES.join(", "));
            WordError::unknown(first, Self::NAMES, message)
        })?;
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
