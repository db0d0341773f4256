//! A lock that both machines understand.
//!
//! On real threads its word has three states. Whoever finds it `FREE` makes it `TAKEN`. Who must wait spins, yields, or
//! marks it `CONTENDED` and sleeps until it changes; one that has slept takes it as `CONTENDED` again, since others may
//! still sleep. The holder makes it `FREE`, and wakes one sleeper if it was `CONTENDED`. Waiters that are served in the
//! order of asking line up first, see the module `in_order`. On a virtual machine no processor is suspended inside a
//! critical section, so the word is always free when it is asked for; what waiting costs follows from [`VirtualState`].
//!
//! # Memory ordering
//! The swap to `FREE` in [`LockWord::give_back`] is a `Release`. It pairs with the `Acquire` of whichever operation
//! takes the lock next: the exchange in [`LockWord::try_take`] or the swap in [`LockWord::take_contended`]. So
//! everything that a holder wrote to the guarded value is seen by the next one. All else is `Relaxed`: the load of the
//! spinning loop only says when to try the exchange, `holder` is compared only with what the comparing thread itself
//! wrote there, and the virtual state belongs to the one thread that runs the whole virtual machine.

use std::cell::UnsafeCell;
use std::fmt::Debug;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};

use super::in_order::{Patience, Queue, Seat, Tickets};
use super::processor::{Line, Processor, RunNumber, Waiting};
use crate::sync::{AtomicU16, AtomicU32, AtomicU64, Futex, Ordering, spin_loop, wait, wake_one, yield_now};

/// State of a lock, without the value that it guards. The default is a free lock.
#[derive(Debug, Default)]
pub struct LockWord {
    /// [`FREE`], [`TAKEN`], or [`CONTENDED`] if a thread may be sleeping until the lock is free.
    state: Futex,
    /// Id of the holder plus 1, or 0.
    holder: AtomicU16,
    /// Threads that wait by [`Waiting::Queue`].
    queue: Queue,
    pub(super) virtual_state: VirtualState,
}

/// State of a lock on a virtual machine. The fields are atomics only because the same lock serves real threads.
#[derive(Debug, Default)]
pub(super) struct VirtualState {
    /// Run to which `free_at` belongs.
    run: AtomicU32,
    /// Clock at which the last holder gives the lock back.
    free_at: AtomicU64,
    /// Processors that wait until the lock is free; on a real machine threads that wait by [`Waiting::Ticket`], which
    /// have no room elsewhere: locks that share a cache line with other words are 48 bytes.
    pub tickets: Tickets,
    line: Line,
}

impl VirtualState {
    /// Clock at which the lock is free again.
    pub fn free_at(&self, run: RunNumber) -> u64 {
        if self.run.load(Ordering::Relaxed) == run.get() { self.free_at.load(Ordering::Relaxed) } else { 0 }
    }

    /// Notes that the lock is given back at this clock.
    pub fn set_free_at(&self, clock: u64, run: RunNumber) {
        self.run.store(run.get(), Ordering::Relaxed);
        self.free_at.store(clock, Ordering::Relaxed);
    }
}

const FREE: u32 = 0;
const TAKEN: u32 = 1;
const CONTENDED: u32 = 2;

impl LockWord {
    /// Cache line on which the word lies.
    pub(super) fn line(&self) -> &Line {
        &self.virtual_state.line
    }

    /// Whether somebody holds the lock.
    #[inline]
    pub(super) fn is_taken(&self) -> bool {
        self.state.load(Ordering::Relaxed) != FREE
    }

    /// Takes the lock if it is free.
    #[inline]
    pub(super) fn try_take(&self, id: usize) -> bool {
        // Acquire: pairs with the swap in `give_back`.
        let free = self.state.compare_exchange(FREE, TAKEN, Ordering::Acquire, Ordering::Relaxed).is_ok();
        if free {
            self.holder.store(id as u16 + 1, Ordering::Relaxed);
        }
        free
    }

    /// Waits for a lock that was not free. The seats are those of all threads, if they wait by [`Waiting::Queue`].
    #[cold]
    pub(super) fn take_contended(&self, id: usize, waiting: Waiting, seats: &[Seat]) {
        assert!(self.holder.load(Ordering::Relaxed) != id as u16 + 1, "processor {id} takes a lock that it holds");
        match waiting {
            Waiting::Spin => {
                while !self.try_take(id) {
                    while self.state.load(Ordering::Relaxed) != FREE {
                        spin_loop();
                    }
                }
            }
            Waiting::Yield => {
                while !self.try_take(id) {
                    yield_now();
                }
            }
            Waiting::Park | Waiting::SpinPark => {
                // Acquire: pairs with the swap in `give_back`.
                while self.state.swap(CONTENDED, Ordering::Acquire) != FREE {
                    wait(&self.state, CONTENDED);
                }
                self.holder.store(id as u16 + 1, Ordering::Relaxed);
            }
            Waiting::Ticket => {
                let ticket = self.virtual_state.tickets.draw();
                self.take_when(id, || ticket.before() == 0);
            }
            Waiting::Queue => {
                self.queue.line_up(id, seats);
                self.take_when(id, || true);
                self.queue.leave(id, seats);
            }
        }
    }

    /// Waits in line until it is the turn of this thread and the lock is free.
    fn take_when(&self, id: usize, is_its_turn: impl Fn() -> bool) {
        let mut patience = Patience::default();
        while !is_its_turn() || self.is_taken() || !self.try_take(id) {
            patience.pause();
        }
    }

    /// Whether this thread is the last of so many in line.
    #[cfg(test)]
    pub(super) fn has_in_line(&self, count: usize, id: usize) -> bool {
        usize::from(self.virtual_state.tickets.waiting()) == count || self.queue.is_last(id)
    }

    /// Gives the lock back and wakes one of the threads that sleep until it is free.
    #[inline]
    pub(super) fn give_back(&self) {
        self.holder.store(0, Ordering::Relaxed);
        // Release: pairs with the exchange in `try_take` and the swap in `take_contended`.
        if self.state.swap(FREE, Ordering::Release) == CONTENDED {
            wake_one(&self.state);
        }
    }
}

/// A value that one processor at a time may see and change.
#[derive(Default)]
pub struct Lock<T> {
    word: LockWord,
    value: UnsafeCell<T>,
}

// SAFETY: the value is reached only through `&mut Lock`, or through a `Held`, which a processor makes after it has
// acquired the word. By the contract of `Processor` no other has acquired it then, and the last holder's writes are
// visible. The word of a `Lock` cannot be named outside this room, so nothing but dropping the `Held` releases it.
// `T: Send` because the holder may be any thread.
unsafe impl<T: Send> Sync for Lock<T> {}

impl<T> Lock<T> {
    /// A free lock around a value.
    pub fn new(value: T) -> Self {
        Self { word: LockWord::default(), value: UnsafeCell::new(value) }
    }

    /// State of the lock. Not public: releasing it while a [`Held`] lives would let a second holder in.
    pub(super) fn word(&self) -> &LockWord {
        &self.word
    }

    /// Cache line on which the lock's word lies, for what lies there too.
    pub(crate) fn line(&self) -> &Line {
        self.word.line()
    }

    /// Takes the lock apart and returns the value.
    pub fn into_inner(self) -> T {
        self.value.into_inner()
    }
}

impl<T> Debug for Lock<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Lock").field("word", &self.word).finish_non_exhaustive()
    }
}

/// Access to the value that a lock guards. Dropping it gives the lock back.
#[must_use = "the lock is given back at once"]
pub struct Held<'a, T, P: Processor> {
    processor: &'a P,
    lock: &'a Lock<T>,
    /// Shared between threads only where the value may be: it lends out `&T`.
    value: PhantomData<&'a mut T>,
}

impl<'a, T, P: Processor> Held<'a, T, P> {
    /// Access for a processor that has just acquired the lock.
    pub(super) fn new(processor: &'a P, lock: &'a Lock<T>) -> Self {
        Self { processor, lock, value: PhantomData }
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
