//! What an experiment defines and a record only names: cost models and engines from outside. Two definitions may have
//! the same name, so that the hash of the definition stands beside it.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::named::Named;

/// Name of something that is defined elsewhere, with the hash of its definition.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Defined {
    /// Name of the cost model or engine, with changes.
    pub name: Named,
    /// Hash of its definition; empty if it is not known.
    pub hash: String,
}

impl Defined {
    /// A cost model or an engine from outside of this name, whose definition has this hash.
    pub fn new(name: impl Into<Named>, hash: impl Into<String>) -> Self {
        Self { name: name.into(), hash: hash.into() }
    }

    /// Name and hash as the two values of a record, which has neither if nothing is defined.
    fn apart(one: &Option<Self>) -> (Option<Named>, Option<String>) {
        let hash = one.as_ref().map(|one| one.hash.clone());
        (one.as_ref().map(|one| one.name.clone()), hash.filter(|hash| !hash.is_empty()))
    }

    /// Cost model or engine by the name and the hash of a record; none without a name, whatever the hash.
    fn of_values(name: Option<Named>, hash: Option<String>) -> Option<Self> {
        Some(Self { name: name?, hash: hash.unwrap_or_default() })
    }
}

/// By its name alone.
impl<N: Into<Named>> From<N> for Defined {
    fn from(name: N) -> Self {
        Self { name: name.into(), hash: String::new() }
    }
}

impl fmt::Display for Defined {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.name.fmt(f)
    }
}

/// The engine from outside as records have it: name and hash side by side.
pub(super) mod engine {
    use super::*;

    #[derive(Default, Serialize, Deserialize)]
    #[serde(default)]
    struct Values {
        engine: Option<Named>,
        engine_hash: Option<String>,
    }

    pub fn serialize<S: Serializer>(one: &Option<Defined>, serializer: S) -> Result<S::Ok, S::Error> {
        let (engine, engine_hash) = Defined::apart(one);
        Values { engine, engine_hash }.serialize(serializer)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Defined>, D::Error> {
        Values::deserialize(deserializer).map(|read| Defined::of_values(read.engine, read.engine_hash))
    }
}

/// The cost model as records have it: name and hash side by side.
pub(super) mod costs {
    use super::*;

    #[derive(Default, Serialize, Deserialize)]
    #[serde(default)]
    struct Values {
        costs: Option<Named>,
        costs_hash: Option<String>,
    }

    pub fn serialize<S: Serializer>(one: &Option<Defined>, serializer: S) -> Result<S::Ok, S::Error> {
        let (costs, costs_hash) = Defined::apart(one);
        Values { costs, costs_hash }.serialize(serializer)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Defined>, D::Error> {
        Values::deserialize(deserializer).map(|read| Defined::of_values(read.costs, read.costs_hash))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::Configuration;
    use super::*;

    #[test]
    fn a_record_has_name_and_hash_side_by_side() {
        let read = |value| serde_json::from_value::<Configuration>(value);
        let known = read(json!({ "costs": "ideal", "costs_hash": "5" })).unwrap();
        assert_eq!(known.costs, Some(Defined::new("ideal", "5")));
        let written = json!(known);
        assert_eq!([&written["costs"], &written["costs_hash"]], [&json!("ideal"), &json!("5")]);
        assert_eq!([&written["engine"], &written["engine_hash"]], [&json!(null), &json!(null)]);
        let by_name = read(json!({ "engine": "one", "engine_hash": null })).unwrap();
        assert_eq!((by_name.engine, by_name.costs), (Some("one".into()), None));
        assert_eq!(read(json!({ "costs_hash": "5" })).unwrap(), Configuration::default());
        assert!(read(json!({ "engine": 5 })).is_err());
    }
}
