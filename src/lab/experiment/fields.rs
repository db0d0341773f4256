//! Fields of configurations as a table of axes names them: what references and exclusions are made of.

use std::collections::BTreeMap;

use super::axes;
use super::document::DocumentError;
use super::section::Section;
use super::values::Definitions;

/// A combination to leave out: the fields that make it, each with its values.
pub type Exclude = BTreeMap<&'static str, Vec<String>>;

/// Values of axes in a table, by the field of configurations that they set, as records write them.
pub fn fields(section: &Section<'_>, definitions: &Definitions) -> Result<Exclude, DocumentError> {
    section.allow("an axis", "Axes")?;
    let mut fields = Exclude::new();
    for entry in &section.table.entries {
        let written = section.each(&entry.key, |item| axes::written(&entry.key, item, definitions))?;
        for (field, value) in written.into_iter().flatten() {
            fields.entry(field).or_default().push(value);
        }
    }
    Ok(fields)
}

/// The configuration that others are compared with, by field.
pub fn reference(of: &Section<'_>, definitions: &Definitions) -> Result<BTreeMap<String, String>, DocumentError> {
    let Some(section) = of.section("reference")? else { return Ok(BTreeMap::new()) };
    let first = |(field, values): (&str, Vec<String>)| Some((field.to_owned(), values.into_iter().next()?));
    Ok(fields(&section, definitions)?.into_iter().filter_map(first).collect())
}
