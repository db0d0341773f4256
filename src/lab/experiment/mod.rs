//! An experiment: what a file asks for, read and checked. [`Plan`](super::Plan) says which searches that takes.

pub mod axes;
mod conduct;
mod document;
pub mod duration;
mod factorial;
mod positions;
pub mod schema;
mod section;
pub mod shipped;

use std::collections::BTreeMap;
use std::path::Path;

use crate::machine::cost::CostModel;
use crate::parallel::AnyStrategy;
use crate::record::{Baseline, Factorial, IntervalKind};
use crate::search::features::{Preset, Recipe};
use crate::suggestion::did_you_mean;
use axes::{AXES, Axes, Definitions, parameter_changes};
use conduct::MOST_REPETITIONS;
use document::{Document, DocumentError, Item};
use positions::Positions;
use section::Section;

pub use conduct::{Conduct, Until};
pub use document::FileError;

/// What a file asks for.
#[derive(Clone, Debug)]
pub struct Experiment {
    /// Its title.
    pub title: String,
    /// The question that it asks.
    pub question: String,
    /// What is searched.
    pub positions: Positions,
    /// Products of axes; the plan is their union.
    pub blocks: Vec<Block>,
    /// Combinations to leave out: for each axis named, its values.
    pub excludes: Vec<Exclude>,
    /// What searches of many processors are divided by.
    pub baseline: Baseline,
    /// How runs are made.
    pub conduct: Conduct,
    /// Which interval tables and charts show, if the file says.
    pub interval: Option<IntervalKind>,
    /// The charts to draw; empty for all that the figures allow.
    pub charts: Vec<String>,
    /// The configuration that all others are compared with, by field.
    pub reference: BTreeMap<String, String>,
    /// Names that it gives to strategies and features with their changes.
    pub names: BTreeMap<String, String>,
    /// Cost models of its own.
    pub models: Vec<CostModel>,
}

/// A combination to leave out: the fields that make it, each with its values.
pub type Exclude = Vec<(String, Vec<String>)>;

/// A product of axes.
#[derive(Clone, Debug)]
pub struct Block {
    /// What varies.
    pub axes: Axes,
    /// How often each cell is repeated.
    pub repetitions: u32,
    /// A factorial design, whose runs are values of one of the axes.
    pub factorial: Option<Factorial>,
    /// The configuration that the others of this product are compared with, by field.
    pub reference: BTreeMap<String, String>,
}

/// The keys of a file.
pub const KEYS: [&str; 19] = [
    "title",
    "question",
    "repetitions",
    "baseline",
    "order",
    "order_seed",
    "warm_up",
    "fill",
    "disturbed",
    "limit",
    "until",
    "positions",
    "axes",
    "plan",
    "exclude",
    "strategy",
    "costs",
    "names",
    "report",
];

impl Experiment {
    /// Reads a file, after `--set` has changed it. `charts` are the names of charts that there are.
    pub fn read(path: &Path, changes: &[String], charts: &[&str]) -> Result<Self, FileError> {
        Self::from_document(Document::read(path)?, changes, charts)
    }

    /// Takes a text for the file of this name.
    pub fn parse(path: &Path, text: &str, changes: &[String], charts: &[&str]) -> Result<Self, FileError> {
        Self::from_document(Document::parse(path, text.to_owned())?, changes, charts)
    }

    fn from_document(mut document: Document, changes: &[String], charts: &[&str]) -> Result<Self, FileError> {
        changes.iter().try_for_each(|change| document.set(change))?;
        let folder = document.path().parent().unwrap_or(Path::new("")).to_owned();
        Self::of(&document, &folder, charts).map_err(|error| document.explain(&error))
    }

    fn of(document: &Document, folder: &Path, charts: &[&str]) -> Result<Self, DocumentError> {
        let root = Section::root(&document.root);
        root.allow("a key of an experiment", &KEYS)?;
        let positions = positions::read(&root, folder)?;
        let models = models(&root)?;
        let definitions = Definitions {
            models: models.clone(),
            parameters: parameters(&root)?,
            names: names(&root)?,
            has_depths: !positions.depths.is_empty(),
        };
        let repetitions = root.whole("repetitions", 1..=MOST_REPETITIONS)?.unwrap_or(1) as u32;
        let stem = document.path().file_stem().map(|stem| stem.to_string_lossy().into_owned());
        Ok(Self {
            title: root.text("title")?.map(str::to_owned).or(stem).unwrap_or_default(),
            question: root.text("question")?.unwrap_or_default().trim().to_owned(),
            blocks: blocks(&root, repetitions, &definitions)?,
            excludes: excludes(&root, &definitions)?,
            baseline: baseline(&root)?,
            conduct: conduct::read(&root)?,
            interval: interval(&root)?,
            charts: chosen_charts(&root, charts)?,
            reference: report(&root)?.map(|section| reference(&section, &definitions)).transpose()?.unwrap_or_default(),
            names: definitions.names.into_iter().collect(),
            positions,
            models,
        })
    }
}

fn models(root: &Section<'_>) -> Result<Vec<CostModel>, DocumentError> {
    let Some(costs) = root.section("costs")? else { return Ok(Vec::new()) };
    let mut models = Vec::new();
    for entry in &costs.table.entries {
        let Some(model) = costs.section(&entry.key)? else { continue };
        let base = model.text("base")?.unwrap_or(CostModel::NAMES[0]);
        let mut changed = match (base.parse::<CostModel>(), model.table.get("base")) {
            (Ok(base), _) => base,
            (Err(error), Some(entry)) => return Err(model.wrong(entry, error)),
            (Err(error), None) => return Err(costs.wrong(entry, error)),
        };
        for cost in model.table.entries.iter().filter(|cost| cost.key != "base") {
            let amount = model.whole(&cost.key, 0..=i64::MAX)?.unwrap_or_default();
            changed = changed.changed(&format!("{}={amount}", cost.key)).map_err(|error| {
                let near = error.misspelt().map(|(word, names)| did_you_mean(word, names)).unwrap_or_default();
                DocumentError::new(&model.name(&cost.key), &cost.key_place, format!("{error}{near}"))
            })?;
        }
        if CostModel::named(&entry.key).is_some() || entry.key.contains(',') {
            let message = format!("'{}' cannot name a cost model of your own", entry.key);
            return Err(DocumentError::new(&costs.name(&entry.key), &entry.key_place, message));
        }
        models.push(CostModel { name: entry.key.clone(), ..changed });
    }
    Ok(models)
}

fn parameters(root: &Section<'_>) -> Result<Vec<(String, Vec<String>)>, DocumentError> {
    let Some(strategies) = root.section("strategy")? else { return Ok(Vec::new()) };
    strategies.allow("a strategy", AnyStrategy::NAMES)?;
    let mut parameters = Vec::new();
    for entry in &strategies.table.entries {
        let Some(section) = strategies.section(&entry.key)? else { continue };
        let changes = parameter_changes(&section)?;
        for change in &changes {
            let text = format!("{}{change}", entry.key);
            text.parse::<AnyStrategy>().map_err(|error| {
                let near = error.misspelt().map(|(word, names)| did_you_mean(word, names)).unwrap_or_default();
                DocumentError::new(&strategies.name(&entry.key), &entry.key_place, format!("{error}{near}"))
            })?;
        }
        parameters.push((entry.key.clone(), changes));
    }
    Ok(parameters)
}

fn names(root: &Section<'_>) -> Result<Vec<(String, String)>, DocumentError> {
    let Some(section) = root.section("names")? else { return Ok(Vec::new()) };
    let is_taken = |name: &str| {
        AnyStrategy::NAMES.contains(&name) || Preset::NAMES.contains(&name) || name.contains(',') || name.is_empty()
    };
    let mut names = Vec::new();
    for entry in &section.table.entries {
        let text = section.text(&entry.key)?.unwrap_or_default();
        if is_taken(&entry.key) {
            let message = format!("'{}' cannot be a name of your own", entry.key);
            return Err(DocumentError::new(&section.name(&entry.key), &entry.key_place, message));
        }
        // Written as records write it, so that it is found again.
        let strategy = text.parse::<AnyStrategy>().map(|strategy| strategy.to_string());
        let written = strategy.or_else(|_| text.parse::<Recipe>().map(|recipe| recipe.to_string()));
        let written =
            written.map_err(|_| section.wrong(entry, format!("'{text}' is neither a strategy nor features")))?;
        names.push((entry.key.clone(), written));
    }
    Ok(names)
}

fn blocks(root: &Section<'_>, repetitions: u32, definitions: &Definitions) -> Result<Vec<Block>, DocumentError> {
    let common = root.section("axes")?;
    if let Some(common) = &common {
        common.allow("an axis", &AXES)?;
    }
    let plans = root.sections("plan")?;
    if plans.is_empty() {
        let empty = document::Table::default();
        let own = common.unwrap_or(Section::root(&empty));
        let axes = Axes::read(&own, None, definitions)?;
        return Ok(vec![Block { axes, repetitions, factorial: None, reference: BTreeMap::new() }]);
    }
    let known: Vec<&str> = AXES.into_iter().chain(["repetitions", "factorial", "reference"]).collect();
    let block = |own: &Section<'_>| {
        own.allow("an axis", &known)?;
        let mut axes = Axes::read(own, common.as_ref(), definitions)?;
        let repetitions = own.whole("repetitions", 1..=MOST_REPETITIONS)?.map_or(repetitions, |n| n as u32);
        let factorial =
            own.section("factorial")?.map(|section| factorial::read(&section, &mut axes, definitions)).transpose()?;
        let reference = reference(own, definitions)?;
        Ok(Block { axes, repetitions, factorial, reference })
    };
    plans.iter().map(block).collect()
}

fn excludes(root: &Section<'_>, definitions: &Definitions) -> Result<Vec<Exclude>, DocumentError> {
    let exclude = |section: &Section<'_>| {
        section.allow("an axis", &AXES)?;
        let values = |entry: &document::Entry| {
            let values = section.each(&entry.key, |item| written(&entry.key, item, definitions))?;
            Ok((field(&entry.key).to_owned(), values.unwrap_or_default()))
        };
        section.table.entries.iter().map(values).collect()
    };
    root.sections("exclude")?.iter().map(exclude).collect()
}

/// A value of an axis, as records write it.
fn written(axis: &str, item: &Item, definitions: &Definitions) -> Result<Vec<String>, String> {
    Ok(match (axis, item) {
        ("strategy", Item::Text(text)) => {
            axes::strategies(text, definitions)?.iter().map(ToString::to_string).collect()
        }
        ("features", Item::Text(text)) => vec![axes::recipe(text, definitions)?.to_string()],
        ("costs", Item::Text(text)) => axes::costs(text, definitions)?.into_iter().map(|model| model.name).collect(),
        ("time", Item::Text(text)) => vec![duration::parse(text)?.as_secs_f64().to_string()],
        (_, Item::Text(text)) => vec![text.clone()],
        (_, Item::Whole(number)) => vec![number.to_string()],
        (_, Item::Fraction(number)) => vec![number.to_string()],
        (_, Item::Switch(switch)) => vec![switch.to_string()],
        (_, other) => return Err(format!("expected a value of an axis, found {}", other.kind())),
    })
}

/// The field of a configuration that an axis of this name sets.
pub fn field(axis: &str) -> &str {
    match axis {
        "hash" => "hash_mib",
        "time" => "time_s",
        axis => axis,
    }
}

fn baseline(root: &Section<'_>) -> Result<Baseline, DocumentError> {
    let Some(entry) = root.table.get("baseline") else { return Ok(Baseline::default()) };
    match &entry.value.item {
        Item::Whole(seeds @ 1..=MOST_REPETITIONS) => Ok(Baseline::Seeds(*seeds as u32)),
        Item::Text(text) if text == "one" => Ok(Baseline::One),
        Item::Text(text) if text == "none" => Ok(Baseline::None),
        _ => Err(root.wrong(
            entry,
            "expected a number of seeds, \"one\" (one search with seed 0, as in the thesis) or \"none\"",
        )),
    }
}

fn report<'a>(root: &Section<'a>) -> Result<Option<Section<'a>>, DocumentError> {
    let section = root.section("report")?;
    if let Some(section) = &section {
        section.allow("a key of report", &["charts", "interval", "reference"])?;
    }
    Ok(section)
}

fn interval(root: &Section<'_>) -> Result<Option<IntervalKind>, DocumentError> {
    let Some(section) = report(root)? else { return Ok(None) };
    let Some(text) = section.text("interval")? else { return Ok(None) };
    let kinds = [IntervalKind::ThesePositions, IntervalKind::PositionsLikeThese];
    let found = kinds.into_iter().find(|kind| kind.name() == text);
    match (found, section.table.get("interval")) {
        (Some(kind), _) => Ok(Some(kind)),
        (None, Some(entry)) => {
            let names = kinds.map(IntervalKind::name);
            let near = did_you_mean(text, names);
            Err(section.wrong(entry, format!("'{text}' is not an interval: {}{near}", names.join(" or "))))
        }
        (None, None) => Ok(None),
    }
}

fn chosen_charts(root: &Section<'_>, known: &[&str]) -> Result<Vec<String>, DocumentError> {
    let Some(section) = report(root)? else { return Ok(Vec::new()) };
    let chosen = section.each("charts", |item| match item {
        Item::Text(text) if known.contains(&text.as_str()) => Ok(vec![text.clone()]),
        Item::Text(text) => Err(format!("'{text}' is not a chart: {}{}", known.join(", "), did_you_mean(text, known))),
        other => Err(format!("expected the name of a chart, found {}", other.kind())),
    })?;
    Ok(chosen.unwrap_or_default())
}

/// The reference, each value written as records write it.
fn reference(of: &Section<'_>, definitions: &Definitions) -> Result<BTreeMap<String, String>, DocumentError> {
    let Some(section) = of.section("reference")? else { return Ok(BTreeMap::new()) };
    section.allow("an axis", &AXES)?;
    let mut fields = BTreeMap::new();
    for entry in &section.table.entries {
        let written = section.each(&entry.key, |item| written(&entry.key, item, definitions))?;
        if let Some(value) = written.unwrap_or_default().into_iter().next() {
            fields.insert(field(&entry.key).to_owned(), value);
        }
    }
    Ok(fields)
}
