//! A node whose moves are open to everybody: its position, the moves nobody has taken yet, and what was found so far.
//!
//! Every worker has a row of split points, one for each node on its line that it may open. All but a few words of a
//! point lie behind its lock. Those may be looked at by anybody who has let others go first: the point's rate (how much
//! it is worth joining, 0 while it is closed), its alpha, whether it has been cut, the point above it, and whether its
//! owner waits.

use std::sync::Mutex;

use super::super::handover::Handover;
use super::state::State;
use crate::chess::{Board, Score};
use crate::counts::Account;
use crate::machine::{Access, Line, Lock, Processor};
use crate::search::{Node, Trial, Trunk, Window};
use crate::sync::{AtomicBool, AtomicI32, AtomicU32, AtomicU64, Ordering};

/// Number of nodes on its line that a worker may have open at once. The rates of a worker's points fill one cache line.
pub const LEVELS: usize = if cfg!(loom) { 1 } else { 16 };

/// Number of a split point: its owner, and its place in the owner's row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PointId {
    pub owner: u32,
    pub level: u32,
}

/// A worker's place at a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seat {
    pub id: PointId,
    /// The point's round in which it took a move that it searches with a null window; [`NO_ROUND`] while it searches
    /// with the open window.
    pub round: u32,
}

/// Round that never comes.
pub const NO_ROUND: u32 = u32::MAX;

/// Move that a worker searches at a point.
pub struct Base<B: Board> {
    /// Place of the move in the point's list.
    pub listed: usize,
    pub trial: Trial<B>,
    /// Account of the worker before the move.
    pub before: Account,
}

/// The part of a worker's stack above a split point, which is kept there until the last worker at the point goes on
/// with it.
pub struct Carried<B: Board> {
    pub trunk: Trunk<B>,
    /// Base of that part, with its seat and the node there; none at the root.
    pub above: Option<(Seat, Node, Base<B>)>,
    /// Work for the node above that has not been counted there, and the part of it that went into the base's move.
    pub spent: (Account, Account),
    /// Nanoseconds that workers have spent below the node above and that have not been counted there.
    pub stay_ns: u64,
    /// Processor that put it here.
    pub by: usize,
}

impl<B: Board> Carried<B> {
    pub fn nothing() -> Self {
        Self { trunk: Trunk::empty(), above: None, spent: Default::default(), stay_ns: 0, by: 0 }
    }
}

/// One node that may be open. Each of the three parts is written by others at other moments, so each begins on a cache
/// line of its own.
#[repr(C, align(64))]
pub struct Point<B: Board> {
    words: Words,
    pub state: Apart<Lock<State>>,
    /// Position and line for helpers to take over.
    pub handover: Apart<Handover<B>>,
    /// The part of a stack with which the last worker at the point goes on, if workers leave their nodes. It is put
    /// here and taken under the state's lock, so nobody waits for this one.
    pub carried: Mutex<Carried<B>>,
}

/// Wrapper that puts a part on cache lines of its own.
#[repr(align(64))]
#[derive(Default)]
pub struct Apart<T>(T);

impl<T> std::ops::Deref for Apart<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

/// Words of a point that are read without its lock, at every node below it.
#[repr(align(64))]
struct Words {
    alpha: AtomicI32,
    /// Moment at which a move cut, or [`NEVER`].
    cut_at: AtomicU64,
    /// Whether the owner sleeps until its helpers have left.
    owner_waits: AtomicBool,
    /// Number of times that workers searching with a null window have been sent away.
    round: AtomicU32,
    /// Moment at which workers were last sent away.
    sent_away_at: AtomicU64,
    /// The owner's seat when it opened this point, as a word.
    above: AtomicU64,
    line: Line,
}

/// Moment that stands for an event that has not happened.
const NEVER: u64 = u64::MAX;

/// Number of workers whose points are counted together.
pub const GROUP: usize = 32;
/// Number of processors in a team beyond which those who look for work ask the groups first. All of a smaller one's
/// rates are read about as fast as its groups, and owners have less to write.
pub const UNGROUPED: usize = if cfg!(loom) { 0 } else { 16 };
/// Number of processors in a team beyond which the nearest group that has any open point will do.
pub const NOT_LARGE: usize = if cfg!(loom) { 0 } else { 64 };

/// Numbers of open points of a group of workers, a byte for each worker.
#[derive(Default)]
#[repr(align(64))]
pub struct Group {
    open: [AtomicU64; GROUP / IN_WORD],
    line: Line,
}

/// Number of workers whose numbers of open points share a word.
const IN_WORD: usize = size_of::<u64>();

impl Group {
    /// Counts a point of a worker that has been opened, or closed. After its rate was set.
    pub fn count<P: Processor>(&self, processor: &P, worker: usize, is_open: bool) {
        processor.touch(Access::Write(&self.line));
        let place = worker % GROUP;
        let (word, one) = (&self.open[place / IN_WORD], 1 << (u8::BITS as usize * (place % IN_WORD)));
        // Before looking who sleeps: see `open`.
        if is_open {
            word.fetch_add(one, Ordering::SeqCst)
        } else {
            word.fetch_sub(one, Ordering::SeqCst)
        };
    }

    /// Workers of the group that have open points, a bit for each. To be asked after the processor has said that it is
    /// about to sleep, so that no point that is opened then is missed.
    pub fn open<P: Processor>(&self, processor: &P) -> u32 {
        processor.touch(Access::ReadBeside(&self.line));
        (0..)
            .zip(&self.open)
            .fold(0, |open, (i, word)| open | u32::from(bytes_above_0(word.load(Ordering::SeqCst))) << (IN_WORD * i))
    }
}

/// A bit for each byte of the word, set if the byte is above 0.
fn bytes_above_0(word: u64) -> u8 {
    const LOW_BITS: u64 = u64::from_ne_bytes([0x7F; 8]);
    let high_bits = (((word & LOW_BITS) + LOW_BITS) | word) & !LOW_BITS;
    // Adds the eight bits, each shifted to its place in the highest byte.
    ((high_bits >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56) as u8
}

/// Rates of a worker's points, in one cache line.
#[repr(align(64))]
pub struct Rates {
    rates: [AtomicU32; LEVELS],
    line: Line,
}

impl Seat {
    /// The seat in one word that is not 0, which stands for no seat.
    fn word(self) -> u64 {
        u64::from(self.round) << 32 | u64::from((self.id.owner << 8 | self.id.level) + 1)
    }

    fn from_word(word: u64) -> Option<Self> {
        let id = (word as u32).checked_sub(1)?;
        Some(Self { id: PointId { owner: id >> 8, level: id & 0xFF }, round: (word >> 32) as u32 })
    }
}

impl<B: Board> Point<B> {
    pub fn closed() -> Self {
        Self {
            words: Words {
                alpha: AtomicI32::new(0),
                cut_at: AtomicU64::new(NEVER),
                owner_waits: AtomicBool::new(false),
                round: AtomicU32::new(0),
                sent_away_at: AtomicU64::new(0),
                above: AtomicU64::new(0),
                line: Line::new(),
            },
            state: Apart(Lock::new(State::closed())),
            handover: Apart(Handover::empty()),
            carried: Mutex::new(Carried::nothing()),
        }
    }

    /// Prepares the words that are read without the lock. Only the owner, and only while nobody can be here.
    pub fn renew(&self, alpha: Score, above: Option<Seat>) {
        self.words.alpha.store(alpha.0, Ordering::Relaxed);
        self.words.cut_at.store(NEVER, Ordering::Relaxed);
        self.words.round.store(0, Ordering::Relaxed);
        self.words.above.store(above.map_or(0, Seat::word), Ordering::Relaxed);
    }

    pub fn raise<P: Processor>(&self, processor: &P, alpha: Score) {
        processor.touch(Access::Write(&self.words.line));
        self.words.alpha.store(alpha.0, Ordering::Relaxed);
    }

    pub fn cut(&self, now: u64) {
        self.words.cut_at.store(now, Ordering::Relaxed);
    }

    /// Moment since which this node's result is not wanted.
    pub fn cut_at(&self) -> Option<u64> {
        Some(self.words.cut_at.load(Ordering::Relaxed)).filter(|at| *at != NEVER)
    }

    /// Seat of the owner when it opened this point.
    pub fn above(&self) -> Option<Seat> {
        Seat::from_word(self.words.above.load(Ordering::Relaxed))
    }

    /// Sends away the workers that search a move with a null window.
    pub fn send_away(&self, now: u64) {
        self.words.sent_away_at.store(now, Ordering::Relaxed);
        // Release: whoever sees the new round sees the moment, see `round`.
        self.words.round.fetch_add(1, Ordering::Release);
    }

    /// Present round.
    pub fn round(&self) -> u32 {
        // Acquire: pairs with `send_away`.
        self.words.round.load(Ordering::Acquire)
    }

    /// Moment at which the workers that took their move in this round were sent away.
    pub fn sent_away_at(&self, round: u32) -> Option<u64> {
        let is_past = round != NO_ROUND && round != self.round();
        is_past.then(|| self.words.sent_away_at.load(Ordering::Relaxed))
    }

    /// Says that the owner is about to sleep until its helpers have left, or that it has woken.
    pub fn set_owner_waits<P: Processor>(&self, processor: &P, waits: bool) {
        processor.touch(Access::Write(&self.words.line));
        // Before the owner looks for work: see `owner_waits` and `Rates::best`.
        self.words.owner_waits.store(waits, Ordering::SeqCst);
    }

    /// Whether the owner sleeps until its helpers have left.
    pub fn owner_waits<P: Processor>(&self, processor: &P) -> bool {
        processor.touch(Access::Read(&self.words.line));
        // After a rate was set: see `set_owner_waits` and `Rates::set`.
        self.words.owner_waits.load(Ordering::SeqCst)
    }
}

/// Window of a split point, as a worker that searches there sees it.
pub struct SharedWindow<'a, B: Board, P: Processor> {
    pub point: &'a Point<B>,
    pub processor: &'a P,
}

impl<B: Board, P: Processor> Window for SharedWindow<'_, B, P> {
    const IS_SHARED: bool = true;

    #[inline]
    fn alpha(&self) -> Score {
        self.processor.touch(Access::Read(&self.point.words.line));
        Score(self.point.words.alpha.load(Ordering::Relaxed))
    }
}

impl Rates {
    pub fn closed() -> Self {
        Self { rates: std::array::from_fn(|_| AtomicU32::new(0)), line: Line::new() }
    }

    /// Sets how much a point is worth joining; 0 closes it. Returns what it was worth before.
    pub fn set<P: Processor>(&self, processor: &P, level: u32, rate: u32) -> u32 {
        processor.touch(Access::Write(&self.line));
        // Before looking who sleeps: see `best`, `Idle::call` and `Point::owner_waits`.
        self.rates[level as usize].swap(rate, Ordering::SeqCst)
    }

    /// The worker's point that is most worth joining, with its rate, among those that may be. A processor asks many
    /// workers at once.
    pub fn best<P: Processor>(&self, processor: &P, may_be: impl Fn(u32) -> bool) -> Option<(u32, u32)> {
        processor.touch(Access::ReadBeside(&self.line));
        // After saying that this processor is about to sleep: see `set`, `Idle::enter` and `Point::set_owner_waits`.
        let rates: [u32; LEVELS] = std::array::from_fn(|level| self.rates[level].load(Ordering::SeqCst));
        // Most workers have no open point.
        if rates.iter().fold(0, |all, rate| all | rate) == 0 {
            return None;
        }
        let open = (0..).zip(rates).filter(|(level, rate)| *rate > 0 && may_be(*level));
        open.map(|(level, rate)| (rate, level)).max_by_key(|(rate, level)| (*rate, std::cmp::Reverse(*level)))
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use crate::chess::mailbox::Mailbox;

    /// Bytes of a cache line.
    const LINE: usize = 64;

    #[test]
    fn open_points_are_told_apart_by_workers() {
        for open in 0..=u8::MAX {
            let word = u64::from_le_bytes(std::array::from_fn(|i| (open >> i & 1) * [1, 16, 0x80, 0xFF][i % 4]));
            assert_eq!(bytes_above_0(word), open);
        }
    }

    #[test]
    fn what_is_written_at_other_moments_lies_on_other_lines() {
        let points: Vec<Point<Mailbox>> = (0..3).map(|_| Point::closed()).collect();
        let rates: Vec<Rates> = (0..3).map(|_| Rates::closed()).collect();
        let groups: Vec<Group> = (0..3).map(|_| Group::default()).collect();
        let lines = |address: usize, bytes: usize| address / LINE..=(address + bytes - 1) / LINE;
        let mut all = Vec::new();
        for point in &points {
            all.push(lines(&raw const point.words as usize, size_of::<Words>()));
            all.push(lines(&raw const point.state as usize, size_of::<Lock<State>>()));
            all.push(lines(&raw const point.handover as usize, size_of::<Handover<Mailbox>>()));
        }
        all.extend(rates.iter().map(|rates| lines(&raw const *rates as usize, size_of::<Rates>())));
        all.extend(groups.iter().map(|group| lines(&raw const *group as usize, size_of::<Group>())));
        all.sort_by_key(|lines| *lines.start());
        assert!(all.windows(2).all(|pair| pair[0].end() < pair[1].start()), "{all:?}");
        assert_eq!(size_of::<Words>(), LINE, "one line for all that helpers read at every node");
    }
}
