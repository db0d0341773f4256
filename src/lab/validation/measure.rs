//! Course of a validation: coordination, searches beside each other, depths, real searches, the model, micro-programs,
//! virtual searches, changed costs.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use serde::Serialize;

use super::super::environment::{begin_session, plain};
use super::super::pace::SIMULATION;
use super::super::{Conditions, Conduct, Fill, Laboratory, Ledger, Observer, Runner, Searcher};
use super::cells::{FIRST_SEED, cell, configuration, depth_search};
use super::mechanisms::{mechanisms, processors_at_once, work_sharing};
use super::positions::candidates;
use super::work::{self, FITTED};
use super::{PhaseObserver, ValidationError, together};
use crate::machine::RealMachine;
use crate::machine::calibrate::{Calibration, calibrate};
use crate::machine::cost::CostModel;
use crate::machine::host::Topology;
use crate::record::validation::{CostRun, Measurements, Role, Size, UsedPosition, WorkCosts, WorkSharing};
use crate::record::{Cell, Configuration, MachineKind, Record};
use crate::statistics::mean;

/// A search for the depth of a position that ends before this share of its nodes has come to the end of its tree.
const WHOLE_SEARCH: f64 = 0.5;
/// One disturbed real search in this many is repeated, once: where all is noise, repeating helps nobody.
const ONE_REPEATED_IN: usize = 4;
/// Order and repetitions of the searches.
const CONDUCT: Conduct = Conduct {
    is_shuffled: true,
    order_seed: Some(1),
    warm_up: true,
    fill: Fill::Fixed(None),
    retries: 1,
    limit_s: None,
    limit_nodes: None,
    until: None,
};

/// Cost model of this computer, with the measurements that it is made of.
#[derive(Clone, Debug, Serialize)]
pub struct Calibrated {
    /// Measured costs of coordination.
    pub coordination: Calibration,
    /// Fitted costs of work.
    pub work: WorkCosts,
    /// The cost model.
    pub model: CostModel,
    /// Names of the costs that could not be measured here and are those of the reference model.
    pub assumed: Vec<&'static str>,
}

/// Makes the cost model of this computer: some seconds of small experiments and of sequential searches.
pub fn calibrated(size: &Size, observer: &dyn PhaseObserver) -> Result<Calibrated, ValidationError> {
    let laboratory = laboratory(&[]);
    let coordination = coordination(observer)?;
    let sharing = work_sharing(size, observer)?;
    let positions = depths(&laboratory, size, &[(Role::Calibration, size.calibration_positions)], observer);
    let mut phases = Phases { session: "", observer, next: 0, later: 0 };
    let records = phases.run("real searches", &laboratory, &real_cells(size, &positions, &[]))?;
    let (mut work, model) = fitted(&records, &positions, &coordination, sharing)?;
    let model = phases.run_together(size, &positions, &records, &mut work, model)?;
    let assumed = assumed(&coordination, &work);
    Ok(Calibrated { coordination, work, model, assumed })
}

/// Measures everything that a validation takes. `command` is what was typed.
pub fn measure(size: &Size, command: &str, observer: &dyn PhaseObserver) -> Result<Measurements, ValidationError> {
    let mut session = begin_session(command, &BTreeMap::new());
    let laboratory_of_here = laboratory(&[]);
    let coordination = coordination(observer)?;
    let sharing = work_sharing(size, observer)?;
    let roles = [(Role::Calibration, size.calibration_positions), (Role::Check, size.alone_positions)];
    let positions = depths(&laboratory_of_here, size, &roles, observer);
    let processors = processors();
    let real = real_cells(size, &positions, &processors);
    let mut phases = Phases { session: &session.id, observer, next: 0, later: real.len() + cost_searches(size) };
    let mut records = phases.run("real searches", &laboratory_of_here, &real)?;
    let (mut work, model) = fitted(&records, &positions, &coordination, sharing)?;
    let model = phases.run_together(size, &positions, &records, &mut work, model)?;
    let mechanisms = mechanisms(size, &model, &coordination, observer)?;

    let changed = model.each_halved_and_doubled();
    let models: Vec<CostModel> = std::iter::once(&model).chain(&changed).cloned().collect();
    let laboratory = laboratory(&models);
    let base = check_cells(size, &positions, &processors, |threads| configuration(threads, Some(&model)));
    let of_costs = cost_cells(size, &positions, &model, &changed);
    phases.later = of_costs.len();
    records.extend(phases.run("virtual searches", &laboratory, &base)?);
    phases.later = 0;
    let cost_records = phases.run("costs halved and doubled", &laboratory, &of_costs)?;
    let (cost_runs, cost_failures): (Vec<_>, Vec<_>) = cost_records.iter().map(cost_run).partition(Result::is_ok);
    session.costs = plain(&BTreeMap::from([(&model.name, &model)]));
    Ok(Measurements {
        session,
        size: size.clone(),
        coordination: plain(&coordination),
        assumed: assumed(&coordination, &work).into_iter().map(str::to_owned).collect(),
        work,
        model_hash: model.hash(),
        model: plain(&model),
        positions,
        processors,
        records,
        cost_runs: cost_runs.into_iter().filter_map(Result::ok).collect(),
        cost_failures: cost_failures.into_iter().filter_map(Result::err).collect(),
        mechanisms,
    })
}

/// Names of the costs that are those of the reference model because nothing here has measured them.
fn assumed(coordination: &Calibration, work: &WorkCosts) -> Vec<&'static str> {
    let measured: Vec<&str> = coordination.prices().into_iter().map(|(name, _)| name).collect();
    let is_known = |name: &str| {
        measured.contains(&name)
            || FITTED.contains(&name)
            || name == "memory_sharer_permille" && work.sharing.is_some()
            || together::FITTED.contains(&name) && work.together.is_some()
    };
    CostModel::COSTS.iter().map(|cost| cost.name).filter(|name| !is_known(name)).collect()
}

/// Runs of the runner, one after the other, whose records are numbered through.
struct Phases<'a> {
    session: &'a str,
    observer: &'a dyn PhaseObserver,
    /// Index of the next cell.
    next: u64,
    /// Number of virtual searches in later phases, for the time that is left.
    later: usize,
}

impl Phases<'_> {
    /// The model with what it costs to search together, from real searches and those of the model so far.
    fn run_together(
        &mut self,
        size: &Size,
        positions: &[UsedPosition],
        real: &[Record],
        work: &mut WorkCosts,
        model: CostModel,
    ) -> Result<CostModel, ValidationError> {
        let cells = together::cells(size, positions, Some(&model));
        if cells.is_empty() {
            return Ok(model);
        }
        let (next, laboratory) = (self.next, laboratory(std::slice::from_ref(&model)));
        let simulated = self.run("virtual searches together", &laboratory, &cells)?;
        // They are not among the records of the comparison.
        self.next = next;
        let Some((found, model)) = together::fit(real, &simulated, positions, &model) else {
            return Ok(model);
        };
        work.together = Some(found);
        Ok(model)
    }

    /// Records of these cells, in the order of the cells.
    fn run(&mut self, what: &str, searcher: &dyn Searcher, cells: &[Cell]) -> Result<Vec<Record>, ValidationError> {
        self.observer.phase(what, cells.len());
        let steps =
            Steps { observer: self.observer, later: self.later, host_s: Mutex::default(), records: Mutex::default() };
        let runner = Runner {
            cells: &(self.next..).zip(cells).collect::<Vec<_>>(),
            planned: self.next + cells.len() as u64,
            conduct: &CONDUCT,
            most_repeats: cells.len() / ONE_REPEATED_IN,
            searcher,
            journal: None,
            observer: &steps,
            session: self.session,
            more_positions: &[],
        };
        runner.run(&mut Ledger::default(), None)?;
        let mut records = steps.records.into_inner().unwrap_or_else(PoisonError::into_inner);
        records.sort_by_key(|record| (record.index, record.attempt));
        self.next += cells.len() as u64;
        Ok(records)
    }
}

/// Tells the observer of a validation about each first record of a cell.
struct Steps<'a> {
    observer: &'a dyn PhaseObserver,
    later: usize,
    /// Time that the searches so far took, in seconds.
    host_s: Mutex<Vec<f64>>,
    /// All records.
    records: Mutex<Vec<Record>>,
}

impl Observer for Steps<'_> {
    fn recorded(&self, record: &Record, left_s: f64) {
        self.records.lock().unwrap_or_else(PoisonError::into_inner).push(record.clone());
        if record.attempt > 0 {
            return;
        }
        let mut host_s = self.host_s.lock().unwrap_or_else(PoisonError::into_inner);
        host_s.push(record.host_s);
        let factor = if record.cell.configuration.machine == MachineKind::Real { SIMULATION } else { 1.0 };
        let later_s = self.later as f64 * mean(&host_s).unwrap_or(0.0) * factor / RealMachine::room() as f64;
        self.observer.step(Some(left_s + later_s));
    }
}

fn laboratory(models: &[CostModel]) -> Laboratory {
    let models = models.iter().map(|model| (model.name.clone(), model.clone())).collect();
    Laboratory::new(Conditions { models, random_addresses: true, ..Conditions::default() })
}

fn coordination(observer: &dyn PhaseObserver) -> Result<Calibration, ValidationError> {
    observer.phase("coordination", 1);
    let coordination = calibrate(&Topology::of_system().order())?;
    observer.step(None);
    Ok(coordination)
}

fn fitted(
    records: &[Record],
    positions: &[UsedPosition],
    coordination: &Calibration,
    sharing: Option<WorkSharing>,
) -> Result<(WorkCosts, CostModel), ValidationError> {
    work::fit(records, positions, &coordination.model(), sharing).ok_or_else(|| {
        let failed = records.iter().find_map(Record::failure);
        ValidationError::Work(failed.unwrap_or("searches of at least three positions are needed").to_owned())
    })
}

/// Positions of these roles with the depth that one processor completes within the size's nodes: that of the search
/// with seed 0, and so the same on every computer.
fn depths(
    searcher: &dyn Searcher,
    size: &Size,
    roles: &[(Role, usize)],
    observer: &dyn PhaseObserver,
) -> Vec<UsedPosition> {
    observer.phase("finding the depths of the positions", roles.iter().map(|(_, count)| count).sum());
    let mut used = Vec::new();
    for &(role, count) in roles {
        let of_role = candidates(role).into_iter().filter_map(|epd| {
            let (id, fen) = (epd.id?, epd.setup.to_string());
            let (result, _) = searcher.search(&depth_search(&id, fen.clone(), size.nodes)).ok()?;
            let measured = result.figures()?;
            let is_whole = measured.nodes as f64 >= WHOLE_SEARCH * size.nodes as f64 && measured.depth > 0;
            is_whole.then(|| {
                observer.step(None);
                UsedPosition { id, fen, role, depth: measured.depth }
            })
        });
        used.extend(of_role.take(count));
    }
    used
}

/// Numbers of processors to compare: two, four and so on, up to all that can work at once.
fn processors() -> Vec<u32> {
    let doubled = std::iter::successors(Some(2), |count| Some(count * 2));
    doubled.take_while(|count| *count as usize <= processors_at_once()).collect()
}

fn seeds(count: u64) -> impl Iterator<Item = u64> + Clone {
    FIRST_SEED..FIRST_SEED + count
}

fn checks(positions: &[UsedPosition]) -> impl Iterator<Item = &UsedPosition> {
    positions.iter().filter(|position| position.role == Role::Check)
}

/// Cells of the comparison: each check with one processor, the first of them with several and with more seeds.
fn check_cells(
    size: &Size,
    positions: &[UsedPosition],
    processors: &[u32],
    configuration: impl Fn(u32) -> Configuration,
) -> Vec<Cell> {
    let mut cells = Vec::new();
    for (place, position) in checks(positions).enumerate() {
        let is_shared = place < size.positions;
        let numbers: &[u32] = if is_shared { processors } else { &[] };
        let count = if is_shared { size.seeds } else { size.alone_seeds };
        for threads in [1].iter().chain(numbers) {
            let configuration = configuration(*threads);
            cells.extend(seeds(count).map(|seed| cell(&configuration, position, seed)));
        }
    }
    cells
}

/// Cells on this computer: those of the comparison, and those that the costs are fitted to.
fn real_cells(size: &Size, positions: &[UsedPosition], processors: &[u32]) -> Vec<Cell> {
    let one = configuration(1, None);
    let of_fit = positions.iter().filter(|position| position.role == Role::Calibration);
    let of_fit = of_fit.flat_map(|position| seeds(size.calibration_seeds).map(|seed| cell(&one, position, seed)));
    let together = together::cells(size, positions, None);
    let checks = check_cells(size, positions, processors, |threads| configuration(threads, None));
    // Searches of one processor always visit the same nodes, so that their least time is that on a quiet computer.
    let repeated = |cell: Cell| {
        let count = if cell.configuration.threads == 1 { size.calibration_repetitions } else { 1 };
        (0..count).map(move |repetition| Cell { repetition, ..cell.clone() })
    };
    of_fit.chain(together).chain(checks).flat_map(repeated).collect()
}

/// Cells with the model and with the changed ones at some positions. One processor is not searched again where it
/// cannot differ.
fn cost_cells(size: &Size, positions: &[UsedPosition], model: &CostModel, changed: &[CostModel]) -> Vec<Cell> {
    let mut cells = Vec::new();
    for costs in std::iter::once(model).chain(changed) {
        let is_searched_alone = costs == model || work::changes_one_processor(model, costs);
        let alone: &[u32] = if is_searched_alone { &[1] } else { &[] };
        for threads in alone.iter().chain(&size.cost_processors) {
            let configuration = configuration(*threads, Some(costs));
            for position in checks(positions).take(size.cost_positions) {
                cells.extend(seeds(size.cost_seeds).map(|seed| cell(&configuration, position, seed)));
            }
        }
    }
    cells
}

/// Expected number of searches with changed costs, before the model is known.
fn cost_searches(size: &Size) -> usize {
    let models = CostModel::reference().each_halved_and_doubled().len() + 1;
    models * size.cost_processors.len() * size.cost_positions * size.cost_seeds as usize
}

/// Short form of a search with changed costs; its description if it failed.
fn cost_run(record: &Record) -> Result<CostRun, String> {
    let Cell { configuration, position, seed, .. } = &record.cell;
    let costs = configuration.costs.clone().unwrap_or_default();
    match record.measured() {
        Some(measured) => Ok(CostRun {
            costs,
            position: position.clone(),
            seed: *seed,
            threads: configuration.threads,
            time_ns: measured.time_ns,
            nodes: measured.nodes,
        }),
        None => Err(format!("{costs}, {} processors, {position}, seed {seed}", configuration.threads)),
    }
}
