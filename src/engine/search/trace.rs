//! The timeline that a worker keeps where it is asked for: its parts in nodes that were shared, and the moments at
//! which it cut a node off or saw that its own result was not wanted any more.

use super::node::{Expected, Node, Progress};
use crate::choices::choices;

/// Timeline of a worker.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trace {
    /// Parts in shared nodes, in the order in which they ended.
    pub jobs: Vec<Job>,
    /// Cutoffs and stops, in the order in which they happened.
    pub moments: Vec<Moment>,
    /// With the ledger: nodes with draft left that the table did not end, in the order in which they were entered, up
    /// to [`MOST_VISITS`].
    pub visits: Vec<Visit>,
}

/// Number of visits of a worker that are kept: more fit into no picture.
pub const MOST_VISITS: usize = 20_000;

/// Search of a node by a worker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Visit {
    /// Key of the position, with the side to move.
    pub key: u64,
    /// Distance of the node from the root.
    pub ply: usize,
    /// Depth of the node's search in plies.
    pub plies: i32,
    /// Expected type of the node.
    pub expected: Expected,
    /// Beginning, in nanoseconds of the run.
    pub from: u64,
    /// End, in nanoseconds of the run; nothing if the worker never left the node.
    pub to: Option<u64>,
    /// Whether there was a result.
    pub has_result: bool,
}

choices! {
    /// Role of a worker at a shared node.
    pub enum Role, "role";
    /// Owner of the node, from the moment it shared the node until the last helper has left.
    Own "own",
    /// Helper at a node of another worker.
    Help "help",
    /// Owner that takes moves of its own node like a helper, where that is a job like others.
    Search "search",
}

choices! {
    /// Outcome of a worker's part in a shared node.
    pub enum End, "end";
    /// All moves were taken, and none was good enough to cut.
    Done "no move left",
    /// A move has cut: for an owner anybody's, for a helper its own.
    Cut "cut",
    /// The result was not wanted any more.
    Stopped "stopped",
}

impl End {
    /// Outcome of a shared node with this progress, for whoever has been there until it was done.
    pub(crate) fn of(progress: &Progress, is_known: bool) -> Self {
        match (is_known, progress.cut) {
            (false, _) => Self::Stopped,
            (true, Some(_)) => Self::Cut,
            (true, None) => Self::Done,
        }
    }
}

/// A worker's part in a node that was shared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Job {
    /// Role of the worker.
    pub role: Role,
    /// Beginning of the part, in nanoseconds of the run.
    pub from: u64,
    /// End of the part, in nanoseconds of the run.
    pub to: u64,
    /// Worker that owned the node.
    pub owner: usize,
    /// Moment at which the owner shared the node, in nanoseconds of the run.
    pub shared: u64,
    /// Distance of the node from the root.
    pub ply: usize,
    /// Depth of the node's search in plies.
    pub plies: i32,
    /// Expected type of the node.
    pub expected: Expected,
    /// Number of nodes that the worker entered meanwhile.
    pub nodes: u64,
    /// Outcome.
    pub end: End,
}

/// Beginning of a part, until [`Worker::end_job`](super::Worker::end_job) makes it whole.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Begun {
    pub role: Role,
    pub owner: usize,
    /// Moment at which the owner shared the node.
    pub shared: u64,
    pub from: u64,
    /// Number of nodes that the worker had entered before.
    pub nodes: u64,
}

impl Begun {
    /// The part at this node that ends now.
    pub(super) fn ended(self, node: &Node, end: End, now: u64, nodes: u64) -> Job {
        let Self { role, owner, shared, from, nodes: before } = self;
        let (ply, plies, expected) = (node.ply, node.plies(), node.expected);
        Job { role, from, to: now, owner, shared, ply, plies, expected, nodes: nodes - before, end }
    }
}

/// A moment in the life of a worker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moment {
    /// Cutoff of a shared node by one of the worker's moves.
    Cutoff {
        /// Moment, in nanoseconds of the run.
        at: u64,
        /// Distance of the node from the root.
        ply: usize,
    },
    /// Stop of a worker whose result is not wanted any more.
    Stop {
        /// Moment, in nanoseconds of the run.
        at: u64,
        /// Moment since which the result was not wanted.
        since: u64,
    },
}
