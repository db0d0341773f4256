//! Real processors: a pool of threads, each pinned to a core.
//!
//! The pool is made once and runs many programs. Each worker catches its own panic, raises the stop flag and wakes the
//! others, so that a run whose program fails comes to an end and tells why.

use std::cell::Cell;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::str::FromStr;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use std::time::Instant;

use rayon::{ThreadPool, ThreadPoolBuilder};

use super::guard::{Disturbance, Watch};
use super::host::{CpuList, CpuListError, Host, NotAllowed, Topology};
use super::lock::LockWord;
use super::pin::pin_this_thread;
use super::processor::{Access, Processor, Waiting, Work};
use super::times::{Account, Activity, Times};
use super::{Evicted, Failure, Machine, Program, Run, message_of};

/// Where the threads of a real machine run. As text: `none`, `cores`, `threads`, or a list such as `0-3,8`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Pin {
    /// Wherever the operating system puts them.
    None,
    /// One hardware thread of each physical core first, by NUMA node, then the siblings.
    #[default]
    Cores,
    /// The hardware threads of a core one after the other.
    Threads,
    /// These logical CPUs, in this order.
    List(CpuList),
}

impl FromStr for Pin {
    type Err = CpuListError;

    fn from_str(text: &str) -> Result<Self, CpuListError> {
        match text {
            "none" => Ok(Self::None),
            "cores" => Ok(Self::Cores),
            "threads" => Ok(Self::Threads),
            list => list.parse().map(Self::List),
        }
    }
}

impl fmt::Display for Pin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => f.write_str("none"),
            Self::Cores => f.write_str("cores"),
            Self::Threads => f.write_str("threads"),
            Self::List(list) => list.fmt(f),
        }
    }
}

impl Pin {
    /// The CPUs that threads get in turn; the list begins anew if there are more threads. Empty if they are not pinned.
    fn places(&self, topology: &Topology) -> Result<Vec<usize>, NotAllowed> {
        match self {
            Self::None => Ok(Vec::new()),
            Self::Cores => Ok(topology.order()),
            Self::Threads => Ok(topology.order_by_thread()),
            Self::List(list) => topology.check(list).map(|()| list.as_slice().to_vec()),
        }
    }
}

/// Why there is no such machine.
#[derive(Debug, thiserror::Error)]
pub enum RealMachineError {
    /// No threads, or far too many.
    #[error("{0} threads: expected 1 to {most}", most = RealMachine::MOST_THREADS)]
    Threads(usize),
    /// A CPU that does not exist, or that this process may not use.
    #[error(transparent)]
    NotAllowed(#[from] NotAllowed),
    /// The threads could not be started.
    #[error("cannot start the threads: {0}")]
    Start(#[from] rayon::ThreadPoolBuildError),
}

/// Threads of this computer.
#[derive(Debug)]
pub struct RealMachine {
    pool: ThreadPool,
    waiting: Waiting,
    places: Vec<Place>,
    is_oversubscribed: bool,
    keeps_spans: bool,
}

/// Where a thread of a real machine runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Place {
    /// The CPU that it was to be pinned to, if any.
    pub cpu: Option<usize>,
    /// Whether the system did as it was asked.
    pub is_pinned: bool,
}

impl RealMachine {
    /// More threads than this are a slip of the finger.
    pub const MOST_THREADS: usize = 1024;

    /// Starts the threads and pins them.
    ///
    /// # Errors
    /// If there are no threads or far too many, if a CPU of the list is not allowed, or if the system gives no threads.
    pub fn new(threads: usize, pin: &Pin, waiting: Waiting) -> Result<Self, RealMachineError> {
        if !(1..=Self::MOST_THREADS).contains(&threads) {
            return Err(RealMachineError::Threads(threads));
        }
        let cpus = pin.places(Topology::of_system())?;
        let room = if cpus.is_empty() { Self::room() } else { cpus.len().min(Self::room()) };
        let turns = cpus.iter().copied().map(Some).cycle();
        let cpus: Vec<Option<usize>> = turns.chain(std::iter::repeat(None)).take(threads).collect();
        let pinned: Arc<Vec<AtomicBool>> = Arc::new((0..threads).map(|_| AtomicBool::new(false)).collect());
        let (own, granted) = (cpus.clone(), Arc::clone(&pinned));
        let pool = ThreadPoolBuilder::new()
            .num_threads(threads)
            .thread_name(|id| format!("worker-{id}"))
            .start_handler(move |id| {
                let is_pinned = own[id].is_some_and(pin_this_thread);
                granted[id].store(is_pinned, Ordering::Release);
            })
            .build()?;
        // Once each has answered, each has been pinned or not.
        pool.broadcast(|_| ());
        let place = |(cpu, is_pinned): (Option<usize>, &AtomicBool)| Place {
            cpu,
            is_pinned: is_pinned.load(Ordering::Acquire),
        };
        let places = cpus.into_iter().zip(pinned.iter()).map(place).collect();
        Ok(Self { pool, waiting, places, is_oversubscribed: threads > room, keeps_spans: false })
    }

    /// The same, keeping all of each thread's time one by one.
    #[must_use]
    pub fn keeping_spans(self) -> Self {
        Self { keeps_spans: true, ..self }
    }

    /// How many threads this process can have running at once: the CPUs of its mask, or fewer if it may not use all their
    /// time. Read once.
    pub fn room() -> usize {
        static ROOM: LazyLock<usize> = LazyLock::new(|| {
            let cpus = Topology::of_system().allowed.len();
            Host::read().quota_cpus.map_or(cpus, |quota| cpus.min(quota.ceil() as usize)).max(1)
        });
        *ROOM
    }

    /// Where each thread runs.
    pub fn places(&self) -> &[Place] {
        &self.places
    }

    /// Whether there are more threads than can run at once.
    pub fn is_oversubscribed(&self) -> bool {
        self.is_oversubscribed
    }

    /// Runs a program and watches for each thread whether its core was its own.
    pub fn run_watched<G: Program>(&self, program: &G) -> Result<(Run<G::Output>, Vec<Disturbance>), Failure> {
        let watched = self.run_each(|processor| {
            let watch = Watch::start();
            let output = program.run(processor);
            (output, watch.stop())
        });
        watched.map(Run::split)
    }
}

impl<T, D> Run<(T, D)> {
    /// Takes what came of each processor apart.
    fn split(self) -> (Run<T>, Vec<D>) {
        let (outputs, others) = self.outputs.into_iter().unzip();
        (Run { outputs, elapsed: self.elapsed, times: self.times, spans: self.spans }, others)
    }
}

/// What all threads of a run share.
struct Shared {
    start: Instant,
    waiting: Waiting,
    stopped: AtomicBool,
    failure: Mutex<Option<Failure>>,
    failed: AtomicBool,
    calls: Vec<Call>,
}

/// Whether a thread has been called. On a cache line of its own.
#[repr(align(128))]
struct Call(AtomicU32);

const CALLED: u32 = 1;

impl Shared {
    fn call(&self, id: usize) {
        let called = self.calls[id].0.swap(CALLED, Ordering::Release);
        if self.waiting == Waiting::Park && called != CALLED {
            atomic_wait::wake_one(&self.calls[id].0);
        }
    }

    fn stop(&self) {
        self.stopped.store(true, Ordering::Release);
        (0..self.calls.len()).for_each(|id| self.call(id));
    }

    fn fail(&self, processor: usize, message: String) {
        let mut failure = self.failure.lock().unwrap_or_else(PoisonError::into_inner);
        failure.get_or_insert(Failure::Panic { processor, message });
        self.failed.store(true, Ordering::Release);
        drop(failure);
        self.stop();
    }
}

/// How often a thread of a failed run may wait again before it is unwound. Each time it lets all others go first, which may
/// take a time slice of every busy thread.
const PATIENCE: u32 = 200;

/// A thread of this computer.
struct RealProcessor<'a> {
    id: usize,
    shared: &'a Shared,
    account: Account,
    waits_after_failure: Cell<u32>,
}

impl Machine for RealMachine {
    fn processors(&self) -> usize {
        self.places.len()
    }

    fn run<G: Program>(&self, program: &G) -> Result<Run<G::Output>, Failure> {
        self.run_each(|processor| program.run(processor))
    }
}

impl RealMachine {
    /// Does something on every thread at once.
    fn run_each<T: Send>(&self, work: impl Fn(&RealProcessor<'_>) -> T + Sync) -> Result<Run<T>, Failure> {
        let shared = Shared {
            start: Instant::now(),
            waiting: self.waiting,
            stopped: AtomicBool::new(false),
            failure: Mutex::new(None),
            failed: AtomicBool::new(false),
            calls: (0..self.processors()).map(|_| Call(AtomicU32::new(0))).collect(),
        };
        let finished: Vec<Option<(T, Account)>> = self.pool.broadcast(|context| {
            let processor = RealProcessor {
                id: context.index(),
                shared: &shared,
                account: Account::new(self.keeps_spans),
                waits_after_failure: Cell::new(0),
            };
            match catch_unwind(AssertUnwindSafe(|| work(&processor))) {
                Ok(output) => {
                    // From here on it has no work.
                    processor.enter(Activity::Idle);
                    Some((output, processor.account))
                }
                Err(payload) => {
                    if !payload.is::<Evicted>() {
                        shared.fail(processor.id, message_of(payload.as_ref()));
                    }
                    None
                }
            }
        });
        let elapsed = shared.start.elapsed().as_nanos() as u64;
        if let Some(failure) = shared.failure.into_inner().unwrap_or_else(PoisonError::into_inner) {
            return Err(failure);
        }
        let (outputs, accounts): (Vec<_>, Vec<Account>) = finished.into_iter().flatten().unzip();
        let times: Vec<Times> = accounts.iter().map(|account| account.close(elapsed)).collect();
        let spans = accounts.iter().filter_map(Account::take_spans).collect();
        Ok(Run { outputs, elapsed, times, spans })
    }
}

impl RealProcessor<'_> {
    /// A thread of a failed run that keeps waiting does not look at the stop flag: it is made to end.
    #[cold]
    fn lose_patience(&self) {
        let waits = self.waits_after_failure.get() + 1;
        self.waits_after_failure.set(waits);
        if waits > PATIENCE && self.shared.failed.load(Ordering::Relaxed) && !std::thread::panicking() {
            resume_unwind(Box::new(Evicted));
        }
        std::thread::yield_now();
    }
}

impl Processor for RealProcessor<'_> {
    const IS_VIRTUAL: bool = false;

    #[inline(always)]
    fn id(&self) -> usize {
        self.id
    }

    #[inline(always)]
    fn count(&self) -> usize {
        self.shared.calls.len()
    }

    fn now(&self) -> u64 {
        self.shared.start.elapsed().as_nanos() as u64
    }

    #[inline(always)]
    fn spend(&self, _: Work) {}

    #[inline(always)]
    fn touch(&self, _: Access<'_>) {}

    fn park(&self, _: &'static str) {
        if self.is_stopped() {
            return self.lose_patience();
        }
        let call = &self.shared.calls[self.id].0;
        // Looking does not take the line away from whoever is about to call; taking the call does, once.
        while call.load(Ordering::Relaxed) != CALLED {
            match self.shared.waiting {
                Waiting::Spin => std::hint::spin_loop(),
                Waiting::Yield => std::thread::yield_now(),
                Waiting::Park => atomic_wait::wait(call, 0),
            }
        }
        call.swap(0, Ordering::Acquire);
    }

    fn unpark(&self, id: usize) {
        self.shared.call(id);
    }

    fn stop(&self) {
        self.shared.stop();
    }

    #[inline(always)]
    fn is_stopped(&self) -> bool {
        self.shared.stopped.load(Ordering::Acquire)
    }

    fn enter(&self, activity: Activity) -> Activity {
        if self.account.activity() == activity {
            return activity;
        }
        self.account.enter(activity, self.now())
    }

    #[inline]
    fn acquire(&self, lock: &LockWord) {
        if !lock.try_take(self.id) {
            let before = self.enter(Activity::Lock);
            lock.take_contended(self.id, self.shared.waiting);
            self.enter(before);
        }
    }

    #[inline]
    fn try_acquire(&self, lock: &LockWord) -> bool {
        lock.try_take(self.id)
    }

    #[inline]
    fn release(&self, lock: &LockWord) {
        lock.give_back();
    }
}
