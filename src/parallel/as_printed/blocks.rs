//! Blocks and seats: where the thesis's program keeps what its threads are at.
//!
//! A block is one job of one worker: a place from which it searches, and at which it may split one node at a time. A
//! worker has a row of blocks, one for each job that lies on top of another on its stack. Its seat says whether it may
//! be given a job. All that several workers change lies behind a block's lock; the words beside it may be read by
//! anybody who has let others go first.

use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU32, AtomicU64, Ordering};

use super::super::shared_node::SharedNode;
use crate::chess::{Board, Score};
use crate::machine::{Access, Line, Lock, Processor};
use crate::search::{Progress, Window};

/// Number of blocks of each worker, as in the thesis's program. That one takes another worker's block when they are
/// used up; here the worker is passed over.
pub const LEVELS: u32 = 64;

/// Moment of what has not happened.
const NEVER: u64 = u64::MAX;

/// Number of a block: its worker, and how many jobs of that worker lie below.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockId(u32);

/// A job as others see it, with the node that its worker has split.
#[repr(align(64))]
pub struct Block<B: Board> {
    pub state: Lock<State<B>>,
    /// Best score at the node that was split.
    alpha: AtomicI32,
    /// Number of workers still at that node.
    workers: AtomicU32,
    /// Since when nobody wants this job's result any more, or [`NEVER`].
    stopped_at: AtomicU64,
    /// Number of the block at whose node the job is, plus 1; 0 for the search from the root.
    parent: AtomicU32,
    line: Line,
}

/// All about the node that was split; it lies behind the block's lock.
pub struct State<B: Board> {
    pub shared: SharedNode<B>,
    /// Progress of the owner before the split.
    pub at_split: Progress,
    /// Whether the first move has been searched before the split.
    pub is_first_repeated: bool,
    /// Blocks of the jobs at this node.
    pub children: Vec<BlockId>,
    /// Number of workers other than the owner that were given a job.
    pub given: u32,
    /// Number of those that have searched a move.
    pub helped: u32,
}

/// State of a worker, as far as others may give it a job. The upper values hold the level of the block at which it
/// waits until the node that it has split is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seat(u32);

/// Seats of all workers. A cache line holds as many words as it held pointers in the thesis's program.
pub struct Seats(Vec<SeatLine>);

#[derive(Default)]
#[repr(align(64))]
struct SeatLine {
    words: [AtomicU32; SEATS_IN_LINE],
    line: Line,
}

const SEATS_IN_LINE: usize = 8;

/// Number of workers that count as idle.
#[derive(Default)]
#[repr(align(64))]
pub struct IdleCount {
    count: AtomicI32,
    line: Line,
}

/// Blocks and seats of all workers, with the global lock.
pub struct Blocks<B: Board> {
    /// Lock under which, as printed, nearly everything happens.
    pub lock: Lock<()>,
    pub seats: Seats,
    pub idle: IdleCount,
    blocks: Vec<Block<B>>,
    is_over: AtomicBool,
}

impl BlockId {
    pub fn new(worker: usize, level: u32) -> Self {
        Self(worker as u32 * LEVELS + level)
    }

    pub fn worker(self) -> usize {
        (self.0 / LEVELS) as usize
    }

    pub fn level(self) -> u32 {
        self.0 % LEVELS
    }

    /// Block of the same worker's next job, if there is room.
    pub fn next(self) -> Option<Self> {
        (self.level() + 1 < LEVELS).then_some(Self(self.0 + 1))
    }
}

impl<B: Board> Block<B> {
    fn new() -> Self {
        let shared = SharedNode::empty();
        let state = State {
            at_split: shared.progress,
            shared,
            is_first_repeated: false,
            children: Vec::new(),
            given: 0,
            helped: 0,
        };
        Self {
            state: Lock::new(state),
            alpha: AtomicI32::new(0),
            workers: AtomicU32::new(0),
            stopped_at: AtomicU64::new(NEVER),
            parent: AtomicU32::new(0),
            line: Line::new(),
        }
    }

    /// A new job for this block's worker, who has not been told yet.
    pub fn begin(&self, parent: BlockId) {
        self.parent.store(parent.0 + 1, Ordering::Relaxed);
        self.stopped_at.store(NEVER, Ordering::Relaxed);
    }

    /// The block's node has been split among this number of workers.
    pub fn split(&self, alpha: Score, workers: usize) {
        self.alpha.store(alpha.0, Ordering::Relaxed);
        self.workers.store(workers as u32, Ordering::Relaxed);
    }

    pub fn parent(&self) -> Option<BlockId> {
        self.parent.load(Ordering::Relaxed).checked_sub(1).map(BlockId)
    }

    /// One who worked at the node leaves. Returns the number of those who remain.
    pub fn leave(&self) -> u32 {
        // Release: the owner sees what was done at its node, see `is_done`.
        self.workers.fetch_sub(1, Ordering::Release) - 1
    }

    pub fn is_done<P: Processor>(&self, processor: &P) -> bool {
        processor.touch(Access::Object(&self.line));
        // Acquire: pairs with `leave`.
        self.workers.load(Ordering::Acquire) == 0
    }

    /// Since when nobody wants the result of this job. For one who has let others go first.
    #[inline]
    pub fn stopped_at(&self) -> Option<u64> {
        Some(self.stopped_at.load(Ordering::Relaxed)).filter(|at| *at != NEVER)
    }

    /// Whether nobody wants the result of this job. For one who has let others go first.
    pub fn is_stopped(&self) -> bool {
        self.stopped_at().is_some()
    }

    pub fn raise(&self, alpha: Score) {
        self.alpha.store(alpha.0, Ordering::Relaxed);
    }
}

impl Seat {
    /// The worker is at work.
    pub const BUSY: Self = Self(0);
    /// Somebody is about to give the worker a job.
    pub const CLAIMED: Self = Self(1);
    /// The worker has been given a job, in the block above its present one.
    pub const ASSIGNED: Self = Self(2);
    /// The worker has nothing to do.
    pub const IDLE: Self = Self(3);

    /// The worker waits at its block of this level.
    pub fn waits_at(level: u32) -> Self {
        Self(Self::IDLE.0 + 1 + level)
    }

    /// Level of the block at which the worker waits.
    pub fn level(self) -> Option<u32> {
        self.0.checked_sub(Self::IDLE.0 + 1)
    }
}

impl Seats {
    /// The first worker is at work, the others have nothing to do.
    fn new(workers: usize) -> Self {
        let seats = Self((0..workers.div_ceil(SEATS_IN_LINE)).map(|_| SeatLine::default()).collect());
        (1..workers).for_each(|id| seats.set(id, Seat::IDLE));
        seats
    }

    fn at(&self, id: usize) -> &AtomicU32 {
        &self.0[id / SEATS_IN_LINE].words[id % SEATS_IN_LINE]
    }

    /// Fetches the seats of this worker and its neighbours.
    pub fn touch<P: Processor>(&self, processor: &P, id: usize) {
        processor.touch(Access::Object(&self.0[id / SEATS_IN_LINE].line));
    }

    /// Whether this worker's seat is the first in its cache line.
    pub fn begins_line(id: usize) -> bool {
        id.is_multiple_of(SEATS_IN_LINE)
    }

    /// The seat as it is just now; it has to be taken by `exchange` before anything follows from that. For one who has
    /// touched it.
    pub fn get(&self, id: usize) -> Seat {
        Seat(self.at(id).load(Ordering::Relaxed))
    }

    /// Changes a seat. For one who has touched it, and whose it is to change.
    pub fn set(&self, id: usize, seat: Seat) {
        // Release: what was written to the block that belongs to the seat is seen by who takes it, see `exchange`.
        self.at(id).store(seat.0, Ordering::Release);
    }

    /// Changes a seat that may have changed meanwhile. For one who has touched it.
    pub fn exchange(&self, id: usize, from: Seat, to: Seat) -> bool {
        // Acquire: pairs with `set`.
        self.at(id).compare_exchange(from.0, to.0, Ordering::Acquire, Ordering::Relaxed).is_ok()
    }
}

impl IdleCount {
    pub fn is_zero<P: Processor>(&self, processor: &P) -> bool {
        processor.touch(Access::Object(&self.line));
        self.count.load(Ordering::Relaxed) <= 0
    }

    pub fn add<P: Processor>(&self, processor: &P, change: i32) {
        processor.touch(Access::Object(&self.line));
        self.count.fetch_add(change, Ordering::Relaxed);
    }
}

impl<B: Board> Default for Blocks<B> {
    fn default() -> Self {
        Self::new(0, 0)
    }
}

impl<B: Board> Blocks<B> {
    /// Nothing is split. `idle` workers are counted as idle from the start.
    pub fn new(workers: usize, idle: usize) -> Self {
        let counted = IdleCount { count: AtomicI32::new(idle as i32), line: Line::new() };
        Self {
            lock: Lock::new(()),
            seats: Seats::new(workers),
            idle: counted,
            blocks: (0..workers * LEVELS as usize).map(|_| Block::new()).collect(),
            is_over: AtomicBool::new(false),
        }
    }

    pub fn at(&self, id: BlockId) -> &Block<B> {
        &self.blocks[id.0 as usize]
    }

    /// Whether a job is at a node below that of `above`, or somewhere below that.
    pub fn is_below(&self, job: BlockId, above: BlockId) -> bool {
        std::iter::successors(Some(job), |id| self.at(*id).parent()).any(|id| id == above)
    }

    /// Stops this job and all below it: nobody wants their results. The caller holds the lock of the job's parent.
    pub fn stop<P: Processor>(&self, processor: &P, id: BlockId) {
        let block = self.at(id);
        let state = processor.lock(&block.state);
        block.stopped_at.store(processor.now(), Ordering::Relaxed);
        state.children.iter().for_each(|child| self.stop(processor, *child));
    }

    /// Ends the search for all.
    pub fn end<P: Processor>(&self, processor: &P) {
        processor.touch(Access::Free);
        self.is_over.store(true, Ordering::Relaxed);
        (0..processor.count()).filter(|id| *id != processor.id()).for_each(|id| processor.unpark(id));
    }

    pub fn is_over<P: Processor>(&self, processor: &P) -> bool {
        processor.touch(Access::Free);
        self.is_over.load(Ordering::Relaxed)
    }
}

/// Alpha of a helper: by its own findings, or by those of all at the node.
pub enum Alpha<'a, B: Board, P: Processor> {
    Own(Score),
    Shared(&'a Block<B>, &'a P),
}

impl<B: Board, P: Processor> Window for Alpha<'_, B, P> {
    const IS_SHARED: bool = true;

    #[inline]
    fn alpha(&self) -> Score {
        match self {
            Self::Own(alpha) => *alpha,
            Self::Shared(block, processor) => {
                processor.touch(Access::Object(&block.line));
                Score(block.alpha.load(Ordering::Relaxed))
            }
        }
    }
}
