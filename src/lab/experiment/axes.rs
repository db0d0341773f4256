//! The axes of a plan: what may vary, each with the values it takes. A value, a list, or a range as text; the plan is
//! the product of all. A value of an axis is what it sets in a [`Choice`].

mod all;

use std::sync::Arc;

use super::document::{DocumentError, Item, parse_value};
use super::found;
use super::section::Section;
use super::values::{Definitions, Values, numbers};
use crate::choice::Choice;
use crate::record::axes::{AXES, DEPTH};
use crate::record::{Axis, Depth};
use all::OF_FILES;

/// Key of the size of searches, in place of their depth.
const SIZE: &str = "size";
/// Key of the seeds.
const SEED: &str = "seed";
/// The first seed, if a file says nothing.
const FIRST_SEED: &str = "0";

/// Documentation of a key of a plan.
#[derive(Clone, Debug)]
pub struct About {
    /// Key in experiment files.
    pub key: &'static str,
    /// Thing that varies.
    pub meaning: &'static str,
    /// Values that a file may give, in Markdown.
    pub values: String,
    /// Value if the file gives none.
    pub default: &'static str,
    /// Definition in the JSON schema that values must match.
    pub definition: &'static str,
}

/// An axis as experiment files have it.
struct OfFiles {
    axis: &'static Axis,
    /// Key in experiment files.
    key: &'static str,
    /// Values that a file may give, in Markdown.
    values: fn() -> String,
    usual: Usual,
    /// Definition in the JSON schema that values must match.
    definition: &'static str,
    /// Values that an item stands for.
    read: fn(&Item, &Definitions) -> Values<Value>,
}

/// Value of an axis in a file that gives it none.
#[derive(Clone, Copy)]
enum Usual {
    /// Value that this text gives, as in a file.
    Text(&'static str),
    /// That of [`Choice::default`], which no file can give. The words are for readers.
    Unset(&'static str),
}

/// A value of an axis: what it sets in a choice.
#[derive(Clone)]
struct Value(Arc<dyn Fn(&mut Choice) + Send + Sync>);

impl std::fmt::Debug for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.choice().fmt(f)
    }
}

impl Value {
    fn new<T: Clone + Send + Sync + 'static>(value: T, set: fn(&mut Choice, T)) -> Self {
        Self(Arc::new(move |choice| set(choice, value.clone())))
    }

    /// The default choice but for this value.
    fn choice(&self) -> Choice {
        let mut choice = Choice::default();
        (self.0)(&mut choice);
        choice
    }
}

/// Values that are set in choices, each in one of its own.
fn each<T: Clone + Send + Sync + 'static>(values: Values<T>, set: fn(&mut Choice, T)) -> Values<Value> {
    Ok(values?.into_iter().map(|value| Value::new(value, set)).collect())
}

/// A single value that is set in a choice.
fn one<T: Clone + Send + Sync + 'static>(value: Result<T, String>, set: fn(&mut Choice, T)) -> Values<Value> {
    value.map(|value| vec![Value::new(value, set)])
}

/// Values of all axes in a block of a plan.
#[derive(Clone, Debug)]
pub struct Axes {
    /// Values of each axis, in the order of [`OF_FILES`].
    values: Vec<Vec<Value>>,
    /// Seeds of cells: the first, or all.
    pub seed: Vec<u64>,
}

/// The name of the axis with this key, with each value of an item as records have it.
pub fn written(key: &str, item: &Item, definitions: &Definitions) -> Values<(&'static str, String)> {
    if key == SIZE {
        return Ok(vec![(DEPTH.name, Depth::Size(found::size(item)?).to_string())]);
    }
    let of = OF_FILES.iter().find(|of| of.key == key).ok_or_else(|| format!("{key} is no part of a configuration"))?;
    let text = |value: &Value| (of.axis.name, of.axis.text(&value.choice().words()));
    Ok((of.read)(item, definitions)?.iter().map(text).collect())
}

/// Documentation of all keys, in the order in which tables show the axes.
pub fn about() -> Vec<About> {
    let of_axis = |axis: &Axis| {
        let of = OF_FILES.iter().find(|of| of.axis == axis)?;
        let (Usual::Text(default) | Usual::Unset(default)) = of.usual;
        let OfFiles { key, values, definition, .. } = *of;
        Some(About { key, meaning: axis.meaning, values: values(), default, definition })
    };
    let others = [
        About {
            key: SIZE,
            meaning: "size of the searches instead of a depth, as time of one processor: each position is \
                      searched to the depth for which a pilot on one processor takes nearest to it",
            values: String::from("durations from 1 ms to 1 h, such as `\"0.5s\"` or `\"2s\"`"),
            default: "none",
            definition: "Durations",
        },
        About {
            key: SEED,
            meaning: "seed of keys, order of equal moves and, on the virtual machine, jitter",
            values: String::from("the first seed, from which repetitions count up, or a list of all seeds"),
            default: FIRST_SEED,
            definition: "Numbers",
        },
    ];
    AXES.iter().filter_map(of_axis).chain(others).collect()
}

/// The section that has a key: the first, else the second.
fn with<'a, 'b>(sections: &[&'b Section<'a>; 2], key: &str) -> Option<&'b Section<'a>> {
    sections.iter().copied().find(|section| section.table.get(key).is_some())
}

/// The values of a key: what the section says, or those of its default.
fn values<T>(
    (key, section): (&str, Option<&Section<'_>>),
    read: impl Fn(&Item) -> Values<T>,
    default: impl FnOnce() -> Values<T>,
) -> Result<Vec<T>, DocumentError> {
    match section.map(|section| section.each(key, &read)).transpose()?.flatten() {
        Some(values) => Ok(values),
        None => default().map_err(|message| DocumentError::new(key, &None, message)),
    }
}

impl Axes {
    /// The axes of a block; a key that its own table does not have is looked for in the common one.
    pub fn read(sections: &[&Section<'_>; 2], definitions: &Definitions) -> Result<Self, DocumentError> {
        let of_axis = |of: &OfFiles| {
            let usual = || match of.usual {
                Usual::Text(text) => (of.read)(&parse_value(text), definitions),
                Usual::Unset(_) => Ok(vec![Value(Arc::new(|_| ()))]),
            };
            values((of.key, with(sections, of.key)), |item| (of.read)(item, definitions), usual)
        };
        let read_seeds = |item: &Item| numbers(item, 0..=i64::MAX as u64);
        let mut axes = Self {
            values: OF_FILES.iter().map(of_axis).collect::<Result<_, _>>()?,
            seed: values((SEED, with(sections, SEED)), read_seeds, || read_seeds(&parse_value(FIRST_SEED)))?,
        };
        let has = |key: &str| with(sections, key).is_some();
        // The table that says how deep says it alone: a block's own depth replaces a common size.
        let deep =
            sections.iter().find(|section| [DEPTH.name, SIZE].iter().any(|key| section.table.get(key).is_some()));
        let sizes = match deep {
            Some(section) => section.each(SIZE, |item| Ok(vec![Depth::Size(found::size(item)?)]))?,
            None => None,
        };
        let depths = if let (Some(section), Some(sizes)) = (deep, sizes) {
            if section.table.get(DEPTH.name).is_some() {
                return Err(section.wrong(SIZE, "give a depth or a size, not both"));
            }
            if has("nodes") || has("time") {
                return Err(section.wrong(SIZE, "give a size or a limit of nodes or time, not both"));
            }
            sizes
        } else if !has(DEPTH.name) && definitions.has_depths {
            vec![Depth::Own]
        } else if !has(DEPTH.name) && (has("nodes") || has("time")) {
            vec![Depth::Unlimited]
        } else {
            return Ok(axes);
        };
        axes.set(&DEPTH, depths, |choice, depth| choice.depth = depth);
        Ok(axes)
    }

    /// Number of values of each axis, by its key.
    pub fn lengths(&self) -> impl Iterator<Item = (&'static str, usize)> {
        OF_FILES.iter().zip(&self.values).map(|(of, values)| (of.key, values.len()))
    }

    /// The values of an axis, each in a choice that is the default otherwise.
    pub fn of(&self, axis: &Axis) -> impl Iterator<Item = Choice> {
        let values = OF_FILES.iter().zip(&self.values).find(|(of, _)| of.axis == axis).map(|(_, values)| values);
        values.into_iter().flatten().map(Value::choice)
    }

    /// Gives an axis other values.
    pub fn set<T: Clone + Send + Sync + 'static>(&mut self, axis: &Axis, values: Vec<T>, set: fn(&mut Choice, T)) {
        let all = OF_FILES.iter().zip(&mut self.values).filter(|(of, _)| of.axis == axis);
        all.for_each(|(_, old)| *old = values.iter().map(|value| Value::new(value.clone(), set)).collect());
    }

    /// Every combination of values. Those of the last axis vary fastest.
    pub fn product(&self) -> impl Iterator<Item = Choice> {
        let count = self.values.iter().fold(1, |count: usize, values| count.saturating_mul(values.len()));
        (0..count).map(|mut number| {
            let mut choice = Choice::default();
            for values in self.values.iter().rev() {
                (values[number % values.len()].0)(&mut choice);
                number /= values.len();
            }
            choice
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::document::{Document, NOTHING};
    use super::super::values::{cores, costs, strategies};
    use super::*;
    use std::path::Path;

    use crate::machine::Waiting;
    use crate::machine::cost::CostModel;
    use crate::parallel::AnyStrategy;
    use crate::record::axes::{COSTS, COSTS_HASH, ENGINE, ENGINE_HASH, HASH, WAITING};
    use crate::record::{Configuration, Named};
    use crate::search::features::Preset;
    use crate::single::default_configuration;

    fn range(text: &str) -> Values<i64> {
        numbers(&Item::Text(text.to_owned()), 1..=1024)
    }

    #[test]
    fn ranges() {
        for (text, expected) in [
            ("1..=4", vec![1, 2, 3, 4]),
            ("1..=64*2", vec![1, 2, 4, 8, 16, 32, 64]),
            ("3..=30*3", vec![3, 9, 27]),
            ("7", vec![7]),
        ] {
            assert_eq!(range(text), Ok(expected), "{text}");
        }
        assert_eq!(range("cores").unwrap(), [i64::from(cores())]);
        for (text, message) in [
            ("0..=4", "0 is out of range: must be from 1 to 1024"),
            ("1..4", "write \"..=4\" or \"..=3\""),
            ("1..=2000", "2000 is out of range: must be from 1 to 1024"),
            ("5..=4", "is an empty range"),
            ("a..=4", "is not a range"),
            ("1..=8*1", "is not a range"),
            ("", "is not a range"),
        ] {
            assert!(range(text).unwrap_err().contains(message), "{text}: {:?}", range(text));
        }
        let endless = numbers(&Item::Text("0..=9223372036854775807".to_owned()), 0..=i64::MAX);
        assert!(endless.unwrap_err().contains("more than 10000 numbers"));
    }

    #[test]
    fn every_axis_has_its_default_and_its_row() {
        let nothing = Section::root(NOTHING);
        let axes = Axes::read(&[&nothing, &nothing], &Definitions::default()).unwrap();
        let one = |axis| axes.of(axis).next().filter(|_| axes.of(axis).count() == 1).unwrap();
        assert_eq!((one(&HASH).hash, axes.seed.as_slice()), (None, &[0][..]));
        assert_eq!((one(&WAITING).waiting, one(&COSTS).costs), (Waiting::default(), None));
        // The texts of the declarations say what the engine's defaults are, which a single search has.
        let of_one = axes.product().next().unwrap().configuration();
        assert!(of_one.is_baseline());
        assert_eq!(of_one.features, "modern");
        let (pin, features) = (Some("none".into()), "thesis".into());
        let hash_mib = Preset::Thesis.table_mib();
        assert_eq!(Configuration { pin, features, hash_mib, ..of_one }, default_configuration());
        let without_axis = [ENGINE, COSTS_HASH, ENGINE_HASH];
        let meanings: Vec<&str> = about().iter().map(|axis| axis.meaning).collect();
        for axis in AXES {
            assert_eq!(meanings.contains(&axis.meaning), !without_axis.contains(axis), "{}", axis.name);
        }
        let strategy = about().into_iter().find(|axis| axis.key == "strategy").unwrap();
        assert_eq!(strategy.default, AnyStrategy::usual(2, &Preset::Thesis.features()).name());
        let waiting = about().into_iter().find(|axis| axis.key == "waiting").unwrap();
        assert_eq!(
            (waiting.values.as_str(), waiting.default),
            ("`spin`, `yield`, `park`, `spin-park`, `ticket`, `queue`", "park")
        );
    }

    #[test]
    fn prices_are_those_of_the_preset_unless_they_are_named() {
        let models = |text: &str| -> Vec<String> {
            let document = Document::parse(Path::new("x.toml"), text.to_owned()).unwrap();
            let (section, nothing) = (Section::root(&document.root), Section::root(NOTHING));
            let axes = Axes::read(&[&section, &nothing], &Definitions::default()).unwrap();
            let words = |one: Configuration| format!("{} {}", one.features, one.costs_name().map_or("", Named::as_str));
            axes.product().map(|one| words(one.configuration())).collect()
        };
        let features = "machine = \"virtual\"\nthreads = 2\nfeatures = [\"thesis\", \"modern\"]\n";
        assert_eq!(models(features), ["thesis reference", "modern reference-modern"]);
        let named = format!("{features}costs = \"e15k\"\n");
        assert_eq!(models(&named), ["thesis e15k", "modern e15k"]);
        let nothing = "machine = \"virtual\"\nthreads = 2\n";
        assert_eq!(models(nothing), ["modern reference-modern"]);
    }

    #[test]
    fn a_file_sets_parameters_for_a_strategy() {
        let parameters = vec![("ybwc".to_owned(), vec![",minimum-draft=2".to_owned(), ",minimum-draft=4".to_owned()])];
        let definitions = Definitions { parameters, ..Definitions::default() };
        let words = |text: &str| -> Vec<String> {
            strategies(text, &definitions).unwrap().iter().map(ToString::to_string).collect()
        };
        assert_eq!(words("ybwc"), ["ybwc,+minimum-draft=2", "ybwc,+minimum-draft=4"]);
        assert_eq!(words("lazy"), ["lazy"]);
        assert_eq!(words("ybwc,minimum-draft=5"), ["ybwc,+minimum-draft=5", "ybwc,+minimum-draft=5"]);
        assert!(strategies("ybwz", &definitions).unwrap_err().contains("did you mean 'ybwc'"));
    }

    #[test]
    fn models_of_the_file_come_first() {
        let own = CostModel { name: "mine".into(), wake_park: 7, ..CostModel::reference() };
        let definitions = Definitions { models: vec![own.clone()], ..Definitions::default() };
        assert_eq!(costs("mine", &definitions), Ok(vec![own]));
        assert_eq!(costs("mine,wake_park*2", &definitions).unwrap()[0].wake_park, 14);
        assert!(costs("reference,each", &definitions).unwrap().len() > 40);
        let cheaper = costs("reference,each*0%", &definitions).unwrap();
        assert!(cheaper.len() > 20 && cheaper.iter().any(|model| model.name == "reference,lock_handoff*0%"));
        assert!(costs("reference,each*x%", &definitions).unwrap_err().contains("is not a change of a cost"));
        assert!(costs("mime", &definitions).unwrap_err().contains("did you mean 'mine'"));
    }
}
