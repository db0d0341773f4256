//! A worker's life on its seat: it waits for a job, does it, and sits down again.

use super::super::recorder::{Spent, Stay};
use super::blocks::{Alpha, BlockId, Seat, State};
use super::{Protocol, Stack, Waits};
use crate::chess::{Board, History, Move, Score};
use crate::counts::{Account, Loss};
use crate::machine::{Access, Activity, Held, Processor, Tick, Work};
use crate::search::{
    End, Killers, LineMemory, MAX_PLY, Node, Place, Progress, Role, Strategy, Team, Verdict, Worker, pick_from,
};

/// A job that is being done.
struct Job {
    id: BlockId,
    parent: BlockId,
    /// Whether the node is the worker's own.
    is_own: bool,
    /// Whether the worker has searched a move, or is about to.
    has_helped: bool,
    node: Node,
    /// Progress of this worker alone, if it keeps that to itself.
    found: Progress,
    line: Vec<Move>,
    /// Reading of the clock before the first move that the worker searched.
    first: Option<Tick>,
    /// Nodes below moves that the worker gave up, or that were of no use.
    in_vain: i64,
}

/// Position and lines to which an owner comes back when it has worked at another node.
struct SavedNode<B> {
    board: B,
    past: History,
    ply: usize,
}

/// A move that has been taken from a node.
struct Taken {
    mv: Move,
    place: usize,
    /// Place of the move among all legal moves of the node.
    among_all: Place,
    /// Whether the owner has searched it before.
    is_repeated: bool,
}

impl<T: Team> Protocol<'_, '_, T> {
    /// A worker does the jobs that it is given, until the node that it waits for is done, or the search is over.
    pub(super) fn sit(&mut self, waits: Option<Waits>) {
        let processor = self.worker.processor;
        loop {
            if self.rules.defect_stale_idle_count {
                let global = self.global_lock();
                self.blocks.count_idle(processor, 1);
                drop(global);
                if !self.blocks.has_begun() {
                    processor.unpark(0);
                }
            }
            self.stack.free_since.set(processor.now());
            let waiting = if waits.is_some() { Activity::Wait } else { Activity::Idle };
            if !processor.during(waiting, || self.is_given_a_job(waits)) {
                return;
            }
            self.work(waits);
        }
    }

    /// Waits on the seat until there is a job, which the worker has taken then. `false`: it has left its seat, or the
    /// search is over.
    fn is_given_a_job(&self, waits: Option<Waits>) -> bool {
        let (processor, blocks, sitting) = (self.worker.processor, self.blocks, sitting(waits));
        let id = processor.id();
        // After a stop nobody waits for anything: what others are still doing concerns no one.
        while !processor.is_stopped() {
            let is_done = match waits {
                Some(waits) => blocks.at(waits.at).is_done(processor),
                None => blocks.is_over(processor),
            };
            blocks.look_at_seat(processor, id);
            let seat = blocks.seat(id);
            if seat != Seat::ASSIGNED && !(is_done && seat == sitting) {
                let what = if waits.is_some() { "helpers" } else { "a job" };
                if self.rules.defect_polled_seats {
                    blocks.poll(processor, what, waits.map(|waits| waits.at));
                } else {
                    processor.park(what);
                }
                continue;
            }
            // A job may be given until the lock is taken, and then it has to be done first.
            let _global = self.global_lock();
            let is_given = blocks.exchange_seat(processor, id, Seat::ASSIGNED, Seat::BUSY);
            let leaves = !is_given && blocks.exchange_seat(processor, id, sitting, Seat::BUSY);
            if leaves || is_given && self.rules.defect_stale_idle_count {
                blocks.count_idle(processor, -1);
            }
            // Otherwise somebody is just about to give a job.
            if is_given || leaves {
                return is_given;
            }
        }
        false
    }

    /// Does one job: moves of another's node, or of the worker's own, until none is left, one has cut, or nobody wants
    /// them.
    fn work(&mut self, waits: Option<Waits>) {
        let (processor, blocks, stack) = (self.worker.processor, self.blocks, self.stack);
        let before = processor.enter(Activity::Split);
        let mut stay = self.worker.come();
        let job = waits.map_or(Some(BlockId::new(processor.id(), 0)), |waits| waits.at.next());
        let Some((id, parent)) = job.and_then(|job| Some((job, blocks.at(job).parent()?))) else {
            unreachable!("a job is given only where there is a block for it");
        };
        let is_own = waits.is_some_and(|waits| waits.at == parent);
        let saved = waits.filter(|_| !is_own).map(|waits| SavedNode::save(self.worker, stack, waits.ply));
        // The lowest job on a stack has the worker's memory to itself; an owner at its own node need not forget
        // anything.
        let has_memory = waits.is_some() && (!is_own || self.rules.defect_stale_killers);
        if has_memory {
            stack.swap_memory(self.worker, id);
        }
        let given = processor.lock(&blocks.at(id).state);
        let (node, shared, found) = (given.shared.node, given.shared.since, given.at_split);
        drop(given);
        let mut job =
            Job { id, parent, is_own, has_helped: false, node, found, line: Vec::new(), first: None, in_vain: 0 };
        self.take_over(&job, has_memory, &mut stay);

        processor.enter(Activity::Search);
        let below = stack.job.replace(Some(id));
        let role = if is_own { Role::Search } else { Role::Help };
        self.worker.begin_part(&mut stay, role, parent.worker(), shared);
        let end = self.search(&mut job);
        stack.job.set(below);
        self.worker.end_part(&mut stay, &node, end);
        processor.enter(Activity::Split);
        if has_memory {
            stack.swap_memory(self.worker, id);
        }
        if let Some(saved) = saved {
            saved.restore(self.worker, stack);
        }
        // The owner's time at the node and its work are counted as such.
        let spent = if is_own { Spent::default() } else { self.worker.end_stay(&stay, job.first) };
        self.leave(job, waits, &spent);
        processor.enter(before);
    }

    /// Takes over the position of a job. An owner at its own node has it, and at most exchanges its memory.
    fn take_over(&mut self, job: &Job, has_memory: bool, stay: &mut Stay) {
        let (processor, blocks, rules) = (self.worker.processor, self.blocks, self.rules);
        let ply = job.node.ply;
        let killers = if rules.defect_stale_killers { Killers::Stale } else { rules.killers };
        let notice_ns =
            processor.now().saturating_sub(blocks.at(job.parent).given_at().max(self.stack.free_since.get()));
        let packed_in = blocks.at(if rules.defect_splitter_copies { job.id } else { job.parent });
        let handover = &packed_in.handover;
        let take_over = |worker: &mut Worker<'_, _, _, _>| {
            let cost = handover.unpack(worker, ply, killers, !rules.defect_splitter_copies);
            if rules.defect_splitter_copies {
                cost.pass(worker)
            } else {
                cost.pay(worker)
            }
            cost
        };
        let is_locked = !job.is_own && rules.copying.copier.locks_helpers();
        let global = if is_locked { self.global_lock() } else { None };
        let packed = processor.lock(&packed_in.state);
        let locked = processor.tick();
        let paid = is_locked.then(|| take_over(self.worker));
        drop(packed);
        drop(global);
        if job.is_own {
            if has_memory {
                handover.adopt(self.worker, ply, killers);
            }
            return;
        }
        self.worker.count_joined(notice_ns, locked);
        processor.spend(Work::Join);
        let paid = paid.unwrap_or_else(|| take_over(self.worker));
        stay.again_ns = handover.unpack_again(self.worker, paid);
    }

    /// Searches moves of the job's node as long as there are any. Returns what ended it.
    fn search(&mut self, job: &mut Job) -> End {
        let (processor, blocks) = (self.worker.processor, self.blocks);
        let (own_block, owner) = (blocks.at(job.id), blocks.at(job.parent));
        let is_alpha_private = self.rules.defect_alpha_private;
        let node = job.node;
        let state = processor.lock(&owner.state);
        let mut taken = self.take_move(job, state);
        while let Some(Taken { mv, place, among_all, is_repeated }) = taken {
            job.first = job.first.or_else(|| Some(processor.tick()));
            let account_before = self.worker.account();
            let alpha = if is_alpha_private { Alpha::Own(job.found.alpha) } else { Alpha::Shared(owner, processor) };
            let score = self.worker.brother(&node, &alpha, mv, among_all);
            let account = self.worker.account() - account_before;
            let Some(score) = score else {
                self.worker.counters.losses.claim(&account, Loss::Aborted);
                job.in_vain += account.nodes;
                return End::Stopped;
            };

            // The flag is looked at before others see anything of this.
            processor.touch(Access::Free);
            if own_block.is_stopped() {
                if processor.lock(&owner.state).shared.is_useless(place) {
                    self.worker.counters.losses.claim(&account, Loss::Useless);
                    job.in_vain += account.nodes;
                }
                return End::Stopped;
            }
            if is_alpha_private {
                match job.found.take(mv, score, node.beta) {
                    Verdict::NoBetter => {}
                    Verdict::Raised => self.worker.write_line(&mut job.line, node.ply, mv),
                    Verdict::Cut => {
                        self.stop_the_others(job, place);
                        return if own_block.is_stopped() { End::Stopped } else { End::Cut };
                    }
                }
            } else if self.report(job, (mv, place), score) {
                return if own_block.is_stopped() { End::Stopped } else { End::Cut };
            }
            let mut state = processor.lock(&owner.state);
            // A move that has just become the best of all has been noted as that.
            if node.ply == 0 && !is_repeated && state.shared.progress.best != Some(mv) {
                state.shared.efforts.push((mv, account.effort as u64, (Verdict::NoBetter, score)));
            }
            state.shared.done.push((place, account));
            taken = self.take_move(job, state);
        }
        if own_block.is_stopped() { End::Stopped } else { End::Done }
    }

    /// Takes the next legal move of the job's node, unless there is none or nobody wants it. `state` is the owner's,
    /// and its lock is given back.
    fn take_move(&mut self, job: &mut Job, state: Held<'_, State, T::Processor>) -> Option<Taken> {
        let (processor, blocks) = (self.worker.processor, self.blocks);
        let mut held = state;
        loop {
            if blocks.at(job.id).is_stopped() {
                return None;
            }
            let state = &mut *held;
            let place = state.shared.next;
            if place == state.moves.len() {
                let first = state.moves.len() - state.legal;
                let left = state.unsorted.get_mut(first..).filter(|left| !left.is_empty())?;
                processor.spend(Work::Sorting { moves: left.len() as u32 });
                state.moves.push(pick_from(left));
            }
            let mv = *state.moves.get(place)?;
            let (is_repeated, is_legal) = (place < state.repeated, place < state.legal);
            let is_help = !job.is_own && !job.has_helped;
            let among_all = state.shared.place(place);
            state.shared.next += 1;
            state.shared.progress.searched += 1;
            state.helped += u32::from(is_help);
            drop(held);
            if is_legal || job.node.in_check || self.worker.board.is_legal(mv, false) {
                job.has_helped = true;
                return Some(Taken { mv, place, among_all, is_repeated });
            }
            held = processor.lock(&blocks.at(job.parent).state);
            held.shared.progress.searched -= 1;
            held.helped -= u32::from(is_help);
            held.shared.done.push((place, Account::default()));
        }
    }

    /// Reports a move's score to all at the node, where alpha is shared. Returns whether it cuts.
    fn report(&mut self, job: &mut Job, (mv, place): (Move, usize), score: Score) -> bool {
        let processor = self.worker.processor;
        let owner = self.blocks.at(job.parent);
        let global = if score >= job.node.beta { self.global_lock() } else { None };
        let mut state = processor.lock(&owner.state);
        if self.blocks.at(job.id).is_stopped() {
            return true;
        }
        let verdict = state.shared.progress.take(mv, score, job.node.beta);
        match verdict {
            Verdict::NoBetter => {}
            Verdict::Raised => {
                owner.raise(processor, score);
                self.worker.write_line(&mut state.shared.best_line, job.node.ply, mv);
                state.shared.efforts.push((mv, 0, (verdict, score)));
            }
            Verdict::Cut => self.stop_siblings(job, &mut state, place),
        }
        drop(state);
        drop(global);
        verdict == Verdict::Cut
    }

    /// Stops the others at the node and below, since a move has cut, unless somebody has stopped this job meanwhile.
    fn stop_the_others(&mut self, job: &Job, place: usize) {
        let processor = self.worker.processor;
        let before = processor.enter(Activity::Split);
        let _global = self.global_lock();
        let mut state = processor.lock(&self.blocks.at(job.parent).state);
        if !self.blocks.at(job.id).is_stopped() {
            self.stop_siblings(job, &mut state, place);
        }
        processor.enter(before);
    }

    /// Stops the other jobs at the node, since the move at this place has cut: what was done for later ones was of no
    /// use.
    fn stop_siblings(&mut self, job: &Job, state: &mut State, place: usize) {
        state.shared.cut(place, &mut self.worker.counters);
        self.worker.note_cutoff(&job.node);
        let siblings = state.children.iter().filter(|child| **child != job.id);
        siblings.for_each(|child| self.blocks.stop(self.worker.processor, *child));
    }

    /// Ends a job: what was found is merged into the owner's block, with the helper's work, and the worker sits down.
    fn leave(&mut self, job: Job, waits: Option<Waits>, spent: &Spent) {
        let (processor, blocks, rules) = (self.worker.processor, self.blocks, self.rules);
        let owner = blocks.at(job.parent);
        let global = self.global_lock();
        let mut state = processor.lock(&owner.state);
        state.shared.add(spent);
        state.shared.in_vain += job.in_vain;
        state.children.retain(|child| *child != job.id);
        if rules.defect_alpha_private && !blocks.at(job.id).is_stopped() {
            let progress = &mut state.shared.progress;
            if let Some(best) = job.found.best {
                let score = job.found.cut.unwrap_or(job.found.alpha);
                let verdict = progress.take(best, score, job.node.beta);
                if verdict == Verdict::Raised {
                    state.shared.best_line = job.line;
                    state.shared.efforts.push((best, 0, (verdict, score)));
                }
            } else {
                progress.score = progress.score.max(job.found.score);
            }
        }
        let is_last = owner.leave(processor) == 0;
        drop(state);
        blocks.set_seat(processor, processor.id(), sitting(waits));
        if !rules.defect_stale_idle_count {
            blocks.count_idle(processor, 1);
        }
        drop(global);
        // From here on the block may have split another node; then its owner is called for nothing.
        if is_last && job.parent.worker() != processor.id() {
            processor.unpark(job.parent.worker());
        }
    }
}

/// Seat of a worker that sits down.
fn sitting(waits: Option<Waits>) -> Seat {
    waits.map_or(Seat::IDLE, |waits| Seat::waits_at(waits.at.level()))
}

impl Stack {
    /// Exchanges the worker's memory for that of a job above the lowest: the next job at that level finds it there.
    fn swap_memory<B: Board, P: Processor, S: Strategy>(&self, worker: &mut Worker<'_, B, P, S>, job: BlockId) {
        let level = job.level() as usize;
        let mut memories = self.memories.borrow_mut();
        if memories.len() <= level {
            memories.resize_with(level + 1, LineMemory::new);
        }
        worker.swap_memory(&mut memories[level]);
    }
}

impl<B: Board> SavedNode<B> {
    fn save<P: Processor, S: Strategy>(worker: &mut Worker<'_, B, P, S>, stack: &Stack, ply: usize) -> Self {
        let mut saved = stack.saved.borrow_mut();
        for ply in 0..=ply {
            let before = saved.moves.len();
            saved.moves.extend(worker.lines.from(ply));
            let length = saved.moves.len() - before;
            saved.lengths.push(length);
        }
        let spare = saved.spare_pasts.pop().unwrap_or_else(|| History::with_capacity(2 * MAX_PLY));
        Self { board: worker.board.clone(), past: std::mem::replace(&mut worker.past, spare), ply }
    }

    fn restore<P: Processor, S: Strategy>(self, worker: &mut Worker<'_, B, P, S>, stack: &Stack) {
        let mut saved = stack.saved.borrow_mut();
        worker.board = self.board;
        saved.spare_pasts.push(std::mem::replace(&mut worker.past, self.past));
        for ply in (0..=self.ply).rev() {
            let length = saved.lengths.pop().unwrap_or(0);
            let start = saved.moves.len() - length;
            worker.lines.set(ply, &saved.moves[start..]);
            saved.moves.truncate(start);
        }
    }
}
