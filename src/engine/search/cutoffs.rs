//! What a cutoff teaches the ordering of moves: killers, counter moves and history.

use super::node::{Node, Progress};
use super::ordering::keep_by_score;
use super::picker::{Picker, Ranked, UNTRIED};
use super::quiet_history::{Histories, QuietHistory};
use super::strategy::Strategy;
use super::worker::Worker;
use crate::chess::{Board, Move, Score};
use crate::machine::Processor;

impl<B: Board, P: Processor, S: Strategy> Worker<'_, B, P, S> {
    /// A move has cut: if it is quiet, it is tried earlier next time.
    #[inline(always)]
    pub(super) fn reward_quiet_move(&mut self, node: &Node, mv: Move, score: Score) {
        if !mv.is_quiet() {
            return;
        }
        if self.features.history {
            let plies = node.plies() as u32;
            self.touch_history_to_write();
            let bound = if self.features.defect_unbounded_history { u32::MAX } else { QuietHistory::BOUND };
            self.quiet.add(self.board.turn(), mv, node.ply, plies * plies, bound);
            if self.plan.has_contexts {
                self.note_in_contexts(node, mv, (plies * plies) as i32);
            }
        }
        self.counter_moves.note(self.plies[node.ply].arrived_by, mv);
        if self.features.killers {
            self.note_killer(node, mv, score);
        }
    }

    #[inline(always)]
    fn note_killer(&mut self, node: &Node, mv: Move, score: Score) {
        let ordering = &self.features.ordering;
        let ply = &mut self.plies[node.ply];
        let killers = &mut ply.killers;
        if ordering.scored_killers {
            keep_by_score(killers, &mut ply.killer_scores, mv, score);
        } else if killers[0] != Some(mv) {
            *killers = [Some(mv), killers[0]];
        }
        if ordering.one_killer {
            killers[1] = None;
        }
    }

    /// Notes the quiet moves that came before the one that cut, and did not.
    pub(super) fn note_failures(&mut self, node: &Node, progress: &Progress, picker: &Picker) {
        let (Some(best), Some(_)) = (progress.best, progress.cut) else { return };
        if !self.features.history || !best.is_quiet() {
            return;
        }
        let plies = node.plies().max(1) as u32;
        for place in picker.picked() {
            let Ranked { key, mv } = self.moves[place];
            if mv == best {
                break;
            }
            if mv.is_quiet() && key != UNTRIED {
                self.touch_history_to_write();
                self.quiet.failed(self.board.turn(), mv, node.ply, plies * plies);
                if self.plan.has_contexts {
                    self.note_in_contexts(node, mv, -((plies * plies) as i32));
                }
            }
        }
    }

    #[inline(always)]
    fn touch_history_to_write(&self) {
        if self.strategy.histories() != Histories::Private {
            self.processor.touch(self.quiet.writing());
        }
    }
}
