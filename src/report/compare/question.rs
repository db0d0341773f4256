//! Question that is asked of several folders: which interval, how far equals may differ, and in which fields a
//! configuration may differ from its counterpart.

use crate::record::axes::{self, MACHINE};
use crate::record::{AXES, Axis, IntervalKind};
use crate::suggestion::did_you_mean;

use super::CompareError;

/// Margin of equivalence, unless another one is asked for.
const USUAL_MARGIN: f64 = 0.05;

/// Choices of how to compare.
#[derive(Clone, Debug, PartialEq)]
pub struct Question {
    /// Scope of intervals and tests; if not given, that of the first folder.
    pub interval: Option<IntervalKind>,
    /// Share of the smaller by which two may differ and still be equivalent.
    pub margin: f64,
    /// Fields of a configuration in which it may differ from its counterpart.
    pub ignored: Vec<String>,
}

impl Default for Question {
    fn default() -> Self {
        Self { interval: None, margin: USUAL_MARGIN, ignored: Vec::new() }
    }
}

impl Question {
    /// The fields to ignore, with those that go with them, in the order of tables.
    pub(super) fn fields_to_ignore(&self) -> Result<Vec<String>, CompareError> {
        for field in &self.ignored {
            if field == MACHINE.name {
                return Err(CompareError::Machines);
            }
            if axes::named(field).is_none() {
                return Err(CompareError::UnknownField {
                    field: field.clone(),
                    suggestion: did_you_mean(field, axes::names()),
                    known: axes::names().collect::<Vec<_>>().join(", "),
                });
            }
        }
        let is_asked = |axis: &Axis| self.ignored.iter().any(|asked| asked == axis.name);
        let axes = AXES.iter().filter(|axis| is_asked(axis) || axis.goes_with.is_some_and(is_asked));
        Ok(axes.map(|axis| axis.name.to_owned()).collect())
    }
}
