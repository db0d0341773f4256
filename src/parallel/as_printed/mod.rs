//! Young brothers wait as the program printed in the 2004 thesis does it, each of its defects a switch.
//!
//! A worker that has searched a move of a node and sees by a counter that somebody is idle *splits*: under a global lock it
//! gives a job at this node to every processor whose seat is free, and one to itself, copies a position for each, and then is
//! a helper like the others. Nobody comes later. A helper takes the next move from the list under the lock of the owner's
//! block, searches it with a null window, and again if it is better than alpha; what it has found it keeps until no move is
//! left, and then merges it into the owner's block. A move that cuts stops the other jobs at the node and all below them, by
//! a flag in each block. Whoever has finished a job sits down: the seat is free, and the counter is raised under the global
//! lock. An owner that waits for its helpers sits down too, and may be given any job in the tree; jobs lie on top of one
//! another on its stack then, and it cannot return to its node before they are done.
//!
//! No cycle of waiting can close: who waits, waits for jobs that have begun after its own, and what lies on top of a job on
//! a stack has begun after that job. Locks are taken in one order: the global one, then blocks from the root downwards.
//!
//! What differs from the print: a job's position is copied twice, by the splitter into its block and by the helper out of
//! it, and only the copy that the print makes is paid for; the list has only legal moves; a stop is noticed at the next node,
//! not when the next child returns. Waiting is by being called, which on a machine that spins is the latency of a spin.

mod blocks;
mod jobs;

use super::handover::Copy;
use super::{AnyStrategy, Common, Way};
use crate::chess::{Board, History, Move};
use crate::machine::{Activity, Held, Processor, Work};
use crate::search::{Account, Histories, LineMemory, Node, Picker, Progress, Shared, Worker};
use crate::settings::settings;
pub use blocks::{BlockId, Blocks};
use blocks::{Seat, Seats};

settings! {
    /// What can be chosen about the thesis's protocol, its defects included.
    pub struct AsPrinted, "parameter of young brothers wait as printed";
    minimum_draft: i32 [1..=99 "plies"], "minimum-draft", "a node with less draft is not split";
    copy: Copy, "copy", "how a position reaches a helper where 'defect-one-global-lock' is mended: the board as it is, or squares and state, of which the helper rebuilds it";
    helpers: i32 [1..=1024 "helpers"], "helpers", "at most so many join a split beside its owner, if not everybody joins";
    histories: Histories, "history", "all workers use one history of quiet moves, or each its own, or each its own and they are merged before each iteration";
    defect_repeated_move: bool, "defect-repeated-move", "the first move handed out at a split is the one that the owner has just finished; mended: the next one";
    defect_empty_split: bool, "defect-empty-split", "a node is split although no legal move is left; mended: only if there is one";
    defect_root_never_splits: bool, "defect-root-never-splits", "the moves of the root are never shared; mended: they are, like those of any node";
    defect_alpha_private: bool, "defect-alpha-private", "a helper keeps what it finds to itself until no move is left; mended: alpha is shared, and read before each move and each search with an open window";
    defect_any_helper: bool, "defect-any-helper", "an owner that waits for its helpers is given any job in the tree; mended: only jobs below its own node";
    defect_everybody_joins: bool, "defect-everybody-joins", "all idle processors join each split; mended: at most 'helpers' of them";
    defect_one_global_lock: bool, "defect-one-global-lock", "splits, stops, merges, counts and copies of 2320 bytes for each helper happen under one lock; mended: each block has a lock, seats are taken by an atomic exchange, and helpers copy for themselves, under no lock, what is really needed";
    defect_stale_killers: bool, "defect-stale-killers", "a job begins with the killers that the last one in the same block has left; mended: with its owner's";
    defect_stale_idle_count: bool, "defect-stale-idle-count", "who has been given a job counts as idle until it wakes, so that others try to split and find nobody; mended: counted exactly";
}

impl Default for AsPrinted {
    fn default() -> Self {
        Self {
            minimum_draft: 3,
            copy: Copy::Whole,
            helpers: 3,
            histories: Histories::Shared,
            defect_repeated_move: true,
            defect_empty_split: true,
            defect_root_never_splits: true,
            defect_alpha_private: true,
            defect_any_helper: true,
            defect_everybody_joins: true,
            defect_one_global_lock: true,
            defect_stale_killers: true,
            defect_stale_idle_count: true,
        }
    }
}

/// What each worker keeps.
#[derive(Default)]
pub struct Stack {
    /// The block of the present job.
    pub job: Option<BlockId>,
    /// What jobs that lie on others remember of their lines, and what the last ones have left there, by level.
    memories: Vec<LineMemory>,
    /// Pasts to be used by jobs that lie on others.
    spare_pasts: Vec<History>,
    /// The best lines of jobs that others lie on, one after the other, and the length of each.
    lines: Vec<Move>,
    lengths: Vec<usize>,
    /// Whom to call after a split.
    called: Vec<usize>,
}

/// The size of the thesis's position, with its record of the game.
const PRINTED_POSITION: u32 = 2320;

type Own<'a, 'b, B, P> = &'a mut Worker<'b, B, P, AnyStrategy>;

impl Way for AsPrinted {
    const SHARES_NODES: bool = true;

    fn histories(&self) -> Histories {
        self.histories
    }

    fn shared<B: Board>(&self, workers: usize) -> Common<B> {
        // As printed, everybody counts itself when it sits down for the first time.
        let idle = if self.defect_stale_idle_count { 0 } else { workers - 1 };
        Common { printed: Blocks::new(workers, idle), ..Common::default() }
    }

    /// The first processor thinks, and the others do the jobs that they are given.
    fn run<B: Board, P: Processor>(&self, worker: Own<'_, '_, B, P>) {
        if worker.processor.id() > 0 {
            return jobs::sit(worker, self, None);
        }
        // Its first job is the search from the root.
        worker.own.printed.job = Some(BlockId::new(0, 0));
        worker.think();
        worker.shared.printed.end(worker.processor);
    }

    fn share<B: Board, P: Processor>(
        &self,
        worker: Own<'_, '_, B, P>,
        node: &Node,
        progress: &mut Progress,
        picker: &mut Picker,
    ) -> Option<Shared> {
        share(worker, self, node, progress, picker)
    }
}

impl AsPrinted {
    /// The lock under which, as printed, nearly everything happens.
    fn global_lock<'a, B: Board, P: Processor>(
        &self,
        blocks: &'a Blocks<B>,
        processor: &'a P,
    ) -> Option<Held<'a, (), P>> {
        self.defect_one_global_lock.then(|| processor.lock(&blocks.lock))
    }
}

/// After a move of a node: splits it if somebody is idle, and searches the rest together with them.
fn share<B: Board, P: Processor>(
    worker: Own<'_, '_, B, P>,
    printed: &AsPrinted,
    node: &Node,
    progress: &mut Progress,
    picker: &mut Picker,
) -> Option<Shared> {
    let (processor, blocks) = (worker.processor, &worker.shared.printed);
    let may_split = node.plies() >= printed.minimum_draft
        && (node.ply > 0 || !printed.defect_root_never_splits)
        && (picker.left() > 0 || printed.defect_empty_split);
    let Some(job) = worker.own.printed.job.filter(|_| may_split) else {
        return Some(Shared::NotAtAll);
    };
    if blocks.idle.is_zero(processor) {
        return Some(Shared::NotAtAll);
    }
    let before = processor.enter(Activity::Split);
    let is_split = split(worker, printed, job, node, progress, picker);
    if is_split {
        jobs::sit(worker, printed, Some(jobs::Waits { at: job, ply: node.ply }));
    }
    processor.enter(before);
    if !is_split {
        return Some(Shared::NotAtAll);
    }

    let is_over = processor.is_stopped();
    let block = blocks.at(job);
    let mut state = processor.lock(&block.state);
    let found = state.progress;
    worker.counters.splits.close(node, state.given, state.helped == 0, found.cut.is_some());
    worker.for_this_worker += state.by_helpers;
    // Of a search that was stopped nothing is known, and some may still be at the node.
    if is_over || block.is_stopped() {
        return None;
    }
    if !state.best_line.is_empty() {
        worker.lines.set(node.ply, &state.best_line);
    }
    let efforts = std::mem::take(&mut state.efforts);
    drop(state);
    for (mv, effort, verdict) in &efforts {
        worker.set_root_effort(*mv, *effort, *verdict);
    }
    *progress = found;
    Some(Shared::Completely)
}

/// Gives jobs at a node to those who are idle, and to its owner. `false`: there is nobody, or nothing left to do, and the
/// picker is as it was.
fn split<B: Board, P: Processor>(
    worker: Own<'_, '_, B, P>,
    printed: &AsPrinted,
    job: BlockId,
    node: &Node,
    progress: &Progress,
    picker: &mut Picker,
) -> bool {
    let (processor, blocks) = (worker.processor, &worker.shared.printed);
    let Some(own_child) = job.next() else {
        return false;
    };
    let global = printed.global_lock(blocks, processor);
    let block = blocks.at(job);
    let mut held = processor.lock(&block.state);
    let most = if printed.defect_everybody_joins { usize::MAX } else { printed.helpers as usize };
    let is_free = |id: usize| free_block(blocks, printed, processor, id, job).is_some();
    if block.is_stopped() || !(0..processor.count()).any(is_free) {
        worker.counters.failed_attempts += 1;
        return false;
    }

    let state = &mut *held;
    let saved = *picker;
    state.moves.clear();
    let repeated = progress.last.filter(|_| printed.defect_repeated_move);
    state.moves.extend(repeated);
    while let Some(mv) = worker.pick(picker) {
        if node.in_check || worker.board.is_legal(mv, false) {
            state.moves.push(mv);
        }
    }
    let new_moves = state.moves.len() - usize::from(repeated.is_some());
    if new_moves == 0 && !printed.defect_empty_split {
        *picker = saved;
        return false;
    }

    state.children.clear();
    let called = &mut worker.own.printed.called;
    called.clear();
    for id in 0..processor.count() {
        if called.len() == most {
            break;
        }
        if let Some((seat, child)) = free_block(blocks, printed, processor, id, job)
            && blocks.seats.exchange(id, seat, Seat::Claimed)
        {
            called.push(id);
            state.children.push(child);
        }
    }
    if called.is_empty() {
        // Only without the global lock: another splitter was quicker.
        worker.counters.failed_attempts += 1;
        *picker = saved;
        return false;
    }
    if !printed.defect_stale_idle_count {
        blocks.idle.add(processor, -(called.len() as i32));
    }
    state.children.push(own_child);
    state.given = called.len() as u32;
    state.children.iter().for_each(|child| blocks.at(*child).begin(job));
    block.split(progress.alpha, state.children.len());

    worker.counters.splits.make(node, progress.searched);
    (state.node, state.at_split, state.progress, state.next) = (*node, *progress, *progress, 0);
    (state.is_first_repeated, state.helped, state.cutting) = (repeated.is_some(), 0, None);
    state.by_helpers = Account::default();
    state.done.clear();
    state.best_line.clear();
    state.efforts.clear();
    state.position.board.pack(printed.copy, &worker.board);
    state.position.past.copy_reversible_from(&worker.past, worker.board.state());
    state.position.context = worker.context(node.ply);
    processor.spend(Work::Split);
    if printed.defect_one_global_lock {
        for _ in &state.children {
            processor.spend(Work::Copy { bytes: PRINTED_POSITION });
            worker.counters.copied_bytes += u64::from(PRINTED_POSITION);
        }
    }
    for id in worker.own.printed.called.iter().chain([&processor.id()]) {
        blocks.seats.touch(processor, *id);
        blocks.seats.set(*id, Seat::Assigned);
    }
    drop(held);
    drop(global);
    for i in 0..worker.own.printed.called.len() {
        processor.unpark(worker.own.printed.called[i]);
    }
    true
}

/// Where a job at the node of `splitter` may be given to this worker, and what its seat says.
fn free_block<B: Board, P: Processor>(
    blocks: &Blocks<B>,
    printed: &AsPrinted,
    processor: &P,
    id: usize,
    splitter: BlockId,
) -> Option<(Seat, BlockId)> {
    if Seats::begins_line(id) {
        blocks.seats.touch(processor, id);
    }
    let seat = blocks.seats.get(id);
    let child = match seat {
        Seat::Busy | Seat::Claimed | Seat::Assigned => return None,
        Seat::Idle => BlockId::new(id, 0),
        Seat::WaitsAt(level) => {
            let waits_at = BlockId::new(id, level);
            let is_allowed = printed.defect_any_helper || blocks.is_below(splitter, waits_at);
            waits_at.next().filter(|_| is_allowed)?
        }
    };
    Some((seat, child))
}
