//! A factorial design in an experiment file: several switches of a strategy, or of the features, changed at once, in a
//! fraction of all combinations from which the effect of each can be told.

use super::axes::{Axes, Definitions, recipe};
use super::document::DocumentError;
use super::section::Section;
use crate::parallel::AnyStrategy;
use crate::record::Factorial;
use crate::statistics::Design;
use crate::suggestion::did_you_mean;

/// Reads `factorial = { field = "strategy", base = "...", factors = [...], runs = 32 }` and makes its runs the values of
/// that axis.
pub fn read(section: &Section<'_>, axes: &mut Axes, definitions: &Definitions) -> Result<Factorial, DocumentError> {
    section.allow("a key of factorial", &["field", "base", "factors", "runs"])?;
    let missing = |key: &str| DocumentError::new(&section.name(key), &None, "is missing");
    let field = section.text("field")?.unwrap_or("strategy");
    let base = definitions.spelt_out(section.text("base")?.ok_or_else(|| missing("base"))?);
    let factors = section.texts("factors")?.ok_or_else(|| missing("factors"))?;
    let runs = section.whole("runs", 2..=4096)?.ok_or_else(|| missing("runs"))? as usize;
    let design = Design::fractional(factors.len(), runs).ok_or_else(|| {
        DocumentError::new(
            &section.name("runs"),
            &None,
            format!(
                "{} factors in {runs} runs: the runs must be a power of two, and more than the factors",
                factors.len()
            ),
        )
    })?;
    let text = |levels: &[bool]| {
        let change = |(factor, is_on): (&&str, &bool)| format!(",{}{factor}", if *is_on { '+' } else { '-' });
        let changes: String = factors.iter().zip(levels).map(change).collect();
        format!("{base}{changes}")
    };
    let at = |key: &str| section.table.get(key).and_then(|entry| entry.value.place.clone());
    let mut written = Vec::with_capacity(runs);
    match field {
        "strategy" => {
            axes.strategy.clear();
            for levels in design.levels() {
                let strategy = text(levels).parse::<AnyStrategy>().map_err(|error| {
                    let near = error.misspelt().map(|(word, names)| did_you_mean(word, names)).unwrap_or_default();
                    DocumentError::new(&section.name("factors"), &at("factors"), format!("{error}{near}"))
                })?;
                axes.strategy.push(strategy);
                written.push((strategy.to_string(), levels.clone()));
            }
        }
        "features" => {
            axes.features.clear();
            for levels in design.levels() {
                let features = recipe(&text(levels), definitions)
                    .map_err(|error| DocumentError::new(&section.name("factors"), &at("factors"), error))?;
                axes.features.push(features);
                written.push((features.to_string(), levels.clone()));
            }
        }
        other => {
            let message = format!("'{other}' cannot be varied so: strategy or features");
            return Err(DocumentError::new(&section.name("field"), &at("field"), message));
        }
    }
    Ok(Factorial {
        field: field.to_owned(),
        factors: factors.iter().map(|&factor| factor.to_owned()).collect(),
        runs: written,
    })
}
