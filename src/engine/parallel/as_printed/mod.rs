//! Young brothers wait as the program printed in the 2004 thesis does it, each of its defects a switch.
//!
//! A worker that has searched a move of a node and sees by a counter that somebody is idle *splits*: under a global
//! lock it gives a job at this node to every processor whose seat is free, and one to itself, copies the position into
//! the block of each, and then is a helper like the others. Nobody comes later. A helper picks the best move that is
//! left under the lock of the owner's block, searches it with a null window if it is legal, and again if it is better
//! than alpha; what it has found it keeps until no move is left, and then merges it into the owner's block. A move that
//! cuts stops the other jobs at the node and all below them, by a flag in each block. Whoever has finished a job sits
//! down: the seat is free, and the counter is raised under the global lock. An owner that waits for its helpers sits
//! down too, and may be given any job in the tree; jobs lie on top of one another on its stack then, and it cannot
//! return to its node before they are done.
//!
//! Waiting cannot form a cycle: a worker waits only for jobs that have begun after its own, and what lies on top of a
//! job on a stack has begun after that job. Locks are taken in one order: the global one, then blocks from the root
//! downwards.
//!
//! Differences from the print: a helper works on a copy of the position in its block, not in the block itself; a stop
//! that comes during quiescence is noticed after it, not within.
//!
//! # Memory ordering
//!
//! What lies behind a lock is ordered by the lock. The words beside it need more than `Relaxed` in two places:
//!
//! - *A job is given.* The giver writes the child's block and then its seat, `Release`; the child takes the seat,
//!   `Acquire`, and reads its block. When the child sits down, it passes the block in the same way to the next worker
//!   that claims the seat.
//! - *A node is done.* A worker that leaves a node counts itself out, `Release`; the owner sees that nobody is left,
//!   `Acquire`, and goes on with what the others have found.
//!
//! Alpha, the moment of a stop, the count of idle workers and the parent of a job are single values that do not publish
//! other memory: the parent is read by its own worker after it has taken its seat. The end of the search reaches a
//! sleeper by the call that wakes it. All these are `Relaxed`.

mod blocks;
mod jobs;

use std::cell::{Cell, RefCell};

use super::handover::{Copying, Handover, HandoverCost, PRINTED_POSITION};
use super::shared_node::list_legal_moves;
use crate::chess::{Board, History, Move};
use crate::machine::{Activity, Held, Processor, Work};
use crate::search::{
    At, Begun, End, Expected, Histories, Killers, LineMemory, Node, Picker, Progress, Role, Sharing, Strategy, Team,
    Worker,
};
use crate::settings::settings;
use blocks::{BlockId, Blocks, Seat};

settings! {
    /// Parameters of the thesis's protocol, its defects included.
    pub struct AsPrinted, "parameter of strategy 'ybwc-as-printed'";
    minimum_draft: i32 [1..=99 "plies"] = 3, "minimum-draft", "least draft at which a node is split";
    killers: Killers = Killers::Copied, "killers",
        "killers with which a job begins if 'defect-stale-killers' is mended: its owner's, or none";
    guess_node_type: bool, "guess-node-type",
        "an expected CUT node is not split; off: any node may be, as in the program";
    helpers: i32 [1..=1024 "helpers"] = 3, "helpers",
        "largest number of helpers that join a split if 'defect-everybody-joins' is mended";
    histories: Histories = Histories::Shared, "history", history_meaning!();
    defect_repeated_move: bool = true, "defect-repeated-move",
        "the first move handed out at a split is the one that the owner has just finished; mended: the next one";
    defect_empty_split: bool = true, "defect-empty-split",
        "a node is split even if no legal move is left; mended: only if one is left";
    defect_root_never_splits: bool = true, "defect-root-never-splits",
        "the moves of the root are never shared; mended: they are, like those of any node";
    defect_alpha_private: bool = true, "defect-alpha-private",
        "a helper keeps what it finds to itself until no move is left; mended: alpha is shared, and read before each \
         move and each search with an open window";
    defect_any_helper: bool = true, "defect-any-helper",
        "an owner that waits for its helpers is given any job in the tree; mended: only jobs below its own node";
    defect_everybody_joins: bool = true, "defect-everybody-joins",
        "all idle processors join each split; mended: at most 'helpers' of them";
    defect_one_global_lock: bool = true, "defect-one-global-lock",
        "splits, stops, merges and counts happen under one lock; mended: each block has a lock, and seats are taken by \
         an atomic exchange";
    defect_splitter_copies: bool = true, "defect-splitter-copies",
        "the owner of a split copies the position into the block of each helper while it holds its locks; mended: \
         helpers copy for themselves";
    defect_game_record: bool = true, "defect-game-record",
        "a copy has the 2320 bytes of the printed position, most of them its record of the game; mended: only the \
         bytes that are needed";
    defect_sorting_under_lock: bool = true, "defect-sorting-under-lock",
        "a worker that takes a move selects the best of those left while it holds the lock of the owner's block; \
         mended: the owner sorts them before it splits";
    defect_stop_polling: bool = true, "defect-stop-polling",
        "a stop is noticed when the search of a move returns; mended: at every node";
    defect_false_sharing: bool = true, "defect-false-sharing",
        "the global lock, the count of idle processors and the seats of the first ones lie on one cache line; mended: \
         each on its own";
    defect_polled_seats: bool = true, "defect-polled-seats",
        "a worker that waits by spinning reads its seat, and the count of helpers at its node, in a loop, so that all \
         waiting workers fetch each change of these cache lines; mended: each reads a word of its own, on which it is \
         called";
    defect_stale_killers: bool = true, "defect-stale-killers",
        "a job begins with the killers that the last job in the same block left behind; mended: with its owner's";
    defect_stale_idle_count: bool = true, "defect-stale-idle-count",
        "a worker that has been given a job counts as idle until it wakes, so that others try to split and find \
         nobody; mended: idle workers are counted exactly";
    ..copying: Copying;
}

/// Jobs that lie on a worker's stack.
#[derive(Default)]
pub struct Stack {
    /// Block of the present job.
    job: Cell<Option<BlockId>>,
    /// Memories of jobs that lie on others, by level, with what the last job there has left.
    memories: RefCell<Vec<LineMemory>>,
    /// Best lines and pasts of owners that work at another node meanwhile.
    saved: RefCell<SavedLines>,
    /// Workers to call after a split.
    called: RefCell<Vec<usize>>,
    /// Moves that the owner has sorted before a split.
    sorted: RefCell<Vec<Move>>,
    /// Moment since which the worker has had nothing to do.
    free_since: Cell<u64>,
}

/// Best lines of jobs that others lie on, one after the other, without allocating for each.
#[derive(Default)]
struct SavedLines {
    moves: Vec<Move>,
    lengths: Vec<usize>,
    /// Pasts to be used by jobs that lie on others.
    spare_pasts: Vec<History>,
}

impl Strategy for AsPrinted {
    type Shared<B: Board> = Blocks<B>;
    type Own = Stack;

    fn histories(&self) -> Histories {
        self.histories
    }

    fn shared<B: Board>(&self, workers: usize) -> Blocks<B> {
        // As printed, everybody counts itself when it sits down for the first time.
        let idle = if self.defect_stale_idle_count { 0 } else { workers - 1 };
        Blocks::new(workers, idle, self.defect_false_sharing)
    }

    /// The first processor thinks once the others sit, and they do the jobs that they are given.
    fn run<T: Team>(&self, at: At<'_, '_, Self, T>) {
        let processor = at.worker.processor;
        if processor.id() > 0 {
            return Protocol::new(self, at).sit(None);
        }
        while at.shared.idle_count(processor) < processor.count() as i32 - 1 && !processor.is_stopped() {
            processor.park("the others to sit down");
        }
        at.shared.begin();
        // Its first job is the search from the root.
        at.own.job.set(Some(BlockId::new(0, 0)));
        at.worker.think();
        at.shared.end(at.worker.processor);
    }

    #[inline(always)]
    fn share<T: Team>(
        &self,
        at: At<'_, '_, Self, T>,
        node: &Node,
        progress: &mut Progress,
        picker: &mut Picker,
    ) -> Option<Sharing> {
        Protocol::new(self, at).share(node, progress, picker)
    }

    #[inline(always)]
    fn is_cut_off<T: Team>(&self, at: At<'_, '_, Self, T>) -> bool {
        !self.defect_stop_polling && Protocol::new(self, at).notices_stop()
    }
}

/// The protocol as one worker takes part in it.
struct Protocol<'a, 'w, T: Team> {
    rules: &'a AsPrinted,
    worker: &'a mut Worker<'w, T::Board, T::Processor, T::Strategy>,
    blocks: &'a Blocks<T::Board>,
    stack: &'a Stack,
}

impl<'a, 'w, T: Team> Protocol<'a, 'w, T> {
    fn new(rules: &'a AsPrinted, at: At<'a, 'w, AsPrinted, T>) -> Self {
        Self { rules, worker: at.worker, blocks: at.shared, stack: at.own }
    }

    /// The lock under which, as printed, nearly everything happens.
    fn global_lock(&self) -> Option<Held<'a, (), T::Processor>> {
        self.rules.defect_one_global_lock.then(|| self.worker.processor.lock(self.blocks.lock()))
    }

    /// Whether nobody wants the result of the present job any more. For one who has let others go first.
    #[inline(always)]
    fn notices_stop(&mut self) -> bool {
        let stopped_at = self.stack.job.get().and_then(|job| self.blocks.at(job).stopped_at());
        if let Some(since) = stopped_at {
            self.worker.count_stop(since);
        }
        stopped_at.is_some()
    }

    /// After a move of a node: splits it if somebody is idle, and searches the rest together with them.
    #[inline(never)]
    fn share(&mut self, node: &Node, progress: &mut Progress, picker: &mut Picker) -> Option<Sharing> {
        let (processor, rules) = (self.worker.processor, self.rules);
        self.worker.rank_rest(picker);
        let nobody_is_idle = self.blocks.idle_count(processor) <= 0;
        if rules.defect_stop_polling && self.notices_stop() {
            return None;
        }
        let may_split = node.plies() >= rules.minimum_draft
            && (node.ply > 0 || !rules.defect_root_never_splits)
            && (picker.left() > 0 || rules.defect_empty_split)
            && !(rules.guess_node_type && node.expected == Expected::Cut);
        let Some(job) = self.stack.job.get().filter(|_| may_split && !nobody_is_idle) else {
            return Some(Sharing::NotAtAll);
        };
        let before = processor.enter(Activity::Split);
        let nodes_before = self.worker.counters.nodes();
        let from = processor.tick();
        let is_split = self.split(job, node, progress, picker);
        let open_ns = processor.between(from, processor.tick());
        if is_split {
            self.sit(Some(Waits { at: job, ply: node.ply }));
        }
        processor.enter(before);
        if !is_split {
            return Some(Sharing::NotAtAll);
        }

        let is_over = processor.is_stopped();
        let block = self.blocks.at(job);
        let state = processor.lock(&block.state);
        let found = state.shared.progress;
        let begun =
            Begun { nodes: nodes_before, ..self.worker.begin_job(Role::Own, processor.id(), state.shared.since) };
        self.worker.counters.splits.close(node.kind(), state.given, state.helped == 0, found.cut.is_some());
        let span_ns = processor.between(from, processor.tick()) + state.shared.stay_ns;
        let cost_ns = open_ns + state.shared.cost_ns;
        self.worker.counters.spend(node.kind(), cost_ns, span_ns);
        self.worker.counters.distributions.close((cost_ns, span_ns), state.given, state.shared.superfluous());
        self.worker.counters.times.open_ns += open_ns;
        self.worker.for_this_worker += state.shared.by_helpers;
        // Of a search that was stopped nothing is known, and some may still be at the node.
        let is_known = !is_over && !block.is_stopped();
        if is_known {
            state.shared.tell_owner(self.worker);
            *progress = found;
        }
        drop(state);
        let end = match (is_known, found.cut) {
            (false, _) => End::Stopped,
            (true, Some(_)) => End::Cut,
            (true, None) => End::Done,
        };
        self.worker.end_job(begun, node, end);
        is_known.then_some(Sharing::Completely)
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

    /// Gives jobs at a node to those who are idle, and to its owner. `false`: there is nobody, or nothing left to do.
    fn split(&mut self, job: BlockId, node: &Node, progress: &Progress, picker: &mut Picker) -> bool {
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
        if !rules.defect_splitter_copies && !rules.copying.copier.locks_owner() {
            self.pack(&block.handover, node).pass(self.worker);
        }
        let global = self.global_lock();
        let mut held = processor.lock(&block.state);
        let locked = processor.tick();
        let is_free = |id: usize| self.free_block(id, job).is_some();
        if block.is_stopped() || !(0..processor.count()).any(is_free) {
            self.worker.counters.failed_attempts += 1;
            self.worker.counters.waste_packs_since(&unpacked, node.kind());
            return false;
        }
        let state = &mut *held;
        let mut called = self.stack.called.borrow_mut();
        let most = if rules.defect_everybody_joins { usize::MAX } else { rules.helpers as usize };
        self.claim_seats(job, most, &mut called, &mut state.children);
        if called.is_empty() {
            // Only without the global lock: another splitter was quicker.
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

        self.worker.counters.splits.make(node.kind(), progress.searched);
        state.shared.begin(self.worker, node, progress);
        std::mem::swap(&mut state.shared.moves, &mut sorted);
        state.shared.places.clear();
        (state.legal, state.repeated, state.helped) = (state.shared.moves.len(), repeated, 0);
        state.unsorted.clear();
        if rules.defect_sorting_under_lock {
            self.worker.copy_rest(picker, &mut state.unsorted);
        }
        processor.spend(Work::Split);
        if !rules.defect_splitter_copies && rules.copying.copier.locks_owner() {
            self.pack(&block.handover, node).pass(self.worker);
        }
        let since = state.shared.since;
        for child in &state.children {
            blocks.at(*child).begin(job);
            let mut given = processor.lock(&blocks.at(*child).state);
            (given.shared.node, given.shared.since, given.at_split) = (*node, since, *progress);
            if rules.defect_splitter_copies {
                self.pack(&blocks.at(*child).handover, node).pay(self.worker);
            }
        }
        block.give_at(processor.now());
        for id in called.iter().chain([&processor.id()]) {
            blocks.set_seat(processor, *id, Seat::ASSIGNED);
        }
        drop(held);
        drop(global);
        let unlocked = processor.tick();
        called.iter().for_each(|id| processor.unpark(*id));
        let times = &mut self.worker.counters.times;
        times.opened += 1;
        times.open_held_ns += processor.between(locked, unlocked);
        times.call_ns += processor.between(unlocked, processor.tick());
        true
    }

    /// Packs the worker's position for the jobs at this node.
    fn pack(&self, handover: &Handover<T::Board>, node: &Node) -> HandoverCost {
        let bytes = if self.rules.defect_game_record { PRINTED_POSITION } else { 0 };
        handover.pack(self.worker, node.ply, &self.rules.copying, bytes)
    }

    /// Takes the seats of workers that may be given a job at the node of `splitter`, and the blocks for those jobs.
    fn claim_seats(&self, splitter: BlockId, most: usize, called: &mut Vec<usize>, children: &mut Vec<BlockId>) {
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

/// A node that its owner waits for.
#[derive(Clone, Copy)]
struct Waits {
    /// The block at which it has split.
    at: BlockId,
    /// Distance of its node from the root.
    ply: usize,
}
