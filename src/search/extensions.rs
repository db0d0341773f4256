//! Extensions: nodes that are searched deeper than their parents left them. Each is decided at the node itself, from
//! the moves that led to it.

use super::node::Node;
use super::strategy::Strategy;
use super::worker::{ONE_PLY, Worker};
use crate::chess::{Board, Move, PieceKind::Pawn, Square, see};
use crate::machine::Processor;

/// Seventh rank, counted from 0.
const SEVENTH: u8 = 6;

impl<B: Board, P: Processor, S: Strategy> Worker<'_, B, P, S> {
    /// Extends the node's draft. `replies` is the number of legal moves, if in check.
    #[inline(always)]
    pub(super) fn extend(&mut self, node: &mut Node, replies: usize) {
        let features = &self.features;
        let mut extension = 0;
        if node.in_check && features.check_extension > 0 {
            extension += features.check_extension;
            self.counters.check_extensions += 1;
        }
        if node.in_check && replies == 1 && features.one_reply_extension > 0 {
            extension += features.one_reply_extension;
            self.counters.one_reply_extensions += 1;
        }
        if features.pawn_extension > 0 && !features.defect_pawn_extension_dead && self.is_pawn_on_seventh(node.ply) {
            extension += features.pawn_extension;
            self.counters.pawn_extensions += 1;
        }
        if features.recapture_extension > 0 && node.ply > 1 && self.is_recapture(node.ply) {
            extension += features.recapture_extension;
            self.counters.recapture_extensions += 1;
        }
        if extension > 0 {
            self.extend_by(node, extension);
        }
    }

    /// Extends the node's draft by this much, as far as its line's budget reaches.
    pub(super) fn extend_by(&self, node: &mut Node, mut extension: i32) {
        let features = &self.features;
        let ply = node.ply as i32;
        extension = extension.min(ply * features.extension_budget - node.extended).max(0);
        if features.extension_halving > 0 && ply * ONE_PLY > features.extension_halving * self.iteration {
            extension /= 2;
        }
        node.draft += extension;
        node.extended += extension;
    }

    #[inline(always)]
    fn is_pawn_on_seventh(&self, ply: usize) -> bool {
        let arrived = self.plies[ply].arrived_by;
        arrived.is_some_and(|mv| mv.piece() == Pawn && mv.to().rank() == (!self.board.turn()).rank(SEVENTH))
    }

    #[inline(always)]
    fn is_recapture(&self, ply: usize) -> bool {
        let [last, before] = [self.plies[ply].arrived_by, self.plies[ply - 1].arrived_by];
        if let (Some(last), Some(before)) = (last, before) {
            let won = |mv: Move| mv.captured().map(see::value);
            return last.is_capture() && last.to() == before.to() && won(last) == won(before);
        }
        // The printed program takes a null move for a quiet move to a1.
        let is_quiet_to_a1 = |mv: Move| !mv.is_capture() && mv.to() == Square::A1;
        self.features.defect_null_recapture && last.or(before).is_some_and(is_quiet_to_a1)
    }
}
