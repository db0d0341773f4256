//! A factorial design in an experiment file: several switches of a strategy, or of the features, changed at once, in a
//! fraction of all combinations from which the effect of each can be told.

use super::axes::Axes;
use super::document::DocumentError;
use super::section::Section;
use super::values::{Definitions, SearchedBy, recipe, text, whole};
use crate::distinct::distinct;
use crate::engine::usual_costs;
use crate::machine::cost::CostModel;
use crate::parallel::AnyStrategy;
use crate::record::Factorial;
use crate::record::axes::{COSTS, FEATURES, STRATEGY};
use crate::statistics::Design;
use crate::suggestion::WordError;

/// Reads `factorial = { field = "strategy", base = "...", factors = [...], costs = [...], runs = 32 }` and makes its
/// runs the values of that axis, and of the costs where there are changes of the cost model among the switches.
pub fn read(section: &Section<'_>, axes: &mut Axes, definitions: &Definitions) -> Result<Factorial, DocumentError> {
    section.allow("a key of factorial", "Factorial")?;
    let field = section.text("field")?.unwrap_or(STRATEGY.name);
    let base = definitions.spelt_out(section.required("base", text)?);
    let factors = section.texts("factors")?.ok_or_else(|| section.wrong("factors", "is missing"))?;
    let changes = section.texts(COSTS.name)?.unwrap_or_default();
    let count = section.required("runs", |item| whole(item, 2..=4096))? as usize;
    let names: Vec<String> = factors.iter().chain(&changes).map(|&name| name.to_owned()).collect();
    let design = Design::fractional(names.len(), count).ok_or_else(|| {
        let message = "the number of runs must be a power of two and larger than the number of factors";
        section.wrong("runs", format!("{} factors in {count} runs: {message}", names.len()))
    })?;
    let switched: Vec<String> = design
        .levels()
        .iter()
        .map(|levels| {
            let change = |(factor, is_on): (&&str, &bool)| format!(",{}{factor}", if *is_on { '+' } else { '-' });
            format!("{base}{}", factors.iter().zip(levels).map(change).collect::<String>())
        })
        .collect();
    let wrong = |error: WordError| section.wrong("factors", error);
    let mut values: Vec<String> = match field {
        name if name == STRATEGY.name => {
            let strategies = switched.iter().map(|text| text.parse::<AnyStrategy>().map_err(wrong));
            let strategies = strategies.collect::<Result<Vec<_>, _>>()?;
            let values = distinct(strategies.iter().copied().map(SearchedBy::Ours));
            axes.set(&STRATEGY, values, |choice, strategy| choice.strategy = strategy);
            strategies.iter().map(ToString::to_string).collect()
        }
        name if name == FEATURES.name => {
            let read = |text: &String| recipe(text, definitions).map_err(|error| section.wrong("factors", error));
            let recipes = switched.iter().map(read).collect::<Result<Vec<_>, _>>()?;
            axes.set(&FEATURES, distinct(recipes.iter().copied()), |choice, features| choice.features = features);
            recipes.iter().map(ToString::to_string).collect()
        }
        other => {
            let message = format!("'{other}' cannot be varied by switches: expected strategy or features");
            return Err(section.wrong("field", message));
        }
    };
    if !changes.is_empty() {
        let presets = distinct(axes.of(&FEATURES).map(|choice| choice.features.preset));
        let models: Vec<Option<CostModel>> = axes.of(&COSTS).map(|choice| choice.costs).collect();
        let model = match (models.as_slice(), presets.as_slice()) {
            ([Some(model)], _) => model.clone(),
            ([None], [preset]) => usual_costs(*preset),
            _ => {
                let message = "the axis 'costs' must have exactly one value, which the design changes";
                return Err(section.wrong(COSTS.name, message));
            }
        };
        let changed = |levels: &Vec<bool>| {
            let on = changes.iter().zip(&levels[factors.len()..]).filter(|(_, is_on)| **is_on);
            let on: Vec<&str> = on.map(|(change, _)| *change).collect();
            if on.is_empty() { Ok(model.clone()) } else { model.changed(&on.join(",")) }
        };
        let models = design.levels().iter().map(changed).collect::<Result<Vec<_>, _>>();
        let models = models.map_err(|error| section.wrong(COSTS.name, error))?;
        values.iter_mut().zip(&models).for_each(|(value, model)| *value = format!("{value} with {}", model.name));
        axes.set(&COSTS, distinct(models), |choice, model| choice.costs = Some(model));
    }
    let field = if changes.is_empty() { field.to_owned() } else { format!("{field}+{}", COSTS.name) };
    Ok(Factorial { field, factors: names, runs: values.into_iter().zip(design.levels().iter().cloned()).collect() })
}
