//! How the runs of an experiment are made: in which order, with what care, and how often.

use super::document::{DocumentError, Item};
use super::duration;
use super::section::Section;

/// More repetitions, seeds or attempts than this are a slip of the finger.
pub const MOST_REPETITIONS: i64 = 10_000;

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

/// Reads it from the keys of the whole file.
pub fn read(root: &Section<'_>) -> Result<Conduct, DocumentError> {
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
