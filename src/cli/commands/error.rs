//! Errors of the command line, with the exit status by which scripts tell them apart.

use std::io;
use std::process::ExitCode;

use crate::chess::Unsupported;
use crate::engine::compiled::NotCompiled;
use crate::lab::validation::ValidationError;
use crate::lab::{ConductError, FileError, MeasureError, PlanError};
use crate::outside::EngineError;
use crate::play::PlayError;
use crate::record::MergeError;
use crate::record::folder::FolderError;
use crate::report::ReportError;
use crate::report::charts::ChartError;
use crate::report::claims::ClaimsError;
use crate::report::compare::CompareError;
use crate::suggestion::WordError;
pub(super) use crate::suggestion::did_you_mean;

/// Reasons why a command does not end well.
#[derive(Debug, thiserror::Error)]
pub enum CliError {
    /// Another program has to do what was asked for, or this one built otherwise.
    #[error("{0}: cargo build --release -p splitpoint-boards --features every-board")]
    Elsewhere(NotCompiled),
    /// The user asked for something impossible.
    #[error("{0}")]
    BadInput(String),
    /// The work was done and its result is bad, or it could not be done.
    #[error("{0}")]
    Failed(String),
    /// The work was done, and a newer version is shown to be worse than the one before.
    #[error("{0}")]
    Loss(String),
    /// The results cannot be written.
    #[error("cannot write the results: {0}")]
    Output(io::Error),
    /// The reader of our output has stopped reading (`splitpoint list suites | head -1`), which is no failure.
    #[error("the reader of the results has gone")]
    ReaderGone,
}

impl CliError {
    /// Exit status of the program.
    pub fn status(&self) -> ExitCode {
        match self {
            Self::BadInput(_) | Self::Elsewhere(_) => ExitCode::from(2),
            Self::Failed(_) | Self::Output(_) => ExitCode::from(1),
            Self::Loss(_) => ExitCode::from(3),
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

impl From<ConductError> for CliError {
    fn from(error: ConductError) -> Self {
        match error {
            ConductError::Program(error) => error.into(),
            ConductError::Folder(error) => error.into(),
        }
    }
}

/// Declares which errors are the user's: those for which the question is answered with yes. The others are failures.
macro_rules! from_errors {
    ($($Error:ty, is_bad_input: $is_bad_input:expr;)*) => {
        $( impl From<$Error> for CliError {
            fn from(error: $Error) -> Self {
                let is_bad_input: fn(&$Error) -> bool = $is_bad_input;
                if is_bad_input(&error) { Self::BadInput(error.to_string()) } else { Self::Failed(error.to_string()) }
            }
        } )*
    };
}

from_errors! {
    Unsupported, is_bad_input: |_| true;
    WordError, is_bad_input: |_| true;
    FileError, is_bad_input: |_| true;
    PlanError, is_bad_input: |_| true;
    CompareError, is_bad_input: CompareError::is_bad_input;
    FolderError, is_bad_input: FolderError::is_bad_input;
    MergeError, is_bad_input: MergeError::is_bad_input;
    ReportError, is_bad_input: |error| match error {
        ReportError::Folder(error) => error.is_bad_input(),
        ReportError::Beside(_) | ReportError::Claims(_) | ReportError::Chart(ChartError::NoFigures(_)) => true,
        _ => false,
    };
    EngineError, is_bad_input: |_| true;
    PlayError, is_bad_input: PlayError::is_bad_input;
    ChartError, is_bad_input: |_| false;
    ClaimsError, is_bad_input: |_| true;
    ValidationError, is_bad_input: |_| false;
}

impl From<NotCompiled> for CliError {
    fn from(board: NotCompiled) -> Self {
        Self::Elsewhere(board)
    }
}

impl From<MeasureError> for CliError {
    fn from(error: MeasureError) -> Self {
        match error {
            MeasureError::NotCompiled(board) => board.into(),
            MeasureError::Cell { .. } | MeasureError::Engine { .. } => Self::BadInput(error.to_string()),
            MeasureError::Search(_) | MeasureError::Ranks(_) => Self::Failed(error.to_string()),
        }
    }
}

/// Text with a mark under the character at which it is wrong.
pub fn pointed(text: &str, column: Option<usize>) -> String {
    match column {
        None => format!("\n  {text}"),
        Some(column) => format!("\n  {text}\n  {:column$}^", ""),
    }
}
