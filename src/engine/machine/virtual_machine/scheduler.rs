//! The order in which virtual processors run: the one with the smallest clock goes on, of equal clocks the one with the
//! lower id, unless a [schedule](super::schedule) says otherwise.
//!
//! A clock and an id are one number, a [`Turn`], so that one comparison says who goes first. The runner is not among
//! the [`Turns`]; it goes on as long as its turn is before the first of them, of which a copy is kept beside it. When
//! it is not, the runner and the first change places.

use std::cell::{Cell, RefCell};

use super::super::MOST_PROCESSORS;
use super::super::cost::CostModel;
use super::super::times::Account;
use super::schedule::{Policy, Schedule, Switch};
use crate::random::SplitMix;

/// A clock in nanoseconds, with the id of the processor in the low bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Turn(u64);

const ID_BITS: u32 = MOST_PROCESSORS.ilog2();

impl Turn {
    /// A turn after all others.
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

    /// # Panics
    /// If the clock would go beyond its end, after 208 days.
    #[inline(always)]
    pub fn after(self, nanoseconds: u64) -> Self {
        match self.0.checked_add(nanoseconds << ID_BITS) {
            Some(turn) => Self(turn),
            None => out_of_time(self),
        }
    }
}

#[cold]
#[inline(never)]
fn out_of_time(turn: Turn) -> ! {
    panic!("the clock of processor {} has come to its end, after 208 days", turn.id())
}

/// The scheduler's account of a processor.
pub struct Slot {
    pub account: Account,
    pub random: RefCell<SplitMix>,
    /// Clock at which the processor parked or finished.
    pub clock: Cell<u64>,
    /// Name of the condition that the processor waits for, if it is parked.
    pub parked: Cell<Option<&'static str>>,
    /// Whether the processor has finished its part.
    pub is_retired: Cell<bool>,
    /// Whether the processor has been woken while it was not parked.
    pub token: Cell<bool>,
    /// Address of the lock that the processor waits for, which somebody holds who is suspended; else 0.
    pub lock: Cell<usize>,
    /// Clocks at which it is taken away next, and comes back.
    away: Cell<Absence>,
    /// Random numbers from which the moments and lengths of its absences are drawn.
    absences: RefCell<SplitMix>,
}

/// A time for which a processor is taken away by other programs.
#[derive(Clone, Copy)]
struct Absence {
    from: u64,
    to: u64,
}

/// Turns of processors that can run, as a tree in which each node is the first of the two below it. Unlike a heap it
/// compares without branches, which nobody could predict.
struct Turns(Box<[Cell<Turn>]>);

impl Turns {
    /// Room for so many processors, none of which can run.
    fn new(processors: usize) -> Self {
        Self((0..2 * processors.next_power_of_two()).map(|_| Cell::new(Turn::NEVER)).collect())
    }

    /// Sets the turn of a processor, or [`Turn::NEVER`] if it cannot run.
    #[inline]
    fn set(&self, id: usize, turn: Turn) {
        let mut place = self.0.len() / 2 + id;
        self.0[place].set(turn);
        while place > 1 {
            let first = self.0[place].get().min(self.0[place ^ 1].get());
            place /= 2;
            self.0[place].set(first);
        }
    }

    /// The first turn; [`Turn::NEVER`] if nobody can run.
    #[inline(always)]
    fn first(&self) -> Turn {
        self.0[1].get()
    }
}

/// Turns of all processors of a machine.
pub struct Scheduler {
    runner: Cell<Turn>,
    next: Cell<Turn>,
    others: Turns,
    /// Order that is not that of the clocks, if it is wanted.
    policy: Option<RefCell<Policy>>,
    pub slots: Vec<Slot>,
    /// Mean times for which a processor is there and away, if it is ever away.
    here_and_away: Option<(u64, u64)>,
}

impl Scheduler {
    /// A scheduler whose processors all begin at clock 0, id 0 first.
    pub fn new(processors: usize, seed: u64, keeps_spans: bool, model: &CostModel, schedule: &Schedule) -> Self {
        let mut seeds = SplitMix::new(seed);
        let mut absence_seeds = SplitMix::new(!seed);
        let here_and_away = (model.away_permille > 0).then(|| {
            let share = model.away_permille;
            (model.away_time * (1000 - share) / share, model.away_time)
        });
        let slot = || Slot {
            account: Account::new(keeps_spans),
            random: RefCell::new(SplitMix::new(seeds.next())),
            clock: Cell::new(0),
            parked: Cell::new(None),
            is_retired: Cell::new(false),
            token: Cell::new(false),
            lock: Cell::new(0),
            away: Cell::new(Absence { from: u64::MAX, to: u64::MAX }),
            absences: RefCell::new(SplitMix::new(absence_seeds.next())),
        };
        let slots: Vec<Slot> = std::iter::repeat_with(slot).take(processors).collect();
        let others = Turns::new(processors);
        (1..processors).for_each(|id| others.set(id, Turn::new(0, id)));
        let policy = (*schedule != Schedule::SmallestClock)
            .then(|| RefCell::new(Policy::new(schedule.clone(), processors, seed ^ SCHEDULE_SEED)));
        // Under a policy the runner is never first by its clock, so that every switching point asks.
        let next = Cell::new(if policy.is_some() { Turn::new(0, 0) } else { others.first() });
        let scheduler = Self { runner: Cell::new(Turn::new(0, 0)), next, others, policy, slots, here_and_away };
        scheduler.slots.iter().for_each(|slot| scheduler.draw_absence(slot, 0));
        scheduler
    }

    /// Draws the next absence of a processor that is there since this clock.
    fn draw_absence(&self, slot: &Slot, since: u64) {
        if let Some((here, away)) = self.here_and_away {
            let mut random = slot.absences.borrow_mut();
            let from = since + random.below(2 * here + 1);
            slot.away.set(Absence { from, to: from + away / 2 + random.below(away + 1) });
        }
    }

    /// If other programs have taken the runner's processor, which has this slot, away meanwhile, its clock goes on to
    /// the moment at which it is back.
    #[inline(always)]
    pub fn be_away(&self, slot: &Slot) {
        if self.runner.get().clock() >= slot.away.get().from {
            self.wait_until_back(slot);
        }
    }

    #[cold]
    fn wait_until_back(&self, slot: &Slot) {
        while self.runner.get().clock() >= slot.away.get().from {
            let back = slot.away.get().to;
            self.advance_to(back);
            self.draw_absence(slot, back);
        }
    }

    /// Turn of the processor that runs.
    #[inline(always)]
    pub fn runner(&self) -> Turn {
        self.runner.get()
    }

    /// Advances the runner's clock.
    #[inline(always)]
    pub fn advance(&self, nanoseconds: u64) {
        self.runner.set(self.runner.get().after(nanoseconds));
    }

    /// Advances the runner's clock to this one, if it is not beyond it already.
    pub fn advance_to(&self, clock: u64) {
        let runner = self.runner.get();
        self.runner.set(runner.max(Turn::new(clock, runner.id())));
    }

    /// Whether no other processor's turn comes before the runner's.
    #[inline(always)]
    pub fn is_first(&self) -> bool {
        self.runner.get() < self.next.get()
    }

    /// Whether a policy chooses who goes on.
    #[inline(always)]
    pub fn has_policy(&self) -> bool {
        self.policy.is_some()
    }

    /// Number of switching points so far, under a policy.
    pub fn steps(&self) -> u64 {
        self.policy.as_ref().map_or(0, |policy| policy.borrow().step)
    }

    /// Switches that a policy has made.
    pub fn switches(&self) -> Vec<Switch> {
        self.policy.as_ref().map(|policy| std::mem::take(&mut policy.borrow_mut().made)).unwrap_or_default()
    }

    /// Lets a policy choose who goes on, and tells whether that is another processor.
    pub fn chooses_another(&self) -> bool {
        let runner = self.runner.get().id();
        self.policy.as_ref().is_some_and(|policy| policy.borrow_mut().choose(Some(runner)) == Some(true))
    }

    /// Runs the processor that a policy has chosen, at the clock that the last one has reached.
    fn run_chosen(&self, policy: &mut Policy) {
        let (now, id) = (self.runner.get().clock(), policy.take_chosen());
        self.runner.set(Turn::new(now.max(self.slots[id].clock.get()), id));
    }

    /// Suspends the runner and runs the first of the others.
    pub fn swap(&self) {
        if let Some(policy) = &self.policy {
            let mut policy = policy.borrow_mut();
            let runner = self.runner.get();
            self.slots[runner.id()].clock.set(runner.clock());
            self.run_chosen(&mut policy);
            return policy.add(runner.id());
        }
        let runner = self.runner.get();
        self.others.set(runner.id(), runner);
        self.run_first();
    }

    /// Takes the runner, parked or finished, out and runs the first of the others. False if there is none.
    pub fn leave(&self) -> bool {
        let runner = self.runner.get();
        self.slots[runner.id()].clock.set(runner.clock());
        self.run_next()
    }

    /// Runs the first of the others in place of a runner that has left. False if there is none.
    pub fn run_next(&self) -> bool {
        if let Some(policy) = &self.policy {
            let mut policy = policy.borrow_mut();
            let is_any = policy.choose(None).is_some();
            if is_any {
                self.run_chosen(&mut policy);
            }
            return is_any;
        }
        let is_any = self.others.first() != Turn::NEVER;
        if is_any {
            self.run_first();
        }
        is_any
    }

    /// Runs the first of the others, of whom there is one.
    fn run_first(&self) {
        let first = self.others.first();
        self.others.set(first.id(), Turn::NEVER);
        self.runner.set(first);
        self.next.set(self.others.first());
    }

    /// Lets a parked processor run again, not before this clock.
    pub fn wake(&self, id: usize, clock: u64) {
        let slot = &self.slots[id];
        slot.parked.set(None);
        slot.lock.set(0);
        let turn = Turn::new(slot.clock.get().max(clock), id);
        if let Some(policy) = &self.policy {
            slot.clock.set(turn.clock());
            return policy.borrow_mut().add(id);
        }
        self.others.set(id, turn);
        self.next.set(self.others.first());
    }

    /// Lets those run again who wait for the lock at this address.
    pub fn wake_for_lock(&self, lock: usize) {
        for (id, _) in self.slots.iter().enumerate().filter(|(_, slot)| slot.lock.get() == lock) {
            self.wake(id, self.runner.get().clock());
        }
    }

    /// Processors that wait, each with the name of the condition that it waits for.
    pub fn waiting(&self) -> Vec<(usize, &'static str)> {
        let waits_for = |slot: &Slot| slot.parked.get().or((slot.lock.get() != 0).then_some("a lock"));
        self.slots.iter().enumerate().filter_map(|(id, slot)| Some((id, waits_for(slot)?))).collect()
    }
}

/// Keeps the choices of a policy apart from the jitter.
const SCHEDULE_SEED: u64 = 0x5C4E_D01E;
