//! Micro-programs on real and on virtual processors, batch by batch in turn, so that what disturbs one kind of them
//! disturbs all; and the effect of searches on each other, which is fitted.

use super::beside::{Beside, Neighbours, On};
use super::positions::candidates;
use super::{PhaseObserver, ValidationError};
use crate::machine::calibrate::{Calibration, low};
use crate::machine::cost::CostModel;
use crate::machine::host::Topology;
use crate::machine::mechanisms::{ContendedLock, Mechanism as Program, PingPong, PrivateWork, SharedCounter, Slices};
use crate::machine::{Machine, Pin, RealMachine, RealMachineError, VirtualMachine, Waiting};
use crate::record::validation::{Mechanism, MechanismTimes, Role, Size, WorkSharing};
use crate::statistics::{Contrast, Interval, LEVEL, Scope, median};

/// Number of positions of the searches beside each other.
const SHARING_POSITIONS: usize = 8;
/// Number of times that each of them is searched alone and, right after, beside others.
const SHARING_ROUNDS: usize = 15;
/// Share of the nodes of other searches that a search beside others has: what is measured is the time of a node.
const NODES_SHARE: u64 = 2;

/// Number of times that a real search is repeated in a batch of a micro-program, of which a low quantile counts.
const SEARCHES: usize = 3;

/// Slices of a run of a micro-program, and turns of each processor in a slice: a slice takes some tens of microseconds.
const SLICES: u64 = 40;
const TURNS: u64 = 100;
/// Duration of the work inside and outside a lock that all want, and between two accesses to a counter, in nanoseconds.
const INSIDE_NS: f64 = 50.0;
const OUTSIDE_NS: f64 = 150.0;
const BETWEEN_NS: f64 = 100.0;

/// Number of processors of this computer that can work at once: its cores, if there are several that may be used, else
/// its hardware threads.
pub fn processors_at_once() -> usize {
    let (cores, room) = (Topology::of_system().allowed_cores().min(RealMachine::room()), RealMachine::room());
    if cores >= 2 { cores } else { room }
}

fn real_machine(processors: usize, waiting: Waiting) -> Result<RealMachine, RealMachineError> {
    RealMachine::new(processors, &Pin::Cores, waiting)
}

/// Measures how much longer a node takes while the other processors search other positions. `None` where there is only
/// one processor, or if the searches fail.
pub fn work_sharing(size: &Size, observer: &dyn PhaseObserver) -> Result<Option<WorkSharing>, ValidationError> {
    let processors = processors_at_once();
    if processors < 2 {
        return Ok(None);
    }
    let positions: Vec<_> = candidates(Role::Calibration).into_iter().take(SHARING_POSITIONS).collect();
    observer.phase("searches side by side", positions.len());
    let count = positions.len();
    let mut beside = Beside::new(positions, size.nodes / NODES_SHARE)?;
    let machine = real_machine(processors, Waiting::default())?;
    let mut ratios = Vec::new();
    for position in 0..count {
        // Both searches of a round are disturbed alike on average, and the median of the rounds is not moved by a few
        // that were not. Low quantiles of either would be about moments in which cores do not slow each other.
        let mut of_rounds = Vec::new();
        for _ in 0..SHARING_ROUNDS {
            let mut time = |neighbours| beside.node_ns(On::Real(&machine), position, neighbours);
            if let (Some(alone), Some(together)) = (time(Neighbours::Idle), time(Neighbours::Search)) {
                of_rounds.push((together / alone).ln());
            }
        }
        ratios.extend(median(&of_rounds).filter(|ratio| ratio.is_finite()).map(|ratio| vec![ratio]));
        observer.step(None);
    }
    let contrast = Contrast::paired(&ratios);
    Ok(contrast.map(|contrast| {
        let interval = contrast.interval(Scope::PositionsLikeThese, LEVEL);
        let ratio = interval.unwrap_or(Interval::unknown(contrast.estimate())).exp();
        WorkSharing { processors: processors as u32, positions: ratios.len(), ratio }
    }))
}

/// Machines on which micro-programs run: real and virtual ones with the same number of processors.
struct Machines {
    real: RealMachine,
    simulated: VirtualMachine,
}

impl Machines {
    fn new(processors: usize, waiting: Waiting, model: &CostModel) -> Result<Self, RealMachineError> {
        let simulated = VirtualMachine { waiting, ..VirtualMachine::new(processors, model.clone()) };
        Ok(Self { real: real_machine(processors, waiting)?, simulated })
    }

    /// Times of an operation on real and on virtual processors: low quantiles over slices.
    fn run<M: Program>(&self, mechanism: impl Fn() -> M) -> Option<[f64; 2]> {
        let program = || Slices::new(mechanism(), SLICES, TURNS);
        let of_first = |outputs: Vec<Vec<f64>>| outputs.first().map(|slices| low(slices));
        let real = of_first(self.real.run(&program()).ok()?.outputs)?;
        Some([real, of_first(self.simulated.run(&program()).ok()?.outputs)?])
    }
}

/// Runs all micro-programs with this model, batch by batch. Nothing where there is only one processor.
pub fn mechanisms(
    size: &Size,
    model: &CostModel,
    coordination: &Calibration,
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
    let work = |nanoseconds| PrivateWork::of(nanoseconds, coordination.step.low);
    let lock = || ContendedLock::new(work(INSIDE_NS), work(OUTSIDE_NS));
    let mut beside = Beside::new(candidates(Role::Check), size.nodes / NODES_SHARE)?;
    let times = |mechanism: Mechanism| {
        let processors = if mechanism == Mechanism::PingPong { 2 } else { processors as u32 };
        MechanismTimes { mechanism, processors, real: Vec::new(), simulated: Vec::new() }
    };
    let mut all: Vec<MechanismTimes> = Mechanism::ALL.iter().map(|mechanism| times(*mechanism)).collect();
    for batch in 0..size.mechanism_batches {
        for machines in [&mut pair, &mut spinning, &mut sleeping] {
            machines.simulated.seed = batch as u64;
        }
        for times in &mut all {
            let mut search = |neighbours| {
                let mut real = || beside.node_ns(On::Real(&sleeping.real), batch, neighbours);
                let real: Vec<f64> = (0..SEARCHES).filter_map(|_| real()).collect();
                let simulated = beside.node_ns(On::Virtual(&sleeping.simulated), batch, neighbours)?;
                (!real.is_empty()).then(|| [low(&real), simulated])
            };
            let measured = match times.mechanism {
                Mechanism::PingPong => pair.run(PingPong::default),
                Mechanism::ContendedLock => spinning.run(lock),
                Mechanism::SleepyLock => sleeping.run(lock),
                Mechanism::AllAdd => spinning.run(|| SharedCounter::all_add(work(BETWEEN_NS))),
                Mechanism::OneAdds => spinning.run(|| SharedCounter::one_adds(work(BETWEEN_NS))),
                Mechanism::SearchAlone => search(Neighbours::Idle),
                Mechanism::SearchBesideSearch => search(Neighbours::Search),
                Mechanism::SearchBesideStream => search(Neighbours::Stream),
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
