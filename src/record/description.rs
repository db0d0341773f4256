//! What a run folder says of its experiment, for those who read its results: `experiment.json`. Plain data.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::cell::Configuration;

/// An experiment, resolved.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Description {
    /// Its title.
    pub title: String,
    /// The question that it asks.
    pub question: String,
    /// The version of the program.
    pub version: String,
    /// The signature of the search.
    pub signature: u64,
    /// A hash of the plan: other cells, another hash.
    pub plan: String,
    /// How many cells the plan has.
    pub cells: u64,
    /// How many of them this folder is for: all, but of a shard.
    #[serde(default)]
    pub own_cells: u64,
    /// Which part of the plan this folder is for: the `i`-th of `n`, from 1.
    pub shard: Option<(u32, u32)>,
    /// The suite, if the positions are one.
    pub suite: Option<String>,
    /// Whether the positions come from one game, so that they cannot stand for others.
    pub is_one_game: bool,
    /// The positions.
    pub positions: Vec<PositionInfo>,
    /// What others are divided by.
    pub baseline: Baseline,
    /// How often each cell is repeated.
    pub repetitions: u32,
    /// Which interval its tables and charts show.
    pub interval: IntervalKind,
    /// The fields of configurations that vary, in the order of tables.
    pub axes: Vec<String>,
    /// The charts to draw, in this order; empty for all that its figures allow.
    pub charts: Vec<String>,
    /// With what configurations are compared, family by family.
    #[serde(default)]
    pub references: Vec<Reference>,
    /// Names that it gives to strategies and features with their changes.
    #[serde(default)]
    pub names: BTreeMap<String, String>,
    /// Factorial designs in it.
    pub factorials: Vec<Factorial>,
    /// The command that makes it.
    pub command: String,
}

/// A position of an experiment.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PositionInfo {
    /// Its id.
    pub id: String,
    /// The position itself.
    pub fen: String,
    /// Its best moves as `e2e4`, where they are known: one of them is to be found.
    pub best: Vec<String>,
    /// Moves to avoid, as `e2e4`.
    #[serde(default)]
    pub avoid: Vec<String>,
}

impl PositionInfo {
    /// Whether this move solves the position; `None` if the position names neither best moves nor moves to avoid.
    pub fn is_solved_by(&self, mv: &str) -> Option<bool> {
        let has = |moves: &[String]| moves.iter().any(|one| one == mv);
        let is_asked = !self.best.is_empty() || !self.avoid.is_empty();
        is_asked.then(|| (self.best.is_empty() || has(&self.best)) && !has(&self.avoid))
    }
}

/// What the searches of many processors are divided by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Baseline {
    /// Sequential searches with so many seeds.
    Seeds(u32),
    /// One sequential search with seed 0, as in the thesis.
    One,
    /// Nothing: only the cells of the plan are searched.
    None,
}

impl Default for Baseline {
    fn default() -> Self {
        Self::Seeds(8)
    }
}

/// For what an interval holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum IntervalKind {
    /// If these positions were searched again: only runs vary.
    #[default]
    ThesePositions,
    /// If other positions of the same kind were searched.
    PositionsLikeThese,
}

/// Configurations that are compared with one or some of them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Reference {
    /// Those that others are compared with have these values, by field.
    pub fields: BTreeMap<String, String>,
    /// Who belongs to the family; empty for all.
    pub members: Vec<Configuration>,
}

/// A design in which several switches are changed at once.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Factorial {
    /// The field that its runs differ in: `strategy` or `features`.
    pub field: String,
    /// The switches.
    pub factors: Vec<String>,
    /// The value of the field in each run, and which switches are on in it.
    pub runs: Vec<(String, Vec<bool>)>,
}

impl IntervalKind {
    /// In words.
    pub const fn name(self) -> &'static str {
        match self {
            Self::ThesePositions => "these positions",
            Self::PositionsLikeThese => "positions like these",
        }
    }
}
