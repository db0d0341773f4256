//! Durations in experiment files.

use super::document::Item;
pub use splitpoint_data::duration::parse;

use crate::record::Seconds;

/// Reads a duration from an item of an experiment file.
pub fn read(item: &Item) -> Result<Seconds, String> {
    let duration = match item {
        Item::Text(text) => parse(text),
        Item::Whole(number) => parse(&number.to_string()),
        Item::Fraction(number) => parse(&number.to_string()),
        other => Err(format!("expected a duration such as \"500ms\" or \"2s\", found {}", other.kind())),
    };
    duration.map(|duration| duration.as_secs_f64().into())
}
