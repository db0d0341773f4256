//! Features of the search that an experiment may change: a preset, and changes to it.
//!
//! `thesis,+check-extension=50,-null-move` is the preset `thesis` with a check worth half a ply and without null moves:
//! changes are written as for all [`settings`]. Every record carries all features.

mod catalogue;
mod presets;

use std::fmt;
use std::str::FromStr;

use crate::choices::choices;
use crate::settings;
use crate::suggestion::WordError;

pub use catalogue::Features;
pub use presets::Preset;

choices! {
    /// Way in which the search goes back to the position before a move.
    pub enum TakingBack, "way of taking back";
    /// The move is unmade.
    Undo "undo",
    /// The board is copied before the move, and restored from the copy.
    Copy "copy",
}

impl Features {
    /// Whether late moves are skipped or searched less deep, as today: the tree is narrow, and there is less to share.
    pub fn narrow_the_tree(&self) -> bool {
        self.late_moves.is_used()
    }

    /// Sentence that says which of them cannot be had together, if there are such.
    pub fn contradiction(&self) -> Option<&'static str> {
        self.windows.contradiction()
    }
}

/// A preset with changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Recipe {
    /// Preset that the changes start from.
    pub preset: Preset,
    /// Features of the preset with the changes made.
    pub features: Features,
}

impl FromStr for Recipe {
    type Err = WordError;

    fn from_str(text: &str) -> Result<Self, WordError> {
        let mut words = text.split(',').map(str::trim);
        let first = words.next().unwrap_or_default();
        let preset: Preset = first.parse().map_err(|_| {
            let message = format!("'{first}' is not a preset: expected {}", Preset::NAMES.join(", "));
            WordError::unknown(first, Preset::NAMES, message)
        })?;
        let mut features = preset.features();
        for word in words {
            settings::change(&mut features, word)?;
        }
        if let Some(message) = features.contradiction() {
            return Err(WordError::new(message.to_owned()));
        }
        Ok(Self { preset, features })
    }
}

impl Recipe {
    /// Plies by which each iteration is deeper than the one before.
    pub fn deepening_step(&self) -> u32 {
        self.features.deepening.step.max(1) as u32
    }

    /// Recipe with iterations of which each is this number of plies deeper than the one before.
    #[must_use]
    pub fn with_deepening_step(mut self, plies: u32) -> Self {
        self.features.deepening.step = plies as i32;
        self
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
        f.write_str(self.preset.name())?;
        settings::write_changes(f, &self.preset.features(), &self.features)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::{Kind, Settings};

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
    fn a_step_of_iterations_is_set_and_taken_back() {
        for (text, second, first) in [
            ("modern", "modern,deepening-step=2", "modern"),
            ("modern,deepening-step=2", "modern,deepening-step=2", "modern"),
            ("thesis,-null-move,deepening-step=3", "thesis,-null-move,deepening-step=2", "thesis,-null-move"),
        ] {
            assert_eq!(recipe(text).with_deepening_step(2), recipe(second), "{text}");
            assert_eq!(recipe(text).with_deepening_step(1).to_string(), first);
        }
        assert_eq!(recipe("thesis,deepening-step=3").deepening_step(), 3);
    }

    #[test]
    fn what_cannot_be_is_refused() {
        let refused = [
            ("", "'' is not a preset"),
            ("thesys", "'thesys' is not a preset: expected"),
            ("+null-move", "'+null-move' is not a preset"),
            ("thesis,", "'' is not a feature"),
            ("thesis,+nullmove", "'nullmove' is not a feature"),
            ("thesis,check-extension=201", "'check-extension' takes"),
            ("thesis,+fail-hard,+fail-soft", "'fail-hard' and 'fail-soft' exclude each other"),
        ];
        for (text, message) in refused {
            let error = text.parse::<Recipe>().unwrap_err().to_string();
            assert!(error.contains(message), "{text}: {error}");
        }
    }

    #[test]
    fn every_feature_belongs_to_a_technique_with_a_source() {
        for feature in Features::all() {
            assert!(!feature.technique.title.is_empty() && !feature.technique.source.is_empty(), "{}", feature.name);
        }
    }

    #[test]
    fn names_are_those_of_the_command_line() {
        for feature in Features::all() {
            assert!(feature.name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-'), "{}", feature.name);
            let mut features = Preset::Thesis.features();
            let value = if let Kind::Choice { names } = feature.kind { names.len() as i32 - 1 } else { 1 };
            (feature.set)(&mut features, value);
            assert_eq!((feature.get)(&features), value, "{}", feature.name);
        }
    }
}
