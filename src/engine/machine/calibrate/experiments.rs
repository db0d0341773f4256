//! Small experiments on pinned threads, each of which measures one cost of coordination in many short batches.
//!
//! # Memory ordering
//! Processors that take turns are ordered by a [`Meeting`]: what one has written before it, the others see after it.
//! Two that call each other announce by a `Release` store of `is_waiting`, paired with an `Acquire` swap, that the time
//! of the last call has been cleared; that the next time is seen after the call is for
//! [`unpark`](Processor::unpark).

use std::hint::black_box;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::time::Instant;

use super::super::mechanisms::{Meeting, PingPong, Slices, arithmetic};
use super::super::processor::LINE_BYTES;
use super::super::real::RealProcessor;
use super::super::{Activity, Lock, Machine, Pin, Processor, RealMachine, RealMachineError, Run, Waiting};
use super::figure::{Figure, Sharing, WakeUp, low};
use crate::random::SplitMix;

/// Number of batches of an experiment. Each takes some microseconds, so that most are not interrupted.
const BATCHES: usize = 100;

/// Number of the same events in a batch, where one is too short or too uneven to be timed by itself.
const EVENTS: usize = 4;

/// Processors on these CPUs.
fn processors(cpus: &[usize], waiting: Waiting) -> Result<RealMachine, RealMachineError> {
    RealMachine::new(cpus.len(), &Pin::List(cpus.iter().copied().collect()), waiting)
}

/// Results of processor 0 in an experiment on these CPUs; none if it failed.
fn of_first<T: Send>(
    cpus: &[usize],
    work: impl Fn(&RealProcessor<'_>) -> Vec<T> + Sync,
) -> Result<Vec<T>, RealMachineError> {
    let outputs = processors(cpus, Waiting::Spin)?.run_each(work).map(|run: Run<Vec<T>>| run.outputs);
    Ok(outputs.unwrap_or_default().into_iter().next().unwrap_or_default())
}

/// Results of processor 0 in this number of repetitions of an experiment, which is told the number of the repetition.
fn repeated<T: Send>(
    cpus: &[usize],
    count: usize,
    once: impl Fn(&RealProcessor<'_>, usize) -> T + Sync,
) -> Result<Vec<T>, RealMachineError> {
    of_first(cpus, |processor| (0..count).map(|number| once(processor, number)).collect())
}

/// Figure of an experiment on one processor.
fn alone(cpu: usize, batch: impl Fn(&RealProcessor<'_>, usize) -> f64 + Sync) -> Result<Figure, RealMachineError> {
    Ok(Figure::of(&repeated(&[cpu], BATCHES, batch)?))
}

/// Figure of an experiment on two processors, from the half of its batches that were shorter as a whole. In a longer
/// one a processor may have been held up, and have lost what it had in its cache: the other then gets that sooner than
/// from there.
fn of_the_shorter(
    pair: [usize; 2],
    batch: impl Fn(&RealProcessor<'_>, usize) -> f64 + Sync,
) -> Result<Figure, RealMachineError> {
    let mut batches = repeated(&pair, BATCHES, |processor, number| {
        let start = processor.now();
        let time = batch(processor, number);
        (processor.now() - start, time)
    })?;
    batches.sort_by_key(|(whole, _)| *whole);
    batches.truncate(batches.len().div_ceil(2));
    Ok(Figure::of(&batches.into_iter().map(|(_, time)| time).collect::<Vec<_>>()))
}

/// Means of groups of [`EVENTS`].
fn grouped(events: &[f64]) -> Vec<f64> {
    events.chunks(EVENTS).map(|batch| batch.iter().sum::<f64>() / batch.len() as f64).collect()
}

/// Nanoseconds that this takes.
#[inline(always)]
fn timed(work: impl FnOnce()) -> f64 {
    let start = Instant::now();
    work();
    start.elapsed().as_nanos() as f64
}

/// Means of groups of [`EVENTS`] without the time to read the clock, which is in every time between two readings.
fn without_clock(events: &[f64]) -> Vec<f64> {
    let readings: Vec<f64> = (0..1_000).map(|_| timed(|| {})).collect();
    let reading = low(&grouped(&readings));
    grouped(events).into_iter().map(|time| (time - reading).max(0.0)).collect()
}

/// Takes steps of arithmetic.
pub fn step(cpu: usize) -> Result<Figure, RealMachineError> {
    const STEPS: u32 = 10_000;
    alone(cpu, |_, batch| timed(|| _ = black_box(arithmetic(black_box(batch as u64), STEPS))) / f64::from(STEPS))
}

/// Sends a cache line to and fro.
pub fn ping_pong(pair: [usize; 2]) -> Result<Figure, RealMachineError> {
    let run = processors(&pair, Waiting::Spin)?.run(&Slices::new(PingPong::default(), BATCHES as u64, 100));
    Ok(Figure::of(run.map(|run| run.outputs).unwrap_or_default().first().map_or(&[][..], Vec::as_slice)))
}

/// A cache line that says which comes next in a cycle through all lines. Neighbours are fetched in pairs, so that it
/// takes the place of two.
#[derive(Debug, Default)]
#[repr(align(128))]
struct Chained {
    /// Twice the number of the next line, or 1 more: the last bit is there to be changed.
    next: AtomicUsize,
}

impl Chained {
    fn read(&self) -> usize {
        self.next.load(Ordering::Relaxed) / 2
    }

    fn change(&self) -> usize {
        self.next.fetch_xor(1, Ordering::Relaxed) / 2
    }
}

/// Random cycle through all lines: the next line of each.
fn cycle(lines: usize, seed: u64) -> Vec<usize> {
    let mut order: Vec<usize> = (0..lines).collect();
    SplitMix::new(seed).shuffle(&mut order);
    let mut next = vec![0; lines];
    (0..lines).for_each(|i| next[order[i]] = order[(i + 1) % lines]);
    next
}

/// State in which a line is that a processor wants.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Wanted {
    /// Changed by the other, to be read.
    ToRead,
    /// Changed by the other, to be changed.
    ToChange,
    /// Copied by both, to be changed.
    AloneToChange,
}

/// Reaches lines that the other processor has, of which each says where the next is.
pub fn transfer(pair: [usize; 2], wanted: Wanted) -> Result<Figure, RealMachineError> {
    const LINES: usize = 64;
    let chained = |next| Chained { next: AtomicUsize::new(2 * next) };
    let lines: Vec<Chained> = cycle(LINES, LINES as u64).into_iter().map(chained).collect();
    let meeting = Meeting::default();
    let (read, change) = (|place: usize| lines[place].read(), |place: usize| lines[place].change());
    let go_round = |step: &dyn Fn(usize) -> usize| _ = black_box((0..LINES).fold(0, |place, _| step(place)));
    of_the_shorter(pair, |processor, batch| {
        let meet = |time| meeting.meet(processor, 4 * batch as u64 + time);
        let has_lines = processor.id() == 1;
        if has_lines {
            go_round(&change);
        }
        meet(0);
        let is_copied = wanted == Wanted::AloneToChange;
        if is_copied && !has_lines {
            go_round(&read);
        }
        meet(1);
        // The first to read a line that another has changed may get it for itself; so the other reads it once more.
        if is_copied && has_lines {
            go_round(&read);
        }
        meet(2);
        let time = match wanted {
            _ if has_lines => 0.0,
            Wanted::ToRead => timed(|| go_round(&read)),
            Wanted::ToChange | Wanted::AloneToChange => timed(|| go_round(&change)),
        };
        meet(3);
        time / LINES as f64
    })
}

/// Reads at random places of a table of counters that the other processor has changed, and once more: the first time
/// less the second, for each line.
pub fn area_line(pair: [usize; 2]) -> Result<Figure, RealMachineError> {
    const TABLE_BYTES: usize = 32 << 10;
    const READS: usize = 64;
    let words = TABLE_BYTES / 8;
    let words_of_line = LINE_BYTES as usize / 8;
    let table: Vec<AtomicU64> = (0..words).map(|_| AtomicU64::new(0)).collect();
    let mut lines: Vec<usize> = (0..words / words_of_line).collect();
    let meeting = Meeting::default();
    SplitMix::new(1).shuffle(&mut lines);
    let read_all = |places: &[usize]| {
        let sum = places.iter().fold(0, |sum: u64, line| sum ^ table[line * words_of_line].load(Ordering::Relaxed));
        black_box(sum);
    };
    of_the_shorter(pair, |processor, batch| {
        let meet = |time| meeting.meet(processor, 2 * batch as u64 + time);
        let places = &lines[batch * READS % lines.len()..][..READS];
        if processor.id() == 1 {
            lines.iter().for_each(|line| _ = table[line * words_of_line].fetch_add(1, Ordering::Relaxed));
        }
        meet(0);
        let times = if processor.id() == 0 { [(); 2].map(|()| timed(|| read_all(places))) } else { [0.0; 2] };
        meet(1);
        ((times[0] - times[1]) / READS as f64).max(0.0)
    })
}

/// Copies data that the other processor has just written.
pub fn cold_copies(pair: [usize; 2], bytes: usize) -> Result<Vec<f64>, RealMachineError> {
    let words = bytes / 8;
    let source: Vec<AtomicU64> = (0..words).map(|_| AtomicU64::new(0)).collect();
    let meeting = Meeting::default();
    let event = |processor: &RealProcessor<'_>, round: usize, target: &mut Vec<u64>| {
        let meet = |time| meeting.meet(processor, 2 * round as u64 + time);
        if processor.id() == 1 {
            source.iter().for_each(|word| word.store(round as u64, Ordering::Relaxed));
        }
        meet(0);
        let copy = || {
            target.iter_mut().zip(&source).for_each(|(to, from)| *to = from.load(Ordering::Relaxed));
            black_box(&mut *target);
        };
        let time = if processor.id() == 0 { timed(copy) } else { 0.0 };
        meet(1);
        time
    };
    let events = of_first(&pair, |processor| {
        let mut target = vec![0; words];
        (0..BATCHES * EVENTS).map(|round| event(processor, round, &mut target)).collect()
    });
    Ok(without_clock(&events?))
}

/// Takes and gives back a lock that no other processor wants.
pub fn free_lock(cpu: usize) -> Result<Figure, RealMachineError> {
    const ROUNDS: u32 = 1_000;
    let lock = Lock::new(0_u64);
    alone(cpu, |processor, _| {
        let take = || (0..ROUNDS).for_each(|_| *processor.lock(black_box(&lock)) += 1);
        timed(take) / f64::from(ROUNDS)
    })
}

/// Hands a lock over to a processor that waits for it: the time from before it is given back until the other has it.
pub fn lock_handoff(pair: [usize; 2]) -> Result<Figure, RealMachineError> {
    /// Nanoseconds after which a processor that wants the lock waits for it.
    const WAITING: f64 = 500.0;
    // When the lock was given back.
    let lock = Lock::new(Instant::now());
    let meeting = Meeting::default();
    let events = repeated(&pair, BATCHES * EVENTS, |processor, round| {
        let meet = |time| meeting.meet(processor, 2 * round as u64 + time);
        let time = if processor.id() == 1 {
            let mut held = processor.lock(&lock);
            meet(0);
            let start = Instant::now();
            while (start.elapsed().as_nanos() as f64) < WAITING {
                std::hint::spin_loop();
            }
            *held = Instant::now();
            drop(held);
            0.0
        } else {
            meet(0);
            let held = processor.lock(&lock);
            Instant::now().saturating_duration_since(*held).as_nanos() as f64
        };
        meet(1);
        time
    });
    Ok(Figure::of(&without_clock(&events?)))
}

/// Wakes a processor that waits in this way.
pub fn wake_up(pair: [usize; 2], waiting: Waiting) -> Result<WakeUp, RealMachineError> {
    /// Nanoseconds after which a processor that waits sleeps soundly.
    const FALLEN_ASLEEP: u64 = 20_000;
    let machine = processors(&pair, waiting)?;
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
        (0..BATCHES * EVENTS).map(|_| if processor.id() == 0 { waits() } else { calls() }).collect::<Vec<f64>>()
    });
    let outputs = run.map(|run| run.outputs).unwrap_or_default();
    let figure = |id: usize| Figure::of(&without_clock(outputs.get(id).map_or(&[][..], Vec::as_slice)));
    Ok(WakeUp { waiting, nanoseconds: figure(0), call_nanoseconds: figure(1) })
}

/// Table in which each line says which is read next, so that no read can begin before the last has ended.
pub struct ProbedTable {
    words: Vec<usize>,
}

impl ProbedTable {
    const WORDS_OF_LINE: usize = LINE_BYTES as usize / 8;

    /// Table of this size, with a random cycle through its lines.
    pub fn new(bytes: u64) -> Self {
        let lines = (bytes / LINE_BYTES) as usize;
        let mut words = vec![0; lines * Self::WORDS_OF_LINE];
        for (line, next) in cycle(lines, bytes).into_iter().enumerate() {
            words[line * Self::WORDS_OF_LINE] = next * Self::WORDS_OF_LINE;
        }
        Self { words }
    }

    /// Reads on from this place. Returns the place reached, and the time of a read.
    fn read(&self, mut place: usize, reads: usize) -> (usize, f64) {
        let time = timed(|| (0..reads).for_each(|_| place = self.words[black_box(place)]));
        (place, time / reads as f64)
    }

    /// Place at which a processor begins, far from the others.
    fn start(&self, id: usize, count: usize) -> usize {
        let lines = self.words.len() / Self::WORDS_OF_LINE;
        lines * id / count * Self::WORDS_OF_LINE
    }

    /// Reads from the table on one processor.
    pub fn by_one(&self, cpu: usize) -> Result<Figure, RealMachineError> {
        const READS: usize = 5_000;
        let times = of_first(&[cpu], |_| {
            // Once through a table that fits a cache, so that it is there.
            let mut place = self.read(0, (self.words.len() / Self::WORDS_OF_LINE).min(1 << 18)).0;
            let batch = |_| {
                let (reached, time) = self.read(place, READS);
                place = reached;
                time
            };
            (0..BATCHES).map(batch).collect()
        });
        Ok(Figure::of(&times?))
    }

    /// Reads from the table on one processor alone, and on all at once.
    pub fn shared(&self, cpus: &[usize]) -> Result<Sharing, RealMachineError> {
        const READS: usize = 5_000;
        alone_and_together(cpus, |id, batch| {
            let place = self.start(id, cpus.len()) + self.start(batch, BATCHES);
            self.read(place % self.words.len(), READS).1
        })
    }

    /// Reads all lines of a part of the table, one after the other, on one processor alone, and on all at once.
    pub fn streamed(&self, cpus: &[usize]) -> Result<Sharing, RealMachineError> {
        const LINES: usize = 1 << 14;
        alone_and_together(cpus, |id, batch| {
            let start = self.start(id, cpus.len()) + batch * LINES * Self::WORDS_OF_LINE;
            let words = (0..LINES).map(|line| self.words[(start + line * Self::WORDS_OF_LINE) % self.words.len()]);
            timed(|| _ = black_box(words.fold(0, |sum, word| sum ^ word))) / LINES as f64
        })
    }
}

/// Runs the experiment by turns on the first of these CPUs alone and on all of them at once. It is told its processor
/// and the number of the batch; its result is that of the first.
fn alone_and_together(
    cpus: &[usize],
    experiment: impl Fn(usize, usize) -> f64 + Sync,
) -> Result<Sharing, RealMachineError> {
    let meeting = Meeting::default();
    let batches = repeated(cpus, BATCHES, |processor, batch| {
        let id = processor.id();
        let meet = |time| meeting.meet(processor, 3 * batch as u64 + time);
        meet(0);
        let alone = if id == 0 { experiment(id, 2 * batch) } else { 0.0 };
        meet(1);
        let together = experiment(id, 2 * batch + 1);
        meet(2);
        (alone, together)
    });
    let (alone, together): (Vec<f64>, Vec<f64>) = batches?.into_iter().unzip();
    Ok(Sharing { processors: cpus.len(), alone: Figure::of(&alone), together: Figure::of(&together) })
}

/// Reads the fields of entries that are in the near cache: the time of all of them less that of the first, for each of
/// the others.
pub fn table_field(cpu: usize) -> Result<Figure, RealMachineError> {
    const ENTRIES: usize = 256;
    const FIELDS: usize = LINE_BYTES as usize / 8;
    let entries: Vec<[AtomicU64; FIELDS]> = (0..ENTRIES).map(|_| Default::default()).collect();
    // Each read needs the one before, as a decision that follows from a field does.
    let read = |fields: usize| {
        let field = |place: u64, field: usize| {
            let entry = &entries[black_box(place as usize) % ENTRIES];
            entry[field].load(Ordering::Relaxed)
        };
        let entry = |sum: u64, entry: usize| (0..fields).fold(sum, |sum, one| sum ^ field(entry as u64, one));
        timed(|| _ = black_box((0..ENTRIES).fold(0, entry)))
    };
    alone(cpu, |_, _| ((read(FIELDS) - read(1)) / (ENTRIES * (FIELDS - 1)) as f64).max(0.0))
}

/// Looks through moves for the one with the greatest key: the time for each move.
pub fn sorting_move(cpu: usize) -> Result<Figure, RealMachineError> {
    const MOVES: usize = 32;
    const ROUNDS: usize = 64;
    let mut random = SplitMix::new(1);
    let moves: Vec<(i64, u32)> = (0..MOVES).map(|mv| (random.below(1 << 20) as i64, mv as u32)).collect();
    let pick = |_| _ = black_box(black_box(&moves).iter().max_by_key(|(key, _)| *key));
    alone(cpu, |_, _| timed(|| (0..ROUNDS).for_each(pick)) / (MOVES * ROUNDS) as f64)
}
