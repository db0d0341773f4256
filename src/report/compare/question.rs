//! Question that is asked of several folders: which interval, how far equals may differ, and in which fields a
//! configuration may differ from its counterpart.

use crate::record::{Configuration, IntervalKind};
use crate::suggestion::did_you_mean;

use super::CompareError;

/// Fields with those that follow from them.
const GO_TOGETHER: [(&str, &str); 3] = [("board", "sliders"), ("costs", "costs_hash"), ("strategy", "horizon")];
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
            if field == "machine" {
                return Err(CompareError::Machines);
            }
            if !Configuration::FIELDS.contains(&field.as_str()) {
                return Err(CompareError::UnknownField {
                    field: field.clone(),
                    suggestion: did_you_mean(field, Configuration::FIELDS),
                    known: Configuration::FIELDS.join(", "),
                });
            }
        }
        let is_asked = |field: &str| self.ignored.iter().any(|asked| asked == field);
        let goes_along = |field: &str| GO_TOGETHER.iter().any(|&(first, second)| second == field && is_asked(first));
        let fields = Configuration::FIELDS.into_iter().filter(|field| is_asked(field) || goes_along(field));
        Ok(fields.map(str::to_owned).collect())
    }
}
