//! Switches and amounts that a user may change by name: what the search does, and how a strategy shares it.
//!
//! A switch is turned on with `+name` and off with `-name`; an amount is set with `+name=AMOUNT` or `name=AMOUNT`, and
//! `-name` sets it to nothing; a choice is made with `name=ITEM`, and `-name` is `name=none`. The names, ranges and
//! meanings stand in one place, beside the fields they set.

use std::fmt::{self, Write};

use serde::ser::{SerializeMap, Serializer};

use crate::suggestion::WordError;

/// Kind of a setting: the values that it can be set to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Switch that is on or off.
    Switch,
    /// Whole number within a range.
    Amount {
        /// The smallest.
        least: i32,
        /// The largest.
        most: i32,
        /// Unit that is counted.
        unit: &'static str,
    },
    /// Choice among named alternatives.
    Choice {
        /// Names of the alternatives.
        names: &'static [&'static str],
    },
}

impl Kind {
    /// A value of this kind, as it stands in records.
    pub fn json(self, value: i32) -> serde_json::Value {
        match self {
            Self::Switch => (value != 0).into(),
            Self::Amount { .. } => value.into(),
            Self::Choice { names } => names[value as usize].into(),
        }
    }
}

/// Writes the possible values in brackets, to follow a value; nothing for a switch.
impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Switch => Ok(()),
            Self::Amount { least, most, unit } => write!(f, " ({least} to {most} {unit})"),
            Self::Choice { names } => write!(f, " (of {})", names.join(", ")),
        }
    }
}

/// Name of the alternative that `-name` chooses, where there is one.
const NO_ITEM: &str = "none";

/// Technique that settings belong to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Technique {
    /// Name of the technique; empty if none was declared.
    pub title: &'static str,
    /// Publication or practice that the technique is from.
    pub source: &'static str,
    /// Changes to the thesis's search that show each setting at work, for tests: each gives another tree, one after
    /// `then` another than what stands before it.
    pub tried: &'static [&'static str],
}

/// One field of a struct of settings.
pub struct Setting<T> {
    /// Technique that it belongs to.
    pub technique: Technique,
    /// The name on the command line and in records.
    pub name: &'static str,
    /// Values that it can be set to.
    pub kind: Kind,
    /// Sentence that says what it does.
    pub meaning: &'static str,
    /// Reads the value: 0 or 1 for a switch, the place among the names for a choice.
    pub get: Getter<T>,
    /// Changes the value to one that the kind allows.
    pub set: Setter<T>,
}

/// Function that reads a setting.
pub type Getter<T> = Box<dyn Fn(&T) -> i32 + Send + Sync>;
/// Function that changes a setting.
pub type Setter<T> = Box<dyn Fn(&mut T, i32) + Send + Sync>;

/// A struct of settings.
pub trait Settings: Copy + PartialEq + fmt::Debug + 'static {
    /// Noun for one of them, as error messages use it: "feature".
    const WHAT: &'static str;

    /// All of them, in the order of records.
    fn all() -> &'static [Setting<Self>];
}

impl<T: 'static> Setting<T> {
    /// Setting of a struct of which `T` is a part.
    pub fn within<U: 'static>(&'static self, part: fn(&U) -> &T, part_mut: fn(&mut U) -> &mut T) -> Setting<U> {
        Setting {
            technique: self.technique,
            name: self.name,
            kind: self.kind,
            meaning: self.meaning,
            get: Box::new(move |whole| (self.get)(part(whole))),
            set: Box::new(move |whole, value| (self.set)(part_mut(whole), value)),
        }
    }

    /// Value in words: `on`, `off`, a number, or a name.
    pub fn written(&self, settings: &T) -> String {
        match (self.kind, (self.get)(settings)) {
            (Kind::Switch, 0) => "off".to_owned(),
            (Kind::Switch, _) => "on".to_owned(),
            (Kind::Amount { .. }, value) => value.to_string(),
            (Kind::Choice { names }, value) => names[value as usize].to_owned(),
        }
    }
}

/// Makes one change: `+name`, `-name`, `+name=AMOUNT`, `name=AMOUNT` or `name=ITEM`.
pub fn change<T: Settings>(settings: &mut T, word: &str) -> Result<(), WordError> {
    let (wanted, rest) = match word.split_at_checked(1) {
        Some(("+", rest)) => (true, rest),
        Some(("-", rest)) => (false, rest),
        _ => (true, word),
    };
    let (name, amount) = match rest.split_once('=') {
        Some((name, amount)) => (name.trim(), Some(amount.trim())),
        None => (rest, None),
    };
    let Some(setting) = T::all().iter().find(|setting| setting.name == name) else {
        let names = T::all().iter().map(|setting| setting.name);
        return Err(WordError::unknown(name, names, format!("'{name}' is not a {}", T::WHAT)));
    };
    let value = match (setting.kind, wanted, amount) {
        (Kind::Switch, _, None) => wanted.into(),
        (Kind::Switch, ..) => {
            return Err(WordError::new(format!("'{name}' is on or off: write +{name} or -{name}")));
        }
        (Kind::Amount { least: ..=0, .. }, false, None) => 0,
        (Kind::Amount { least, most, unit }, _, text) => {
            let number = text.and_then(|text| text.parse::<i64>().ok());
            let value = number.unwrap_or((setting.get)(settings).into());
            let nearest = value.clamp(least.into(), most.into()) as i32;
            if !wanted || number != Some(nearest.into()) {
                let range = format!("a whole number from {least} to {most} ({unit})");
                return Err(WordError::new(format!("'{name}' takes {range}: write {name}={nearest}")));
            }
            nearest
        }
        (Kind::Choice { names }, _, item) => {
            let chosen = match (wanted, item) {
                (true, item) => item,
                (false, None) => Some(NO_ITEM),
                (false, Some(_)) => None,
            };
            let place = chosen.and_then(|item| names.iter().position(|name| *name == item));
            place.ok_or_else(|| {
                let possible: Vec<String> = names.iter().map(|item| format!("{name}={item}")).collect();
                let possible = possible.join(" or ");
                match item {
                    Some(item) => {
                        WordError::unknown(item, names, format!("'{name}' cannot be '{item}': write {possible}"))
                    }
                    None => WordError::new(format!("'{name}' is not on or off: write {possible}")),
                }
            })? as i32
        }
    };
    (setting.set)(settings, value);
    Ok(())
}

/// The shortest changes that lead from one to the other, each after a comma.
pub fn write_changes<T: Settings>(out: &mut impl Write, from: &T, to: &T) -> fmt::Result {
    for setting in T::all() {
        let value = (setting.get)(to);
        match setting.kind {
            _ if value == (setting.get)(from) => {}
            Kind::Switch => write!(out, ",{}{}", if value != 0 { '+' } else { '-' }, setting.name)?,
            Kind::Amount { .. } => write!(out, ",+{}={value}", setting.name)?,
            Kind::Choice { names } => write!(out, ",{}={}", setting.name, names[value as usize])?,
        }
    }
    Ok(())
}

/// All settings by name.
pub fn serialize<T: Settings, S: Serializer>(settings: &T, serializer: S) -> Result<S::Ok, S::Error> {
    let mut map = serializer.serialize_map(Some(T::all().len()))?;
    for setting in T::all() {
        map.serialize_entry(setting.name, &setting.kind.json((setting.get)(settings)))?;
    }
    map.end()
}

/// Declares a struct of settings: fields, names, defaults and meanings in one place. A field without a default is off,
/// 0, or the first of its choices. Settings that belong together, or that several structs have in common, are structs
/// of their own, which are named last, with their own defaults or others: they are listed, written and changed as if
/// they stood there. A line `=> "technique", "source";` says what the settings after it belong to, and `tried by
/// ["+name=3"]` within it how tests see them at work.
#[macro_export]
#[doc(hidden)]
macro_rules! declare_settings {
    (
        $(#[$about:meta])* $vis:vis struct $Struct:ident, $what:literal;
        $( $(=> $technique:literal, $source:literal $(, tried by [$($tried:literal),* $(,)?])?;)?
            $field:ident: $type:ident $([$least:literal ..= $most:literal $unit:literal])? $(= $default:expr)?,
            $name:literal, $meaning:expr; )*
        $( ..$common:ident: $Common:ty $(= $parts:expr)?; )*
    ) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        $vis struct $Struct {
            $( #[doc = $meaning] pub $field: $type, )*
            $(
                /// Settings that are a struct of their own.
                pub $common: $Common,
            )*
        }

        impl $Struct {
            /// Everything off and every amount 0.
            #[allow(dead_code)] // presets start from it, parameters do not
            pub const NOTHING: Self = Self {
                $( $field: $crate::settings::settings!(@nothing $type), )*
                $( $common: <$Common>::NOTHING, )*
            };

            /// Every setting as it is declared.
            pub const DEFAULT: Self = Self {
                $( $field: $crate::settings::settings!(@default $type $(= $default)?), )*
                $( $common: $crate::settings::settings!(@part $Common $(= $parts)?), )*
            };
        }

        impl Default for $Struct {
            fn default() -> Self {
                Self::DEFAULT
            }
        }

        impl $crate::settings::Settings for $Struct {
            const WHAT: &'static str = $what;

            fn all() -> &'static [$crate::settings::Setting<Self>] {
                static ALL: std::sync::LazyLock<Vec<$crate::settings::Setting<$Struct>>> = std::sync::LazyLock::new(|| {
                    let mut all: Vec<$crate::settings::Setting<$Struct>> = Vec::new();
                    #[allow(unused_mut, unused_variables, unused_assignments)]
                    let mut technique = $crate::settings::Technique::default();
                    $(
                        $( technique = $crate::settings::Technique {
                            title: $technique,
                            source: $source,
                            tried: &[$($($tried),*)?],
                        }; )?
                        all.push($crate::settings::Setting {
                            technique,
                            name: $name,
                            kind: $crate::settings::settings!(@kind $type $([$least $most $unit])?),
                            meaning: $meaning,
                            get: Box::new(|settings| settings.$field.into()),
                            set: Box::new(|settings, value| {
                                settings.$field = $crate::settings::settings!(@value $type value);
                            }),
                        });
                    )*
                    $( all.extend(<$Common as $crate::settings::Settings>::all().iter().map(|setting| {
                        setting.within(|settings: &$Struct| &settings.$common, |settings| &mut settings.$common)
                    })); )*
                    all
                });
                &ALL
            }
        }

        impl serde::Serialize for $Struct {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                $crate::settings::serialize(self, serializer)
            }
        }
    };
    (@default $type:ident = $default:expr) => { $default };
    (@default $type:ident) => { $crate::settings::settings!(@nothing $type) };
    (@part $Common:ty = $default:expr) => { $default };
    (@part $Common:ty) => { <$Common>::DEFAULT };
    (@kind bool) => { $crate::settings::Kind::Switch };
    (@kind i32 [$least:literal $most:literal $unit:literal]) => {
        $crate::settings::Kind::Amount { least: $least, most: $most, unit: $unit }
    };
    (@kind $Choice:ident) => { $crate::settings::Kind::Choice { names: $Choice::NAMES } };
    (@nothing bool) => { false };
    (@nothing i32) => { 0 };
    (@nothing $Choice:ident) => { $Choice::ALL[0] };
    (@value bool $value:ident) => { $value != 0 };
    (@value i32 $value:ident) => { $value };
    (@value $Choice:ident $value:ident) => { $Choice::ALL[$value as usize] };
}
pub use declare_settings as settings;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::choices::choices;

    choices! {
        /// Something to choose.
        enum Colour, "colour";
        /// Nice.
        Red "red",
        /// Nicer.
        DarkBlue "dark-blue",
    }

    choices! {
        /// A choice that includes nothing.
        enum Shape, "shape";
        /// A ball.
        Round "round",
        /// No shape.
        None "none",
    }

    settings! {
        /// Settings that many things have.
        struct Look, "look";
        colour: Colour = Colour::DarkBlue, "colour", "what it looks like";
        is_bright: bool, "bright", "whether it shines";
    }

    settings! {
        /// Something to test with.
        struct Example, "knob";
        => "Sound", "Bell 1876";
        is_loud: bool, "loud", "whether it is loud";
        => "Size", "common sense";
        height: i32 [0..=9 "metres"] = 3, "height", "how high it is";
        width: i32 [2..=4 "metres"], "width", "how wide it is";
        shape: Shape, "shape", "how it is shaped";
        ..look: Look;
    }

    #[test]
    fn settings_are_changed_by_name() {
        let mut example = Example { width: 3, ..Example::NOTHING };
        let before = example;
        for word in ["+loud", "height=7", "+width=2", "colour=dark-blue", "bright"] {
            change(&mut example, word).unwrap();
        }
        let look = Look { colour: Colour::DarkBlue, is_bright: true };
        assert_eq!(example, Example { is_loud: true, height: 7, width: 2, shape: Shape::Round, look });
        let mut text = String::new();
        write_changes(&mut text, &before, &example).unwrap();
        assert_eq!(text, ",+loud,+height=7,+width=2,colour=dark-blue,+bright");
        change(&mut example, "-height").unwrap();
        change(&mut example, "-loud").unwrap();
        change(&mut example, "-shape").unwrap();
        assert_eq!((example.is_loud, example.height, example.shape), (false, 0, Shape::None));
        let json = serde_json::to_string(&example).unwrap();
        assert_eq!(json, r#"{"loud":false,"height":0,"width":2,"shape":"none","colour":"dark-blue","bright":true}"#);
        assert_eq!(Example::all()[0].written(&example), "off");
        let techniques: Vec<&str> = Example::all().iter().map(|setting| setting.technique.title).collect();
        assert_eq!(techniques, ["Sound", "Size", "Size", "Size", "", ""], "a technique ends with its struct");
    }

    #[test]
    fn a_default_is_what_was_said_or_nothing() {
        let look = Look { colour: Colour::DarkBlue, is_bright: false };
        assert_eq!(Example::default(), Example { is_loud: false, height: 3, width: 0, shape: Shape::Round, look });
    }

    #[test]
    fn what_cannot_be_is_refused() {
        for (word, message) in [
            ("lound", "'lound' is not a knob"),
            ("", "'' is not a knob"),
            ("+loud=1", "'loud' is on or off"),
            ("+height", "'height' takes a whole number from 0 to 9 (metres)"),
            ("height=10", "write height=9"),
            ("height=99999999999", "write height=9"),
            ("height=-1", "write height=0"),
            ("height=high", "write height=0"),
            ("-height=5", "write height=5"),
            ("width=1", "'width' takes a whole number from 2 to 4 (metres): write width=2"),
            ("width=5", "'width' takes a whole number from 2 to 4 (metres): write width=4"),
            ("-width", "write width=2"),
            ("colour=green", "'colour' cannot be 'green': write colour=red or colour=dark-blue"),
            ("-colour=red", "'colour' cannot be 'red'"),
            ("colour", "'colour' is not on or off: write colour=red or colour=dark-blue"),
            ("-colour", "'colour' is not on or off"),
            ("-shape=none", "'shape' cannot be 'none'"),
            ("shape", "'shape' is not on or off: write shape=round or shape=none"),
        ] {
            let mut example = Example::NOTHING;
            let error = change(&mut example, word).unwrap_err().to_string();
            assert!(error.contains(message), "{word}: {error}");
            assert_eq!(example, Example::NOTHING);
        }
    }
}
