//! Parser of names on the command line, for clap.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use crate::choices::Choice;

/// Parser of a closed set of names, which help and completions list with their meanings.
pub fn choice<T: Choice + Send + Sync>() -> impl TypedValueParser<Value = T> {
    let values = T::ALL.iter().map(|one| PossibleValue::new(one.name()).help(one.meaning()));
    PossibleValuesParser::new(values).try_map(|name| T::named(&name))
}
