//! Everything about the search that an experiment may change: a preset, and changes to it.
//!
//! `thesis,+check-extension=50,-null-move` is the preset `thesis` with a check worth half a ply and without null moves. A
//! switch is turned on with `+name` and off with `-name`; an amount is set with `+name=AMOUNT` or `name=AMOUNT`, and `-name`
//! sets it to nothing. [`FEATURES`] names them all, [`presets`] tells what each preset sets, and every record carries them all.

mod catalogue;
mod presets;

use std::fmt;
use std::str::FromStr;

use serde::ser::{Serialize, SerializeMap, Serializer};

pub use catalogue::{FEATURES, Feature, Features, Kind};
pub use presets::Preset;

/// A preset with changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Recipe {
    /// What it starts from.
    pub preset: Preset,
    /// What comes of it.
    pub features: Features,
}

/// Why a text names no features.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FeaturesError {
    /// The text begins with something else than a preset.
    #[error("'{found}' is not a preset; the presets are {}", Preset::ALL.map(Preset::name).join(", "))]
    NoPreset {
        /// What stands there.
        found: String,
    },
    /// There is no such feature.
    #[error("'{name}' is not a feature")]
    Unknown {
        /// What stands there.
        name: String,
    },
    /// A switch was given an amount.
    #[error("'{name}' is on or off: write +{name} or -{name}")]
    Switch {
        /// The switch.
        name: &'static str,
    },
    /// An amount is missing or cannot be.
    #[error("'{name}' takes a whole number from {least} to {most} ({unit}): write {name}={most}")]
    Amount {
        /// The feature.
        name: &'static str,
        /// The smallest.
        least: i32,
        /// The largest.
        most: i32,
        /// What it counts.
        unit: &'static str,
    },
}

impl FeaturesError {
    /// The word at fault and the names it might have been, for a suggestion.
    pub fn misspelt(&self) -> Option<(&str, Vec<&'static str>)> {
        match self {
            Self::NoPreset { found } => Some((found, Preset::ALL.map(Preset::name).to_vec())),
            Self::Unknown { name } => Some((name, FEATURES.iter().map(|feature| feature.name).collect())),
            Self::Switch { .. } | Self::Amount { .. } => None,
        }
    }
}

impl Feature {
    /// The feature of this name.
    pub fn named(name: &str) -> Option<&'static Self> {
        FEATURES.iter().find(|feature| feature.name == name)
    }

    /// Sets it as the text after its sign says: `None` for nothing after it.
    fn change(&self, features: &mut Features, wanted: bool, amount: Option<&str>) -> Result<(), FeaturesError> {
        match (self.kind, wanted, amount) {
            (Kind::Switch, _, None) => (self.set)(features, wanted.into()),
            (Kind::Switch, ..) => return Err(FeaturesError::Switch { name: self.name }),
            (Kind::Amount { least: ..=0, .. }, false, None) => (self.set)(features, 0),
            (Kind::Amount { least, most, unit }, _, amount) => {
                let amount = amount.filter(|_| wanted).and_then(|text| text.parse().ok());
                let Some(amount) = amount.filter(|amount| (least..=most).contains(amount)) else {
                    return Err(FeaturesError::Amount { name: self.name, least, most, unit });
                };
                (self.set)(features, amount);
            }
        }
        Ok(())
    }
}

impl FromStr for Recipe {
    type Err = FeaturesError;

    fn from_str(text: &str) -> Result<Self, FeaturesError> {
        let mut words = text.split(',').map(str::trim);
        let first = words.next().unwrap_or_default();
        let preset = Preset::named(first).ok_or_else(|| FeaturesError::NoPreset { found: first.to_owned() })?;
        let mut features = preset.features();
        for word in words {
            let (wanted, rest) = match word.split_at_checked(1) {
                Some(("+", rest)) => (true, rest),
                Some(("-", rest)) => (false, rest),
                _ => (true, word),
            };
            let (name, amount) = match rest.split_once('=') {
                Some((name, amount)) => (name.trim(), Some(amount.trim())),
                None => (rest, None),
            };
            let feature = Feature::named(name).ok_or_else(|| FeaturesError::Unknown { name: name.to_owned() })?;
            feature.change(&mut features, wanted, amount)?;
        }
        Ok(Self { preset, features })
    }
}

impl From<Preset> for Recipe {
    fn from(preset: Preset) -> Self {
        Self { preset, features: preset.features() }
    }
}

/// The shortest text that gives this recipe.
impl fmt::Display for Recipe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let before = self.preset.features();
        f.write_str(self.preset.name())?;
        for feature in FEATURES {
            let value = (feature.get)(&self.features);
            if value == (feature.get)(&before) {
                continue;
            }
            match feature.kind {
                Kind::Switch => write!(f, ",{}{}", if value != 0 { '+' } else { '-' }, feature.name)?,
                Kind::Amount { .. } => write!(f, ",+{}={value}", feature.name)?,
            }
        }
        Ok(())
    }
}

impl Serialize for Features {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(FEATURES.len()))?;
        for feature in FEATURES {
            let value = (feature.get)(self);
            match feature.kind {
                Kind::Switch => map.serialize_entry(feature.name, &(value != 0))?,
                Kind::Amount { .. } => map.serialize_entry(feature.name, &value)?,
            }
        }
        map.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn recipe(text: &str) -> Recipe {
        text.parse().unwrap()
    }

    #[test]
    fn changes_are_made_in_turn() {
        let changed = recipe("thesis,+check-extension=50, -null-move,aspiration=100");
        let thesis = Preset::Thesis.features();
        let expected = Features { check_extension: 50, null_move: false, aspiration: 100, ..thesis };
        assert_eq!(changed.features, expected);
        assert_eq!(recipe("thesis,-check-extension,+check-extension=75").features, thesis);
        assert_eq!(recipe("thesis,-check-extension").features.check_extension, 0);
    }

    #[test]
    fn the_shortest_text_gives_the_same() {
        for text in ["thesis", "sound", "thesis-as-printed,-defect-demotion-key", "thesis,+aspiration=100,-null-move"] {
            assert_eq!(recipe(text).to_string(), text);
        }
        assert_eq!(recipe("thesis,+null-move,check-extension=75").to_string(), "thesis");
    }

    #[test]
    fn what_cannot_be_is_refused() {
        let refused = [
            ("", "'' is not a preset"),
            ("thesys", "'thesys' is not a preset; the presets are"),
            ("+null-move", "'+null-move' is not a preset"),
            ("thesis,", "'' is not a feature"),
            ("thesis,+nullmove", "'nullmove' is not a feature"),
            ("thesis,+null-move=1", "'null-move' is on or off"),
            ("thesis,+check-extension", "'check-extension' takes a whole number from 0 to 200"),
            ("thesis,check-extension=201", "'check-extension' takes"),
            ("thesis,check-extension=x", "'check-extension' takes"),
            ("thesis,-check-extension=5", "'check-extension' takes"),
        ];
        for (text, message) in refused {
            let error = text.parse::<Recipe>().unwrap_err().to_string();
            assert!(error.contains(message), "{text}: {error}");
        }
    }

    #[test]
    fn names_are_the_fields_names() {
        for feature in FEATURES {
            assert!(
                feature.name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
            );
            assert_eq!(Feature::named(feature.name).unwrap().name, feature.name);
            let mut features = Preset::Thesis.features();
            (feature.set)(&mut features, 1);
            assert_eq!((feature.get)(&features), 1, "{}", feature.name);
        }
    }
}
