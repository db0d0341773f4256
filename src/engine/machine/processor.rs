//! The verbs in which a parallel search is written.
//!
//! # Memory ordering
//! The trace on a [`Line`] is read and written by virtual machines only. One thread runs the whole of a virtual
//! machine, so the trace needs no order. [`RunNumber`] needs only that no two additions return the same number, which
//! holds for every ordering.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use super::lock::{Held, Lock, LockWord};
use crate::choices::choices;
use crate::counts::Activity;

/// Kinds of private work. A cost model says how long each takes; on real threads it takes as long as it takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Work {
    /// Entering a node of the main search.
    MainNode,
    /// Entering a node of the quiescence search.
    QuiescenceNode,
    /// Evaluating a position.
    Evaluation,
    /// Generating the moves of a position.
    Generation,
    /// Publishing a split point.
    Split,
    /// Joining a split point as a helper.
    Join,
    /// Looking, at a node or before a move, what other processors do.
    LookAround,
    /// Entering a node that a strategy keeps on a stack of its own, beyond what entering a node takes.
    StackedNode,
    /// Rebuilding a position from its squares and state, or these thousandths of it.
    Rebuilding {
        /// Share of the whole work, in thousandths.
        permille: u32,
    },
    /// Reading or writing a field of an entry of a table that is at hand.
    TableField,
    /// Picking the best of some moves under a lock.
    Sorting {
        /// Number of moves.
        moves: u32,
    },
    /// Other work, in nanoseconds of the virtual machine.
    Nanoseconds(u32),
}

/// Kinds of shared memory that a processor may be about to read or change.
#[derive(Clone, Copy, Debug)]
pub enum Access<'a> {
    /// An entry of a large table.
    Table {
        /// Size of the whole table.
        bytes: u64,
        /// Trace of the node whose memory it is in.
        home: &'a Home,
    },
    /// An object that is only read: afterwards this processor has a copy in its cache, like others.
    Read(&'a Line),
    /// An object that is read together with those touched just before: none of these reads waits for another, so nobody
    /// goes first in between.
    ReadBeside(&'a Line),
    /// An object that may be changed: afterwards only this processor has it in its cache.
    Write(&'a Line),
    /// Some cache lines of a large object that processors read and change at many places.
    ReadArea {
        /// The object.
        area: &'a Area,
        /// Number of lines that are read, wherever they lie.
        lines: u32,
    },
    /// A word of such an object that is changed.
    WriteArea(&'a Area),
    /// Data to be copied that another processor has written, or whose place another has in its cache.
    Copy {
        /// Size of the data.
        bytes: u32,
    },
    /// Memory that costs nothing to reach; only the order of accesses matters.
    Free,
}

/// Trace on a shared object of the processors that have it in their caches, and in which run. Only a virtual machine
/// reads and writes it; on real threads the caches themselves keep this account.
#[derive(Debug, Default)]
pub struct Line {
    /// Run, and the processor that changed the object last or had it first.
    last: AtomicU64,
    /// Groups of processors that have a copy, a bit each.
    holders: AtomicU64,
    /// Groups of processors that read the object in a loop, a bit each.
    pollers: AtomicU64,
}

/// Trace on a large shared object of the node whose memory it is in: that of the first processor that has touched it
/// in a run. Only a virtual machine of several nodes reads and writes it.
#[derive(Debug, Default)]
pub struct Home(AtomicU64);

impl Home {
    /// Notes that a processor of this node touches the object. Returns the node whose memory it is in.
    pub(super) fn touch(&self, node: usize, run: RunNumber) -> usize {
        let first = self.0.load(Ordering::Relaxed);
        if first >> 32 == u64::from(run.0) {
            return first as u32 as usize;
        }
        self.0.store(u64::from(run.0) << 32 | node as u64, Ordering::Relaxed);
        node
    }
}

/// Bytes of a cache line.
pub const LINE_BYTES: u64 = 64;

/// Trace on a large shared object, such as a table of counts, of how often it has been changed. Which lines of it a
/// processor has in its cache is not known one by one but on average, from the changes since it last read there.
#[derive(Debug)]
pub struct Area {
    lines: u64,
    changes: AtomicU64,
    pub(super) home: Home,
}

impl Area {
    /// Trace of an object of this size.
    pub fn new(bytes: usize) -> Self {
        let lines = (bytes as u64).div_ceil(LINE_BYTES).max(1);
        Self { lines, changes: AtomicU64::new(0), home: Home::default() }
    }
}

/// Account of the lines of an [`Area`] that are in the cache of one processor.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cached {
    /// Number of changes when it last looked, its own included.
    changes: u64,
    /// Number of lines of which it has a valid copy, in parts of [`PARTS`].
    valid: u64,
}

/// Parts of a cache line in which lines are counted that are missing on average.
const PARTS: u64 = 1 << 16;

impl Cached {
    /// Everything is there.
    pub fn new(area: &Area) -> Self {
        Self { changes: area.changes.load(Ordering::Relaxed), valid: area.lines * PARTS }
    }

    /// Reads some lines, wherever they lie. Returns how many were missing, in parts.
    pub fn read(&mut self, area: &Area, lines: u32) -> u64 {
        let changes = area.changes.load(Ordering::Relaxed);
        // Each change by another makes one line invalid, wherever it lies: about this many of the valid ones.
        self.valid = self.valid * area.lines / (area.lines + (changes - self.changes));
        self.changes = changes;
        let missing = (area.lines * PARTS - self.valid) * u64::from(lines) / area.lines;
        self.valid = (self.valid + missing).min(area.lines * PARTS);
        missing
    }

    /// Changes a word.
    pub fn write(&mut self, area: &Area) {
        area.changes.fetch_add(1, Ordering::Relaxed);
        self.changes += 1;
    }

    /// Time to fetch missing lines, each of which takes this long.
    pub fn time(missing: u64, line: u64) -> u64 {
        missing * line / PARTS
    }
}

/// Number of a run of a virtual machine, unique in this process: traces that an earlier run left on an object are told
/// apart by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RunNumber(u32);

impl RunNumber {
    /// Number that no run has had. The first is 1; 0 stands for no run.
    pub fn next() -> Self {
        static LAST: AtomicU32 = AtomicU32::new(0);
        Self(LAST.fetch_add(1, Ordering::Relaxed).wrapping_add(1))
    }

    pub fn get(self) -> u32 {
        self.0
    }
}

impl Line {
    /// Trace of an object that no processor has touched.
    pub const fn new() -> Self {
        Self { last: AtomicU64::new(0), holders: AtomicU64::new(0), pollers: AtomicU64::new(0) }
    }

    /// Notes that a processor of this group reads the object. Returns the groups from which it is to be fetched, unless
    /// the group has it.
    #[inline]
    pub(super) fn read(&self, id: usize, group: u64, run: RunNumber) -> Option<u64> {
        if self.is_untouched(run) {
            self.hold_alone(id, group, run);
            return None;
        }
        let holders = self.holders.load(Ordering::Relaxed);
        self.holders.store(holders | group, Ordering::Relaxed);
        (holders & group == 0).then_some(holders)
    }

    /// Notes that a processor of this group changes the object. Returns the groups whose copies become invalid, unless
    /// the processor has the object alone.
    #[inline]
    pub(super) fn write(&self, id: usize, group: u64, run: RunNumber) -> Option<u64> {
        let (is_untouched, last) = (self.is_untouched(run), self.last.load(Ordering::Relaxed));
        let holders = self.holders.load(Ordering::Relaxed);
        self.hold_alone(id, group, run);
        let is_alone = holders == group && last as u32 as usize == id;
        (!is_untouched && !is_alone).then_some(holders)
    }

    /// Lets all processors that read the object in a loop fetch what has been changed. Returns their number.
    #[inline]
    pub(super) fn tell_pollers(&self) -> u64 {
        let pollers = self.pollers.load(Ordering::Relaxed);
        if pollers != 0 {
            self.holders.store(self.holders.load(Ordering::Relaxed) | pollers, Ordering::Relaxed);
        }
        pollers.count_ones().into()
    }

    /// Notes whether a processor of this group, which has just read the object, goes on reading it in a loop.
    pub(super) fn poll(&self, group: u64, polls: bool) {
        let others = self.pollers.load(Ordering::Relaxed) & !group;
        self.pollers.store(if polls { others | group } else { others }, Ordering::Relaxed);
    }

    /// Processor that has changed the object last or had it first in this run, if any has touched it.
    pub(super) fn last(&self, run: RunNumber) -> Option<usize> {
        (!self.is_untouched(run)).then(|| self.last.load(Ordering::Relaxed) as u32 as usize)
    }

    fn is_untouched(&self, run: RunNumber) -> bool {
        self.last.load(Ordering::Relaxed) >> 32 != u64::from(run.0)
    }

    fn hold_alone(&self, id: usize, group: u64, run: RunNumber) {
        if self.is_untouched(run) {
            self.pollers.store(0, Ordering::Relaxed);
        }
        self.last.store(u64::from(run.0) << 32 | id as u64, Ordering::Relaxed);
        self.holders.store(group, Ordering::Relaxed);
    }
}

choices! {
    /// Mode in which a processor waits for a lock or to be woken.
    pub enum Waiting, "waiting mode", by default Park;
    /// Checks in a loop: continues soonest, and keeps its core from all other threads.
    Spin "spin",
    /// Checks in a loop, and offers its core to other threads after each check.
    Yield "yield",
    /// Sleeps until another processor wakes it.
    Park "park",
    /// Checks in a loop for some 30 microseconds, and then sleeps; where there are more threads than processors, it
    /// sleeps at once.
    SpinPark "spin-park",
    /// Waits for work as `spin`, and for a lock in the order of asking, by a number: all who wait read the line of the
    /// lock.
    Ticket "ticket",
    /// Waits for work as `spin`, and for a lock in the order of asking, in a queue: each reads a cache line of its own
    /// until it is the head.
    Queue "queue",
}

impl Waiting {
    /// Whether who waits for work checks in a loop and keeps its core.
    #[inline]
    pub(super) fn spins(self) -> bool {
        matches!(self, Self::Spin | Self::Ticket | Self::Queue)
    }

    /// Whether those who wait for a lock are served in the order of asking.
    pub(super) fn is_in_order(self) -> bool {
        matches!(self, Self::Ticket | Self::Queue)
    }

    /// Whether who waits may sleep, so that a call has to wake it.
    pub(super) fn sleeps(self) -> bool {
        matches!(self, Self::Park | Self::SpinPark)
    }
}

/// Reading of the finest clock of a processor.
#[derive(Clone, Copy, Debug)]
pub struct Tick {
    /// Time, in a unit of the clock.
    pub(super) at: u64,
    /// Number of readings of the processor before, as far as they take time.
    pub(super) number: u32,
}

/// One of the processors that a program runs on: a thread, or a processor of a virtual machine.
///
/// # Safety
/// [`Lock`] lends out `&mut T` on the word of its processor, so an implementation must exclude others:
/// - After `acquire` has returned or `try_acquire` has returned true, no call of either with the same lock returns
///   (true) on any processor of any machine, this one included, until `release` has been called with that lock.
/// - All that happened before a `release` happens before the next `acquire` returns, or the next `try_acquire` returns
///   true.
///
/// The processors of [`RealMachine`](super::RealMachine) and [`VirtualMachine`](super::VirtualMachine) do; one that
/// wraps another does if it passes these three calls on.
pub unsafe trait Processor: Sized {
    /// Whether time is simulated.
    const IS_VIRTUAL: bool;

    /// Whether there may be several nodes, whose entries a search then notes. Where there cannot be, this costs
    /// nothing.
    const MAY_HAVE_NODES: bool;

    /// Number of this processor among those of its node, from 0.
    fn id(&self) -> usize;

    /// Number of processors of its node: those that it shares memory with, can wake, and stops.
    fn count(&self) -> usize;

    /// Number of the node of this processor.
    #[inline(always)]
    fn node(&self) -> usize {
        0
    }

    /// Number of nodes.
    #[inline(always)]
    fn nodes(&self) -> usize {
        1
    }

    /// Number of this processor among those of all nodes.
    #[inline(always)]
    fn place(&self) -> usize {
        self.node() * self.count() + self.id()
    }

    /// Nanoseconds since the run began.
    fn now(&self) -> u64;

    /// Reading of the finest clock that there is, for [`between`](Self::between).
    #[inline(always)]
    fn tick(&self) -> Tick {
        Tick { at: self.now(), number: 0 }
    }

    /// Nanoseconds from one reading of this processor to a later one, without the time that the readings in between
    /// have taken.
    #[inline(always)]
    fn between(&self, from: Tick, to: Tick) -> u64 {
        to.at - from.at
    }

    /// Sends a letter to another node: the overhead of the sender passes. Who sends waits for nothing else.
    ///
    /// # Panics
    /// If there is no such node, as on a machine of one.
    fn post(&self, to: usize, _words: &[u64]) {
        panic!("a letter to node {to}, and this processor has no network");
    }

    /// Takes the first letter that has arrived at this node, with the node that has sent it; any processor of the node
    /// may. The overhead of the receiver passes if there is one, and nothing if there is none.
    fn receive(&self) -> Option<(usize, Box<[u64]>)> {
        None
    }

    /// Waits until a letter for this node may have arrived. May return without one, so callers receive in a loop. Of a
    /// node, one processor at a time waits so. `what` is the name of what is waited for, as of [`park`](Self::park).
    fn await_letter(&self, what: &'static str) {
        panic!("a wait for {what}, and this processor has no network");
    }

    /// Looks at the memory of another node as by one-sided access of a network: these bytes go there, `look` is done
    /// at that moment of simulated time, at no cost of the other node's processors, and these bytes come back, for
    /// which the processor waits. Virtual machines only.
    fn consult<T>(&self, node: usize, _bytes: [u64; 2], _look: impl FnOnce() -> T) -> T {
        panic!("a look at node {node}, and this processor has no network");
    }

    /// Lets time pass for private work that was done.
    fn spend(&self, work: Work);

    /// Nanoseconds that work takes on a virtual machine.
    fn price(&self, _work: Work) -> u64 {
        0
    }

    /// Announces an access to shared memory: processors whose clocks are behind go first.
    fn touch(&self, access: Access<'_>);

    /// Marks a point between two accesses to shared memory that are one step in simulated time. Others go first here
    /// only where a schedule is tried that is not that of the clocks. Returns whether they may have.
    #[inline(always)]
    fn midway(&self) -> bool {
        false
    }

    /// Waits until another processor calls [`unpark`](Self::unpark). One earlier call is remembered. May return without
    /// a call, so callers check their condition in a loop; returns at once when the run is stopped. `what` is the name
    /// of the condition, for the message when all processors wait.
    fn park(&self, what: &'static str);

    /// Waits like [`park`](Self::park). If the machine waits by spinning, the processor reads these objects in a loop
    /// meanwhile: it may go on without a call once `is_ready`, and whatever is changed there is fetched by all who wait
    /// so.
    fn poll(&self, what: &'static str, _objects: &[&Line], _is_ready: impl Fn() -> bool) {
        self.park(what);
    }

    /// Wakes a processor that waits or is about to.
    fn unpark(&self, id: usize);

    /// Asks all processors of the node to come to an end, and wakes those that wait.
    fn stop(&self);

    /// Whether the processors of the node are asked to come to an end.
    fn is_stopped(&self) -> bool;

    /// Whether a processor is at work, and neither waits nor has finished, as far as this one can tell.
    fn is_busy(&self, id: usize) -> bool;

    /// Books time from now on under this activity. Returns the activity before.
    fn enter(&self, activity: Activity) -> Activity;

    /// Takes a lock, waiting until it is free. Panics on a processor that holds it already.
    fn acquire(&self, lock: &LockWord);

    /// Takes a lock if it is free, and tells whether it was.
    fn try_acquire(&self, lock: &LockWord) -> bool;

    /// Gives back a lock that this processor holds.
    fn release(&self, lock: &LockWord);

    /// Takes a lock, waiting until it is free, and gives access to its value until the result is dropped.
    #[inline]
    fn lock<'a, T>(&'a self, lock: &'a Lock<T>) -> Held<'a, T, Self> {
        self.acquire(lock.word());
        Held::new(self, lock)
    }

    /// Takes a lock if it is free, and gives access to its value until the result is dropped.
    #[inline]
    fn try_lock<'a, T>(&'a self, lock: &'a Lock<T>) -> Option<Held<'a, T, Self>> {
        self.try_acquire(lock.word()).then(|| Held::new(self, lock))
    }

    /// Runs a closure whose time is booked under this activity.
    #[inline]
    fn during<T>(&self, activity: Activity, work: impl FnOnce() -> T) -> T {
        let before = self.enter(activity);
        let result = work();
        self.enter(before);
        result
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Who reads an object in a loop has a copy again after every change, so that each change costs anew.
    #[test]
    fn changes_reach_those_who_poll() {
        let (line, run) = (Line::new(), RunNumber::next());
        let (writer, poller) = (1, 2);
        assert_eq!(line.read(1, poller, run), None);
        line.poll(poller, true);
        assert_eq!((line.write(0, writer, run), line.tell_pollers()), (Some(poller), 1));
        assert_eq!((line.write(0, writer, run), line.tell_pollers()), (Some(writer | poller), 1));
        line.poll(poller, false);
        assert_eq!((line.write(0, writer, run), line.tell_pollers()), (Some(writer | poller), 0));
        assert_eq!(line.write(0, writer, run), None, "nobody else has it any more");
    }
}
