//! Small programs that use every verb, and that know what must come out.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};

use splitpoint::machine::{Access, Activity, Home, Line, Lock, Processor, Program, Work};
use splitpoint::random::SplitMix;

/// Producers and consumers around a queue of few places.
pub struct BoundedQueue {
    pub items: u64,
    queue: Lock<VecDeque<u64>>,
    taken: Lock<Vec<u64>>,
}

impl BoundedQueue {
    const PLACES: usize = 4;

    pub fn new(items: u64) -> Self {
        Self { items, queue: Lock::default(), taken: Lock::default() }
    }

    fn wake_all<P: Processor>(processor: &P) {
        (0..processor.count()).filter(|id| *id != processor.id()).for_each(|id| processor.unpark(id));
    }

    /// Everything that was taken out, in the order in which it was.
    pub fn taken(self) -> Vec<u64> {
        self.taken.into_inner()
    }
}

impl Program for BoundedQueue {
    type Output = u64;

    /// Processor 0 fills the queue (and empties it, if it is alone); the others empty it.
    fn run<P: Processor>(&self, processor: &P) -> u64 {
        let mut mine = 0;
        let mut made = 0;
        let is_alone = processor.count() == 1;
        loop {
            if processor.id() == 0 && made < self.items {
                processor.during(Activity::Search, || processor.spend(Work::MainNode));
                let mut queue = processor.lock(&self.queue);
                if queue.len() < Self::PLACES {
                    queue.push_back(made);
                    made += 1;
                    drop(queue);
                    Self::wake_all(processor);
                    continue;
                }
            }
            if processor.id() != 0 || is_alone {
                let item = processor.lock(&self.queue).pop_front();
                if let Some(item) = item {
                    processor.spend(Work::QuiescenceNode);
                    processor.lock(&self.taken).push(item);
                    mine += 1;
                    processor.unpark(0);
                    continue;
                }
            }
            let all_taken = processor.lock(&self.taken).len() as u64 == self.items;
            if all_taken || processor.is_stopped() {
                Self::wake_all(processor);
                return mine;
            }
            processor.during(Activity::Idle, || processor.park("the queue"));
        }
    }
}

/// Sums up a tree: every processor waits for its two children and tells its parent.
pub struct TreeReduction {
    sums: Vec<(Line, AtomicU64)>,
}

impl TreeReduction {
    const NOTHING_YET: u64 = u64::MAX;

    pub fn new(processors: usize) -> Self {
        Self { sums: (0..processors).map(|_| (Line::new(), AtomicU64::new(Self::NOTHING_YET))).collect() }
    }
}

impl Program for TreeReduction {
    type Output = u64;

    fn run<P: Processor>(&self, processor: &P) -> u64 {
        let id = processor.id();
        processor.during(Activity::Search, || {
            (0..id % 7).for_each(|_| processor.spend(Work::MainNode));
            processor.touch(Access::Table { bytes: 64 << 20, home: &Home::default() });
        });
        let mut sum = id as u64;
        for child in [2 * id + 1, 2 * id + 2].into_iter().filter(|child| *child < processor.count()) {
            let (line, value) = &self.sums[child];
            processor.enter(Activity::Wait);
            sum += loop {
                processor.touch(Access::Write(line));
                match value.load(Ordering::Acquire) {
                    Self::NOTHING_YET if !processor.is_stopped() => processor.park("a child"),
                    value => break value,
                }
            };
            processor.enter(Activity::Search);
        }
        let (line, value) = &self.sums[id];
        processor.touch(Access::Write(line));
        value.store(sum, Ordering::Release);
        if id > 0 {
            processor.unpark((id - 1) / 2);
        }
        sum
    }
}

/// Everybody wants the same lock, again and again.
pub struct LockConvoy {
    pub rounds: usize,
    pub order: Lock<Vec<usize>>,
}

impl LockConvoy {
    pub fn new(rounds: usize) -> Self {
        Self { rounds, order: Lock::default() }
    }
}

impl Program for LockConvoy {
    type Output = usize;

    fn run<P: Processor>(&self, processor: &P) -> usize {
        let mut tried = 0;
        for round in 0..self.rounds {
            processor.spend(Work::Nanoseconds(17 * (processor.id() + round) as u32));
            if round % 3 == 2 {
                while processor.try_lock(&self.order).map(|mut order| order.push(processor.id())).is_none() {
                    processor.spend(Work::Nanoseconds(50));
                    tried += 1;
                }
            } else {
                let mut order = processor.lock(&self.order);
                processor.touch(Access::Copy { bytes: 2_320 });
                order.push(processor.id());
            }
        }
        tried
    }
}

/// A barrier of park and unpark, and a check that nobody gets ahead.
pub struct Barrier {
    pub rounds: u64,
    arrived: Lock<u64>,
    passed: (Line, AtomicU64),
}

impl Barrier {
    pub fn new(rounds: u64) -> Self {
        Self { rounds, arrived: Lock::new(0), passed: (Line::new(), AtomicU64::new(0)) }
    }
}

impl Program for Barrier {
    type Output = u64;

    fn run<P: Processor>(&self, processor: &P) -> u64 {
        let (line, passed) = &self.passed;
        for round in 0..self.rounds {
            processor.spend(Work::Nanoseconds(100 + 31 * ((processor.id() as u64 * 7 + round) % 11) as u32));
            let is_last = {
                let mut arrived = processor.lock(&self.arrived);
                *arrived += 1;
                *arrived == (round + 1) * processor.count() as u64
            };
            if is_last {
                processor.touch(Access::Write(line));
                passed.store(round + 1, Ordering::Release);
                (0..processor.count()).filter(|id| *id != processor.id()).for_each(|id| processor.unpark(id));
                continue;
            }
            loop {
                processor.touch(Access::Write(line));
                if passed.load(Ordering::Acquire) > round || processor.is_stopped() {
                    break;
                }
                processor.park("the barrier");
            }
        }
        processor.now()
    }
}

/// A program of random verbs, planned so that it must come to its end: a wait is only planned for a call that comes
/// before it in a serial order of all steps.
pub struct RandomVerbs {
    plans: Vec<Vec<Step>>,
    /// How often each processor has been signalled.
    signals: Vec<(Line, AtomicU64)>,
    counters: Vec<Lock<u64>>,
    /// How often each counter must have been raised in the end.
    pub expected: Vec<u64>,
}

#[derive(Clone, Copy, Debug)]
enum Step {
    Spend(u32),
    Touch(usize),
    Raise(usize),
    RaiseBoth(usize, usize),
    TryRaise(usize),
    Signal(usize),
    Await(u64),
    Enter(Activity),
    WakeForNothing(usize),
}

/// Whether the plan has a wait that nobody ever ends.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Plan {
    ComesToAnEnd,
    Deadlocks,
}

impl RandomVerbs {
    const COUNTERS: usize = 3;

    pub fn new(seed: u64, processors: usize, steps: usize, plan: Plan) -> Self {
        let mut random = SplitMix::new(seed);
        let mut pick = |below: usize| random.below(below as u64) as usize;
        let mut plans = vec![Vec::new(); processors];
        let mut sent = vec![0_u64; processors];
        let mut awaited = vec![0_u64; processors];
        let mut expected = vec![0; Self::COUNTERS];
        for _ in 0..steps {
            let id = pick(processors);
            let step = match pick(9) {
                0 | 1 => Step::Spend(pick(2_000) as u32),
                2 => Step::Touch(pick(processors)),
                3 => Step::Raise(pick(Self::COUNTERS)),
                4 => {
                    let first = pick(Self::COUNTERS - 1);
                    Step::RaiseBoth(first, first + 1 + pick(Self::COUNTERS - 1 - first))
                }
                5 => Step::TryRaise(pick(Self::COUNTERS)),
                6 => Step::Signal(pick(processors)),
                7 => Step::Enter(Activity::ALL[pick(Activity::ALL.len())]),
                _ if awaited[id] < sent[id] => Step::Await(awaited[id] + 1),
                _ => Step::WakeForNothing(pick(processors)),
            };
            match step {
                Step::Raise(counter) | Step::TryRaise(counter) => expected[counter] += 1,
                Step::RaiseBoth(first, second) => {
                    expected[first] += 1;
                    expected[second] += 1;
                }
                Step::Signal(other) => sent[other] += 1,
                Step::Await(number) => awaited[id] = number,
                Step::Spend(_) | Step::Touch(_) | Step::Enter(_) | Step::WakeForNothing(_) => {}
            }
            plans[id].push(step);
        }
        if plan == Plan::Deadlocks {
            let id = pick(processors);
            plans[id].push(Step::Await(sent[id] + 1));
        }
        Self {
            plans,
            signals: (0..processors).map(|_| Default::default()).collect(),
            counters: (0..Self::COUNTERS).map(|_| Lock::new(0)).collect(),
            expected,
        }
    }

    /// How often each counter was raised.
    pub fn counters(self) -> Vec<u64> {
        self.counters.into_iter().map(Lock::into_inner).collect()
    }

    fn step<P: Processor>(&self, processor: &P, step: Step) {
        match step {
            Step::Spend(time) => processor.spend(Work::Nanoseconds(time)),
            Step::Touch(other) => processor.touch(Access::Write(&self.signals[other].0)),
            Step::Raise(counter) => *processor.lock(&self.counters[counter]) += 1,
            // Always in this order, or two processors could wait for each other.
            Step::RaiseBoth(first, second) => {
                let mut first = processor.lock(&self.counters[first]);
                processor.spend(Work::Join);
                *processor.lock(&self.counters[second]) += 1;
                *first += 1;
            }
            Step::TryRaise(counter) => loop {
                if let Some(mut counter) = processor.try_lock(&self.counters[counter]) {
                    *counter += 1;
                    break;
                }
                processor.spend(Work::Nanoseconds(30));
            },
            Step::Signal(other) => {
                let (line, signals) = &self.signals[other];
                processor.touch(Access::Write(line));
                signals.fetch_add(1, Ordering::AcqRel);
                processor.unpark(other);
            }
            Step::Await(number) => {
                let before = processor.enter(Activity::Wait);
                let (line, signals) = &self.signals[processor.id()];
                loop {
                    processor.touch(Access::Write(line));
                    if signals.load(Ordering::Acquire) >= number || processor.is_stopped() {
                        break;
                    }
                    // A call may come just now, between the look and the wait: it must not be lost.
                    processor.spend(Work::Nanoseconds(150));
                    processor.park("a signal");
                }
                processor.enter(before);
            }
            Step::Enter(activity) => {
                processor.enter(activity);
            }
            Step::WakeForNothing(other) => processor.unpark(other),
        }
    }
}

impl Program for RandomVerbs {
    type Output = Vec<u64>;

    /// The clock after each step.
    fn run<P: Processor>(&self, processor: &P) -> Vec<u64> {
        let plan = &self.plans[processor.id()];
        plan.iter()
            .map(|step| {
                self.step(processor, *step);
                processor.now()
            })
            .collect()
    }
}
