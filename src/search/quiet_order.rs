//! Orders of quiet moves other than by killers and history alone.

use super::picker::{COUNTER_MOVE, Picker, Ranked};
use super::strategy::Strategy;
use super::worker::Worker;
use crate::chess::order::CanonicalOrder;
use crate::chess::{Board, Checks, Move, MoveKind, PieceKind::Pawn};
use crate::choices::choices;
use crate::machine::Processor;

choices! {
    /// Order of the quiet moves that are neither the table's move nor killers.
    pub enum QuietOrder, "order of quiet moves";
    /// By history.
    History "history",
    /// Castling first, on the king's side before the queen's; the others by history (Szabo 2023).
    Castling "castling",
    /// Moves of pawns and checks, then moves towards the centre, then the others; history does not count (ColChess
    /// page).
    Classes "classes",
}

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
