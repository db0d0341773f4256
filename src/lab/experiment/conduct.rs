//! How the runs of an experiment are made: in which order, with what care, and how often.

use super::document::{DocumentError, Item};
use super::duration;
use super::section::Section;
use super::values::{switch, text};
use crate::fill::{Fill, Filling};
use crate::suggestion::WordError;

/// More repetitions, seeds or attempts than this are a slip of the finger.
pub const MOST_REPETITIONS: i64 = 10_000;
/// A search that is deeper than those it judges by more plies than this would never end.
pub const MOST_PLIES_DEEPER: i64 = 20;

/// Rules for making runs.
#[derive(Clone, Debug, PartialEq)]
pub struct Conduct {
    /// Whether cells run in random order; else they run in the order of the plan.
    pub is_shuffled: bool,
    /// Seed of the random order, if the file names one; else each run has its own.
    pub order_seed: Option<u64>,
    /// Whether a run that is not counted comes first.
    pub warm_up: bool,
    /// Rule for keeping processors busy that are not measured.
    pub fill: Fill,
    /// Whether the tables of real searches are interleaved over the NUMA nodes.
    pub interleaves: bool,
    /// Largest number of times that a disturbed measurement is repeated.
    pub retries: u32,
    /// Longest time that a cell may take, in seconds of its machine.
    pub limit_s: Option<f64>,
    /// Largest number of nodes that a cell may take, all processors together.
    pub limit_nodes: Option<u64>,
}

/// Reads the rules from the keys of the whole file.
pub fn read(root: &Section<'_>) -> Result<Conduct, DocumentError> {
    let is_shuffled = root.one("order", |item| match text(item)? {
        "random" => Ok(true),
        "plan" => Ok(false),
        other => Err(format!("'{other}' is not an order: expected random or plan")),
    })?;
    let retries = root.one("disturbed", |item| match item {
        Item::Text(text) if text == "flag" => Ok(0),
        Item::Text(text) if text == "repeat" => Ok(2),
        Item::Whole(number @ 0..=MOST_REPETITIONS) => Ok(*number as u32),
        _ => Err("expected \"flag\", \"repeat\" (up to twice), or the largest number of repeats of a disturbed run"
            .to_owned()),
    })?;
    Ok(Conduct {
        is_shuffled: is_shuffled.unwrap_or(true),
        order_seed: root.whole("order_seed", 0..=i64::MAX)?.map(|seed| seed as u64),
        warm_up: root.one("warm_up", switch)?.unwrap_or(true),
        fill: root.one("fill", fill)?.unwrap_or_default(),
        interleaves: root.one("interleave", switch)?.unwrap_or_default(),
        retries: retries.unwrap_or(0),
        limit_s: root.one("limit", duration::read)?.map(f64::from),
        limit_nodes: root.whole("limit_nodes", 1..=i64::MAX)?.map(|nodes| nodes as u64),
    })
}

/// Threads beside those that are measured: `true` is arithmetic, `false` none, `"auto"` follows from the computer.
fn fill(item: &Item) -> Result<Fill, String> {
    match item {
        Item::Switch(is_filled) => Ok(Fill::Fixed(is_filled.then_some(Filling::Arithmetic))),
        Item::Text(name) if name == "auto" => Ok(Fill::Automatic),
        Item::Text(name) => {
            name.parse().map(|filling| Fill::Fixed(Some(filling))).map_err(|error: WordError| error.to_string())
        }
        other => {
            let names = Filling::NAMES.join(", ");
            Err(format!("expected true, false, auto or a kind of filling ({names}), found {}", other.kind()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::document::parse_value;
    use super::*;

    #[test]
    fn processors_are_filled_as_before_or_with_memory() {
        let fixed = |filling| Ok(Fill::Fixed(filling));
        for (text, expected) in [
            ("true", fixed(Some(Filling::Arithmetic))),
            ("false", fixed(None)),
            ("auto", Ok(Fill::Automatic)),
            ("cores", fixed(Some(Filling::Cores))),
            ("arithmetic", fixed(Some(Filling::Arithmetic))),
            ("memory", fixed(Some(Filling::Memory))),
            ("1", Err("expected true, false, auto or a kind of filling (cores, arithmetic, memory), found ")),
            ("memroy", Err("did you mean 'memory'?")),
        ] {
            match (fill(&parse_value(text)), expected) {
                (Ok(found), Ok(expected)) => assert_eq!(found, expected, "{text}"),
                (Err(error), Err(expected)) => assert!(error.contains(expected), "{text}: {error}"),
                (found, _) => panic!("{text}: {found:?}"),
            }
        }
    }
}
