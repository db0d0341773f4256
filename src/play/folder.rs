//! The folder of a contest: `games.jsonl` holds its games, a line each, and a file beside it says what they depend on,
//! so that another contest is not continued by mistake.

use std::collections::BTreeMap;
use std::fs::File;
use std::path::Path;

use serde_json::Value;

use super::entrant::Entrant;
use super::error::PlayError;
use crate::lab::begin_session;
use crate::record::folder::{self, FolderError, add_sessions, describe_games, games_described, take};
use crate::record::journal::{Journal, Line};
use crate::record::{GameRecord, Pairing, Tournament};

/// A folder that this process has for itself.
pub struct Folder {
    /// Games that it held when it was opened.
    pub games: Vec<GameRecord>,
    /// Journal of its games.
    pub journal: Journal<GameRecord>,
    // Dropping it gives the lock back.
    _lock: File,
}

impl Folder {
    /// Makes a folder, or takes one up again that holds games of the same description, in the file of this name.
    ///
    /// # Errors
    /// If it holds games of another description, or if another process has it.
    pub fn open(path: &Path, name: &str, description: &Value) -> Result<Self, FolderError> {
        let lock = take(path, name)?;
        let file = path.join(name);
        match games_described(&file)? {
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
        let journal = Journal::open(path, |game| games.push(game))?;
        folder::renew_environment(path)?;
        describe_games(&file, description)?;
        Ok(Self { games, journal, _lock: lock })
    }
}

/// Makes the acquaintance of engines from outside before their first game; later the folder knows them.
///
/// # Errors
/// If an engine cannot be used, or if the folder cannot be read.
pub fn meet<'a>(folder: Option<&Path>, entrants: impl Iterator<Item = &'a mut Entrant>) -> Result<(), PlayError> {
    match folder.map(Tournament::read).transpose()?.flatten() {
        None => entrants.into_iter().try_for_each(Entrant::meet),
        Some(Tournament { players, opponents, .. }) => {
            entrants.zip(players.into_iter().chain(opponents)).for_each(|(entrant, info)| entrant.title = info.title);
            Ok(())
        }
    }
}

/// Writes into a folder which games it is to hold, and on which computer they are played. Pairings that were begun in
/// it are taken over.
///
/// # Errors
/// If the folder holds games of another tournament, or cannot be written.
pub fn begin(folder: &Path, tournament: &mut Tournament) -> Result<(), FolderError> {
    if let Some(before) = Tournament::read(folder)? {
        if let Some(reason) = before.difference(tournament) {
            return Err(FolderError::Changed { path: folder.to_owned(), reason });
        }
        let new: Vec<Pairing> =
            tournament.pairings.drain(..).filter(|pairing| !before.pairings.contains(pairing)).collect();
        tournament.pairings = [before.pairings, new].concat();
    }
    folder::renew_environment(folder)?;
    tournament.write(folder)?;
    let session = begin_session(&tournament.command, &BTreeMap::new());
    add_sessions(folder, [serde_json::json!(session)])
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
