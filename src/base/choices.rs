//! Closed sets of named alternatives: ways of waiting, table schemes, boards, presets. Each name is spelt once, beside
//! the variant that it names, and serves the command line, experiment files, records and lists.

use crate::suggestion::WordError;

/// The error about a text that is none of the names of `what`.
pub fn unknown_name(found: &str, what: &str, names: &[&str]) -> WordError {
    let article = if what.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
    WordError::unknown(found, names, format!("'{found}' is not {article} {what}: expected {}", names.join(", ")))
}

/// Declares an enum of named alternatives with `Default`, `FromStr`, `Display`, and serde by name. The noun is for one
/// of them, as error messages use it: "waiting mode". The doc comment of a variant is also its meaning. The default is
/// the first, unless another is declared.
#[macro_export]
#[doc(hidden)]
macro_rules! declare_choices {
    (
        $(#[$about:meta])* $vis:vis enum $Choice:ident, $what:literal $(, by default $default:ident)?;
        $( $(#[doc = $meaning:literal])+ $item:ident $name:literal, )*
    ) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        $vis enum $Choice {
            $( $(#[doc = $meaning])+ $item, )*
        }

        #[allow(dead_code)]
        impl $Choice {
            /// All alternatives, in the order of lists.
            pub const ALL: &'static [Self] = &[$( Self::$item, )*];
            /// Names of all alternatives, in the same order.
            pub const NAMES: &'static [&'static str] = &[$( $name, )*];

            /// Name of this alternative on the command line, in files and in records.
            pub const fn name(self) -> &'static str {
                match self {
                    $( Self::$item => $name, )*
                }
            }

            /// One sentence that says what this alternative is.
            pub fn meaning(self) -> &'static str {
                match self {
                    $( Self::$item => concat!($($meaning),+).trim(), )*
                }
            }
        }

        impl Default for $Choice {
            fn default() -> Self {
                [$( Self::$default, )? Self::ALL[0]][0]
            }
        }

        impl std::str::FromStr for $Choice {
            type Err = $crate::suggestion::WordError;

            fn from_str(name: &str) -> Result<Self, Self::Err> {
                let found = Self::ALL.iter().copied().find(|one| one.name() == name);
                found.ok_or_else(|| $crate::choices::unknown_name(name, $what, Self::NAMES))
            }
        }

        impl std::fmt::Display for $Choice {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.name())
            }
        }

        impl serde::Serialize for $Choice {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.name())
            }
        }

        impl<'de> serde::Deserialize<'de> for $Choice {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let name = <std::borrow::Cow<'de, str> as serde::Deserialize>::deserialize(deserializer)?;
                name.parse().map_err(serde::de::Error::custom)
            }
        }

        impl From<$Choice> for i32 {
            fn from(choice: $Choice) -> Self {
                choice as Self
            }
        }
    };
}
pub use declare_choices as choices;

#[cfg(test)]
mod tests {
    use super::choices;
    choices! {
        /// Something to choose.
        enum Colour, "colour";
        /// Like fire.
        Red "red",
        /// Like the sea,
        /// far out.
        DarkBlue "dark-blue",
    }

    #[test]
    fn one_spelling_serves_all() {
        for colour in Colour::ALL {
            assert_eq!(colour.name().parse(), Ok(*colour));
            assert_eq!(colour.to_string(), colour.name());
            let json = serde_json::to_string(colour).unwrap();
            assert_eq!(json, format!("\"{colour}\""));
            assert_eq!(serde_json::from_str::<Colour>(&json).unwrap(), *colour);
        }
        assert_eq!(format!("[{:>10}]", Colour::Red), "[       red]");
        assert_eq!(Colour::DarkBlue.meaning(), "Like the sea, far out.");
        assert_eq!(Colour::default(), Colour::Red);
        assert!(serde_json::from_str::<Colour>("\"green\"").is_err());
    }

    #[test]
    fn an_unknown_name_is_refused_with_the_nearest() {
        let error = "dark-blu".parse::<Colour>().unwrap_err().to_string();
        assert_eq!(error, "'dark-blu' is not a colour: expected red, dark-blue; did you mean 'dark-blue'?");
        assert_eq!("".parse::<Colour>().unwrap_err().to_string(), "'' is not a colour: expected red, dark-blue");
    }
}
