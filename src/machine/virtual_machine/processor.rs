//! A processor of the virtual machine: what each verb costs, and where others may go first.

use std::cell::Cell;
use std::panic::resume_unwind;
use std::sync::atomic::Ordering;

use corosensei::Yielder;

use super::super::cost::CostModel;
use super::super::processor::RunNumber;
use super::super::{Access, Activity, ForcedUnwind, LockWord, Processor, Waiting, Work};
use super::Switching;
use super::scheduler::Scheduler;

/// Reasons for which a processor is suspended.
#[derive(Clone, Copy, Debug)]
pub enum Pause {
    /// Another processor's clock is behind.
    Turn,
    /// The processor waits until it is woken.
    Parked,
}

/// State that all processors of a run share.
pub struct Shared<'a> {
    pub run: RunNumber,
    pub scheduler: Scheduler,
    pub model: &'a CostModel,
    pub waiting: Waiting,
    pub switching: Switching,
    pub stopped: Cell<bool>,
    pub failed: Cell<bool>,
    /// Clock at which the shared bus is free again.
    pub bus_free_at: Cell<u64>,
}

/// Number of waits after which a processor of a failed run is unwound.
const MOST_WAITS_AFTER_FAILURE: u32 = 10_000;

/// A processor in simulated time.
pub struct VirtualProcessor<'a> {
    id: usize,
    shared: &'a Shared<'a>,
    yielder: &'a Yielder<(), Pause>,
    /// Number of locks that the processor holds. It is not suspended while it holds one.
    locks_held: Cell<u32>,
    waits_after_failure: Cell<u32>,
}

impl<'a> VirtualProcessor<'a> {
    pub fn new(id: usize, shared: &'a Shared<'a>, yielder: &'a Yielder<(), Pause>) -> Self {
        Self { id, shared, yielder, locks_held: Cell::new(0), waits_after_failure: Cell::new(0) }
    }

    /// Lets processors whose clocks are behind go first.
    #[inline(always)]
    fn let_others_go_first(&self) {
        if !self.shared.scheduler.is_first() && self.locks_held.get() == 0 {
            self.yielder.suspend(Pause::Turn);
        }
    }

    /// Advances the clock by what the model says, a little more or less with jitter.
    #[inline(always)]
    fn pass(&self, nanoseconds: u64) {
        let permille = self.shared.model.jitter_permille;
        let mut passed = nanoseconds;
        if permille > 0 && nanoseconds > 0 {
            let mut random = self.shared.scheduler.slots[self.id].random.borrow_mut();
            passed = self.shared.model.with_jitter(nanoseconds, random.below(2 * permille + 1));
        }
        self.shared.scheduler.advance(passed);
    }

    fn clock(&self) -> u64 {
        self.shared.scheduler.runner().clock()
    }

    /// Fetches a shared object from the processor that had it last, over the bus if there is one.
    #[inline]
    fn fetch(&self, last: Option<usize>) {
        let model = self.shared.model;
        let (time, is_fetched) = model.transfer(self.id, last);
        if is_fetched && model.bus_line > 0 {
            let free_at = self.shared.bus_free_at.get().max(self.clock());
            self.shared.bus_free_at.set(free_at + model.bus_line);
            self.shared.scheduler.advance_to(free_at + model.bus_line);
        }
        self.shared.scheduler.advance(time);
    }

    fn wake(&self, id: usize, clock: u64) {
        let slot = &self.shared.scheduler.slots[id];
        if slot.parked.get().is_some() {
            self.shared.scheduler.wake(id, clock);
        } else {
            slot.token.set(true);
        }
    }

    /// Unwinds a processor that does not look at the stop flag: it goes on waiting although the run has failed.
    fn unwind_if_stuck(&self) {
        let waits = self.waits_after_failure.get() + 1;
        self.waits_after_failure.set(waits);
        if self.shared.failed.get() && waits > MOST_WAITS_AFTER_FAILURE && !std::thread::panicking() {
            resume_unwind(Box::new(ForcedUnwind));
        }
    }

    /// Takes a lock that is free at the present clock.
    fn hold(&self, lock: &LockWord, others_waiting: u32, was_contended: bool) {
        // The word is free, since no other processor of this machine can be inside. Taking it notices a lock that two
        // machines use at once.
        assert!(lock.try_take(self.id), "a lock is held by this processor already, or used by two machines at once");
        self.locks_held.set(self.locks_held.get() + 1);
        let model = self.shared.model;
        self.fetch(lock.virtual_state.line.pass_to(self.id, self.shared.run));
        self.shared.scheduler.advance(if was_contended {
            model.lock_handoff + u64::from(others_waiting) * model.lock_waiter
        } else {
            model.lock_free
        });
    }
}

// SAFETY: `hold`, by which both verbs take a lock, panics unless it has taken the word, which only `release` frees.
unsafe impl Processor for VirtualProcessor<'_> {
    const IS_VIRTUAL: bool = true;

    #[inline(always)]
    fn id(&self) -> usize {
        self.id
    }

    #[inline(always)]
    fn count(&self) -> usize {
        self.shared.scheduler.slots.len()
    }

    #[inline(always)]
    fn now(&self) -> u64 {
        self.clock()
    }

    #[inline]
    fn spend(&self, work: Work) {
        self.pass(self.shared.model.work(work));
        if self.shared.switching == Switching::AtSpend {
            self.let_others_go_first();
        }
    }

    #[inline]
    fn touch(&self, access: Access<'_>) {
        self.let_others_go_first();
        match access {
            Access::Free => {}
            Access::Table { bytes } => self.shared.scheduler.advance(self.shared.model.probe(bytes, self.count())),
            Access::Object(line) => self.fetch(line.pass_to(self.id, self.shared.run)),
        }
    }

    fn park(&self, what: &'static str) {
        assert!(self.locks_held.get() == 0, "processor {} waits for {what} while it holds a lock", self.id);
        self.let_others_go_first();
        if self.shared.stopped.get() {
            self.unwind_if_stuck();
            return;
        }
        let slot = &self.shared.scheduler.slots[self.id];
        if !slot.token.take() {
            slot.parked.set(Some(what));
            self.yielder.suspend(Pause::Parked);
            slot.token.set(false);
        }
    }

    fn unpark(&self, id: usize) {
        self.let_others_go_first();
        let model = self.shared.model;
        if self.shared.scheduler.slots[id].parked.get().is_some() {
            self.shared.scheduler.advance(model.call(self.shared.waiting));
        }
        self.wake(id, self.clock() + model.wake(self.shared.waiting));
    }

    fn stop(&self) {
        self.let_others_go_first();
        self.shared.stopped.set(true);
        for id in (0..self.count()).filter(|id| *id != self.id) {
            self.wake(id, self.clock() + self.shared.model.wake(self.shared.waiting));
        }
    }

    #[inline]
    fn is_stopped(&self) -> bool {
        self.let_others_go_first();
        self.shared.stopped.get()
    }

    #[inline]
    fn enter(&self, activity: Activity) -> Activity {
        self.shared.scheduler.slots[self.id].account.enter(activity, self.clock())
    }

    fn acquire(&self, lock: &LockWord) {
        self.let_others_go_first();
        let state = &lock.virtual_state;
        let free_at = || state.free_at(self.shared.run);
        let is_free = || self.clock() >= free_at();
        if is_free() {
            return self.hold(lock, 0, false);
        }
        let before = self.enter(Activity::Lock);
        let waiters = &state.waiters;
        waiters.store(waiters.load(Ordering::Relaxed) + 1, Ordering::Relaxed);
        while !is_free() {
            self.shared.scheduler.advance_to(free_at());
            self.let_others_go_first();
        }
        let others = waiters.load(Ordering::Relaxed) - 1;
        waiters.store(others, Ordering::Relaxed);
        self.hold(lock, others, true);
        self.enter(before);
    }

    fn try_acquire(&self, lock: &LockWord) -> bool {
        self.let_others_go_first();
        let is_free = self.clock() >= lock.virtual_state.free_at(self.shared.run);
        if is_free {
            self.hold(lock, 0, false);
        } else {
            self.fetch(lock.virtual_state.line.pass_to(self.id, self.shared.run));
        }
        is_free
    }

    fn release(&self, lock: &LockWord) {
        lock.virtual_state.set_free_at(self.clock(), self.shared.run);
        lock.give_back();
        self.locks_held.set(self.locks_held.get() - 1);
    }
}
