//! The search, written once: generic over the [`Board`](crate::chess::Board) it searches on, the
//! [`Processor`](crate::machine::Processor) it runs on and the [`Strategy`] by which processors share it.
//!
//! A [`Session`] is a search of one position, ready to be run on a [`Machine`](crate::machine::Machine). On each
//! processor it makes a `Worker`; one of them thinks: it searches deeper and deeper (`root`), each node by
//! `alpha_beta`, each leaf by `quiescence`. The same steps on an explicit stack are `frames`, for strategies by which a
//! worker leaves its nodes to others. What it does in detail is set by [`Features`](features::Features). It is the
//! search of the 2004 thesis, whose printed defects are features too, and techniques of today, each in a file.

mod across;
mod alpha_beta;
mod answer;
mod aspiration;
mod brother;
pub mod brute_force;
mod common;
mod contexts;
mod control;
mod corrections;
mod cutoffs;
mod deepening;
mod depth_reached;
mod early_stop;
mod extensions;
pub mod features;
mod frames;
mod further_reductions;
mod futility;
mod handover;
mod internal_deepening;
mod late_moves;
mod ledger;
mod line;
mod mate_distance;
mod multi_cut;
mod node;
mod null_move;
mod ordering;
mod picker;
mod plan;
mod prob_cut;
mod quiescence;
mod quiescence_table;
mod quiescence_widths;
mod quiet_history;
mod quiet_order;
mod ranking;
mod razoring;
mod reverse_futility;
mod root;
mod root_moves;
mod second_search;
mod session;
pub mod signature;
mod singular;
mod spans;
mod strategy;
pub mod table;
mod trace;
mod windows;
mod worker;

pub use across::{Exchange, Rule};
pub(crate) use across::{farewell, next_number};
pub use answer::Answer;
pub use answer::Iteration;
pub(crate) use common::Watcher;
pub use common::{DEEPEST, DEFAULT_DEPTH, Horizon, Limits, SearchSettings};
pub use control::{Control, RootStep};
pub(crate) use frames::{Frame, Trial, Trunk};
pub use handover::{Context, Killers, LineMemory, LineTo};
pub(crate) use node::Below;
pub use node::{Expected, MAX_PLY, Node, ONE_PLY, Place, Progress, Verdict, Window};
pub(crate) use picker::{Picker, Ranked, pick_from};
pub(crate) use quiet_history::Histories;
pub use session::{InOrder, Outcome, Part, Remembered, Session};
pub(crate) use strategy::Sharing;
#[cfg(test)]
pub(crate) use strategy::tests::Told;
pub use strategy::{At, Sequential, Strategy, Team};
pub(crate) use trace::Begun;
pub use trace::{End, Job, MOST_VISITS, Moment, Role, Trace, Visit};
pub(crate) use worker::Worker;
