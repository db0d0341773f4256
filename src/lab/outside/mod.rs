//! Engines from outside: programs that play chess and speak the universal chess interface (UCI) through their standard
//! input and output. Nothing here knows our own engine.
//!
//! An [`Engine`] is a running program that has told its options. [`Engine::search`] hands it a position with limits and
//! returns what it tells on the way, with the moments at which it did, and its move. A program that ends, hangs or says
//! what it should not is an [`EngineError`], with the last lines that it wrote.

pub mod check;
mod definition;
mod engine;
mod family;
mod info;
mod option;
mod patience;
mod placeholders;
mod process;
pub mod programs;
mod reach;
mod watchdog;

pub use definition::{Definition, Processors, Protocol, Setting};
pub use engine::{Engine, Found, Request};
pub use info::Info;
pub use placeholders::Placeholder;
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

/// Words in the answer of an engine to a command that it does not know, by the protocol of XBoard.
const OF_XBOARD: [&str; 2] = ["Illegal move", "(unknown command)"];

impl EngineError {
    /// The fault, with what may help if the engine has answered by the protocol of XBoard.
    fn with_adapter(self) -> Self {
        let is_of_xboard = self.last_lines.iter().any(|line| OF_XBOARD.iter().any(|words| line.contains(words)));
        let program = self.command.split(' ').next().unwrap_or_default();
        let hint = format!(
            ", and its answer is that of an engine for XBoard: try '{program} --uci', or an adapter such as polyglot \
             or scripts/uci-from-xboard.py"
        );
        Self { message: if is_of_xboard { self.message.clone() + &hint } else { self.message.clone() }, ..self }
    }
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
