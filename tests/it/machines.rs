//! The machines: the virtual one repeats itself to the bit, the textbook's cases come out to the nanosecond, and both
//! run the same programs to the same end.

use std::fmt::Debug;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use rayon::prelude::*;
use splitpoint::machine::cost::CostModel;
use splitpoint::machine::guard::SystemWatch;
use splitpoint::machine::host::Topology;
use splitpoint::machine::{
    Access, Activities, Activity, Area, Failure, Line, Lock, Machine, Pin, Processor, Program, RealMachine, Run,
    Schedule, Switching, VirtualMachine, Waiting, Work,
};
use splitpoint::record::{Account, Quietness, Surroundings, judge};

use crate::toys::{Barrier, BoundedQueue, LockConvoy, Plan, RandomVerbs, TreeReduction};

const SIZES: [usize; 5] = [1, 2, 7, 64, 1024];

pub fn virtual_machine(processors: usize, seed: u64) -> VirtualMachine {
    VirtualMachine { seed, ..VirtualMachine::new(processors, CostModel::reference()) }
}

/// Everything that can be seen of a run, in 64 bits.
fn digest(seen: &impl Debug) -> u64 {
    format!("{seen:?}")
        .bytes()
        .fold(0xCBF2_9CE4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3))
}

/// Sum over all activities.
pub fn total(times: &Activities) -> u64 {
    Activity::ALL.iter().map(|activity| times[*activity]).sum()
}

fn closes<T>(run: &Run<T>) {
    for (id, times) in run.times.iter().enumerate() {
        assert_eq!(total(times), run.elapsed, "processor {id}: {times:?}");
    }
}

/// Runs all toys on a machine and checks what must come out. Returns all that was seen.
pub fn run_toys<M: Machine>(machine: &M, rounds: usize) -> String {
    let processors = machine.processors();

    let queue = BoundedQueue::new(5 * rounds as u64);
    let queue_run = machine.run(&queue).unwrap();
    closes(&queue_run);
    assert_eq!(queue_run.outputs.iter().sum::<u64>(), queue.items);
    let items = queue.items;
    let mut taken = queue.taken();
    let order = taken.clone();
    taken.sort_unstable();
    assert_eq!(taken, (0..items).collect::<Vec<_>>());

    let tree = TreeReduction::new(processors);
    let tree_run = machine.run(&tree).unwrap();
    closes(&tree_run);
    assert_eq!(tree_run.outputs[0], (processors * (processors - 1) / 2) as u64);

    let convoy = LockConvoy::new(rounds);
    let convoy_run = machine.run(&convoy).unwrap();
    closes(&convoy_run);
    let holders = convoy.order.into_inner();
    assert_eq!(holders.len(), rounds * processors);

    let barrier = Barrier::new(rounds as u64);
    let barrier_run = machine.run(&barrier).unwrap();
    closes(&barrier_run);

    let all = format!("{queue_run:?} {order:?} {tree_run:?} {convoy_run:?} {holders:?} {barrier_run:?}");
    // No spans are kept, no switches made and no letters written: they are no part of what the digests were made of.
    all.replace(", spans: [], switches: []", "").replace(", network_ns: 0", "")
}

#[test]
fn the_same_seed_gives_the_same_bytes() {
    SIZES.par_iter().for_each(|&processors| {
        let rounds = if processors > 64 { 2 } else { 8 };
        let run = |seed| run_toys(&virtual_machine(processors, seed), rounds);
        let first = run(1);
        assert_eq!(first, run(1), "twice on {processors} processors");
        assert_ne!(first, run(2), "another seed on {processors} processors");
        let at_spend = VirtualMachine { switching: Switching::AtSpend, ..virtual_machine(processors, 1) };
        assert_eq!(first, run_toys(&at_spend, rounds), "switching at every spend on {processors} processors");
    });
}

/// The digests were written by one build; a debug build, a release build and every other host must agree with them.
#[test]
fn every_build_gives_the_same_bytes() {
    let digests = SIZES.map(|processors| digest(&run_toys(&virtual_machine(processors, 42), 3)));
    assert_eq!(digests.map(|digest| format!("{digest:016x}")), EXPECTED_DIGESTS);
}

const EXPECTED_DIGESTS: [&str; 5] =
    ["cde166ca409acad0", "7903203d64ba944f", "55c47fdf1e1b69f4", "43dc47bd0a54c02a", "74d76f315abe6c67"];

#[test]
fn a_program_can_be_run_again() {
    let machine = virtual_machine(7, 3);
    let convoy = LockConvoy::new(5);
    let first = machine.run(&convoy).unwrap();
    assert_eq!(machine.run(&convoy).unwrap(), first, "what the first run left on the lock must not matter");
}

/// Counts without saying that it is about to look at what others see.
struct ForgetsToTouch(AtomicU64);

impl Program for ForgetsToTouch {
    type Output = u64;

    fn run<P: Processor>(&self, processor: &P) -> u64 {
        for _ in 0..10 {
            let count = self.0.load(Ordering::Relaxed);
            processor.spend(Work::MainNode);
            self.0.store(count + 1, Ordering::Relaxed);
        }
        self.0.load(Ordering::Relaxed)
    }
}

#[test]
fn a_forgotten_touch_is_found_out() {
    let run = |switching| {
        let machine = VirtualMachine { switching, ..virtual_machine(4, 1) };
        machine.run(&ForgetsToTouch(AtomicU64::new(0))).unwrap()
    };
    assert_ne!(run(Switching::AtTouch), run(Switching::AtSpend));
}

// The textbook.

/// Costs of which all are 0 but those that a test is about.
fn only(costs: impl FnOnce(&mut CostModel)) -> CostModel {
    let mut model = CostModel { jitter_permille: 0, ..CostModel::ideal() };
    costs(&mut model);
    model
}

struct HoldsALock(Lock<()>);

impl Program for HoldsALock {
    type Output = u64;

    fn run<P: Processor>(&self, processor: &P) -> u64 {
        processor.during(Activity::Search, || {
            let held = processor.lock(&self.0);
            processor.spend(Work::Nanoseconds(100));
            drop(held);
            processor.now()
        })
    }
}

#[test]
fn processors_stand_in_line_for_a_lock() {
    let model = only(|model| {
        model.lock_free = 10;
        model.lock_handoff = 30;
        model.lock_waiter = 4;
        model.transfer_board = 7;
    });
    let run = VirtualMachine::new(3, model.clone()).run(&HoldsALock(Lock::default())).unwrap();
    // 10 + 100; then fetched 7, handed over 30, one still waiting 4, and 100; then 7 + 30 + 100.
    assert_eq!(run.outputs, [110, 110 + 141, 110 + 141 + 137]);
    let lock_times: Vec<u64> = run.times.iter().map(|times| times[Activity::Lock]).collect();
    assert_eq!(lock_times, [0, 110 + 41, 110 + 141 + 37]);
    assert_eq!(run.times[0][Activity::Search], 110);
    assert_eq!(run.times[0][Activity::Idle], run.elapsed - 110);
    closes(&run);
    let outputs = |waiting| {
        let machine = VirtualMachine { waiting, ..VirtualMachine::new(3, model.clone()) };
        machine.run(&HoldsALock(Lock::default())).unwrap().outputs
    };
    assert_eq!(outputs(Waiting::Ticket), run.outputs);
    // In a queue, who still waits does not see that the lock is handed over.
    assert_eq!(outputs(Waiting::Queue), [110, 110 + 137, 110 + 137 + 137]);
}

/// Notes the order in which processors get a lock; the last asks first.
struct AsksInReverse(Lock<Vec<usize>>);

impl Program for AsksInReverse {
    type Output = ();

    fn run<P: Processor>(&self, processor: &P) {
        for _ in 0..3 {
            processor.spend(Work::Nanoseconds(10 * (processor.count() - processor.id()) as u32));
            let mut order = processor.lock(&self.0);
            order.push(processor.id());
            processor.spend(Work::Nanoseconds(1_000));
        }
    }
}

#[test]
fn on_virtual_processors_too_a_lock_is_served_in_the_order_of_asking() {
    let order = |waiting| {
        let program = AsksInReverse(Lock::default());
        VirtualMachine { waiting, ..VirtualMachine::new(5, only(|_| {})) }.run(&program).unwrap();
        program.0.into_inner()
    };
    for waiting in [Waiting::Ticket, Waiting::Queue] {
        assert_eq!(order(waiting), [4, 3, 2, 1, 0].repeat(3), "{waiting:?}");
    }
    assert_eq!(order(Waiting::Spin)[..3], [4, 0, 1], "of those who wait, the first by number");
}

struct WakesOne(AtomicU64);

impl Program for WakesOne {
    type Output = u64;

    fn run<P: Processor>(&self, processor: &P) -> u64 {
        if processor.id() == 0 {
            processor.enter(Activity::Idle);
            loop {
                processor.touch(Access::Free);
                if self.0.load(Ordering::Acquire) == 1 {
                    break;
                }
                processor.park("the other");
            }
        } else {
            processor.spend(Work::Nanoseconds(1_000));
            processor.touch(Access::Free);
            self.0.store(1, Ordering::Release);
            processor.unpark(0);
        }
        processor.now()
    }
}

#[test]
fn waking_takes_as_long_as_the_way_of_waiting() {
    let model = only(|model| {
        model.wake_spin = 5;
        model.wake_yield = 60;
        model.wake_park = 700;
        model.call_park = 90;
    });
    for (waiting, woken, caller) in [
        (Waiting::Spin, 1_005, 1_000),
        (Waiting::Queue, 1_005, 1_000),
        (Waiting::Yield, 1_060, 1_000),
        (Waiting::Park, 1_790, 1_090),
    ] {
        let machine = VirtualMachine { waiting, ..VirtualMachine::new(2, model.clone()) };
        let run = machine.run(&WakesOne(AtomicU64::new(0))).unwrap();
        assert_eq!(run.outputs, [woken, caller], "{waiting:?}");
        assert_eq!(run.times[0][Activity::Idle], woken);
    }
}

/// A serial part, then a part that all share.
struct Amdahl {
    serial: u32,
    parallel: u32,
    is_open: AtomicU64,
}

impl Program for Amdahl {
    type Output = ();

    fn run<P: Processor>(&self, processor: &P) {
        if processor.id() == 0 {
            processor.spend(Work::Nanoseconds(self.serial));
            processor.touch(Access::Free);
            self.is_open.store(1, Ordering::Release);
            (1..processor.count()).for_each(|id| processor.unpark(id));
        } else {
            loop {
                processor.touch(Access::Free);
                if self.is_open.load(Ordering::Acquire) == 1 {
                    break;
                }
                processor.park("the serial part");
            }
        }
        processor.spend(Work::Nanoseconds(self.parallel / processor.count() as u32));
    }
}

#[test]
fn amdahls_law_holds_to_the_nanosecond() {
    for processors in [1, 2, 3, 10, 100, 1000] {
        let program = Amdahl { serial: 50_000, parallel: 3_000_000, is_open: AtomicU64::new(0) };
        let run = VirtualMachine::new(processors, only(|_| {})).run(&program).unwrap();
        assert_eq!(run.elapsed, 50_000 + 3_000_000 / processors as u64);
    }
}

struct FetchesOverTheBus(splitpoint::machine::Line);

impl Program for FetchesOverTheBus {
    type Output = u64;

    fn run<P: Processor>(&self, processor: &P) -> u64 {
        processor.touch(Access::Write(&self.0));
        processor.now()
    }
}

#[test]
fn a_finite_bus_lets_one_through_at_a_time() {
    let model = only(|model| {
        model.transfer_board = 10;
        model.bus_line = 25;
    });
    let run = VirtualMachine::new(4, model).run(&FetchesOverTheBus(Default::default())).unwrap();
    // The first has nothing to fetch.
    assert_eq!(run.outputs, [0, 35, 60, 85]);
}

/// Accesses to shared objects: moment, processor, access, and the time that it takes.
struct Script {
    line: Line,
    area: Area,
    other_area: Area,
    steps: Vec<(u64, usize, Step, u64)>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Step {
    Read,
    Write,
    ReadArea,
    WriteArea,
    ReadOther,
    WriteOther,
    Copy,
    Work,
}

impl Program for Script {
    type Output = ();

    fn run<P: Processor>(&self, processor: &P) {
        for (at, id, step, expected) in self.steps.iter().filter(|step| step.1 == processor.id()) {
            processor.spend(Work::Nanoseconds((at - processor.now()) as u32));
            let before = processor.now();
            match step {
                Step::Read => processor.touch(Access::Read(&self.line)),
                Step::Write => processor.touch(Access::Write(&self.line)),
                Step::ReadArea => processor.touch(Access::ReadArea { area: &self.area, lines: 4 }),
                Step::WriteArea => processor.touch(Access::WriteArea(&self.area)),
                Step::ReadOther => processor.touch(Access::ReadArea { area: &self.other_area, lines: 4 }),
                Step::WriteOther => processor.touch(Access::WriteArea(&self.other_area)),
                Step::Copy => processor.touch(Access::Copy { bytes: 130 }),
                Step::Work => {
                    processor.touch(Access::WriteArea(&self.area));
                    processor.spend(Work::Nanoseconds(1_000));
                }
            }
            assert_eq!(processor.now() - before, *expected, "{step:?} by {id} at {at}");
        }
    }
}

fn follow(processors: usize, model: CostModel, steps: &[(u64, usize, Step, u64)]) {
    let (area, other_area) = (Area::new(8 * 64), Area::new(16 * 64));
    let script = Script { line: Line::new(), area, other_area, steps: steps.to_vec() };
    for switching in [Switching::AtTouch, Switching::AtSpend] {
        let machine = VirtualMachine { switching, ..VirtualMachine::new(processors, model.clone()) };
        machine.run(&script).unwrap();
    }
}

#[test]
fn readers_share_a_line_and_a_writer_takes_it_away() {
    let model = only(|model| {
        (model.transfer_own, model.transfer_board, model.transfer_far) = (1, 20, 300);
        model.processors_per_board = 2;
    });
    let steps = [
        (1_000, 0, Step::Write, 1), // nobody else has had it
        (2_000, 0, Step::Read, 1),
        (3_000, 1, Step::Read, 20),
        (4_000, 1, Step::Read, 1), // it has a copy now
        (5_000, 2, Step::Read, 300),
        (6_000, 3, Step::Read, 20), // from processor 2, not from afar
        (7_000, 0, Step::Read, 1),
        (8_000, 0, Step::Write, 300), // the farthest copy
        (9_000, 0, Step::Write, 1),
        (10_000, 1, Step::Write, 20),
        (11_000, 2, Step::Write, 300),
    ];
    follow(4, model.clone(), &steps);
    // With more processors than bits, neighbours share one: what one has read, the other need not fetch.
    let steps = [
        (1_000, 0, Step::Write, 1),
        (2_000, 3, Step::Read, 1),
        (3_000, 4, Step::Read, 300),
        (4_000, 5, Step::Read, 1),
        (5_000, 3, Step::Write, 300),
    ];
    follow(256, CostModel { processors_per_board: 4, ..model }, &steps);
}

#[test]
fn what_others_change_in_a_large_object_is_missing() {
    let model = only(|model| model.area_line = 80);
    // Eight lines. One change by another makes 8 / 9 of them valid: of 4 lines 4 / 9 are missing, which is 35 ns.
    let steps = [
        (1_000, 0, Step::ReadArea, 0),
        (1_000, 1, Step::ReadArea, 0),
        (1_500, 0, Step::ReadOther, 0),
        (1_500, 1, Step::ReadOther, 0),
        (2_000, 0, Step::WriteArea, 80),
        (2_500, 0, Step::WriteOther, 80),
        (3_000, 0, Step::ReadArea, 0),
        (4_000, 1, Step::ReadArea, 35),
        (5_000, 1, Step::ReadArea, 17),  // half of what was missing has been fetched
        (6_000, 1, Step::ReadOther, 18), // of another object with 16 lines 4 / 17 are missing
    ];
    follow(2, model.clone(), &steps);
    follow(1, model, &[(1_000, 0, Step::WriteArea, 0), (2_000, 0, Step::ReadArea, 0)]);
}

#[test]
fn copies_and_probes_use_the_bus() {
    let model = only(|model| {
        (model.bus_line, model.copy_line) = (100, 7);
    });
    // Three lines each.
    follow(2, model, &[(1_000, 0, Step::Copy, 321), (1_000, 1, Step::Copy, 621)]);
}

#[test]
fn those_who_work_on_a_board_slow_each_other() {
    let model = only(|model| (model.memory_sharer_permille, model.processors_per_board) = (50, 2));
    // Processor 2 is alone on its board, and in the end processor 0 is, too.
    let steps = [
        (1_000, 0, Step::Work, 1_050),
        (1_000, 1, Step::Work, 1_050),
        (1_000, 2, Step::Work, 1_000),
        (9_000, 0, Step::Work, 1_000),
    ];
    follow(3, model, &steps);
}

#[test]
fn work_takes_longer_together() {
    let model = only(|model| model.together_permille = 75);
    follow(2, model.clone(), &[(1_000, 0, Step::Work, 1_075), (1_000, 1, Step::Work, 1_075)]);
    follow(1, model, &[(1_000, 0, Step::Work, 1_000)]);
}

/// Works for a while; returns when it was done.
struct Works(u64);

impl Program for Works {
    type Output = u64;

    fn run<P: Processor>(&self, processor: &P) -> u64 {
        for _ in 0..self.0 {
            processor.spend(Work::Nanoseconds(1_000));
        }
        processor.now()
    }
}

#[test]
fn processors_are_taken_away_for_their_share_of_time() {
    for permille in [0, 100, 500] {
        let model = only(|model| (model.away_permille, model.away_time) = (permille, 200_000));
        let run = |seed| {
            let machine = VirtualMachine { seed, ..VirtualMachine::new(8, model.clone()) };
            machine.run(&Works(100_000)).unwrap().outputs
        };
        let there: f64 = 8.0 * 1e8 / run(1).iter().sum::<u64>() as f64;
        assert!((1.0 - there - permille as f64 / 1000.0).abs() < 0.02, "{permille}: {there}");
        assert_eq!(run(1), run(1));
        assert_eq!(run(1) == run(2), permille == 0);
    }
}

// Failures.

struct Fails {
    when: usize,
    others_look_at_the_flag: bool,
}

impl Program for Fails {
    type Output = ();

    fn run<P: Processor>(&self, processor: &P) {
        processor.spend(Work::MainNode);
        if processor.id() == self.when {
            panic!("this is number {}", processor.id());
        }
        while !(self.others_look_at_the_flag && processor.is_stopped()) {
            processor.park("a failure");
        }
    }
}

fn reports_a_panic<M: Machine>(machine: &M) {
    for others_look_at_the_flag in [true, false] {
        let failure = machine.run(&Fails { when: 1, others_look_at_the_flag }).unwrap_err();
        assert_eq!(failure, Failure::Panic { processor: 1, message: "this is number 1".into() });
    }
    // The machine is as good as new.
    run_toys(machine, 3);
}

#[test]
fn a_panic_stops_the_run_and_is_told() {
    reports_a_panic(&virtual_machine(5, 1));
    for &waiting in Waiting::ALL {
        reports_a_panic(&real_machine(5, waiting));
    }
}

/// Takes two locks, each processor in an order of its own.
struct Crossed([Lock<u32>; 2]);

impl Program for Crossed {
    type Output = ();

    fn run<P: Processor>(&self, processor: &P) {
        let own = processor.id() % 2;
        let _first = processor.lock(&self.0[own]);
        let _second = processor.lock(&self.0[1 - own]);
    }
}

/// By their clocks no processor is suspended while it holds a lock. Under other orders one is, and the switches that
/// lead to the deadlock are told, and lead there again.
#[test]
fn a_deadlock_that_no_clock_gives_is_found_and_comes_again() {
    let under = |schedule: &str, seed| {
        let schedule: Schedule = schedule.parse().unwrap();
        VirtualMachine { schedule, ..virtual_machine(2, seed) }.run(&Crossed(Default::default())).map(|_| ())
    };
    assert!((0..20).all(|seed| under("smallest-clock", seed).is_ok()));
    for policy in ["random", "pct:1:6"] {
        let failures: Vec<Failure> = (0..40).filter_map(|seed| under(policy, seed).err()).collect();
        assert!((1..40).contains(&failures.len()), "{policy}: {}", failures.len());
        for failure in failures {
            let Failure::Scheduled { failure: first, schedule } = &failure else { panic!("{failure}") };
            assert!(matches!(**first, Failure::Deadlock { .. }), "{first}");
            assert_eq!(under(schedule, 7), Err(failure.clone()));
        }
    }
    assert!(under("replay:", 1).is_ok());
}

#[test]
fn a_deadlock_is_noticed_and_named() {
    let failure = virtual_machine(3, 1).run(&Fails { when: 99, others_look_at_the_flag: true }).unwrap_err();
    let waiting = (0..3).map(|id| (id, "a failure")).collect();
    assert_eq!(failure, Failure::Deadlock { waiting });
    assert!(failure.to_string().contains("processor 2 waits for a failure"));
}

struct TakesTwice(Lock<()>);

impl Program for TakesTwice {
    type Output = ();

    fn run<P: Processor>(&self, processor: &P) {
        let _first = processor.lock(&self.0);
        let _second = processor.lock(&self.0);
    }
}

#[test]
fn taking_a_lock_twice_is_a_failure_and_not_a_hang() {
    assert!(virtual_machine(2, 1).run(&TakesTwice(Lock::default())).is_err());
    assert!(real_machine(2, Waiting::Park).run(&TakesTwice(Lock::default())).is_err());
}

// Random programs.

/// Checks that a program of random verbs has done what it was planned to do.
fn did_its_work(program: RandomVerbs, run: &Run<Vec<u64>>) {
    assert!(run.outputs.iter().all(|clocks| clocks.is_sorted()), "a clock went back");
    let expected = program.expected.clone();
    assert_eq!(program.counters(), expected, "an update was lost");
}

/// The program of a seed, twice: with others going first at touches only, and at every spend.
pub fn random_program_on_the_virtual_machine(seed: u64) {
    let processors = 1 + seed as usize % 9;
    let waiting = Waiting::ALL[seed as usize % Waiting::ALL.len()];
    let run = |switching| {
        let program = RandomVerbs::new(seed, processors, 25 * processors, Plan::ComesToAnEnd);
        let machine = VirtualMachine { switching, waiting, ..virtual_machine(processors, seed) };
        let run = machine.run(&program).unwrap_or_else(|failure| panic!("seed {seed}: {failure}"));
        closes(&run);
        did_its_work(program, &run);
        run
    };
    assert_eq!(run(Switching::AtTouch), run(Switching::AtSpend), "seed {seed}");
    if seed.is_multiple_of(10) {
        let program = RandomVerbs::new(seed, processors, 25 * processors, Plan::Deadlocks);
        let failure = virtual_machine(processors, seed).run(&program).unwrap_err();
        assert!(matches!(&failure, Failure::Deadlock { waiting } if !waiting.is_empty()), "seed {seed}: {failure}");
    }
}

#[test]
fn ten_thousand_random_programs_on_the_virtual_machine() {
    (0..10_000).into_par_iter().for_each(random_program_on_the_virtual_machine);
}

pub fn random_program_on_real_threads(machine: &RealMachine, seed: u64) {
    let threads = machine.processors();
    let program = RandomVerbs::new(seed, threads, 15 * threads, Plan::ComesToAnEnd);
    let run = machine.run(&program).unwrap();
    closes(&run);
    did_its_work(program, &run);
}

fn real_machine(threads: usize, waiting: Waiting) -> RealMachine {
    RealMachine::new(threads, &Pin::None, waiting).unwrap()
}

/// With four times more threads than processors: races like company.
#[test]
fn random_programs_on_an_oversubscribed_real_machine() {
    let threads = 4 * RealMachine::room();
    // A spinning thread that waits for one without a core spins a whole time slice.
    for (waiting, seeds) in
        [(Waiting::Park, 300), (Waiting::Yield, 150), (Waiting::Spin, 4), (Waiting::Ticket, 4), (Waiting::Queue, 4)]
    {
        let machine = RealMachine::new(threads, &Pin::Cores, waiting).unwrap();
        assert!(machine.is_oversubscribed());
        (0..seeds).for_each(|seed| random_program_on_real_threads(&machine, seed));
    }
}

#[test]
fn the_toys_run_on_real_threads() {
    for waiting in [Waiting::Park, Waiting::Yield, Waiting::Ticket, Waiting::Queue] {
        for threads in [1, 2, 7] {
            run_toys(&real_machine(threads, waiting), 20);
        }
    }
}

struct KnowsItsPlace;

impl Program for KnowsItsPlace {
    type Output = (usize, usize, bool);

    fn run<P: Processor>(&self, processor: &P) -> (usize, usize, bool) {
        (processor.id(), processor.count(), P::IS_VIRTUAL)
    }
}

#[test]
fn every_processor_knows_its_place() {
    let expected = |is_virtual| (0..6).map(|id| (id, 6, is_virtual)).collect::<Vec<_>>();
    assert_eq!(virtual_machine(6, 1).run(&KnowsItsPlace).unwrap().outputs, expected(true));
    assert_eq!(real_machine(6, Waiting::Park).run(&KnowsItsPlace).unwrap().outputs, expected(false));
}

#[test]
fn threads_are_pinned_only_where_they_may_run() {
    let order = Topology::of_system().order();
    for pin in [Pin::Cores, Pin::Threads, Pin::List([order[0]].into_iter().collect())] {
        let machine = RealMachine::new(2 * RealMachine::room(), &pin, Waiting::Park).unwrap();
        assert!(machine.is_oversubscribed());
        assert!(machine.places().iter().all(|place| place.cpu.is_some_and(|cpu| order.contains(&cpu))));
        assert_eq!(pin.to_string().parse(), Ok(pin));
    }
    let machine = RealMachine::new(1, &Pin::None, Waiting::Park).unwrap();
    assert_eq!((machine.places()[0].cpu, machine.is_oversubscribed()), (None, false));
    assert!(RealMachine::new(0, &Pin::None, Waiting::Park).is_err());
    assert!(RealMachine::new(5_000, &Pin::None, Waiting::Park).is_err());
    let nowhere = RealMachine::new(1, &"60000".parse().unwrap(), Waiting::Park).unwrap_err();
    assert!(nowhere.to_string().contains("60000"), "{nowhere}");
    assert!("3-1".parse::<Pin>().is_err() && "cors".parse::<Pin>().is_err());
}

struct Spins(Duration);

impl Program for Spins {
    type Output = ();

    fn run<P: Processor>(&self, processor: &P) {
        processor.during(Activity::Search, || {
            let start = Instant::now();
            while start.elapsed() < self.0 {
                std::hint::spin_loop();
            }
        });
    }
}

#[test]
fn a_watched_run_tells_whose_the_cores_were() {
    let time = Duration::from_millis(200);
    let threads = 4 * RealMachine::room();
    let machine = RealMachine::new(threads, &Pin::Cores, Waiting::Park).unwrap();
    let system = SystemWatch::start();
    let (run, disturbances) = machine.run_watched(&Spins(time)).unwrap();
    closes(&run);
    assert!(run.times.iter().all(|times| times[Activity::Search] >= time.as_nanos() as u64));
    assert_eq!(disturbances.len(), threads);
    if disturbances.iter().all(|disturbance| disturbance.cpu_ns.is_some()) {
        let account = Account::of(disturbances.iter().map(Some), system.stop(0).steal_share, 1).unwrap();
        let what = "four threads on a core disturb each other";
        assert_eq!(judge(Some(&account), &Surroundings::default()).0, Quietness::Disturbed, "{what}: {account:?}");
        assert!(account.share() > 0.5, "{what}: {account:?}");
    }
}
