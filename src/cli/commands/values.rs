//! Parsers of names and numbers on the command line, for clap.

use std::ops::RangeInclusive;
use std::str::FromStr;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use crate::machine::MOST_PROCESSORS;
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

/// Parser of a whole number in a range; one to the largest of its type has no upper end that is worth naming.
pub fn whole<T: TryFrom<u64> + Clone + Send + Sync + 'static>(
    range: RangeInclusive<u64>,
) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync + 'static {
    move |text| {
        let number = text.parse().ok().filter(|number| range.contains(number));
        let (least, most) = (range.start(), range.end());
        number.and_then(|number: u64| T::try_from(number).ok()).ok_or_else(|| match *most {
            u64::MAX => format!("must be a whole number of at least {least}"),
            most => format!("must be a whole number from {least} to {most}"),
        })
    }
}

/// Parser of a number of processors, threads, or games at once.
pub fn processors() -> impl Fn(&str) -> Result<u32, String> + Clone + Send + Sync + 'static {
    whole(1..=MOST_PROCESSORS as u64)
}
