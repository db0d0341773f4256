//! A worker's life on its seat: it waits for a job, does it, and sits down again.

use super::blocks::{Alpha, Block, BlockId, Seat, State};
use super::{Protocol, Stack, Waits};
use crate::chess::{Board, History, Move, Score};
use crate::machine::{Access, Activity, Processor, Work};
use crate::search::{Account, Killers, LineMemory, Loss, MAX_PLY, Node, Progress, Strategy, Verdict, Worker};

/// What a worker on its seat does next.
enum Next {
    Work,
    Leave,
}

/// A job that is being done.
struct Job {
    id: BlockId,
    parent: BlockId,
    node: Node,
    /// What this worker has found, if it keeps that to itself.
    found: Progress,
    line: Vec<Move>,
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
    /// Whether the owner has searched it before.
    is_repeated: bool,
}

impl<B: Board> Protocol<'_, B> {
    /// A worker does the jobs that it is given, until the node that it waits for is done, or the search is over.
    pub(super) fn sit<P: Processor, S: Strategy>(&self, worker: &mut Worker<'_, B, P, S>, waits: Option<Waits>) {
        let processor = worker.processor;
        loop {
            if self.rules.defect_stale_idle_count {
                let _global = self.global_lock(processor);
                self.blocks.idle.add(processor, 1);
            }
            let waiting = if waits.is_some() { Activity::Wait } else { Activity::Idle };
            match processor.during(waiting, || self.next(processor, waits)) {
                Next::Work => self.work(worker, waits),
                Next::Leave => return,
            }
        }
    }

    fn next<P: Processor>(&self, processor: &P, waits: Option<Waits>) -> Next {
        let (blocks, id, sitting) = (self.blocks, processor.id(), sitting(waits));
        // After a stop nobody waits for anything: what others are still doing concerns no one.
        while !processor.is_stopped() {
            let is_done = match waits {
                Some(waits) => blocks.at(waits.at).is_done(processor),
                None => blocks.is_over(processor),
            };
            blocks.seats.touch(processor, id);
            let seat = blocks.seats.get(id);
            if seat != Seat::Assigned && !(is_done && seat == sitting) {
                processor.park(if waits.is_some() { "helpers" } else { "a job" });
                continue;
            }
            // A job may be given until the lock is taken, and then it has to be done first.
            let _global = self.global_lock(processor);
            blocks.seats.touch(processor, id);
            let is_given = blocks.seats.exchange(id, Seat::Assigned, Seat::Busy);
            let leaves = !is_given && blocks.seats.exchange(id, sitting, Seat::Busy);
            if leaves || is_given && self.rules.defect_stale_idle_count {
                blocks.idle.add(processor, -1);
            }
            match (is_given, leaves) {
                (true, _) => return Next::Work,
                (false, true) => return Next::Leave,
                // Somebody is just about to give a job.
                (false, false) => {}
            }
        }
        Next::Leave
    }

    /// One job: moves of another's node, or of the worker's own, until none is left, one has cut, or nobody wants them.
    fn work<P: Processor, S: Strategy>(&self, worker: &mut Worker<'_, B, P, S>, waits: Option<Waits>) {
        let (processor, blocks, rules, stack) = (worker.processor, self.blocks, self.rules, self.stack);
        let before = processor.enter(Activity::Split);
        let job = waits.map_or(Some(BlockId::new(processor.id(), 0)), |waits| waits.at.next());
        let Some((job, parent)) = job.and_then(|job| Some((job, blocks.at(job).parent()?))) else {
            unreachable!("a job is given only where there is a block for it");
        };
        let is_own = waits.is_some_and(|waits| waits.at == parent);
        let saved = waits.filter(|_| !is_own).map(|waits| SavedNode::save(worker, stack, waits.ply));
        // The lowest job on a stack has the worker's memory to itself; an owner at its own node need not forget
        // anything.
        let has_memory = waits.is_some() && (!is_own || rules.defect_stale_killers);
        if has_memory {
            stack.swap_memory(worker, job);
        }

        let mut state = processor.lock(&blocks.at(parent).state);
        let killers = if rules.defect_stale_killers { Killers::Stale } else { Killers::Copied };
        let mut cost = None;
        if !is_own {
            cost = Some(state.handover.unpack(worker, state.node.ply, killers));
        } else if has_memory {
            state.handover.adopt_context(worker, state.node.ply, killers);
        }
        let (node, found) = (state.node, state.at_split);
        let first = take_move(&mut state, blocks.at(job));
        state.helped += u32::from(!is_own && first.is_some());
        drop(state);
        if let Some(cost) = cost {
            processor.spend(Work::Join);
            if !rules.defect_one_global_lock {
                cost.pay(worker);
            }
        }

        processor.enter(Activity::Search);
        let below = stack.job.replace(Some(job));
        let (since, account_before) = (processor.now(), worker.account());
        let mut part = Job { id: job, parent, node, found, line: Vec::new() };
        part.search(self, worker, first);
        let account = worker.account() - account_before;
        stack.job.set(below);
        worker.note_job(&node, parent.worker(), since);
        processor.enter(Activity::Split);
        if has_memory {
            stack.swap_memory(worker, job);
        }
        if !is_own {
            // Whatever this worker may be waiting for, it was not for this.
            worker.for_this_worker -= account;
        }
        if let Some(saved) = saved {
            saved.restore(worker, stack);
        }
        part.leave(self, processor, waits, if is_own { Account::default() } else { account });
        processor.enter(before);
    }
}

/// Seat of a worker that sits down.
fn sitting(waits: Option<Waits>) -> Seat {
    waits.map_or(Seat::Idle, |waits| Seat::WaitsAt(waits.at.level()))
}

/// The next move of a node, unless there is none or nobody wants it.
fn take_move<B: Board>(state: &mut State<B>, job: &Block<B>) -> Option<Taken> {
    if job.is_stopped() {
        return None;
    }
    let place = state.next;
    let mv = *state.moves.get(place)?;
    state.next += 1;
    state.progress.searched += 1;
    Some(Taken { mv, place, is_repeated: state.is_first_repeated && place == 0 })
}

impl Job {
    /// Searches this move, and what else is left.
    fn search<B: Board, P: Processor, S: Strategy>(
        &mut self,
        protocol: &Protocol<'_, B>,
        worker: &mut Worker<'_, B, P, S>,
        first: Option<Taken>,
    ) {
        let (processor, blocks) = (worker.processor, protocol.blocks);
        let (job, owner) = (blocks.at(self.id), blocks.at(self.parent));
        let is_alpha_private = protocol.rules.defect_alpha_private;
        let node = self.node;
        let mut taken = first;
        while let Some(Taken { mv, place, is_repeated }) = taken {
            let account_before = worker.account();
            let alpha = if is_alpha_private { Alpha::Own(self.found.alpha) } else { Alpha::Shared(owner, processor) };
            let score = worker.brother(&node, &alpha, mv, false);
            let account = worker.account() - account_before;
            let Some(score) = score else {
                worker.counters.losses.claim(&account, Loss::Aborted);
                return;
            };

            // The flag is looked at before others see anything of this.
            processor.touch(Access::Free);
            if job.is_stopped() {
                let cutting = processor.lock(&owner.state).cutting;
                if cutting.is_some_and(|cutting| place > cutting) {
                    worker.counters.losses.claim(&account, Loss::Useless);
                }
                return;
            }
            if is_alpha_private {
                match self.found.take(mv, score, node.beta) {
                    Verdict::NoBetter => {}
                    Verdict::Raised => self.keep_line(worker, mv),
                    Verdict::Cut => return self.stop_the_others(protocol, worker, place),
                }
            } else if self.report(protocol, worker, (mv, place), score) {
                return;
            }
            let mut state = processor.lock(&owner.state);
            // A move that has just become the best of all has been noted as that.
            if node.ply == 0 && !is_repeated && state.progress.best != Some(mv) {
                state.efforts.push((mv, account.effort as u64, Verdict::NoBetter));
            }
            state.done.push((place, account));
            taken = take_move(&mut state, job);
        }
    }

    fn keep_line<B: Board, P: Processor, S: Strategy>(&mut self, worker: &Worker<'_, B, P, S>, mv: Move) {
        self.line.clear();
        self.line.push(mv);
        self.line.extend(worker.lines.from(self.node.ply + 1));
    }

    /// With a shared alpha: all see at once what this move's score means. Whether it cuts.
    fn report<B: Board, P: Processor, S: Strategy>(
        &mut self,
        protocol: &Protocol<'_, B>,
        worker: &mut Worker<'_, B, P, S>,
        (mv, place): (Move, usize),
        score: Score,
    ) -> bool {
        let processor = worker.processor;
        let owner = protocol.blocks.at(self.parent);
        let global = if score >= self.node.beta { protocol.global_lock(processor) } else { None };
        let mut state = processor.lock(&owner.state);
        if protocol.blocks.at(self.id).is_stopped() {
            return true;
        }
        let verdict = state.progress.take(mv, score, self.node.beta);
        match verdict {
            Verdict::NoBetter => {}
            Verdict::Raised => {
                owner.raise(score);
                self.keep_line(worker, mv);
                state.best_line.clone_from(&self.line);
                state.efforts.push((mv, 0, verdict));
            }
            Verdict::Cut => self.stop_siblings(protocol, worker, &mut state, place),
        }
        drop(state);
        drop(global);
        verdict == Verdict::Cut
    }

    /// A move has cut. If nobody has stopped this job meanwhile, the others at the node and below are.
    fn stop_the_others<B: Board, P: Processor, S: Strategy>(
        &self,
        protocol: &Protocol<'_, B>,
        worker: &mut Worker<'_, B, P, S>,
        place: usize,
    ) {
        let processor = worker.processor;
        let before = processor.enter(Activity::Split);
        let _global = protocol.global_lock(processor);
        let mut state = processor.lock(&protocol.blocks.at(self.parent).state);
        if !protocol.blocks.at(self.id).is_stopped() {
            self.stop_siblings(protocol, worker, &mut state, place);
        }
        processor.enter(before);
    }

    /// The move at this place has cut: what was done for later ones was of no use, and the jobs at the node are
    /// stopped.
    fn stop_siblings<B: Board, P: Processor, S: Strategy>(
        &self,
        protocol: &Protocol<'_, B>,
        worker: &mut Worker<'_, B, P, S>,
        state: &mut State<B>,
        place: usize,
    ) {
        state.cutting = Some(place);
        let later = state.done.iter().filter(|(done, _)| *done > place);
        later.for_each(|(_, account)| worker.counters.losses.claim(account, Loss::Useless));
        let earlier = state.done.iter().filter(|(done, _)| *done < place).count();
        worker.counters.saved_moves += place.saturating_sub(earlier) as u64;
        let siblings = state.children.iter().filter(|child| **child != self.id);
        siblings.for_each(|child| protocol.blocks.stop(worker.processor, *child));
    }

    /// The job is done: what was found is merged into the owner's block, and the worker sits down.
    fn leave<B: Board, P: Processor>(
        self,
        protocol: &Protocol<'_, B>,
        processor: &P,
        waits: Option<Waits>,
        account: Account,
    ) {
        let (blocks, rules) = (protocol.blocks, protocol.rules);
        let owner = blocks.at(self.parent);
        let global = protocol.global_lock(processor);
        let mut state = processor.lock(&owner.state);
        state.by_helpers += account;
        state.children.retain(|child| *child != self.id);
        if rules.defect_alpha_private
            && !blocks.at(self.id).is_stopped()
            && let Some(best) = self.found.best
        {
            let score = self.found.cut.unwrap_or(self.found.alpha);
            let verdict = state.progress.take(best, score, self.node.beta);
            if verdict == Verdict::Raised {
                state.best_line = self.line;
                state.efforts.push((best, 0, verdict));
            }
        }
        let is_last = owner.leave() == 0;
        drop(state);
        blocks.seats.touch(processor, processor.id());
        blocks.seats.set(processor.id(), sitting(waits));
        if !rules.defect_stale_idle_count {
            blocks.idle.add(processor, 1);
        }
        drop(global);
        // From here on the block may have split another node; then its owner is called for nothing.
        if is_last && self.parent.worker() != processor.id() {
            processor.unpark(self.parent.worker());
        }
    }
}

impl Stack {
    /// Jobs above the lowest remember lines of their own, and the next job at that level finds them there.
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
