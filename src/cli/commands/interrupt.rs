//! Ctrl-C, and what a batch system sends before it kills: the run ends at once, with its journal whole.

use std::sync::atomic::{AtomicI32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// The signal that came; 0 before any did.
static SIGNAL: AtomicI32 = AtomicI32::new(0);
/// Longest time until a signal is noticed.
const LOOKED_AFTER_EVERY: Duration = Duration::from_millis(40);
/// By custom, the status of a program that a signal has ended is its number and this; on Windows, too.
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

/// Windows calls the handler on a thread of its own. After Ctrl-C the program goes on until it ends by itself; a window
/// that is closed, or the end of a session, ends it once the handler returns, so that one does not.
#[cfg(windows)]
fn install() {
    const CTRL_C: u32 = 0;
    const CTRL_BREAK: u32 = 1;
    /// Numbers of the signals that these events resemble.
    const INTERRUPT: i32 = 2;
    const TERMINATE: i32 = 15;
    /// Longer than Windows waits for a handler.
    const UNTIL_THE_END: Duration = Duration::from_secs(60);

    unsafe extern "system" fn note(event: u32) -> i32 {
        let is_key = matches!(event, CTRL_C | CTRL_BREAK);
        SIGNAL.store(if is_key { INTERRUPT } else { TERMINATE }, Ordering::Relaxed);
        if !is_key {
            std::thread::sleep(UNTIL_THE_END);
        }
        1
    }
    #[link(name = "kernel32")]
    unsafe extern "system" {
        fn SetConsoleCtrlHandler(handler: unsafe extern "system" fn(u32) -> i32, is_added: i32) -> i32;
    }
    // SAFETY: the handler stores to an atomic, which any thread may do, and returns what Windows asks for.
    unsafe { SetConsoleCtrlHandler(note, 1) };
}

#[cfg(not(any(unix, windows)))]
fn install() {}
