//! Parser of names on the command line, for clap.

use std::str::FromStr;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use crate::suggestion::WordError;

/// Parser of a closed set of names, which help and completions list with their meanings.
pub fn choice<T: Copy + FromStr<Err = WordError> + Send + Sync + 'static>(
    all: &[T],
    name: fn(T) -> &'static str,
    meaning: fn(T) -> &'static str,
) -> impl TypedValueParser<Value = T> + use<T> {
    let values = all.iter().map(|&one| PossibleValue::new(name(one)).help(meaning(one)));
    PossibleValuesParser::new(values).try_map(|name| name.parse())
}
