//! A table of an experiment file, read key by key: each value is checked where it is asked for, and an error names the key,
//! what was expected, and the nearest name.

use std::ops::RangeInclusive;

use super::document::{DocumentError, Entry, Item, Table, Value};
use crate::suggestion::did_you_mean;

type Result<T> = std::result::Result<T, DocumentError>;

/// A table, with the path of keys that leads to it.
#[derive(Clone, Debug)]
pub struct Section<'a> {
    /// The table.
    pub table: &'a Table,
    path: String,
}

impl<'a> Section<'a> {
    /// The whole file.
    pub fn root(table: &'a Table) -> Self {
        Self { table, path: String::new() }
    }

    /// The name of a key with its path.
    pub fn name(&self, key: &str) -> String {
        if self.path.is_empty() { key.to_owned() } else { format!("{}.{key}", self.path) }
    }

    /// Something is wrong with the value of this entry.
    pub fn wrong(&self, entry: &Entry, message: impl std::fmt::Display) -> DocumentError {
        DocumentError::new(&self.name(&entry.key), &entry.value.place, message)
    }

    /// Refuses keys that are not among these.
    pub fn allow(&self, what: &str, known: &[&str]) -> Result<()> {
        match self.table.entries.iter().find(|entry| !known.contains(&entry.key.as_str())) {
            None => Ok(()),
            Some(entry) => {
                let near = did_you_mean(&entry.key, known);
                let message = format!("'{}' is not {what}{near}\n  Known are {}", entry.key, known.join(", "));
                Err(DocumentError::new(&self.name(&entry.key), &entry.key_place, message))
            }
        }
    }

    /// The table below a key.
    pub fn section(&self, key: &str) -> Result<Option<Section<'a>>> {
        let Some(entry) = self.table.get(key) else { return Ok(None) };
        let Item::Table(table) = &entry.value.item else { return Err(self.expected(entry, "a table")) };
        Ok(Some(Section { table, path: self.name(key) }))
    }

    /// The tables of a list of tables; none if the key is missing.
    pub fn sections(&self, key: &str) -> Result<Vec<Section<'a>>> {
        let Some(entry) = self.table.get(key) else { return Ok(Vec::new()) };
        let table = |value: &'a Value| match &value.item {
            Item::Table(table) => Ok(Section { table, path: self.name(key) }),
            _ => Err(self.expected(entry, &format!("a list of tables: write [[{key}]]"))),
        };
        match &entry.value.item {
            Item::List(list) => list.iter().map(table).collect(),
            Item::Table(_) => Ok(vec![table(&entry.value)?]),
            _ => Err(self.expected(entry, &format!("a list of tables: write [[{key}]]"))),
        }
    }

    /// A text.
    pub fn text(&self, key: &str) -> Result<Option<&'a str>> {
        match self.table.get(key) {
            None => Ok(None),
            Some(Entry { value: Value { item: Item::Text(text), .. }, .. }) => Ok(Some(text)),
            Some(entry) => Err(self.expected(entry, "a text")),
        }
    }

    /// A whole number in a range.
    pub fn whole(&self, key: &str, range: RangeInclusive<i64>) -> Result<Option<i64>> {
        match self.table.get(key) {
            None => Ok(None),
            Some(Entry { value: Value { item: Item::Whole(number), .. }, .. }) if range.contains(number) => {
                Ok(Some(*number))
            }
            Some(entry) => {
                Err(self.expected(entry, &format!("a whole number from {} to {}", range.start(), range.end())))
            }
        }
    }

    /// True or false.
    pub fn switch(&self, key: &str) -> Result<Option<bool>> {
        match self.table.get(key) {
            None => Ok(None),
            Some(Entry { value: Value { item: Item::Switch(switch), .. }, .. }) => Ok(Some(*switch)),
            Some(entry) => Err(self.expected(entry, "true or false")),
        }
    }

    /// A list of texts, or one text.
    pub fn texts(&self, key: &str) -> Result<Option<Vec<&'a str>>> {
        let Some(entry) = self.table.get(key) else { return Ok(None) };
        let text = |value: &'a Value| match &value.item {
            Item::Text(text) => Ok(text.as_str()),
            _ => Err(DocumentError::new(
                &self.name(key),
                &value.place,
                format!("expected a text, found {}", value.item.kind()),
            )),
        };
        values(&entry.value).iter().map(text).collect::<Result<Vec<_>>>().map(Some)
    }

    /// Each value of a key that takes one or several, made into something by `read`. An empty list is refused.
    pub fn each<T>(
        &self,
        key: &str,
        mut read: impl FnMut(&'a Item) -> std::result::Result<Vec<T>, String>,
    ) -> Result<Option<Vec<T>>> {
        let Some(entry) = self.table.get(key) else { return Ok(None) };
        let mut all = Vec::new();
        for value in values(&entry.value) {
            let of_value =
                read(&value.item).map_err(|message| DocumentError::new(&self.name(key), &value.place, message))?;
            all.extend(of_value);
        }
        if all.is_empty() {
            return Err(self.wrong(entry, "there is nothing in this list"));
        }
        Ok(Some(all))
    }

    fn expected(&self, entry: &Entry, what: &str) -> DocumentError {
        self.wrong(entry, format!("expected {what}, found {}", entry.value.item.kind()))
    }
}

/// The values of a list, or the one value that is none.
pub fn values(value: &Value) -> &[Value] {
    match &value.item {
        Item::List(list) => list,
        _ => std::slice::from_ref(value),
    }
}
