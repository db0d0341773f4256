//! Engines from outside: programs that play chess and speak the universal chess interface (UCI) through their standard
//! input and output. Nothing here knows our own engine.
//!
//! An [`Engine`] is a running program that has told its options. [`Engine::search`] hands it a position with limits and
//! returns what it tells on the way, with the moments at which it did, and its move. A program that ends, hangs or says
//! what it should not is an [`EngineError`], with the last lines that it wrote.

pub mod check;
mod definition;
mod engine;
mod info;
mod process;
mod reach;
mod watchdog;

pub use definition::{Definition, Protocol, Setting};
pub use engine::{Engine, Found, Request, far_beyond};
pub use info::Info;
pub use process::read_line;
pub use reach::{Obedience, Reach};

/// Fault of an engine, and the last lines that it wrote.
#[derive(Clone, Debug, Default, PartialEq, Eq, thiserror::Error)]
pub struct EngineError {
    /// Command by which it was started.
    pub command: String,
    /// Key of its [`Definition`] that is wrong, if one is: `command`, `options.Hsh`.
    pub key: Option<String>,
    /// The fault, as the rest of a sentence about the engine.
    pub message: String,
    /// Last lines that it wrote, the newest last.
    pub last_lines: Vec<String>,
}

impl std::fmt::Display for EngineError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "the engine '{}' {}", self.command, self.message)?;
        match self.last_lines.as_slice() {
            [] => Ok(()),
            lines => write!(f, "; the last it wrote was '{}'", lines.join("' '")),
        }
    }
}
