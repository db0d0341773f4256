//! What coordination costs on this computer: small experiments on pinned threads, and the cost model that follows.
//!
//! Every figure is a median with quartiles over batches, since a busy host disturbs some of them. What a node of a search costs is not
//! measured here: this room knows no search.

use std::hint::black_box;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Barrier};
use std::time::Instant;

use serde::Serialize;

use super::cost::{CostModel, LINE_BYTES};
use super::lock::Lock;
use super::pin::pin_this_thread;
use super::processor::{Processor, Waiting};
use super::{Activity, Machine, Pin, Program, RealMachine, RealMachineError, Solo};
use crate::random::SplitMix;

/// Nanoseconds, measured in many batches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Figure {
    /// The median.
    pub median: f64,
    /// A quarter of the batches took no longer than this.
    pub low: f64,
    /// A quarter took at least this long.
    pub high: f64,
}

impl Figure {
    fn of(mut batches: Vec<f64>) -> Self {
        batches.sort_by(f64::total_cmp);
        let at = |quarter: usize| batches.get(quarter * batches.len() / 4).copied().unwrap_or(0.0);
        Self { median: at(2), low: at(1), high: at(3) }
    }

    fn rounded(self) -> u64 {
        self.median.round() as u64
    }
}

/// What was measured. Nanoseconds; `None` where it takes two processors and there is one.
#[derive(Clone, Debug, Serialize)]
pub struct Calibration {
    /// From one processor to another and not yet back, for every pair that was tried.
    pub ping_pong: Vec<PingPong>,
    /// Taking and giving back a lock that nobody wants.
    pub lock_free: Figure,
    /// A lock going from one processor to another that waits for it.
    pub lock_handoff: Option<Figure>,
    /// From a call to the moment a waiting processor goes on, by way of waiting.
    pub wake: Vec<WakeUp>,
    /// Copying a cache line that another processor has just written, the first of many.
    pub copy_first_line: Option<Figure>,
    /// Copying each further line.
    pub copy_line: Option<Figure>,
    /// Reading a place that cannot be foreseen in a table of so many bytes.
    pub probe: Vec<Probe>,
}

/// A cache line that two processors send to and fro.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct PingPong {
    /// One of the two.
    pub from: usize,
    /// The other.
    pub to: usize,
    /// One way.
    pub nanoseconds: Figure,
}

/// The latency of waking.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct WakeUp {
    /// How the processor waited.
    pub waiting: Waiting,
    /// Until it goes on.
    pub nanoseconds: Figure,
    /// What the call cost the caller.
    pub call_nanoseconds: Figure,
}

/// Reading from a table.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Probe {
    /// Its size.
    pub bytes: u64,
    /// A read.
    pub nanoseconds: Figure,
}

/// Processors of which every pair is tried.
const MOST_PAIRED: usize = 8;
const BATCHES: usize = 15;
/// Table sizes: the near cache, the shared one, memory.
const TABLES: [u64; 3] = [256 << 10, 8 << 20, 256 << 20];
/// What is copied between processors: as much as a split of the 2004 program copied for a helper.
const COPIED_BYTES: usize = 2_368;

/// Measures on these CPUs, which must be allowed: [`Topology::order`](super::host::Topology::order). Takes some seconds.
pub fn calibrate(order: &[usize]) -> Result<Calibration, RealMachineError> {
    let pair = match order {
        [first, second, ..] => Some([*first, *second]),
        _ => None,
    };
    let mut wake = Vec::new();
    if let Some(pair) = pair {
        for &waiting in Waiting::ALL {
            wake.push(wake_up(pair, waiting)?);
        }
    }
    let paired = &order[..order.len().min(MOST_PAIRED)];
    let ping_pong = paired
        .iter()
        .enumerate()
        .flat_map(|(i, from)| paired[i + 1..].iter().map(|to| [*from, *to]))
        .map(|[from, to]| PingPong { from, to, nanoseconds: ping_pong([from, to]) })
        .collect();
    let copies = pair.map(|pair| (cold_copies(pair, LINE_BYTES as usize), cold_copies(pair, COPIED_BYTES)));
    let (copy_first_line, copy_line) = copies.map_or((None, None), |(first, all)| {
        let further_lines = COPIED_BYTES as f64 / LINE_BYTES as f64 - 1.0;
        let further = first.iter().zip(all).map(|(first, all)| ((all - first) / further_lines).max(0.0)).collect();
        (Some(Figure::of(first)), Some(Figure::of(further)))
    });
    Ok(Calibration {
        ping_pong,
        lock_free: free_lock(),
        lock_handoff: match pair {
            Some(pair) => Some(lock_handoff(pair)?),
            None => None,
        },
        wake,
        copy_first_line,
        copy_line,
        probe: TABLES.map(|bytes| Probe { bytes, nanoseconds: probe(bytes) }).to_vec(),
    })
}

impl Calibration {
    /// The model of this host: what was measured, and the rest as in the reference model.
    pub fn model(&self) -> CostModel {
        let mut model = CostModel { name: "calibrated".into(), ..CostModel::reference() };
        let measured: Vec<f64> = self.ping_pong.iter().map(|pair| pair.nanoseconds.median).collect();
        if let Some(near) = measured.iter().copied().reduce(f64::min) {
            // Pairs farther apart than the nearest by half are taken to be on other boards.
            let far: Vec<f64> = measured.iter().copied().filter(|time| *time > 1.5 * near).collect();
            model.transfer_board = near.round() as u64;
            model.transfer_far = if far.is_empty() { model.transfer_board } else { Figure::of(far).rounded() };
        }
        model.lock_free = self.lock_free.rounded();
        model.lock_handoff = self.lock_handoff.map_or(model.lock_handoff, Figure::rounded);
        model.copy_line = self.copy_line.map_or(model.copy_line, Figure::rounded);
        for wake in &self.wake {
            let latency = match wake.waiting {
                Waiting::Spin => &mut model.wake_spin,
                Waiting::Yield => &mut model.wake_yield,
                Waiting::Park => &mut model.wake_park,
            };
            *latency = wake.nanoseconds.rounded();
            if wake.waiting == Waiting::Park {
                model.call_park = wake.call_nanoseconds.rounded();
            }
        }
        if let [near, shared, memory] = self.probe[..] {
            model.probe_near = near.nanoseconds.rounded();
            model.probe_shared_cache = shared.nanoseconds.rounded();
            model.probe_memory = memory.nanoseconds.rounded();
            model.near_cache_bytes = near.bytes;
            model.shared_cache_bytes = shared.bytes;
        }
        model
    }
}

/// What many batches say.
fn batches(batch: impl FnMut() -> f64) -> Vec<f64> {
    std::iter::repeat_with(batch).take(BATCHES).collect()
}

/// Runs both parts at once, each on its processor, and returns what the first says.
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

/// A word on a cache line of its own.
#[repr(align(128))]
struct Alone(AtomicU64);

fn wait_for(word: &AtomicU64, value: u64) {
    while word.load(Ordering::Acquire) != value {
        std::hint::spin_loop();
    }
}

fn ping_pong(pair: [usize; 2]) -> Figure {
    const ROUNDS: u64 = 300;
    Figure::of(batches(|| {
        let ball = Alone(AtomicU64::new(0));
        let sends = || {
            let start = Instant::now();
            for round in 0..ROUNDS {
                ball.0.store(2 * round + 1, Ordering::Release);
                wait_for(&ball.0, 2 * round + 2);
            }
            start.elapsed().as_nanos() as f64 / (2 * ROUNDS) as f64
        };
        on_both(pair, sends, || {
            for round in 0..ROUNDS {
                wait_for(&ball.0, 2 * round + 1);
                ball.0.store(2 * round + 2, Ordering::Release);
            }
        })
    }))
}

fn cold_copies(pair: [usize; 2], bytes: usize) -> Vec<f64> {
    const ROUNDS: u64 = 60;
    let words = bytes / 8;
    batches(|| {
        let source: Vec<AtomicU64> = (0..words).map(|_| AtomicU64::new(0)).collect();
        let turn = Alone(AtomicU64::new(0));
        let copies = || {
            let mut target = vec![0; words];
            let times = (0..ROUNDS).map(|round| {
                wait_for(&turn.0, 2 * round + 1);
                let start = Instant::now();
                for (to, from) in target.iter_mut().zip(&source) {
                    *to = from.load(Ordering::Relaxed);
                }
                black_box(&mut target);
                let time = start.elapsed().as_nanos() as f64;
                turn.0.store(2 * round + 2, Ordering::Release);
                time
            });
            Figure::of(times.collect()).median
        };
        let copied = on_both(pair, copies, || {
            for round in 0..ROUNDS {
                source.iter().for_each(|word| word.store(round, Ordering::Relaxed));
                turn.0.store(2 * round + 1, Ordering::Release);
                wait_for(&turn.0, 2 * round + 2);
            }
        });
        (copied - clock_reading()).max(0.0)
    })
}

/// What reading the clock costs, which is in every time between two readings.
fn clock_reading() -> f64 {
    Figure::of((0..1_000).map(|_| Instant::now().elapsed().as_nanos() as f64).collect()).median
}

fn free_lock() -> Figure {
    const ROUNDS: u32 = 100_000;
    let (processor, lock) = (Solo::new(), Lock::new(0_u64));
    Figure::of(batches(|| {
        let start = Instant::now();
        for _ in 0..ROUNDS {
            *processor.lock(black_box(&lock)) += 1;
        }
        start.elapsed().as_nanos() as f64 / f64::from(ROUNDS)
    }))
}

/// Two processors that want one lock all the time; only when it goes to the other is that a hand-over.
struct Contends {
    last: Lock<(usize, u64)>,
}

impl Contends {
    const HANDOVERS: u64 = 500;
}

impl Program for Contends {
    type Output = ();

    fn run<P: Processor>(&self, processor: &P) {
        loop {
            let mut last = processor.lock(&self.last);
            if last.0 != processor.id() {
                *last = (processor.id(), last.1 + 1);
            }
            let is_done = last.1 >= Self::HANDOVERS;
            drop(last);
            if is_done {
                return;
            }
            // Long enough for the other to get hold of it.
            (0..20).for_each(|_| std::hint::spin_loop());
        }
    }
}

fn lock_handoff(pair: [usize; 2]) -> Result<Figure, RealMachineError> {
    let machine = RealMachine::new(2, &Pin::List(pair.into_iter().collect()), Waiting::Spin)?;
    Ok(Figure::of(batches(|| {
        let run = machine.run(&Contends { last: Lock::new((usize::MAX, 0)) });
        run.map_or(0.0, |run| run.elapsed as f64 / Contends::HANDOVERS as f64)
    })))
}

/// One calls, the other goes on.
struct Wakes {
    rounds: usize,
    called_at: Arc<AtomicU64>,
    is_waiting: AtomicBool,
}

impl Program for Wakes {
    type Output = Vec<f64>;

    /// How long each call took to arrive (processor 0), and what it cost (processor 1).
    fn run<P: Processor>(&self, processor: &P) -> Vec<f64> {
        let mut times = Vec::with_capacity(self.rounds);
        for _ in 0..self.rounds {
            if processor.id() == 0 {
                self.called_at.store(0, Ordering::Release);
                self.is_waiting.store(true, Ordering::Release);
                processor.during(Activity::Idle, || {
                    while self.called_at.load(Ordering::Acquire) == 0 && !processor.is_stopped() {
                        processor.park("a call");
                    }
                });
                times.push(processor.now().saturating_sub(self.called_at.load(Ordering::Acquire)) as f64);
            } else {
                while !self.is_waiting.swap(false, Ordering::AcqRel) && !processor.is_stopped() {
                    std::hint::spin_loop();
                }
                // Until the other sleeps soundly.
                let start = processor.now();
                while processor.now() - start < 20_000 {
                    std::hint::spin_loop();
                }
                let now = processor.now();
                self.called_at.store(now, Ordering::Release);
                processor.unpark(0);
                times.push((processor.now() - now) as f64);
            }
        }
        times
    }
}

fn wake_up(pair: [usize; 2], waiting: Waiting) -> Result<WakeUp, RealMachineError> {
    const ROUNDS: usize = 300;
    let machine = RealMachine::new(2, &Pin::List(pair.into_iter().collect()), waiting)?;
    let program = Wakes { rounds: ROUNDS, called_at: Arc::new(AtomicU64::new(0)), is_waiting: AtomicBool::new(false) };
    let mut outputs = machine.run(&program).map(|run| run.outputs).unwrap_or_default().into_iter();
    let nanoseconds = Figure::of(outputs.next().unwrap_or_default());
    let reading = clock_reading();
    let calls = outputs.next().unwrap_or_default().into_iter().map(|call| (call - reading).max(0.0));
    Ok(WakeUp { waiting, nanoseconds, call_nanoseconds: Figure::of(calls.collect()) })
}

/// Follows a random cycle through the table, so that no read can begin before the last has ended.
fn probe(bytes: u64) -> Figure {
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
    Figure::of(batches(|| {
        let start = Instant::now();
        for _ in 0..READS {
            place = table[black_box(place)];
        }
        start.elapsed().as_nanos() as f64 / READS as f64
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_figure_has_quartiles() {
        let figure = Figure::of((0..=100).rev().map(f64::from).collect());
        assert_eq!(figure, Figure { median: 50.0, low: 25.0, high: 75.0 });
        assert_eq!(Figure::of(vec![]), Figure::default());
    }

    #[test]
    fn a_model_is_what_was_measured_and_else_the_reference() {
        let figure = |median| Figure { median, ..Figure::default() };
        let pair = |to, time| PingPong { from: 0, to, nanoseconds: figure(time) };
        let calibration = Calibration {
            ping_pong: vec![pair(1, 50.2), pair(2, 130.0), pair(3, 141.0), pair(4, 139.7)],
            lock_free: figure(11.4),
            lock_handoff: None,
            wake: vec![WakeUp {
                waiting: Waiting::Park,
                nanoseconds: figure(4_000.4),
                call_nanoseconds: figure(900.0),
            }],
            copy_first_line: Some(figure(60.0)),
            copy_line: Some(figure(7.6)),
            probe: vec![],
        };
        let expected = CostModel {
            name: "calibrated".into(),
            transfer_board: 50,
            transfer_far: 140,
            lock_free: 11,
            wake_park: 4_000,
            call_park: 900,
            copy_line: 8,
            ..CostModel::reference()
        };
        assert_eq!(calibration.model(), expected);
    }
}
