//! A processor of the virtual machine: what each verb costs, and where others may go first.

use std::cell::Cell;
use std::panic::resume_unwind;
use std::sync::atomic::Ordering;

use corosensei::Yielder;

use super::super::cost::CostModel;
use super::super::lock::LockWord;
use super::super::processor::{Access, Processor, RunNumber, Waiting, Work};
use super::super::times::Activity;
use super::super::{Evicted, PATIENCE_WITH_WAITERS};
use super::Switching;
use super::scheduler::Scheduler;

/// Why a processor gives up its turn.
#[derive(Clone, Copy, Debug)]
pub enum Pause {
    /// Somebody else's clock is behind.
    Turn,
    /// It waits to be called.
    Parked,
}

/// What all processors of a run share.
pub struct Shared<'a> {
    pub run: RunNumber,
    pub scheduler: Scheduler,
    pub model: &'a CostModel,
    pub waiting: Waiting,
    pub switching: Switching,
    pub stopped: Cell<bool>,
    pub failed: Cell<bool>,
    /// When the shared bus is free again.
    pub bus_free_at: Cell<u64>,
}

/// A processor in simulated time.
pub struct VirtualProcessor<'a> {
    id: usize,
    shared: &'a Shared<'a>,
    yielder: &'a Yielder<(), Pause>,
    /// How many locks it holds. Nobody is suspended while holding one.
    locks_held: Cell<u32>,
}

impl<'a> VirtualProcessor<'a> {
    pub fn new(id: usize, shared: &'a Shared<'a>, yielder: &'a Yielder<(), Pause>) -> Self {
        Self { id, shared, yielder, locks_held: Cell::new(0) }
    }

    /// Those whose clocks are behind go first.
    #[inline(always)]
    fn let_others_go_first(&self) {
        if !self.shared.scheduler.is_first() && self.locks_held.get() == 0 {
            self.yielder.suspend(Pause::Turn);
        }
    }

    /// Time passes, a little more or less of it than the model says.
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

    /// A shared object is fetched from wherever it was last, over the bus if there is one.
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

    /// A processor of a failed run that keeps waiting does not look at the stop flag: it is made to end.
    fn lose_patience(&self) {
        let waits = &self.shared.scheduler.slots[self.id].waits_after_failure;
        waits.set(waits.get() + 1);
        if self.shared.failed.get() && waits.get() > PATIENCE_WITH_WAITERS && !std::thread::panicking() {
            resume_unwind(Box::new(Evicted));
        }
    }

    /// Takes the lock at the present clock.
    fn hold(&self, lock: &LockWord, others_waiting: u32, was_contended: bool) {
        // The word is free: on this machine nobody else can be inside. It is taken all the same, so that a lock which two
        // machines use at once is noticed.
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

impl Processor for VirtualProcessor<'_> {
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
            self.lose_patience();
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
