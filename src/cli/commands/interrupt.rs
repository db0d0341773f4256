//! Ctrl-C, and what a batch system sends before it kills: the run ends at once, with its journal whole.

use std::sync::atomic::{AtomicI32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// The signal that came; 0 before any did.
static SIGNAL: AtomicI32 = AtomicI32::new(0);
/// Longest time until a signal is noticed.
const LOOKED_AFTER_EVERY: Duration = Duration::from_millis(40);
/// By custom, the status of a program that a signal has ended is its number and this.
const STATUS_OF_SIGNAL: i32 = 128;

/// From now on, Ctrl-C ends the program when nobody holds the journal, as who writes a record does, after `farewell`
/// has been called.
pub fn watch<J: Send + 'static>(journal: Arc<Mutex<J>>, farewell: impl Fn() + Send + 'static) {
    install();
    let wait = move || {
        while SIGNAL.load(Ordering::Relaxed) == 0 {
            std::thread::sleep(LOOKED_AFTER_EVERY);
        }
        // Who holds the journal is not writing it; it is never given back.
        let _journal = journal.lock().unwrap_or_else(PoisonError::into_inner);
        farewell();
        std::process::exit(STATUS_OF_SIGNAL + SIGNAL.load(Ordering::Relaxed));
    };
    // Without this thread Ctrl-C is too late by one cell, and nothing is lost.
    let _ = std::thread::Builder::new().name("interrupt".into()).spawn(wait);
}

#[cfg(unix)]
fn install() {
    extern "C" fn note(signal: i32) {
        SIGNAL.store(signal, Ordering::Relaxed);
    }
    for signal in [libc::SIGINT, libc::SIGTERM] {
        // SAFETY: the handler stores to an atomic and does nothing else, which is allowed in one.
        unsafe { libc::signal(signal, note as extern "C" fn(i32) as libc::sighandler_t) };
    }
}

#[cfg(not(unix))]
fn install() {}
