//! The verbs in which a parallel search is written.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use super::lock::{Held, Lock, LockWord};
use super::times::Activity;
use crate::choices::choices;

/// Private work, by kind. What it costs is the cost model's to say; on real threads it costs what it takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Work {
    /// Entering a node of the main search.
    MainNode,
    /// Entering a node of the quiescence search.
    QuiescenceNode,
    /// Evaluating a position.
    Evaluation,
    /// Generating the moves of a position.
    Generation,
    /// Making a split point known.
    Split,
    /// Joining a split point as a helper.
    Join,
    /// Copying this many bytes that are not in the own cache.
    Copy {
        /// How many.
        bytes: u32,
    },
    /// Rebuilding a position of which only squares and state were copied.
    Rebuilding,
    /// Anything else, in nanoseconds of the virtual machine.
    Nanoseconds(u32),
}

/// What others see and is about to be looked at or changed.
#[derive(Clone, Copy, Debug)]
pub enum Access<'a> {
    /// An entry of a table of this many bytes.
    Table {
        /// The size of the whole table.
        bytes: u64,
    },
    /// An object that wanders from cache to cache.
    Object(&'a Line),
    /// Something that costs nothing to reach; only the order matters.
    Free,
}

/// The trace that processors leave on a shared object: who had it last, and in which run. Only a virtual machine reads and
/// writes it; on real threads the caches themselves keep this account, and nobody touches the word.
#[derive(Debug, Default)]
pub struct Line(AtomicU64);

/// A number for each run of a virtual machine in this process, so that what an earlier run left on an object means nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RunNumber(u32);

impl RunNumber {
    /// A number that no run has had. The first is 1, so that 0 stands for no run.
    pub fn next() -> Self {
        static LAST: AtomicU32 = AtomicU32::new(0);
        Self(LAST.fetch_add(1, Ordering::Relaxed).wrapping_add(1))
    }

    pub fn get(self) -> u32 {
        self.0
    }
}

impl Line {
    /// A trace that nobody has left yet.
    pub const fn new() -> Self {
        Self(AtomicU64::new(0))
    }

    /// Who had the object last in this run, and notes that `id` has it now.
    pub(super) fn pass_to(&self, id: usize, run: RunNumber) -> Option<usize> {
        // One thread runs the whole virtual machine: no ordering is needed.
        let last = self.0.load(Ordering::Relaxed);
        self.0.store(u64::from(run.0) << 32 | id as u64, Ordering::Relaxed);
        (last >> 32 == u64::from(run.0)).then_some((last & 0xFFFF_FFFF) as usize)
    }
}

choices! {
    /// How a processor waits for a lock or to be woken.
    pub enum Waiting, "way of waiting";
    /// Looks again and again: quickest to wake, and takes its core from everybody else.
    Spin "spin",
    /// Looks again whenever the operating system has nothing else for its core.
    Yield "yield",
    /// Sleeps until called.
    Park "park",
}

impl Default for Waiting {
    fn default() -> Self {
        Self::Park
    }
}

/// What a search thread runs on.
pub trait Processor: Sized {
    /// Whether time is simulated.
    const IS_VIRTUAL: bool;

    /// The number of this processor, from 0.
    fn id(&self) -> usize;

    /// How many processors there are.
    fn count(&self) -> usize;

    /// Nanoseconds since the run began.
    fn now(&self) -> u64;

    /// Private work was done: time passes, and nothing else.
    fn spend(&self, work: Work);

    /// What others see is about to be looked at or changed: those whose clocks are behind go first.
    fn touch(&self, access: Access<'_>);

    /// Waits until called. A call that came before is remembered, one at most. May return for no reason, so every caller
    /// asks its question again in a loop; returns at once when the run is stopped. `what` is told if everybody waits.
    fn park(&self, what: &'static str);

    /// Calls a processor that waits or is about to.
    fn unpark(&self, id: usize);

    /// Asks all processors to come to an end, and wakes those that wait.
    fn stop(&self);

    /// Whether all are asked to come to an end.
    fn is_stopped(&self) -> bool;

    /// From now on time belongs to this activity. Returns what it belonged to before.
    fn enter(&self, activity: Activity) -> Activity;

    /// Takes a lock, waiting for it if need be. Not for a processor that holds it already.
    fn acquire(&self, lock: &LockWord);

    /// Takes a lock if it is free.
    fn try_acquire(&self, lock: &LockWord) -> bool;

    /// Gives a lock back.
    fn release(&self, lock: &LockWord);

    /// Takes a lock and gives access to what it guards, until the result is dropped.
    #[inline]
    fn lock<'a, T>(&'a self, lock: &'a Lock<T>) -> Held<'a, T, Self> {
        self.acquire(lock.word());
        Held::new(self, lock)
    }

    /// Takes a lock if it is free.
    #[inline]
    fn try_lock<'a, T>(&'a self, lock: &'a Lock<T>) -> Option<Held<'a, T, Self>> {
        self.try_acquire(lock.word()).then(|| Held::new(self, lock))
    }

    /// Does something whose time belongs to this activity.
    #[inline]
    fn during<T>(&self, activity: Activity, work: impl FnOnce() -> T) -> T {
        let before = self.enter(activity);
        let result = work();
        self.enter(before);
        result
    }
}
