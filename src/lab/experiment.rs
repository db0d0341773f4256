//! An experiment: what a file asks for, read and checked. [`Plan`](super::Plan) says which searches that takes.

use std::collections::BTreeMap;
use std::path::Path;

use super::axes::{AXES, Axes, Definitions, parameter_changes};
use super::description::{Baseline, Factorial, IntervalKind};
use super::document::{Document, DocumentError, FileError, Item};
use super::duration;
use super::factorial;
use super::section::Section;
use crate::chess::epd::Epd;
use crate::chess::suites::{self, SUITES, Suite};
use crate::machine::cost::CostModel;
use crate::parallel::AnyStrategy;
use crate::search::DEEPEST;
use crate::suggestion::did_you_mean;

/// More repetitions, seeds or attempts than this are a slip of the finger.
const MOST_REPETITIONS: i64 = 10_000;
/// The suite that is searched when nothing else is asked for.
const DEFAULT_SUITE: &str = "thesis-10";
/// The suites whose positions come from one game.
const ONE_GAME: [&str; 1] = ["hyatt-24"];

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
    pub excludes: Vec<Vec<(String, Vec<String>)>>,
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
    /// Cost models of its own.
    pub models: Vec<CostModel>,
}

/// What is searched.
#[derive(Clone, Debug)]
pub struct Positions {
    /// All of them, each with an id.
    pub all: Vec<Epd>,
    /// The suite, if they are one or a part of one.
    pub suite: Option<String>,
    /// Whether they come from one game.
    pub is_one_game: bool,
    /// The depths of those that have one of their own.
    pub depths: BTreeMap<String, u32>,
}

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

/// How runs are made.
#[derive(Clone, Debug, PartialEq)]
pub struct Conduct {
    /// Real cells are run in random order, of this seed; else in the order of the plan.
    pub shuffle: Option<u64>,
    /// Whether a run that is not counted comes first.
    pub warm_up: bool,
    /// Whether processors that are not measured are kept busy.
    pub fill: bool,
    /// How often a disturbed measurement is repeated.
    pub retries: u32,
    /// The longest that a cell may take, in seconds of its machine.
    pub limit_s: Option<f64>,
    /// More repetitions until intervals are narrow enough.
    pub until: Option<Until>,
}

/// When to stop repeating.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Until {
    /// When no interval of a time speedup reaches further than this from its estimate, as a ratio: 0.02.
    pub half_width: f64,
    /// Or when this many seconds of this computer have been spent.
    pub budget_s: f64,
}

/// The keys of a file.
pub const KEYS: [&str; 18] = [
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
        let positions = positions(&root, folder)?;
        let models = models(&root)?;
        let definitions = Definitions {
            models: models.clone(),
            parameters: parameters(&root)?,
            has_depths: !positions.depths.is_empty(),
        };
        let repetitions = root.whole("repetitions", 1..=MOST_REPETITIONS)?.unwrap_or(1) as u32;
        let stem = document.path().file_stem().map(|stem| stem.to_string_lossy().into_owned());
        Ok(Self {
            title: root.text("title")?.map(str::to_owned).or(stem).unwrap_or_default(),
            question: root.text("question")?.unwrap_or_default().trim().to_owned(),
            blocks: blocks(&root, repetitions, &definitions)?,
            excludes: excludes(&root)?,
            baseline: baseline(&root)?,
            conduct: conduct(&root)?,
            interval: interval(&root)?,
            charts: chosen_charts(&root, charts)?,
            reference: report(&root)?.map(|section| reference(&section, &definitions)).transpose()?.unwrap_or_default(),
            positions,
            models,
        })
    }
}

fn positions(root: &Section<'_>, folder: &Path) -> Result<Positions, DocumentError> {
    let whole_suite = |suite: &'static Suite| (suite.positions(), Some(suite.name.to_owned()));
    let Some(section) = root.section("positions")? else {
        let suite = Suite::named(DEFAULT_SUITE).map(whole_suite).unwrap_or_default();
        return Ok(Positions { all: suite.0, suite: suite.1, is_one_game: false, depths: BTreeMap::new() });
    };
    section.allow("a key of positions", &["suite", "ids", "epd", "every", "first", "depths"])?;
    let (mut all, suite) = match (section.table.get("suite"), section.table.get("epd")) {
        (Some(entry), Some(_)) => return Err(section.wrong(entry, "give a suite or a file, not both")),
        (Some(entry), None) => {
            let name = section.text("suite")?.unwrap_or_default();
            let names = SUITES.iter().map(|suite| suite.name);
            Suite::named(name).map(whole_suite).ok_or_else(|| {
                let known = names.clone().collect::<Vec<_>>().join(", ");
                section.wrong(entry, format!("there is no suite '{name}': {known}{}", did_you_mean(name, names)))
            })?
        }
        (None, Some(entry)) => {
            let path = folder.join(section.text("epd")?.unwrap_or_default());
            (Epd::read(&path).map_err(|error| section.wrong(entry, error))?, None)
        }
        (None, None) if section.table.get("ids").is_some() => {
            (SUITES.iter().flat_map(Suite::positions).collect(), None)
        }
        (None, None) => Suite::named(DEFAULT_SUITE).map(whole_suite).unwrap_or_default(),
    };
    for (i, epd) in all.iter_mut().enumerate() {
        epd.id.get_or_insert_with(|| format!("#{}", i + 1));
    }
    if let (Some(ids), Some(entry)) = (section.texts("ids")?, section.table.get("ids")) {
        let of = |id: &&str| {
            let found = all.iter().find(|epd| epd.id.as_deref().is_some_and(|own| own.eq_ignore_ascii_case(id)));
            let known = || did_you_mean(id, suites::ids().chain(all.iter().filter_map(|epd| epd.id.clone())));
            found.cloned().ok_or_else(|| section.wrong(entry, format!("there is no position '{id}'{}", known())))
        };
        all = ids.iter().map(of).collect::<Result<_, _>>()?;
    }
    let most = all.len() as i64;
    let every = section.whole("every", 1..=most)?.unwrap_or(1) as usize;
    let first = section.whole("first", 1..=most)?.unwrap_or(most) as usize;
    all = all.into_iter().step_by(every).take(first).collect();
    let mut ids: Vec<&str> = all.iter().filter_map(|epd| epd.id.as_deref()).collect();
    ids.sort_unstable();
    if let (Some(pair), Some(entry)) = (ids.windows(2).find(|pair| pair[0] == pair[1]), section.table.entries.first()) {
        return Err(section.wrong(entry, format!("two positions have the id '{}'", pair[0])));
    }
    let depths = depths(&section, &all)?;
    let is_one_game = suite.as_deref().is_some_and(|suite| ONE_GAME.contains(&suite));
    Ok(Positions { all, suite, is_one_game, depths })
}

fn depths(section: &Section<'_>, all: &[Epd]) -> Result<BTreeMap<String, u32>, DocumentError> {
    let Some(depths) = section.section("depths")? else { return Ok(BTreeMap::new()) };
    let ids = || all.iter().filter_map(|epd| epd.id.as_deref());
    let mut found = BTreeMap::new();
    for entry in &depths.table.entries {
        let depth = depths.whole(&entry.key, 1..=DEEPEST.into())?.unwrap_or_default() as u32;
        found.insert(entry.key.clone(), depth);
    }
    match ids().find(|id| !found.contains_key(*id)) {
        Some(id) => Err(DocumentError::new(&section.name("depths"), &None, format!("position '{id}' has no depth"))),
        None => Ok(found),
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

fn blocks(root: &Section<'_>, repetitions: u32, definitions: &Definitions) -> Result<Vec<Block>, DocumentError> {
    let common = root.section("axes")?;
    if let Some(common) = &common {
        common.allow("an axis", &AXES)?;
    }
    let plans = root.sections("plan")?;
    if plans.is_empty() {
        let empty = super::document::Table::default();
        let own = common.unwrap_or(Section::root(&empty));
        let axes = Axes::read(&own, None, definitions)?;
        return Ok(vec![Block { axes, repetitions, factorial: None, reference: BTreeMap::new() }]);
    }
    let known: Vec<&str> = AXES.into_iter().chain(["repetitions", "factorial", "reference"]).collect();
    let block = |own: &Section<'_>| {
        own.allow("an axis", &known)?;
        let mut axes = Axes::read(own, common.as_ref(), definitions)?;
        let repetitions = own.whole("repetitions", 1..=MOST_REPETITIONS)?.map_or(repetitions, |n| n as u32);
        let factorial = own.section("factorial")?.map(|section| factorial::read(&section, &mut axes)).transpose()?;
        let reference = reference(own, definitions)?;
        Ok(Block { axes, repetitions, factorial, reference })
    };
    plans.iter().map(block).collect()
}

fn excludes(root: &Section<'_>) -> Result<Vec<Vec<(String, Vec<String>)>>, DocumentError> {
    let exclude = |section: &Section<'_>| {
        section.allow("an axis", &AXES)?;
        let values = |entry: &super::document::Entry| {
            let values = section.each(&entry.key, |item| match item {
                Item::Text(text) => Ok(vec![text.clone()]),
                Item::Whole(number) => Ok(vec![number.to_string()]),
                Item::Fraction(number) => Ok(vec![number.to_string()]),
                Item::Switch(switch) => Ok(vec![switch.to_string()]),
                other => Err(format!("expected a value of an axis, found {}", other.kind())),
            })?;
            Ok((field(&entry.key).to_owned(), values.unwrap_or_default()))
        };
        section.table.entries.iter().map(values).collect()
    };
    root.sections("exclude")?.iter().map(exclude).collect()
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

fn conduct(root: &Section<'_>) -> Result<Conduct, DocumentError> {
    let order_seed = root.whole("order_seed", 0..=i64::MAX)?.unwrap_or(1) as u64;
    let shuffle = match (root.text("order")?, root.table.get("order")) {
        (None | Some("random"), _) | (_, None) => Some(order_seed),
        (Some("plan"), _) => None,
        (Some(other), Some(entry)) => {
            return Err(root.wrong(entry, format!("'{other}' is not an order: random or plan")));
        }
    };
    let retries = match root.table.get("disturbed") {
        None => 0,
        Some(entry) => match &entry.value.item {
            Item::Text(text) if text == "flag" => 0,
            Item::Text(text) if text == "repeat" => 2,
            Item::Whole(number @ 0..=MOST_REPETITIONS) => *number as u32,
            _ => {
                let message = "expected \"flag\", \"repeat\" (twice at most), or how often a disturbed run is repeated";
                return Err(root.wrong(entry, message));
            }
        },
    };
    Ok(Conduct {
        shuffle,
        warm_up: root.switch("warm_up")?.unwrap_or(true),
        fill: root.switch("fill")?.unwrap_or(false),
        retries,
        limit_s: time(root, "limit")?,
        until: until(root)?,
    })
}

fn time(section: &Section<'_>, key: &str) -> Result<Option<f64>, DocumentError> {
    let parse = |item: &Item| match item {
        Item::Text(text) => duration::parse(text),
        Item::Whole(number) => duration::parse(&number.to_string()),
        Item::Fraction(number) => duration::parse(&number.to_string()),
        other => Err(format!("expected a duration as \"10m\", found {}", other.kind())),
    };
    let all = section.each(key, |item| parse(item).map(|time| vec![time.as_secs_f64()]))?;
    Ok(all.and_then(|all| all.first().copied()))
}

fn until(root: &Section<'_>) -> Result<Option<Until>, DocumentError> {
    let Some(section) = root.section("until")? else { return Ok(None) };
    section.allow("a key of until", &["half_width", "budget"])?;
    let Some(entry) = section.table.get("half_width") else {
        return Err(DocumentError::new("until", &None, "half_width is missing: write half_width = 0.02"));
    };
    let half_width = match &entry.value.item {
        Item::Fraction(width) if *width > 0.0 && *width < 1.0 => *width,
        Item::Text(text) => text
            .strip_suffix('%')
            .and_then(|text| text.trim().parse::<f64>().ok())
            .map(|percent| percent / 100.0)
            .filter(|width| *width > 0.0 && *width < 1.0)
            .ok_or_else(|| section.wrong(entry, "expected a share as 0.02 or \"2 %\""))?,
        _ => return Err(section.wrong(entry, "expected a share as 0.02 or \"2 %\"")),
    };
    let budget_s = time(&section, "budget")?;
    let budget_s = budget_s.ok_or_else(|| section.wrong(entry, "a budget is needed too: write budget = \"10m\""))?;
    Ok(Some(Until { half_width, budget_s }))
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
        let written = section.each(&entry.key, |item| {
            let one = match (entry.key.as_str(), item) {
                ("strategy", Item::Text(text)) => {
                    super::axes::strategies(text, definitions)?.first().map(ToString::to_string)
                }
                ("features", Item::Text(text)) => Some(super::axes::recipe(text)?.to_string()),
                (_, Item::Text(text)) => Some(text.clone()),
                (_, Item::Whole(number)) => Some(number.to_string()),
                (_, Item::Fraction(number)) => Some(number.to_string()),
                (_, Item::Switch(switch)) => Some(switch.to_string()),
                (_, other) => return Err(format!("expected a value of an axis, found {}", other.kind())),
            };
            Ok(one.into_iter().collect())
        })?;
        if let Some(value) = written.unwrap_or_default().into_iter().next() {
            fields.insert(field(&entry.key).to_owned(), value);
        }
    }
    Ok(fields)
}
