//! A lock that both machines understand.

use std::cell::UnsafeCell;
use std::fmt::Debug;
use std::ops::{Deref, DerefMut};
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use super::processor::{Line, Processor, RunNumber, Waiting};

/// The lock without what it guards.
#[derive(Debug, Default)]
pub struct LockWord {
    /// On real threads: [`FREE`], [`TAKEN`], or [`CONTENDED`] if somebody sleeps until it is free.
    state: AtomicU32,
    /// Who holds it, plus 1.
    holder: AtomicU32,
    pub(super) virtual_state: VirtualState,
}

/// What a virtual machine knows of a lock. One thread runs the whole machine, so the atomics need no ordering; they are
/// atomics only because the same lock serves real threads.
#[derive(Debug, Default)]
pub(super) struct VirtualState {
    /// The run to which `free_at` belongs.
    run: AtomicU32,
    /// When the last holder will have given it back.
    free_at: AtomicU64,
    /// How many processors wait for that moment.
    pub waiters: AtomicU32,
    pub line: Line,
}

impl VirtualState {
    /// When the lock is free again.
    pub fn free_at(&self, run: RunNumber) -> u64 {
        if self.run.load(Ordering::Relaxed) == run.get() { self.free_at.load(Ordering::Relaxed) } else { 0 }
    }

    /// It is given back at this moment.
    pub fn set_free_at(&self, clock: u64, run: RunNumber) {
        self.run.store(run.get(), Ordering::Relaxed);
        self.free_at.store(clock, Ordering::Relaxed);
    }
}

const FREE: u32 = 0;
const TAKEN: u32 = 1;
const CONTENDED: u32 = 2;

impl LockWord {
    /// A free lock.
    pub const fn new() -> Self {
        Self {
            state: AtomicU32::new(FREE),
            holder: AtomicU32::new(0),
            virtual_state: VirtualState {
                run: AtomicU32::new(0),
                free_at: AtomicU64::new(0),
                waiters: AtomicU32::new(0),
                line: Line::new(),
            },
        }
    }

    /// Takes the lock if it is free.
    #[inline]
    pub(super) fn try_take(&self, id: usize) -> bool {
        let free = self.state.compare_exchange(FREE, TAKEN, Ordering::Acquire, Ordering::Relaxed).is_ok();
        if free {
            self.holder.store(id as u32 + 1, Ordering::Relaxed);
        }
        free
    }

    /// Waits for a lock that was not free.
    #[cold]
    pub(super) fn take_contended(&self, id: usize, waiting: Waiting) {
        assert!(self.holder.load(Ordering::Relaxed) != id as u32 + 1, "processor {id} takes a lock that it holds");
        match waiting {
            Waiting::Spin => {
                while !self.try_take(id) {
                    while self.state.load(Ordering::Relaxed) != FREE {
                        std::hint::spin_loop();
                    }
                }
            }
            Waiting::Yield => {
                while !self.try_take(id) {
                    std::thread::yield_now();
                }
            }
            Waiting::Park => {
                // Whoever has slept leaves the lock marked, since others may sleep still.
                while self.state.swap(CONTENDED, Ordering::Acquire) != FREE {
                    atomic_wait::wait(&self.state, CONTENDED);
                }
                self.holder.store(id as u32 + 1, Ordering::Relaxed);
            }
        }
    }

    /// Gives the lock back and wakes one who sleeps for it.
    #[inline]
    pub(super) fn give_back(&self) {
        self.holder.store(0, Ordering::Relaxed);
        if self.state.swap(FREE, Ordering::Release) == CONTENDED {
            atomic_wait::wake_one(&self.state);
        }
    }
}

/// A value that one processor at a time may see and change.
#[derive(Default)]
pub struct Lock<T> {
    word: LockWord,
    value: UnsafeCell<T>,
}

// SAFETY: a reference to the value is only given out by `Held`, of which there is one at a time: on real threads because
// `LockWord` is taken by an atomic exchange, on a virtual machine because nobody is suspended while holding a lock.
unsafe impl<T: Send> Sync for Lock<T> {}

impl<T> Lock<T> {
    /// A free lock around a value.
    pub const fn new(value: T) -> Self {
        Self { word: LockWord::new(), value: UnsafeCell::new(value) }
    }

    /// The lock without the value.
    pub fn word(&self) -> &LockWord {
        &self.word
    }

    /// The value, when nobody else can have it.
    pub fn get_mut(&mut self) -> &mut T {
        self.value.get_mut()
    }

    /// The value, when all is over.
    pub fn into_inner(self) -> T {
        self.value.into_inner()
    }
}

impl<T> Debug for Lock<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Lock").field("word", &self.word).finish_non_exhaustive()
    }
}

/// Access to what a lock guards. Dropping it gives the lock back.
#[must_use = "the lock is given back at once"]
pub struct Held<'a, T, P: Processor> {
    processor: &'a P,
    lock: &'a Lock<T>,
}

impl<'a, T, P: Processor> Held<'a, T, P> {
    /// The processor has just taken the lock.
    pub(super) fn new(processor: &'a P, lock: &'a Lock<T>) -> Self {
        Self { processor, lock }
    }
}

impl<T, P: Processor> Deref for Held<'_, T, P> {
    type Target = T;

    fn deref(&self) -> &T {
        // SAFETY: this processor holds the lock.
        unsafe { &*self.lock.value.get() }
    }
}

impl<T, P: Processor> DerefMut for Held<'_, T, P> {
    fn deref_mut(&mut self) -> &mut T {
        // SAFETY: this processor holds the lock, and `&mut self` lets out one reference at a time.
        unsafe { &mut *self.lock.value.get() }
    }
}

impl<T, P: Processor> Drop for Held<'_, T, P> {
    fn drop(&mut self) {
        self.processor.release(&self.lock.word);
    }
}
