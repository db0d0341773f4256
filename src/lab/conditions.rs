//! Conditions of a laboratory: what it knows beside its cells, and how far it goes.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::fill::Filling;
use crate::machine::Schedule;
use crate::machine::cost::CostModel;
use crate::outside::Definition;
use crate::record::{Cell, PositionInfo, Word};

/// Conditions under which a laboratory measures all its cells.
#[derive(Clone, Debug, Default)]
pub struct Conditions {
    /// Cost models that cells may name beside those that ship, by name.
    pub models: BTreeMap<String, CostModel>,
    /// Engines from outside that cells may name, by name.
    pub engines: BTreeMap<String, Arc<Definition>>,
    /// Positions with the moves that solve them.
    pub positions: Vec<PositionInfo>,
    /// Seconds of its machine that a cell may take.
    pub limit_s: Option<f64>,
    /// Nodes that a cell may take, all processors together.
    pub limit_nodes: Option<u64>,
    /// Threads that keep processors busy that are not measured, if any do.
    pub fill: Option<Filling>,
    /// Whether each search on a real machine gets a new table at a random address: where data lie differs between
    /// repetitions, so that luck with addresses is not taken for an effect.
    pub random_addresses: bool,
    /// Whether the tables of real searches are interleaved over the NUMA nodes.
    pub interleaves: bool,
    /// Order in which virtual processors run.
    pub schedule: Schedule,
}

impl Conditions {
    /// Whether a move solves the position of a cell; nothing if the moves that do are not known.
    pub(super) fn is_solved(&self, cell: &Cell, bestmove: Option<&Word>) -> Option<bool> {
        let is_it = |position: &&PositionInfo| position.id == cell.position && position.fen == cell.fen;
        self.positions.iter().find(is_it).zip(bestmove).and_then(|(position, mv)| position.is_solved_by(mv))
    }
}
