//! A run folder that is compared with others, and what is said of it beside its figures.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::distinct::distinct;
use crate::record::folder::{self, FolderError};
use crate::record::journal::{self, Held};
use crate::record::{Description, Record};

/// Contents of a run folder.
#[derive(Clone, Debug)]
pub(crate) struct Side {
    /// Path of the folder.
    pub path: PathBuf,
    /// Description of its experiment.
    pub description: Description,
    /// The sessions in which its records were made, as JSON.
    pub environment: Value,
    /// Records of its journal.
    pub records: Vec<Record>,
    /// Warnings about lines of its journal that are left out.
    pub warnings: Vec<String>,
}

impl Side {
    /// Reads a folder.
    pub fn read(path: &Path) -> Result<Self, FolderError> {
        let Held { records, warnings } = journal::read(path)?;
        Ok(Self {
            path: path.to_owned(),
            description: folder::description(path)?,
            environment: folder::environment(path)?,
            records,
            warnings,
        })
    }

    /// The searches by this engine from outside alone.
    pub(super) fn of_engine(mut self, engine: &str) -> Self {
        self.records.retain(|record| record.cell.configuration.engine_name() == Some(engine));
        self
    }

    /// Values that the sessions of its records have at this place (a JSON pointer), each once.
    pub(super) fn told(&self, pointer: &str) -> Vec<String> {
        let used: BTreeSet<&str> = self.records.iter().map(|record| record.session.as_str()).collect();
        let sessions = self.environment["sessions"].as_array().into_iter().flatten();
        let is_used = |session: &&Value| session["id"].as_str().is_some_and(|id| used.contains(id));
        let words = |session: &Value| match session.pointer(pointer)? {
            Value::Null => None,
            Value::String(text) => Some(text.clone()),
            other => Some(other.to_string()),
        };
        distinct(sessions.filter(is_used).filter_map(words))
    }
}
