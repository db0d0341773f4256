//! Reasons why there is no report.

use std::io;
use std::path::PathBuf;

use super::beside::BesideError;
use super::charts::ChartError;
use super::claims::file::ClaimsError;
use super::published::PublishedError;
use crate::record::folder::FolderError;

/// Reason why there is no report.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// The folder or its journal cannot be read.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// A chart cannot be drawn.
    #[error(transparent)]
    Chart(#[from] ChartError),
    /// The results of the other run cannot be read.
    #[error(transparent)]
    Beside(#[from] BesideError),
    /// A published table cannot be read.
    #[error(transparent)]
    Published(#[from] PublishedError),
    /// A file of claims is wrong, or its runs are not those that it means.
    #[error(transparent)]
    Claims(#[from] ClaimsError),
    /// A file cannot be written.
    #[error("{}: {error}", path.display())]
    Write {
        /// Path of the file.
        path: PathBuf,
        /// Reason.
        error: io::Error,
    },
}
