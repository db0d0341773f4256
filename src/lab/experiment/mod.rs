//! An experiment: what a file asks for, read and checked. [`Plan`](super::Plan) says which searches that takes.

pub mod axes;
mod conduct;
mod document;
pub mod duration;
mod engines;
mod factorial;
mod found;
mod positions;
mod price_range;
mod schedules;
pub mod schema;
mod section;
mod selection;
pub mod shipped;
mod twins;
mod values;
mod written;

use std::collections::BTreeMap;
use std::path::Path;

use crate::machine::cost::CostModel;
use crate::parallel::AnyStrategy;
use crate::record::{Baseline, Description, FORMAT, Factorial, IntervalKind, Named};
use crate::search::features::{Preset, Recipe};
use crate::search::signature;
use crate::suggestion::did_you_mean;
use axes::Axes;
use conduct::{MOST_PLIES_DEEPER, MOST_REPETITIONS};
use document::{Document, DocumentError, Item, NOTHING};
use positions::Positions;
use section::Section;
use selection::reference;
use values::{Definitions, MOST_VALUES, choice, text};

pub use conduct::Conduct;
pub use document::FileError;
pub use found::{FoundDepths, Problem};
pub use positions::position_info;
pub use selection::Selection;
pub use values::{SearchedBy, share};
pub use written::WhatRan;

/// Reading a file key by key, for other files that users write.
pub mod file {
    pub use super::document::{Document, DocumentError, FileError, Item, NOTHING};
    pub use super::section::Section;
    pub use super::values::{text, whole};
}

/// Key of the place in the list of experiments.
const LIST: &str = "list";
/// Largest number of cells of a plan, unless the file allows more.
const USUAL_MOST_CELLS: i64 = 100_000;
/// Largest number of cells that a file may allow.
pub const MOST_CELLS: i64 = 100_000_000;

/// An experiment, as a file asks for it.
#[derive(Clone, Debug)]
pub struct Experiment {
    /// Description for readers of the results, as far as it does not depend on the plan.
    pub description: Description,
    /// Depths of the positions that have one of their own.
    pub depths: BTreeMap<String, u32>,
    /// Depths that a pilot has found for sizes of searches.
    pub found_depths: FoundDepths,
    /// Cost models that the file defines, by name.
    pub models: BTreeMap<String, CostModel>,
    /// Products of axes; the plan is their union.
    pub blocks: Vec<Block>,
    /// Plies from one iteration to the next of the baselines that strategies which leave out iterations have beside
    /// their ordinary one.
    pub schedules: Vec<u32>,
    /// Whether searches on many virtual processors are made with cheap and with dear prices too.
    pub price_range: bool,
    /// Combinations to leave out.
    pub excludes: Vec<Selection>,
    /// Rules for making the runs.
    pub conduct: Conduct,
    /// Interval that tables and charts show, if the file says.
    pub interval: Option<IntervalKind>,
    /// The configuration that all others are compared with, if the file names one.
    pub reference: Option<Selection>,
    /// Real and virtual configurations that the report lays side by side.
    pub twins: Vec<twins::Selected>,
    /// Place in the list of experiments, if the file says.
    pub listed: Option<Listed>,
    /// Largest number of cells that the plan may have.
    pub most_cells: usize,
    /// Content of the file that makes the same plan again.
    pub what_ran: WhatRan,
}

/// Place of an experiment in the list of those that ship.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Listed {
    /// Heading in the list, such as `The thesis`.
    pub group: String,
    /// Time on two cores, if it is known: as a dry run estimates it, or as a whole run took.
    pub time: Option<String>,
}

/// A product of axes.
#[derive(Clone, Debug)]
pub struct Block {
    /// Values of the axes.
    pub axes: Axes,
    /// Number of runs of each cell.
    pub repetitions: u32,
    /// A factorial design, whose runs are values of one of the axes.
    pub factorial: Option<Factorial>,
    /// The configuration that the others of this product are compared with, if the file names one.
    pub reference: Option<Selection>,
}

impl Experiment {
    /// The experiment of a file of this name and text, after `--set` has changed it. `charts` are the names of charts
    /// that there are.
    pub fn parse(path: &Path, text: &str, changes: &[String], charts: &[&str]) -> Result<Self, FileError> {
        let mut document = Document::parse(path, text.to_owned())?;
        changes.iter().try_for_each(|change| document.set(change))?;
        Self::of(&document, charts).map_err(|error| document.explain(&error))
    }

    fn of(document: &Document, charts: &[&str]) -> Result<Self, DocumentError> {
        let root = Section::root(&document.root);
        root.allow("a key of an experiment", "")?;
        let path = &document.path;
        let Positions { all: positions, file, why, of, suite, is_one_game, depths } =
            positions::read(&root, path.parent().unwrap_or(Path::new("")))?;
        let definitions = Definitions {
            models: models(&root)?,
            engines: engines::read(&root)?,
            parameters: parameters(&root)?,
            names: names(&root)?,
            has_depths: !depths.is_empty(),
        };
        let report = root.section("report")?.unwrap_or_else(|| Section::root(NOTHING));
        report.allow("a key of report", "Report")?;
        let chosen_charts = report.each("charts", |item| match text(item)? {
            chart if charts.contains(&chart) => Ok(vec![chart.to_owned()]),
            other => Err(format!("'{other}' is not a chart: {}{}", charts.join(", "), did_you_mean(other, charts))),
        })?;
        let repetitions = root.whole("repetitions", 1..=MOST_REPETITIONS)?.unwrap_or(1) as u32;
        let blocks = blocks(&root, repetitions, &definitions, document)?;
        let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
        let description = Description {
            title: root.text("title")?.map(str::to_owned).or(stem).unwrap_or_default(),
            question: root.text("question")?.unwrap_or_default().trim().to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            format: FORMAT,
            signature: signature::recorded(),
            suite,
            is_one_game,
            positions: positions.iter().map(position_info).collect(),
            positions_of: of,
            why,
            baseline: root.one("baseline", baseline)?.unwrap_or_else(|| usual_baseline(&blocks)),
            repetitions: blocks.iter().map(|block| block.repetitions).max().unwrap_or(1),
            asks: report.each("asks", choice)?.and_then(|asks| asks.into_iter().next()),
            size_s: report.one("size", duration::read)?.map(f64::from),
            primary: report.texts("primary")?.unwrap_or_default().into_iter().map(str::to_owned).collect(),
            judge: root.whole("judge", 1..=MOST_PLIES_DEEPER)?.map(|plies| plies as u32),
            charts: chosen_charts.unwrap_or_default(),
            column: report.each("column", choice)?.and_then(|one| one.into_iter().next()).unwrap_or_default(),
            factorials: blocks.iter().filter_map(|block| block.factorial.clone()).collect(),
            ..Description::default()
        };
        let excludes = root.sections("exclude")?;
        let exclude = |section: &Section<'_>| selection::read(section, &definitions, document);
        let conduct = conduct::read(&root)?;
        let schedules = schedules::read(&root, &blocks, description.baseline)?;
        let price_range = price_range::read(&root, &blocks, description.baseline)?;
        let models = definitions.models.iter().map(|model| (model.name.clone(), model.clone())).collect();
        Ok(Self {
            blocks,
            found_depths: FoundDepths::read(&root)?,
            models,
            excludes: excludes.iter().map(exclude).collect::<Result<_, _>>()?,
            conduct,
            interval: report.each("interval", choice)?.and_then(|kinds| kinds.into_iter().next()),
            reference: reference(&report, &definitions, document)?,
            twins: twins::read(&report, &definitions, document)?,
            listed: listed(&root)?,
            most_cells: root.whole("most_cells", 1..=MOST_CELLS)?.unwrap_or(USUAL_MOST_CELLS) as usize,
            what_ran: WhatRan::of(document, file, &schedules, price_range),
            schedules,
            price_range,
            description: Description { names: definitions.names, ..description },
            depths,
        })
    }
}

fn listed(root: &Section<'_>) -> Result<Option<Listed>, DocumentError> {
    let Some(list) = root.section(LIST)? else { return Ok(None) };
    list.allow("a key of list", "List")?;
    let group = list.text("group")?.unwrap_or_default().to_owned();
    Ok(Some(Listed { group, time: list.text("time")?.map(str::to_owned) }))
}

fn models(root: &Section<'_>) -> Result<Vec<CostModel>, DocumentError> {
    let Some(costs) = root.section("costs")? else { return Ok(Vec::new()) };
    let mut models = Vec::new();
    for entry in &costs.table.entries {
        let Some(model) = costs.section(&entry.key)? else { continue };
        let base = model.one("base", |item| text(item)?.parse::<CostModel>().map_err(|error| error.to_string()))?;
        let mut changed = base.unwrap_or_else(CostModel::reference);
        for cost in model.table.entries.iter().filter(|cost| cost.key != "base") {
            let amount = model.whole(&cost.key, 0..=i64::MAX)?.unwrap_or_default();
            changed =
                changed.changed(&format!("{}={amount}", cost.key)).map_err(|error| model.misnamed(cost, error))?;
        }
        if CostModel::named(&entry.key).is_some() || entry.key.contains(',') {
            return Err(costs.misnamed(entry, format!("'{}' cannot be the name of a new cost model", entry.key)));
        }
        models.push(CostModel { name: entry.key.clone(), ..changed });
    }
    Ok(models)
}

fn parameters(root: &Section<'_>) -> Result<Vec<(String, Vec<String>)>, DocumentError> {
    let Some(strategies) = root.section("strategy")? else { return Ok(Vec::new()) };
    strategies.allow_only("a strategy", AnyStrategy::NAMES)?;
    let mut parameters = Vec::new();
    for entry in &strategies.table.entries {
        let Some(section) = strategies.section(&entry.key)? else { continue };
        let changes = parameter_changes(&section)?;
        for change in &changes {
            format!("{}{change}", entry.key)
                .parse::<AnyStrategy>()
                .map_err(|error| strategies.misnamed(entry, error))?;
        }
        parameters.push((entry.key.clone(), changes));
    }
    Ok(parameters)
}

/// All combinations of the changes that a file makes to the parameters of a strategy.
fn parameter_changes(section: &Section<'_>) -> Result<Vec<String>, DocumentError> {
    let mut all = vec![String::new()];
    for entry in &section.table.entries {
        let name = entry.key.replace('_', "-");
        let changes = section.each(&entry.key, |item| match item {
            Item::Switch(switch) => Ok(vec![format!(",{}{name}", if *switch { '+' } else { '-' })]),
            Item::Whole(number) => Ok(vec![format!(",{name}={number}")]),
            Item::Text(text) => Ok(vec![format!(",{name}={text}")]),
            other => Err(format!("expected a value of a parameter, found {}", other.kind())),
        })?;
        let changes = changes.unwrap_or_default();
        if all.len() * changes.len() > MOST_VALUES {
            let message = format!("there are more than {MOST_VALUES} combinations of parameters");
            return Err(section.misnamed(entry, message));
        }
        all = all.iter().flat_map(|before| changes.iter().map(move |change| format!("{before}{change}"))).collect();
    }
    Ok(all)
}

fn names(root: &Section<'_>) -> Result<BTreeMap<String, Named>, DocumentError> {
    let Some(section) = root.section("names")? else { return Ok(BTreeMap::new()) };
    let is_taken = |name: &str| {
        AnyStrategy::NAMES.contains(&name) || Preset::NAMES.contains(&name) || name.contains(',') || name.is_empty()
    };
    let mut names = BTreeMap::new();
    for entry in &section.table.entries {
        if is_taken(&entry.key) {
            return Err(section.misnamed(entry, format!("'{}' cannot be a new name", entry.key)));
        }
        // Written as records write it, so that it is found again.
        let written = section.required(&entry.key, |item| {
            let text = text(item)?;
            let strategy = text.parse::<AnyStrategy>().map(|strategy| strategy.to_string());
            let written = strategy.or_else(|_| text.parse::<Recipe>().map(|recipe| recipe.to_string()));
            let written = written.or_else(|_| text.parse::<CostModel>().map(|model| model.name));
            written.map_err(|_| format!("'{text}' is neither a strategy nor features nor a cost model"))
        })?;
        names.insert(entry.key.clone(), written.into());
    }
    Ok(names)
}

fn blocks(
    root: &Section<'_>,
    repetitions: u32,
    definitions: &Definitions,
    document: &Document,
) -> Result<Vec<Block>, DocumentError> {
    let common = root.section("axes")?.unwrap_or_else(|| Section::root(NOTHING));
    common.allow("an axis", "Axes")?;
    let mut plans = root.sections("plan")?;
    if plans.is_empty() {
        plans.push(Section::root(NOTHING));
    }
    // Values that every block replaces must make sense too, and somebody who sets them expects an effect.
    Axes::read(&[&common, &common], definitions)?;
    let is_replaced = |key: &str| plans.iter().all(|plan| plan.table.get(key).is_some());
    if let Some(entry) = common.table.entries.iter().find(|entry| is_replaced(&entry.key)) {
        let key = &entry.key;
        let message = format!("it has no effect, since every block of the plan has a {key} of its own: set plan.{key}");
        return Err(common.misnamed(entry, message));
    }
    let block = |own: &Section<'_>| {
        own.allow("an axis", "Block")?;
        let mut axes = Axes::read(&[own, &common], definitions)?;
        let factorial = own.section("factorial")?;
        Ok(Block {
            factorial: factorial.map(|section| factorial::read(&section, &mut axes, definitions)).transpose()?,
            repetitions: own.whole("repetitions", 1..=MOST_REPETITIONS)?.map_or(repetitions, |n| n as u32),
            reference: reference(own, definitions, document)?,
            axes,
        })
    };
    plans.iter().map(block).collect()
}

/// Baseline of as many seeds as there are runs, and of two at least, so that their noise is known.
fn usual_baseline(blocks: &[Block]) -> Baseline {
    let runs = |block: &Block| (block.repetitions as usize).max(block.axes.seed.len());
    let most = blocks.iter().map(runs).max().unwrap_or_default().max(2);
    Baseline::Seeds(most as u32)
}

fn baseline(item: &Item) -> Result<Baseline, String> {
    match item {
        Item::Whole(seeds @ 1..=MOST_REPETITIONS) => Ok(Baseline::Seeds(*seeds as u32)),
        Item::Text(text) if text == "one" => Ok(Baseline::One),
        Item::Text(text) if text == "none" => Ok(Baseline::None),
        _ => {
            Err("expected a number of seeds, \"one\" (one search with seed 0, as in the thesis) or \"none\"".to_owned())
        }
    }
}
