//! Measurements of `splitpoint validate`, as its file holds them beside what the report makes of them. Plain data.

mod size;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::environment::Session;
use super::result::Record;
use crate::choices::choices;
use crate::statistics::Interval;

/// All measurements of a validation.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Measurements {
    /// Session in which they were made, as in a run folder's `environment.json`.
    pub session: Session,
    /// Amount that was asked for.
    pub size: Size,
    /// Costs of coordination as the small experiments found them, in nanoseconds.
    pub coordination: Value,
    /// Fitted costs of work.
    pub work: WorkCosts,
    /// The cost model made of both.
    pub model: Value,
    /// Hash of the cost model.
    pub model_hash: String,
    /// Names of the costs that could not be measured here and are those of the reference model.
    #[serde(default)]
    pub assumed: Vec<String>,
    /// Positions, each with its role and depth.
    pub positions: Vec<UsedPosition>,
    /// Numbers of processors that were compared, beyond one: empty where there is only one.
    pub processors: Vec<u32>,
    /// Records of all searches.
    pub records: Vec<Record>,
    /// Micro-programs on real and on virtual processors: empty where there is only one.
    #[serde(default)]
    pub mechanisms: Vec<MechanismTimes>,
}

choices! {
    /// One thing that processors do to one another, or to the memory that they share.
    pub enum Mechanism, "mechanism";
    /// One cache line that two processors hand to and fro; an operation is one way.
    PingPong "ping-pong",
    /// One lock that all processors take and for which they wait in a loop, with a little work inside and outside.
    ContendedLock "contended lock, spinning",
    /// One lock that all processors take and for which they sleep, with a little work inside and outside.
    SleepyLock "contended lock, sleeping",
    /// One counter to which all processors add, with some work between.
    AllAdd "shared counter, all add",
    /// One counter to which one processor adds and which the others read, with some work between.
    OneAdds "shared counter, one adds",
    /// A search by one processor, beside which the others have nothing to do; an operation is a node.
    SearchAlone "search alone",
    /// A search by one processor, beside which the others search other positions; an operation is a node.
    SearchBesideSearch "search beside searches",
    /// A search by one processor, beside which the others stream through memory; an operation is a node.
    SearchBesideStream "search beside streams",
}

impl Mechanism {
    /// Whether the virtual time is right by construction: a price of the model is fitted to just this, if at other
    /// positions. Else it is a prediction from prices that were measured by themselves.
    pub fn is_fitted(self) -> bool {
        matches!(self, Self::SearchAlone | Self::SearchBesideSearch)
    }
}

/// Times of a micro-program on real and on virtual processors.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MechanismTimes {
    /// Mechanism that the program consists of.
    pub mechanism: Mechanism,
    /// Number of processors.
    pub processors: u32,
    /// Nanoseconds of an operation on real processors, batch by batch: low quantiles over many slices.
    pub real: Vec<f64>,
    /// Nanoseconds on virtual processors in the same batches.
    #[serde(rename = "virtual")]
    pub simulated: Vec<f64>,
}

/// Position that was searched.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct UsedPosition {
    /// Id of the position.
    pub id: String,
    /// FEN of the position.
    pub fen: String,
    /// Purpose of the position.
    pub role: Role,
    /// Depth of its searches in plies.
    pub depth: u32,
}

/// Purpose of a position. None has two roles, so that a model is not checked with what it was made of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// The costs of work are fitted to it.
    Calibration,
    /// Real and virtual machine are compared at it.
    #[default]
    Check,
}

/// Amount of a validation: positions, seeds, and how large the searches are. Sizes are counts of nodes, never times, so
/// that all computers search the same trees.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Size {
    /// Number of positions at which several real and virtual processors are compared.
    pub positions: usize,
    /// Number of positions at which one real and one virtual processor are compared, those among them. What a node
    /// takes differs more from position to position than from run to run, so there are many.
    pub alone_positions: usize,
    /// Number of positions before those, which earlier validations have compared and this one leaves out.
    #[serde(default)]
    pub skipped_positions: usize,
    /// Number of other positions, to which the costs of work are fitted.
    pub calibration_positions: usize,
    /// Number of seeds with which several processors search each position.
    pub seeds: u64,
    /// Number of seeds with which one processor searches those positions at which there are not several.
    pub alone_seeds: u64,
    /// Number of seeds with which each position is searched for the fit.
    pub calibration_seeds: u64,
    /// Number of times that one real processor makes each search; the least of their times counts.
    #[serde(default = "once")]
    pub calibration_repetitions: u32,
    /// Number of nodes within which one processor completes the depth of a position.
    pub nodes: u64,
    /// Features of the searches, as a recipe; empty for the default ones.
    #[serde(default)]
    pub features: String,
    /// Strategies by which several processors share a search; empty for the usual one with these features.
    #[serde(default)]
    pub strategies: Vec<String>,
    /// Number of times that each micro-program is run on both machines.
    #[serde(default)]
    pub mechanism_batches: usize,
}

/// Repetitions in files from before there was a choice.
fn once() -> u32 {
    1
}

/// Costs of work, fitted to searches.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct WorkCosts {
    /// Costs of the kinds of work.
    pub costs: Vec<WorkCost>,
    /// Multiple of the reference's costs that fits best by itself.
    pub multiple: f64,
    /// Strength with which the costs are drawn towards that multiple; none if they are equal to it.
    pub strength: Option<f64>,
    /// Predicted to measured time of positions that were left out of the fit: geometric mean, and its interval.
    pub left_out: Option<Interval>,
    /// Standard deviation of the logarithms of those ratios, from position to position.
    pub left_out_deviation: f64,
    /// Ratio of the time by the whole numbers of the model to the time by the fit: geometric mean over the searches.
    pub rounding: f64,
    /// Number of positions that were searched.
    pub positions: usize,
    /// Number of searches.
    pub runs: usize,
    /// Number of searches that something disturbed.
    pub disturbed: usize,
    /// Effect of processors that search beside each other; none where there is only one.
    #[serde(default)]
    pub sharing: Option<WorkSharing>,
    /// Cost of searching together; none where there is only one processor.
    #[serde(default)]
    pub together: Option<Together>,
}

/// Slowdown of processors that share a search, beside that of a model without `together_permille`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Together {
    /// Number of processors.
    pub processors: u32,
    /// Number of positions.
    pub positions: usize,
    /// Time of work on several processors by that on one, relative to the same ratio in the model, where they share
    /// nothing but tables: geometric mean, and its interval.
    pub ratio: Interval,
    /// Ratio where they share nodes; none in files from before it was measured.
    #[serde(default)]
    pub ratio_of_nodes: Option<Interval>,
    /// Ratio where they keep nodes on stacks of their own; none in such files.
    #[serde(default)]
    pub ratio_of_stacks: Option<Interval>,
    /// Nanoseconds that a processor which shares nodes looks around at each of them, on that quiet computer.
    #[serde(default)]
    pub look_around_ns: f64,
    /// Nanoseconds that publishing or joining a split point took, on the quiet computer whose costs of work the model
    /// has.
    pub split_ns: f64,
    /// Nanoseconds that publishing or joining a split point takes in the model.
    pub model_split_ns: f64,
}

/// Effect of processors on each other that search different positions at the same time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WorkSharing {
    /// Number of processors.
    pub processors: u32,
    /// Number of positions that one of them searched, alone and beside the others by turns.
    pub positions: usize,
    /// Time of a node beside the others by that alone: geometric mean, and its interval.
    pub ratio: Interval,
}

/// Cost of one kind of work.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct WorkCost {
    /// Name in the cost model; `table_read` for reading an entry of a table of the size that was used.
    pub name: String,
    /// Fitted cost in nanoseconds.
    pub fit: f64,
    /// Interval of the fitted cost; none if it is at a bound, which is nothing or the latency of a table read by
    /// itself.
    pub interval: Option<Interval>,
    /// Whole nanoseconds that the model has.
    pub model: u64,
    /// Whole nanoseconds that the reference model has.
    pub reference: u64,
}
