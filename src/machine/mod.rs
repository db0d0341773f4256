//! What a search runs on: real processors, or a virtual multiprocessor in simulated time. This room knows no chess.
//!
//! A [`Program`] is written once, against [`Processor`], and runs on either kind of [`Machine`]. On real threads the verbs
//! are the plain thing or nothing; on the virtual machine they make time pass and let others go first.
//!
//! The protocol of a run: every processor enters the program at the same moment, with its own id. They share memory through
//! [`Lock`] and atomics, say [`touch`](Processor::touch) before they look at or change what others see, wait with
//! [`park`](Processor::park) in a loop, and wake with [`unpark`](Processor::unpark). The run is over when all have returned.
//! If one panics, the machine raises the stop flag and wakes everybody; the others are expected to see the flag and return,
//! and the panic comes back as a [`Failure`].

pub mod calibrate;
pub mod cost;
mod cost_text;
pub mod fill;
pub mod guard;
pub mod host;
mod lock;
pub mod pin;
mod processor;
mod real;
mod solo;
mod times;
mod virtual_machine;

pub use cost_text::CostError;
pub use lock::{Held, Lock, LockWord};
pub use processor::{Access, Line, Processor, Waiting, Work};
pub use real::{Pin, Place, RealMachine, RealMachineError};
pub use solo::Solo;
pub use times::{Activity, Span, Times};
pub use virtual_machine::{Switching, VirtualMachine};

/// What every processor of a machine runs.
pub trait Program: Sync {
    /// What comes of it on each processor.
    type Output: Send;

    /// Runs on one processor, beside the others.
    fn run<P: Processor>(&self, processor: &P) -> Self::Output;
}

/// Some processors that run programs.
pub trait Machine {
    /// How many processors there are.
    fn processors(&self) -> usize;

    /// Runs a program on all of them, and returns when the last has finished.
    fn run<G: Program>(&self, program: &G) -> Result<Run<G::Output>, Failure>;
}

/// A run that came to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run<T> {
    /// What came of it on each processor, by id.
    pub outputs: Vec<T>,
    /// From the start to the moment the last processor finished, in nanoseconds: real or virtual.
    pub elapsed: u64,
    /// Where each processor's time went. Their sum is `elapsed` for each.
    pub times: Vec<Times>,
    /// All of each processor's time one by one, if the machine keeps that; else empty.
    pub spans: Vec<Vec<Span>>,
}

/// Why a run did not come to its end.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    /// A processor panicked.
    #[error("processor {processor} panicked: {message}")]
    Panic {
        /// The first that did.
        processor: usize,
        /// What it said.
        message: String,
    },
    /// Everybody waits, and nobody is left to wake anyone. Only a virtual machine can know.
    #[error("deadlock: {}", waiting.iter().map(|(id, what)| format!("processor {id} waits for {what}")).collect::<Vec<_>>().join(", "))]
    Deadlock {
        /// Who waits for what.
        waiting: Vec<(usize, &'static str)>,
    },
}

/// Message of a panic.
pub(crate) fn message_of(payload: &(dyn std::any::Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| payload.downcast_ref::<String>().cloned()).unwrap_or_else(|| "without a message".to_owned())
}

/// With this payload a processor is unwound that goes on waiting although the run has failed.
struct Evicted;

/// How often a processor of a failed run may wait again before it is unwound.
const PATIENCE_WITH_WAITERS: u32 = 10_000;
