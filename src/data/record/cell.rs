//! A cell of an experiment: one search of one position in one configuration. Plain data, so that what reads results
//! needs to know no engine.

use std::fmt;

use serde::{Deserialize, Serialize};

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
            Self::Virtual => "vs",
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

/// A value of a field of a configuration.
trait Value: Default {
    /// Text of the value in tables and files; empty where it is not set.
    fn text(&self) -> String;

    /// Words for the value in labels, of a field of this name.
    fn in_words(&self, _field: &str, template: &str) -> String {
        match self.text() {
            text if text.is_empty() => text,
            text => template.replace("{}", &text),
        }
    }
}

macro_rules! values {
    ($($Type:ty),*) => {
        $( impl Value for $Type {
            fn text(&self) -> String {
                self.to_string()
            }
        } )*
    };
}

values!(String, u32, u64, Seconds, MachineKind);

impl<T: Value> Value for Option<T> {
    fn text(&self) -> String {
        self.as_ref().map(T::text).unwrap_or_default()
    }
}

impl Value for bool {
    fn text(&self) -> String {
        self.to_string()
    }

    fn in_words(&self, field: &str, _template: &str) -> String {
        format!("{}{field}", if *self { "" } else { "no " })
    }
}

impl Value for DisturbedBy {
    fn text(&self) -> String {
        self.0.clone()
    }

    fn in_words(&self, _field: &str, template: &str) -> String {
        if self.is_none() { "no added load".to_owned() } else { template.replace("{}", &self.0) }
    }
}

impl Value for Depth {
    fn text(&self) -> String {
        self.to_string()
    }

    fn in_words(&self, field: &str, template: &str) -> String {
        match self {
            Self::Plies(plies) => plies.in_words(field, template),
            Self::Size(_) => format!("size {self}"),
            rule => format!("{rule} {field}"),
        }
    }
}

/// Description of a field of configurations, for tables.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// Name in records.
    pub name: &'static str,
    /// Name of its column in CSV files.
    pub column: &'static str,
    /// Meaning of the column, in one sentence without a full stop.
    pub meaning: &'static str,
    /// Text of the field in a configuration; empty where it is not set.
    pub text: fn(&Configuration) -> String,
}

/// Declares [`Configuration`]: each field with its meaning, the name of its column where that is another, and the words
/// around its value in labels.
macro_rules! configuration {
    ($( $field:ident: $Type:ty = $meaning:literal $(, column $column:literal)? $(, label $label:literal)?; )*) => {
        /// All that is chosen about a search but the position, the seed and the repetition.
        #[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(default)]
        pub struct Configuration {
            $( #[doc = $meaning] pub $field: $Type, )*
        }

        impl Configuration {
            /// Names of the fields, in the order in which tables show them.
            pub const FIELDS: [&'static str; [$( stringify!($field) ),*].len()] = [$( stringify!($field) ),*];

            /// Descriptions of the fields, in the same order.
            pub const ABOUT: [Field; Self::FIELDS.len()] = [$( Field {
                name: stringify!($field),
                column: [$( $column, )? stringify!($field)][0],
                meaning: $meaning,
                text: |configuration| configuration.$field.text(),
            } ),*];

            /// Text of a field, by its name; empty where it is not set or there is no such field.
            pub fn field(&self, name: &str) -> String {
                match name {
                    $( stringify!($field) => self.$field.text(), )*
                    _ => String::new(),
                }
            }

            /// Words for a field in a label, where a bare number says too little: `16 MiB`.
            pub fn in_words(&self, name: &str) -> String {
                match name {
                    $( stringify!($field) => {
                        self.$field.in_words(stringify!($field), [$( $label, )? "{}"][0])
                    } )*
                    _ => String::new(),
                }
            }

            /// Copy with a field at its default, so that it equals others that differ in that field only.
            #[must_use]
            pub fn without(&self, name: &str) -> Self {
                let mut rest = self.clone();
                match name {
                    $( stringify!($field) => rest.$field = Default::default(), )*
                    _ => {}
                }
                rest
            }
        }
    };
}

configuration! {
    machine: MachineKind = "kind of machine: real (threads of a computer) or virtual (in simulated time)";
    strategy: String = "strategy by which processors share the search";
    engine: Option<String> = "engine from outside that searches instead of ours";
    threads: u32 = "number of processors", label "x{}";
    board: String = "representation of the board";
    sliders: Option<String> = "sliding method of bishops and rooks on bitboards";
    features: String = "preset of features of the search, with changes";
    depth: Depth = "depth to search to, in plies", label "depth {}";
    horizon: Option<String> = "whether lazy search knows its last depth (closed) or may go beyond it until it is \
                               reached \
(open); records without a value are of closed ones", label "{} horizon";
    nodes: Option<u64> = "limit of nodes, if there is one", column "nodes_limit", label "{} nodes";
    time_s: Option<Seconds> = "limit of time in seconds of the machine, if there is one",
        column "time_limit_s", label "{} s";
    hash_mib: u32 = "size of the table in MiB", label "{} MiB";
    scheme: String = "how workers share the table";
    waiting: Option<String> = "how processors wait";
    copy: Option<String> = "form in which helpers get positions, if it is an axis", label "copy {}";
    copier: Option<String> = "who copies positions under the lock of a split node, if it is an axis", label "copier {}";
    make: Option<String> = "how a move is taken back, if it is an axis", label "make by {}";
    pin: Option<String> = "where real threads run", label "pin {}";
    disturb: DisturbedBy = "busy threads that compete with the measured threads for their processors",
        label "disturbed by {}";
    costs: Option<String> = "cost model of the virtual machine";
    micro: Option<String> = "micro-measurement of boards, which is no search", label "micro {}";
    costs_hash: Option<String> = "hash of the cost model";
    engine_hash: Option<String> = "hash of how the engine from outside is started and set";
    audit: bool = "whether table entries are stamped with their positions and the workers that wrote them";
    losses: bool = "whether nodes that are searched twice are counted";
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
            strategy: strategy.to_owned(),
            threads,
            board: "bitboards".to_owned(),
            sliders: Some("magic".to_owned()),
            features: "thesis".to_owned(),
            depth: Depth::Plies(5),
            hash_mib: 16,
            scheme: "lockless".to_owned(),
            costs: is_virtual.then(|| "reference".to_owned()),
            costs_hash: is_virtual.then(|| "abc".to_owned()),
            ..Self::default()
        }
    }

    /// Whether others are divided by this one: a single processor that shares with nobody.
    pub fn is_baseline(&self) -> bool {
        self.strategy == SEQUENTIAL
    }

    /// Whether an engine from outside searches.
    pub fn is_outside(&self) -> bool {
        self.engine.is_some()
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
