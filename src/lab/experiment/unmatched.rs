//! Errors about references and exclusions that fit no search. Only the plan knows whether one does, and only the file
//! knows where it stands: so the errors are prepared while the file is read.

use std::collections::BTreeMap;

use super::document::{Document, DocumentError};
use super::fields::{fields, reference};
use super::section::Section;
use super::values::Definitions;

/// Prepared errors of an experiment.
#[derive(Clone, Debug, Default)]
pub struct Unmatched {
    references: Vec<(BTreeMap<String, String>, String)>,
    excludes: Vec<String>,
}

impl Unmatched {
    /// The errors about every reference and exclusion of a file.
    pub(super) fn of(
        document: &Document,
        report: &Section<'_>,
        excludes: &[Section<'_>],
        definitions: &Definitions,
    ) -> Result<Self, DocumentError> {
        let root = Section::root(&document.root);
        let error = |section: &Section<'_>, words: String| {
            let first = section.table.entries.first().map_or("", |entry| entry.key.as_str());
            document.explain(&section.wrong(first, format!("no search of the plan matches {words}"))).to_string()
        };
        let mut unmatched = Self::default();
        for of in [report].into_iter().chain(&root.sections("plan")?) {
            if let Some(section) = of.section("reference")? {
                let fields = reference(of, definitions)?;
                let words = in_words(fields.iter().map(|(field, value)| (field.as_str(), value.clone())));
                unmatched.references.push((fields, error(&section, words)));
            }
        }
        for section in excludes {
            let fields = fields(section, definitions)?;
            let words = in_words(fields.into_iter().map(|(field, values)| (field, values.join(" or "))));
            unmatched.excludes.push(error(section, words));
        }
        Ok(unmatched)
    }

    /// Error about a reference that fits no configuration.
    pub fn reference(&self, fields: &BTreeMap<String, String>) -> String {
        self.references.iter().find(|(known, _)| known == fields).map(|(_, error)| error.clone()).unwrap_or_default()
    }

    /// Error about the exclusion at this place in the file that fits no cell.
    pub fn exclude(&self, at: usize) -> String {
        self.excludes.get(at).cloned().unwrap_or_default()
    }
}

/// Text of fields and values as a file has them.
fn in_words<'a>(fields: impl Iterator<Item = (&'a str, String)>) -> String {
    fields.map(|(field, value)| format!("{field} = {value}")).collect::<Vec<_>>().join(", ")
}
