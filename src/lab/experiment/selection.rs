//! Configurations that a file selects by the values of some axes: those to leave out, and those that others are
//! compared with.

use std::collections::BTreeMap;

use super::axes;
use super::document::{Document, DocumentError};
use super::section::Section;
use super::values::Definitions;
use crate::record::Configuration;

/// Configurations with some values.
#[derive(Clone, Debug)]
pub struct Selection {
    /// The fields that they share, each with its values, as records write them.
    pub fields: BTreeMap<&'static str, Vec<String>>,
    /// Error, should no search match. Only the plan knows whether one does, and only the file knows where it stands: so
    /// it is prepared while the file is read.
    pub unmatched: String,
}

impl Selection {
    /// Whether a configuration has one of the values of each field.
    pub fn matches(&self, configuration: &Configuration) -> bool {
        self.fields.iter().all(|(field, values)| values.contains(&configuration.field(field)))
    }
}

/// The selection that a table of axes makes.
pub fn read(section: &Section<'_>, definitions: &Definitions, document: &Document) -> Result<Selection, DocumentError> {
    section.allow("an axis", "Axes")?;
    let mut fields = BTreeMap::<_, Vec<String>>::new();
    for entry in &section.table.entries {
        let written = section.each(&entry.key, |item| axes::written(&entry.key, item, definitions))?;
        for (field, value) in written.into_iter().flatten() {
            let values = fields.entry(field).or_default();
            if !values.contains(&value) {
                values.push(value);
            }
        }
    }
    let words: Vec<String> =
        fields.iter().map(|(field, values)| format!("{field} = {}", values.join(" or "))).collect();
    let first = section.table.entries.first().map_or("", |entry| entry.key.as_str());
    let error = section.wrong(first, format!("no search of the plan matches {}", words.join(", ")));
    Ok(Selection { fields, unmatched: document.explain(&error).to_string() })
}

/// The configuration that others are compared with, if a table names one.
pub fn reference(
    of: &Section<'_>,
    definitions: &Definitions,
    document: &Document,
) -> Result<Option<Selection>, DocumentError> {
    one_value_each(of, "reference", definitions, document)
}

/// The selection below this key, which names one value of each field.
pub fn one_value_each(
    of: &Section<'_>,
    key: &str,
    definitions: &Definitions,
    document: &Document,
) -> Result<Option<Selection>, DocumentError> {
    let Some(section) = of.section(key)? else { return Ok(None) };
    let selection = read(&section, definitions, document)?;
    for (field, values) in &selection.fields {
        if let [first, second, ..] = &values[..] {
            let says = format!("stands for {} values, such as '{first}' and '{second}'; name one", values.len());
            let key = if section.table.get(field).is_some() { field } else { key };
            return Err(section.wrong(key, says));
        }
    }
    Ok(Some(selection).filter(|selection| !selection.fields.is_empty()))
}
