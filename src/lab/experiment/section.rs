//! A table of an experiment file, read key by key: each value is checked where it is asked for, and an error names the
//! key, what was expected, and the nearest name.

use std::fmt::Display;
use std::ops::RangeInclusive;

use super::document::{DocumentError, Entry, Item, Table};
use super::values::{text, whole};
use crate::suggestion::did_you_mean;

type Result<T> = std::result::Result<T, DocumentError>;
/// Result of reading an item; the error says what was expected.
type Reading<T> = std::result::Result<T, String>;

/// A table, with the path of keys that leads to it.
#[derive(Clone, Debug)]
pub struct Section<'a> {
    /// Keys and values.
    pub table: &'a Table,
    path: String,
}

impl<'a> Section<'a> {
    /// The whole file.
    pub fn root(table: &'a Table) -> Self {
        Self { table, path: String::new() }
    }

    fn name(&self, key: &str) -> String {
        if self.path.is_empty() { key.to_owned() } else { format!("{}.{key}", self.path) }
    }

    /// An error about the value of a key; the key may be missing.
    pub fn wrong(&self, key: &str, message: impl Display) -> DocumentError {
        let place = self.table.get(key).and_then(|entry| entry.value.place.clone());
        DocumentError::new(&self.name(key), &place, message)
    }

    /// An error about the key of an entry.
    pub fn misnamed(&self, entry: &Entry, message: impl Display) -> DocumentError {
        DocumentError::new(&self.name(&entry.key), &entry.key_place, message)
    }

    /// Refuses keys that are not among these.
    pub fn allow_only(&self, what: &str, known: &[&str]) -> Result<()> {
        match self.table.entries.iter().find(|entry| !known.contains(&entry.key.as_str())) {
            None => Ok(()),
            Some(entry) => {
                let near = did_you_mean(&entry.key, known);
                let message = format!("'{}' is not {what}{near}\n  Known are {}", entry.key, known.join(", "));
                Err(self.misnamed(entry, message))
            }
        }
    }

    /// The value of a key, made into something by `read`.
    pub fn one<T>(&self, key: &str, read: impl FnOnce(&'a Item) -> Reading<T>) -> Result<Option<T>> {
        let Some(entry) = self.table.get(key) else { return Ok(None) };
        read(&entry.value.item).map(Some).map_err(|message| self.wrong(key, message))
    }

    /// Like [`one`](Self::one), of a key that must be there.
    pub fn required<T>(&self, key: &str, read: impl FnOnce(&'a Item) -> Reading<T>) -> Result<T> {
        self.one(key, read)?.ok_or_else(|| self.wrong(key, "is missing"))
    }

    /// Each value of a key that takes one or several, made into something by `read`. An empty list is refused.
    pub fn each<T>(&self, key: &str, mut read: impl FnMut(&'a Item) -> Reading<Vec<T>>) -> Result<Option<Vec<T>>> {
        let Some(entry) = self.table.get(key) else { return Ok(None) };
        let values = match &entry.value.item {
            Item::List(list) => list,
            _ => std::slice::from_ref(&entry.value),
        };
        let mut all = Vec::new();
        for value in values {
            let of_value = read(&value.item);
            all.extend(of_value.map_err(|message| DocumentError::new(&self.name(key), &value.place, message))?);
        }
        if all.is_empty() { Err(self.wrong(key, "this list is empty")) } else { Ok(Some(all)) }
    }

    /// The table below a key.
    pub fn section(&self, key: &str) -> Result<Option<Section<'a>>> {
        self.one(key, |item| self.below(key, item, "a table"))
    }

    /// The tables of a list of tables; none if the key is missing.
    pub fn sections(&self, key: &str) -> Result<Vec<Section<'a>>> {
        let expected = format!("a list of tables: write [[{key}]]");
        Ok(self.each(key, |item| Ok(vec![self.below(key, item, &expected)?]))?.unwrap_or_default())
    }

    fn below(&self, key: &str, item: &'a Item, expected: &str) -> Reading<Section<'a>> {
        match item {
            Item::Table(table) => Ok(Section { table, path: self.name(key) }),
            other => Err(format!("expected {expected}, found {}", other.kind())),
        }
    }

    /// A text.
    pub fn text(&self, key: &str) -> Result<Option<&'a str>> {
        self.one(key, text)
    }

    /// A whole number in a range.
    pub fn whole(&self, key: &str, range: RangeInclusive<i64>) -> Result<Option<i64>> {
        self.one(key, |item| whole(item, range))
    }

    /// A list of texts, or one text.
    pub fn texts(&self, key: &str) -> Result<Option<Vec<&'a str>>> {
        self.each(key, |item| Ok(vec![text(item)?]))
    }
}
