//! Errors of the command line, with the exit status by which scripts tell them apart.

use std::io;
use std::process::ExitCode;

use crate::chess::Unsupported;
use crate::choices::UnknownName;
use crate::lab::{FileError, MeasureError, PlanError};
use crate::record::folder::FolderError;
use crate::record::journal::JournalError;
pub use crate::suggestion::did_you_mean;

#[derive(Debug, thiserror::Error)]
pub enum CliError {
    /// The user asked for something impossible.
    #[error("{0}")]
    BadInput(String),
    /// The work was done and its result is bad, or it could not be done.
    #[error("{0}")]
    Failed(String),
    #[error("cannot write the results: {0}")]
    Output(io::Error),
    /// The reader of our output has stopped reading (`splitpoint list suites | head -1`), which is no failure.
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
    UnknownName => BadInput,
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

/// Text with a mark under the character at which it is wrong.
pub fn pointed(text: &str, column: Option<usize>) -> String {
    match column {
        None => format!("\n  {text}"),
        Some(column) => format!("\n  {text}\n  {:column$}^", ""),
    }
}
