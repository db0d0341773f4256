//! The part of the page that says in which sessions, and on which computers, the records were made.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::html::Html;
use super::numbers::{count, counted, figure, fixed};
use crate::record::{Environment, Finding, Session};

/// The gravest of findings.
const SERIOUS: &str = "serious";
/// Lists longer than this are left out: each processor by itself tells a reader nothing.
const LONGEST_LIST: usize = 8;
const MEBIBYTE: f64 = 1024.0 * 1024.0;
const GIBIBYTE: f64 = 1024.0 * MEBIBYTE;

impl Environment {
    /// The gravest findings, each once.
    pub fn serious(&self) -> Vec<&Finding> {
        let mut serious: Vec<&Finding> = Vec::new();
        for finding in self.sessions.iter().flat_map(|session| &session.findings) {
            if finding.severity == SERIOUS && !serious.contains(&finding) {
                serious.push(finding);
            }
        }
        serious
    }

    /// All cost models, by name; of two of the same name the first.
    pub fn costs(&self) -> BTreeMap<&str, &Map<String, Value>> {
        let mut costs = BTreeMap::new();
        for (name, model) in self.sessions.iter().flat_map(|session| &session.costs) {
            costs.entry(name.as_str()).or_insert(model);
        }
        costs
    }

    /// Each session with its computer and what disturbs measurements there.
    pub fn write(&self, html: &mut Html) {
        if self.sessions.is_empty() {
            html.element("p", &[], "The run folder does not say where its records were made.");
        }
        for (place, session) in self.sessions.iter().enumerate() {
            let name = if session.id.is_empty() { (place + 1).to_string() } else { session.id.clone() };
            html.element("h3", &[], &format!("Session {name}"));
            session.write(html);
        }
    }
}

impl Session {
    fn write(&self, html: &mut Html) {
        let mut facts = vec![
            ("begun".to_owned(), self.started.clone()),
            ("version".to_owned(), self.version.clone()),
            ("command".to_owned(), self.command.clone()),
        ];
        describe("", &self.host, &mut facts);
        html.facts(&facts);
        if !self.findings.is_empty() {
            html.within("ul", &[("class", "findings")], |html| {
                self.findings.iter().for_each(|finding| finding.write(html));
            });
        }
    }
}

impl Finding {
    /// As an item of a list.
    pub fn write(&self, html: &mut Html) {
        html.within("li", &[], |html| {
            if !self.severity.is_empty() {
                let class = if self.severity == SERIOUS { "severity serious" } else { "severity" };
                html.element("strong", &[("class", class)], &self.severity);
                html.text(" ");
            }
            html.text(&self.what);
            if !self.remedy.is_empty() {
                html.text(" ");
                html.element("span", &[("class", "remedy")], &self.remedy);
            }
        });
    }
}

/// All that an object says in single values and short lists, under names made of its keys.
fn describe(prefix: &str, value: &Value, facts: &mut Vec<(String, String)>) {
    match value {
        Value::Object(object) => {
            for (key, value) in object {
                let key = if prefix.is_empty() { key.clone() } else { format!("{prefix} {key}") };
                describe(&key, value, facts);
            }
        }
        Value::Array(items) => {
            let items: Vec<String> = items.iter().filter_map(scalar).collect();
            if items.len() <= LONGEST_LIST {
                facts.push((words(prefix), items.join(", ")));
            }
        }
        single => facts.push(measure(prefix, single)),
    }
}

/// A single value: bytes in larger units, whatever else as it is.
fn measure(key: &str, value: &Value) -> (String, String) {
    let shown = match (key.strip_suffix("_bytes"), value.as_f64()) {
        (Some(name), Some(bytes)) => return (words(name), bytes_in_words(bytes)),
        (None, Some(number)) if value.is_f64() => figure(number),
        _ => scalar(value).unwrap_or_default(),
    };
    (words(key), shown)
}

fn bytes_in_words(bytes: f64) -> String {
    match bytes {
        bytes if bytes >= GIBIBYTE => format!("{} GiB", fixed(bytes / GIBIBYTE, 1)),
        bytes if bytes >= MEBIBYTE => format!("{} MiB", fixed(bytes / MEBIBYTE, 0)),
        bytes => format!("{} B", fixed(bytes, 0)),
    }
}

/// A key as words: `logical_cpus` as `logical CPUs`.
fn words(key: &str) -> String {
    let word = |word: &str| match word {
        "cpus" => "CPUs".to_owned(),
        "mhz" => "MHz".to_owned(),
        "smt" => "SMT".to_owned(),
        other => other.to_owned(),
    };
    key.split(['_', ' ']).map(word).collect::<Vec<_>>().join(" ")
}

/// A value that is one word or number; lists, objects and nothing are none.
fn scalar(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Bool(true) => Some("yes".to_owned()),
        Value::Bool(false) => Some("no".to_owned()),
        Value::Number(number) => Some(number.to_string()),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}

/// The first cost model in full, and in what the others differ from it.
pub fn write_costs(html: &mut Html, costs: &BTreeMap<&str, &Map<String, Value>>) {
    let Some((first_name, first)) = costs.iter().next() else { return };
    html.element("h3", &[], "Cost models");
    let explanation = format!(
        "Virtual time is made of these costs, in nanoseconds where the name does not say otherwise. Shown in full is \
         {first_name}."
    );
    html.element("p", &[], &explanation);
    let facts: Vec<(String, String)> =
        first.iter().filter(|(name, _)| *name != "name").map(|(name, value)| (words(name), in_full(value))).collect();
    html.within("div", &[("class", "costs")], |html| html.facts(&facts));
    let others: Vec<(String, String)> =
        costs.iter().skip(1).map(|(name, model)| ((*name).to_owned(), difference(first, model))).collect();
    if !others.is_empty() {
        let differ = counted(others.len() as u64, "other model differs", "other models differ");
        html.element("p", &[], &format!("{differ} from it:"));
        html.facts(&others);
    }
}

/// A cost, its digits in groups.
fn in_full(value: &Value) -> String {
    value.as_u64().map_or_else(|| scalar(value).unwrap_or_default(), |cost| count(cost as f64))
}

fn difference(first: &Map<String, Value>, other: &Map<String, Value>) -> String {
    let changed: Vec<String> = other
        .iter()
        .filter(|(name, value)| name.as_str() != "name" && first.get(*name) != Some(value))
        .map(|(name, value)| {
            let before = first.get(name).map_or_else(|| "none".to_owned(), in_full);
            format!("{} {} instead of {before}", words(name), in_full(value))
        })
        .collect();
    if changed.is_empty() { "in nothing but the name".to_owned() } else { changed.join(", ") }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn hosts_are_described_in_words() {
        let host = json!({
            "processor": "AMD", "governor": null, "memory": {"total_bytes": 8_589_934_592_u64, "page_bytes": 4096},
            "logical_cpus": 2, "virtual_machine": true, "clock": {"current_mhz": 2450.123}, "load": [0.5, 1],
            "topology": {"cpus": [{"cpu": 0}]}
        });
        let mut facts = Vec::new();
        describe("", &host, &mut facts);
        facts.retain(|(_, value)| !value.is_empty());
        let expected = [
            ("clock current MHz", "2\u{202f}450"),
            ("load", "0.5, 1"),
            ("logical CPUs", "2"),
            ("memory page", "4\u{202f}096 B"),
            ("memory total", "8.0 GiB"),
            ("processor", "AMD"),
            ("virtual machine", "yes"),
        ];
        facts.sort();
        assert_eq!(facts, expected.map(|(name, value)| (name.to_owned(), value.to_owned())));
    }

    #[test]
    fn cost_models_are_told_by_their_differences() {
        let file = json!({"sessions": [
            {"costs": {"b": {"name": "b", "split": 300, "join": 200}}},
            {"costs": {"b": {"name": "b", "split": 1}, "c": {"name": "c", "split": 600, "join": 200}}},
        ]});
        let environment = Environment::read(&file);
        let costs = environment.costs();
        assert_eq!(costs["b"]["split"], 300);
        assert_eq!(difference(costs["b"], costs["c"]), "split 600 instead of 300");
        assert_eq!(difference(costs["b"], costs["b"]), "in nothing but the name");
    }
}
