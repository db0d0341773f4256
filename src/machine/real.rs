//! Real processors: a pool of threads, each pinned to a core.
//!
//! The pool is made once and runs many programs. Each worker catches its own panic, raises the stop flag and wakes the
//! others, so that a run whose program fails comes to an end and tells why.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::Instant;

use rayon::{ThreadPool, ThreadPoolBuilder};

use super::lock::LockWord;
use super::processor::{Access, Processor, Waiting, Work};
use super::times::{Account, Activity, Times};
use super::{Evicted, Failure, Machine, PATIENCE_WITH_WAITERS, Program, Run, message_of};

/// Where the threads of a real machine run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Pin {
    /// Wherever the operating system puts them.
    #[default]
    None,
    /// Each on a processor of this list, in turn; the list is used again from its beginning if there are more threads.
    Processors(Vec<usize>),
}

/// Why there is no such machine.
#[derive(Debug, thiserror::Error)]
pub enum RealMachineError {
    /// No threads, or far too many.
    #[error("{0} threads: expected 1 to {most}", most = RealMachine::MOST_THREADS)]
    Threads(usize),
    /// A list without processors.
    #[error("the list of processors to run on is empty")]
    NowhereToRun,
    /// The system does not have this processor, or does not let this process use it.
    #[error("processor {0} is not among those that this process may use: {1:?}")]
    NotAllowed(usize, Vec<usize>),
    /// The threads could not be started.
    #[error("cannot start the threads: {0}")]
    Start(#[from] rayon::ThreadPoolBuildError),
}

/// Threads of this computer.
#[derive(Debug)]
pub struct RealMachine {
    pool: ThreadPool,
    waiting: Waiting,
    cores: Vec<Option<usize>>,
    is_oversubscribed: bool,
}

impl RealMachine {
    /// More threads than this are a slip of the finger.
    pub const MOST_THREADS: usize = 1024;

    /// Starts the threads. `allowed` are the processors that this process may use.
    pub fn new(threads: usize, pin: &Pin, waiting: Waiting, allowed: &[usize]) -> Result<Self, RealMachineError> {
        if !(1..=Self::MOST_THREADS).contains(&threads) {
            return Err(RealMachineError::Threads(threads));
        }
        let cores: Vec<Option<usize>> = match pin {
            Pin::None => vec![None; threads],
            Pin::Processors(list) => {
                if list.is_empty() {
                    return Err(RealMachineError::NowhereToRun);
                }
                // An id that the system does not know would end the process when a thread is pinned to it.
                if let Some(stranger) = list.iter().find(|id| !allowed.contains(id)) {
                    return Err(RealMachineError::NotAllowed(*stranger, allowed.to_vec()));
                }
                list.iter().cycle().take(threads).map(|id| Some(*id)).collect()
            }
        };
        let pinned = cores.clone();
        let pool = ThreadPoolBuilder::new()
            .num_threads(threads)
            .thread_name(|id| format!("worker-{id}"))
            .start_handler(move |id| {
                if let Some(core) = pinned[id] {
                    core_affinity::set_for_current(core_affinity::CoreId { id: core });
                }
            })
            .build()?;
        let places = match pin {
            Pin::None => allowed.len(),
            Pin::Processors(list) => list.len(),
        };
        Ok(Self { pool, waiting, cores, is_oversubscribed: threads > places })
    }

    /// The processor that each thread was pinned to.
    pub fn cores(&self) -> &[Option<usize>] {
        &self.cores
    }

    /// Whether there are more threads than processors for them.
    pub fn is_oversubscribed(&self) -> bool {
        self.is_oversubscribed
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

/// A thread of this computer.
struct RealProcessor<'a> {
    id: usize,
    shared: &'a Shared,
    account: Account,
    waits_after_failure: std::cell::Cell<u32>,
}

impl Machine for RealMachine {
    fn processors(&self) -> usize {
        self.cores.len()
    }

    fn run<G: Program>(&self, program: &G) -> Result<Run<G::Output>, Failure> {
        let shared = Shared {
            start: Instant::now(),
            waiting: self.waiting,
            stopped: AtomicBool::new(false),
            failure: Mutex::new(None),
            failed: AtomicBool::new(false),
            calls: (0..self.processors()).map(|_| Call(AtomicU32::new(0))).collect(),
        };
        let finished: Vec<Option<(G::Output, Account)>> = self.pool.broadcast(|context| {
            let processor = RealProcessor {
                id: context.index(),
                shared: &shared,
                account: Account::new(),
                waits_after_failure: 0.into(),
            };
            match catch_unwind(AssertUnwindSafe(|| program.run(&processor))) {
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
        Ok(Run { outputs, elapsed, times })
    }
}

impl RealProcessor<'_> {
    /// A thread of a failed run that keeps waiting does not look at the stop flag: it is made to end.
    #[cold]
    fn lose_patience(&self) {
        let waits = self.waits_after_failure.get() + 1;
        self.waits_after_failure.set(waits);
        if waits > PATIENCE_WITH_WAITERS && self.shared.failed.load(Ordering::Relaxed) && !std::thread::panicking() {
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
