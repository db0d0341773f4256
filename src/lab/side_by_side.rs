//! Work on tasks side by side, on all processors of this computer.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread::Builder;

use crate::machine::{RealMachine, message_of};

/// Number of threads for this number of tasks.
pub fn threads(tasks: usize) -> usize {
    RealMachine::room().min(tasks)
}

/// Works on all tasks. Each thread works with a tool of its own. `keep` gets one outcome at a time, with the number of
/// tasks that have begun.
///
/// # Errors
/// If `keep` fails, which ends the work.
pub fn work<Task: Sync, Tool, Outcome, Error: Send>(
    tasks: &[Task],
    tool: impl Fn() -> Tool + Sync,
    work: impl Fn(&Tool, &Task) -> Outcome + Sync,
    keep: impl FnMut(Outcome, usize) -> Result<(), Error> + Send,
) -> Result<(), Error> {
    let (next, stops) = (AtomicUsize::new(0), AtomicBool::new(false));
    let kept = Mutex::new((keep, Ok(())));
    let thread = || {
        let tool = tool();
        while !stops.load(Ordering::Relaxed) {
            let Some(task) = tasks.get(next.fetch_add(1, Ordering::Relaxed)) else { return };
            let outcome = work(&tool, task);
            let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
            let (keep, result) = &mut *kept;
            if let Err(error) = keep(outcome, next.load(Ordering::Relaxed).min(tasks.len())) {
                stops.store(true, Ordering::Relaxed);
                *result = Err(error);
            }
        }
    };
    std::thread::scope(|scope| {
        let start = |_: &usize| Builder::new().spawn_scoped(scope, thread).is_ok();
        let started = (0..threads(tasks.len())).take_while(start).count();
        // Where the system gives no threads, this one does all the work.
        if started == 0 {
            thread();
        }
    });
    kept.into_inner().unwrap_or_else(PoisonError::into_inner).1
}

/// The outcome of a search, or the reason why there is none, also if it panics.
pub fn caught<T>(search: impl FnOnce() -> Result<T, String>) -> Result<T, String> {
    let found = catch_unwind(AssertUnwindSafe(search));
    found.unwrap_or_else(|panic| Err(format!("it panicked: {}", message_of(panic.as_ref()))))
}
