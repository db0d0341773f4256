//! Real processors: a pool of threads, each pinned to a core.
//!
//! The pool is made once and runs many programs. Each thread catches its own panic, raises the stop flag and wakes the
//! others, so that a run whose program fails comes to an end and reports why. A thread that does not look at the flag,
//! and goes on waiting, is unwound.
//!
//! For each thread there is a word that says whether it has been called since it last went on, see the module `call`.
//! [`unpark`](Processor::unpark) sets it, and [`park`](Processor::park) waits until it is set and clears it.
//! [`stop`](Processor::stop) sets the stop flag, then calls all.
//!
//! # Memory ordering
//! - Calls: a woken thread sees what its callers wrote before, see the module `call`.
//! - Stop flag: the `Release` store in [`Shared::stop`] pairs with the `Acquire` load in `is_stopped`, so whoever sees
//!   the flag sees what was written before the stop. A thread that the stop has woken sees the flag through its call,
//!   which comes later.
//! - Beginning and end: what was written before a run is visible to its threads, and what they wrote is visible after
//!   it, by the queue and the latch of [`ThreadPool::broadcast`]. The failure and the outputs are behind mutexes.

use std::cell::Cell;
use std::fmt;
use std::hint::black_box;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::str::FromStr;
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use rayon::{ThreadPool, ThreadPoolBuilder};

use super::call::Call;
use super::guard::{Disturbance, Watch};
use super::host::{CpuList, CpuListError, Host, NotAllowed, Topology};
use super::in_order::Seat;
use super::lock::LockWord;
use super::pin::pin_this_thread;
use super::processor::{Access, Line, Processor, Tick, Waiting, Work};
use super::stopwatch::Stopwatch;
use super::times::Account;
use super::transport::{Channel, OneOfSeveral, Transport};
use super::{Failure, ForcedUnwind, MOST_PROCESSORS, Machine, Program, Run, message_of};
use crate::counts::{Activities, Activity};
use crate::sync::{AtomicBool, Ordering, yield_now};

/// Placement of the threads of a real machine. As text: `none`, `cores`, `spread`, `compact`,
/// `threads`, or a list such as `0-3,8`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Pin {
    /// The operating system places the threads.
    None,
    /// One hardware thread of each physical core first, fast cores before slow ones, by NUMA node, then the siblings.
    #[default]
    Cores,
    /// As cores, each on another NUMA node or in another group that shares an L3 cache than the one before.
    Spread,
    /// As cores, those that share an L3 cache together.
    Compact,
    /// The hardware threads of a core one after the other.
    Threads,
    /// Logical CPUs of a list, in its order.
    List(CpuList),
}

/// Placements that have a name.
const NAMED: [(&str, Pin); 5] = [
    ("none", Pin::None),
    ("cores", Pin::Cores),
    ("spread", Pin::Spread),
    ("compact", Pin::Compact),
    ("threads", Pin::Threads),
];

impl FromStr for Pin {
    type Err = CpuListError;

    fn from_str(text: &str) -> Result<Self, CpuListError> {
        let named = NAMED.into_iter().find(|(name, _)| *name == text);
        named.map_or_else(|| text.parse().map(Self::List), |(_, pin)| Ok(pin))
    }
}

impl fmt::Display for Pin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::List(list) => list.fmt(f),
            named => NAMED.iter().filter(|(_, pin)| pin == named).try_for_each(|(name, _)| f.write_str(name)),
        }
    }
}

impl Pin {
    /// CPUs on which so many threads run, each once; none if they are not pinned.
    ///
    /// # Errors
    /// If a CPU of the list is not allowed.
    pub fn cpus(&self, threads: usize, topology: &Topology) -> Result<CpuList, NotAllowed> {
        Ok(self.places(topology)?.into_iter().take(threads).collect())
    }

    /// This placement for a process beside others whose threads, so many, have the first places.
    ///
    /// # Errors
    /// If a CPU of the list is not allowed.
    pub fn skipping(&self, threads: usize) -> Result<Self, NotAllowed> {
        let mut places = if threads == 0 { Vec::new() } else { self.places(Topology::of_system())? };
        if places.is_empty() {
            return Ok(self.clone());
        }
        let skipped = threads % places.len();
        places.rotate_left(skipped);
        Ok(Self::List(places.into_iter().collect()))
    }

    /// CPUs that threads get in turn; the list begins anew if there are more threads. Empty if they are not pinned.
    pub(super) fn places(&self, topology: &Topology) -> Result<Vec<usize>, NotAllowed> {
        match self {
            Self::None => Ok(Vec::new()),
            Self::Cores => Ok(topology.order()),
            Self::Spread => Ok(topology.order_spread()),
            Self::Compact => Ok(topology.order_compact()),
            Self::Threads => Ok(topology.order_by_thread()),
            Self::List(list) => topology.check(list).map(|()| list.as_slice().to_vec()),
        }
    }
}

/// Reasons why a real machine cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum RealMachineError {
    /// No threads, or far too many.
    #[error("{0} threads: must be from 1 to {most}", most = MOST_PROCESSORS)]
    Threads(usize),
    /// A CPU that does not exist, or that this process may not use.
    #[error(transparent)]
    NotAllowed(#[from] NotAllowed),
    /// The threads could not be started.
    #[error("cannot start the threads: {0}")]
    Start(#[from] rayon::ThreadPoolBuildError),
}

/// A machine whose processors are threads of this computer.
///
/// ```
/// use splitpoint_engine::machine::{Machine, Pin, Processor, Program, RealMachine, Waiting};
///
/// struct Id;
///
/// impl Program for Id {
///     type Output = usize;
///
///     fn run<P: Processor>(&self, processor: &P) -> usize {
///         processor.id()
///     }
/// }
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let machine = RealMachine::new(2, &Pin::Cores, Waiting::Park)?;
/// assert_eq!(machine.run(&Id)?.outputs, [0, 1]);
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct RealMachine {
    pool: ThreadPool,
    waiting: Waiting,
    places: Vec<Place>,
    is_oversubscribed: bool,
    /// Part of this process, if its threads are not all that search.
    several: Option<OneOfSeveral>,
    /// Whether the [spans](Run::spans) of each thread are kept.
    pub keeps_spans: bool,
}

/// CPU of a thread of a real machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Place {
    /// CPU to which the thread was to be pinned, if any.
    pub cpu: Option<usize>,
    /// Whether the system has pinned the thread.
    pub is_pinned: bool,
}

impl RealMachine {
    /// Starts the threads and pins them.
    ///
    /// # Errors
    /// If there are no threads or more than [`MOST_PROCESSORS`], if a CPU of the list is not allowed, or if the system
    /// gives no threads.
    pub fn new(threads: usize, pin: &Pin, waiting: Waiting) -> Result<Self, RealMachineError> {
        if !(1..=MOST_PROCESSORS).contains(&threads) {
            return Err(RealMachineError::Threads(threads));
        }
        let cpus = pin.places(Topology::of_system())?;
        let room = if cpus.is_empty() { Self::room() } else { cpus.len().min(Self::room()) };
        let named = ThreadPoolBuilder::new().num_threads(threads).thread_name(|id| format!("worker-{id}"));
        let pool = named.spawn_handler(start_with_room).build()?;
        let places = pool.broadcast(|thread| {
            let cpu = cpus.iter().copied().cycle().nth(thread.index());
            Place { cpu, is_pinned: cpu.is_some_and(pin_this_thread) }
        });
        Ok(Self { pool, waiting, places, is_oversubscribed: threads > room, several: None, keeps_spans: false })
    }

    /// The machine as a node of several: the threads of the first so many processes run a program together.
    #[must_use]
    pub fn among_several(mut self, transport: &Arc<dyn Transport>, nodes: usize) -> Self {
        self.several = (nodes > 1).then(|| OneOfSeveral { transport: Arc::clone(transport), nodes });
        self
    }

    /// Number of threads of this process that can run at once: the CPUs of its mask, or fewer if it may not use all
    /// their time. Read once.
    pub fn room() -> usize {
        static ROOM: LazyLock<usize> = LazyLock::new(|| {
            let cpus = Topology::of_system().allowed.len();
            Host::quota_of_system().map_or(cpus, |quota| cpus.min(quota.ceil() as usize)).max(1)
        });
        *ROOM
    }

    /// CPU of each thread.
    pub fn places(&self) -> &[Place] {
        &self.places
    }

    /// Whether there are more threads than can run at once.
    pub fn is_oversubscribed(&self) -> bool {
        self.is_oversubscribed
    }

    /// Runs a program and watches for each thread whether it had its core for itself.
    pub fn run_watched<G: Program>(&self, program: &G) -> Result<(Run<G::Output>, Vec<Disturbance>), Failure> {
        let run = self.run_each(|processor| {
            let watch = Watch::start();
            let output = program.run(processor);
            (output, watch.stop())
        })?;
        let (outputs, disturbances) = run.outputs.into_iter().unzip();
        Ok((
            Run { outputs, elapsed: run.elapsed, times: run.times, spans: run.spans, switches: Vec::new() },
            disturbances,
        ))
    }
}

/// Bytes that must be to be had beside a new thread: where addresses run out, all that allocate are aborted.
const ROOM_FOR_OTHERS: usize = 96 << 20;

/// Starts a thread of a pool, if that leaves room for what the others allocate.
fn start_with_room(thread: rayon::ThreadBuilder) -> io::Result<()> {
    let mut room = Vec::<u8>::new();
    room.try_reserve_exact(ROOM_FOR_OTHERS).map_err(|_| io::Error::from(io::ErrorKind::OutOfMemory))?;
    black_box(&room);
    let name = thread.name().unwrap_or_default().to_owned();
    std::thread::Builder::new().name(name).spawn(|| thread.run())?;
    drop(room);
    Ok(())
}

/// A machine whose one processor is the thread that runs a program. A run wakes no other thread, so it suits those who
/// run many short searches on threads of their own.
#[derive(Clone, Copy, Debug, Default)]
pub struct ThisThread;

impl Machine for ThisThread {
    fn processors(&self) -> usize {
        1
    }

    fn run<G: Program>(&self, program: &G) -> Result<Run<G::Output>, Failure> {
        let shared = Shared::begin(1, Waiting::default(), false);
        let finished = shared.enter(0, false, |processor| program.run(processor));
        shared.finish(vec![finished])
    }
}

/// State that all threads of a run share.
pub(super) struct Shared {
    start: Instant,
    stopwatch: &'static Stopwatch,
    waiting: Waiting,
    is_oversubscribed: bool,
    stopped: AtomicBool,
    failure: Mutex<Option<Failure>>,
    calls: Vec<Call>,
    /// Part of this process, if it is one of several.
    several: Option<OneOfSeveral>,
    /// Seats of the threads in the queue for a lock, if they wait so; else none.
    seats: Vec<Seat>,
}

impl Shared {
    /// State at the beginning of a run.
    pub(super) fn begin(processors: usize, waiting: Waiting, is_oversubscribed: bool) -> Self {
        Self {
            start: Instant::now(),
            stopwatch: Stopwatch::of_system(),
            waiting,
            is_oversubscribed,
            stopped: AtomicBool::new(false),
            failure: Mutex::new(None),
            calls: (0..processors).map(|_| Call::default()).collect(),
            several: None,
            seats: (0..processors).filter(|_| waiting == Waiting::Queue).map(|_| Seat::default()).collect(),
        }
    }

    /// A processor for one thread of a run.
    pub(super) fn processor(&self, id: usize, keeps_spans: bool) -> RealProcessor<'_> {
        RealProcessor {
            id,
            shared: self,
            account: Account::new(keeps_spans),
            waits_after_failure: Cell::new(0),
            readings: Cell::new(0),
        }
    }

    /// One thread's part in a run; nothing if it panicked.
    fn enter<T>(&self, id: usize, keeps_spans: bool, work: impl Fn(&RealProcessor<'_>) -> T) -> Option<(T, Account)> {
        let processor = self.processor(id, keeps_spans);
        match catch_unwind(AssertUnwindSafe(|| work(&processor))) {
            Ok(output) => {
                // From here on it has no work.
                processor.enter(Activity::Idle);
                Some((output, processor.account))
            }
            Err(payload) => {
                if !payload.is::<ForcedUnwind>() {
                    let message = message_of(payload.as_ref());
                    self.failure().get_or_insert(Failure::Panic { processor: processor.id, message });
                    self.stop();
                }
                None
            }
        }
    }

    /// Results of a run whose threads have all finished.
    fn finish<T>(self, finished: Vec<Option<(T, Account)>>) -> Result<Run<T>, Failure> {
        let elapsed = self.start.elapsed().as_nanos() as u64;
        if let Some(failure) = self.failure.into_inner().unwrap_or_else(PoisonError::into_inner) {
            return Err(failure);
        }
        let (outputs, accounts): (Vec<_>, Vec<Account>) = finished.into_iter().flatten().unzip();
        let times: Vec<Activities> = accounts.iter().map(|account| account.close(elapsed)).collect();
        let spans = accounts.iter().filter_map(Account::take_spans).collect();
        Ok(Run { outputs, elapsed, times, spans, switches: Vec::new() })
    }

    fn call(&self, id: usize) {
        self.calls[id].call(self.waiting);
    }

    fn stop(&self) {
        // Release: pairs with the load in `is_stopped`.
        self.stopped.store(true, Ordering::Release);
        (0..self.calls.len()).for_each(|id| self.call(id));
    }

    fn failure(&self) -> MutexGuard<'_, Option<Failure>> {
        self.failure.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Number of waits after which a thread of a failed run is unwound. Each lets all others go first, which may take a
/// time slice of every busy thread.
const MOST_WAITS_AFTER_FAILURE: u32 = 200;

/// Whether processes that search together can exchange entries of their tables.
pub const PROCESSES_EXCHANGE: bool = cfg!(feature = "mpi");

/// A thread of this computer.
pub(super) struct RealProcessor<'a> {
    id: usize,
    shared: &'a Shared,
    account: Account,
    waits_after_failure: Cell<u32>,
    /// Number of readings of the stopwatch.
    readings: Cell<u32>,
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
    /// Runs a closure on every thread at once.
    pub(super) fn run_each<T: Send>(&self, work: impl Fn(&RealProcessor<'_>) -> T + Sync) -> Result<Run<T>, Failure> {
        let begun = Shared::begin(self.processors(), self.waiting, self.is_oversubscribed);
        let shared = Shared { several: self.several.clone(), ..begun };
        let finished: Vec<Mutex<Option<(T, Account)>>> = self.places.iter().map(|_| Mutex::default()).collect();
        self.on_each_thread(&|id| {
            let done = shared.enter(id, self.keeps_spans, &work);
            *finished[id].lock().unwrap_or_else(PoisonError::into_inner) = done;
        });
        let done = |of_thread: Mutex<_>| of_thread.into_inner().unwrap_or_else(PoisonError::into_inner);
        shared.finish(finished.into_iter().map(done).collect())
    }

    /// Lets every thread do this, called with its number. The pool's part is compiled once, and not for each program.
    fn on_each_thread(&self, work: &(dyn Fn(usize) + Sync)) {
        self.pool.broadcast(|thread| work(thread.index()));
    }
}

impl RealProcessor<'_> {
    /// Takes a lock that was not free.
    #[cold]
    fn wait_for(&self, lock: &LockWord) {
        let before = self.enter(Activity::Lock);
        lock.take_contended(self.id, self.shared.waiting, &self.shared.seats);
        self.enter(before);
    }

    /// Unwinds a thread that does not look at the stop flag: it goes on waiting although the run has failed.
    #[cold]
    fn unwind_if_stuck(&self) {
        let waits = self.waits_after_failure.get() + 1;
        self.waits_after_failure.set(waits);
        if waits > MOST_WAITS_AFTER_FAILURE && !std::thread::panicking() && self.shared.failure().is_some() {
            resume_unwind(Box::new(ForcedUnwind));
        }
        yield_now();
    }
}

// SAFETY: the verbs of locks are those of the word, which one thread at a time takes by an atomic exchange.
unsafe impl Processor for RealProcessor<'_> {
    const IS_VIRTUAL: bool = false;
    const MAY_HAVE_NODES: bool = PROCESSES_EXCHANGE;

    #[inline(always)]
    fn id(&self) -> usize {
        self.id
    }

    #[inline(always)]
    fn count(&self) -> usize {
        self.shared.calls.len()
    }

    fn node(&self) -> usize {
        self.shared.several.as_ref().map_or(0, |several| several.transport.rank())
    }

    fn nodes(&self) -> usize {
        self.shared.several.as_ref().map_or(1, |several| several.nodes)
    }

    fn post(&self, to: usize, words: &[u64]) {
        let several = self.shared.several.as_ref().expect("only nodes of several write to each other");
        several.transport.post(to, Channel::Search, words);
    }

    fn receive(&self) -> Option<(usize, Box<[u64]>)> {
        self.shared.several.as_ref()?.transport.poll(Channel::Search)
    }

    fn await_letter(&self, _: &'static str) {
        if self.shared.failure().is_some() {
            return self.unwind_if_stuck();
        }
        yield_now();
    }

    fn now(&self) -> u64 {
        self.shared.start.elapsed().as_nanos() as u64
    }

    #[inline]
    fn tick(&self) -> Tick {
        let number = self.readings.get();
        self.readings.set(number.wrapping_add(1));
        Tick { at: self.shared.stopwatch.read(), number }
    }

    #[inline]
    fn between(&self, from: Tick, to: Tick) -> u64 {
        self.shared.stopwatch.between(from.at, to.at, to.number.wrapping_sub(from.number))
    }

    #[inline(always)]
    fn spend(&self, _: Work) {}

    #[inline(always)]
    fn touch(&self, _: Access<'_>) {}

    #[inline]
    fn park(&self, what: &'static str) {
        self.poll(what, &[], || false);
    }

    fn poll(&self, _: &'static str, _: &[&Line], is_ready: impl Fn() -> bool) {
        if self.is_stopped() {
            return self.unwind_if_stuck();
        }
        self.shared.calls[self.id].wait(self.shared.waiting, self.shared.is_oversubscribed, is_ready);
    }

    fn unpark(&self, id: usize) {
        self.shared.call(id);
    }

    fn stop(&self) {
        self.shared.stop();
    }

    #[inline(always)]
    fn is_stopped(&self) -> bool {
        // Acquire: pairs with the store in `Shared::stop`.
        self.shared.stopped.load(Ordering::Acquire)
    }

    fn is_busy(&self, id: usize) -> bool {
        self.shared.calls[id].is_busy.load(Ordering::Relaxed)
    }

    fn enter(&self, activity: Activity) -> Activity {
        if self.account.activity() == activity {
            return activity;
        }
        self.shared.calls[self.id].is_busy.store(activity.is_busy(), Ordering::Relaxed);
        self.account.enter(activity, self.now())
    }

    #[inline(always)]
    fn acquire(&self, lock: &LockWord) {
        if !lock.try_take(self.id) {
            self.wait_for(lock);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_placement_is_read_as_it_is_written() {
        for text in ["none", "cores", "spread", "compact", "threads", "0-3,8"] {
            assert_eq!(text.parse::<Pin>().unwrap().to_string(), text);
        }
        assert_eq!("cores".parse(), Ok(Pin::default()));
        assert!("core".parse::<Pin>().is_err());
    }
}
