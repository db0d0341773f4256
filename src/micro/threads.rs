//! Locks and threads by themselves: a lock that nobody else wants, a lock that is handed from thread to thread, and the
//! way of work to all cores and back, by our machines, the standard library and rayon.
//!
//! Whoever has had a contended lock asks for it again only when another has it, and keeps it for some microseconds. So
//! every time that it is taken it is handed over, to one of those who have waited by then; for how long it was kept is
//! subtracted.
//!
//! # Memory ordering
//! All atomics are `Relaxed`: each is read only to decide when to go on.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use rayon::ThreadPoolBuilder;

use super::turns::{Batch, Entry, take_turns};
use super::{Figure, Micro, MicroError, Spec, Takes, Unit};
use crate::machine::mechanisms::Meeting;
use crate::machine::{Lock, Machine, Pin, Processor, Program, RealMachine, RealMachineError, Waiting};

/// Micro-measurement of locks and threads.
pub const MICRO: Micro = Micro {
    name: "threads",
    title: "locks and threads",
    about: "Time to take a lock and give it back on one thread, and to hand it over between threads that all want it, \
            in each waiting mode and with a standard mutex; time to start and end work on all cores.",
    published: &[],
    takes: Takes { boards: false, positions: false, depth: None },
    is_averaged: false,
    measure,
    print: None,
    check: None,
    verdict: None,
};

/// Number of times that a lock is taken in a batch, by one thread or by several.
const TIMES: [u64; 2] = [2_000, 200];
/// Time for which a lock is kept that others want, so that all of them wait: asleep, if they sleep.
const KEPT: Duration = Duration::from_micros(10);

/// A lock around a number.
trait Guard: Sync {
    /// Does something with the number while this processor has the lock.
    fn hold<P: Processor>(&self, processor: &P, work: impl FnOnce(&mut u64));
}

impl Guard for Lock<u64> {
    fn hold<P: Processor>(&self, processor: &P, work: impl FnOnce(&mut u64)) {
        work(&mut processor.lock(self));
    }
}

impl Guard for Mutex<u64> {
    fn hold<P: Processor>(&self, _: &P, work: impl FnOnce(&mut u64)) {
        work(&mut self.lock().unwrap_or_else(PoisonError::into_inner));
    }
}

/// All processors take a lock, in turns if there are several, until it was taken so many times.
struct HandOvers<G> {
    lock: G,
    times: u64,
    /// Id of who had the lock last.
    last: AtomicUsize,
    is_over: AtomicBool,
    /// Nanoseconds for which it was kept.
    kept: AtomicU64,
    meeting: Meeting,
}

impl<G: Guard> HandOvers<G> {
    fn new(lock: G, times: u64) -> Self {
        let (last, is_over, kept) = (AtomicUsize::new(0), AtomicBool::new(false), AtomicU64::new(0));
        Self { lock, times, last, is_over, kept, meeting: Meeting::default() }
    }

    /// Batch in which the lock goes round on this machine; not a number if that fails.
    fn batch(lock: G, machine: &RealMachine) -> Batch {
        let times = TIMES[usize::from(machine.processors() > 1)];
        let program = Self::new(lock, times);
        let run = machine.run(&program);
        let kept = program.kept.into_inner() as f64;
        Batch { operations: times, nanoseconds: run.map_or(f64::NAN, |run| run.outputs[0] - kept) }
    }
}

impl<G> HandOvers<G> {
    /// Lets some time pass.
    fn keep(&self) {
        let since = Instant::now();
        while since.elapsed() < KEPT {
            std::hint::spin_loop();
        }
        self.kept.fetch_add(since.elapsed().as_nanos() as u64, Ordering::Relaxed);
    }
}

impl<G: Guard> Program for HandOvers<G> {
    /// Nanoseconds from the start to the end.
    type Output = f64;

    fn run<P: Processor>(&self, processor: &P) -> f64 {
        let (id, is_over) = (processor.id(), || self.is_over.load(Ordering::Relaxed));
        self.meeting.meet(processor, 0);
        let start = Instant::now();
        while !is_over() {
            self.lock.hold(processor, |taken| {
                *taken += 1;
                self.last.store(id, Ordering::Relaxed);
                if *taken >= self.times {
                    self.is_over.store(true, Ordering::Relaxed);
                } else if processor.count() > 1 {
                    self.keep();
                }
            });
            while processor.count() > 1 && self.last.load(Ordering::Relaxed) == id && !is_over() {
                std::hint::spin_loop();
            }
        }
        start.elapsed().as_nanos() as f64
    }
}

/// Work that needs all threads at once: each waits until all have begun.
struct Arrivals {
    all: usize,
    begun: AtomicUsize,
}

impl Arrivals {
    fn of(all: usize) -> Self {
        Self { all, begun: AtomicUsize::new(0) }
    }

    fn arrive(&self) {
        self.begun.fetch_add(1, Ordering::Relaxed);
        while self.begun.load(Ordering::Relaxed) < self.all {
            std::thread::yield_now();
        }
    }
}

impl Program for Arrivals {
    type Output = ();

    fn run<P: Processor>(&self, _: &P) {
        self.arrive();
    }
}

/// Times of all entries, which take turns, and their ratios to the first.
fn figures(of: &str, what: &str, named: Vec<(&str, Entry<'_>)>, spec: &Spec) -> Vec<Figure> {
    let (names, mut entries): (Vec<&str>, Vec<Entry<'_>>) = named.into_iter().unzip();
    let rounds = take_turns(&mut entries, spec.time, spec.seed);
    let named = || names.iter().map(|name| format!("{what}, {name}")).enumerate();
    let time = |(at, name)| Figure::measured(of, name, Unit::Nanoseconds, rounds.time(at));
    let ratio = |(at, name)| Figure::measured(of, format!("{name} to {}", names[0]), Unit::Ratio, rounds.ratio(at, 0));
    named().map(time).chain(named().skip(1).map(ratio)).collect()
}

/// Figures of a lock on so many threads.
fn of_locks(of: &str, threads: usize, spec: &Spec) -> Result<Vec<Figure>, MicroError> {
    let machine = |waiting: &Waiting| Ok((waiting.name(), RealMachine::new(threads, &Pin::Cores, *waiting)?));
    let machines = Waiting::ALL.iter().map(machine).collect::<Result<Vec<_>, RealMachineError>>()?;
    let mutex = Entry::self_timed(|| HandOvers::batch(Mutex::new(0), &machines[0].1));
    let ours = machines.iter().map(|(waiting, machine)| {
        let batch = || HandOvers::batch(Lock::new(0), machine);
        (*waiting, Entry::self_timed(batch))
    });
    let what = if threads == 1 { "taking and giving back a lock" } else { "handing over a lock" };
    Ok(figures(of, what, [("standard mutex", mutex)].into_iter().chain(ours).collect(), spec))
}

/// Figures of work on so many threads.
fn of_work(of: &str, threads: usize, spec: &Spec) -> Result<Vec<Figure>, MicroError> {
    let machine = RealMachine::new(threads, &Pin::Cores, Waiting::default())?;
    let pool = ThreadPoolBuilder::new().num_threads(threads).build().map_err(RealMachineError::from)?;
    let on_machine = || machine.run(&Arrivals::of(threads)).map_or(0, |_| 1);
    let on_new_threads = || {
        let work = Arrivals::of(threads);
        std::thread::scope(|scope| (0..threads).for_each(|_| _ = scope.spawn(|| work.arrive())));
        1
    };
    let in_pool = || {
        let work = Arrivals::of(threads);
        pool.scope(|scope| (0..threads).for_each(|_| scope.spawn(|_| work.arrive())));
        1
    };
    let named = vec![
        ("machine", Entry::new(on_machine)),
        ("new threads", Entry::new(on_new_threads)),
        ("rayon", Entry::new(in_pool)),
    ];
    Ok(figures(of, "start and end of work", named, spec))
}

fn measure(spec: &Spec) -> Result<Vec<Figure>, MicroError> {
    let room = RealMachine::room();
    let counts = (0..).map(|power| 1 << power).take_while(|threads| *threads < room).chain([room]);
    let of = |threads| format!("{threads} {}", if threads == 1 { "thread" } else { "threads" });
    let locks = counts.map(|threads| of_locks(&of(threads), threads, spec)).collect::<Result<Vec<_>, _>>()?;
    Ok(locks.into_iter().flatten().chain(of_work(&of(room), room, spec)?).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The lock is taken as often as it should be, by one thread or by more than there are cores.
    #[test]
    fn every_lock_goes_round() {
        fn goes_round<G: Guard>(lock: G, machine: &RealMachine, taken: impl Fn(G) -> u64) {
            let program = HandOvers::new(lock, 50);
            assert!(machine.run(&program).unwrap().outputs.iter().all(|time| *time > 0.0));
            // Those who wait when it is over take it once more.
            let most = 50 + machine.processors() as u64;
            assert!((50..most).contains(&taken(program.lock)));
        }
        for threads in [1, 3] {
            for &waiting in Waiting::ALL {
                let machine = RealMachine::new(threads, &Pin::None, waiting).unwrap();
                goes_round(Lock::new(0), &machine, Lock::into_inner);
                goes_round(Mutex::new(0), &machine, |lock| lock.into_inner().unwrap());
            }
        }
    }
}
