//! Parsers of values on the command line, for clap.

use std::fmt::Display;
use std::str::FromStr;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use crate::choices::Choice;
use crate::suggestion::explained;

/// Parser of a closed set of names, which help and completions list with their meanings.
pub fn choice<T: Choice + Send + Sync>() -> impl TypedValueParser<Value = T> {
    let values = T::ALL.iter().map(|one| PossibleValue::new(one.name()).help(one.meaning()));
    PossibleValuesParser::new(values).try_map(|name| T::named(&name))
}

/// Word at fault, with the names that it might have been.
type Misspelt<'a, N> = Option<(&'a str, Vec<N>)>;

/// Parser of a text with words in it, one of which may be misspelt: `misspelt` finds it in the error, with the names
/// that it might have been.
pub fn words<T: FromStr<Err: Display>, N: AsRef<str>>(
    misspelt: fn(&T::Err) -> Misspelt<'_, N>,
) -> impl Fn(&str) -> Result<T, String> + Clone {
    move |text| text.parse().map_err(|error| explained(&error, misspelt(&error), &[]))
}
