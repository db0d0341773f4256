//! What a search runs on: threads of this computer, or processors in simulated time.

use std::sync::Arc;

use crate::machine::cost::CostModel;
use crate::machine::{
    Failure, Machine, Pin, Program, RealMachine, RealMachineError, Run, Schedule, ThisThread, Transport,
    VirtualMachine, Waiting,
};
use crate::ranks::Ranks;

/// Choice of a machine.
#[derive(Clone, Debug)]
pub enum On {
    /// The thread that asks for the search, which is then alone.
    ThisThread,
    /// Threads of this computer, which run there.
    Real(Pin),
    /// Threads of several processes, of which this is rank 0: the first so many of those that were started.
    Ranks {
        /// Place of the threads of each.
        pin: Pin,
        /// Number of processes.
        nodes: usize,
        /// All processes.
        ranks: Arc<Ranks>,
    },
    /// Processors in simulated time, with these costs.
    Virtual(Box<CostModel>),
}

impl On {
    /// Place of the threads, if the search runs on threads that have one.
    pub fn pin(&self) -> Option<&Pin> {
        match self {
            Self::Real(pin) | Self::Ranks { pin, .. } => Some(pin),
            Self::ThisThread | Self::Virtual(_) => None,
        }
    }

    /// Number of processes that search on this computer.
    pub fn processes_here(&self) -> usize {
        match self {
            Self::Ranks { nodes, ranks, .. } => ranks.beside_this(*nodes),
            Self::ThisThread | Self::Real(_) | Self::Virtual(_) => 1,
        }
    }

    /// Number of processes that search.
    pub fn processes(&self) -> usize {
        match self {
            Self::Ranks { nodes, .. } => *nodes,
            Self::ThisThread | Self::Real(_) | Self::Virtual(_) => 1,
        }
    }
}

/// A machine that is ready.
pub enum Computer {
    /// The thread that asks for the search.
    ThisThread(ThisThread),
    /// Threads of this computer.
    Real(RealMachine),
    /// Processors in simulated time.
    Virtual(Box<VirtualMachine>),
}

impl Computer {
    /// A machine with this number of processors, of all processes, which wait like this. The seed is of the virtual
    /// machine's jitter.
    ///
    /// # Errors
    /// If there are no such threads.
    pub fn new(on: &On, processors: usize, waiting: Waiting, seed: u64) -> Result<Self, RealMachineError> {
        Ok(match on {
            On::ThisThread => Self::ThisThread(ThisThread),
            On::Real(pin) => Self::Real(RealMachine::new(processors, pin, waiting)?),
            On::Ranks { pin, nodes, ranks } => {
                Self::Real(RealMachine::new(processors / nodes, pin, waiting)?).among_several(ranks.transport(), *nodes)
            }
            On::Virtual(costs) => {
                let machine = VirtualMachine::new(processors, (**costs).clone());
                Self::Virtual(Box::new(VirtualMachine { seed, waiting, ..machine }))
            }
        })
    }

    /// Lets a run keep what each processor did when, or not.
    #[must_use]
    pub fn keeping_spans(mut self, keeps_spans: bool) -> Self {
        match &mut self {
            Self::ThisThread(_) => {}
            Self::Real(machine) => machine.keeps_spans = keeps_spans,
            Self::Virtual(machine) => machine.keeps_spans = keeps_spans,
        }
        self
    }

    /// Lets virtual processors run in this order.
    #[must_use]
    pub fn scheduled(mut self, schedule: Schedule) -> Self {
        if let Self::Virtual(machine) = &mut self {
            machine.schedule = schedule;
        }
        self
    }

    /// The machine as a node of several, if it consists of threads.
    #[must_use]
    pub(crate) fn among_several(self, transport: &Arc<dyn Transport>, nodes: usize) -> Self {
        match self {
            Self::Real(machine) => Self::Real(machine.among_several(transport, nodes)),
            other => other,
        }
    }

    /// The threads of this computer, if it consists of them.
    pub fn real(&self) -> Option<&RealMachine> {
        match self {
            Self::Real(machine) => Some(machine),
            Self::ThisThread(_) | Self::Virtual(_) => None,
        }
    }

    /// Whether time is simulated.
    pub fn is_virtual(&self) -> bool {
        matches!(self, Self::Virtual(_))
    }

    /// Number of processors, of this process.
    pub fn processors(&self) -> usize {
        match self {
            Self::ThisThread(machine) => machine.processors(),
            Self::Real(machine) => machine.processors(),
            Self::Virtual(machine) => machine.processors(),
        }
    }

    /// Runs a program on every thread. Not for virtual processors, so that it is not compiled for them.
    pub(super) fn run_on_threads<P: Program>(&self, program: &P) -> Result<Run<P::Output>, Failure> {
        match self {
            Self::Real(machine) => machine.run(program),
            Self::ThisThread(machine) => machine.run(program),
            Self::Virtual(_) => unreachable!("it has a board of its own"),
        }
    }
}
