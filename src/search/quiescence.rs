//! Quiescence search: captures and promotions are played out, and either side may stand pat.

use super::strategy::Strategy;
use super::worker::{LAST_PLY, Worker};
use crate::chess::{Board, MoveList, Score};
use crate::machine::{Processor, Work};

impl<B: Board, P: Processor, S: Strategy> Worker<'_, B, P, S> {
    /// Score of the present position, as far as captures and promotions can change it.
    pub(super) fn quiescence(&mut self, mut alpha: Score, beta: Score, ply: usize) -> Option<Score> {
        self.lines.clear(ply);
        if self.is_at_limit() {
            return None;
        }
        self.counters.deepest_quiescence = self.counters.deepest_quiescence.max(ply as u64);
        let standing = self.evaluate(ply);
        if standing >= beta || ply >= LAST_PLY {
            return Some(standing);
        }
        alpha = alpha.max(standing);

        let top = self.moves.len();
        let mut list = MoveList::new();
        self.generate(B::noisy_moves, &mut list);
        // A capture that wins no more than this cannot lift the material to alpha.
        let lacking = |worker: &Self, alpha: Score| {
            let material = worker.plies[ply].evaluation.material(worker.board.turn());
            alpha - material - Score(worker.features.delta_margin)
        };
        let prunes = self.features.delta_pruning;
        let too_little = if prunes { lacking(self, alpha) } else { -Score::INFINITE };
        let mut picker = self.rank_noisy(&list, too_little);
        let mut in_check = None;
        while let Some((mv, gain)) = self.pick_noisy(&mut picker) {
            let loses = gain < Score(0) && !self.features.losing_captures;
            if loses || prunes && gain <= lacking(self, alpha) {
                break;
            }
            self.counters.quiescence_tried += 1;
            let in_check = *in_check.get_or_insert_with(|| self.board.in_check());
            if !self.board.is_legal(mv, in_check) {
                continue;
            }
            self.counters.quiescence_nodes += 1;
            self.processor.spend(Work::QuiescenceNode);
            let made = self.make(ply, mv);
            let score = self.quiescence(-beta, -alpha, ply + 1);
            self.take_back(mv, made);
            let score = -score?;
            if score >= beta {
                alpha = score;
                break;
            }
            if score > alpha {
                alpha = score;
                self.lines.raise(ply, mv);
            }
        }
        self.moves.truncate(top);
        Some(alpha)
    }
}
