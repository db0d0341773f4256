//! The folder of a contest: `games.jsonl` holds its games, a line each, and a file beside it says what they depend on,
//! so that another contest is not continued by mistake.

use std::fs::File;
use std::path::Path;

use serde_json::Value;

use crate::record::GameRecord;
use crate::record::folder::{FolderError, read_json, take, write_json};
use crate::record::journal::{Journal, Line};

/// A folder that this process has for itself.
pub struct Folder {
    /// Games that it held when it was opened.
    pub games: Vec<GameRecord>,
    /// Warnings about lines of the journal that were set aside.
    pub warnings: Vec<String>,
    // Dropping it gives the lock back.
    _lock: File,
}

impl Folder {
    /// Makes a folder, or takes one up again that holds games of the same description, in the file of this name.
    ///
    /// # Errors
    /// If it holds games of another description, or if another process has it.
    pub fn open(path: &Path, name: &str, description: &Value) -> Result<(Self, Journal<GameRecord>), FolderError> {
        let lock = take(path)?;
        let file = path.join(name);
        match read_json::<Value>(&file)? {
            Some(before) => {
                if let Some(reason) = difference(&before, description) {
                    return Err(FolderError::Changed { path: path.to_owned(), reason });
                }
            }
            None if path.join(GameRecord::FILE).metadata().is_ok_and(|journal| journal.len() > 0) => {
                let reason = format!("it has a {}, but no {name} that says what was played", GameRecord::FILE);
                return Err(FolderError::damaged(path, reason));
            }
            None => {}
        }
        let mut games = Vec::new();
        let (journal, warnings) = Journal::open(path, |game| games.push(game))?;
        write_json(&file, description)?;
        Ok((Self { games, warnings, _lock: lock }, journal))
    }
}

/// First difference between two descriptions, in words.
fn difference(then: &Value, now: &Value) -> Option<String> {
    let (then, now) = (then.as_object()?, now.as_object()?);
    let keys = now.keys().chain(then.keys());
    keys.into_iter().find(|key| then.get(*key) != now.get(*key)).map(|key| {
        let value =
            |side: &serde_json::Map<String, Value>| side.get(key).map_or("nothing".to_owned(), Value::to_string);
        format!("it was begun with {key} = {}, and now it is {}", value(then), value(now))
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_first_difference_is_named() {
        let of = |then: Value, now: Value| difference(&then, &now);
        assert_eq!(of(json!({ "nodes": 5 }), json!({ "nodes": 5 })), None);
        let told = of(json!({ "a": "modern", "nodes": 5 }), json!({ "a": "modern", "nodes": 6 }));
        assert_eq!(told.as_deref(), Some("it was begun with nodes = 5, and now it is 6"));
        assert!(of(json!({ "depth": 5 }), json!({})).is_some_and(|told| told.ends_with("it is nothing")));
    }
}
