//! A worker's life on its seat: it waits for a job, does it, and sits down again.

use super::super::handover::Parcel;
use super::blocks::{Alpha, Block, BlockId, Blocks, Seat, State};
use super::{AsPrinted, Own};
use crate::chess::{Board, History, Move, Score};
use crate::machine::{Access, Activity, Processor, Work};
use crate::search::{Account, Killers, LineMemory, Loss, MAX_PLY, Node, Progress, Verdict};

/// What an owner waits for.
#[derive(Clone, Copy)]
pub struct Waits {
    /// The block at which it has split.
    pub at: BlockId,
    /// How far its node is from the root.
    pub ply: usize,
}

/// What a worker on its seat does next.
enum Next {
    Work,
    Leave,
}

/// A job that is being done.
struct Part {
    job: BlockId,
    parent: BlockId,
    node: Node,
    /// What this worker has found, if it keeps that to itself.
    found: Progress,
    line: Vec<Move>,
}

/// What an owner needs to go on at its node when it has worked at another.
struct Aside<B> {
    board: B,
    past: History,
    ply: usize,
}

/// A worker does the jobs that it is given, until the node that it waits for is done, or the search is over.
pub fn sit<B: Board, P: Processor>(worker: Own<'_, '_, B, P>, printed: &AsPrinted, waits: Option<Waits>) {
    let (processor, blocks) = (worker.processor, &worker.shared.printed);
    loop {
        if printed.defect_stale_idle_count {
            let _global = printed.global_lock(blocks, processor);
            blocks.idle.add(processor, 1);
        }
        let waiting = if waits.is_some() { Activity::Wait } else { Activity::Idle };
        match processor.during(waiting, || next(blocks, printed, processor, waits)) {
            Next::Work => work(worker, printed, waits),
            Next::Leave => return,
        }
    }
}

fn next<B: Board, P: Processor>(blocks: &Blocks<B>, printed: &AsPrinted, processor: &P, waits: Option<Waits>) -> Next {
    let (id, sitting) = (processor.id(), sitting(waits));
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
        let _global = printed.global_lock(blocks, processor);
        blocks.seats.touch(processor, id);
        let is_given = blocks.seats.exchange(id, Seat::Assigned, Seat::Busy);
        let leaves = !is_given && blocks.seats.exchange(id, sitting, Seat::Busy);
        if leaves || is_given && printed.defect_stale_idle_count {
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

/// What the seat of a worker says that sits down.
fn sitting(waits: Option<Waits>) -> Seat {
    waits.map_or(Seat::Idle, |waits| Seat::WaitsAt(waits.at.level()))
}

/// One job: moves of another's node, or of the worker's own, until none is left, one has cut, or nobody wants them.
fn work<B: Board, P: Processor>(worker: Own<'_, '_, B, P>, printed: &AsPrinted, waits: Option<Waits>) {
    let (processor, blocks) = (worker.processor, &worker.shared.printed);
    let before = processor.enter(Activity::Split);
    let job = waits.map_or(Some(BlockId::new(processor.id(), 0)), |waits| waits.at.next());
    let Some((job, parent)) = job.and_then(|job| Some((job, blocks.at(job).parent()?))) else {
        unreachable!("a job is given only where there is a block for it");
    };
    let is_own = waits.is_some_and(|waits| waits.at == parent);
    let aside = waits.filter(|_| !is_own).map(|waits| Aside::of(worker, waits.ply));
    // The lowest job on a stack has the worker's memory to itself; an owner at its own node need not forget anything.
    let has_memory = waits.is_some() && (!is_own || printed.defect_stale_killers);
    if has_memory {
        swap_memory(worker, job);
    }

    let mut state = processor.lock(&blocks.at(parent).state);
    let copying_since = processor.now();
    let beside = if has_memory || !is_own { take_over(worker, printed, &state, is_own) } else { 0 };
    worker.counters.handover_ns += processor.now() - copying_since;
    let (node, found) = (state.node, state.at_split);
    let first = take_move(&mut state, blocks.at(job));
    state.helped += u32::from(!is_own && first.is_some());
    drop(state);
    if !is_own {
        processor.spend(Work::Join);
        if !printed.defect_one_global_lock {
            let spent_since = processor.now();
            Parcel::<B>::spend(printed.copy, processor, beside);
            worker.counters.handover_ns += processor.now() - spent_since;
            worker.counters.copied_bytes += (Parcel::<B>::bytes(printed.copy) + beside) as u64;
        }
    }

    processor.enter(Activity::Search);
    let below = worker.own.printed.job.replace(job);
    let (since, account_before) = (processor.now(), worker.account());
    let mut part = Part { job, parent, node, found, line: Vec::new() };
    part.search(worker, printed, first);
    let account = worker.account() - account_before;
    worker.own.printed.job = below;
    worker.note_job(&node, parent.worker(), since);
    processor.enter(Activity::Split);
    if has_memory {
        swap_memory(worker, job);
    }
    if !is_own {
        // Whatever this worker may be waiting for, it was not for this.
        worker.for_this_worker -= account;
    }
    if let Some(aside) = aside {
        aside.put_back(worker);
    }
    part.leave(worker, printed, waits, if is_own { Account::default() } else { account });
    processor.enter(before);
}

/// What jobs above the lowest remember of their lines is their own, and the next job at that level finds it there.
fn swap_memory<B: Board, P: Processor>(worker: Own<'_, '_, B, P>, job: BlockId) {
    let level = job.level() as usize;
    let mut memories = std::mem::take(&mut worker.own.printed.memories);
    if memories.len() <= level {
        memories.resize_with(level + 1, LineMemory::new);
    }
    worker.swap_memory(&mut memories[level]);
    worker.own.printed.memories = memories;
}

/// Comes to a node that has been split. How many bytes that takes beside the position.
fn take_over<B: Board, P: Processor>(
    worker: Own<'_, '_, B, P>,
    printed: &AsPrinted,
    state: &State<B>,
    is_own: bool,
) -> usize {
    let position = &state.position;
    let mut bytes = size_of_val(&position.context);
    if !is_own {
        position.board.unpack(printed.copy, &mut worker.board);
        bytes += worker.past.copy_reversible_from(&position.past, worker.board.state());
    }
    let killers = if printed.defect_stale_killers { Killers::Stale } else { Killers::Copied };
    worker.adopt(state.node.ply, &position.context, killers);
    bytes
}

/// A move that has been taken from a node.
struct Taken {
    mv: Move,
    place: usize,
    /// Whether the owner has searched it before.
    is_repeated: bool,
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

impl Part {
    /// Searches this move, and what else is left.
    fn search<B: Board, P: Processor>(&mut self, worker: Own<'_, '_, B, P>, printed: &AsPrinted, first: Option<Taken>) {
        let (processor, blocks) = (worker.processor, &worker.shared.printed);
        let (job, owner) = (blocks.at(self.job), blocks.at(self.parent));
        let node = self.node;
        let mut taken = first;
        while let Some(Taken { mv, place, is_repeated }) = taken {
            let account_before = worker.account();
            let alpha = if printed.defect_alpha_private {
                Alpha::Own(self.found.alpha)
            } else {
                Alpha::Shared(owner, processor)
            };
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
            if printed.defect_alpha_private {
                match self.found.take(mv, score, node.beta) {
                    Verdict::NoBetter => {}
                    Verdict::Raised => self.keep_line(worker, mv),
                    Verdict::Cut => return self.stop_the_others(worker, printed, place),
                }
            } else if self.report(worker, printed, (mv, place), score) {
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

    fn keep_line<B: Board, P: Processor>(&mut self, worker: Own<'_, '_, B, P>, mv: Move) {
        self.line.clear();
        self.line.push(mv);
        self.line.extend(worker.lines.from(self.node.ply + 1));
    }

    /// With a shared alpha: all see at once what this move's score means. Whether it cuts.
    fn report<B: Board, P: Processor>(
        &mut self,
        worker: Own<'_, '_, B, P>,
        printed: &AsPrinted,
        (mv, place): (Move, usize),
        score: Score,
    ) -> bool {
        let (processor, blocks) = (worker.processor, &worker.shared.printed);
        let owner = blocks.at(self.parent);
        let global = if score >= self.node.beta { printed.global_lock(blocks, processor) } else { None };
        let mut state = processor.lock(&owner.state);
        if blocks.at(self.job).is_stopped() {
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
            Verdict::Cut => self.stop_siblings(worker, &mut state, place),
        }
        drop(state);
        drop(global);
        verdict == Verdict::Cut
    }

    /// A move has cut. If nobody has stopped this job meanwhile, the others at the node and below are.
    fn stop_the_others<B: Board, P: Processor>(&self, worker: Own<'_, '_, B, P>, printed: &AsPrinted, place: usize) {
        let (processor, blocks) = (worker.processor, &worker.shared.printed);
        let before = processor.enter(Activity::Split);
        let _global = printed.global_lock(blocks, processor);
        let mut state = processor.lock(&blocks.at(self.parent).state);
        if !blocks.at(self.job).is_stopped() {
            self.stop_siblings(worker, &mut state, place);
        }
        processor.enter(before);
    }

    /// The move at this place has cut: what was done for later ones was of no use, and the jobs at the node are stopped.
    fn stop_siblings<B: Board, P: Processor>(&self, worker: Own<'_, '_, B, P>, state: &mut State<B>, place: usize) {
        state.cutting = Some(place);
        let later = state.done.iter().filter(|(done, _)| *done > place);
        later.for_each(|(_, account)| worker.counters.losses.claim(account, Loss::Useless));
        let earlier = state.done.iter().filter(|(done, _)| *done < place).count();
        worker.counters.saved_moves += place.saturating_sub(earlier) as u64;
        let (processor, blocks) = (worker.processor, &worker.shared.printed);
        state.children.iter().filter(|child| **child != self.job).for_each(|child| blocks.stop(processor, *child));
    }

    /// The job is done: what was found is merged into the owner's block, and the worker sits down.
    fn leave<B: Board, P: Processor>(
        self,
        worker: Own<'_, '_, B, P>,
        printed: &AsPrinted,
        waits: Option<Waits>,
        account: Account,
    ) {
        let (processor, blocks) = (worker.processor, &worker.shared.printed);
        let owner = blocks.at(self.parent);
        let global = printed.global_lock(blocks, processor);
        let mut state = processor.lock(&owner.state);
        state.by_helpers += account;
        state.children.retain(|child| *child != self.job);
        if printed.defect_alpha_private
            && !blocks.at(self.job).is_stopped()
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
        if !printed.defect_stale_idle_count {
            blocks.idle.add(processor, 1);
        }
        drop(global);
        // From here on the block may have split another node; then its owner is called for nothing.
        if is_last && self.parent.worker() != processor.id() {
            processor.unpark(self.parent.worker());
        }
    }
}

impl<B: Board> Aside<B> {
    fn of<P: Processor>(worker: Own<'_, '_, B, P>, ply: usize) -> Self {
        let stack = &mut worker.own.printed;
        for ply in 0..=ply {
            let before = stack.lines.len();
            stack.lines.extend(worker.lines.from(ply));
            stack.lengths.push(stack.lines.len() - before);
        }
        let spare = stack.spare_pasts.pop().unwrap_or_else(|| History::with_capacity(2 * MAX_PLY));
        Self { board: worker.board.clone(), past: std::mem::replace(&mut worker.past, spare), ply }
    }

    fn put_back<P: Processor>(self, worker: Own<'_, '_, B, P>) {
        let stack = &mut worker.own.printed;
        worker.board = self.board;
        stack.spare_pasts.push(std::mem::replace(&mut worker.past, self.past));
        for ply in (0..=self.ply).rev() {
            let length = stack.lengths.pop().unwrap_or(0);
            let start = stack.lines.len() - length;
            worker.lines.set(ply, &stack.lines[start..]);
            stack.lines.truncate(start);
        }
    }
}
