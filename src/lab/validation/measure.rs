//! The course of a validation: coordination, depths, real searches, the model, virtual searches, changed costs.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;

use super::super::environment::Session;
use super::super::laboratory::{Laboratory, Searcher};
use super::cells::{FIRST_SEED, cell, changes_one_processor, configuration, look};
use super::positions::candidates;
use super::runs::{Later, Runs};
use super::work;
use super::{CostRun, Measurements, Role, Size, UsedPosition, ValidationError, Watcher, WorkCosts};
use crate::machine::RealMachine;
use crate::machine::calibrate::{Calibration, calibrate};
use crate::machine::cost::CostModel;
use crate::machine::host::Topology;
use crate::record::Record;
use crate::record::{Cell, Configuration};

/// A look that was over before it had searched this share of its nodes has come to the end of its tree.
const WHOLE_LOOK: f64 = 0.5;

/// The cost model of this computer, and what it is made of.
#[derive(Clone, Debug, Serialize)]
pub struct Calibrated {
    /// What coordination costs.
    pub coordination: Calibration,
    /// What work costs.
    pub work: WorkCosts,
    /// The model.
    pub model: CostModel,
}

/// Makes the cost model of this computer: some seconds of small experiments and of sequential searches.
pub fn calibrated(size: &Size, watcher: &dyn Watcher) -> Result<Calibrated, ValidationError> {
    let laboratory = laboratory(&[]);
    let coordination = coordination(watcher)?;
    let mut runs = Runs { session: String::new(), watcher, pace: Default::default(), next: 0 };
    let positions = depths(&laboratory, size, &[(Role::Calibration, size.calibration_positions)], &mut runs);
    let records = runs.real(&laboratory, real_cells(size, &positions, &[]), &Later { searches: 0 });
    let (work, model) = fitted(&records, &positions, &coordination)?;
    Ok(Calibrated { coordination, work, model })
}

/// Measures all of it. `command` is what was typed.
pub fn measure(size: &Size, command: &str, watcher: &dyn Watcher) -> Result<Measurements, ValidationError> {
    let mut session = Session::begin(command, &BTreeMap::new());
    let laboratory_of_here = laboratory(&[]);
    let coordination = coordination(watcher)?;
    let mut runs = Runs { session: session.id.clone(), watcher, pace: Default::default(), next: 0 };
    let roles = [(Role::Calibration, size.calibration_positions), (Role::Check, size.alone_positions)];
    let positions = depths(&laboratory_of_here, size, &roles, &mut runs);
    let processors = processors(Topology::of_system(), RealMachine::room());
    let real = real_cells(size, &positions, &processors);
    let mut later = Later { searches: real.len() + cost_searches(size) };
    let mut records = runs.real(&laboratory_of_here, real, &later);
    let (work, model) = fitted(&records, &positions, &coordination)?;

    let changed = model.each_halved_and_doubled();
    let mut models = vec![model.clone()];
    models.extend(changed.iter().cloned());
    let laboratory = laboratory(&models);
    let base = check_cells(size, &positions, &processors, |threads| configuration(threads, Some(&model)));
    let of_costs = cost_cells(size, &positions, &model, &changed);
    later.searches = of_costs.len();
    records.extend(runs.simulated("virtual searches", &laboratory, &base, &later, |record| record));
    later.searches = 0;
    let outcomes = runs.simulated("costs halved and doubled", &laboratory, &of_costs, &later, cost_run);
    let (cost_runs, cost_failures) = divided(outcomes);
    session.costs = BTreeMap::from([(model.name.clone(), model.clone())]);
    Ok(Measurements {
        session: json(&session),
        size: size.clone(),
        coordination: json(&coordination),
        work,
        model: json(&model),
        model_hash: model.hash(),
        positions,
        processors,
        records,
        cost_runs,
        cost_failures,
    })
}

fn laboratory(models: &[CostModel]) -> Laboratory {
    let models = models.iter().map(|model| (model.name.clone(), model.clone())).collect();
    Laboratory::new(&models, [], None, false)
}

fn coordination(watcher: &dyn Watcher) -> Result<Calibration, ValidationError> {
    watcher.phase("coordination", 1);
    let coordination = calibrate(&Topology::of_system().order())?;
    watcher.step(None);
    Ok(coordination)
}

fn fitted(
    records: &[Record],
    positions: &[UsedPosition],
    coordination: &Calibration,
) -> Result<(WorkCosts, CostModel), ValidationError> {
    work::fit(records, positions, &coordination.model()).ok_or_else(|| {
        let failed = records.iter().find_map(|record| match &record.result {
            crate::record::CellResult::Failed(reason) => Some(reason.clone()),
            crate::record::CellResult::Done(_) => None,
        });
        ValidationError::Work(failed.unwrap_or_else(|| "it takes searches of three positions at least".to_owned()))
    })
}

/// The positions of these roles with the depth that one processor completes within so many nodes: that of the search with
/// seed 0, and so the same on every computer.
fn depths(searcher: &dyn Searcher, size: &Size, roles: &[(Role, usize)], runs: &mut Runs<'_>) -> Vec<UsedPosition> {
    runs.watcher.phase("depths of the positions", roles.iter().map(|(_, count)| count).sum());
    let mut used = Vec::new();
    for &(role, count) in roles {
        let of_role = candidates(role).into_iter().filter_map(|epd| {
            let (id, fen) = (epd.id?, epd.setup.to_string());
            let (measured, _) = searcher.search(&look(&id, fen.clone(), size.nodes)).ok()?;
            let is_whole = measured.nodes as f64 >= WHOLE_LOOK * size.nodes as f64 && measured.depth > 0;
            is_whole.then(|| {
                runs.watcher.step(None);
                UsedPosition { id, fen, role, depth: measured.depth }
            })
        });
        used.extend(of_role.take(count));
    }
    used
}

/// Two, four and so on processors, up to what there is of physical cores; of hardware threads, if there are not two cores.
fn processors(topology: &Topology, room: usize) -> Vec<u32> {
    let cores = topology.allowed_cores().min(room);
    let most = if cores >= 2 { cores } else { room };
    let doubled = std::iter::successors(Some(2_usize), |count| Some(count * 2)).take_while(|count| *count <= most);
    doubled.map(|count| count as u32).collect()
}

fn seeds(count: u64) -> impl Iterator<Item = u64> + Clone {
    FIRST_SEED..FIRST_SEED + count
}

fn checks(positions: &[UsedPosition]) -> impl Iterator<Item = &UsedPosition> {
    positions.iter().filter(|position| position.role == Role::Check)
}

/// The searches of the comparison: each check with one processor, the first of them with several and with more seeds.
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

/// Those on this computer, and those that the costs are fitted to.
fn real_cells(size: &Size, positions: &[UsedPosition], processors: &[u32]) -> Vec<Cell> {
    let one = configuration(1, None);
    let of_fit = positions.iter().filter(|position| position.role == Role::Calibration);
    let mut cells: Vec<Cell> =
        of_fit.flat_map(|position| seeds(size.calibration_seeds).map(|seed| cell(&one, position, seed))).collect();
    cells.extend(check_cells(size, positions, processors, |threads| configuration(threads, None)));
    cells
}

/// The model and the changed ones at some positions. One processor is not searched again where it cannot differ.
fn cost_cells(size: &Size, positions: &[UsedPosition], model: &CostModel, changed: &[CostModel]) -> Vec<Cell> {
    let mut cells = Vec::new();
    for costs in std::iter::once(model).chain(changed) {
        let is_searched_alone = costs == model || changes_one_processor(model, costs);
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

/// About how many searches with changed costs there will be, before the model is known.
fn cost_searches(size: &Size) -> usize {
    let models = CostModel::reference().each_halved_and_doubled().len() + 1;
    models * size.cost_processors.len() * size.cost_positions * size.cost_seeds as usize
}

fn cost_run(record: Record) -> Result<CostRun, String> {
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

fn divided(outcomes: Vec<Result<CostRun, String>>) -> (Vec<CostRun>, Vec<String>) {
    let (mut runs, mut failures) = (Vec::new(), Vec::new());
    for outcome in outcomes {
        match outcome {
            Ok(run) => runs.push(run),
            Err(failure) => failures.push(failure),
        }
    }
    (runs, failures)
}

fn json(value: &impl Serialize) -> Value {
    serde_json::to_value(value).unwrap_or(Value::Null)
}
