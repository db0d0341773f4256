//! The axes one by one: the only place that names them.

use super::super::cell::Depth;
use super::super::defined::Defined;
use super::{Axis, Decides, Form, PLAIN};
use crate::table::number::counted;

/// Kind of machine.
pub const MACHINE: Axis = Axis {
    name: "machine",
    meaning: "kind of machine: real (threads of a computer) or virtual (in simulated time)",
    text: |configuration| configuration.machine.to_string(),
    clear: |configuration| configuration.machine = Default::default(),
    decides: Decides::Problem,
    takes_time: true,
    is_of_machine: true,
    ..PLAIN
};

/// Strategy.
pub const STRATEGY: Axis = Axis {
    name: "strategy",
    meaning: "strategy by which processors share the search",
    text: |configuration| configuration.strategy.to_string(),
    clear: |configuration| configuration.strategy = Default::default(),
    decides: Decides::Sharing,
    form: Form::WithChanges,
    ..PLAIN
};

/// Engine from outside.
pub const ENGINE: Axis = Axis {
    name: "engine",
    meaning: "engine from outside that searches instead of ours",
    text: |configuration| of_option(&configuration.engine),
    clear: |configuration| configuration.engine = None,
    decides: Decides::Problem,
    takes_time: true,
    ..PLAIN
};

/// Number of processors.
pub const THREADS: Axis = Axis {
    name: "threads",
    meaning: "number of processors",
    text: |configuration| configuration.threads.to_string(),
    clear: |configuration| configuration.threads = 0,
    decides: Decides::Sharing,
    label: "x{}",
    ..PLAIN
};

/// Number of nodes.
pub const CLUSTER_NODES: Axis = Axis {
    name: "cluster_nodes",
    meaning: "number of nodes: processes of ours that search together under mpirun, or those that an engine from \
              outside is spread over, whose command has {nodes}",
    text: |configuration| of_option(&configuration.cluster_nodes),
    clear: |configuration| configuration.cluster_nodes = None,
    decides: Decides::Sharing,
    // A curve is of nodes of one size, and its number of processors grows with that of nodes.
    own_words: Some(|configuration| match configuration.cluster_nodes {
        None => String::new(),
        Some(1) => "one node".to_owned(),
        Some(_) => format!("nodes of {}", counted(configuration.threads_of_node(), "thread", "threads")),
    }),
    ..PLAIN
};

/// Board.
pub const BOARD: Axis = Axis {
    name: "board",
    meaning: "representation of the board",
    text: |configuration| configuration.board.clone(),
    clear: |configuration| configuration.board.clear(),
    takes_time: true,
    ..PLAIN
};

/// Sliding method.
pub const SLIDERS: Axis = Axis {
    name: "sliders",
    meaning: "sliding method of bishops and rooks on bitboards",
    text: |configuration| of_option(&configuration.sliders),
    clear: |configuration| configuration.sliders = None,
    goes_with: Some(&BOARD),
    ..PLAIN
};

/// Features.
pub const FEATURES: Axis = Axis {
    name: "features",
    meaning: "preset of features of the search, with changes",
    text: |configuration| configuration.features.to_string(),
    clear: |configuration| configuration.features = Default::default(),
    decides: Decides::Problem,
    form: Form::WithChanges,
    takes_time: true,
    ..PLAIN
};

/// Depth, or the rule for it.
pub const DEPTH: Axis = Axis {
    name: "depth",
    meaning: "depth to search to, in plies",
    text: |configuration| configuration.depth.to_string(),
    clear: |configuration| configuration.depth = Depth::default(),
    decides: Decides::Problem,
    own_words: Some(|configuration| match configuration.depth {
        Depth::Plies(plies) => format!("depth {plies}"),
        Depth::Size(_) => format!("size {}", configuration.depth),
        rule => format!("{rule} depth"),
    }),
    ..PLAIN
};

/// Horizon.
pub const HORIZON: Axis = Axis {
    name: "horizon",
    meaning: "whether lazy search knows its last depth (closed) or may go beyond it until it is reached (open); \
              records without a value are of closed ones",
    text: |configuration| of_option(&configuration.horizon),
    clear: |configuration| configuration.horizon = None,
    decides: Decides::Sharing,
    label: "{} horizon",
    goes_with: Some(&STRATEGY),
    ..PLAIN
};

/// Limit of nodes.
pub const NODES: Axis = Axis {
    name: "nodes",
    column: Some("nodes_limit"),
    meaning: "limit of nodes, if there is one",
    text: |configuration| of_option(&configuration.nodes),
    clear: |configuration| configuration.nodes = None,
    decides: Decides::Problem,
    label: "{} nodes",
    ..PLAIN
};

/// Limit of time.
pub const TIME: Axis = Axis {
    name: "time_s",
    column: Some("time_limit_s"),
    meaning: "limit of time in seconds of the machine, if there is one",
    text: |configuration| of_option(&configuration.time_s),
    clear: |configuration| configuration.time_s = None,
    decides: Decides::Problem,
    label: "{} s",
    ..PLAIN
};

/// Size of the table.
pub const HASH: Axis = Axis {
    name: "hash_mib",
    meaning: "size of the table in MiB",
    text: |configuration| configuration.hash_mib.to_string(),
    clear: |configuration| configuration.hash_mib = 0,
    label: "{} MiB",
    takes_time: true,
    ..PLAIN
};

/// Scheme of the table.
pub const SCHEME: Axis = Axis {
    name: "scheme",
    meaning: "how workers share the table",
    text: |configuration| configuration.scheme.clone(),
    clear: |configuration| configuration.scheme.clear(),
    ..PLAIN
};

/// Waiting.
pub const WAITING: Axis = Axis {
    name: "waiting",
    meaning: "how processors wait",
    text: |configuration| of_option(&configuration.waiting),
    clear: |configuration| configuration.waiting = None,
    decides: Decides::Sharing,
    ..PLAIN
};

/// Form of copies.
pub const COPY: Axis = Axis {
    name: "copy",
    meaning: "form in which helpers get positions, if it is an axis",
    text: |configuration| of_option(&configuration.copy),
    clear: |configuration| configuration.copy = None,
    decides: Decides::Sharing,
    label: "copy {}",
    ..PLAIN
};

/// Who copies.
pub const COPIER: Axis = Axis {
    name: "copier",
    meaning: "who copies positions under the lock of a split node, if it is an axis",
    text: |configuration| of_option(&configuration.copier),
    clear: |configuration| configuration.copier = None,
    decides: Decides::Sharing,
    label: "copier {}",
    ..PLAIN
};

/// Way to take back moves.
pub const MAKE: Axis = Axis {
    name: "make",
    meaning: "how a move is taken back, if it is an axis",
    text: |configuration| of_option(&configuration.make),
    clear: |configuration| configuration.make = None,
    label: "make by {}",
    ..PLAIN
};

/// Pinning.
pub const PIN: Axis = Axis {
    name: "pin",
    meaning: "where real threads run",
    text: |configuration| of_option(&configuration.pin),
    clear: |configuration| configuration.pin = None,
    label: "pin {}",
    is_of_machine: true,
    ..PLAIN
};

/// Busy threads beside the search.
pub const DISTURB: Axis = Axis {
    name: "disturb",
    meaning: "busy threads that compete with the measured threads for their processors",
    text: |configuration| configuration.disturb.as_str().to_owned(),
    clear: |configuration| configuration.disturb = Default::default(),
    decides: Decides::Problem,
    own_words: Some(|configuration| match &configuration.disturb {
        disturb if disturb.is_none() => "no added load".to_owned(),
        disturb => format!("disturbed by {}", disturb.as_str()),
    }),
    is_of_machine: true,
    ..PLAIN
};

/// Cost model.
pub const COSTS: Axis = Axis {
    name: "costs",
    meaning: "cost model of the virtual machine",
    text: |configuration| of_option(&configuration.costs),
    clear: |configuration| configuration.costs = None,
    decides: Decides::Problem,
    form: Form::WithChanges,
    takes_time: true,
    is_of_machine: true,
    ..PLAIN
};

/// Micro-measurement.
pub const MICRO: Axis = Axis {
    name: "micro",
    meaning: "micro-measurement of boards, which is no search",
    text: |configuration| of_option(&configuration.micro),
    clear: |configuration| configuration.micro = None,
    decides: Decides::Problem,
    label: "micro {}",
    ..PLAIN
};

/// Hash of the cost model.
pub const COSTS_HASH: Axis = Axis {
    name: "costs_hash",
    meaning: "hash of the cost model",
    text: |configuration| hash(&configuration.costs),
    clear: |configuration| forget_hash(&mut configuration.costs),
    decides: Decides::Problem,
    form: Form::Hash,
    is_of_machine: true,
    goes_with: Some(&COSTS),
    ..PLAIN
};

/// Hash of an engine from outside: one that is started in two ways is two engines.
pub const ENGINE_HASH: Axis = Axis {
    name: "engine_hash",
    meaning: "hash of how the engine from outside is started and set",
    text: |configuration| hash(&configuration.engine),
    clear: |configuration| forget_hash(&mut configuration.engine),
    decides: Decides::Problem,
    form: Form::Hash,
    goes_with: Some(&ENGINE),
    ..PLAIN
};

/// Audit of the table.
pub const AUDIT: Axis = Axis {
    name: "audit",
    meaning: "whether table entries are stamped with their positions and the workers that wrote them",
    text: |configuration| configuration.audit.to_string(),
    clear: |configuration| configuration.audit = false,
    own_words: Some(|configuration| switch(AUDIT.name, configuration.audit)),
    ..PLAIN
};

/// Count of nodes that are searched twice.
pub const LOSSES: Axis = Axis {
    name: "losses",
    meaning: "whether nodes that are searched twice are counted",
    text: |configuration| configuration.losses.to_string(),
    clear: |configuration| configuration.losses = false,
    own_words: Some(|configuration| switch(LOSSES.name, configuration.losses)),
    ..PLAIN
};

/// All axes, in the order in which tables show them.
pub const AXES: &[Axis] = &[
    MACHINE,
    STRATEGY,
    ENGINE,
    THREADS,
    CLUSTER_NODES,
    BOARD,
    SLIDERS,
    FEATURES,
    DEPTH,
    HORIZON,
    NODES,
    TIME,
    HASH,
    SCHEME,
    WAITING,
    COPY,
    COPIER,
    MAKE,
    PIN,
    DISTURB,
    COSTS,
    MICRO,
    COSTS_HASH,
    ENGINE_HASH,
    AUDIT,
    LOSSES,
];

fn of_option(value: &Option<impl ToString>) -> String {
    value.as_ref().map(ToString::to_string).unwrap_or_default()
}

fn hash(value: &Option<Defined>) -> String {
    value.as_ref().map(|defined| defined.hash.clone()).unwrap_or_default()
}

fn forget_hash(value: &mut Option<Defined>) {
    if let Some(defined) = value {
        defined.hash.clear();
    }
}

fn switch(name: &str, is_on: bool) -> String {
    format!("{}{name}", if is_on { "" } else { "no " })
}
