//! A factorial design in an experiment file: several switches of a strategy, or of the features, changed at once, in a
//! fraction of all combinations from which the effect of each can be told.

use super::axes::Axes;
use super::document::DocumentError;
use super::section::Section;
use super::values::{Definitions, recipe, text, whole};
use crate::parallel::AnyStrategy;
use crate::record::Factorial;
use crate::statistics::Design;

/// Reads `factorial = { field = "strategy", base = "...", factors = [...], runs = 32 }` and makes its runs the values
/// of that axis.
pub fn read(section: &Section<'_>, axes: &mut Axes, definitions: &Definitions) -> Result<Factorial, DocumentError> {
    section.allow("a key of factorial", "Factorial")?;
    let field = section.text("field")?.unwrap_or("strategy");
    let base = definitions.spelt_out(section.required("base", text)?);
    let factors = section.texts("factors")?.ok_or_else(|| section.wrong("factors", "is missing"))?;
    let count = section.required("runs", |item| whole(item, 2..=4096))? as usize;
    let design = Design::fractional(factors.len(), count).ok_or_else(|| {
        let message = "the runs must be a power of two, and more than the factors";
        section.wrong("runs", format!("{} factors in {count} runs: {message}", factors.len()))
    })?;
    let written = |levels: &[bool]| {
        let change = |(factor, is_on): (&&str, &bool)| format!(",{}{factor}", if *is_on { '+' } else { '-' });
        base.clone() + &factors.iter().zip(levels).map(change).collect::<String>()
    };
    let strategy = |levels: &Vec<bool>| {
        let strategy = written(levels).parse::<AnyStrategy>();
        strategy.map_err(|error| section.wrong("factors", error))
    };
    let features =
        |levels: &Vec<bool>| recipe(&written(levels), definitions).map_err(|error| section.wrong("factors", error));
    let levels = design.levels();
    let values: Vec<String> = match field {
        "strategy" => {
            axes.strategy = levels.iter().map(strategy).collect::<Result<_, _>>()?;
            axes.strategy.iter().map(ToString::to_string).collect()
        }
        "features" => {
            axes.features = levels.iter().map(features).collect::<Result<_, _>>()?;
            axes.features.iter().map(ToString::to_string).collect()
        }
        other => return Err(section.wrong("field", format!("'{other}' cannot be varied so: strategy or features"))),
    };
    Ok(Factorial {
        field: field.to_owned(),
        factors: factors.iter().map(|&factor| factor.to_owned()).collect(),
        runs: values.into_iter().zip(levels.iter().cloned()).collect(),
    })
}
