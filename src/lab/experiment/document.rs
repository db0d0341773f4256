//! An experiment file as it stands, TOML or JSON, before anybody knows what it means: values, each with its place in
//! the file, so that whatever is wrong can be pointed at. JSON tells no places.

use std::fmt;
use std::ops::Range;
use std::path::{Path, PathBuf};

use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// A file, or what was changed in it on the command line.
#[derive(Clone, Debug)]
pub struct Document {
    /// Path of the file.
    pub path: PathBuf,
    /// Text of the file.
    pub text: String,
    /// Top-level table.
    pub root: Table,
}

/// A value and its place in the text.
#[derive(Clone, Debug)]
pub struct Value {
    /// The value.
    pub item: Item,
    /// Place in the text.
    pub place: Place,
}

/// Range of bytes in the text, if it is known.
pub type Place = Option<Range<usize>>;

/// Content of a value.
#[derive(Clone, Debug)]
pub enum Item {
    /// A text.
    Text(String),
    /// A whole number.
    Whole(i64),
    /// A number with a fraction.
    Fraction(f64),
    /// True or false.
    Switch(bool),
    /// A list.
    List(Vec<Value>),
    /// A table.
    Table(Table),
}

/// Keys and values in the order of the file.
#[derive(Clone, Debug, Default)]
pub struct Table {
    /// Entries of the table.
    pub entries: Vec<Entry>,
}

/// A table without keys.
pub const NOTHING: &Table = &Table { entries: Vec::new() };

/// A key and its value.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The key.
    pub key: String,
    /// Place of the key.
    pub key_place: Place,
    /// The value.
    pub value: Value,
}

/// An error in a file, with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DocumentError {
    /// Message for the user.
    pub message: String,
    /// The key at fault, as `axes.threads`.
    pub key: String,
    /// Place of the error.
    pub place: Place,
}

/// Reason why a file is no experiment, ready to be shown.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct FileError(pub String);

impl DocumentError {
    /// An error about this key or its value.
    pub fn new(key: &str, place: &Place, message: impl fmt::Display) -> Self {
        Self { message: message.to_string(), key: key.to_owned(), place: place.clone() }
    }
}

impl Item {
    /// Noun for the kind of value.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Text(_) => "text",
            Self::Whole(_) | Self::Fraction(_) => "a number",
            Self::Switch(_) => "true or false",
            Self::List(_) => "a list",
            Self::Table(_) => "a table",
        }
    }

    /// The content of a value, with the places in the file removed from all that it contains.
    fn elsewhere(self) -> Self {
        let nowhere = |value: Value| Value { item: value.item.elsewhere(), place: None };
        match self {
            Self::List(list) => Self::List(list.into_iter().map(nowhere).collect()),
            Self::Table(Table { entries }) => {
                let moved = |entry: Entry| Entry { key_place: None, value: nowhere(entry.value), ..entry };
                Self::Table(Table { entries: entries.into_iter().map(moved).collect() })
            }
            other => other,
        }
    }
}

impl Table {
    /// The entry of this key.
    pub fn get(&self, key: &str) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.key == key)
    }

    /// The value of this key; a new one, a table without keys, if there is none.
    pub fn get_or_add(&mut self, key: &str) -> &mut Value {
        let at = self.entries.iter().position(|entry| entry.key == key).unwrap_or_else(|| {
            let value = Value { item: Item::Table(Self::default()), place: None };
            self.entries.push(Entry { key: key.to_owned(), key_place: None, value });
            self.entries.len() - 1
        });
        &mut self.entries[at].value
    }
}

impl Document {
    /// The document of a file of this name and text: JSON if the name ends so, else TOML.
    pub fn parse(path: &Path, text: String) -> Result<Self, FileError> {
        let is_json = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("json"));
        let wrong = |error: &dyn fmt::Display| FileError(format!("{}: {error}", path.display()));
        let mut document = Self { path: path.to_owned(), text, root: Table::default() };
        if is_json {
            match from_json(serde_json::from_str(&document.text).map_err(|error| wrong(&error))?) {
                Item::Table(root) => document.root = root,
                other => return Err(wrong(&format!("expected an object at the top level, not {}", other.kind()))),
            }
            return Ok(document);
        }
        let table = DeTable::parse(&document.text).map(|table| from_toml_table(table.get_ref()));
        document.root =
            table.map_err(|error| document.explain(&DocumentError::new("", &error.span(), error.message())))?;
        Ok(document)
    }

    /// Sets a value as `--set` has it: `axes.depth=5`. In a list of tables the rest of the key is meant for each,
    /// unless a number from 0 says which.
    pub fn set(&mut self, change: &str) -> Result<(), FileError> {
        let wrong = |message: String| FileError(format!("--set {change}: {message}"));
        let (path, text) =
            change.split_once('=').ok_or_else(|| wrong("expected KEY=VALUE, for example axes.depth=5".to_owned()))?;
        let names: Vec<&str> = path.trim().split('.').map(str::trim).collect();
        if names.iter().any(|name| name.is_empty()) {
            return Err(wrong(format!("'{path}' is not a key")));
        }
        let value = Value { item: parse_value(text.trim()), place: None };
        set_in(self.root.get_or_add(names[0]), &names[1..], &value, names[0]).map_err(wrong)
    }

    /// The file, line and key of what is wrong, with the line itself.
    pub fn explain(&self, error: &DocumentError) -> FileError {
        let mut text = self.path.display().to_string();
        let marked = error.place.as_ref().filter(|place| place.start <= self.text.len()).map(|place| {
            let before = &self.text[..place.start];
            let line = before.matches('\n').count() + 1;
            let begin = before.rfind('\n').map_or(0, |at| at + 1);
            let end = self.text[place.start..].find('\n').map_or(self.text.len(), |at| place.start + at);
            let width = place.end.min(end).saturating_sub(place.start).max(1);
            let column = self.text[begin..place.start].chars().count();
            (line, format!("\n  {}\n  {:column$}{}", &self.text[begin..end], "", "^".repeat(width)))
        });
        if let Some((line, _)) = &marked {
            text += &format!(", line {line}");
        }
        if !error.key.is_empty() {
            text += &format!(", key '{}'", error.key);
        }
        FileError(format!("{text}: {}{}", error.message.trim_end(), marked.map(|(_, mark)| mark).unwrap_or_default()))
    }
}

/// Sets a value in the one that has this name: it itself, or what the rest of the key leads to.
fn set_in(below: &mut Value, rest: &[&str], value: &Value, name: &str) -> Result<(), String> {
    match (&mut below.item, rest) {
        (_, []) => {
            *below = value.clone();
            Ok(())
        }
        (Item::Table(table), [first, others @ ..]) => set_in(table.get_or_add(first), others, value, first),
        (Item::List(list), [first, others @ ..]) => match first.parse::<usize>() {
            Ok(at) => {
                let count = list.len();
                let one = list.get_mut(at).ok_or_else(|| format!("'{name}' has {count} entries, numbered from 0"))?;
                set_in(one, others, value, name)
            }
            Err(_) => list.iter_mut().try_for_each(|one| set_in(one, rest, value, name)),
        },
        (item, _) => Err(format!("'{name}' is {}, not a table", item.kind())),
    }
}

/// Reads a value as it would stand in a file; anything else is a text, so that quotation marks may be left out.
pub fn parse_value(text: &str) -> Item {
    match DeValue::parse(text) {
        Ok(value) => from_toml(value.get_ref()).elsewhere(),
        Err(_) => Item::Text(text.to_owned()),
    }
}

fn from_toml_table(table: &DeTable<'_>) -> Table {
    let mut entries: Vec<Entry> = table
        .iter()
        .map(|(key, value)| Entry {
            key: key.get_ref().to_string(),
            key_place: Some(key.span()),
            value: spanned(value),
        })
        .collect();
    entries.sort_by_key(|entry| entry.key_place.as_ref().map(|place| place.start));
    Table { entries }
}

fn spanned(value: &Spanned<DeValue<'_>>) -> Value {
    Value { item: from_toml(value.get_ref()), place: Some(value.span()) }
}

fn from_toml(value: &DeValue<'_>) -> Item {
    match value {
        DeValue::String(text) => Item::Text(text.to_string()),
        DeValue::Integer(number) => {
            let whole = i64::from_str_radix(number.as_str(), number.radix());
            whole.map_or_else(|_| Item::Text(number.to_string()), Item::Whole)
        }
        DeValue::Float(number) => {
            number.as_str().parse().map_or_else(|_| Item::Text(number.to_string()), Item::Fraction)
        }
        DeValue::Boolean(switch) => Item::Switch(*switch),
        DeValue::Datetime(time) => Item::Text(time.to_string()),
        DeValue::Array(list) => Item::List(list.iter().map(spanned).collect()),
        DeValue::Table(table) => Item::Table(from_toml_table(table)),
    }
}

fn from_json(value: serde_json::Value) -> Item {
    use serde_json::Value as Json;
    let nowhere = |value| Value { item: from_json(value), place: None };
    match value {
        Json::Null => Item::Text(String::new()),
        Json::Bool(switch) => Item::Switch(switch),
        Json::Number(number) => {
            number.as_i64().map_or_else(|| Item::Fraction(number.as_f64().unwrap_or(f64::NAN)), Item::Whole)
        }
        Json::String(text) => Item::Text(text),
        Json::Array(list) => Item::List(list.into_iter().map(nowhere).collect()),
        Json::Object(map) => Item::Table(Table {
            entries: map
                .into_iter()
                .map(|(key, value)| Entry { key, key_place: None, value: nowhere(value) })
                .collect(),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn document(text: &str) -> Document {
        Document::parse(Path::new("x.toml"), text.to_owned()).unwrap()
    }

    #[test]
    fn errors_point_at_their_place() {
        let document = document("a = 1\n[axes]\nthreads = \"0..4\"\n");
        let Item::Table(axes) = &document.root.get("axes").unwrap().value.item else { panic!("a table") };
        let threads = axes.get("threads").unwrap();
        let error = DocumentError::new("axes.threads", &threads.value.place, "no processors");
        assert_eq!(
            document.explain(&error).to_string(),
            "x.toml, line 3, key 'axes.threads': no processors\n  threads = \"0..4\"\n            ^^^^^^"
        );
        let broken = Document::parse(Path::new("y.toml"), "a = \nb = 2".to_owned()).unwrap_err().to_string();
        assert!(broken.starts_with("y.toml, line 1: "), "{broken}");
    }

    #[test]
    fn values_are_set_from_outside() {
        let mut document = document("[[plan]]\ndepth = 3\n[[plan]]\ndepth = 4\n");
        for change in ["plan.depth=[5, 6]", "plan.1.depth=7", "axes.strategy=ybwc,minimum-draft=4", "title=\"x\""] {
            document.set(change).unwrap();
        }
        let Item::List(plans) = &document.root.get("plan").unwrap().value.item else { panic!("a list") };
        let depth = |at: usize| {
            let Item::Table(plan) = &plans[at].item else { panic!("a table") };
            format!("{:?}", plan.get("depth").unwrap().value.item.kind())
        };
        assert_eq!((depth(0), depth(1)), ("\"a list\"".into(), "\"a number\"".into()));
        let Item::Table(axes) = &document.root.get("axes").unwrap().value.item else { panic!("a table") };
        assert!(
            matches!(&axes.get("strategy").unwrap().value.item, Item::Text(text) if text == "ybwc,minimum-draft=4")
        );
        // What is set from outside stands nowhere in the file, nor does any part of it.
        document.set("axes.threads=[\"0\"]").unwrap();
        let Item::Table(axes) = &document.root.get("axes").unwrap().value.item else { panic!("a table") };
        let Item::List(threads) = &axes.get("threads").unwrap().value.item else { panic!("a list") };
        assert_eq!(threads[0].place, None);
        for (change, message) in [("x", "expected KEY=VALUE"), (".=1", "is not a key"), ("plan.2.depth=1", "2 entries")]
        {
            assert!(document.set(change).unwrap_err().to_string().contains(message), "{change}");
        }
    }

    #[test]
    fn json_is_read_too() {
        let text = r#"{"title": "x", "axes": {"threads": [1, 2.5, true]}}"#;
        let document = Document::parse(Path::new("x.json"), text.to_owned()).unwrap();
        let Item::Table(axes) = &document.root.get("axes").unwrap().value.item else { panic!("a table") };
        let Item::List(threads) = &axes.get("threads").unwrap().value.item else { panic!("a list") };
        assert!(matches!(
            (&threads[0].item, &threads[1].item, &threads[2].item),
            (Item::Whole(1), Item::Fraction(_), Item::Switch(true))
        ));
        assert!(Document::parse(Path::new("x.json"), "[1]".to_owned()).is_err());
    }
}
