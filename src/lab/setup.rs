//! From the words of a cell to what the engine is asked: the one place where the text of a configuration is read.

use super::conditions::Conditions;
use super::measure_error::{MeasureError, read, wrong};
use crate::chess::choice::BoardChoice;
use crate::engine::{On, Setup};
use crate::machine::cost::CostModel;
use crate::machine::{Pin, Waiting};
use crate::parallel::AnyStrategy;
use crate::record::axes::{
    BOARD, COPIER, COPY, COSTS, COSTS_HASH, FEATURES, HORIZON, MAKE, PIN, SCHEME, STRATEGY, WAITING,
};
use crate::record::{Cell, Configuration, MachineKind};
use crate::search::features::{Recipe, TakingBack};
use crate::search::table::{Scheme, TableOptions};
use crate::search::{DEEPEST, Horizon, Limits, SearchSettings};

/// Set-up of a cell's search, within the limits of all cells.
///
/// # Errors
/// If it names something that does not exist.
pub fn of(cell: &Cell, conditions: &Conditions) -> Result<Setup, MeasureError> {
    let configuration = &cell.configuration;
    let nanoseconds = |seconds: Option<f64>| seconds.map_or(u64::MAX, |seconds| (seconds * 1e9).round() as u64);
    let settings = SearchSettings {
        features: recipe(configuration)?.features,
        limits: Limits {
            nodes: configuration.nodes.into_iter().chain(conditions.limit_nodes).min().unwrap_or(u64::MAX),
            nanoseconds: nanoseconds(configuration.time_s.map(f64::from)).min(nanoseconds(conditions.limit_s)),
            horizon: configuration.horizon.as_deref().map_or(Ok(Horizon::Closed), |name| read(&HORIZON, name))?,
            ..Limits::depth(cell.depth.unwrap_or(DEEPEST))
        },
        seed: cell.seed,
    };
    let scheme: Scheme = read(&SCHEME, &configuration.scheme)?;
    let table = settings.table(scheme, u64::from(configuration.hash_mib) << 20);
    Ok(Setup {
        board: board(configuration)?,
        strategy: strategy(configuration)?,
        settings,
        table: TableOptions { audit: configuration.audit, ..table },
        on: match configuration.machine {
            MachineKind::Real => On::Real(pin(configuration)?),
            MachineKind::Virtual => On::Virtual(Box::new(model(configuration, conditions)?)),
        },
        processors: configuration.threads as usize,
        waiting: configuration.waiting.as_deref().map_or(Ok(Waiting::default()), |name| read(&WAITING, name))?,
        counts_losses: configuration.losses,
    })
}

/// The cost model of a cell; the reference model if the cell names none.
fn model(configuration: &Configuration, conditions: &Conditions) -> Result<CostModel, MeasureError> {
    let name = configuration.costs.as_deref().unwrap_or(CostModel::NAMES[0]);
    let model = conditions.models.get(name).cloned().map_or_else(|| read(&COSTS, name), Ok)?;
    match &configuration.costs_hash {
        Some(hash) if *hash != model.hash() => {
            Err(wrong(COSTS_HASH.name)(format!("the model '{name}' has the hash {}, not {hash}", model.hash())))
        }
        _ => Ok(model),
    }
}

pub fn pin(configuration: &Configuration) -> Result<Pin, MeasureError> {
    read(&PIN, configuration.pin.as_deref().unwrap_or("none"))
}

/// The strategy of a configuration, with what its own fields say about copies.
fn strategy(configuration: &Configuration) -> Result<AnyStrategy, MeasureError> {
    let Configuration { copy, copier, .. } = configuration;
    let mut strategy: AnyStrategy = read(&STRATEGY, &configuration.strategy)?;
    if let Some(mut copying) = strategy.copying().filter(|_| copy.is_some() || copier.is_some()) {
        copying.form = copy.as_deref().map_or(Ok(copying.form), |form| read(&COPY, form))?;
        copying.copier = copier.as_deref().map_or(Ok(copying.copier), |copier| read(&COPIER, copier))?;
        strategy.set_copying(&copying);
    }
    Ok(strategy)
}

/// The features of a configuration, with what its own fields say about them.
fn recipe(configuration: &Configuration) -> Result<Recipe, MeasureError> {
    let mut recipe: Recipe = read(&FEATURES, &configuration.features)?;
    if let Some(make) = &configuration.make {
        recipe.features.copy_make = read::<TakingBack>(&MAKE, make)? == TakingBack::Copy;
    }
    Ok(recipe)
}

fn board(configuration: &Configuration) -> Result<BoardChoice, MeasureError> {
    let Configuration { board, sliders, .. } = configuration;
    BoardChoice::from_names(board, sliders.as_deref()).map_err(wrong(BOARD.name))
}
