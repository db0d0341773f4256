//! Machines that a search runs on: real processors, or a virtual multiprocessor in simulated time. This room knows no
//! chess.
//!
//! A [`Program`] is written once, against [`Processor`], and runs on either kind of [`Machine`]. On real threads the
//! verbs are the plain operation or nothing; on the virtual machine they let time pass and let other processors go
//! first.
//!
//! The protocol of a run: every processor enters the program with its own id. The processors share memory through
//! [`Lock`] and atomics, announce shared accesses with [`touch`](Processor::touch), wait with [`park`](Processor::park)
//! in a loop, and wake one another with [`unpark`](Processor::unpark). The run is over when all have returned. If one
//! panics, the machine raises the stop flag and wakes all; the others are expected to see the flag and return, and the
//! panic comes back as a [`Failure`].
//!
//! A virtual machine may consist of several *nodes*, each with a memory of its own, as a cluster does. A processor's
//! id and their count are then those of its node, and so is all that it shares, wakes and stops: a program runs on each
//! node as if that were the machine. Memory of another node is a panic.
//!
//! ```
//! use splitpoint_engine::machine::cost::CostModel;
//! use splitpoint_engine::machine::{Lock, Machine, Pin, Processor, Program};
//! use splitpoint_engine::machine::{RealMachine, VirtualMachine, Waiting, Work};
//!
//! /// Every processor works for a microsecond and adds its id to a sum.
//! struct Sum(Lock<usize>);
//!
//! impl Program for Sum {
//!     type Output = ();
//!
//!     fn run<P: Processor>(&self, processor: &P) {
//!         processor.spend(Work::Nanoseconds(1_000));
//!         let mut sum = processor.lock(&self.0);
//!         *sum += processor.id();
//!     }
//! }
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let program = Sum(Lock::new(100));
//! RealMachine::new(2, &Pin::None, Waiting::Park)?.run(&program)?;
//! let costs = CostModel { jitter_permille: 0, ..CostModel::reference() };
//! let run = VirtualMachine::new(2, costs).run(&program)?;
//! // Processor 0 works for 1000 ns and takes the lock in 2 + 20. Processor 1 fetches its cache line in 60 and takes it
//! // over in 100.
//! assert_eq!(run.elapsed, 1_232);
//! assert_eq!(program.0.into_inner(), 102, "both machines have added 0 and 1");
//! # Ok(())
//! # }
//! ```
//!
//! # Memory ordering
//! Programs bring their own orderings, for the real machine. `touch` and `spend` order nothing there. Locks, calls, the
//! stop flag, and the beginning and the end of a run do: see the modules `lock` and `real`. `scripts/loom.sh` tries
//! them, and the handshakes of programs, in all interleavings of small cases.

pub mod busy;
pub mod calibrate;
mod call;
pub mod cost;
mod cost_text;
pub mod disturb;
pub mod guard;
pub mod host;
mod in_order;
mod lock;
#[cfg(all(test, loom))]
pub(crate) mod loom;
pub mod mechanisms;
#[cfg(feature = "mpi")]
mod mpi;
pub mod periods;
mod pin;
mod processor;
mod real;
mod starter;
pub mod stopwatch;
mod times;
mod transport;
mod virtual_machine;

pub use crate::counts::{Activities, Activity};
pub use host::system_calls::cpu_ns_of_process;
pub use lock::{Held, Lock, LockWord};
#[cfg(feature = "mpi")]
pub use mpi::{Mpi, MpiError};
pub use pin::keep_this_thread_on;
pub use processor::{Access, Area, Home, Line, Processor, Tick, Waiting, Work};
pub use real::{PROCESSES_EXCHANGE, Pin, Place, RealMachine, RealMachineError, ThisThread};
pub use starter::processes_started;
pub use times::Span;
pub use transport::{Channel, InMemory, Transport};
pub use virtual_machine::{NoSchedule, Schedule, Switch, Switching, VirtualMachine};

/// Largest number of processors of a machine, real or virtual.
pub const MOST_PROCESSORS: usize = 1024;

/// Code that every processor of a machine runs.
pub trait Program: Sync {
    /// Result on each processor.
    type Output: Send;

    /// Runs on one processor, beside the others.
    fn run<P: Processor>(&self, processor: &P) -> Self::Output;
}

/// A number of processors that run programs.
pub trait Machine {
    /// Number of processors.
    fn processors(&self) -> usize;

    /// Runs a program on all processors, and returns when the last has finished.
    ///
    /// # Errors
    /// If a processor panics; on a virtual machine also if all wait for one another, or if there is no room for their
    /// stacks.
    fn run<G: Program>(&self, program: &G) -> Result<Run<G::Output>, Failure>;
}

/// Results of a run that came to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run<T> {
    /// Results of the program, by processor.
    pub outputs: Vec<T>,
    /// Nanoseconds, real or virtual, from the start to the moment the last processor finished.
    pub elapsed: u64,
    /// Nanoseconds of each processor by activity. Each adds up to `elapsed`.
    pub times: Vec<Activities>,
    /// Spans of each processor's time one after the other, if the machine keeps them; else empty.
    pub spans: Vec<Vec<Span>>,
    /// Switches of a virtual machine whose schedule is not that of the clocks; else none.
    pub switches: Vec<Switch>,
}

/// Reasons why a run did not come to its end.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    /// A processor panicked.
    #[error("processor {processor} panicked: {message}")]
    Panic {
        /// First processor that panicked.
        processor: usize,
        /// Message of the panic.
        message: String,
    },
    /// All processors wait, and none is left to wake one. Only a virtual machine can know.
    #[error("deadlock: {}", conditions(waiting))]
    Deadlock {
        /// Processors, each with the condition that it waits for.
        waiting: Vec<(usize, &'static str)>,
    },
    /// More switching points than there may be. Only a virtual machine counts them.
    #[error("no end after {steps} switching points")]
    Endless {
        /// Number of switching points.
        steps: u64,
    },
    /// A failure under a schedule that is not that of the clocks.
    #[error("{failure}\n  The same again: --schedule {schedule}")]
    Scheduled {
        /// The failure.
        failure: Box<Failure>,
        /// Schedule that leads to it.
        schedule: String,
    },
    /// The system gave no address space for the stack of a virtual processor.
    #[error("no memory for {processors} stacks of {} MiB, one for each virtual processor: {error}", bytes >> 20)]
    NoStack {
        /// Number of processors.
        processors: usize,
        /// Size of a stack.
        bytes: usize,
        /// Answer of the system.
        error: String,
    },
}

fn conditions(waiting: &[(usize, &str)]) -> String {
    let texts: Vec<String> = waiting.iter().map(|(id, what)| format!("processor {id} waits for {what}")).collect();
    texts.join(", ")
}

/// Message of a panic, from what [`catch_unwind`](std::panic::catch_unwind) returns.
pub fn message_of(payload: &(dyn std::any::Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| payload.downcast_ref::<String>().cloned()).unwrap_or_else(|| "without a message".to_owned())
}

/// Payload with which a processor is unwound that goes on waiting although the run has failed.
struct ForcedUnwind;
