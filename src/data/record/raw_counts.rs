//! Raw counts of a search by name, in little room: a report holds those of all records at once. Records whose counts
//! have the same names share them, and what is no plain count is kept as the text that it has in the journal.

use std::collections::HashSet;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// Names in order, shared among records.
type Names = Arc<[Box<str>]>;

/// Counts by name, in the order of names.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(from = "Map<String, Value>", into = "Map<String, Value>")]
pub struct RawCounts {
    names: Names,
    /// The value for each name; 0 for what is no plain count.
    values: Box<[u64]>,
    /// Values that are no plain counts, as JSON, each with the place of its name.
    texts: Box<[(u32, Box<str>)]>,
}

/// Sets of names that any counts have had.
static NAMES: LazyLock<Mutex<HashSet<Names>>> = LazyLock::new(Mutex::default);

/// The one copy of a set of names.
fn shared(names: Vec<Box<str>>) -> Names {
    let mut known = NAMES.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(one) = known.get(names.as_slice()) {
        return Arc::clone(one);
    }
    let new: Names = names.into();
    known.insert(Arc::clone(&new));
    new
}

impl RawCounts {
    /// Value of a count.
    pub fn get(&self, name: &str) -> Option<Value> {
        let place = self.names.binary_search_by(|known| (**known).cmp(name)).ok()?;
        Some(self.value(place))
    }

    fn value(&self, place: usize) -> Value {
        match self.texts.binary_search_by_key(&place, |(place, _)| *place as usize) {
            Ok(at) => serde_json::from_str(&self.texts[at].1).unwrap_or_default(),
            Err(_) => self.values[place].into(),
        }
    }
}

impl From<Map<String, Value>> for RawCounts {
    fn from(map: Map<String, Value>) -> Self {
        // The map is in the order of names.
        let texts = map.values().enumerate().filter(|(_, value)| !value.is_u64());
        Self {
            names: shared(map.keys().map(|name| name.as_str().into()).collect()),
            values: map.values().map(|value| value.as_u64().unwrap_or_default()).collect(),
            texts: texts.map(|(place, value)| (place as u32, value.to_string().into())).collect(),
        }
    }
}

impl From<RawCounts> for Map<String, Value> {
    fn from(counts: RawCounts) -> Self {
        counts.names.iter().enumerate().map(|(place, name)| (name.to_string(), counts.value(place))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_read_is_what_was_written() {
        let text = r#"{"a":1,"b":{"made":[[1,2],[3,4]],"x":-1.5},"c":18446744073709551615,"d":-3,"e":null,"f":"word"}"#;
        let read: RawCounts = serde_json::from_str(text).unwrap();
        assert_eq!(serde_json::to_string(&read).unwrap(), text);
        let map: Map<String, Value> = serde_json::from_str(text).unwrap();
        assert!(map.iter().all(|(name, value)| read.get(name).as_ref() == Some(value)));
        assert_eq!((RawCounts::from(map), read.get("z")), (read.clone(), None));
        // In whatever order they come.
        let mixed: RawCounts = serde_json::from_str(r#"{"z":3,"a":2,"a":1}"#).unwrap();
        assert_eq!(serde_json::to_string(&mixed).unwrap(), r#"{"a":1,"z":3}"#);
        assert!(serde_json::from_str::<RawCounts>("[1]").is_err());
    }
}
