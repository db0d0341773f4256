//! The part of the page that says in which sessions, and on which computers, the records were made.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use crate::record::{Finding, SERIOUS, Session};
use crate::table::markup::Html;
use crate::table::number::{bytes, count, counted, figure};

/// Length beyond which lists are left out: each processor by itself tells a reader nothing.
const LONGEST_LIST: usize = 8;

/// Writes each session with its computer and what disturbs measurements there.
pub(crate) fn write_sessions(html: &mut Html, sessions: &[Session]) {
    if sessions.is_empty() {
        html.element("p", &[], "The run folder does not say on which computer its records were made.");
    }
    for (place, session) in sessions.iter().enumerate() {
        let Session { id, started, version, build, command, host, findings, .. } = session;
        let name = if id.is_empty() { (place + 1).to_string() } else { id.clone() };
        html.element("h3", &[], &format!("Session {name}"));
        let mut facts = [("begun", started), ("version", version), ("command", command)]
            .map(|(name, text)| (name.to_owned(), text.clone()))
            .to_vec();
        if let Some(build) = build {
            let or_unknown = |text: &Option<String>| text.clone().unwrap_or_else(|| "not known".to_owned());
            let changed = if build.dirty == Some(true) { ", with changes" } else { "" };
            facts.push(("commit".to_owned(), or_unknown(&build.commit) + changed));
            facts.push(("compiler".to_owned(), format!("{} {} {}", build.rustc, build.target, build.flags)));
            facts.push(("program file".to_owned(), or_unknown(&build.binary)));
        }
        describe("", host, &mut facts);
        html.facts(&facts);
        write_findings(html, &findings.iter().collect::<Vec<_>>());
    }
}

/// Writes what disturbs measurements as a list.
pub(super) fn write_findings(html: &mut Html, findings: &[&Finding]) {
    if findings.is_empty() {
        return;
    }
    html.within("ul", &[("class", "findings")], |html| {
        for Finding { severity, what, remedy, .. } in findings {
            html.within("li", &[], |html| {
                if !severity.is_empty() {
                    let class = if severity == SERIOUS { "severity serious" } else { "severity" };
                    html.element("strong", &[("class", class)], severity);
                    html.text(" ");
                }
                html.text(what);
                if !remedy.is_empty() {
                    html.text(" ");
                    html.element("span", &[("class", "remedy")], remedy);
                }
            });
        }
    });
}

/// Adds the single values and short lists of an object, under names made of its keys.
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

/// Name and text of a single value: bytes in larger units, whatever else as it is.
fn measure(key: &str, value: &Value) -> (String, String) {
    let shown = match (key.strip_suffix("_bytes"), value.as_f64()) {
        (Some(name), Some(count)) => return (words(name), bytes(count)),
        (None, Some(number)) if value.is_f64() => figure(number),
        _ => scalar(value).unwrap_or_default(),
    };
    (words(key), shown)
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

/// Writes the first cost model in full, and in what the others differ from it.
pub(crate) fn write_costs(html: &mut Html, costs: &BTreeMap<&str, &Map<String, Value>>) {
    let Some((first_name, first)) = costs.iter().next() else { return };
    html.element("h3", &[], "Cost models");
    let explanation = format!(
        "Virtual time is computed from these costs, in nanoseconds unless the name says otherwise. The model \
         {first_name} is shown in full."
    );
    html.element("p", &[], &explanation);
    let facts: Vec<(String, String)> =
        first.iter().filter(|(name, _)| *name != "name").map(|(name, value)| (words(name), in_full(value))).collect();
    html.within("div", &[("class", "costs")], |html| html.facts(&facts));
    let others: Vec<(String, String)> =
        costs.iter().skip(1).map(|(name, model)| ((*name).to_owned(), difference(first, model))).collect();
    if !others.is_empty() {
        let differ = counted(others.len(), "other model differs", "other models differ");
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
    if changed.is_empty() { "only by its name".to_owned() } else { changed.join(", ") }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::record::Environment;

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
            ("memory page", "4.0 KiB"),
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
        assert_eq!(difference(costs["b"], costs["b"]), "only by its name");
    }
}
