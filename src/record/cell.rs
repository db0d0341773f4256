//! A cell of an experiment: one search of one position in one configuration. Plain data, so that what reads results needs
//! to know no engine.

use std::fmt;

use serde::{Deserialize, Serialize};

/// One search that an experiment asks for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cell {
    /// How it is searched.
    pub configuration: Configuration,
    /// The id of the position.
    pub position: String,
    /// The position itself.
    pub fen: String,
    /// How deep, if the depth is given.
    pub depth: Option<u32>,
    /// Keys, order of equal moves and, on the virtual machine, jitter.
    pub seed: u64,
    /// Which of several runs that differ in nothing else, from 0.
    pub repetition: u32,
}

/// All that is chosen about a search but the position, the seed and the repetition.
#[derive(Clone, Debug, PartialEq, PartialOrd, Serialize, Deserialize)]
pub struct Configuration {
    /// On what it runs.
    pub machine: MachineKind,
    /// How processors share it, with changed parameters: `ybwc,minimum-draft=4`.
    pub strategy: String,
    /// The number of processors.
    pub threads: u32,
    /// The representation of the board.
    pub board: String,
    /// How bishops and rooks slide, where there is a choice.
    pub sliders: Option<String>,
    /// A preset with changes.
    pub features: String,
    /// How deep.
    pub depth: Depth,
    /// How many nodes, if they are limited.
    pub nodes: Option<u64>,
    /// How many seconds of the machine, if they are limited.
    pub time_s: Option<f64>,
    /// The size of the table.
    pub hash_mib: u32,
    /// How workers share the table.
    pub scheme: String,
    /// How processors wait; nothing for one that searches alone.
    pub waiting: Option<String>,
    /// Where real threads run.
    pub pin: Option<String>,
    /// The virtual machine's cost model.
    pub costs: Option<String>,
    /// Its hash.
    pub costs_hash: Option<String>,
    /// Whether entries of the table are stamped with their writers.
    pub audit: bool,
    /// Whether nodes that are searched a second time are counted.
    pub losses: bool,
}

/// On what a search runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MachineKind {
    /// Threads of this computer.
    Real,
    /// Processors in simulated time.
    Virtual,
}

/// How deep positions are searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Depth {
    /// All to this many plies.
    Plies(u32),
    /// Each to its own depth, which the experiment lists.
    Own,
    /// As deep as another limit lets them be.
    Unlimited,
}

/// The strategy of the baseline.
pub const SEQUENTIAL: &str = "sequential";

impl MachineKind {
    /// The name in files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Real => "real",
            Self::Virtual => "virtual",
        }
    }
}

impl fmt::Display for Depth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Plies(plies) => plies.fmt(f),
            Self::Own => f.write_str("own"),
            Self::Unlimited => f.write_str("unlimited"),
        }
    }
}

impl Configuration {
    /// The names of the fields, in the order in which tables show them.
    pub const FIELDS: [&'static str; 17] = [
        "machine",
        "strategy",
        "threads",
        "board",
        "sliders",
        "features",
        "depth",
        "nodes",
        "time_s",
        "hash_mib",
        "scheme",
        "waiting",
        "pin",
        "costs",
        "costs_hash",
        "audit",
        "losses",
    ];

    /// A field in words, by its name; empty where it is not set or there is none of this name.
    pub fn field(&self, name: &str) -> String {
        let or_empty = |text: &Option<String>| text.clone().unwrap_or_default();
        match name {
            "machine" => self.machine.name().to_owned(),
            "strategy" => self.strategy.clone(),
            "threads" => self.threads.to_string(),
            "board" => self.board.clone(),
            "sliders" => or_empty(&self.sliders),
            "features" => self.features.clone(),
            "depth" => self.depth.to_string(),
            "nodes" => self.nodes.map(|nodes| nodes.to_string()).unwrap_or_default(),
            "time_s" => self.time_s.map(|time| time.to_string()).unwrap_or_default(),
            "hash_mib" => self.hash_mib.to_string(),
            "scheme" => self.scheme.clone(),
            "waiting" => or_empty(&self.waiting),
            "pin" => or_empty(&self.pin),
            "costs" => or_empty(&self.costs),
            "costs_hash" => or_empty(&self.costs_hash),
            "audit" => self.audit.to_string(),
            "losses" => self.losses.to_string(),
            _ => String::new(),
        }
    }

    /// Whether it is one that others are divided by: one processor, sharing with nobody.
    pub fn is_baseline(&self) -> bool {
        self.strategy == SEQUENTIAL
    }

    /// What this one is divided by: the same search by one processor.
    #[must_use]
    pub fn baseline(&self) -> Self {
        Self { strategy: SEQUENTIAL.to_owned(), threads: 1, waiting: None, ..self.clone() }
    }

    /// The same on so many processors; on one, the baseline.
    #[must_use]
    pub fn with_threads(&self, threads: u32) -> Self {
        if threads == 1 { self.baseline() } else { Self { threads, ..self.clone() } }
    }
}

impl Cell {
    /// A text that no other cell has, and that is the same whenever the same is asked for.
    pub fn key(&self) -> String {
        let configuration: Vec<String> = Configuration::FIELDS.map(|name| self.configuration.field(name)).into();
        let depth = self.depth.map(|depth| depth.to_string()).unwrap_or_default();
        format!("{}|{}|{}|{depth}|{}|{}", configuration.join("|"), self.position, self.fen, self.seed, self.repetition)
    }
}
