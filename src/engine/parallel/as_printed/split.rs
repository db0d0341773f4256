//! Splitting a node: the owner takes the seats of those who are idle and gives each a job there.

use super::super::handover::{Handover, HandoverCost, PRINTED_POSITION};
use super::super::shared_node::list_legal_moves;
use super::Protocol;
use super::blocks::{BlockId, Seat, State};
use crate::chess::{Board, Move};
use crate::machine::{Processor, Work};
use crate::search::{Node, Picker, Progress, Team};

impl<T: Team> Protocol<'_, '_, T> {
    /// Gives jobs at a node to those who are idle, and to its owner. `false`: there is nobody, or nothing left to do.
    pub(super) fn split(&mut self, job: BlockId, node: &Node, progress: &Progress, picker: &mut Picker) -> bool {
        let (processor, rules, blocks) = (self.worker.processor, self.rules, self.blocks);
        let Some(own_child) = job.next() else {
            return false;
        };
        let mut sorted = self.stack.sorted.borrow_mut();
        sorted.clear();
        sorted.extend(progress.last.filter(|_| rules.defect_repeated_move));
        let repeated = sorted.len();
        if !rules.defect_empty_split && !self.has_legal_move(node, *picker) {
            return false;
        }
        if !rules.defect_sorting_under_lock {
            let mut rest = *picker;
            list_legal_moves(self.worker, node, &mut rest, &mut sorted);
        }

        let (block, unpacked) = (blocks.at(job), self.worker.counters.times);
        let locks_owner = rules.copying.copier.locks_owner();
        if !rules.defect_splitter_copies && !locks_owner {
            self.pack(&block.handover, node).pass(self.worker);
        }
        let global = self.global_lock();
        let mut held = processor.lock(&block.state);
        let locked = processor.tick();
        let state = &mut *held;
        let mut called = self.stack.called.borrow_mut();
        let is_free = |id: usize| self.free_block(id, job).is_some();
        let may_give = !block.is_stopped() && (0..processor.count()).any(is_free);
        if !may_give || !self.claim_seats(job, &mut called, &mut state.children) {
            self.worker.counters.failed_attempts += 1;
            self.worker.counters.waste_packs_since(&unpacked, node.kind());
            return false;
        }
        if !rules.defect_stale_idle_count {
            blocks.count_idle(processor, -(called.len() as i32));
        }
        state.children.push(own_child);
        state.given = called.len() as u32;
        block.split(progress.alpha, state.children.len());
        self.fill(state, node, progress, picker, (&mut sorted, repeated));
        processor.spend(Work::Split);
        if !rules.defect_splitter_copies && locks_owner {
            self.pack(&block.handover, node).pass(self.worker);
        }
        self.give_jobs(job, state, node, progress);
        block.give_at(processor.now());
        for id in called.iter().chain([&processor.id()]) {
            blocks.set_seat(processor, *id, Seat::ASSIGNED);
        }
        drop(held);
        drop(global);
        let unlocked = processor.tick();
        called.iter().for_each(|id| processor.unpark(*id));
        self.worker.count_opened(locked, unlocked);
        true
    }

    /// Whether one of the moves that are left is legal.
    fn has_legal_move(&mut self, node: &Node, mut rest: Picker) -> bool {
        while let Some(mv) = self.worker.pick(&mut rest) {
            if node.in_check || self.worker.board.is_legal(mv, false) {
                return true;
            }
        }
        false
    }

    /// Fills the block of a node with what is left to do there. The moves that are sorted already begin with those that
    /// the owner has searched before.
    fn fill(
        &mut self,
        state: &mut State,
        node: &Node,
        progress: &Progress,
        picker: &mut Picker,
        (sorted, repeated): (&mut Vec<Move>, usize),
    ) {
        self.worker.counters.splits.make(node.kind(), progress.searched);
        state.shared.begin(self.worker, node, progress);
        std::mem::swap(&mut state.moves, sorted);
        (state.legal, state.repeated, state.helped) = (state.moves.len(), repeated, 0);
        state.unsorted.clear();
        if self.rules.defect_sorting_under_lock {
            self.worker.copy_rest(picker, &mut state.unsorted);
        }
    }

    /// Writes the jobs at a node into the blocks of those who will do them.
    fn give_jobs(&mut self, splitter: BlockId, state: &State, node: &Node, progress: &Progress) {
        let (processor, blocks) = (self.worker.processor, self.blocks);
        for child in &state.children {
            let child = blocks.at(*child);
            child.begin(splitter);
            let mut given = processor.lock(&child.state);
            (given.shared.node, given.shared.since, given.at_split) = (*node, state.shared.since, *progress);
            if self.rules.defect_splitter_copies {
                self.pack(&child.handover, node).pay(self.worker);
            }
        }
    }

    /// Packs the worker's position for the jobs at this node.
    fn pack(&self, handover: &Handover<T::Board>, node: &Node) -> HandoverCost {
        let bytes = if self.rules.defect_game_record { PRINTED_POSITION } else { 0 };
        handover.pack(self.worker, node.ply, &self.rules.copying, bytes)
    }

    /// Takes the seats of workers that may be given a job at the node of `splitter`, and the blocks for those jobs.
    /// `false`: there is none. Without the global lock, another splitter may have been quicker.
    fn claim_seats(&self, splitter: BlockId, called: &mut Vec<usize>, children: &mut Vec<BlockId>) -> bool {
        let most = if self.rules.defect_everybody_joins { usize::MAX } else { self.rules.helpers as usize };
        called.clear();
        children.clear();
        for id in 0..self.worker.processor.count() {
            if called.len() == most {
                break;
            }
            if let Some((seat, child)) = self.free_block(id, splitter)
                && self.blocks.exchange_seat(self.worker.processor, id, seat, Seat::CLAIMED)
            {
                called.push(id);
                children.push(child);
            }
        }
        !called.is_empty()
    }

    /// Seat of this worker and the block where a job at the node of `splitter` may be given to it, if it may.
    fn free_block(&self, id: usize, splitter: BlockId) -> Option<(Seat, BlockId)> {
        let blocks = self.blocks;
        if blocks.begins_line(id) {
            blocks.look_at_seat(self.worker.processor, id);
        }
        let seat = blocks.seat(id);
        if seat == Seat::IDLE {
            return Some((seat, BlockId::new(id, 0)));
        }
        let waits_at = BlockId::new(id, seat.level()?);
        let is_allowed = self.rules.defect_any_helper || blocks.is_below(splitter, waits_at);
        let child = waits_at.next().filter(|_| is_allowed)?;
        Some((seat, child))
    }
}
