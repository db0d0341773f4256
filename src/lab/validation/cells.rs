//! Cells of a validation: the same strategy, features and table on real and on virtual processors.

use super::super::choice::defined;
use super::super::single::{cell_at, default_configuration};
use super::positions::of_role;
use crate::machine::cost::CostModel;
use crate::machine::{Pin, Waiting};
use crate::parallel::AnyStrategy;
use crate::record::validation::{Role, Size, UsedPosition};
use crate::record::{Cell, Configuration, Depth, MachineKind, Named};
use crate::search::Horizon;
use crate::search::features::{Features, Recipe};

/// First seed of the searches for the comparison and the fit: those for the depths have used 0.
pub const FIRST_SEED: u64 = 1;

/// Configurations for several processors, one for each strategy that is compared.
pub fn shared_configurations(size: &Size, threads: u32, costs: Option<&CostModel>) -> Vec<Configuration> {
    let usual = configuration(size, threads, costs);
    if size.strategies.is_empty() {
        return vec![usual];
    }
    size.strategies.iter().map(|name| of_strategy(name.as_str().into(), &usual)).collect()
}

/// The configuration with this strategy.
fn of_strategy(name: Named, usual: &Configuration) -> Configuration {
    let has_horizon = name.parse::<AnyStrategy>().is_ok_and(|strategy| strategy.has_horizon());
    Configuration {
        horizon: (has_horizon && usual.threads > 1).then(|| Horizon::Closed.name().to_owned()),
        strategy: name,
        ..usual.clone()
    }
}

/// Configuration for a number of processors: those of this computer, or virtual ones with these costs. Several share a
/// search as is usual with its features.
pub fn configuration(size: &Size, threads: u32, costs: Option<&CostModel>) -> Configuration {
    let usual = default_configuration();
    let recipe = if size.features.is_empty() { usual.features.clone() } else { size.features.as_str().into() };
    let features = recipe.parse::<Recipe>().map_or_else(|_| Features::default(), |recipe| recipe.features);
    let waiting = if features.narrow_the_tree() { Waiting::SpinPark } else { Waiting::default() };
    let plain = Configuration {
        machine: if costs.is_some() { MachineKind::Virtual } else { MachineKind::Real },
        threads,
        features: recipe,
        depth: Depth::Own,
        waiting: (threads > 1).then(|| waiting.name().to_owned()),
        pin: costs.is_none().then(|| Pin::default().to_string()),
        costs: costs.map(defined),
        ..usual
    };
    of_strategy(AnyStrategy::usual(threads, &features).to_string().into(), &plain)
}

/// Search that shows how deep one processor gets within a number of nodes.
pub fn depth_search(size: &Size, id: &str, fen: String, nodes: u64) -> Cell {
    let configuration = Configuration { depth: Depth::Unlimited, nodes: Some(nodes), ..configuration(size, 1, None) };
    cell_at(configuration, id, fen, None, 0)
}

/// Searches of these positions to their depths, with this number of seeds each.
pub fn cells(configuration: &Configuration, positions: &[&UsedPosition], seeds: u64) -> Vec<Cell> {
    let cell = |used: &UsedPosition, seed| cell_at(configuration.clone(), &used.id, &used.fen, Some(used.depth), seed);
    let seeds = FIRST_SEED..FIRST_SEED + seeds;
    positions.iter().flat_map(|&used| seeds.clone().map(move |seed| cell(used, seed))).collect()
}

/// Cells of the comparison, on this computer or with these costs: each check with one processor, the first of them with
/// several and with more seeds.
pub fn of_checks(size: &Size, positions: &[UsedPosition], numbers: &[u32], costs: Option<&CostModel>) -> Vec<Cell> {
    let checks = of_role(positions, Role::Check, usize::MAX);
    let (shared, alone) = checks.split_at(size.positions.min(checks.len()));
    let mut all = cells(&configuration(size, 1, costs), alone, size.alone_seeds);
    all.extend(cells(&configuration(size, 1, costs), shared, size.seeds));
    let several = numbers.iter().flat_map(|threads| shared_configurations(size, *threads, costs));
    all.extend(several.flat_map(|configuration| cells(&configuration, shared, size.seeds)));
    all
}

/// Cells on one processor that the costs of work are fitted to.
pub fn of_fit(size: &Size, positions: &[UsedPosition]) -> Vec<Cell> {
    cells(&configuration(size, 1, None), &of_role(positions, Role::Calibration, usize::MAX), size.calibration_seeds)
}
