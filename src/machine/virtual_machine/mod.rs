//! A multiprocessor in simulated time, from 1 to 1024 processors on one thread of the host, the same to the last bit for the
//! same seed.
//!
//! Every processor is a coroutine with a clock of its own. Private work only advances the clock. Before a processor looks at
//! or changes what others see ([`touch`](super::Processor::touch) and the verbs that imply it), all whose clocks are behind
//! go first; nowhere else does it give up its turn. That is exact, not an approximation, since only the order of shared
//! accesses can be observed, and a program that forgets a `touch` is found out by letting others go first at every `spend`
//! too ([`Switching::AtSpend`]): nothing may change.
//!
//! Nobody is suspended while holding a lock. A critical section therefore runs through at once, and the lock remembers until
//! when it was held; who comes earlier than that waits for that moment.

mod processor;
mod scheduler;
mod stacks;

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind};

use corosensei::{Coroutine, CoroutineResult, Yielder, stack::DefaultStack};

use super::cost::CostModel;
use super::processor::{RunNumber, Waiting};
use super::times::Activity;
use super::{Evicted, Failure, Machine, Program, Run, message_of};
use processor::{Pause, Shared, VirtualProcessor};
use scheduler::{MOST_PROCESSORS, Scheduler};

/// Where a processor may give up its turn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Switching {
    /// Before shared accesses only. Enough, and faster.
    #[default]
    AtTouch,
    /// After private work too. Must change nothing: a test of the program.
    AtSpend,
}

/// A virtual multiprocessor. Running it occupies the calling thread; many may run side by side.
#[derive(Clone, Debug)]
pub struct VirtualMachine {
    processors: usize,
    model: CostModel,
    waiting: Waiting,
    seed: u64,
    switching: Switching,
    keeps_spans: bool,
}

impl VirtualMachine {
    /// The most processors there can be.
    pub const MOST_PROCESSORS: usize = MOST_PROCESSORS;

    /// A machine with so many processors and these costs.
    ///
    /// # Panics
    /// If `processors` is not 1 to 1024.
    pub fn new(processors: usize, model: CostModel) -> Self {
        assert!((1..=MOST_PROCESSORS).contains(&processors), "a virtual machine has 1 to {MOST_PROCESSORS} processors");
        Self {
            processors,
            model,
            waiting: Waiting::default(),
            seed: 0,
            switching: Switching::default(),
            keeps_spans: false,
        }
    }

    /// With this seed for its jitter.
    #[must_use]
    pub fn with_seed(self, seed: u64) -> Self {
        Self { seed, ..self }
    }

    /// With processors that wait in this way.
    #[must_use]
    pub fn with_waiting(self, waiting: Waiting) -> Self {
        Self { waiting, ..self }
    }

    /// With others going first here.
    #[must_use]
    pub fn with_switching(self, switching: Switching) -> Self {
        Self { switching, ..self }
    }

    /// The same, keeping all of each processor's time one by one.
    #[must_use]
    pub fn keeping_spans(self) -> Self {
        Self { keeps_spans: true, ..self }
    }

    /// What things cost on it.
    pub fn model(&self) -> &CostModel {
        &self.model
    }
}

type Body = Coroutine<(), Pause, (), DefaultStack>;
type Result<T> = std::thread::Result<T>;

/// Where a processor leaves what came of it.
type Outcome<T> = RefCell<Option<Result<T>>>;

/// What a coroutine needs to enter a program, with the types and lifetimes taken off: a coroutine's function must own
/// everything for ever, and these it only borrows.
#[derive(Clone, Copy)]
struct Entry {
    program: *const (),
    shared: *const (),
    outcome: *const (),
    enter: unsafe fn(&Self, usize, &Yielder<(), Pause>),
}

/// Runs the program on processor `id`.
///
/// # Safety
/// The pointers of `entry` must come from a `G`, a `Shared` and an `Outcome<G::Output>` that are still alive.
unsafe fn enter<G: Program>(entry: &Entry, id: usize, yielder: &Yielder<(), Pause>) {
    // SAFETY: the caller's promise.
    let (program, shared, outcome) = unsafe {
        (&*entry.program.cast::<G>(), &*entry.shared.cast::<Shared<'_>>(), &*entry.outcome.cast::<Outcome<G::Output>>())
    };
    let processor = VirtualProcessor::new(id, shared, yielder);
    // At the root and nowhere else: whoever unwinds a coroutine must get through to here.
    let result = catch_unwind(AssertUnwindSafe(|| program.run(&processor)));
    *outcome.borrow_mut() = Some(result);
}

impl Machine for VirtualMachine {
    fn processors(&self) -> usize {
        self.processors
    }

    fn run<G: Program>(&self, program: &G) -> std::result::Result<Run<G::Output>, Failure> {
        let shared = Shared {
            run: RunNumber::next(),
            scheduler: Scheduler::new(self.processors, self.seed, self.keeps_spans),
            model: &self.model,
            waiting: self.waiting,
            switching: self.switching,
            stopped: Cell::new(false),
            failed: Cell::new(false),
            bus_free_at: Cell::new(0),
        };
        let outcomes: Vec<Outcome<G::Output>> = (0..self.processors).map(|_| RefCell::new(None)).collect();
        let mut bodies: Vec<Body> = outcomes
            .iter()
            .enumerate()
            .map(|(id, outcome)| {
                let entry = Entry {
                    program: std::ptr::from_ref(program).cast(),
                    shared: std::ptr::from_ref(&shared).cast(),
                    outcome: std::ptr::from_ref(outcome).cast(),
                    enter: enter::<G>,
                };
                // SAFETY: `drive` returns when every coroutine has returned, and `program`, `shared` and `outcomes` outlive
                // that. (`drive` panics only if the machine itself is broken, and then the coroutines, declared after what
                // they borrow, are unwound before it goes.)
                Coroutine::with_stack(stacks::take(), move |yielder, ()| unsafe { (entry.enter)(&entry, id, yielder) })
            })
            .collect();
        let failure = drive(&shared, &mut bodies, |id| outcome_failed(&outcomes[id]));
        bodies.into_iter().for_each(|body| stacks::give_back(body.into_stack()));
        if let Some(failure) = failure {
            return Err(failure);
        }
        let elapsed = shared.scheduler.slots.iter().map(|slot| slot.clock.get()).max().unwrap_or(0);
        let times = shared.scheduler.slots.iter().map(|slot| slot.account.close(elapsed)).collect();
        let spans = shared.scheduler.slots.iter().filter_map(|slot| slot.account.take_spans()).collect();
        let outputs = outcomes.into_iter().filter_map(|outcome| outcome.into_inner()?.ok()).collect();
        Ok(Run { outputs, elapsed, times, spans })
    }
}

/// What a processor that has returned had to say, if it was unwound.
fn outcome_failed<T>(outcome: &Outcome<T>) -> Option<String> {
    let outcome = outcome.borrow();
    let payload: &Box<dyn Any + Send> = outcome.as_ref()?.as_ref().err()?;
    (!payload.is::<Evicted>()).then(|| message_of(payload.as_ref()))
}

/// Lets the processors run until all have returned.
fn drive(shared: &Shared<'_>, bodies: &mut [Body], failed: impl Fn(usize) -> Option<String>) -> Option<Failure> {
    let scheduler = &shared.scheduler;
    let mut failure = None;
    let mut running = bodies.len();
    let mut fail = |with: Failure| {
        failure.get_or_insert(with);
        shared.failed.set(true);
        shared.stopped.set(true);
        let now = scheduler.runner().clock();
        for (id, _) in scheduler.waiting() {
            scheduler.wake(id, now);
        }
    };
    while running > 0 {
        let id = scheduler.runner().id();
        let somebody_runs = match bodies[id].resume(()) {
            CoroutineResult::Yield(Pause::Turn) => {
                scheduler.swap();
                true
            }
            CoroutineResult::Yield(Pause::Parked) => scheduler.leave(),
            CoroutineResult::Return(()) => {
                running -= 1;
                // From here on it has no work.
                scheduler.slots[id].account.enter(Activity::Idle, scheduler.runner().clock());
                if let Some(message) = failed(id) {
                    fail(Failure::Panic { processor: id, message });
                }
                scheduler.leave()
            }
        };
        if !somebody_runs && running > 0 {
            fail(Failure::Deadlock { waiting: scheduler.waiting() });
            scheduler.resume_any();
        }
    }
    failure
}
