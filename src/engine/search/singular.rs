//! Singular extension (Anantharaman, Campbell and Hsu 1988): a table move that is better than all others by a margin is
//! searched deeper. Whether it is, a shallower search of the others tells. If it is not, the same search may show that
//! there are several good moves: then the node is cut off, or the table's move is searched less deep.

use std::ops::ControlFlow::{self, Break, Continue};

use super::node::{Expected, Node, ONE_PLY, Place, Progress, Tried};
use super::picker::Picker;
use super::strategy::Strategy;
use super::table::{Bound, Hint};
use super::worker::Worker;
use crate::chess::{Board, Move, MoveList, Score};
use crate::machine::Processor;
use crate::settings::settings;

settings! {
    /// Parameters of singular extensions.
    pub struct Singular, "feature";
    => "Singular extensions",
        "Anantharaman, Campbell and Hsu 1988; common practice (table move; Stockfish: twice, multi-cut, negative)",
        tried by [
            "singular-margin=20 then singular-extension=3",
            "singular-extension=3,singular-margin=20 then singular-margin=100",
            "singular-extension=3,singular-margin=20,+fail-soft then singular-twice=10",
            "singular-extension=3,singular-margin=20 then +singular-multi-cut",
            "singular-extension=3,singular-margin=20 then singular-negative=1",
        ];
    draft: i32 [0..=30 "plies"], "singular-extension",
        "least draft at which the table's move is searched a ply deeper if all others are worse by a margin; 0: never";
    margin: i32 [0..=1_000 "thousandths of a pawn"], "singular-margin",
        "amount for each ply of draft by which the others must be worse than the table's score";
    twice: i32 [0..=5_000 "thousandths of a pawn"], "singular-twice",
        "further amount by which the others must be worse for the table's move to be searched two plies deeper, \
         outside of the principal variation; by how much they are worse, 'fail-soft' can tell best; 0: it never is";
    multi_cut: bool, "singular-multi-cut",
        "a node is cut off if a move beside the table's is good enough in the shallower search, and what it had to \
         reach there is not below beta";
    negative: i32 [0..=3 "plies"], "singular-negative",
        "plies by which the table's move is searched less deep if its score in the table is not below beta, and \
         another move is good enough; 0: it is not";
}

/// Most plies by which an entry of the table may be shallower than the node.
const LESS_DRAFT: i32 = 3;

impl Singular {
    /// Whether singular extensions are ever used.
    pub(super) const fn is_used(&self) -> bool {
        self.draft > 0
    }
}

/// The moves of a node but the table's, searched less deep to see whether all are worse.
pub(super) struct Others {
    /// The node less deep, with a null window below the table's score.
    pub node: Node,
    /// Window in which they are searched.
    pub window: Progress,
    picker: Picker,
    /// Score of the first move in the table.
    known: Score,
    /// Best score of those that have been searched.
    best: Option<Score>,
    pub number: u32,
    has_first: bool,
    top: usize,
}

impl<B: Board, P: Processor, S: Strategy> Worker<'_, B, P, S> {
    /// Extends the first move of a node if it is the table's and singular. If it is not, the node may be ended.
    #[inline(always)]
    pub(super) fn extend_singular(&mut self, node: &mut Node, hint: Hint) -> Tried {
        if self.may_be_singular(node, hint) { self.try_others(node, hint) } else { Continue(()) }
    }

    /// Whether a node's first move is to be tested.
    #[inline(always)]
    pub(super) fn may_be_singular(&self, node: &Node, hint: Hint) -> bool {
        let rule = self.features.singular;
        let is_tried = rule.is_used() && node.plies() >= rule.draft && hint.is_some() && node.ply > 0 && !node.is_again;
        is_tried && self.may_lengthen(node)
    }

    #[inline(never)]
    fn try_others(&mut self, node: &mut Node, hint: Hint) -> Tried {
        let Some(mut others) = self.begin_others(node) else { return Continue(()) };
        while let Some(mv) = self.next_other(node, &mut others, hint) {
            let score = self.brother(&others.node, &others.window, mv, Place::later(others.number));
            if let Break(end) = self.end_other(node, &mut others, score) {
                return end;
            }
        }
        Continue(())
    }

    /// Begins to search the other moves, if the table has a score to compare them with.
    pub(super) fn begin_others(&mut self, node: &Node) -> Option<Others> {
        let found = self.look_up((node.draft - LESS_DRAFT * ONE_PLY).max(ONE_PLY), |entry| {
            let score = self.score_from_table(entry, node.ply);
            (entry.bound != Bound::Upper && score.0.abs() <= Score::LONGEST_MATE.0).then_some(score)
        });
        let known = found.score?;
        let beta = known - Score(self.features.singular.margin * node.plies());
        let others = Node {
            alpha: beta - Score(1),
            beta,
            draft: (node.draft - ONE_PLY) / 2,
            expected: Expected::Cut,
            is_again: true,
            ..*node
        };
        let top = self.moves.len();
        let mut list = MoveList::new();
        if node.in_check {
            self.generate(B::legal_moves, &mut list);
        }
        let picker = self.rank_all(node, &mut list, Hint::NONE);
        let (window, best) = (Progress::of(&others), None);
        Some(Others { node: others, window, picker, known, best, number: 0, has_first: false, top })
    }

    /// The next move to be searched; none after the last, and then it is known whether the first is singular.
    pub(super) fn next_other(&mut self, node: &mut Node, others: &mut Others, hint: Hint) -> Option<Move> {
        while let Some(mv) = self.pick(&mut others.picker) {
            if !node.in_check && !self.board.is_legal(mv, false) {
                continue;
            }
            if hint.is(mv) {
                others.has_first = true;
                continue;
            }
            return Some(mv);
        }
        self.moves.truncate(others.top);
        if others.has_first {
            let rule = self.features.singular;
            let enough = others.node.beta - Score(rule.twice);
            let is_far = rule.twice > 0 && others.best.is_some_and(|best| best < enough);
            node.first_deeper = if is_far && node.expected != Expected::Pv { 2 } else { 1 };
        }
        None
    }

    /// Goes on after a move with this score, unless it is not worse by the margin. Then the first is not singular, and
    /// the node goes on with its moves, or is ended.
    pub(super) fn end_other(
        &mut self,
        node: &mut Node,
        others: &mut Others,
        score: Option<Score>,
    ) -> ControlFlow<Tried> {
        if let Some(score) = score.filter(|score| *score < others.node.beta) {
            others.number += 1;
            // With fail-soft, alpha is the score of moves that were skipped.
            let is_skipped = self.features.windows.fail_soft && score == others.window.alpha;
            others.best = others.best.max(Some(score).filter(|_| !is_skipped));
            return Continue(());
        }
        self.moves.truncate(others.top);
        Break(if score.is_some() { self.end_by_others(node, others) } else { Break(None) })
    }

    /// Decides on a node whose table's move is not singular, since another is as good but for the margin: it may be
    /// cut, or that move searched less deep.
    fn end_by_others(&mut self, node: &mut Node, others: &Others) -> Tried {
        let rule = self.features.singular;
        if rule.multi_cut && others.node.beta >= node.beta {
            self.counters.endings.by_several[node.expected as usize] += 1;
            return Break(Some(others.node.beta));
        }
        if rule.negative > 0 && others.known >= node.beta {
            node.first_deeper = -rule.negative as i8;
        }
        Continue(())
    }
}
