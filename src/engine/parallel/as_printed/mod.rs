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
mod split;

use std::cell::{Cell, RefCell};

use super::handover::Copying;
use crate::chess::{Board, History, Move};
use crate::machine::{Activity, Held, Processor};
use crate::search::{
    At, Begun, End, Expected, Histories, Killers, LineMemory, Node, Picker, Progress, Role, Sharing, Strategy, Team,
    Worker,
};
use crate::settings::settings;
use blocks::{BlockId, Blocks};

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
        let mut record = self.worker.begin_split();
        let is_split = self.split(job, node, progress, picker);
        self.worker.has_split(&mut record);
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
        self.worker.end_split(record, &state.shared, state.given, state.helped == 0);
        // Of a search that was stopped nothing is known, and some may still be at the node.
        let is_known = !is_over && !block.is_stopped();
        if is_known {
            state.shared.tell_owner(self.worker);
            *progress = found;
        }
        drop(state);
        self.worker.end_job(begun, node, End::of(&found, is_known));
        is_known.then_some(Sharing::Completely)
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
