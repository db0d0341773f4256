//! Reverse futility pruning: a node that stands far above beta is taken to keep that, and is left with its static
//! evaluation. After "Chess Engine AI" (Szabo 2023), which does so only while neither king is attacked much.

use std::ops::ControlFlow::{Break, Continue};

use super::node::{Expected, Node, Tried};
use super::strategy::Strategy;
use super::worker::Worker;
use crate::chess::{Board, Color, Score};
use crate::eval::liverpool::attack_units;
use crate::machine::Processor;
use crate::settings::settings;

settings! {
    /// Parameters of reverse futility pruning.
    pub struct ReverseFutility, "feature";
    => "Reverse futility pruning", "Szabo 2023",
        tried by [
            "reverse-futility-margin=800 then reverse-futility=4",
            "reverse-futility=4,reverse-futility-margin=800 then reverse-futility-margin=2000",
            "reverse-futility=4,reverse-futility-margin=800 then reverse-futility-guard-attack=2",
            "+reverse-futility=4,+reverse-futility-margin=800 then +reverse-futility-guard=1",
            "reverse-futility=4,reverse-futility-margin=800 then +reverse-futility-rising",
        ];
    draft: i32 [0..=20 "plies"], "reverse-futility",
        "largest draft at which a node whose static evaluation is far above beta is left with it; 0: never";
    margin: i32 [0..=20_000 "thousandths of a pawn"], "reverse-futility-margin",
        "amount for each ply of draft by which the evaluation must be above beta";
    rising: bool, "reverse-futility-rising",
        "where the static evaluation is above that of two plies before, the margin is that of one ply less";
    guard: i32 [0..=99 "units of attack"], "reverse-futility-guard",
        "a node is not left if the attacks on the squares around the king of the side to move, weighted by officer and \
         by the material that is left, come to more than this (Szabo 2023: 1); 0: there is no such guard";
    guard_attack: i32 [0..=99 "units of attack"], "reverse-futility-guard-attack",
        "a node is not left if the attacks on the opponent's king come to more than this (Szabo 2023: 2); 0: there is \
         no such guard";
}

impl ReverseFutility {
    /// Whether reverse futility pruning is ever used.
    pub(super) const fn is_used(&self) -> bool {
        self.draft > 0
    }
}

impl<B: Board, P: Processor, S: Strategy> Worker<'_, B, P, S> {
    /// Ends a node that stands so well that it need not be searched, with its static evaluation.
    #[inline(never)]
    pub(super) fn stands_above(&self, node: &Node) -> Tried {
        let rule = &self.features.reverse_futility;
        let Some(standing) = node.standing else { return Continue(()) };
        let plies = node.plies() - i32::from(rule.rising && node.is_rising());
        let is_tried = rule.is_used()
            && node.plies() <= rule.draft
            && node.expected != Expected::Pv
            && node.beta.0.abs() <= Score::LONGEST_MATE.0
            && standing - Score(rule.margin * plies) >= node.beta;
        let us = self.board.turn();
        let is_quiet = |king: Color, most: i32| most == 0 || attack_units(&self.board, king) <= most;
        let is_kept = is_tried && is_quiet(us, rule.guard) && is_quiet(!us, rule.guard_attack);
        if is_kept { Break(Some(standing)) } else { Continue(()) }
    }
}
