//! A multiprocessor in simulated time: 1 to 1024 processors on one thread of the host, bit-identical for equal seeds.
//!
//! Every processor is a coroutine with a clock of its own. Private work only advances the clock. Before a processor
//! reads or changes shared memory ([`touch`](super::Processor::touch) and the verbs that imply it), all processors
//! whose clocks are behind go first; nowhere else does it give up its turn. That is exact, not an approximation, since
//! only the order of shared accesses can be observed; reads that a processor makes at once, without waiting for one
//! before the next ([`ReadBeside`](super::Access::ReadBeside)), count as one access. A program that forgets a `touch`
//! is found out by letting others go first at every `spend` too ([`Switching::AtSpend`]): nothing may change.
//!
//! No processor is suspended while it holds a lock. A critical section therefore runs through at once, and the lock
//! remembers until when it was held; a processor that comes earlier than that waits for that moment. Under another
//! [`Schedule`] than that of the clocks, which looks for errors and not for times, this does not hold.
//!
//! # Memory ordering
//! All processors of a machine run on the thread that called [`run`](super::Machine::run), so nothing here is atomic:
//! program order is the only order. Atomics of the program and of locks would do with `Relaxed`; their stronger
//! orderings are for the real machine.

mod bus;
mod network;
mod processor;
mod schedule;
mod scheduler;
mod stacks;

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::marker::PhantomData;
use std::panic::{AssertUnwindSafe, catch_unwind};

use corosensei::{Coroutine, CoroutineResult, Yielder, stack::DefaultStack};

use super::cost::CostModel;
use super::processor::{RunNumber, Waiting};
use super::{Failure, ForcedUnwind, MOST_PROCESSORS, Machine, Program, Run, message_of};
use crate::counts::Activity;
use bus::Bus;
use network::Network;
pub use processor::Switching;
use processor::{NodeState, Pause, Shared, VirtualProcessor};
pub use schedule::{NoSchedule, Schedule, Switch};
use scheduler::Scheduler;

/// A virtual multiprocessor. Running it occupies the calling thread; many may run side by side.
#[derive(Clone, Debug)]
pub struct VirtualMachine {
    /// Number of processors, 1 to [`MOST_PROCESSORS`].
    pub processors: usize,
    /// Costs of work and coordination.
    pub model: CostModel,
    /// Way in which processors wait.
    pub waiting: Waiting,
    /// Seed of the jitter, and of all else that falls by chance.
    pub seed: u64,
    /// Points at which processors give up their turns.
    pub switching: Switching,
    /// Order in which processors run.
    pub schedule: Schedule,
    /// Number of switching points after which a run under a schedule that is not that of the clocks has failed.
    pub most_steps: u64,
    /// Whether the [spans](Run::spans) of each processor are kept.
    pub keeps_spans: bool,
}

impl VirtualMachine {
    /// A machine of `processors` processors with these costs, and all else by default.
    pub fn new(processors: usize, model: CostModel) -> Self {
        let (waiting, switching) = (Waiting::default(), Switching::default());
        let (schedule, most_steps) = (Schedule::default(), u64::MAX);
        Self { processors, model, waiting, seed: 0, switching, schedule, most_steps, keeps_spans: false }
    }

    /// Number of processors of each board: all are at work when a run begins.
    fn busy_at_first(&self) -> Vec<Cell<u32>> {
        let boards = self.model.board_of(self.processors - 1) + 1;
        let on_board = |board| (0..self.processors).filter(|id| self.model.board_of(*id) == board).count() as u32;
        (0..boards).map(|board| Cell::new(on_board(board))).collect()
    }
}

/// A processor's path through the program.
type Body = Coroutine<(), Pause, (), DefaultStack>;

/// Code of a coroutine, which enters the program.
type Entry<'a> = Box<dyn FnOnce(&Yielder<(), Pause>) + 'a>;

/// Coroutines that borrow for `'a`, one for each processor. They have ended, or are unwound, before that is over: the
/// drop of this type says so to the compiler.
struct Bodies<'a> {
    all: Vec<Body>,
    borrowed: PhantomData<&'a ()>,
}

impl<'a> Bodies<'a> {
    fn add(&mut self, stack: DefaultStack, entry: Entry<'a>) {
        // SAFETY: only the lifetime changes. A coroutine's function must own everything for ever, and this one borrows
        // for 'a. No coroutine leaves this type but those that have returned, and the others are unwound when it is
        // dropped, which is before the end of 'a.
        let entry: Entry<'static> = unsafe { std::mem::transmute::<Entry<'a>, Entry<'static>>(entry) };
        self.all.push(Coroutine::with_stack(stack, move |yielder, ()| entry(yielder)));
    }

    /// Keeps the stacks of coroutines that have returned for the next run.
    fn give_back(mut self) {
        assert!(self.all.iter().all(Body::done), "a coroutine has not returned");
        self.all.drain(..).for_each(|body| stacks::give_back(body.into_stack()));
    }
}

impl Drop for Bodies<'_> {
    fn drop(&mut self) {
        self.all.clear();
    }
}

/// Result of the program on one processor, once it has returned or was unwound.
type Outcome<T> = RefCell<Option<std::thread::Result<T>>>;

impl Machine for VirtualMachine {
    fn processors(&self) -> usize {
        self.processors
    }

    /// # Panics
    /// If the number of processors is not 1 to [`MOST_PROCESSORS`], or they do not fill all nodes.
    fn run<G: Program>(&self, program: &G) -> Result<Run<G::Output>, Failure> {
        let is_possible = (1..=MOST_PROCESSORS).contains(&self.processors);
        assert!(is_possible, "a virtual machine must have 1 to {MOST_PROCESSORS} processors");
        let node_size = self.model.node_size(self.processors);
        let is_whole = self.processors.is_multiple_of(node_size);
        assert!(is_whole, "{} processors do not fill nodes of {node_size}", self.processors);
        let node = |node: usize| NodeState {
            stopped: Cell::new(false),
            bus: Bus::new(&self.model, node_size, self.seed.wrapping_add(node as u64)),
        };
        let stacks = stacks::take(self.processors)?;
        let shared = Shared {
            run: RunNumber::next(),
            scheduler: Scheduler::new(self.processors, self.seed, self.keeps_spans, &self.model, &self.schedule),
            model: &self.model,
            waiting: self.waiting,
            switching: self.switching,
            most_steps: self.most_steps,
            node_size,
            nodes: (0..self.processors / node_size).map(node).collect(),
            network: Network::new(&self.model, self.processors / node_size),
            failed: Cell::new(false),
            busy: self.busy_at_first(),
        };
        let outcomes: Vec<Outcome<G::Output>> = (0..self.processors).map(|_| RefCell::new(None)).collect();
        let mut bodies = Bodies { all: Vec::new(), borrowed: PhantomData };
        for (id, stack) in stacks.into_iter().enumerate() {
            let (shared, outcome) = (&shared, &outcomes[id]);
            let entry = move |yielder: &Yielder<(), Pause>| {
                let processor = VirtualProcessor::new(id, shared, yielder);
                // At the root and nowhere else: what unwinds a coroutine must get through to here.
                let result = catch_unwind(AssertUnwindSafe(|| {
                    let output = program.run(&processor);
                    processor.retire();
                    output
                }));
                *outcome.borrow_mut() = Some(result);
            };
            bodies.add(stack, Box::new(entry));
        }
        let failure = drive(&shared, &mut bodies.all, |id| panic_of(&outcomes[id]));
        bodies.give_back();
        let switches = shared.scheduler.switches();
        if let Some(failure) = failure {
            let is_timed = self.schedule == Schedule::SmallestClock;
            let schedule = Schedule::Replay(switches).to_string();
            return Err(if is_timed { failure } else { Failure::Scheduled { failure: Box::new(failure), schedule } });
        }
        let slots = &shared.scheduler.slots;
        let elapsed = slots.iter().map(|slot| slot.clock.get()).max().unwrap_or(0);
        let times = slots.iter().map(|slot| slot.account.close(elapsed)).collect();
        let spans = slots.iter().filter_map(|slot| slot.account.take_spans()).collect();
        let outputs = outcomes.into_iter().filter_map(|outcome| outcome.into_inner()?.ok()).collect();
        Ok(Run { outputs, elapsed, times, spans, switches })
    }
}

/// Message of the panic that ended a processor, if one did.
fn panic_of<T>(outcome: &Outcome<T>) -> Option<String> {
    let outcome = outcome.borrow();
    let payload: &Box<dyn Any + Send> = outcome.as_ref()?.as_ref().err()?;
    (!payload.is::<ForcedUnwind>()).then(|| message_of(payload.as_ref()))
}

/// Lets the processors run until all have returned.
fn drive(shared: &Shared<'_>, bodies: &mut [Body], panic_of: impl Fn(usize) -> Option<String>) -> Option<Failure> {
    let scheduler = &shared.scheduler;
    let mut failure = None;
    let mut running = bodies.len();
    let mut fail = |with: Failure| {
        failure.get_or_insert(with);
        shared.failed.set(true);
        shared.nodes.iter().for_each(|node| node.stopped.set(true));
        let now = scheduler.runner().clock();
        for (id, _) in scheduler.waiting() {
            scheduler.wake(id, now);
        }
    };
    while running > 0 {
        let id = scheduler.runner().id();
        let has_runner = match bodies[id].resume(()) {
            CoroutineResult::Yield(Pause::Turn) => {
                scheduler.swap();
                true
            }
            CoroutineResult::Yield(Pause::Parked) => scheduler.leave(),
            CoroutineResult::Yield(Pause::Endless) => {
                fail(Failure::Endless { steps: shared.most_steps });
                true
            }
            CoroutineResult::Return(()) => {
                running -= 1;
                // From here on it has no work.
                let before = scheduler.slots[id].account.enter(Activity::Idle, scheduler.runner().clock());
                let busy = &shared.busy[shared.model.board_of(id)];
                busy.set(busy.get() - u32::from(before.is_busy()));
                if let Some(message) = panic_of(id) {
                    fail(Failure::Panic { processor: id, message });
                }
                scheduler.leave()
            }
        };
        if !has_runner && running > 0 {
            fail(Failure::Deadlock { waiting: scheduler.waiting() });
            scheduler.run_next();
        }
    }
    failure
}
