//! Micro-programs: each does one thing that processors do to one another, again and again, and nothing else. Run on
//! real and on virtual processors they show whether a cost model has the price of that one thing right.
//!
//! A program runs in slices. All processors meet before and after each, so that a slice in which one of them was held
//! up is long, and a low quantile over slices is the time on a quiet computer. Private work is arithmetic on real
//! processors, and the time that this arithmetic takes on virtual ones.
//!
//! # Memory ordering
//! Waiting processors read by `Acquire` what the one that they wait for has written by `Release`: the number of those
//! who have come to a `Meeting`, and the ball of [`PingPong`]. The counter of [`SharedCounter`] is a number by
//! itself, and so `Relaxed`.

use std::hint::black_box;
use std::sync::atomic::{AtomicU64, Ordering};

use super::{Access, Line, Lock, Processor, Program, Work};

/// Time from one look at a condition in a waiting loop to the next on a virtual machine: about that of the instruction
/// by which a real processor pauses.
const POLL: Work = Work::Nanoseconds(10);

/// Waits in a loop until something is true that another processor writes on this line.
fn wait_until<P: Processor>(processor: &P, line: &Line, is_true: impl Fn() -> bool) {
    loop {
        processor.touch(Access::Read(line));
        if is_true() || processor.is_stopped() {
            return;
        }
        processor.spend(POLL);
        std::hint::spin_loop();
    }
}

/// Value with the trace of its cache line, which it has for itself: neighbours are fetched in pairs.
#[derive(Debug, Default)]
#[repr(align(128))]
struct OwnLine<T> {
    value: T,
    line: Line,
}

/// Place at which all processors wait for one another.
#[derive(Debug, Default)]
pub struct Meeting(OwnLine<AtomicU64>);

impl Meeting {
    /// Waits until all have come for the `time`-th time, from 0.
    pub fn meet<P: Processor>(&self, processor: &P, time: u64) {
        let (line, arrived) = (&self.0.line, &self.0.value);
        processor.touch(Access::Write(line));
        // Release: pairs with the load below.
        arrived.fetch_add(1, Ordering::Release);
        let all = (time + 1) * processor.count() as u64;
        // Acquire: pairs with the additions of the others.
        wait_until(processor, line, || arrived.load(Ordering::Acquire) >= all);
    }
}

/// Private work of known duration.
#[derive(Clone, Copy, Debug)]
pub struct PrivateWork {
    /// Steps of arithmetic on a real processor.
    pub steps: u32,
    /// Nanoseconds on a virtual one.
    pub nanoseconds: u32,
}

impl PrivateWork {
    /// Work of about this duration, where a step takes `step` nanoseconds.
    pub fn of(nanoseconds: f64, step: f64) -> Self {
        let steps = (nanoseconds / step.max(0.1)).round().max(1.0);
        Self { steps: steps as u32, nanoseconds: (steps * step).round() as u32 }
    }

    #[inline(always)]
    fn work<P: Processor>(self, processor: &P, state: u64) -> u64 {
        processor.spend(Work::Nanoseconds(self.nanoseconds));
        if P::IS_VIRTUAL { state } else { arithmetic(state, self.steps) }
    }
}

/// Steps of arithmetic of which each needs the one before: a linear congruential generator (Knuth's MMIX).
#[inline(always)]
pub(super) fn arithmetic(mut state: u64, steps: u32) -> u64 {
    for _ in 0..steps {
        state = black_box(state).wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    }
    state
}

/// One thing that processors do to one another.
pub trait Mechanism: Sync {
    /// Number of operations in a turn.
    const OPERATIONS: u32 = 1;

    /// Takes one turn on this processor; `turn` counts from 0. Returns the state of the private work.
    fn turn<P: Processor>(&self, processor: &P, turn: u64, state: u64) -> u64;
}

/// Program that has all processors do one thing, in slices.
#[derive(Debug)]
pub struct Slices<M> {
    mechanism: M,
    slices: u64,
    turns: u64,
    meeting: Meeting,
}

impl<M: Mechanism> Slices<M> {
    /// Program of this number of slices, in each of which every processor takes this number of turns.
    pub fn new(mechanism: M, slices: u64, turns: u64) -> Self {
        Self { mechanism, slices, turns, meeting: Meeting::default() }
    }
}

impl<M: Mechanism> Program for Slices<M> {
    /// Nanoseconds of an operation, in each slice.
    type Output = Vec<f64>;

    fn run<P: Processor>(&self, processor: &P) -> Vec<f64> {
        let mut state = processor.id() as u64;
        let slice = |slice: u64| {
            self.meeting.meet(processor, 2 * slice);
            let start = processor.now();
            for turn in slice * self.turns..(slice + 1) * self.turns {
                state = self.mechanism.turn(processor, turn, state);
            }
            self.meeting.meet(processor, 2 * slice + 1);
            (processor.now() - start) as f64 / (self.turns * u64::from(M::OPERATIONS)) as f64
        };
        let times = (0..self.slices).map(slice).collect();
        black_box(state);
        times
    }
}

/// One cache line that two processors hand to and fro; others look on. An operation is one way.
#[derive(Debug, Default)]
pub struct PingPong(OwnLine<AtomicU64>);

impl Mechanism for PingPong {
    const OPERATIONS: u32 = 2;

    fn turn<P: Processor>(&self, processor: &P, turn: u64, state: u64) -> u64 {
        let (line, ball) = (&self.0.line, &self.0.value);
        // Acquire: pairs with the other's store.
        let wait_for = |number: u64| wait_until(processor, line, || ball.load(Ordering::Acquire) == number);
        let pass = |number: u64| {
            processor.touch(Access::Write(line));
            // Release: pairs with the other's load.
            ball.store(number, Ordering::Release);
        };
        match processor.id() {
            0 => {
                pass(2 * turn + 1);
                wait_for(2 * turn + 2);
            }
            1 => {
                wait_for(2 * turn + 1);
                pass(2 * turn + 2);
            }
            _ => {}
        }
        state
    }
}

/// One lock that all take, with a little work inside and outside. An operation is to take it, give it back, and do the
/// work.
#[derive(Debug)]
pub struct ContendedLock {
    lock: Lock<u64>,
    inside: PrivateWork,
    outside: PrivateWork,
}

impl ContendedLock {
    /// A free lock, with this work.
    pub fn new(inside: PrivateWork, outside: PrivateWork) -> Self {
        Self { lock: Lock::default(), inside, outside }
    }
}

impl Mechanism for ContendedLock {
    fn turn<P: Processor>(&self, processor: &P, _: u64, state: u64) -> u64 {
        let mut held = processor.lock(&self.lock);
        *held = self.inside.work(processor, *held);
        drop(held);
        self.outside.work(processor, state)
    }
}

/// One counter to which all add, or one adds and the others read, with some work between. An operation is an access
/// with its work.
#[derive(Debug)]
pub struct SharedCounter {
    counter: OwnLine<AtomicU64>,
    between: PrivateWork,
    /// Number of processors that add; those of higher numbers read.
    adding: usize,
}

impl SharedCounter {
    /// Counter to which all processors add.
    pub fn all_add(between: PrivateWork) -> Self {
        Self { counter: OwnLine::default(), between, adding: usize::MAX }
    }

    /// Counter to which processor 0 adds, and which the others read.
    pub fn one_adds(between: PrivateWork) -> Self {
        Self { adding: 1, ..Self::all_add(between) }
    }
}

impl Mechanism for SharedCounter {
    #[inline]
    fn turn<P: Processor>(&self, processor: &P, _: u64, state: u64) -> u64 {
        let (line, counter) = (&self.counter.line, &self.counter.value);
        let count = if processor.id() < self.adding {
            processor.touch(Access::Write(line));
            counter.fetch_add(1, Ordering::Relaxed)
        } else {
            processor.touch(Access::Read(line));
            counter.load(Ordering::Relaxed)
        };
        // The work needs the count, so that it cannot begin before the line has come.
        self.between.work(processor, state ^ count)
    }
}

#[cfg(test)]
mod tests {
    use super::super::cost::CostModel;
    use super::super::{Machine, VirtualMachine};
    use super::*;

    /// Model in which only these prices are not 0.
    fn only(change: impl Fn(&mut CostModel)) -> CostModel {
        let mut model = CostModel { jitter_permille: 0, ..CostModel::ideal() };
        change(&mut model);
        model
    }

    fn times<M: Mechanism>(mechanism: M, processors: usize, model: &CostModel) -> Vec<f64> {
        let program = Slices::new(mechanism, 4, 50);
        let mut run = VirtualMachine::new(processors, model.clone()).run(&program).unwrap();
        run.outputs.swap_remove(0)
    }

    /// Nanoseconds of a meeting, in an operation of a slice of 50.
    const MEETING: f64 = 500.0 / 50.0;

    fn are_about(times: &[f64], expected: f64) {
        assert!(times.iter().all(|time| (time - expected).abs() <= MEETING), "{times:?} instead of {expected}");
    }

    #[test]
    fn the_time_of_an_operation_follows_from_the_prices() {
        let work = |nanoseconds| PrivateWork { steps: 1, nanoseconds };
        let model = only(|model| (model.transfer_board, model.lock_handoff) = (100, 300));
        // The one who waits looks while its copy is being made invalid, so that one transfer hides the other.
        are_about(&times(PingPong::default(), 2, &model), 100.0);
        // In a turn each takes the lock once, and fetches its line.
        are_about(&times(ContendedLock::new(work(50), work(70)), 2, &model), 2.0 * (50.0 + 100.0 + 300.0));
        are_about(&times(ContendedLock::new(work(0), work(5_000)), 1, &model), 5_000.0);
        are_about(&times(SharedCounter::all_add(work(1_000)), 2, &model), 1_100.0);
        are_about(&times(SharedCounter::one_adds(work(1_000)), 2, &model), 1_100.0);
        are_about(&times(SharedCounter::all_add(work(1_000)), 1, &model), 1_000.0);
    }

    #[test]
    fn equal_runs_are_equal() {
        let work = PrivateWork { steps: 10, nanoseconds: 20 };
        let run = |seed, processors| {
            let machine = VirtualMachine { seed, ..VirtualMachine::new(processors, CostModel::reference()) };
            let times = |run: super::super::Run<Vec<f64>>| run.outputs.concat();
            [
                times(machine.run(&Slices::new(PingPong::default(), 2, 10)).unwrap()),
                times(machine.run(&Slices::new(ContendedLock::new(work, work), 2, 10)).unwrap()),
                times(machine.run(&Slices::new(SharedCounter::all_add(work), 2, 10)).unwrap()),
                times(machine.run(&Slices::new(SharedCounter::one_adds(work), 2, 10)).unwrap()),
            ]
        };
        for processors in [2, 3, 10] {
            assert_eq!(run(1, processors), run(1, processors));
            assert_ne!(run(1, processors), run(2, processors));
        }
    }
}
