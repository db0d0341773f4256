//! One processor, which is the calling thread: sequential search pays nothing for being written for many.

use std::cell::Cell;
use std::time::Instant;

use super::lock::LockWord;
use super::processor::{Access, Processor, Waiting, Work};
use super::times::{Account, Activity, Times};

/// A processor that is alone.
#[derive(Debug)]
pub struct Solo {
    start: Instant,
    account: Account,
    token: Cell<bool>,
    stopped: Cell<bool>,
}

impl Solo {
    /// The calling thread, from now on.
    pub fn new() -> Self {
        Self { start: Instant::now(), account: Account::new(false), token: Cell::new(false), stopped: Cell::new(false) }
    }

    /// Where the time went until now.
    pub fn times(&self) -> Times {
        self.account.close(self.now())
    }
}

impl Default for Solo {
    fn default() -> Self {
        Self::new()
    }
}

impl Processor for Solo {
    const IS_VIRTUAL: bool = false;

    #[inline(always)]
    fn id(&self) -> usize {
        0
    }

    #[inline(always)]
    fn count(&self) -> usize {
        1
    }

    fn now(&self) -> u64 {
        self.start.elapsed().as_nanos() as u64
    }

    #[inline(always)]
    fn spend(&self, _: Work) {}

    #[inline(always)]
    fn touch(&self, _: Access<'_>) {}

    /// # Panics
    /// If nobody has called before: nobody else ever will.
    fn park(&self, what: &'static str) {
        let called = self.token.replace(false) || self.stopped.get();
        assert!(called, "the only processor waits for {what}");
    }

    fn unpark(&self, _: usize) {
        self.token.set(true);
    }

    fn stop(&self) {
        self.stopped.set(true);
    }

    #[inline(always)]
    fn is_stopped(&self) -> bool {
        self.stopped.get()
    }

    fn enter(&self, activity: Activity) -> Activity {
        self.account.enter(activity, self.now())
    }

    #[inline]
    fn acquire(&self, lock: &LockWord) {
        if !lock.try_take(0) {
            lock.take_contended(0, Waiting::Park);
        }
    }

    #[inline]
    fn try_acquire(&self, lock: &LockWord) -> bool {
        lock.try_take(0)
    }

    #[inline]
    fn release(&self, lock: &LockWord) {
        lock.give_back();
    }
}
