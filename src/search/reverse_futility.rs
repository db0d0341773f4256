//! Reverse futility pruning: a node that stands far above beta is taken to keep that, and is left with its static
//! evaluation. After "Chess Engine AI" (Szabo 2023), which does so only while the own king is safe.

use super::node::{Expected, Node};
use super::strategy::Strategy;
use super::worker::Worker;
use crate::chess::{Board, PieceKind, Score, Square, SquareSet};
use crate::machine::Processor;
use crate::settings::settings;

settings! {
    /// Parameters of reverse futility pruning.
    pub struct ReverseFutility, "feature";
    => "Reverse futility pruning", "Szabo 2023";
    draft: i32 [0..=20 "plies"], "reverse-futility",
        "largest draft at which a node whose static evaluation is far above beta is left with it; 0: never";
    margin: i32 [0..=20_000 "thousandths of a pawn"], "reverse-futility-margin",
        "amount for each ply of draft by which the evaluation must be above beta";
    guard: i32 [0..=15 "officers"], "reverse-futility-guard",
        "a node is not left if more officers of the opponent than this attack a square beside the king; 0: it may be, \
         whatever attacks the king";
}

impl ReverseFutility {
    /// Whether it is ever used.
    pub(super) const fn is_used(&self) -> bool {
        self.draft > 0
    }
}

impl<B: Board, P: Processor, S: Strategy> Worker<'_, B, P, S> {
    /// Score of a node that stands so well that it need not be searched.
    #[inline(never)]
    pub(super) fn stands_above(&self, node: &Node) -> Option<Score> {
        let rule = &self.features.reverse_futility;
        let standing = node.standing?;
        let is_tried = rule.is_used()
            && node.plies() <= rule.draft
            && node.expected != Expected::Pv
            && node.beta.0.abs() <= Score::LONGEST_MATE.0
            && standing - Score(rule.margin * node.plies()) >= node.beta;
        (is_tried && (rule.guard == 0 || self.attackers_of_king() <= rule.guard)).then_some(standing)
    }

    /// Number of the opponent's officers that attack a square beside the king of the side to move.
    fn attackers_of_king(&self) -> i32 {
        let us = self.board.turn();
        let zone = self.board.attacks_from(self.board.king(us));
        let attackers = zone.into_iter().fold(SquareSet::EMPTY, |all, square| all | self.board.attackers(square, !us));
        let is_officer = |square: &Square| {
            self.board.piece_on(*square).is_some_and(|piece| !matches!(piece.kind(), PieceKind::Pawn | PieceKind::King))
        };
        attackers.into_iter().filter(is_officer).count() as i32
    }
}
