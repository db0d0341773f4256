//! Threads of our own that keep processors busy: beside the measured threads, to *fill* the processors that are not
//! measured, or among them, to [*disturb*](super::disturb) them.
//!
//! The clock falls as more cores wake, so that one thread alone runs faster than each of many: with the other cores
//! filled, both run at the same clock. (R. Hyatt measures so.) Threads that stream through memory also take bandwidth
//! and shared cache, as other jobs on the same computer do.
//!
//! # Memory ordering
//! The flag that stops the threads guards no data, so it is `Relaxed`; joining them orders the rest.

use std::collections::TryReserveError;
use std::hint::black_box;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, LazyLock};
use std::thread::{Builder, JoinHandle, park_timeout};
use std::time::{Duration, Instant};

use super::host::{Cache, CpuList, Files, Memory, NotAllowed, Topology};
use super::periods::Periods;
use super::pin::keep_this_thread_on;
use crate::choices::choices;

/// Steps of arithmetic between two reads of the flag that stops the threads: a few microseconds.
const STEPS: u32 = 4096;
/// Words that are streamed between two reads of that flag: 64 KiB, some microseconds.
const WORDS_AT_ONCE: usize = 8192;
const WORD_BYTES: u64 = 8;
/// Size of a buffer relative to the last-level cache. Of a buffer that is read in turn and is twice as large as the
/// cache, nearly nothing is still there when its turn comes again.
const CACHES_IN_A_BUFFER: u64 = 4;
const LEAST_CACHES_IN_A_BUFFER: u64 = 2;
/// Part of the available memory that all buffers together may take.
const MEMORY_PER_BUFFERS: u64 = 4;
/// Size that is assumed of the last-level cache where the system does not tell.
const ASSUMED_CACHE_BYTES: u64 = 32 << 20;

choices! {
    /// Work that keeps a processor busy.
    pub enum Occupation, "kind of work";
    /// Arithmetic in registers, which takes clock and heat but no cache and no memory.
    Arithmetic "arithmetic",
    /// Reading and writing a buffer larger than the last-level cache, which takes memory bandwidth too.
    Memory "memory",
}

impl Occupation {
    /// Time in which the threads begin; with memory, their buffers are given by the system meanwhile. One that has not
    /// begun by then has no processor to begin on; the others are started all the same.
    const fn longest_start(self) -> Duration {
        match self {
            Self::Arithmetic => Duration::from_secs(1),
            Self::Memory => Duration::from_secs(10),
        }
    }
}

/// Busy threads, until this is dropped.
#[derive(Debug)]
pub struct BusyThreads {
    orders: Arc<Orders>,
    threads: Vec<JoinHandle<()>>,
    /// Whether the system keeps each thread on the CPUs that it was given.
    pub are_kept: bool,
}

/// Orders that busy threads follow.
#[derive(Debug, Default)]
struct Orders {
    stop: AtomicBool,
    /// Periods in a part of which the threads work, if they do not work always.
    periods: Option<Periods>,
}

impl Orders {
    /// Whether a thread has to go on. Sleeps until the next period before, if it is not at work now.
    fn go_on(&self) -> bool {
        while !self.stop.load(Ordering::Relaxed) {
            match self.periods.and_then(Periods::rest) {
                None => return true,
                Some(rest) => park_timeout(rest),
            }
        }
        false
    }
}

/// Place of a busy thread.
#[derive(Clone, Debug)]
pub struct Post {
    /// Name of the thread, by which the system's tools show it.
    pub name: String,
    /// CPUs on which the thread may run; the system moves it between them as it likes.
    pub cpus: CpuList,
}

/// Reasons why processors cannot be kept busy.
#[derive(Debug, thiserror::Error)]
pub enum BusyError {
    /// A CPU is not in the mask of the process.
    #[error(transparent)]
    NotAllowed(#[from] NotAllowed),
    /// The system gives no more threads.
    #[error("cannot start a thread to keep CPU {cpus} busy: {error}")]
    NoThread {
        /// CPUs that were to be kept busy.
        cpus: CpuList,
        /// Error of the system.
        error: std::io::Error,
    },
    /// The buffers would take too much of the memory.
    #[error(
        "{threads} busy threads need a buffer of {mib} MiB each (twice the last-level cache), together more than a \
         quarter of the available memory, {available_mib} MiB"
    )]
    NoRoom {
        /// Number of threads.
        threads: usize,
        /// Smallest size of a buffer.
        mib: u64,
        /// Available memory.
        available_mib: u64,
    },
    /// The system refuses the memory.
    #[error("there is no memory for the buffer of a busy thread: {0}")]
    NoMemory(#[from] TryReserveError),
}

impl BusyThreads {
    /// Starts a thread on each of these CPUs and pins it there. Returns when the threads are at work.
    ///
    /// # Errors
    /// As of [`start`](Self::start).
    pub fn fill(cpus: &[usize], occupation: Occupation) -> Result<Self, BusyError> {
        let cpus: CpuList = cpus.iter().copied().collect();
        let post = |&cpu: &usize| Post { name: format!("fill {cpu}"), cpus: [cpu].into_iter().collect() };
        Self::start(&cpus.as_slice().iter().map(post).collect::<Vec<_>>(), occupation, None)
    }

    /// Starts a thread for each post, which works always or in a part of each period, and returns when the threads are
    /// at work or could be.
    ///
    /// # Errors
    /// If a CPU is not allowed, or the system gives no thread or no memory; then none is left running.
    pub fn start(posts: &[Post], occupation: Occupation, periods: Option<Periods>) -> Result<Self, BusyError> {
        posts.iter().try_for_each(|post| Topology::of_system().check(&post.cpus))?;
        let words = match occupation {
            Occupation::Memory if !posts.is_empty() => (buffer_bytes(posts.len())? / WORD_BYTES) as usize,
            _ => 0,
        };
        let (begun, beginnings) = channel();
        let orders = Arc::new(Orders { periods, ..Orders::default() });
        let mut busy = Self { orders, threads: Vec::with_capacity(posts.len()), are_kept: true };
        for (number, post) in posts.iter().enumerate() {
            // If this fails, dropping what has been started stops it.
            let thread = busy.spawn(post, number as u64, words, begun.clone());
            busy.threads.push(thread.map_err(|error| BusyError::NoThread { cpus: post.cpus.clone(), error })?);
        }
        drop(begun);
        // The wait ends when every thread has dropped its sender, or with the time.
        let until = Instant::now() + occupation.longest_start();
        while let Ok(is_kept) = beginnings.recv_timeout(until.saturating_duration_since(Instant::now())) {
            busy.are_kept &= is_kept?;
        }
        Ok(busy)
    }

    /// Starts a thread that streams through a buffer of this many words, or calculates if they are none.
    fn spawn(
        &self,
        post: &Post,
        seed: u64,
        words: usize,
        begun: Sender<Result<bool, TryReserveError>>,
    ) -> std::io::Result<JoinHandle<()>> {
        let (orders, cpus) = (Arc::clone(&self.orders), post.cpus.clone());
        Builder::new().name(post.name.clone()).spawn(move || {
            let is_kept = keep_this_thread_on(&cpus);
            let (mut buffer, beginning) = match buffer(&orders.stop, words) {
                Ok(buffer) => (buffer, Ok(is_kept)),
                Err(error) => (Vec::new(), Err(error)),
            };
            // Nobody listens any more if the time to begin is over.
            let _ = begun.send(beginning);
            drop(begun);
            if buffer.is_empty() { calculate(&orders, seed) } else { stream(&orders, &mut buffer) }
        })
    }
}

impl Drop for BusyThreads {
    fn drop(&mut self) {
        self.orders.stop.store(true, Ordering::Relaxed);
        self.threads.iter().for_each(|thread| thread.thread().unpark());
        for thread in self.threads.drain(..) {
            // Neither kind of work can panic, and a drop has no one to tell.
            let _ = thread.join();
        }
    }
}

/// Runs a linear congruential generator (Knuth's MMIX) in a register until it is stopped. The flag is shared but only
/// read, so its line stays in every core's own cache.
fn calculate(orders: &Orders, seed: u64) {
    let mut number = seed;
    while orders.go_on() {
        for _ in 0..STEPS {
            number = black_box(number).wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        }
    }
    black_box(number);
}

/// Reads and writes every word of a buffer in turn, again and again, until it is stopped.
fn stream(orders: &Orders, buffer: &mut [u64]) {
    while orders.go_on() {
        for block in buffer.chunks_mut(WORDS_AT_ONCE) {
            if !orders.go_on() {
                return;
            }
            block.iter_mut().for_each(|word| *word = word.wrapping_add(1));
            black_box(block);
        }
    }
}

/// Buffer of this many words, each of which has been written: until then the system gives no memory. It is cut short if
/// the thread is stopped meanwhile.
fn buffer(stop: &AtomicBool, words: usize) -> Result<Vec<u64>, TryReserveError> {
    let mut buffer = Vec::new();
    buffer.try_reserve_exact(words)?;
    while buffer.len() < words && !stop.load(Ordering::Relaxed) {
        buffer.resize((buffer.len() + WORDS_AT_ONCE).min(words), 1);
    }
    Ok(buffer)
}

/// Size of the buffer of each of these threads on this computer.
fn buffer_bytes(threads: usize) -> Result<u64, BusyError> {
    static CACHE_BYTES: LazyLock<u64> = LazyLock::new(|| {
        let caches = Cache::read_all(&Files::of_system(), Topology::of_system());
        let last = caches.iter().filter_map(|cache| Some((cache.level, cache.bytes?))).max();
        last.map_or(ASSUMED_CACHE_BYTES, |(_, bytes)| bytes)
    });
    buffer_bytes_beside(threads, *CACHE_BYTES, Memory::of_system().available_bytes)
}

/// Size of the buffer of each of these threads, for a last-level cache of this size and what is left of the memory.
fn buffer_bytes_beside(threads: usize, cache_bytes: u64, available_bytes: Option<u64>) -> Result<u64, BusyError> {
    let share = available_bytes.map_or(u64::MAX, |bytes| bytes / MEMORY_PER_BUFFERS / threads as u64);
    let least = LEAST_CACHES_IN_A_BUFFER * cache_bytes;
    if share < least {
        let available_mib = available_bytes.unwrap_or_default() >> 20;
        return Err(BusyError::NoRoom { threads, mib: least >> 20, available_mib });
    }
    Ok(share.min(CACHES_IN_A_BUFFER * cache_bytes))
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};

    use super::*;

    fn first() -> usize {
        Topology::of_system().order()[0]
    }

    #[test]
    fn a_filled_processor_is_left_when_dropped() {
        for &occupation in Occupation::ALL {
            let fill = BusyThreads::fill(&[first(), first()], occupation).unwrap();
            assert_eq!(fill.threads.len(), 1, "a CPU is filled once");
            let orders = Arc::clone(&fill.orders);
            drop(fill);
            assert_eq!(Arc::strong_count(&orders), 1, "the thread has ended");
        }
    }

    #[test]
    fn a_panic_ends_the_threads() {
        let mut orders = None;
        let panicked = catch_unwind(AssertUnwindSafe(|| {
            let all = Topology::of_system().allowed.clone();
            let posts = ["busy a", "busy b"].map(|name| Post { name: name.to_owned(), cpus: all.clone() });
            let busy = BusyThreads::start(&posts, Occupation::Arithmetic, None).unwrap();
            assert_eq!((busy.threads.len(), busy.are_kept), (2, true));
            orders = Some(Arc::clone(&busy.orders));
            std::panic::resume_unwind(Box::new("in a search"));
        }));
        assert!(panicked.is_err());
        assert_eq!(Arc::strong_count(&orders.unwrap()), 1, "the threads have ended");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn each_processor_has_a_thread_that_works_on_it() {
        use super::super::host::Files;

        let last = *Topology::of_system().order().last().unwrap();
        let _fill = BusyThreads::fill(&[last], Occupation::Arithmetic).unwrap();
        // The kernel's own account of the thread, found by its name.
        let files = Files::of_system();
        let is_ours = |task: &usize| files.text(&format!("proc/self/task/{task}/comm")) == Some(format!("fill {last}"));
        let worked_ns = |task: usize| -> u64 {
            let text = files.text(&format!("proc/self/task/{task}/schedstat")).unwrap_or_default();
            text.split_whitespace().next().and_then(|ns| ns.parse().ok()).unwrap_or(0)
        };
        let tasks: Vec<usize> = files.numbered("proc/self/task", "").into_iter().filter(is_ours).collect();
        // Others may want the same core: 20 ms of it are enough to see that the thread does not sleep.
        let has_worked = (0..20).any(|_| {
            std::thread::sleep(Duration::from_millis(200));
            tasks.iter().any(|task| worked_ns(*task) > 20_000_000)
        });
        assert!(has_worked, "{tasks:?}");
        let status = |task: &usize| files.text(&format!("proc/self/task/{task}/status")).unwrap_or_default();
        let bound = format!("Cpus_allowed_list:\t{last}\n");
        assert!(tasks.iter().any(|task| status(task).contains(&bound)), "{tasks:?}");
    }

    /// Periods so long, and with so short a part of work, that this hardly falls into it.
    #[test]
    fn threads_sleep_in_the_rest_of_a_period_and_are_woken_to_end() {
        let periods = Periods::of_words(&["period=100h", "share=0.001"]).unwrap();
        let resting = Orders { periods, ..Orders::default() };
        let Some(rest) = periods.and_then(Periods::rest).filter(|rest| *rest > Duration::from_secs(60)) else { return };
        let begun = Instant::now();
        let cpus = Topology::of_system().allowed.clone();
        let post = Post { name: "resting".to_owned(), cpus };
        drop(BusyThreads::start(&[post], Occupation::Memory, periods).unwrap());
        std::thread::scope(|scope| {
            let thread = scope.spawn(|| resting.go_on());
            std::thread::sleep(Duration::from_millis(50));
            assert!(!thread.is_finished(), "it does not work");
            resting.stop.store(true, Ordering::Relaxed);
            thread.thread().unpark();
            assert!(!thread.join().unwrap());
        });
        assert!(begun.elapsed() < rest, "nobody sleeps to the end");
    }

    #[test]
    fn a_cpu_that_does_not_exist_is_an_error() {
        let error = BusyThreads::fill(&[first(), 65_000], Occupation::Arithmetic).unwrap_err().to_string();
        assert!(error.contains("CPU 65000 is not among"), "{error}");
    }

    #[test]
    fn nothing_to_fill_is_no_error() {
        for &occupation in Occupation::ALL {
            assert!(BusyThreads::fill(&[], occupation).unwrap().threads.is_empty());
        }
    }

    #[test]
    fn buffers_are_larger_than_the_cache_and_leave_memory() {
        const MIB: u64 = 1 << 20;
        for (threads, cache, available, expected) in [
            (1, 32, Some(24_000), Some(128)),
            (24, 32, Some(9_600), Some(100)),
            (24, 32, Some(6_144), Some(64)),
            (24, 32, Some(6_000), None),
            (2, 8, None, Some(32)),
        ] {
            let bytes = buffer_bytes_beside(threads, cache * MIB, available.map(|mib| mib * MIB));
            assert_eq!(bytes.as_ref().ok().map(|bytes| bytes / MIB), expected, "{threads} {cache} {available:?}");
        }
        let error = buffer_bytes_beside(24, 32 * MIB, Some(6_000 * MIB)).unwrap_err().to_string();
        assert!(error.contains("24 busy threads need a buffer of 64 MiB each") && error.contains("6000"), "{error}");
    }

    #[test]
    fn a_stream_writes_every_word_in_turn() {
        let orders = Orders::default();
        let stop = &orders.stop;
        let mut words = buffer(stop, 3 * WORDS_AT_ONCE + 1).unwrap();
        assert_eq!(words.len(), 3 * WORDS_AT_ONCE + 1);
        std::thread::scope(|scope| {
            scope.spawn(|| stream(&orders, &mut words));
            std::thread::sleep(Duration::from_millis(50));
            stop.store(true, Ordering::Relaxed);
        });
        let (first, last) = (words[0], words[words.len() - 1]);
        assert!(first > 1 && (first == last || first == last + 1), "{first} {last}");
        assert!(words.windows(2).all(|pair| pair[0] >= pair[1]));
        assert!(buffer(stop, 9).unwrap().is_empty(), "nothing is taken by a thread that was stopped");
    }
}
