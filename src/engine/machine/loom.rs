//! Loom's checks of locks and calls, and the machine on which it checks programs.
//!
//! Everything but the threads is the real machine's: its processors, lock words, calls and stop flag. What a sleeping
//! thread needs of the kernel, and `SeqCst`, are models: see [`crate::sync`].

use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::Instant;

use ::loom::cell::UnsafeCell;

use super::real::Shared;
use super::{Lock, Processor, Program, Waiting};
use crate::sync::{AtomicU32, Ordering};

/// Runs a program on so many processors, in all interleavings, or in those with so many preemptions. Returns if none
/// panics or comes to a deadlock.
pub(crate) fn check<G: Program + Send + 'static>(
    name: &str,
    (processors, waiting): (usize, Waiting),
    preemptions: Option<usize>,
    make: impl Fn() -> G + Send + Sync + 'static,
) {
    let what = format!("{name}, {processors} threads, {waiting:?}, preemptions {preemptions:?}");
    let tried = Tried { what, number: Arc::default(), from: Instant::now() };
    let number = tried.number.clone();
    let mut model = ::loom::model::Builder::new();
    model.preemption_bound = preemptions;
    model.max_branches = 10_000;
    model.check(move || {
        number.fetch_add(1, Ordering::Relaxed);
        let machine = Arc::new((Shared::begin(processors, waiting, false), make()));
        let threads: Vec<_> = (1..processors)
            .map(|id| {
                let machine = machine.clone();
                ::loom::thread::spawn(move || drop(machine.1.run(&machine.0.processor(id, false))))
            })
            .collect();
        machine.1.run(&machine.0.processor(0, false));
        threads.into_iter().for_each(|thread| thread.join().unwrap());
    });
}

/// Says at the end of a check how many interleavings it has tried.
struct Tried {
    what: String,
    number: Arc<AtomicU64>,
    from: Instant,
}

impl Drop for Tried {
    fn drop(&mut self) {
        let end = if std::thread::panicking() { "fails after" } else { "holds in" };
        let number = self.number.load(Ordering::Relaxed);
        eprintln!("{}: {end} {number} interleavings, {:.1?}", self.what, self.from.elapsed());
    }
}

/// A number that is no atomic. Loom stops the program at accesses to it that nothing orders.
#[derive(Default)]
pub(crate) struct Watched(UnsafeCell<u32>);

// SAFETY: loom panics before it makes an access that is not ordered with the others.
unsafe impl Sync for Watched {}

impl Watched {
    pub fn get(&self) -> u32 {
        // SAFETY: as for `Sync`.
        self.0.with(|value| unsafe { *value })
    }

    pub fn add_one(&self) {
        // SAFETY: as for `Sync`.
        self.0.with_mut(|value| unsafe { *value += 1 });
    }
}

/// Every processor adds 1 to a count. Loom itself finds out two who hold the lock at once, and a holder who does not
/// see what the last one wrote.
struct Count(Lock<Watched>);

impl Program for Count {
    type Output = ();

    fn run<P: Processor>(&self, processor: &P) {
        processor.lock(&self.0).add_one();
        if processor.count() == 2
            && let Some(count) = processor.try_lock(&self.0)
        {
            count.add_one();
        }
    }
}

#[test]
fn a_lock_lets_one_in_and_forgets_nobody() {
    for &waiting in Waiting::ALL {
        check("lock", (2, waiting), None, || Count(Lock::default()));
    }
    for waiting in [Waiting::Park, Waiting::Ticket, Waiting::Queue] {
        check("lock", (3, waiting), Some(2), || Count(Lock::default()));
    }
}

/// Every processor takes the same lock twice, so that it comes back to a seat in which it has been.
struct CountTwice(Lock<Watched>);

impl Program for CountTwice {
    type Output = ();

    fn run<P: Processor>(&self, processor: &P) {
        processor.lock(&self.0).add_one();
        processor.lock(&self.0).add_one();
    }
}

#[test]
fn a_line_can_be_joined_again() {
    for waiting in [Waiting::Ticket, Waiting::Queue] {
        check("line", (2, waiting), Some(4), || CountTwice(Lock::default()));
    }
}

/// Processor 0 waits until all others have said something and called it.
struct Report {
    said: Vec<AtomicU32>,
}

impl Program for Report {
    type Output = ();

    fn run<P: Processor>(&self, processor: &P) {
        if processor.id() > 0 {
            self.said[processor.id()].store(1, Ordering::Relaxed);
            return processor.unpark(0);
        }
        while !self.said[1..].iter().all(|said| said.load(Ordering::Relaxed) == 1) {
            processor.park("reports");
        }
    }
}

fn report(processors: usize) -> Report {
    Report { said: (0..processors).map(|_| AtomicU32::new(0)).collect() }
}

#[test]
fn no_call_is_lost() {
    for &waiting in Waiting::ALL {
        check("calls", (2, waiting), None, || report(2));
    }
    check("calls", (3, Waiting::Park), Some(3), || report(3));
}

/// Processor 1 hands a value to processor 0, which hands it back.
struct PingPong(Watched);

impl Program for PingPong {
    type Output = ();

    fn run<P: Processor>(&self, processor: &P) {
        if processor.id() == 0 {
            processor.park("the first call");
        }
        self.0.add_one();
        processor.unpark(1 - processor.id());
        if processor.id() == 1 {
            processor.park("the second call");
            self.0.add_one();
        }
    }
}

#[test]
fn who_is_called_sees_what_the_caller_wrote() {
    for &waiting in Waiting::ALL {
        check("ping pong", (2, waiting), None, || PingPong(Watched::default()));
    }
}

/// Processor 1 stops the run; the others wait until then, and see what was written before.
struct Stop(Watched);

impl Program for Stop {
    type Output = ();

    fn run<P: Processor>(&self, processor: &P) {
        if processor.id() == 1 {
            self.0.add_one();
            return processor.stop();
        }
        while !processor.is_stopped() {
            processor.park("the stop");
        }
        assert_eq!(self.0.get(), 1);
    }
}

#[test]
fn a_stop_wakes_all() {
    for &waiting in Waiting::ALL {
        check("stop", (2, waiting), None, || Stop(Watched::default()));
    }
    check("stop", (3, Waiting::Park), Some(2), || Stop(Watched::default()));
}
