//! Orders of quiet moves other than by killers and history alone.

use super::ordering::QuietOrder;
use super::picker::{Picker, Ranked};
use super::ranking::COUNTER_MOVE;
use super::strategy::Strategy;
use super::worker::Worker;
use crate::chess::order::CanonicalOrder;
use crate::chess::{Board, Checks, Move, MoveKind, PieceKind::Pawn};
use crate::machine::Processor;

impl<B: Board, P: Processor, S: Strategy> Worker<'_, B, P, S> {
    /// Gives new keys to the quiet moves of a node that history has ordered.
    #[inline(never)]
    pub(super) fn order_quiet_moves(&mut self, picker: &Picker) {
        let by_class = self.features.ordering.quiet == QuietOrder::Classes;
        let checks = by_class.then(|| Checks::on(&self.board));
        for Ranked { key, mv } in &mut self.moves[picker.all()] {
            if !mv.is_quiet() || CanonicalOrder::score(*key) >= COUNTER_MOVE {
                continue;
            }
            let score = match &checks {
                Some(checks) if checks.are_given_by(&self.board, *mv) => 2,
                Some(_) => class_without_check(*mv),
                None if mv.kind() != MoveKind::Castling => continue,
                None => COUNTER_MOVE - if mv.to().file() > mv.from().file() { 1 } else { 2 },
            };
            *key = self.order.key_of_quiet(score, *mv);
        }
    }
}

/// Class of a quiet move that gives no check; moves of a higher one come first.
fn class_without_check(mv: Move) -> i64 {
    if mv.piece() == Pawn { 2 } else { (mv.to().from_centre() < mv.from().from_centre()).into() }
}
