//! Reasons why a cell has no measurement.

use std::fmt::Display;
use std::str::FromStr;

use crate::engine::compiled::NotCompiled;
use crate::engine::ranks::RanksError;
use crate::machine::Failure;
use crate::outside::EngineError;
use crate::record::Axis;

/// Reason why a cell has no measurement.
#[derive(Debug, thiserror::Error)]
pub enum MeasureError {
    /// A field of the cell names something that does not exist, or that this computer does not have.
    #[error("{field}: {reason}")]
    Cell {
        /// Name of the field.
        field: &'static str,
        /// Description of what is wrong and of what was expected.
        reason: String,
    },
    /// An engine from outside cannot be started as the experiment defines it.
    #[error("engines.{name}{}: {error}", error.key.as_ref().map(|key| format!(".{key}")).unwrap_or_default())]
    Engine {
        /// Name in the experiment.
        name: String,
        /// Reason why the engine cannot be used.
        error: Box<EngineError>,
    },
    /// No search on the board is compiled into this program.
    #[error(transparent)]
    NotCompiled(#[from] NotCompiled),
    /// The search did not come to its end.
    #[error("the search failed: {0}")]
    Search(#[from] Failure),
    /// It did not in another process.
    #[error("the search failed: {0}")]
    Ranks(#[from] RanksError),
}

pub(super) fn wrong<E: Display>(field: &'static str) -> impl FnOnce(E) -> MeasureError {
    move |error| MeasureError::Cell { field, reason: error.to_string() }
}

/// Value of an axis that a text names.
pub(super) fn read<T: FromStr<Err: Display>>(axis: &Axis, text: &str) -> Result<T, MeasureError> {
    text.parse().map_err(wrong(axis.name))
}
