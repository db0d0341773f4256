//! The word by which one thread of a real machine calls another. Several calls before the other waits are one.
//!
//! # Memory ordering
//! The `Release` swap in [`Call::call`] pairs with the `Acquire` swap that ends [`Call::wait`], so a woken thread sees
//! what its caller wrote before. A call that finds the word set is a `Release` too, and continues the release sequence
//! of the calls before it: the one swap that clears the word pairs with all of them.

use super::processor::Waiting;
use crate::sync::{Futex, Ordering, spin_loop, wait, wake_one, yield_now};

/// Whether a thread has been called since it last went on. On a cache line of its own.
#[derive(Default)]
#[repr(align(128))]
pub(super) struct Call(Futex);

const CALLED: u32 = 1;

impl Call {
    /// Calls the thread, and wakes it if it may be sleeping.
    #[inline]
    pub fn call(&self, waiting: Waiting) {
        // Release: pairs with the swap in `wait`.
        let called = self.0.swap(CALLED, Ordering::Release);
        if waiting == Waiting::Park && called != CALLED {
            wake_one(&self.0);
        }
    }

    /// Waits until the thread has been called, or, if it spins, until it is ready.
    #[inline]
    pub fn wait(&self, waiting: Waiting, is_ready: impl Fn() -> bool) {
        // Loads leave the cache line with whoever is about to call; the swap takes it away, once.
        while self.0.load(Ordering::Relaxed) != CALLED {
            if waiting == Waiting::Spin && is_ready() {
                return;
            }
            match waiting {
                Waiting::Spin => spin_loop(),
                Waiting::Yield => yield_now(),
                Waiting::Park => wait(&self.0, 0),
            }
        }
        // Acquire: pairs with the swap in `call`.
        self.0.swap(0, Ordering::Acquire);
    }
}
