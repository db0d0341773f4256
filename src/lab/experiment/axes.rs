//! The axes of a plan: what may vary, each with the values it takes. A value, a list, or a range as text; the plan is the
//! product of all.

use super::document::{DocumentError, Item, Value};
use super::duration;
use super::section::{Section, values};
use crate::chess::choice::{BoardChoice, SlidersChoice};
use crate::machine::cost::CostModel;
use crate::machine::{Pin, RealMachine, Waiting};
use crate::parallel::AnyStrategy;
use crate::record::{Depth, MachineKind};
use crate::search::features::Recipe;
use crate::search::table::{MOST_MIB, Scheme};
use crate::search::{DEEPEST, DEFAULT_DEPTH};
use crate::suggestion::did_you_mean;

/// What each axis takes.
#[derive(Clone, Debug)]
pub struct Axes {
    /// On what searches run.
    pub machine: Vec<MachineKind>,
    /// How processors share a search.
    pub strategy: Vec<AnyStrategy>,
    /// How many processors.
    pub threads: Vec<u32>,
    /// The representation of the board: `bitboards` or `mailbox`.
    pub board: Vec<&'static str>,
    /// How bishops and rooks slide on bitboards.
    pub sliders: Vec<SlidersChoice>,
    /// What the search does.
    pub features: Vec<Recipe>,
    /// How deep.
    pub depth: Vec<Depth>,
    /// How many nodes.
    pub nodes: Vec<Option<u64>>,
    /// How many seconds.
    pub time_s: Vec<Option<f64>>,
    /// The size of the table in MiB; the preset's if not given.
    pub hash: Vec<Option<u32>>,
    /// How workers share it.
    pub scheme: Vec<Scheme>,
    /// Seeds: one that the repetitions count up from, or a list of just those.
    pub seed: Vec<u64>,
    /// Cost models of the virtual machine.
    pub costs: Vec<CostModel>,
    /// How processors wait.
    pub waiting: Vec<Waiting>,
    /// Where real threads run.
    pub pin: Vec<Pin>,
    /// Whether the table is audited.
    pub audit: Vec<bool>,
    /// Whether repeated nodes are counted.
    pub losses: Vec<bool>,
}

/// The names of the axes in a file.
pub const AXES: [&str; 17] = [
    "machine", "strategy", "threads", "board", "sliders", "features", "depth", "nodes", "time", "hash", "scheme",
    "seed", "costs", "waiting", "pin", "audit", "losses",
];

/// What axes may refer to: cost models of the file's own, and parameters that it sets for strategies.
#[derive(Clone, Debug, Default)]
pub struct Definitions {
    /// Cost models by name.
    pub models: Vec<CostModel>,
    /// For each strategy named, the changes to its parameters: all combinations, as `minimum-draft=3,-gives-back`.
    pub parameters: Vec<(String, Vec<String>)>,
    /// Names for strategies and features with their changes.
    pub names: Vec<(String, String)>,
    /// Whether positions have depths of their own.
    pub has_depths: bool,
}

impl Definitions {
    /// A text in which a name at the beginning stands for what it names.
    pub fn spelt_out(&self, text: &str) -> String {
        let (first, changes) = text.split_at(text.find(',').unwrap_or(text.len()));
        let named = self.names.iter().find(|(name, _)| name == first.trim());
        named.map_or_else(|| text.to_owned(), |(_, meaning)| format!("{meaning}{changes}"))
    }
}

type Texts<T> = Result<Vec<T>, String>;

impl Axes {
    /// The axes of a plan; a key that this table does not have is looked for in the common one.
    pub fn read(
        own: &Section<'_>,
        common: Option<&Section<'_>>,
        definitions: &Definitions,
    ) -> Result<Self, DocumentError> {
        let has = |key: &str| [Some(own), common].into_iter().flatten().any(|section| section.table.get(key).is_some());
        let is_limited = has("nodes") || has("time");
        let usual_depth = match (definitions.has_depths, is_limited) {
            (true, _) => Depth::Own,
            (false, true) => Depth::Unlimited,
            (false, false) => Depth::Plies(DEFAULT_DEPTH),
        };
        macro_rules! axis {
            ($key:literal, $read:expr, $default:expr) => {{
                let section = if own.table.get($key).is_some() { Some(own) } else { common };
                section.map(|section| section.each($key, $read)).transpose()?.flatten().unwrap_or_else(|| $default)
            }};
        }
        Ok(Self {
            machine: axis!("machine", machine, vec![MachineKind::Real]),
            strategy: axis!(
                "strategy",
                |item| strategies(text(item)?, definitions),
                strategies("ybwc", definitions).unwrap_or_default()
            ),
            threads: axis!("threads", threads, (1..=cores()).collect()),
            board: axis!("board", |item| among("board", text(item)?, BoardChoice::NAMES), vec![BoardChoice::NAMES[0]]),
            sliders: axis!(
                "sliders",
                |item| named("sliders", text(item)?, SlidersChoice::ALL.iter().copied(), SlidersChoice::name),
                vec![SlidersChoice::default()]
            ),
            features: axis!(
                "features",
                |item| recipe(text(item)?, definitions).map(|one| vec![one]),
                vec![crate::search::features::Preset::default().into()]
            ),
            depth: axis!("depth", |item| depth(item, definitions), vec![usual_depth]),
            nodes: axis!("nodes", |item| whole(item, 1..=i64::MAX).map(|n| vec![Some(n as u64)]), vec![None]),
            time_s: axis!("time", |item| seconds(item).map(|time| vec![Some(time)]), vec![None]),
            hash: axis!(
                "hash",
                |item| numbers(item, 1, MOST_MIB.into())
                    .map(|all| { all.into_iter().map(|mib| Some(mib as u32)).collect() }),
                vec![None]
            ),
            scheme: axis!(
                "scheme",
                |item| named("scheme", text(item)?, Scheme::ALL.iter().copied(), Scheme::name),
                vec![Scheme::default()]
            ),
            seed: axis!(
                "seed",
                |item| numbers(item, 0, i64::MAX).map(|all| { all.into_iter().map(|seed| seed as u64).collect() }),
                vec![0]
            ),
            costs: axis!("costs", |item| costs(text(item)?, definitions), vec![CostModel::reference()]),
            waiting: axis!(
                "waiting",
                |item| named("waiting", text(item)?, Waiting::ALL, waiting_name),
                vec![Waiting::default()]
            ),
            pin: axis!("pin", |item| pin(text(item)?), vec![Pin::default()]),
            audit: axis!("audit", switch, vec![false]),
            losses: axis!("losses", switch, vec![false]),
        })
    }
}

/// The name of a way of waiting.
pub const fn waiting_name(waiting: Waiting) -> &'static str {
    match waiting {
        Waiting::Spin => "spin",
        Waiting::Yield => "yield",
        Waiting::Park => "park",
    }
}

/// The parameters of a strategy as a file sets them, as all combinations of changes.
pub fn parameter_changes(section: &Section<'_>) -> Result<Vec<String>, DocumentError> {
    let mut all = vec![String::new()];
    for entry in &section.table.entries {
        let name = entry.key.replace('_', "-");
        let change = |value: &Value| match &value.item {
            Item::Switch(true) => Ok(format!(",+{name}")),
            Item::Switch(false) => Ok(format!(",-{name}")),
            Item::Whole(number) => Ok(format!(",{name}={number}")),
            Item::Text(text) => Ok(format!(",{name}={text}")),
            other => Err(section.wrong(entry, format!("expected a value of a parameter, found {}", other.kind()))),
        };
        let changes: Vec<String> = values(&entry.value).iter().map(change).collect::<Result<_, _>>()?;
        if changes.is_empty() {
            return Err(section.wrong(entry, "there is nothing in this list"));
        }
        all = all.iter().flat_map(|before| changes.iter().map(move |change| format!("{before}{change}"))).collect();
    }
    Ok(all)
}

/// Every strategy that a text stands for, with the parameters that the file sets; those of the text come last.
pub fn strategies(text: &str, definitions: &Definitions) -> Texts<AnyStrategy> {
    let text = &definitions.spelt_out(text);
    let (name, changes) = text.split_at(text.find(',').unwrap_or(text.len()));
    let set = definitions.parameters.iter().find(|(strategy, _)| strategy == name.trim());
    let parse = |of_file: &str| {
        format!("{name}{of_file}{changes}").parse::<AnyStrategy>().map_err(|error| {
            let own = definitions.names.iter().map(|(name, _)| name.as_str());
            let near = error.misspelt().map(|(word, names)| did_you_mean(word, names.into_iter().chain(own)));
            format!("{error}{}", near.unwrap_or_default())
        })
    };
    match set {
        Some((_, all)) => all.iter().map(|of_file| parse(of_file)).collect(),
        None => parse("").map(|strategy| vec![strategy]),
    }
}

/// Features in words.
pub fn recipe(text: &str, definitions: &Definitions) -> Result<Recipe, String> {
    definitions.spelt_out(text).parse().map_err(|error: crate::search::features::FeaturesError| {
        let near = error.misspelt().map(|(word, names)| did_you_mean(word, names));
        format!("{error}{}", near.unwrap_or_default())
    })
}

/// Every cost model that a text stands for: one, or with `,each` the model with each price halved and doubled in turn.
pub fn costs(text: &str, definitions: &Definitions) -> Texts<CostModel> {
    let (text, is_each) = text.strip_suffix(",each").map_or((text, false), |base| (base, true));
    let (name, changes) = text.split_once(',').map_or((text, None), |(name, changes)| (name, Some(changes)));
    let own = definitions.models.iter().find(|model| model.name == name.trim());
    let model = match (own, changes) {
        (Some(own), None) => Ok(own.clone()),
        (Some(own), Some(changes)) => own.changed(changes),
        (None, _) => text.parse(),
    };
    let model = model.map_err(|error| {
        let own = definitions.models.iter().map(|model| model.name.clone());
        let near = error.misspelt().map(|(word, names)| did_you_mean(word, names.into_iter().chain(own)));
        format!("{error}{}", near.unwrap_or_default())
    })?;
    Ok(if is_each { model.each_halved_and_doubled() } else { vec![model] })
}

fn machine(item: &Item) -> Texts<MachineKind> {
    named("machine", text(item)?, [MachineKind::Real, MachineKind::Virtual], MachineKind::name)
}

fn threads(item: &Item) -> Texts<u32> {
    let counts = numbers(item, 1, crate::machine::MOST_PROCESSORS as i64)?;
    Ok(counts.into_iter().map(|count| count as u32).collect())
}

fn depth(item: &Item, definitions: &Definitions) -> Texts<Depth> {
    match item {
        Item::Text(text) if text == "own" && definitions.has_depths => Ok(vec![Depth::Own]),
        Item::Text(text) if text == "own" => Err("'own' needs depths: positions.depths has none".to_owned()),
        _ => Ok(numbers(item, 1, DEEPEST.into())?.into_iter().map(|depth| Depth::Plies(depth as u32)).collect()),
    }
}

fn pin(text: &str) -> Texts<Pin> {
    text.parse().map(|pin| vec![pin]).map_err(|error| format!("{error}; write none, cores, threads or a list as 0,2-5"))
}

fn switch(item: &Item) -> Texts<bool> {
    match item {
        Item::Switch(switch) => Ok(vec![*switch]),
        other => Err(format!("expected true or false, found {}", other.kind())),
    }
}

fn seconds(item: &Item) -> Result<f64, String> {
    match item {
        Item::Text(text) => duration::parse(text).map(|time| time.as_secs_f64()),
        Item::Whole(number) => duration::parse(&number.to_string()).map(|time| time.as_secs_f64()),
        Item::Fraction(number) => duration::parse(&number.to_string()).map(|time| time.as_secs_f64()),
        other => Err(format!("expected a duration as \"500ms\" or \"2s\", found {}", other.kind())),
    }
}

fn text(item: &Item) -> Result<&str, String> {
    match item {
        Item::Text(text) => Ok(text),
        other => Err(format!("expected a text, found {}", other.kind())),
    }
}

fn whole(item: &Item, range: std::ops::RangeInclusive<i64>) -> Result<i64, String> {
    match item {
        Item::Whole(number) if range.contains(number) => Ok(*number),
        _ => Err(format!("expected a whole number from {} to {}", range.start(), range.end())),
    }
}

fn named<T: Copy>(
    what: &str,
    text: &str,
    all: impl IntoIterator<Item = T> + Clone,
    name: impl Fn(T) -> &'static str,
) -> Texts<T> {
    let names: Vec<&str> = all.clone().into_iter().map(&name).collect();
    let found = all.into_iter().find(|one| name(*one) == text);
    found.map(|one| vec![one]).ok_or_else(|| {
        format!("'{text}' is not among the values of {what}: {}{}", names.join(", "), did_you_mean(text, &names))
    })
}

fn among(what: &str, text: &str, names: &[&'static str]) -> Texts<&'static str> {
    named(what, text, names.iter().copied(), |name| name)
}

/// How many processors `cores` stands for.
fn cores() -> u32 {
    RealMachine::room() as u32
}

/// A number, or a range as text: `1..=8`, `1..8` (without the last), `1..=64*2` (doubling), `cores`, `1..=cores`.
fn numbers(item: &Item, least: i64, most: i64) -> Texts<i64> {
    let checked = |number: i64| {
        if (least..=most).contains(&number) {
            Ok(number)
        } else {
            Err(format!("{number} is not from {least} to {most}"))
        }
    };
    let text = match item {
        Item::Whole(number) => return checked(*number).map(|number| vec![number]),
        Item::Text(text) => text,
        other => return Err(format!("expected a number or a range as \"1..=8\", found {}", other.kind())),
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
    let (first, last) = match rest.strip_prefix('=') {
        Some(last) => (number(first)?, number(last)?),
        None => (number(first)?, number(rest)? - 1),
    };
    let (first, last) = (checked(first)?, checked(last)?);
    if last < first {
        return Err(format!("there is nothing in '{text}'"));
    }
    match factor {
        None => Ok((first..=last).collect()),
        Some(factor) if factor >= 2 && first >= 1 => {
            Ok(std::iter::successors(Some(first), |n| n.checked_mul(factor)).take_while(|n| *n <= last).collect())
        }
        Some(_) => Err(wrong()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn range(text: &str) -> Texts<i64> {
        numbers(&Item::Text(text.to_owned()), 1, 1024)
    }

    #[test]
    fn ranges() {
        for (text, expected) in [
            ("1..=4", vec![1, 2, 3, 4]),
            ("1..4", vec![1, 2, 3]),
            ("1..=64*2", vec![1, 2, 4, 8, 16, 32, 64]),
            ("3..=30*3", vec![3, 9, 27]),
            ("7", vec![7]),
        ] {
            assert_eq!(range(text), Ok(expected), "{text}");
        }
        assert_eq!(range("cores").unwrap(), [i64::from(cores())]);
        for (text, message) in [
            ("0..4", "0 is not from 1 to 1024"),
            ("1..=2000", "2000 is not from 1 to 1024"),
            ("5..=4", "nothing in"),
            ("a..=4", "is not a range"),
            ("1..=8*1", "is not a range"),
            ("", "is not a range"),
        ] {
            assert!(range(text).unwrap_err().contains(message), "{text}: {:?}", range(text));
        }
    }

    #[test]
    fn a_file_sets_parameters_for_a_strategy() {
        let parameters = vec![("ybwc".to_owned(), vec![",minimum-draft=2".to_owned(), ",minimum-draft=4".to_owned()])];
        let definitions = Definitions { parameters, ..Definitions::default() };
        let words = |text: &str| -> Vec<String> {
            strategies(text, &definitions).unwrap().iter().map(ToString::to_string).collect()
        };
        assert_eq!(words("ybwc"), ["ybwc,+minimum-draft=2", "ybwc,+minimum-draft=4"]);
        assert_eq!(words("lazy"), ["lazy"]);
        assert_eq!(words("ybwc,minimum-draft=5"), ["ybwc,+minimum-draft=5", "ybwc,+minimum-draft=5"]);
        assert!(strategies("ybwz", &definitions).unwrap_err().contains("did you mean 'ybwc'"));
    }

    #[test]
    fn models_of_the_file_come_first() {
        let own = CostModel { name: "mine".into(), wake_park: 7, ..CostModel::reference() };
        let definitions = Definitions { models: vec![own.clone()], ..Definitions::default() };
        assert_eq!(costs("mine", &definitions), Ok(vec![own]));
        assert_eq!(costs("mine,wake_park*2", &definitions).unwrap()[0].wake_park, 14);
        assert!(costs("reference,each", &definitions).unwrap().len() > 40);
        assert!(costs("mime", &definitions).unwrap_err().contains("did you mean 'mine'"));
    }
}
