//! Blocks and seats: where the thesis's program keeps what its threads are at.
//!
//! A block is one job of one worker: a place from which it searches, and at which it may split one node at a time. A
//! worker has a row of blocks, one for each job that lies on top of another on its stack. Its seat says whether it may
//! be given a job. All that several workers change lies behind a block's lock; the words beside it may be read by
//! anybody who has let others go first.

use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU32, AtomicU64, Ordering};

use super::super::handover::Handover;
use super::super::shared_node::SharedNode;
use crate::chess::{Board, Move, Score};
use crate::machine::{Access, Line, Lock, Processor};
use crate::search::{Progress, Ranked, Window};

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
    pub state: Lock<State>,
    /// Position and line for workers to take over: for all at the node that was split, or for this job.
    pub handover: Handover<B>,
    /// Best score at the node that was split.
    alpha: AtomicI32,
    /// Number of workers still at the node that was split.
    workers: AtomicU32,
    /// Moment since which nobody wants this job's result, or [`NEVER`].
    stopped_at: AtomicU64,
    /// Moment at which jobs at the node that was split were given.
    given_at: AtomicU64,
    /// Number of the block at whose node the job is, plus 1; 0 for the search from the root.
    parent: AtomicU32,
    line: Line,
}

/// All about the node that was split; it lies behind the block's lock.
pub struct State {
    pub shared: SharedNode,
    /// In the block of a job: progress of the owner before the split.
    pub at_split: Progress,
    /// Moves in their order; those before `shared.next` have been taken.
    pub moves: Vec<Move>,
    /// Moves that nobody has taken yet, if helpers sort them; some may be illegal.
    pub unsorted: Vec<Ranked>,
    /// Number of moves, from the first, that are known to be legal.
    pub legal: usize,
    /// Number of those, from the first, that the owner has searched before the split.
    pub repeated: usize,
    /// Blocks of the jobs at this node.
    pub children: Vec<BlockId>,
    /// Number of workers other than the owner that were given a job.
    pub given: u32,
    /// Number of workers other than the owner that have searched a move.
    pub helped: u32,
}

/// State of a worker, as far as others may give it a job. The upper values hold the level of the block at which it
/// waits until the node that it has split is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seat(u32);

/// A cache line of seats. It holds as many as it held pointers in the thesis's program.
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
struct IdleCount {
    count: AtomicI32,
    line: Line,
}

/// The global lock, and on its cache line the count of idle workers and the first seats, where they share one.
#[repr(C, align(64))]
struct LockLine {
    lock: Lock<()>,
    idle: AtomicI32,
    seats: [AtomicU32; SEATS_BESIDE_LOCK],
}

const SEATS_BESIDE_LOCK: usize = 3;

const _: () = assert!(cfg!(loom) || size_of::<LockLine>() == 64, "the lock's line is one cache line");

/// Blocks and seats of all workers, with the global lock.
pub struct Blocks<B: Board> {
    lock_line: LockLine,
    idle_count: IdleCount,
    seat_lines: Vec<SeatLine>,
    /// Whether the count and the first seats lie beside the lock.
    shares_lines: bool,
    blocks: Vec<Block<B>>,
    /// Whether the first worker thinks.
    has_begun: AtomicBool,
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
            moves: Vec::new(),
            unsorted: Vec::new(),
            legal: 0,
            repeated: 0,
            children: Vec::new(),
            given: 0,
            helped: 0,
        };
        Self {
            state: Lock::new(state),
            handover: Handover::empty(),
            alpha: AtomicI32::new(0),
            workers: AtomicU32::new(0),
            stopped_at: AtomicU64::new(NEVER),
            given_at: AtomicU64::new(0),
            parent: AtomicU32::new(0),
            line: Line::new(),
        }
    }

    /// Notes that the jobs at this block's node are about to be given.
    pub fn give_at(&self, now: u64) {
        self.given_at.store(now, Ordering::Relaxed);
    }

    /// Moment at which they were given. For one who has been given such a job.
    pub fn given_at(&self) -> u64 {
        self.given_at.load(Ordering::Relaxed)
    }

    /// A new job for this block's worker, who has not been told yet.
    pub fn begin(&self, parent: BlockId) {
        self.parent.store(parent.0 + 1, Ordering::Relaxed);
        self.stopped_at.store(NEVER, Ordering::Relaxed);
    }

    /// Notes that the block's node has been split among this number of workers.
    pub fn split(&self, alpha: Score, workers: usize) {
        self.alpha.store(alpha.0, Ordering::Relaxed);
        self.workers.store(workers as u32, Ordering::Relaxed);
    }

    pub fn parent(&self) -> Option<BlockId> {
        self.parent.load(Ordering::Relaxed).checked_sub(1).map(BlockId)
    }

    /// Counts out a worker that leaves the node. Returns the number of those who remain.
    pub fn leave<P: Processor>(&self, processor: &P) -> u32 {
        processor.touch(Access::Write(&self.line));
        // Release: the owner sees what was done at its node, see `is_done`.
        self.workers.fetch_sub(1, Ordering::Release) - 1
    }

    pub fn is_done<P: Processor>(&self, processor: &P) -> bool {
        processor.touch(Access::Read(&self.line));
        // Acquire: pairs with `leave`.
        self.workers.load(Ordering::Acquire) == 0
    }

    /// Moment since which nobody wants the result of this job. For one who has let others go first.
    #[inline]
    pub fn stopped_at(&self) -> Option<u64> {
        Some(self.stopped_at.load(Ordering::Relaxed)).filter(|at| *at != NEVER)
    }

    /// Whether nobody wants the result of this job. For one who has let others go first.
    pub fn is_stopped(&self) -> bool {
        self.stopped_at().is_some()
    }

    pub fn raise<P: Processor>(&self, processor: &P, alpha: Score) {
        processor.touch(Access::Write(&self.line));
        self.alpha.store(alpha.0, Ordering::Relaxed);
    }
}

impl Seat {
    /// Seat of a worker at work.
    pub const BUSY: Self = Self(0);
    /// Seat of a worker that somebody is about to give a job.
    pub const CLAIMED: Self = Self(1);
    /// Seat of a worker that has been given a job, in the block above its present one.
    pub const ASSIGNED: Self = Self(2);
    /// Seat of a worker that has nothing to do.
    pub const IDLE: Self = Self(3);

    /// Seat of a worker that waits at its block of this level.
    pub fn waits_at(level: u32) -> Self {
        Self(Self::IDLE.0 + 1 + level)
    }

    /// Level of the block at which the worker waits.
    pub fn level(self) -> Option<u32> {
        self.0.checked_sub(Self::IDLE.0 + 1)
    }
}

impl<B: Board> Default for Blocks<B> {
    fn default() -> Self {
        Self::new(0, 0, false)
    }
}

impl<B: Board> Blocks<B> {
    /// Blocks of which none is split, and seats of which the first is at work and the others have nothing to do. `idle`
    /// workers are counted as idle from the start.
    pub fn new(workers: usize, idle: usize, shares_lines: bool) -> Self {
        let idle = idle as i32;
        let blocks = Self {
            lock_line: LockLine {
                lock: Lock::new(()),
                idle: AtomicI32::new(idle),
                seats: std::array::from_fn(|_| AtomicU32::new(0)),
            },
            idle_count: IdleCount { count: AtomicI32::new(idle), line: Line::new() },
            seat_lines: (0..workers.div_ceil(SEATS_IN_LINE)).map(|_| SeatLine::default()).collect(),
            shares_lines,
            blocks: (0..workers * LEVELS as usize).map(|_| Block::new()).collect(),
            has_begun: AtomicBool::new(false),
            is_over: AtomicBool::new(false),
        };
        (1..workers).for_each(|id| blocks.seat_place(id).0.store(Seat::IDLE.0, Ordering::Relaxed));
        blocks
    }

    /// The lock under which, as printed, nearly everything happens.
    pub fn lock(&self) -> &Lock<()> {
        &self.lock_line.lock
    }

    fn idle_place(&self) -> (&AtomicI32, &Line) {
        if self.shares_lines {
            (&self.lock_line.idle, self.lock_line.lock.line())
        } else {
            (&self.idle_count.count, &self.idle_count.line)
        }
    }

    /// Number of workers that count as idle.
    pub fn idle_count<P: Processor>(&self, processor: &P) -> i32 {
        let (count, line) = self.idle_place();
        processor.touch(Access::Read(line));
        count.load(Ordering::Relaxed)
    }

    /// More or fewer workers count as idle.
    pub fn count_idle<P: Processor>(&self, processor: &P, change: i32) {
        let (count, line) = self.idle_place();
        processor.touch(Access::Write(line));
        count.fetch_add(change, Ordering::Relaxed);
    }

    fn seat_place(&self, id: usize) -> (&AtomicU32, &Line) {
        if self.shares_lines && id < SEATS_BESIDE_LOCK {
            return (&self.lock_line.seats[id], self.lock_line.lock.line());
        }
        let line = &self.seat_lines[id / SEATS_IN_LINE];
        (&line.words[id % SEATS_IN_LINE], &line.line)
    }

    /// Waits for a call on this worker's seat, reading it and the count of those at `node` in a loop meanwhile.
    pub fn poll<P: Processor>(&self, processor: &P, what: &'static str, node: Option<BlockId>) {
        let (word, seat_line) = self.seat_place(processor.id());
        let is_done = || node.is_some_and(|id| self.at(id).workers.load(Ordering::Relaxed) == 0);
        let is_ready = || word.load(Ordering::Relaxed) == Seat::ASSIGNED.0 || is_done();
        match node {
            Some(id) => processor.poll(what, &[seat_line, &self.at(id).line], is_ready),
            None => processor.poll(what, &[seat_line], is_ready),
        }
    }

    /// Whether this worker's seat is the first on its cache line.
    pub fn begins_line(&self, id: usize) -> bool {
        id == 0 || !std::ptr::eq(self.seat_place(id).1, self.seat_place(id - 1).1)
    }

    /// Fetches the seats on this worker's cache line, to read them.
    pub fn look_at_seat<P: Processor>(&self, processor: &P, id: usize) {
        processor.touch(Access::Read(self.seat_place(id).1));
    }

    /// The seat as it is just now; it has to be taken by `exchange_seat` before anything follows from that. For one who
    /// has looked at it.
    pub fn seat(&self, id: usize) -> Seat {
        Seat(self.seat_place(id).0.load(Ordering::Relaxed))
    }

    /// Changes a seat. For one whose it is to change.
    pub fn set_seat<P: Processor>(&self, processor: &P, id: usize, seat: Seat) {
        let (word, line) = self.seat_place(id);
        processor.touch(Access::Write(line));
        // Release: what was written to the block that belongs to the seat is seen by who takes it, see `exchange_seat`.
        word.store(seat.0, Ordering::Release);
    }

    /// Changes a seat that may have changed meanwhile.
    pub fn exchange_seat<P: Processor>(&self, processor: &P, id: usize, from: Seat, to: Seat) -> bool {
        let (word, line) = self.seat_place(id);
        processor.touch(Access::Write(line));
        // Acquire: pairs with `set_seat`.
        word.compare_exchange(from.0, to.0, Ordering::Acquire, Ordering::Relaxed).is_ok()
    }

    /// The first worker begins to think.
    pub fn begin(&self) {
        self.has_begun.store(true, Ordering::Relaxed);
    }

    /// Whether the first worker thinks, or may still wait for the others. For one who has let others go first.
    pub fn has_begun(&self) -> bool {
        self.has_begun.load(Ordering::Relaxed)
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
                processor.touch(Access::Read(&block.line));
                Score(block.alpha.load(Ordering::Relaxed))
            }
        }
    }
}
