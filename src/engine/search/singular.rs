//! Singular extension (Anantharaman, Campbell and Hsu 1988): a table move that is better than all others by a margin is
//! searched deeper. Whether it is, a shallower search of the others tells.

use super::node::{Expected, Node, ONE_PLY, Place, Progress};
use super::strategy::Strategy;
use super::table::{Bound, Hint};
use super::worker::Worker;
use crate::chess::{Board, MoveList, Score};
use crate::machine::Processor;
use crate::settings::settings;

settings! {
    /// Parameters of singular extensions.
    pub struct Singular, "feature";
    => "Singular extensions", "Anantharaman, Campbell and Hsu 1988; common practice (table move)",
        tried by [
            "singular-extension=3,+singular-margin=20",
            "singular-extension=3,singular-margin=20 then singular-margin=100",
        ];
    draft: i32 [0..=30 "plies"], "singular-extension",
        "least draft at which the table's move is searched a ply deeper if all others are worse by a margin; 0: never";
    margin: i32 [0..=1_000 "thousandths of a pawn"], "singular-margin",
        "amount for each ply of draft by which the others must be worse than the table's score";
}

/// Most plies by which an entry of the table may be shallower than the node.
const LESS_DRAFT: i32 = 3;

impl Singular {
    /// Whether it is ever used.
    pub(super) const fn is_used(&self) -> bool {
        self.draft > 0
    }
}

impl<B: Board, P: Processor, S: Strategy> Worker<'_, B, P, S> {
    /// Extends the first move of a node if it is the table's and singular. `None` if the search was stopped.
    #[inline(always)]
    pub(super) fn extend_singular(&mut self, node: &mut Node, hint: Hint) -> Option<()> {
        let rule = self.features.singular;
        let is_tried = rule.is_used() && node.plies() >= rule.draft && hint.is_some() && node.ply > 0 && !node.is_again;
        if is_tried && node.ply as i32 * ONE_PLY < 2 * self.iteration {
            let top = self.moves.len();
            let is_singular = self.is_singular(node, hint);
            self.moves.truncate(top);
            node.extends_first = is_singular?;
        }
        Some(())
    }

    /// Whether all moves but the table's are worse by the margin.
    #[inline(never)]
    fn is_singular(&mut self, node: &Node, hint: Hint) -> Option<bool> {
        let found = self.look_up(node.draft - LESS_DRAFT * ONE_PLY, |entry| {
            let score = self.score_from_table(entry, node.ply);
            (entry.bound != Bound::Upper && score.0.abs() <= Score::LONGEST_MATE.0).then_some(score)
        });
        let Some(score) = found.score else { return Some(false) };
        let beta = score - Score(self.features.singular.margin * node.plies());
        let others = Node {
            alpha: beta - Score(1),
            beta,
            draft: (node.draft - ONE_PLY) / 2,
            expected: Expected::Cut,
            is_again: true,
            ..*node
        };
        let mut list = MoveList::new();
        if node.in_check {
            self.generate(B::legal_moves, &mut list);
        }
        let mut picker = self.rank_all(node, &mut list, Hint::NONE);
        let progress = Progress::of(&others);
        let (mut number, mut has_first) = (0, false);
        while let Some(mv) = self.pick(&mut picker) {
            if !node.in_check && !self.board.is_legal(mv, false) {
                continue;
            }
            if hint.is(mv) {
                has_first = true;
                continue;
            }
            let score = self.brother(&others, &progress, mv, Place::later(number))?;
            if score >= beta {
                return Some(false);
            }
            number += 1;
        }
        Some(has_first)
    }
}
