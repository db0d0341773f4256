//! What can go wrong on the command line, and the exit status that tells it to scripts.

use std::io;
use std::process::ExitCode;

use splitpoint::chess::Unsupported;

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

impl From<Unsupported> for CliError {
    fn from(error: Unsupported) -> Self {
        Self::BadInput(error.to_string())
    }
}

/// A text with a mark under the character where it goes wrong.
pub fn pointed(text: &str, column: Option<usize>) -> String {
    match column {
        None => format!("\n  {text}"),
        Some(column) => format!("\n  {text}\n  {:column$}^", ""),
    }
}

/// ", did you mean X?" if a valid name is near.
pub fn did_you_mean<S: AsRef<str>>(wrong: &str, names: impl Iterator<Item = S>) -> String {
    const NEAR_ENOUGH: f64 = 0.75;
    let wrong = wrong.to_lowercase();
    let nearness = |name: &S| strsim::jaro_winkler(&wrong, &name.as_ref().to_lowercase());
    let nearest = names.map(|name| (nearness(&name), name)).max_by(|a, b| a.0.total_cmp(&b.0));
    match nearest {
        Some((nearness, name)) if nearness > NEAR_ENOUGH => format!(", did you mean '{}'?", name.as_ref()),
        _ => String::new(),
    }
}
