//! A plan: every search that an experiment takes, in one order that is the same whenever the same is asked for. What
//! has no meaning for a search is dropped, searches asked for twice are one, and the baseline that others are divided
//! by is added where it is missing.

pub(super) mod price_range;
mod schedules;
mod size;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::str::FromStr;
use std::sync::{Arc, LazyLock};

use super::experiment::{Block, Experiment, MOST_CELLS, Problem, Selection};
use super::single::cell_at;
use super::sizing::SizeError;
use crate::chess::Unsupported;
use crate::fingerprint::fingerprint;
use crate::machine::cost::CostModel;
use crate::machine::disturb::DisturbError;
use crate::machine::host::Topology;
use crate::outside::Definition;
use crate::record::axes::{AXES, Axis, COSTS_HASH, DEPTH, Decides, STRATEGY, THREADS};
use crate::record::{Baseline, Description, Factorial, IntervalKind, PositionInfo, Reference};
use crate::record::{Cell, Configuration, Depth, MachineKind, Shared, Word};
use crate::table::number::count;
use schedules::Schedules;

/// Every search that an experiment takes.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Cells in the order of tables. The place of a cell is its index.
    pub cells: Vec<Cell>,
    /// Description for readers of the results.
    pub description: Description,
    /// Cost models that cells name, by name.
    pub models: BTreeMap<String, CostModel>,
    /// Engines from outside that cells name, by name.
    pub engines: BTreeMap<String, Arc<Definition>>,
}

/// A part of a plan: `1/3` is the first of three.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// Number of the part, from 1.
    pub number: u32,
    /// Number of parts.
    pub of: u32,
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parts = text.split_once('/').and_then(|(i, n)| Some((i.trim().parse().ok()?, n.trim().parse().ok()?)));
        match parts {
            Some((number, of)) if (1..=of).contains(&number) => Ok(Self { number, of }),
            _ => Err("expected part I of N, for example 1/3".to_owned()),
        }
    }
}

/// Reason why an experiment has no plan.
#[derive(Debug, thiserror::Error)]
pub enum PlanError {
    /// All cells are excluded.
    #[error("the plan is empty: all its searches are excluded")]
    Empty,
    /// A board needs an instruction that this processor lacks.
    #[error(transparent)]
    Unsupported(#[from] Unsupported),
    /// A search is to be disturbed on more CPUs than there are.
    #[error("disturb: {0}")]
    Disturb(#[from] DisturbError),
    /// An engine from outside is to run in simulated time.
    #[error("the engine '{0}' is from outside, and runs on the machine 'real' only: give it a [[plan]] of its own")]
    OutsideOnVirtual(String),
    /// A search cannot be spread over so many nodes.
    #[error("{0}")]
    Misspread(String),
    /// An axis and a strategy, or features, say the same thing.
    #[error("{0}; leave it out in one place")]
    SaidTwice(String),
    /// An exclusion or a reference fits no search.
    #[error("{0}")]
    Unmatched(String),
    /// A size of searches stands for no depths yet.
    #[error("no depth was found for searches of {0} at position {1}")]
    Unsized(String, String),
    /// A pilot found no depth for a size.
    #[error(transparent)]
    Size(#[from] SizeError),
    /// The plan is far too large, which is most often a slip of the finger.
    #[error(
        "the plan would have {}{} searches, more than {}: {product}\n  {}",
        if *is_bound { "up to " } else { "" },
        count(*cells as f64),
        count(*most as f64),
        allowance(*cells)
    )]
    TooLarge {
        /// Number of cells.
        cells: usize,
        /// Whether it may turn out to be smaller.
        is_bound: bool,
        /// Largest number that is allowed.
        most: usize,
        /// Numbers of values that make it large.
        product: String,
    },
}

/// Advice on how to allow a plan of this many cells; that it cannot be, if it is too large.
fn allowance(cells: usize) -> String {
    match cells as u64 <= MOST_CELLS as u64 {
        true => format!("If this is intended, allow it with most_cells = {cells}"),
        false => format!("No plan has more than {}", count(MOST_CELLS as f64)),
    }
}

/// A configuration, with the seeds and repetitions of its cells.
struct Runs {
    configuration: Configuration,
    seeds: Vec<(u64, u32)>,
}

impl Plan {
    /// The plan of an experiment. `command` is the command that asks for it.
    pub fn of(experiment: &Experiment, command: &str) -> Result<Self, PlanError> {
        let mut runs = AllRuns::default();
        let (mut models, mut engines) = (BTreeMap::new(), BTreeMap::new());
        let (mut schedules, mut ordinary) = (Schedules::default(), HashSet::new());
        let mut excluded = vec![false; experiment.excludes.len()];
        // Each with the configurations that are compared with it: all, where it names none.
        let mut references: Vec<(&Selection, Vec<Configuration>)> = Vec::new();
        references.extend(experiment.reference.as_ref().map(|reference| (reference, Vec::new())));
        for block in &experiment.blocks {
            size::check_combinations(block, experiment)?;
            let (configurations, of_block) = configurations(block, experiment, &mut excluded)?;
            size::check_block(block, experiment, &configurations)?;
            models.extend(of_block);
            engines.extend(engines_of(block));
            let mut has_seeds = HashSet::new();
            references.extend(block.reference.as_ref().map(|reference| (reference, configurations.clone())));
            for configuration in configurations {
                let has_baseline = experiment.description.baseline != Baseline::None && configuration.micro.is_none();
                if !experiment.schedules.is_empty() {
                    ordinary.insert(configuration.baseline());
                }
                if has_baseline && has_seeds.insert(configuration.baseline()) {
                    runs.add(configuration.baseline(), baseline_seeds(block, experiment.description.baseline));
                }
                for alone in schedules.add(&configuration, &experiment.schedules) {
                    if has_seeds.insert(alone.clone()) {
                        runs.add(alone, baseline_seeds(block, experiment.description.baseline));
                    }
                }
                if !(has_baseline && configuration.is_baseline()) {
                    let seeds = seeds(block, experiment.description.baseline, configuration.machine);
                    runs.add(configuration, seeds);
                }
            }
        }
        let mut price_range = Vec::new();
        for (repriced, seed, model) in price_range::repriced(&runs.in_order, experiment, &models) {
            runs.add(repriced.configuration.clone(), vec![seed]);
            models.insert(model.name.clone(), model);
            price_range.push(repriced);
        }
        let runs = runs.in_order;
        if let Some(unused) = excluded.iter().position(|is_used| !is_used) {
            return Err(PlanError::Unmatched(experiment.excludes[unused].unmatched.clone()));
        }
        for (reference, members) in &references {
            let members: HashSet<&Configuration> = members.iter().collect();
            let is_member = |runs: &&Runs| members.is_empty() || members.contains(&runs.configuration);
            if !runs.iter().filter(is_member).any(|runs| reference.matches(&runs.configuration)) {
                return Err(PlanError::Unmatched(reference.unmatched.clone()));
            }
        }
        let is_searched = |side: &Selection| runs.iter().any(|runs| side.matches(&runs.configuration));
        if let Some(absent) = experiment.twins.iter().flat_map(|(_, sides)| sides).find(|side| !is_searched(side)) {
            return Err(PlanError::Unmatched(absent.unmatched.clone()));
        }
        let with_members = |(reference, members): (&Selection, Vec<Configuration>)| {
            let first = |(field, values): (&&str, &Vec<String>)| Some(((*field).to_owned(), values.first()?.clone()));
            Reference { fields: reference.fields.iter().filter_map(first).collect(), members }
        };
        let searches = runs.iter().filter(|runs| runs.configuration.micro.is_none());
        size::check_all(searches.map(|runs| runs.seeds.len()).sum(), experiment)?;
        let cells = cells(&runs, experiment)?;
        if cells.is_empty() {
            return Err(PlanError::Empty);
        }
        let schedules = schedules.into_all();
        let is_added = |one: &Configuration| {
            let is_alone = schedules.iter().any(|by| by.alone == *one) && !ordinary.contains(one);
            is_alone || price_range.iter().any(|repriced| repriced.configuration == *one)
        };
        let description = Description {
            plan: fingerprint(cells.iter().map(canonical)),
            cells: cells.len() as u64,
            own_cells: cells.len() as u64,
            interval: experiment.interval.unwrap_or_else(|| usual_interval(experiment)),
            axes: varying(runs.iter().filter(|runs| !is_added(&runs.configuration))),
            schedules,
            price_range,
            references: references.into_iter().map(with_members).collect(),
            twins: experiment.twins.iter().map(|(twins, _)| twins.clone()).collect(),
            command: command.to_owned(),
            ..experiment.description.clone()
        };
        Ok(Self { cells, description, models, engines })
    }

    /// The part of the plan that a shard is for, each cell with its index; all of it if there is none. The searches of
    /// a position that are divided by one another stay together.
    pub fn part(&self, shard: Option<Shard>) -> Vec<(u64, &Cell)> {
        let Shard { number, of } = shard.unwrap_or(Shard { number: 1, of: 1 });
        let mut places = HashMap::new();
        let representatives = schedules::representatives(&self.description.schedules);
        let is_in = |(_, cell): &(u64, &Cell)| {
            let plain = price_range::plain(&self.description, &cell.configuration);
            let alone = plain.as_ref().unwrap_or(&cell.configuration).baseline();
            let alone = representatives.get(&alone).cloned().unwrap_or(alone);
            let baseline = Cell { configuration: alone.into(), seed: 0, repetition: 0, ..(*cell).clone() };
            let count = places.len() as u32;
            *places.entry(baseline).or_insert(count) % of == number - 1
        };
        (0..).zip(&self.cells).filter(is_in).collect()
    }
}

/// The runs of all configurations, each once.
#[derive(Default)]
struct AllRuns {
    in_order: Vec<Runs>,
    places: HashMap<Configuration, usize>,
}

impl AllRuns {
    fn add(&mut self, configuration: Configuration, mut seeds: Vec<(u64, u32)>) {
        let place = *self.places.entry(configuration).or_insert_with_key(|configuration| {
            self.in_order.push(Runs { configuration: configuration.clone(), seeds: Vec::new() });
            self.in_order.len() - 1
        });
        let seeds_of = &mut self.in_order[place].seeds;
        let known: HashSet<(u64, u32)> = seeds_of.iter().copied().collect();
        seeds.retain(|seed| !known.contains(seed));
        seeds_of.append(&mut seeds);
    }
}

/// The seeds and repetitions of runs: seeds count up from the one given, or are those of the list, each repeated on a
/// real machine. With the thesis's baseline real searches keep its seed.
fn seeds(block: &Block, baseline: Baseline, machine: MachineKind) -> Vec<(u64, u32)> {
    let repetitions = block.repetitions;
    let is_repeated = machine == MachineKind::Real;
    match block.axes.seed.as_slice() {
        [seed] if is_repeated && baseline == Baseline::One => (0..repetitions).map(|again| (*seed, again)).collect(),
        [seed] => (0..repetitions.into()).map(|more| (seed + more, 0)).collect(),
        list => {
            let times = if is_repeated { repetitions } else { 1 };
            list.iter().flat_map(|seed| (0..times).map(move |again| (*seed, again))).collect()
        }
    }
}

/// Seeds of the baseline: those of the list, if there is one, and others that count up from the first.
fn baseline_seeds(block: &Block, baseline: Baseline) -> Vec<(u64, u32)> {
    let seeds = &block.axes.seed;
    let listed: &[u64] = if seeds.len() > 1 { seeds } else { &[] };
    let others = (seeds.first().copied().unwrap_or_default()..).filter(|seed| !listed.contains(seed));
    listed.iter().copied().chain(others).take(baseline.searches() as usize).map(|seed| (seed, 0)).collect()
}

type Models = BTreeMap<String, CostModel>;
type Engines = BTreeMap<String, Arc<Definition>>;

/// Every combination of a block's axes that is not excluded, each once, with the cost models they name.
fn configurations(
    block: &Block,
    experiment: &Experiment,
    excluded: &mut [bool],
) -> Result<(Vec<Configuration>, Models), PlanError> {
    let (mut all, mut seen, mut models) = (Vec::new(), HashSet::new(), Models::new());
    // A design in two fields has runs in which they go together, and not every choice.
    let runs_of_design = |design: &Factorial| design.runs.iter().map(|(run, _)| run.clone()).collect::<HashSet<_>>();
    let design = block.factorial.as_ref().map(|design| (design, runs_of_design(design)));
    for choice in block.axes.product() {
        let configuration = choice.configuration();
        if let Some(twice) = choice.said_twice() {
            return Err(PlanError::SaidTwice(twice));
        }
        if let Some(engine) = configuration.engine_name()
            && configuration.machine == MachineKind::Virtual
        {
            return Err(PlanError::OutsideOnVirtual(engine.to_owned()));
        }
        if configuration.micro.is_none() && !configuration.is_outside() {
            choice.board_with_sliders().check()?;
        }
        let is_excluded = |exclude: &Selection| !exclude.fields.is_empty() && exclude.matches(&configuration);
        let is_run = |(design, runs): &(&Factorial, HashSet<String>)| {
            configuration.is_baseline() || runs.contains(&design.value(&configuration))
        };
        if !design.as_ref().is_none_or(is_run) {
            continue;
        }
        if let Some(by) = experiment.excludes.iter().position(is_excluded) {
            excluded[by] = true;
            continue;
        }
        if let Some(reason) = choice.misspread() {
            return Err(PlanError::Misspread(reason));
        }
        match choice.model() {
            None => choice.disturb.check(Topology::of_system())?,
            Some(model) => drop(models.insert(model.name.clone(), model)),
        }
        if seen.insert(configuration.clone()) {
            all.push(configuration);
        }
    }
    Ok((all, models))
}

/// Configurations whose depth is given by a size, with the cost models and the engines that the experiment names.
pub fn sized(experiment: &Experiment) -> Result<(Vec<Configuration>, Models, Engines), PlanError> {
    let (mut sized, mut models, mut engines) = (Vec::new(), Models::new(), Engines::new());
    for block in &experiment.blocks {
        if !block.axes.of(&DEPTH).any(|choice| matches!(choice.depth, Depth::Size(_))) {
            continue;
        }
        size::check_combinations(block, experiment)?;
        let (configurations, of_block) =
            configurations(block, experiment, &mut vec![false; experiment.excludes.len()])?;
        models.extend(of_block);
        engines.extend(engines_of(block));
        sized.extend(configurations.into_iter().filter(|one| matches!(one.depth, Depth::Size(_))));
    }
    Ok((sized, models, engines))
}

/// Engines from outside in a block, by name.
fn engines_of(block: &Block) -> impl Iterator<Item = (String, Arc<Definition>)> {
    let engines = block.axes.of(&STRATEGY).filter_map(|choice| choice.strategy.engine().cloned());
    engines.map(|engine| (engine.name.clone(), engine))
}

fn cells(runs: &[Runs], experiment: &Experiment) -> Result<Vec<Cell>, PlanError> {
    let mut cells = Vec::new();
    for Runs { configuration, seeds } in runs {
        let configuration = Shared::from(configuration.clone());
        if configuration.micro.is_some() {
            // It has positions of its own.
            let cell = |&(seed, repetition): &(u64, u32)| Cell {
                configuration: configuration.clone(),
                seed,
                repetition,
                ..Cell::default()
            };
            cells.extend(seeds.iter().map(cell));
            continue;
        }
        for PositionInfo { id, fen, .. } in &experiment.description.positions {
            let own = match Problem::of(&configuration) {
                None => experiment.depths.get(id).copied(),
                Some(problem) => match experiment.found_depths.depth(&problem, id) {
                    None => return Err(PlanError::Unsized(problem.to_string(), id.clone())),
                    found => found,
                },
            };
            let (position, setup) = (Word::from(id), Word::from(fen));
            let cell = |&(seed, repetition): &(u64, u32)| Cell {
                repetition,
                ..cell_at(configuration.clone(), position.clone(), setup.clone(), own, seed)
            };
            // An engine from outside has no seeds: each stands for a view of the position, and one processor would only
            // repeat itself in the same.
            let is_new = |cell: &Cell| !configuration.is_baseline() || cell.seed == cell.seed_class();
            cells.extend(seeds.iter().map(cell).filter(is_new));
        }
    }
    Ok(cells)
}

/// Texts of the axes in the default configuration.
static USUAL_TEXTS: LazyLock<Vec<String>> =
    LazyLock::new(|| AXES.iter().map(|axis| axis.text(&Configuration::default())).collect());

/// The line of a cell in the text whose fingerprint guards `--resume`. It has the fields that are not as usual, so that
/// a field that comes later changes no line in which it is not set.
fn canonical(cell: &Cell) -> String {
    let Cell { configuration, position, fen, depth, seed, repetition } = cell;
    let texts = AXES.iter().zip(USUAL_TEXTS.iter()).map(|(axis, usual)| (axis, usual, axis.text(configuration)));
    let unusual = texts.filter(|(_, usual, text)| text != *usual);
    let fields = unusual.map(|(axis, _, text)| format!("{}={text}", axis.name)).collect::<Vec<_>>().join("|");
    let depth = depth.map(|depth| depth.to_string()).unwrap_or_default();
    format!("{fields}|{position}|{fen}|{depth}|{seed}|{repetition}\n")
}

/// Runs that vary say what these positions give; otherwise positions must stand for others.
fn usual_interval(experiment: &Experiment) -> IntervalKind {
    let is_repeated = experiment.blocks.iter().any(|block| block.repetitions > 1 || block.axes.seed.len() > 1);
    let has_seeds = !matches!(experiment.description.baseline, Baseline::One | Baseline::Seeds(1));
    if (is_repeated && has_seeds) || experiment.description.is_one_game {
        IntervalKind::ThesePositions
    } else {
        IntervalKind::PositionsLikeThese
    }
}

/// Names of the axes in which configurations differ; what only sets a baseline apart is none.
fn varying<'a>(runs: impl Iterator<Item = &'a Runs> + Clone) -> Vec<String> {
    let differs = |axis: &&Axis| {
        let sets_baseline_apart = axis.decides == Decides::Sharing && **axis != THREADS;
        let values: HashSet<String> = runs
            .clone()
            .map(|runs| &runs.configuration)
            .filter(|configuration| configuration.micro.is_none())
            .filter(|configuration| !(configuration.is_baseline() && sets_baseline_apart))
            .map(|configuration| axis.text(configuration))
            .filter(|value| !value.is_empty())
            .collect();
        values.len() > 1
    };
    let named = AXES.iter().filter(|axis| **axis != COSTS_HASH);
    named.filter(differs).map(|axis| axis.name.to_owned()).collect()
}

#[cfg(test)]
mod tests;
