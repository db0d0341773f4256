//! Early stop at the root, as ColChess does it: where there is but one move to play, no deeper iteration is needed to
//! find it. An experiment by depth that has this on measures the time to a shallower depth in such positions.

use super::strategy::Strategy;
use super::worker::Worker;
use crate::chess::Board;
use crate::machine::Processor;
use crate::settings::settings;

settings! {
    /// Parameters of the early stop.
    pub struct EarlyStop, "feature";
    => "Early stop at the root", "ColChess page", tried by ["+root-early-stop"];
    is_used: bool, "root-early-stop",
        "no further iteration is searched if the root has one legal move, or if all of its moves but one have been \
         found to lose by mate";
}

impl<B: Board, P: Processor, S: Strategy> Worker<'_, B, P, S> {
    /// Whether there is one move to play, and no other.
    pub(super) fn is_decided(&self) -> bool {
        let moves = &self.root_moves.list;
        let not_lost = || moves.iter().filter(|root_move| !root_move.is_lost).count();
        self.features.early_stop.is_used && (moves.len() == 1 || not_lost() == 1)
    }
}
