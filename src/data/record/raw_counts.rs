//! Raw counts of a search by name, in little room: a report holds those of all records at once. Names are shared among
//! records, and what is no plain count is kept as the text that it has in the journal.

use std::collections::HashSet;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// Counts by name, in the order of names.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(from = "Map<String, Value>", into = "Map<String, Value>")]
pub struct RawCounts(Vec<(Arc<str>, Count)>);

#[derive(Clone, Debug, PartialEq)]
enum Count {
    Number(u64),
    /// Counts by kind, as JSON.
    Text(Box<str>),
}

/// Names that any counts have had.
static NAMES: LazyLock<Mutex<HashSet<Arc<str>>>> = LazyLock::new(Mutex::default);

/// The one copy of a name.
fn shared(name: &str) -> Arc<str> {
    let mut names = NAMES.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = names.get(name) {
        return Arc::clone(known);
    }
    let new: Arc<str> = name.into();
    names.insert(Arc::clone(&new));
    new
}

impl RawCounts {
    /// Value of a count.
    pub fn get(&self, name: &str) -> Option<Value> {
        Some(self.0[self.place(name).ok()?].1.value())
    }

    /// Sets the value of a count.
    pub fn insert(&mut self, name: &str, value: &Value) {
        let count = value.as_u64().map_or_else(|| Count::Text(value.to_string().into()), Count::Number);
        match self.place(name) {
            Ok(place) => self.0[place].1 = count,
            Err(place) => self.0.insert(place, (shared(name), count)),
        }
    }

    fn place(&self, name: &str) -> Result<usize, usize> {
        self.0.binary_search_by(|(known, _)| (**known).cmp(name))
    }
}

impl From<Map<String, Value>> for RawCounts {
    fn from(map: Map<String, Value>) -> Self {
        let mut counts = Self(Vec::with_capacity(map.len()));
        map.iter().for_each(|(name, value)| counts.insert(name, value));
        counts
    }
}

impl From<RawCounts> for Map<String, Value> {
    fn from(counts: RawCounts) -> Self {
        counts.0.iter().map(|(name, count)| (name.to_string(), count.value())).collect()
    }
}

impl Count {
    fn value(&self) -> Value {
        match self {
            Self::Number(number) => (*number).into(),
            Self::Text(text) => serde_json::from_str(text).unwrap_or_default(),
        }
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
