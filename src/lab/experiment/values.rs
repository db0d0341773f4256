//! Values of axes as an experiment file writes them.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;
use std::sync::Arc;

use super::document::Item;
use crate::chess::choice::{BoardChoice, SlidersChoice};
use crate::machine::cost::CostModel;
use crate::machine::disturb::{Disturb, DisturbError};
use crate::machine::{Pin, RealMachine};
use crate::outside::Definition as EngineDefinition;
use crate::parallel::AnyStrategy;
use crate::record::{Depth, Named};
use crate::search::DEEPEST;
use crate::search::features::Recipe;
use crate::suggestion::WordError;

/// More numbers than this in a range are a slip of the finger.
pub const MOST_VALUES: usize = 10_000;

/// All values that an item stands for, or why it stands for none.
pub type Values<T> = Result<Vec<T>, String>;

/// Definitions of a file that its axes may refer to: cost models, parameters of strategies, names.
#[derive(Clone, Debug, Default)]
pub struct Definitions {
    /// Cost models by name.
    pub models: Vec<CostModel>,
    /// Engines from outside by name.
    pub engines: Vec<Arc<EngineDefinition>>,
    /// Changes to the parameters of each strategy named: all combinations, as `minimum-draft=3,-gives-back`.
    pub parameters: Vec<(String, Vec<String>)>,
    /// Names for strategies, features and cost models with their changes.
    pub names: BTreeMap<String, Named>,
    /// Whether positions have depths of their own.
    pub has_depths: bool,
}

impl Definitions {
    /// A text in which a name at the beginning stands for what it names.
    pub fn spelt_out(&self, text: &str) -> Named {
        let named = Named::from(text);
        let (first, changes) = named.apart();
        self.names.get(first.trim()).map(|meaning| format!("{meaning}{changes}").into()).unwrap_or(named)
    }
}

/// Engine that searches: ours with a strategy, or one from outside with its own.
#[derive(Clone, Debug, PartialEq)]
pub enum SearchedBy {
    /// Our engine.
    Ours(AnyStrategy),
    /// An engine from outside.
    Outside(Arc<EngineDefinition>),
}

impl SearchedBy {
    /// The strategy of our engine, if it is ours.
    pub fn ours(&self) -> Option<&AnyStrategy> {
        match self {
            Self::Ours(strategy) => Some(strategy),
            Self::Outside(_) => None,
        }
    }

    /// The engine from outside, if it is one.
    pub fn engine(&self) -> Option<&Arc<EngineDefinition>> {
        match self {
            Self::Ours(_) => None,
            Self::Outside(engine) => Some(engine),
        }
    }
}

impl std::fmt::Display for SearchedBy {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Ours(strategy) => strategy.fmt(f),
            Self::Outside(engine) => f.write_str(&engine.name),
        }
    }
}

/// Every strategy that a text stands for, with the parameters that the file sets; those of the text come last.
pub fn strategies(text: &str, definitions: &Definitions) -> Values<SearchedBy> {
    if let Some(engine) = definitions.engines.iter().find(|engine| engine.name == text.trim()) {
        return Ok(vec![SearchedBy::Outside(Arc::clone(engine))]);
    }
    let text = definitions.spelt_out(text);
    let (name, changes) = text.apart();
    let set = definitions.parameters.iter().find(|(strategy, _)| strategy == name.trim());
    let parse = |of_file: &str| {
        let strategy = format!("{name}{of_file}{changes}").parse::<AnyStrategy>();
        let names = definitions.names.keys().chain(definitions.engines.iter().map(|engine| &engine.name));
        strategy.map(SearchedBy::Ours).map_err(|error| error.or(names).to_string())
    };
    match set {
        Some((_, all)) => all.iter().map(|of_file| parse(of_file)).collect(),
        None => parse("").map(|strategy| vec![strategy]),
    }
}

/// Features that a text stands for.
pub fn recipe(text: &str, definitions: &Definitions) -> Result<Recipe, String> {
    definitions.spelt_out(text).parse().map_err(|error: WordError| error.to_string())
}

/// Every cost model that a text stands for: one, with `,each` the model with each price halved and
/// doubled in turn, and with `,each*90%` with each price changed so.
pub fn costs(text: &str, definitions: &Definitions) -> Values<CostModel> {
    let text = definitions.spelt_out(text);
    let (text, each) = text.rsplit_once(",each").map_or((text.as_str(), None), |(text, change)| (text, Some(change)));
    let text = Named::from(text);
    let (name, changes) = text.apart();
    let own = definitions.models.iter().find(|model| model.name == name.trim());
    let model = match (own, changes.strip_prefix(',')) {
        (Some(own), None) => Ok(own.clone()),
        (Some(own), Some(changes)) => own.changed(changes),
        (None, _) => text.parse(),
    };
    let names = definitions.models.iter().map(|model| &model.name);
    let model = model.map_err(|error| error.or(names).to_string())?;
    Ok(match each {
        None => vec![model],
        Some("") => model.each_halved_and_doubled(),
        Some(change) => {
            // What is wrong with the change is said of one of them.
            model.changed(&format!("split{change}")).map_err(|error| error.to_string())?;
            model.each_changed(&[change])
        }
    })
}

/// Depths in plies, or the positions' own.
pub fn depths(item: &Item, definitions: &Definitions) -> Values<Depth> {
    match item {
        Item::Text(text) if text == "own" && definitions.has_depths => Ok(vec![Depth::Own]),
        Item::Text(text) if text == "own" => {
            Err("'own' needs a depth for each position in positions.depths".to_owned())
        }
        _ => Ok(numbers(item, 1..=DEEPEST)?.into_iter().map(Depth::Plies).collect()),
    }
}

/// Place of real threads.
pub fn pin(text: &str) -> Result<Pin, String> {
    text.parse()
        .map_err(|error| format!("{error}; expected none, cores, spread, compact, threads or a list such as 0,2-5"))
}

/// Busy threads beside real ones: a number of them, or a text.
pub fn disturb(item: &Item) -> Result<Disturb, String> {
    let text = match item {
        Item::Whole(threads) => threads.to_string(),
        Item::Text(text) => text.clone(),
        other => {
            return Err(format!("expected a number of threads or text such as \"2 of 24\", found {}", other.kind()));
        }
    };
    text.parse().map_err(|error: DisturbError| error.to_string())
}

/// A board representation, with its usual sliding method.
pub fn board(item: &Item) -> Values<BoardChoice> {
    BoardChoice::from_names(text(item)?, None).map(|board| vec![board]).map_err(|error| error.to_string())
}

/// Sliding methods: one by its name, or all that this processor can run.
pub fn sliders(item: &Item) -> Values<SlidersChoice> {
    if !matches!(item, Item::Text(text) if text == "available") {
        return choice(item);
    }
    let can_run = |sliders: &SlidersChoice| BoardChoice::Bitboards(*sliders).check().is_ok();
    Ok(SlidersChoice::ALL.iter().copied().filter(can_run).collect())
}

/// One of a closed set of names.
pub fn choice<T: FromStr<Err = WordError>>(item: &Item) -> Values<T> {
    text(item)?.parse().map(|one| vec![one]).map_err(|error: WordError| error.to_string())
}

/// True or false.
pub fn switch(item: &Item) -> Result<bool, String> {
    match item {
        Item::Switch(switch) => Ok(*switch),
        other => Err(format!("expected true or false, found {}", other.kind())),
    }
}

/// A text.
pub fn text(item: &Item) -> Result<&str, String> {
    match item {
        Item::Text(text) => Ok(text),
        other => Err(format!("expected text, found {}", other.kind())),
    }
}

/// A whole number in a range.
pub fn whole(item: &Item, range: RangeInclusive<i64>) -> Result<i64, String> {
    match item {
        Item::Whole(number) if range.contains(number) => Ok(*number),
        other => {
            Err(format!("expected a whole number from {} to {}, found {}", range.start(), range.end(), other.kind()))
        }
    }
}

/// A share of one, as `5%` or `0.05`; nothing if it is not between 0 and 1.
pub fn share(text: &str) -> Option<f64> {
    let text = text.trim();
    let share = match text.strip_suffix('%') {
        Some(percent) => percent.trim().parse::<f64>().ok()? / 100.0,
        None => text.parse().ok()?,
    };
    (share > 0.0 && share < 1.0).then_some(share)
}

/// Names in Markdown: `` `real`, `virtual` ``.
pub fn names(names: &[&str]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

/// Number of processors that `cores` stands for.
pub fn cores() -> u32 {
    RealMachine::room() as u32
}

/// A number, or a range as text: `1..=8`, `1..=64*2` (doubling), `cores`, `1..=cores`.
pub fn numbers<T: TryFrom<i64> + PartialOrd + Display>(item: &Item, range: RangeInclusive<T>) -> Values<T> {
    let checked = |number: i64| match T::try_from(number) {
        Ok(value) if range.contains(&value) => Ok(value),
        _ => Err(format!("{number} is out of range: must be from {} to {}", range.start(), range.end())),
    };
    let text = match item {
        Item::Whole(number) => return checked(*number).map(|number| vec![number]),
        Item::Text(text) => text,
        other => return Err(format!("expected a number or a range such as \"1..=8\", found {}", other.kind())),
    };
    let wrong = || format!("'{text}' is not a range: write \"1..=8\", \"1..=64*2\" (doubling) or \"1..=cores\"");
    let number = |word: &str| match word.trim() {
        "cores" => Ok(i64::from(cores())),
        word => word.parse::<i64>().map_err(|_| wrong()),
    };
    let Some((first, rest)) = text.split_once("..") else { return Ok(vec![checked(number(text)?)?]) };
    let (rest, factor) = match rest.split_once('*') {
        Some((rest, factor)) => (rest, Some(number(factor)?)),
        None => (rest, None),
    };
    let first = number(first)?;
    let Some(last) = rest.strip_prefix('=') else {
        let last = number(rest)?;
        let before = last.saturating_sub(1);
        return Err(format!("does '{text}' end with {last} or before it? write \"..={last}\" or \"..={before}\""));
    };
    let last = number(last)?;
    checked(first).and(checked(last))?;
    if last < first {
        return Err(format!("'{text}' is an empty range"));
    }
    let next = |n: &i64| match factor {
        None => n.checked_add(1),
        Some(factor) => n.checked_mul(factor),
    };
    if factor.is_some_and(|factor| factor < 2 || first < 1) {
        return Err(wrong());
    }
    let all = std::iter::successors(Some(first), next).take_while(|n| *n <= last).map(checked);
    let values: Vec<T> = all.take(MOST_VALUES + 1).collect::<Result<_, _>>()?;
    if values.len() > MOST_VALUES {
        return Err(format!("'{text}' has more than {MOST_VALUES} numbers"));
    }
    Ok(values)
}
