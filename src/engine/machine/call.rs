//! The word by which one thread of a real machine calls another. Several calls before the other waits are one.
//!
//! # Memory ordering
//! The `Release` swap in [`Call::call`] pairs with the `Acquire` swap that ends [`Call::wait`], so a woken thread sees
//! what its caller wrote before. A call that finds the word set is a `Release` too, and continues the release sequence
//! of the calls before it: the one swap that clears the word pairs with all of them.

use super::processor::Waiting;
use crate::sync::{AtomicBool, Futex, Ordering, spin_loop, wait, wake_one, yield_now};

/// Call of one thread by others, and a hint whether it works. On a cache line of its own.
#[derive(Default)]
#[repr(align(128))]
pub(super) struct Call {
    /// Whether the thread has been called since it last went on.
    word: Futex,
    /// Whether the processor is neither without work nor waiting. A hint, read and written `Relaxed`.
    pub is_busy: AtomicBool,
}

const CALLED: u32 = 1;
/// Word of a thread that spins first: it sleeps now or is about to, so that a call has to wake it.
const SLEEPS: u32 = 2;

/// Number of times that a thread checks before it sleeps.
pub(super) const CHECKS: u32 = if cfg!(loom) { 1 } else { SPIN_NS / CHECK_NS };
/// Time for which a thread spins before it sleeps, in nanoseconds: some times what it takes to wake one that sleeps.
pub(super) const SPIN_NS: u32 = 30_000;
/// Time that a check takes, with the pause after it, on processors of today.
const CHECK_NS: u32 = 40;

impl Call {
    /// Calls the thread, and wakes it if it may be sleeping.
    #[inline]
    pub fn call(&self, waiting: Waiting) {
        // Release: pairs with the swap in `wait`.
        let before = self.word.swap(CALLED, Ordering::Release);
        let may_sleep = if waiting == Waiting::SpinPark { before == SLEEPS } else { before != CALLED };
        if waiting.sleeps() && may_sleep {
            wake_one(&self.word);
        }
    }

    /// Waits until the thread has been called, or, if it spins, until it is ready. It does not spin before it sleeps if
    /// there are more threads than processors.
    #[inline]
    pub fn wait(&self, waiting: Waiting, is_oversubscribed: bool, is_ready: impl Fn() -> bool) {
        let mut checks = if is_oversubscribed { 0 } else { CHECKS };
        // Loads leave the cache line with whoever is about to call; the swap takes it away, once.
        while self.word.load(Ordering::Relaxed) != CALLED {
            if waiting.spins() && is_ready() {
                return;
            }
            match waiting {
                Waiting::Spin | Waiting::Ticket | Waiting::Queue => spin_loop(),
                Waiting::Yield => yield_now(),
                Waiting::Park => wait(&self.word, 0),
                Waiting::SpinPark if checks > 0 => {
                    checks -= 1;
                    spin_loop();
                }
                Waiting::SpinPark => {
                    // Who calls from now on has to wake this thread. Relaxed: the swap below orders what the call says.
                    let _ = self.word.compare_exchange(0, SLEEPS, Ordering::Relaxed, Ordering::Relaxed);
                    wait(&self.word, SLEEPS);
                }
            }
        }
        // Acquire: pairs with the swap in `call`.
        self.word.swap(0, Ordering::Acquire);
    }
}
