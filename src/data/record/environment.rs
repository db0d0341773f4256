//! Contents of a run folder's `environment.json`: the sessions in which the records were made. Plain data.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::distinct::distinct;

/// Severity of the gravest findings.
pub const SERIOUS: &str = "serious";

/// Surroundings of the records of a run folder.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Environment {
    /// Runs of the program that made records, in the order in which they were begun.
    pub sessions: Vec<Session>,
}

/// Run of the program that made records.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Session {
    /// Name of the session in its records.
    pub id: String,
    /// Version of the program.
    pub version: String,
    /// Signature of the search.
    pub signature: u64,
    /// Build of the program; not told by versions that did not know it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub build: Option<Build>,
    /// Command as it was typed.
    pub command: String,
    /// Date and time at which it began.
    pub started: String,
    /// Description of the computer, in whatever form that version of the program gave it.
    pub host: Value,
    /// Findings about the computer that disturb measurements on it.
    pub findings: Vec<Finding>,
    /// Cost models that were used, by name.
    pub costs: BTreeMap<String, Map<String, Value>>,
}

/// Facts on how the program was built, and from what.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Build {
    /// Newest commit that changed its sources; none if they were not in a repository.
    pub commit: Option<String>,
    /// Whether the sources had changes that were not committed; none if they were not in a repository.
    pub dirty: Option<bool>,
    /// Fingerprint of the sources.
    pub sources: String,
    /// Version of the compiler.
    pub rustc: String,
    /// Target of the compiler, such as `x86_64-unknown-linux-gnu`.
    pub target: String,
    /// Flags of the compiler beside those of the profile.
    pub flags: String,
    /// Features of the processor that the compiler could rely on.
    pub cpu_features: Vec<String>,
    /// Profile: `release` or `debug`.
    pub profile: String,
    /// Fingerprint of the program's file; none for programs with debug assertions, whose files are large.
    pub binary: Option<String>,
}

/// Property of a computer that disturbs measurements on it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Finding {
    /// Name that stays the same, for programs.
    pub key: String,
    /// Weight of the finding: `serious`, `caution` or `note`.
    pub severity: String,
    /// Description of the finding and of its effect.
    pub what: String,
    /// Advice.
    pub remedy: String,
}

impl Environment {
    /// The gravest findings with their remedies, in sentences.
    pub fn remedies(&self) -> impl Iterator<Item = String> {
        let findings = self.sessions.iter().flat_map(|session| &session.findings);
        let serious = distinct(findings.filter(|finding| finding.severity == SERIOUS));
        serious.into_iter().map(|finding| format!("{}. {}", finding.what.trim_end_matches('.'), finding.remedy))
    }

    /// All cost models, by name; of two of the same name the first.
    pub fn costs(&self) -> BTreeMap<&str, &Map<String, Value>> {
        let mut costs = BTreeMap::new();
        for (name, model) in self.sessions.iter().flat_map(|session| &session.costs) {
            costs.entry(name.as_str()).or_insert(model);
        }
        costs
    }

    /// Reads as much as can be understood: a report may be made years later, of a file that another version wrote.
    pub fn read(file: &Value) -> Self {
        let sessions = file.get("sessions").and_then(Value::as_array);
        Self { sessions: sessions.into_iter().flatten().map(read_session).collect() }
    }
}

/// Session, without the fields that this version does not understand.
fn read_session(value: &Value) -> Session {
    serde_json::from_value(value.clone()).unwrap_or_else(|_| {
        let fields = value.as_object().into_iter().flatten();
        let is_read = |(name, field): &(&String, &Value)| {
            let alone = Value::Object(Map::from_iter([((*name).clone(), (*field).clone())]));
            serde_json::from_value::<Session>(alone).is_ok()
        };
        let understood: Map<String, Value> =
            fields.filter(is_read).map(|(name, field)| (name.clone(), field.clone())).collect();
        serde_json::from_value(Value::Object(understood)).unwrap_or_default()
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn whatever_is_understood_is_read() {
        let cases = [
            (json!(null), 0),
            (json!({"sessions": "none"}), 0),
            (json!({"sessions": []}), 0),
            (json!({"sessions": [null, 3]}), 2),
            (json!({"sessions": [{"id": "a", "findings": [1], "host": 4, "costs": {"x": 1}}]}), 1),
        ];
        for (file, sessions) in cases {
            assert_eq!(Environment::read(&file).sessions.len(), sessions, "{file}");
        }
        let file = json!({"sessions": [{"id": "a", "host": 4, "findings": [1], "version": 7, "new": []}]});
        let expected = Session { id: "a".into(), host: json!(4), ..Session::default() };
        assert_eq!(Environment::read(&file).sessions, [expected]);
    }
}
