//! ProbCut (Buro 1995): a node is cut off if a shallower search is better than beta by a margin. In chess only captures
//! are tried, since little else wins that much; quiescence after them is asked first, which is cheap.

use std::ops::ControlFlow::{self, Break, Continue};

use super::node::{Expected, Node, ONE_PLY, Place, Progress, Tried};
use super::picker::Picker;
use super::strategy::Strategy;
use super::table::Bound;
use super::worker::Worker;
use crate::chess::{Board, Move, MoveList, Score};
use crate::machine::{Access, Processor, Work};
use crate::settings::settings;

settings! {
    /// Parameters of ProbCut.
    pub struct ProbCut, "feature";
    => "ProbCut", "Buro 1995; common practice (captures)",
        tried by [
            "probcut-margin=1000,probcut-reduction=2 then probcut=3",
            "probcut=3,probcut-reduction=2 then probcut-margin=1000",
            "probcut=4,probcut-margin=500,probcut-reduction=1 then probcut-reduction=3",
        ];
    draft: i32 [0..=30 "plies"], "probcut",
        "least draft at which a node outside of the principal variation is cut off by a capture that is better than \
         beta by a margin, in quiescence and then in a shallower search; 0: never";
    margin: i32 [0..=20_000 "thousandths of a pawn"], "probcut-margin", "amount by which it must be better than beta";
    reduction: i32 [0..=9 "plies"], "probcut-reduction", "plies by which that search is less deep, beside its own";
}

impl ProbCut {
    /// Whether ProbCut is ever used.
    pub(super) const fn is_used(&self) -> bool {
        self.draft > 0
    }
}

/// Captures of a node that are searched less deep to see whether one is far above beta.
pub(super) struct Captures {
    /// The node less deep, with a null window below what has to be reached.
    pub node: Node,
    /// Window in which they are searched.
    pub window: Progress,
    picker: Picker,
    /// Least that has to be won by exchanges.
    least: Score,
    /// Expected type of the node itself.
    expected: Expected,
    top: usize,
}

/// Place of each: it is taken for the move that cuts, and is not reduced.
pub(super) const PLACE: Place = Place { number: 0, is_eldest: true, reduction: Some(0) };

impl<B: Board, P: Processor, S: Strategy> Worker<'_, B, P, S> {
    /// Ends a node at which a capture is far above beta in a shallower search.
    #[inline(always)]
    pub(super) fn cut_by_capture(&mut self, node: &Node) -> Tried {
        if self.plan.tries_captures { self.try_captures(node) } else { Continue(()) }
    }

    #[inline(never)]
    fn try_captures(&mut self, node: &Node) -> Tried {
        let Some(mut captures) = self.begin_captures(node) else { return Continue(()) };
        while let Some(mv) = self.next_capture(&mut captures)? {
            let score = self.brother(&captures.node, &captures.window, mv, PLACE);
            self.end_capture(&captures, mv, score)?;
        }
        Continue(())
    }

    /// Begins to try captures, if the node is one where that is done.
    pub(super) fn begin_captures(&mut self, node: &Node) -> Option<Captures> {
        let rule = self.features.prob_cut;
        let is_tried = node.plies() >= rule.draft
            && node.expected != Expected::Pv
            && node.ply > 0
            && !node.in_check
            && !node.is_again
            && !self.plan.opens_windows
            && node.beta.0.abs() + rule.margin <= Score::LONGEST_MATE.0;
        let standing = node.standing.filter(|_| is_tried)?;
        let beta = node.beta + Score(rule.margin);
        let draft = node.draft - rule.reduction * ONE_PLY;
        let known = self.look_up(draft.max(ONE_PLY), |entry| {
            let score = self.score_from_table(entry, node.ply);
            (entry.bound != Bound::Lower && score < beta).then_some(score)
        });
        if known.score.is_some() {
            return None;
        }
        let (least, top) = (beta - standing, self.moves.len());
        let mut list = MoveList::new();
        self.generate(B::noisy_moves, &mut list);
        let picker = self.rank_noisy(&list, least - Score(1));
        // A move that cuts leads to an ALL node.
        let expected = node.expected;
        let node = Node { alpha: beta - Score(1), beta, draft, expected: Expected::Cut, is_again: true, ..*node };
        Some(Captures { node, window: Progress::of(&node), picker, least, expected, top })
    }

    /// The next capture to be searched, which is good enough in quiescence; none after the last.
    pub(super) fn next_capture(&mut self, captures: &mut Captures) -> ControlFlow<Option<Score>, Option<Move>> {
        while let Some((mv, gain)) = self.pick_noisy(&mut captures.picker) {
            if gain < captures.least {
                break;
            }
            if self.board.is_legal(mv, false) {
                let Some(is_enough) = self.is_enough(&captures.node, mv) else { return Break(None) };
                if is_enough {
                    return Continue(Some(mv));
                }
            }
        }
        self.moves.truncate(captures.top);
        Continue(None)
    }

    /// Whether a move reaches beta in quiescence.
    fn is_enough(&mut self, node: &Node, mv: Move) -> Option<bool> {
        self.counters.quiescence_nodes += 1;
        self.processor.spend(Work::QuiescenceNode);
        let made = self.make(node.ply, mv);
        let score = self.quiescence(-node.beta, -node.alpha, node.ply + 1, 0);
        self.take_back(mv, made);
        score.map(|score| -score >= node.beta)
    }

    /// Ends the node if a capture has reached what it had to.
    pub(super) fn end_capture(&mut self, captures: &Captures, mv: Move, score: Option<Score>) -> Tried {
        let Some(score) = score else { return Break(None) };
        let node = &captures.node;
        if score < node.beta {
            return Continue(());
        }
        self.moves.truncate(captures.top);
        self.counters.endings.by_capture[captures.expected as usize] += 1;
        self.processor.touch(Access::Free);
        self.remember(node, score, Bound::Lower, Some(mv).into());
        Break(Some(score))
    }
}
