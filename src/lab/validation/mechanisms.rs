//! Micro-programs on real and on virtual processors, batch by batch in turn, so that what disturbs one kind of them
//! disturbs all.

use super::beside::{Beside, processors_at_once};
use super::positions::candidates;
use super::{PhaseObserver, ValidationError};
use crate::engine::{Beside as On, Neighbours};
use crate::machine::calibrate::low;
use crate::machine::cost::CostModel;
use crate::machine::mechanisms::{ContendedLock, Mechanism as Program, PingPong, PrivateWork, SharedCounter, Slices};
use crate::machine::{Machine, Pin, RealMachine, RealMachineError, VirtualMachine, Waiting};
use crate::record::validation::{Mechanism, MechanismTimes, Role, Size};

/// Number of times that a real search is repeated in a batch of a micro-program, of which a low quantile counts.
const SEARCHES: usize = 3;
/// Slices of a run of a micro-program, and turns of each processor in a slice: a slice takes some tens of microseconds.
const SLICES: u64 = 40;
const TURNS: u64 = 100;
/// Duration of the work inside and outside a lock that all want, and between two accesses to a counter, in nanoseconds.
const INSIDE_NS: f64 = 50.0;
const OUTSIDE_NS: f64 = 150.0;
const BETWEEN_NS: f64 = 100.0;

/// Machines on which micro-programs run: real and virtual ones with the same number of processors.
struct Machines(RealMachine, VirtualMachine);

impl Machines {
    fn new(processors: usize, waiting: Waiting, model: &CostModel) -> Result<Self, RealMachineError> {
        let simulated = VirtualMachine { waiting, ..VirtualMachine::new(processors, model.clone()) };
        Ok(Self(RealMachine::new(processors, &Pin::Cores, waiting)?, simulated))
    }

    /// Times of an operation on real and on virtual processors: low quantiles over slices.
    fn run<M: Program>(&self, mechanism: impl Fn() -> M) -> Option<[f64; 2]> {
        let program = || Slices::new(mechanism(), SLICES, TURNS);
        let (real, simulated) = (self.0.run(&program()).ok()?, self.1.run(&program()).ok()?);
        Some([low(real.outputs.first()?), low(simulated.outputs.first()?)])
    }

    /// Times of a node of a search beside others.
    fn search(&self, beside: &mut Beside, position: usize, neighbours: Neighbours) -> Option<[f64; 2]> {
        let mut node_ns = |on| beside.node_ns(on, position, neighbours);
        let real: Vec<f64> = (0..SEARCHES).filter_map(|_| node_ns(On::Real(&self.0))).collect();
        let simulated = node_ns(On::Virtual(&self.1))?;
        (!real.is_empty()).then(|| [low(&real), simulated])
    }
}

/// Runs all micro-programs with this model, batch by batch. Nothing where there is only one processor. A step of
/// arithmetic takes `step_ns`.
pub fn mechanisms(
    size: &Size,
    model: &CostModel,
    step_ns: f64,
    observer: &dyn PhaseObserver,
) -> Result<Vec<MechanismTimes>, ValidationError> {
    let processors = processors_at_once();
    if processors < 2 {
        return Ok(Vec::new());
    }
    observer.phase("micro-programs", size.mechanism_batches);
    let mut pair = Machines::new(2, Waiting::Spin, model)?;
    let mut spinning = Machines::new(processors, Waiting::Spin, model)?;
    let mut sleeping = Machines::new(processors, Waiting::Park, model)?;
    let work = |nanoseconds| PrivateWork::of(nanoseconds, step_ns);
    let lock = || ContendedLock::new(work(INSIDE_NS), work(OUTSIDE_NS));
    let mut beside = Beside::new(candidates(Role::Check), size)?;
    let times = |mechanism: &Mechanism| {
        let processors = if *mechanism == Mechanism::PingPong { 2 } else { processors as u32 };
        MechanismTimes { mechanism: *mechanism, processors, real: Vec::new(), simulated: Vec::new() }
    };
    let mut all: Vec<MechanismTimes> = Mechanism::ALL.iter().map(times).collect();
    for batch in 0..size.mechanism_batches {
        for machines in [&mut pair, &mut spinning, &mut sleeping] {
            machines.1.seed = batch as u64;
        }
        for times in &mut all {
            let measured = match times.mechanism {
                Mechanism::PingPong => pair.run(PingPong::default),
                Mechanism::ContendedLock => spinning.run(lock),
                Mechanism::SleepyLock => sleeping.run(lock),
                Mechanism::AllAdd => spinning.run(|| SharedCounter::all_add(work(BETWEEN_NS))),
                Mechanism::OneAdds => spinning.run(|| SharedCounter::one_adds(work(BETWEEN_NS))),
                Mechanism::SearchAlone => sleeping.search(&mut beside, batch, Neighbours::Idle),
                Mechanism::SearchBesideSearch => sleeping.search(&mut beside, batch, Neighbours::Search),
                Mechanism::SearchBesideStream => sleeping.search(&mut beside, batch, Neighbours::Stream),
            };
            if let Some([real, simulated]) = measured {
                times.real.push(real);
                times.simulated.push(simulated);
            }
        }
        observer.step(None);
    }
    Ok(all)
}
