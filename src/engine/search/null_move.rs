//! Null move pruning (Donninger 1993): if a position fails high even when the opponent may move twice, it is taken to
//! fail high. Where the side to move has little left but pawns that is often wrong: any move may be worse than none.

use std::ops::ControlFlow::{Break, Continue};

use super::node::{Below, Expected, Node, ONE_PLY, Tried};
use super::strategy::Strategy;
use super::table::{Bound, Entry, Hint};
use super::worker::Worker;
use crate::chess::{Board, Score, Undo};
use crate::machine::{Access, Processor};
use crate::settings::settings;

settings! {
    /// Parameters of null moves beside those of the thesis.
    pub struct NullMove, "feature";
    => "Null move: depth, conditions and verification",
        "Heinz 1999 by ColChess page (by draft, threats); Szabo 2023 (draft / 6, above beta); common practice",
        tried by [
            "+null-move-by-draft=3", "+null-move-by-margin=1000", "+null-move-above", "+null-move-not-pv",
            "+null-move-verification=4", "+mate-threat-extension=100", "+null-move-draft=3",
            "+null-move-threat-veto",
        ];
    by_draft: i32 [0..=20 "plies"], "null-move-by-draft",
        "the reduction grows by one ply for each so many plies of draft; 0: it does not";
    by_margin: i32 [0..=20_000 "thousandths of a pawn"], "null-move-by-margin",
        "the reduction grows by one ply, three at most, for each such amount by which the static evaluation is above \
         beta; 0: it does not";
    above: bool, "null-move-above",
        "a null move is tried only where the static evaluation is not below beta";
    not_pv: bool, "null-move-not-pv", "no null move is tried at nodes of the principal variation";
    verified: i32 [0..=60 "plies"], "null-move-verification",
        "least draft at which a cutoff by null move is verified by a reduced search of the real moves; 0: it is not";
    from: i32 [0..=60 "plies"], "null-move-draft", "least draft at which a null move is tried";
    threat_veto: bool, "null-move-threat-veto",
        "no null move is tried where the table knows that the opponent mates after it";
    threat_extension: i32 [0..=200 "hundredths of a ply"], "mate-threat-extension",
        "extension if the opponent mates after the null move";
}

impl NullMove {
    /// Whether nodes need their static evaluation.
    pub(super) fn needs_standing(&self) -> bool {
        self.above || self.by_margin > 0
    }
}

/// Most plies that 'null-move-by-margin' adds.
const MOST_BY_MARGIN: i32 = 3;

/// A null move that has been made.
pub(super) struct Pass {
    pub undo: Undo,
    /// Plies by which the search after it was less deep, beside its own.
    pub reduction: i32,
}

/// Outcome of a null move for its node.
pub(super) enum Passed {
    /// Nothing.
    InVain,
    /// The search was stopped.
    Stopped,
    /// The node fails high with this score, unless a search of it less deep, if there is one, does not.
    High(Score, Option<Node>),
}

impl<B: Board, P: Processor, S: Strategy> Worker<'_, B, P, S> {
    /// Lets the opponent move twice, and ends the node if that fails high.
    #[inline(always)]
    pub(super) fn try_null_move(&mut self, node: &mut Node, hint: Hint) -> Tried {
        let Some((pass, below)) = self.begin_null_move(node) else { return Continue(()) };
        let score = self.result(below);
        match self.end_null_move(node, pass, score) {
            Passed::InVain => Continue(()),
            Passed::Stopped => Break(None),
            Passed::High(score, None) => self.cut_by_null_move(node, hint, score),
            Passed::High(score, Some(again)) => {
                let verified = self.search(again);
                self.verify_null_move(node, hint, score, verified)
            }
        }
    }

    /// Makes a null move, if one is to be tried.
    #[inline(always)]
    pub(super) fn begin_null_move(&mut self, node: &Node) -> Option<(Pass, Below)> {
        let features = self.features;
        let rule = features.null;
        let is_tried = features.null_move
            && node.null_allowed
            && node.plies() >= rule.from
            && !node.in_check
            && self.non_pawn_material().0 >= features.null_move_material
            && !(rule.not_pv && node.expected == Expected::Pv)
            && !(rule.above && node.standing.is_some_and(|standing| standing < node.beta));
        if !is_tried {
            return None;
        }
        let reduction = self.null_move_reduction(node);
        let mut child = node.child(-node.beta, -node.beta + Score(1), node.expected.child(true));
        child.null_allowed = false;
        child.draft -= reduction * ONE_PLY;

        self.past.push(self.board.key());
        self.pass(node.ply);
        let undo = self.board.make_null();
        self.table.prefetch(self.processor, self.board.key(), self.board.turn());
        // A threat that is known is answered as if the search had found it.
        let known = if rule.threat_veto { self.known_threat(&child) } else { None };
        let below = match known {
            Some(threat) => Break(Some(threat)),
            None => {
                self.counters.null_moves += 1;
                Continue(child)
            }
        };
        Some((Pass { undo, reduction }, below))
    }

    /// Takes a null move back, whose search had this score.
    #[inline(always)]
    pub(super) fn end_null_move(&mut self, node: &mut Node, pass: Pass, score: Option<Score>) -> Passed {
        let features = self.features;
        let rule = features.null;
        self.board.unmake_null(pass.undo);
        self.past.pop();

        let Some(score) = score else { return Passed::Stopped };
        let mut score = -score;
        if score < node.beta {
            if rule.threat_extension > 0 && score < -Score::LONGEST_MATE {
                self.extend_by(node, rule.threat_extension);
            }
            return Passed::InVain;
        }
        if features.windows.fail_hard || !features.defect_null_move_mate && score > Score::LONGEST_MATE {
            score = node.beta;
        }
        let is_verified = rule.verified > 0 && node.plies() >= rule.verified;
        let again = is_verified.then(|| {
            let (alpha, draft) = (node.beta - Score(1), node.draft - pass.reduction * ONE_PLY);
            Node { alpha, draft, null_allowed: false, is_again: true, ..*node }
        });
        Passed::High(score, again)
    }

    /// Ends a node by the score after its null move, unless the search of its real moves is below beta.
    #[inline(always)]
    pub(super) fn verify_null_move(&mut self, node: &Node, hint: Hint, score: Score, verified: Option<Score>) -> Tried {
        match verified {
            None => Break(None),
            Some(real) if real < node.beta => Continue(()),
            Some(_) => self.cut_by_null_move(node, hint, score),
        }
    }

    /// Ends a node by the score after its null move.
    #[inline(always)]
    pub(super) fn cut_by_null_move(&mut self, node: &Node, hint: Hint, score: Score) -> Tried {
        self.counters.null_cuts += 1;
        self.counters.endings.by_null_move[node.expected as usize] += 1;
        self.processor.touch(Access::Free);
        let hint = if self.features.defect_null_move_forgets_move { Hint::NONE } else { hint };
        self.remember(node, score, Bound::Lower, hint);
        Break(Some(score))
    }

    /// Score of a mate that the table knows after a null move, from the view of the opponent, who moves twice: none if
    /// the null move is good enough all the same.
    #[inline(never)]
    fn known_threat(&self, child: &Node) -> Option<Score> {
        let ends = |entry: &Entry| {
            let score = self.score_from_table(entry, child.ply);
            (score > Score::LONGEST_MATE && score >= child.beta && entry.bound != Bound::Upper).then_some(score)
        };
        self.look_up(0, ends).score
    }

    /// Reduction of the search after a null move, in plies beside its own.
    #[inline(always)]
    fn null_move_reduction(&self, node: &Node) -> i32 {
        let (features, rule) = (&self.features, &self.features.null);
        let is_deep = node.plies() >= features.null_move_deep_draft;
        let mut reduction = if is_deep { features.null_move_deep_reduction } else { features.null_move_reduction };
        if rule.by_draft > 0 {
            reduction += node.plies() / rule.by_draft;
        }
        if rule.by_margin > 0
            && let Some(standing) = node.standing
        {
            reduction += ((standing - node.beta).0 / rule.by_margin).clamp(0, MOST_BY_MARGIN);
        }
        reduction
    }
}
