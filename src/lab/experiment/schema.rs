//! The JSON schema of experiment files, by which editors complete keys and explain them. `experiments/schema.json` is
//! the schema itself; what it says about axes follows from their declarations. It says which keys a table may have;
//! what names mean something is checked when a file is read.

use std::sync::LazyLock;

use serde_json::{Map, Value, json};

use super::axes::{About, about};
use super::document::DocumentError;
use super::section::Section;

static SCHEMA: LazyLock<Value> = LazyLock::new(|| {
    let mut schema: Value = serde_json::from_str(splitpoint_experiments::SCHEMA).unwrap_or_default();
    let mut axes = Map::new();
    for About { key, meaning, values, default, definition } in about() {
        let meaning = meaning[..1].to_uppercase() + &meaning[1..];
        let description = format!("{meaning}: {values}. Default: {default}.").replace('`', "");
        let of_axis = match closed(&values) {
            Some(names) => {
                let one = json!({ "enum": names });
                json!({ "description": description, "anyOf": [one, { "type": "array", "items": one }] })
            }
            None => json!({ "description": description, "$ref": format!("#/$defs/{definition}") }),
        };
        axes.insert(key.to_owned(), of_axis);
    }
    if let Value::Object(known) = schema["$defs"]["Axes"]["properties"].take()
        && let Value::Object(block) = &mut schema["$defs"]["Block"]["properties"]
    {
        block.retain(|key, _| !known.contains_key(key));
        block.extend(axes.clone());
    }
    schema["$defs"]["Axes"]["properties"] = axes.into();
    schema
});

/// Names of an axis that takes no other values, from the description of its values.
fn closed(values: &str) -> Option<Vec<&str>> {
    values.split(", ").map(|name| name.strip_prefix('`')?.strip_suffix('`')).collect()
}

/// The schema as text.
pub fn text() -> String {
    serde_json::to_string_pretty(&*SCHEMA).unwrap_or_default() + "\n"
}

/// Keys that a table may have, by its definition in the schema; those of the whole file for an empty name.
fn keys(table: &str) -> Vec<&'static str> {
    let table = if table.is_empty() { &*SCHEMA } else { &SCHEMA["$defs"][table] };
    table["properties"].as_object().into_iter().flat_map(Map::keys).map(String::as_str).collect()
}

impl Section<'_> {
    /// Refuses keys that the schema does not have in this definition.
    pub fn allow(&self, what: &str, definition: &str) -> Result<(), DocumentError> {
        self.allow_only(what, &keys(definition))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_listed_where_there_are_no_others() {
        let of = |key: &str| &SCHEMA["$defs"]["Axes"]["properties"][key];
        assert_eq!(of("machine")["anyOf"][0]["enum"], json!(["real", "virtual"]));
        assert!(of("strategy").get("anyOf").is_none() && of("strategy").get("$ref").is_some());
        assert!(!text().contains("\"null\""), "what is not given is left out");
    }

    #[test]
    fn it_has_the_keys_that_files_may_have() {
        assert_eq!(keys("Axes").len(), about().len());
        assert_eq!(keys("Block").len(), about().len() + 3);
        assert!(keys("").contains(&"axes") && keys("").contains(&"plan"));
        for table in ["Axes", "Block", "Positions", "Factorial", "Report"] {
            let table = &SCHEMA["$defs"][table];
            let refuses = |key: &str| table.get(key) == Some(&Value::Bool(false));
            assert!(refuses("additionalProperties") || refuses("unevaluatedProperties"), "{table}");
        }
        for axis in about() {
            assert!(SCHEMA["$defs"].get(axis.definition).is_some(), "{axis:?}");
        }
    }
}
