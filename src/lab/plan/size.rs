//! Size of a plan, told before its cells are made: one that is far too large is refused at once, with the numbers that
//! make it so.

use std::collections::HashSet;

use super::super::experiment::{Block, Experiment};
use super::PlanError;
use crate::record::{Configuration, MachineKind};
use crate::table::number::count;

/// Refuses a block whose axes have more combinations than the plan may have cells, before they are made.
pub fn check_combinations(block: &Block, experiment: &Experiment) -> Result<(), PlanError> {
    let combinations = block.axes.lengths().fold(1, |product: usize, (_, values)| product.saturating_mul(values));
    if combinations <= experiment.most_cells {
        return Ok(());
    }
    // Some may turn out to be the same search, so this is the most that there can be.
    let machines = [MachineKind::Real, MachineKind::Virtual];
    let runs = machines.map(|machine| runs(block, machine)).into_iter().fold(0, usize::max);
    let of_each = runs.saturating_add(experiment.description.baseline.searches() as usize);
    let positions = experiment.description.positions.len().max(1);
    let cells = combinations.saturating_mul(of_each).saturating_mul(positions);
    Err(too_large(cells, true, experiment, product(block, experiment)))
}

/// Refuses a block of these configurations that has more cells than the plan may have, before they are made.
pub fn check_block(block: &Block, experiment: &Experiment, configurations: &[Configuration]) -> Result<(), PlanError> {
    // A micro-measurement has neither a baseline nor positions.
    let (micro, configurations): (Vec<&Configuration>, Vec<&Configuration>) =
        configurations.iter().partition(|configuration| configuration.micro.is_some());
    let baselines: HashSet<Configuration> = configurations.iter().map(|one| one.baseline()).collect();
    let searches = experiment.description.baseline.searches() as usize;
    let is_shared = |configuration: &&&Configuration| searches == 0 || !configuration.is_baseline();
    let shared = configurations.iter().filter(is_shared).map(|one| runs(block, one.machine));
    let of_position = shared.fold(baselines.len().saturating_mul(searches), usize::saturating_add);
    let micro = micro.iter().map(|one| runs(block, one.machine)).fold(0, usize::saturating_add);
    let cells = of_position.saturating_mul(experiment.description.positions.len()).saturating_add(micro);
    check(cells, experiment, || product(block, experiment))
}

/// Refuses a plan with this many searches of each position in all.
pub fn check_all(of_position: usize, experiment: &Experiment) -> Result<(), PlanError> {
    let positions = experiment.description.positions.len();
    check(of_position.saturating_mul(positions), experiment, || {
        let blocks = experiment.blocks.len();
        format!("{} searches of each of {positions} positions, in {blocks} blocks", count(of_position as f64))
    })
}

fn check(cells: usize, experiment: &Experiment, product: impl Fn() -> String) -> Result<(), PlanError> {
    if cells > experiment.most_cells { Err(too_large(cells, false, experiment, product())) } else { Ok(()) }
}

fn too_large(cells: usize, is_bound: bool, experiment: &Experiment, product: String) -> PlanError {
    PlanError::TooLarge { cells, is_bound, most: experiment.most_cells, product }
}

/// Number of runs of a search on this machine: listed seeds are repeated on a real one only.
fn runs(block: &Block, machine: MachineKind) -> usize {
    match block.axes.seed.len() {
        1 => block.repetitions as usize,
        seeds if machine == MachineKind::Real => seeds.saturating_mul(block.repetitions as usize),
        seeds => seeds,
    }
}

/// Numbers of values that are multiplied, the largest first: `1 024 repetitions x 9 costs x 2 threads`.
fn product(block: &Block, experiment: &Experiment) -> String {
    let mut factors: Vec<(&str, usize)> = block.axes.lengths().collect();
    factors.push(("repetitions", block.repetitions as usize));
    factors.push(("seed", block.axes.seed.len()));
    factors.push(("positions", experiment.description.positions.len()));
    factors.retain(|(_, values)| *values > 1);
    factors.sort_by_key(|(_, values)| std::cmp::Reverse(*values));
    let words = factors.iter().map(|(name, values)| format!("{} {name}", count(*values as f64)));
    words.collect::<Vec<_>>().join(" x ")
}
