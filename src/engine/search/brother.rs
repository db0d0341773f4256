//! The search of one move of a node: up to three searches of the same child, first less deep or with a narrow window.

use std::ops::ControlFlow::{Break, Continue};

use super::late_moves::Treatment;
use super::node::{Below, Node, ONE_PLY, Place, Window};
use super::strategy::Strategy;
use super::worker::Worker;
use crate::chess::{Board, Move, Score};
use crate::counts::{Account, Loss};
use crate::machine::Processor;

/// One of the searches of a move, each of which decides whether there is another: less deep, with a null window, whole.
#[derive(Clone, Copy)]
pub(crate) enum Stage {
    /// Less deep than usual by this much, which is enough if the move is not better than this alpha.
    Reduced(Score, i16),
    /// With a null window above this alpha.
    Narrow(Score),
    /// With the whole window, whose score is the move's.
    Last,
    /// Again with the whole window, since the move was better than alpha: its score is the move's.
    Open,
}

impl<B: Board, P: Processor, S: Strategy> Worker<'_, B, P, S> {
    /// Score of one move of a node, from the node's view: the body of every loop over moves, a node's own and a
    /// helper's. The eldest brother gets the whole window; a younger one is first searched with a null window.
    #[inline(always)]
    pub(crate) fn brother<W: Window>(&mut self, node: &Node, window: &W, mv: Move, place: Place) -> Option<Score> {
        let Some(reduction) = self.reduction_of(node, window, mv, place) else {
            return Some(window.alpha());
        };
        self.past.push(self.board.key());
        let made = self.make(node.ply, mv);
        let mut before = None;
        let (mut stage, mut child) = self.first_search(node, window, place.is_eldest, reduction, &mut before);
        let score = loop {
            let score = self.search(child);
            if matches!(stage, Stage::Last | Stage::Open) {
                break score.map(|score| -score);
            }
            match self.next_search(&mut stage, node, window, score, &mut before) {
                Continue(next) => child = next,
                Break(score) => break score,
            }
        };
        self.take_back(mv, made);
        self.past.pop();
        score
    }

    /// Reduction of the depth to which a move is searched first; none if it is skipped.
    #[inline(always)]
    pub(super) fn reduction_of<W: Window>(&mut self, node: &Node, window: &W, mv: Move, place: Place) -> Option<i32> {
        if node.draft >= 2 * ONE_PLY {
            self.table.prefetch(self.processor, self.board.likely_key_after(mv), !self.board.turn());
        }
        if self.plan.treats_late_moves && place.number > 0 && place.reduction.is_none() {
            return match self.treat(node, window.alpha(), mv, place.number) {
                Treatment::Searched(less) => Some(less),
                Treatment::Skipped => {
                    self.counters.skipped_moves += 1;
                    None
                }
            };
        }
        Some(place.reduction.unwrap_or(0))
    }

    /// The child that a move leads to, as it is searched first. `before` becomes the worker's account, where that is
    /// needed.
    #[inline(always)]
    pub(super) fn first_search<W: Window>(
        &mut self,
        node: &Node,
        window: &W,
        is_eldest: bool,
        reduction: i32,
        before: &mut Option<Account>,
    ) -> (Stage, Node) {
        let alpha = window.alpha();
        if self.plan.opens_windows {
            let child = self.with_full_window(node, alpha, is_eldest);
            return if reduction > 0 && !self.features.minimax {
                self.reduced(child, alpha, reduction)
            } else {
                (Stage::Last, child)
            };
        }
        if is_eldest {
            let mut child = node.child(-node.beta, -alpha, node.expected.child(true));
            if node.first_deeper != 0 {
                child.deepen_by(i32::from(node.first_deeper) * ONE_PLY);
            }
            return (Stage::Last, child);
        }
        if reduction > 0 {
            return self.reduced(node.narrow_child(alpha), alpha, reduction);
        }
        *before = W::IS_SHARED.then(|| self.account());
        (Stage::Narrow(alpha), node.narrow_child(alpha))
    }

    /// A child this much less deep.
    #[inline(always)]
    fn reduced(&mut self, child: Node, alpha: Score, reduction: i32) -> (Stage, Node) {
        self.counters.reduced_moves += 1;
        (Stage::Reduced(alpha, reduction as i16), Node { draft: child.draft - reduction, ..child })
    }

    /// Ends one search of a move's child, which had this score: continues with the child if it is to be searched again,
    /// or breaks with the score of the move.
    #[inline(always)]
    pub(super) fn next_search<W: Window>(
        &mut self,
        stage: &mut Stage,
        node: &Node,
        window: &W,
        score: Option<Score>,
        before: &mut Option<Account>,
    ) -> Below {
        let Some(score) = score.map(|score| -score) else { return Break(None) };
        let alpha = match *stage {
            Stage::Last | Stage::Open => return Break(Some(score)),
            Stage::Reduced(alpha, reduction) => {
                if score <= alpha {
                    return Break(Some(score));
                }
                self.counters.reduced_in_vain += 1;
                if self.plan.opens_windows {
                    *stage = Stage::Last;
                    return Continue(self.with_full_window(node, window.alpha(), false));
                }
                if self.plan.varies_second_search {
                    *before = W::IS_SHARED.then(|| self.account());
                    *stage = Stage::Narrow(alpha);
                    return Continue(self.second_search(node, (alpha, score), reduction.into()));
                }
                alpha
            }
            Stage::Narrow(alpha) => {
                if score <= alpha || score >= node.beta {
                    return Break(Some(score));
                }
                // Better than alpha was. If a brother has raised it meanwhile, this one has to be better than that.
                let risen = window.alpha();
                if risen <= alpha {
                    let strategy = self.strategy;
                    if strategy.opens_window(self.at(), node).is_none() {
                        return Break(None);
                    }
                    self.counters.researches += 1;
                    *stage = Stage::Open;
                    return Continue(node.child(-node.beta, -alpha, node.expected));
                }
                if let Some(before) = before {
                    let in_vain = self.account() - *before;
                    self.counters.losses.claim(&in_vain, Loss::StaleWindow);
                }
                risen
            }
        };
        *before = W::IS_SHARED.then(|| self.account());
        *stage = Stage::Narrow(alpha);
        Continue(node.narrow_child(alpha))
    }
}
