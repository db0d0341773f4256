//! Small experiments on pinned threads, each of which measures one cost of coordination.
//!
//! # Memory ordering
//! Two threads that take turns pass the turn by a `Release` store in [`Turn::pass`], which pairs with the `Acquire`
//! load in [`Turn::wait_for`]: what one wrote in its turn is seen by the other in the next. Two that call each other
//! announce by a `Release` store of `is_waiting`, paired with an `Acquire` swap, that the time of the last call has
//! been cleared; that the next time is seen after the call is for [`unpark`](Processor::unpark).

use std::hint::black_box;
use std::sync::Barrier;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

use super::super::cost::LINE_BYTES;
use super::super::pin::pin_this_thread;
use super::super::{Activity, Lock, Pin, Processor, RealMachine, RealMachineError, Waiting};
use super::{Figure, WakeUp};
use crate::random::SplitMix;
use crate::statistics::median;

/// Number of batches of an experiment.
const BATCHES: usize = 15;

/// Measures many batches.
fn batches(batch: impl FnMut() -> f64) -> Vec<f64> {
    std::iter::repeat_with(batch).take(BATCHES).collect()
}

/// Runs both parts at once, each on its processor, and returns the result of the first.
fn on_both<T: Send>(pair: [usize; 2], first: impl FnOnce() -> T + Send, second: impl FnOnce() + Send) -> T {
    let together = Barrier::new(2);
    let start = |core| {
        pin_this_thread(core);
        together.wait();
    };
    std::thread::scope(|scope| {
        let answer = scope.spawn(|| {
            start(pair[0]);
            first()
        });
        scope.spawn(|| {
            start(pair[1]);
            second();
        });
        answer.join().unwrap_or_else(|payload| std::panic::resume_unwind(payload))
    })
}

/// Number of the turn that two threads take by turns, on a cache line of its own.
#[repr(align(128))]
struct Turn(AtomicU64);

impl Turn {
    const fn new() -> Self {
        Self(AtomicU64::new(0))
    }

    fn wait_for(&self, turn: u64) {
        // Acquire: pairs with the store in `pass`.
        while self.0.load(Ordering::Acquire) != turn {
            std::hint::spin_loop();
        }
    }

    fn pass(&self, turn: u64) {
        // Release: pairs with the load in `wait_for`.
        self.0.store(turn, Ordering::Release);
    }
}

/// Sends a cache line to and fro.
pub fn ping_pong(pair: [usize; 2]) -> Figure {
    const ROUNDS: u64 = 300;
    Figure::of(&batches(|| {
        let ball = Turn::new();
        let sends = || {
            let start = Instant::now();
            for round in 0..ROUNDS {
                ball.pass(2 * round + 1);
                ball.wait_for(2 * round + 2);
            }
            start.elapsed().as_nanos() as f64 / (2 * ROUNDS) as f64
        };
        on_both(pair, sends, || {
            for round in 0..ROUNDS {
                ball.wait_for(2 * round + 1);
                ball.pass(2 * round + 2);
            }
        })
    }))
}

/// Copies data that the other processor has just written.
pub fn cold_copies(pair: [usize; 2], bytes: usize) -> Vec<f64> {
    const ROUNDS: u64 = 60;
    let words = bytes / 8;
    batches(|| {
        let source: Vec<AtomicU64> = (0..words).map(|_| AtomicU64::new(0)).collect();
        let turn = Turn::new();
        let copies = || {
            let mut target = vec![0; words];
            let times = (0..ROUNDS).map(|round| {
                turn.wait_for(2 * round + 1);
                let start = Instant::now();
                for (to, from) in target.iter_mut().zip(&source) {
                    *to = from.load(Ordering::Relaxed);
                }
                black_box(&mut target);
                let time = start.elapsed().as_nanos() as f64;
                turn.pass(2 * round + 2);
                time
            });
            median(&times.collect::<Vec<_>>()).unwrap_or(0.0)
        };
        let copied = on_both(pair, copies, || {
            for round in 0..ROUNDS {
                source.iter().for_each(|word| word.store(round, Ordering::Relaxed));
                turn.pass(2 * round + 1);
                turn.wait_for(2 * round + 2);
            }
        });
        (copied - clock_reading()).max(0.0)
    })
}

/// Time to read the clock, which is in every time between two readings.
fn clock_reading() -> f64 {
    let readings: Vec<f64> = (0..1_000).map(|_| Instant::now().elapsed().as_nanos() as f64).collect();
    median(&readings).unwrap_or(0.0)
}

/// Takes and gives back a lock that no other processor wants.
pub fn free_lock() -> Result<Figure, RealMachineError> {
    const ROUNDS: u32 = 100_000;
    let machine = RealMachine::new(1, &Pin::None, Waiting::Spin)?;
    Ok(Figure::of(&batches(|| {
        let lock = Lock::new(0_u64);
        let run = machine.run_each(|processor| {
            let start = processor.now();
            for _ in 0..ROUNDS {
                *processor.lock(black_box(&lock)) += 1;
            }
            processor.now() - start
        });
        run.map_or(0.0, |run| run.outputs[0] as f64 / f64::from(ROUNDS))
    })))
}

/// Hands a lock over between two processors that want it all the time.
pub fn lock_handoff(pair: [usize; 2]) -> Result<Figure, RealMachineError> {
    const HANDOVERS: u32 = 500;
    let machine = RealMachine::new(2, &Pin::List(pair.into_iter().collect()), Waiting::Spin)?;
    Ok(Figure::of(&batches(|| {
        // The last holder, and how often the lock has gone to another.
        let lock = Lock::new((usize::MAX, 0));
        let run = machine.run_each(|processor| {
            loop {
                let mut last = processor.lock(&lock);
                if last.0 != processor.id() {
                    *last = (processor.id(), last.1 + 1);
                }
                let is_done = last.1 >= HANDOVERS;
                drop(last);
                if is_done {
                    return;
                }
                // Long enough for the other to get hold of it.
                (0..20).for_each(|_| std::hint::spin_loop());
            }
        });
        run.map_or(0.0, |run| run.elapsed as f64 / f64::from(HANDOVERS))
    })))
}

/// Wakes a processor that waits in this way.
pub fn wake_up(pair: [usize; 2], waiting: Waiting) -> Result<WakeUp, RealMachineError> {
    const ROUNDS: usize = 300;
    /// Nanoseconds after which a processor that waits sleeps soundly.
    const FALLEN_ASLEEP: u64 = 20_000;
    let machine = RealMachine::new(2, &Pin::List(pair.into_iter().collect()), waiting)?;
    // Time of the call, or 0 before it.
    let called_at = AtomicU64::new(0);
    let is_waiting = AtomicBool::new(false);
    let run = machine.run_each(|processor| {
        let waits = || {
            called_at.store(0, Ordering::Relaxed);
            // Release: pairs with the swap below, so that the 0 comes before the time of the call.
            is_waiting.store(true, Ordering::Release);
            processor.during(Activity::Idle, || {
                while called_at.load(Ordering::Relaxed) == 0 && !processor.is_stopped() {
                    processor.park("a call");
                }
            });
            processor.now().saturating_sub(called_at.load(Ordering::Relaxed)) as f64
        };
        let calls = || {
            // Acquire: pairs with the store of `is_waiting` above.
            while !is_waiting.swap(false, Ordering::Acquire) && !processor.is_stopped() {
                std::hint::spin_loop();
            }
            let start = processor.now();
            while processor.now() - start < FALLEN_ASLEEP {
                std::hint::spin_loop();
            }
            let now = processor.now();
            called_at.store(now, Ordering::Relaxed);
            processor.unpark(0);
            (processor.now() - now) as f64
        };
        (0..ROUNDS).map(|_| if processor.id() == 0 { waits() } else { calls() }).collect::<Vec<f64>>()
    });
    let outputs = run.map(|run| run.outputs).unwrap_or_default();
    let [woken, calls] = [0, 1].map(|id| outputs.get(id).map_or(&[][..], Vec::as_slice));
    let reading = clock_reading();
    let calls: Vec<f64> = calls.iter().map(|call| (call - reading).max(0.0)).collect();
    Ok(WakeUp { waiting, nanoseconds: Figure::of(woken), call_nanoseconds: Figure::of(&calls) })
}

/// Follows a random cycle through a table, so that no read can begin before the last has ended.
pub fn probe(bytes: u64) -> Figure {
    const READS: usize = 200_000;
    let lines = (bytes / LINE_BYTES) as usize;
    let words = LINE_BYTES as usize / 8;
    let mut order: Vec<usize> = (0..lines).collect();
    SplitMix::new(bytes).shuffle(&mut order);
    let mut table = vec![0_usize; lines * words];
    for (i, from) in order.iter().enumerate() {
        table[from * words] = order[(i + 1) % lines] * words;
    }
    let mut place = order[0] * words;
    Figure::of(&batches(|| {
        let start = Instant::now();
        for _ in 0..READS {
            place = table[black_box(place)];
        }
        start.elapsed().as_nanos() as f64 / READS as f64
    }))
}
