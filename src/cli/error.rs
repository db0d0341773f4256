//! What can go wrong on the command line, and the exit status that tells it to scripts.

use std::io;
use std::process::ExitCode;

use crate::chess::Unsupported;
use crate::lab::{FileError, MeasureError, PlanError};
use crate::record::folder::FolderError;
use crate::record::journal::JournalError;
use crate::suggestion::WordError;
pub use crate::suggestion::did_you_mean;

#[derive(Debug, thiserror::Error)]
pub enum CliError {
    /// The user asked for something that cannot be.
    #[error("{0}")]
    BadInput(String),
    /// The work was done and its result is bad.
    #[error("{0}")]
    Failed(String),
    #[error("cannot write the results: {0}")]
    Output(io::Error),
    /// Whoever read our output has stopped (`splitpoint list suites | head -1`). That is their right.
    #[error("nobody reads the results any more")]
    ReaderGone,
}

impl CliError {
    pub fn status(&self) -> ExitCode {
        match self {
            Self::BadInput(_) => ExitCode::from(2),
            Self::Failed(_) | Self::Output(_) => ExitCode::from(1),
            Self::ReaderGone => ExitCode::SUCCESS,
        }
    }
}

impl From<io::Error> for CliError {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Self::ReaderGone,
            _ => Self::Output(error),
        }
    }
}

macro_rules! from_errors {
    ($($Error:ty => $kind:ident),* $(,)?) => {
        $( impl From<$Error> for CliError {
            fn from(error: $Error) -> Self {
                Self::$kind(error.to_string())
            }
        } )*
    };
}

from_errors! {
    Unsupported => BadInput,
    WordError => BadInput,
    FileError => BadInput,
    PlanError => BadInput,
    JournalError => Failed,
}

impl From<MeasureError> for CliError {
    fn from(error: MeasureError) -> Self {
        match error {
            MeasureError::Cell { .. } => Self::BadInput(error.to_string()),
            MeasureError::Search(_) | MeasureError::Limit { .. } => Self::Failed(error.to_string()),
        }
    }
}

impl From<FolderError> for CliError {
    fn from(error: FolderError) -> Self {
        if error.is_bad_input() { Self::BadInput(error.to_string()) } else { Self::Failed(error.to_string()) }
    }
}

/// A text with a mark under the character where it goes wrong.
pub fn pointed(text: &str, column: Option<usize>) -> String {
    match column {
        None => format!("\n  {text}"),
        Some(column) => format!("\n  {text}\n  {:column$}^", ""),
    }
}
