//! Whose turn it is. The processor with the smallest clock goes on, of equal clocks the one with the lower id.
//!
//! A clock and an id are one number, a [`Turn`]: comparing two says who goes first. The runner is not in the heap; it goes on
//! as long as its turn is before the smallest of the heap, which is kept beside it, so that asking costs one comparison. When
//! it is not, the runner and the top of the heap change places.

use std::cell::{Cell, RefCell};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::super::times::Account;
use crate::random::SplitMix;

/// A clock in nanoseconds, and in its low bits the id of the processor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Turn(u64);

const ID_BITS: u32 = 10;

/// The most processors a virtual machine has.
pub const MOST_PROCESSORS: usize = 1 << ID_BITS;

impl Turn {
    /// After everybody's.
    pub const NEVER: Self = Self(u64::MAX);

    pub fn new(clock: u64, id: usize) -> Self {
        Self(clock << ID_BITS | id as u64)
    }

    #[inline(always)]
    pub fn clock(self) -> u64 {
        self.0 >> ID_BITS
    }

    #[inline(always)]
    pub fn id(self) -> usize {
        (self.0 & (MOST_PROCESSORS as u64 - 1)) as usize
    }

    #[inline(always)]
    pub fn after(self, nanoseconds: u64) -> Self {
        Self(self.0 + (nanoseconds << ID_BITS))
    }
}

/// What the scheduler knows of a processor.
pub struct Slot {
    pub account: Account,
    pub random: RefCell<SplitMix>,
    /// Its clock while it is parked, and when it has finished.
    pub clock: Cell<u64>,
    /// What it waits for, if it is parked.
    pub parked: Cell<Option<&'static str>>,
    /// It has been called while it was not parked.
    pub token: Cell<bool>,
    /// How often it has waited since the run failed.
    pub waits_after_failure: Cell<u32>,
}

/// All processors of a machine.
pub struct Scheduler {
    runner: Cell<Turn>,
    next: Cell<Turn>,
    others: RefCell<BinaryHeap<Reverse<Turn>>>,
    pub slots: Vec<Slot>,
}

impl Scheduler {
    /// Processors that all begin at 0, number 0 first.
    pub fn new(processors: usize, seed: u64, keeps_spans: bool) -> Self {
        let mut seeds = SplitMix::new(seed);
        let slot = || Slot {
            account: Account::new(keeps_spans),
            random: RefCell::new(SplitMix::new(seeds.next())),
            clock: Cell::new(0),
            parked: Cell::new(None),
            token: Cell::new(false),
            waits_after_failure: Cell::new(0),
        };
        let slots = std::iter::repeat_with(slot).take(processors).collect();
        let others: BinaryHeap<_> = (1..processors).map(|id| Reverse(Turn::new(0, id))).collect();
        let next = others.peek().map_or(Turn::NEVER, |top| top.0);
        Self { runner: Cell::new(Turn::new(0, 0)), next: Cell::new(next), others: RefCell::new(others), slots }
    }

    /// The processor that runs.
    #[inline(always)]
    pub fn runner(&self) -> Turn {
        self.runner.get()
    }

    /// Time passes for the runner.
    #[inline(always)]
    pub fn advance(&self, nanoseconds: u64) {
        self.runner.set(self.runner.get().after(nanoseconds));
    }

    /// The runner's clock becomes this, if it is not beyond it already.
    pub fn advance_to(&self, clock: u64) {
        let runner = self.runner.get();
        self.runner.set(runner.max(Turn::new(clock, runner.id())));
    }

    /// Whether the runner is the one to go on.
    #[inline(always)]
    pub fn is_first(&self) -> bool {
        self.runner.get() < self.next.get()
    }

    /// The runner and the first of the others change places.
    pub fn swap(&self) {
        let mut others = self.others.borrow_mut();
        if let Some(mut top) = others.peek_mut() {
            let next = std::mem::replace(&mut *top, Reverse(self.runner.get()));
            self.runner.set(next.0);
        }
        self.next.set(others.peek().map_or(Turn::NEVER, |top| top.0));
    }

    /// The runner stops running, parked or finished; the first of the others goes on. False if there is none.
    pub fn leave(&self) -> bool {
        let runner = self.runner.get();
        self.slots[runner.id()].clock.set(runner.clock());
        let mut others = self.others.borrow_mut();
        let next = others.pop();
        self.next.set(others.peek().map_or(Turn::NEVER, |top| top.0));
        next.map(|next| self.runner.set(next.0)).is_some()
    }

    /// A parked processor runs again, not before this moment.
    pub fn wake(&self, id: usize, clock: u64) {
        let slot = &self.slots[id];
        slot.parked.set(None);
        let turn = Turn::new(slot.clock.get().max(clock), id);
        self.others.borrow_mut().push(Reverse(turn));
        self.next.set(self.next.get().min(turn));
    }

    /// The runner has left and nobody runs: the first of those that were woken since does.
    pub fn resume_any(&self) -> bool {
        let mut others = self.others.borrow_mut();
        let next = others.pop();
        self.next.set(others.peek().map_or(Turn::NEVER, |top| top.0));
        next.map(|next| self.runner.set(next.0)).is_some()
    }

    /// Who is parked, and what for.
    pub fn waiting(&self) -> Vec<(usize, &'static str)> {
        self.slots.iter().enumerate().filter_map(|(id, slot)| Some((id, slot.parked.get()?))).collect()
    }
}
