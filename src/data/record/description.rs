//! What a run folder says of its experiment, for those who read its results: `experiment.json`. Plain data.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::axes::AXES;
use super::cell::Configuration;
use super::named::Named;
use super::promise::{IntervalKind, Promise};
use crate::choices::choices;

/// Format of folders: higher where older programs would misread what newer ones write. 1: before formats had numbers.
/// 2: lines of journals have checksums. 3: the first that stays readable. 4: JSON files have checksums too, all of them
/// are required, and a key of a description that is unknown is an error, so that a new key makes a new format; nodes of
/// engines from outside. An axis more makes a new one too: to an older program, configurations that differ in it only
/// are the same.
pub const FORMAT: u32 = SEALED_FORMAT + (AXES.len() - AXES_OF_SEALED) as u32;
/// Oldest format whose files and lines all have checksums.
pub const SEALED_FORMAT: u32 = 4;
/// Number of axes in it.
const AXES_OF_SEALED: usize = 26;
/// Oldest format that is read.
pub const OLDEST_FORMAT: u32 = 3;

/// An experiment, resolved.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Description {
    /// Title of the experiment.
    pub title: String,
    /// Question that it asks.
    pub question: String,
    /// Version of the program.
    pub version: String,
    /// Format of the folder.
    pub format: u32,
    /// Signature of the search.
    pub signature: u64,
    /// Hash of the plan: other cells, another hash.
    pub plan: String,
    /// Number of cells of the plan.
    pub cells: u64,
    /// Number of cells that this folder is for: all, except in a shard.
    pub own_cells: u64,
    /// Part of the plan that this folder is for: the `i`-th of `n`, from 1.
    pub shard: Option<(u32, u32)>,
    /// Name of the suite, if the positions are one.
    pub suite: Option<String>,
    /// Whether the positions come from one game, so that they cannot stand for others.
    pub is_one_game: bool,
    /// Positions that are searched.
    pub positions: Vec<PositionInfo>,
    /// Number of positions of the suite or the file that they were taken from; 0 in folders from before it was told.
    #[serde(skip_serializing_if = "is_zero")]
    pub positions_of: usize,
    /// Reasons for these positions and depths.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub why: String,
    /// Baseline that searches of several processors are divided by.
    pub baseline: Baseline,
    /// Searches by one processor under several schedules of iterations, for strategies that leave out iterations.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub schedules: Vec<Schedule>,
    /// Searches with other prices of the virtual machine, by which the range of a speedup is told.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub price_range: Vec<Repriced>,
    /// Number of runs of each cell.
    pub repetitions: u32,
    /// Plies by which the searches that judge moves are deeper than the runs; none if moves are not judged.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub judge: Option<u32>,
    /// Interval that tables and charts show.
    #[serde(with = "super::promise::hyphenated")]
    pub interval: IntervalKind,
    /// Fields of configurations that vary, in the order of tables.
    pub axes: Vec<String>,
    /// Kind of question that the answer begins with; without one it follows from what was measured.
    pub asks: Option<Asks>,
    /// Time of one processor at which the headline gives the time speedup, in seconds; without it, the longest one that
    /// was measured.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size_s: Option<f64>,
    /// Names of the claims that are primary, as the file gives them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub primary: Vec<String>,
    /// Charts to draw, in this order; empty for all that the figures allow.
    pub charts: Vec<String>,
    /// Column of a paper that charts are drawn for.
    pub column: Column,
    /// Configurations that others are compared with, family by family.
    pub references: Vec<Reference>,
    /// Real and virtual configurations that are laid side by side, beyond those that are equal in all else.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub twins: Vec<Twins>,
    /// Names of the experiment's own for strategies and features with their changes.
    pub names: BTreeMap<String, Named>,
    /// Factorial designs among the plan.
    pub factorials: Vec<Factorial>,
    /// Command that makes the run.
    pub command: String,
    /// Seed of the random order of the searches; none in the order of the plan.
    pub order_seed: Option<u64>,
    /// Precision that was promised when the run began.
    pub promises: Vec<Promise>,
    /// Sentences about the run that a reader of its answer should know.
    pub notes: Vec<String>,
    /// Threads that keep processors busy that are not measured, by name, or `none`.
    pub fill: String,
}

fn is_zero(number: &usize) -> bool {
    *number == 0
}

impl Description {
    /// Whether a configuration is searched for the range of a speedup over prices, and for nothing else.
    pub fn is_for_price_range(&self, configuration: &Configuration) -> bool {
        self.price_range.iter().any(|one| one.configuration == *configuration)
    }

    /// The question on one line.
    pub fn question_on_one_line(&self) -> String {
        self.question.split_whitespace().collect::<Vec<_>>().join(" ")
    }
}

/// A position of an experiment.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct PositionInfo {
    /// Id of the position.
    pub id: String,
    /// The position itself.
    pub fen: String,
    /// Best moves as `e2e4`, where they are known: one of them is to be found.
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

/// Rule for the searches that those of several processors are divided by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Baseline {
    /// Sequential searches with this many seeds.
    Seeds(u32),
    /// One sequential search with seed 0, as in the thesis.
    One,
    /// Nothing: only the cells of the plan are searched.
    None,
}

impl Baseline {
    /// Number of searches of each position.
    pub fn searches(self) -> u32 {
        match self {
            Self::Seeds(seeds) => seeds,
            Self::One => 1,
            Self::None => 0,
        }
    }
}

impl Default for Baseline {
    fn default() -> Self {
        Self::Seeds(8)
    }
}

/// One processor under a schedule of iterations. Strategies that leave out iterations gain by that what one processor
/// would gain too, so they are compared with the best of several.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Schedule {
    /// Plies by which each iteration is deeper than the one before.
    pub step: u32,
    /// Configuration of the one processor: their ordinary baseline, or that with other iterations.
    pub alone: Configuration,
    /// Configurations that are compared with it.
    pub of: Vec<Configuration>,
}

/// A configuration on many virtual processors with other prices than the ones it is searched with: all that two cores
/// cannot measure, cheap or dear together. It is searched for the range of the speedup alone, and has a part in no
/// comparison.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Repriced {
    /// Word for the change of the prices: `cheap` or `dear`.
    pub change: String,
    /// Configuration with the changed prices.
    pub configuration: Configuration,
    /// Configuration whose speedup the range is of.
    pub of: Configuration,
}

choices! {
    /// Column of a paper that charts are drawn for.
    pub enum Column, "column";
    /// Across both columns of a paper, or its only one: 175 mm.
    Double "double",
    /// Single column of a paper that has two: 85 mm.
    Single "single",
}

impl Column {
    /// Width of a drawing in units. The size of text is fixed by what can be read in print; so a narrow chart is
    /// another drawing, not a smaller copy.
    pub fn units(self) -> f64 {
        match self {
            Self::Single => 500.0,
            Self::Double => 875.0,
        }
    }

    /// Width of a drawing in print, in millimetres. With 16 units, small text has 7.7 points in a single column and 9.1
    /// across two.
    pub fn millimetres(self) -> f64 {
        match self {
            Self::Single => 85.0,
            Self::Double => 175.0,
        }
    }
}

choices! {
    /// Question that an answer begins with.
    pub enum Asks, "question of a report";
    /// Published figures beside ours.
    Published "published",
    /// The fastest configuration.
    Best "best",
    /// Differences from the reference, and effects of switches.
    Effect "effect",
    /// Cost of sharing nodes: how positions are copied, and what that takes.
    Splitting "splitting",
    /// Growth of the time speedup with the number of processors.
    Scaling "scaling",
    /// State of the parallel search of an engine: healthy, or what is wrong.
    Smp "smp",
    /// Agreement of real and virtual processors.
    Machines "machines",
    /// Hash hits that torn entries cost.
    Torn "torn",
    /// Speedup of several nodes over one, by what they exchange.
    Cluster "cluster",
}

choices! {
    /// Figure in which a real and a virtual configuration are compared.
    pub enum TwinFigure, "figure of twins";
    /// Time to the depth, relative to one processor.
    Time "time",
    /// Nodes a second, relative to one processor.
    Rate "rate",
}

/// Real configurations and the virtual ones that are to predict them. Of all that are selected, those are a pair that
/// are equal but for their machine, what disturbs them and their costs. Each is compared with one undisturbed processor
/// of its own machine.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Twins {
    /// Name of the test that these pairs are.
    pub name: String,
    /// Figure in which they are compared.
    pub figure: TwinFigure,
    /// Values, by field, of the real ones.
    pub real: BTreeMap<String, Vec<String>>,
    /// Values, by field, of the virtual ones.
    #[serde(rename = "virtual")]
    pub simulated: BTreeMap<String, Vec<String>>,
    /// Values, by field, in which the one processor differs that each is compared with.
    pub beside: BTreeMap<String, String>,
}

/// Configurations that are compared with one or some of them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Reference {
    /// Values, by field, of the configurations that others are compared with.
    pub fields: BTreeMap<String, String>,
    /// Members of the family; empty for all.
    pub members: Vec<Configuration>,
}

/// A design in which several switches are changed at once.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Factorial {
    /// Field in which the runs differ, `strategy` or `features`, or two of them: `strategy+costs`.
    pub field: String,
    /// Names of the switches.
    pub factors: Vec<String>,
    /// Value of the field in each run, and which switches are on in it. The values of two fields have ` with ` between
    /// them.
    pub runs: Vec<(String, Vec<bool>)>,
}

impl Factorial {
    /// Value that a configuration has in the field of the design.
    pub fn value(&self, configuration: &Configuration) -> String {
        self.field.split('+').map(|field| configuration.field(field)).collect::<Vec<_>>().join(" with ")
    }

    /// Configuration without what differs between runs.
    pub fn rest(&self, configuration: &Configuration) -> Configuration {
        self.field.split('+').fold(configuration.clone(), |rest, field| rest.without(field))
    }
}
