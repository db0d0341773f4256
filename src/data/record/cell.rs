//! A cell of an experiment: one search of one position in one configuration. Plain data, so that what reads results
//! needs to know no engine.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::defined::{self, Defined};
use super::named::Named;
use super::shared::{Common, Known, Shared, Word};
use crate::choices::choices;

/// One search that an experiment asks for.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(default)]
pub struct Cell {
    /// Everything that is chosen about the search but position and seed.
    pub configuration: Shared<Configuration>,
    /// Id of the position.
    pub position: Word,
    /// The position itself.
    pub fen: Word,
    /// Plies to search, if the depth is limited.
    pub depth: Option<u32>,
    /// Seed of keys, order of equal moves and, on the virtual machine, jitter.
    pub seed: u64,
    /// Number of this run among those that differ in nothing else, from 0.
    pub repetition: u32,
}

choices! {
    /// Machine that a search runs on.
    pub enum MachineKind, "machine";
    /// Threads of this computer.
    Real "real",
    /// Processors in simulated time.
    Virtual "virtual",
}

impl MachineKind {
    /// Unit of seconds on this machine: `s`, or `vs` for virtual seconds.
    pub fn seconds(self) -> &'static str {
        match self {
            Self::Real => "s",
            Self::Virtual => "virtual s",
        }
    }
}

/// Rule for the depth to which positions are searched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Depth {
    /// All positions to this many plies.
    Plies(u32),
    /// Each position to its own depth, which the experiment lists.
    Own,
    /// Each position to the depth for which one processor takes about this long, by a pilot.
    Size(Seconds),
    /// No depth: another limit ends the search.
    #[default]
    Unlimited,
}

impl fmt::Display for Depth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Plies(plies) => plies.fmt(f),
            Self::Own => f.write_str("own"),
            Self::Size(seconds) => write!(f, "{seconds} s"),
            Self::Unlimited => f.write_str("unlimited"),
        }
    }
}

/// A time in seconds, from 0, that can be a key of maps: it is held as the bits of the number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(from = "f64", into = "f64")]
pub struct Seconds(u64);

impl From<f64> for Seconds {
    fn from(seconds: f64) -> Self {
        Self(seconds.to_bits())
    }
}

impl From<Seconds> for f64 {
    fn from(seconds: Seconds) -> Self {
        Self::from_bits(seconds.0)
    }
}

impl fmt::Display for Seconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f64::from(*self).fmt(f)
    }
}

/// Busy threads beside a search on a real machine, as an experiment file writes them: `none`, `2 of 24`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct DisturbedBy(String);

impl DisturbedBy {
    const NONE: &str = "none";

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether the search had no busy threads beside it.
    pub fn is_none(&self) -> bool {
        self.0 == Self::NONE
    }
}

/// No busy threads, as in journals from before there were any.
impl Default for DisturbedBy {
    fn default() -> Self {
        Self(Self::NONE.to_owned())
    }
}

impl From<String> for DisturbedBy {
    fn from(text: String) -> Self {
        Self(text)
    }
}

/// All that is chosen about a search but the position, the seed and the repetition. Each field is an
/// [axis](super::Axis), which has its meaning; a hash that stands beside a name is one too.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(default)]
pub struct Configuration {
    /// Kind of machine.
    pub machine: MachineKind,
    /// Strategy with its changes; the name of an engine from outside on several processors.
    pub strategy: Named,
    /// Engine from outside, if one searches, with the hash of how it is started and set.
    #[serde(flatten, with = "defined::engine")]
    pub engine: Option<Defined>,
    /// Number of processors: threads of all nodes together.
    pub threads: u32,
    /// Number of nodes that an engine from outside is spread over, if its command takes one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cluster_nodes: Option<u32>,
    /// Representation of the board; empty for an engine from outside.
    pub board: String,
    /// Sliding method, if the board has several.
    pub sliders: Option<String>,
    /// Preset of features with its changes; empty for an engine from outside.
    pub features: Named,
    /// Rule for the depth.
    pub depth: Depth,
    /// Whether lazy search knows its last depth, for strategies to which that matters.
    pub horizon: Option<String>,
    /// Limit of nodes.
    pub nodes: Option<u64>,
    /// Limit of time.
    pub time_s: Option<Seconds>,
    /// Size of the table in MiB.
    pub hash_mib: u32,
    /// How workers share the table; empty for an engine from outside.
    pub scheme: String,
    /// How processors wait.
    pub waiting: Option<String>,
    /// Form of copies of positions, if it is not the strategy's own.
    pub copy: Option<String>,
    /// Who copies positions, if it is not as the strategy says.
    pub copier: Option<String>,
    /// How moves are taken back, if it is not as the features say.
    pub make: Option<String>,
    /// Where real threads run.
    pub pin: Option<String>,
    /// Busy threads beside the search.
    pub disturb: DisturbedBy,
    /// Cost model of the virtual machine, with its changes.
    #[serde(flatten, with = "defined::costs")]
    pub costs: Option<Defined>,
    /// Micro-measurement, if it is no search.
    pub micro: Option<String>,
    /// Whether table entries are stamped.
    pub audit: bool,
    /// Whether nodes that are searched twice are counted.
    pub losses: bool,
}

impl Common for Configuration {
    fn known() -> &'static Known<Self> {
        static CONFIGURATIONS: Known<Configuration> = Known::new(std::sync::Mutex::default);
        &CONFIGURATIONS
    }
}

/// Name of the strategy of the baseline.
pub const SEQUENTIAL: &str = "sequential";

impl Cell {
    /// Class of runs that search in the same way but for the noise of the machine: those of one seed. An engine from
    /// outside has no seed; it sees the position in one of two views, of four where nobody may castle.
    pub fn seed_class(&self) -> u64 {
        if !self.configuration.is_outside() {
            return self.seed;
        }
        let may_castle = self.fen.split(' ').nth(2).is_some_and(|rights| rights != "-");
        self.seed % if may_castle { 2 } else { 4 }
    }

    /// Cell of a sequential virtual search for tests.
    pub fn sample(configuration: Configuration, position: &str, seed: u64) -> Self {
        Self { configuration: configuration.into(), position: position.into(), seed, ..Self::default() }
    }
}

impl Configuration {
    /// A configuration for tests, with the costs `reference` if it is virtual.
    pub fn sample(machine: MachineKind, strategy: &str, threads: u32) -> Self {
        let is_virtual = machine == MachineKind::Virtual;
        Self {
            machine,
            strategy: strategy.into(),
            threads,
            board: "bitboards".to_owned(),
            sliders: Some("magic".to_owned()),
            features: "thesis".into(),
            depth: Depth::Plies(5),
            hash_mib: 16,
            scheme: "lockless".to_owned(),
            costs: is_virtual.then(|| Defined::new("reference", "abc")),
            ..Self::default()
        }
    }

    /// Whether others are divided by this one: a single processor that shares with nobody.
    pub fn is_baseline(&self) -> bool {
        self.strategy == SEQUENTIAL
    }

    /// Name of the engine from outside, if one searches.
    pub fn engine_name(&self) -> Option<&str> {
        self.engine.as_ref().map(|engine| engine.name.as_str())
    }

    /// Name of the cost model, with its changes, on a virtual machine.
    pub fn costs_name(&self) -> Option<&Named> {
        self.costs.as_ref().map(|costs| &costs.name)
    }

    /// All values that are names with changes.
    pub fn named(&self) -> impl Iterator<Item = &Named> {
        [&self.strategy, &self.features].into_iter().chain(self.costs_name())
    }

    /// Whether an engine from outside searches.
    pub fn is_outside(&self) -> bool {
        self.engine.is_some()
    }

    /// Number of nodes: one, unless an engine from outside is spread over several.
    pub fn node_count(&self) -> u32 {
        self.cluster_nodes.unwrap_or(1).max(1)
    }

    /// Number of processors of each node.
    pub fn threads_of_node(&self) -> u32 {
        self.threads / self.node_count()
    }

    /// Whether workers that run ahead know the depth at which the search ends, and all pile up on it.
    pub fn knows_its_end(&self) -> bool {
        self.horizon.as_deref() == Some("closed")
    }

    /// Whether nodes or time may end a search before its depth.
    pub fn is_limited(&self) -> bool {
        self.nodes.is_some() || self.time_s.is_some()
    }
}
