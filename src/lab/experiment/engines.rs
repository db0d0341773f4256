//! Engines from outside, as an experiment file defines them.

use std::sync::Arc;
use std::time::Duration;

use super::document::{DocumentError, Item};
use super::duration;
use super::section::Section;
use super::values::{choice, switch, text};
use crate::outside::{Definition, Processors, Protocol, Setting};
use crate::parallel::AnyStrategy;
use crate::record::SEQUENTIAL;

/// All engines of a file.
pub fn read(root: &Section<'_>) -> Result<Vec<Arc<Definition>>, DocumentError> {
    let Some(section) = root.section("engines")? else { return Ok(Vec::new()) };
    let mut engines = Vec::new();
    for entry in &section.table.entries {
        let is_taken = AnyStrategy::NAMES.contains(&entry.key.as_str()) || entry.key == SEQUENTIAL;
        if is_taken || entry.key.is_empty() || entry.key.contains(',') {
            return Err(section.misnamed(entry, format!("'{}' cannot be the name of an engine", entry.key)));
        }
        if let Some(engine) = section.section(&entry.key)? {
            engines.push(Arc::new(definition(&entry.key, &engine)?));
        }
    }
    Ok(engines)
}

fn definition(name: &str, engine: &Section<'_>) -> Result<Definition, DocumentError> {
    engine.allow("a key of an engine", "Engine")?;
    engine.one("protocol", choice::<Protocol>)?;
    let command: Vec<String> = engine.required("command", |item| match item {
        Item::Text(command) => Ok(command.split_whitespace().map(str::to_owned).collect()),
        Item::List(words) => words.iter().map(|word| text(&word.item).map(str::to_owned)).collect(),
        other => Err(format!("expected a program with its arguments, found {}", other.kind())),
    })?;
    if command.is_empty() {
        return Err(engine.wrong("command", "names no program"));
    }
    let named = Definition { command, ..Definition::default() };
    named.command_on(Processors::of_one_node(1)).map_err(|error| engine.wrong("command", error))?;
    let mut options = Vec::new();
    if let Some(values) = engine.section("options")? {
        for option in &values.table.entries {
            let value = values.required(&option.key, |item| match item {
                Item::Text(text) => Ok(text.clone()),
                Item::Whole(number) => Ok(number.to_string()),
                Item::Switch(switch) => Ok(switch.to_string()),
                other => Err(format!("expected the value of an option, found {}", other.kind())),
            })?;
            options.push(Setting { name: option.key.clone(), value });
        }
    }
    Ok(Definition {
        name: name.to_owned(),
        options,
        threads_option: engine.text("threads_option")?.map(str::to_owned),
        one_node_per_host: engine.one("one_node_per_host", switch)?.unwrap_or_default(),
        hash_option: engine.text("hash_option")?.map(str::to_owned),
        patience: engine.one("patience", duration::read)?.map(|patience| Duration::from_secs_f64(patience.into())),
        ..named
    })
}
