//! Where the engine writes: each line whole, and at once.

use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

/// The output, which threads share.
pub struct Output {
    to: Mutex<Box<dyn Write + Send>>,
    is_closed: AtomicBool,
}

impl Output {
    /// An output that goes here.
    pub fn new(to: impl Write + Send + 'static) -> Self {
        Self { to: Mutex::new(Box::new(to)), is_closed: AtomicBool::new(false) }
    }

    /// Writes some lines.
    pub fn say(&self, text: &str) {
        let mut to = self.to.lock().unwrap_or_else(PoisonError::into_inner);
        if writeln!(to, "{}", text.trim_end()).and_then(|()| to.flush()).is_err() {
            self.is_closed.store(true, Ordering::Relaxed);
        }
    }

    /// Whether a line could not be written: nobody reads any more.
    pub fn is_closed(&self) -> bool {
        self.is_closed.load(Ordering::Relaxed)
    }
}
