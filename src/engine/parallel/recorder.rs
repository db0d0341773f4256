//! Records of sharing: what a split costs its owner, and what a stay at a node costs a worker.
//!
//! The protocols say what happens, and when it begins and ends; what is counted then stands here. Nothing here takes a
//! lock, wakes anybody or lets time pass, and a record holds no reference to a node: it stays valid when the node has
//! become another one.

use super::shared_node::SharedNode;
use crate::chess::Board;
use crate::counts::Account;
use crate::machine::{Processor, Tick};
use crate::search::{Begun, End, Node, Role, Strategy, Worker};

/// Split of a node whose owner waits for its helpers, from the decision to share it until the result.
pub struct Split {
    from: Tick,
    open_ns: u64,
}

/// Stay of a worker at a node.
pub struct Stay {
    from: Tick,
    /// Nanoseconds that the worker and others have spent below the node before.
    earlier_ns: u64,
    /// Nanoseconds of the stay in which the position was taken over once more, to time that.
    pub again_ns: u64,
    /// Account of the worker when it came.
    pub since: Account,
    /// The part in the timeline that ends when the worker leaves; none if it came with a result from below, or is
    /// alone.
    part: Option<Begun>,
    /// Whether the cost of coming is not counted yet: it ends with the first move that the worker takes.
    is_coming: bool,
}

/// Work and time that a worker has spent for a node where it has been.
#[derive(Default)]
pub struct Spent {
    account: Account,
    /// Nanoseconds until it searched its first move, or all if there was none.
    cost_ns: u64,
    /// Nanoseconds that it was there.
    stay_ns: u64,
}

impl Stay {
    /// Nanoseconds until a reading of the clock that have been spent for the node and are not counted there. Taking
    /// over the position once more, to time that, is not for the node.
    #[inline(always)]
    pub fn until<P: Processor>(&self, processor: &P, tick: Tick) -> u64 {
        self.earlier_ns + processor.between(self.from, tick).saturating_sub(self.again_ns)
    }
}

impl SharedNode {
    /// Adds what a worker that leaves has spent.
    #[inline(always)]
    pub fn add(&mut self, spent: &Spent) {
        self.by_helpers += spent.account;
        self.cost_ns += spent.cost_ns;
        self.stay_ns += spent.stay_ns;
    }
}

/// Splits, as their owners record them.
impl<B: Board, P: Processor, S: Strategy> Worker<'_, B, P, S> {
    /// Begins a split: the worker has decided to share a node.
    #[inline(always)]
    pub(super) fn begin_split(&self) -> Split {
        Split { from: self.processor.tick(), open_ns: 0 }
    }

    /// The node is open, and all who are called have been called.
    #[inline(always)]
    pub(super) fn has_split(&self, split: &mut Split) {
        split.open_ns = self.processor.between(split.from, self.processor.tick());
    }

    /// Ends a split: all helpers have left. `joined` of them came, and if it has failed, none searched a move.
    #[inline(always)]
    pub(super) fn end_split(&mut self, split: Split, shared: &SharedNode, joined: u32, is_failed: bool) {
        let kind = shared.node.kind();
        let span_ns = self.processor.between(split.from, self.processor.tick()) + shared.stay_ns;
        let cost_ns = split.open_ns + shared.cost_ns;
        self.counters.splits.close(kind, joined, is_failed, shared.progress.cut.is_some());
        self.counters.spend(kind, cost_ns, span_ns);
        self.counters.distributions.close((cost_ns, span_ns), joined, shared.superfluous());
        self.counters.times.open_ns += split.open_ns;
        self.for_this_worker += shared.by_helpers;
    }

    /// Counts a node that has been opened. Its lock was held between two readings of the clock, and others have been
    /// called since.
    #[inline(always)]
    pub(super) fn count_opened(&mut self, locked: Tick, unlocked: Tick) {
        let times = &mut self.counters.times;
        times.opened += 1;
        times.open_held_ns += self.processor.between(locked, unlocked);
        times.call_ns += self.processor.between(unlocked, self.processor.tick());
    }

    /// Counts what opening a node has cost, where nobody waits for its helpers.
    #[inline(always)]
    pub(super) fn count_opened_to_leave(&mut self, stay: &Stay, node: &Node) {
        let open_ns = stay.until(self.processor, self.processor.tick());
        self.counters.spend(node.kind(), open_ns, 0);
        let times = &mut self.counters.times;
        (times.opened, times.open_ns) = (times.opened + 1, times.open_ns + open_ns);
    }
}

/// Stays, as those who come and leave record them.
impl<B: Board, P: Processor, S: Strategy> Worker<'_, B, P, S> {
    /// Begins the stay of a helper, which comes to a node.
    #[inline(always)]
    pub(super) fn come(&self) -> Stay {
        Stay { is_coming: true, ..self.stay_since(self.processor.tick(), 0) }
    }

    /// Stay at a node that was the worker's before, or that it is opening, since a reading of the clock.
    #[inline(always)]
    pub(super) fn stay_since(&self, from: Tick, earlier_ns: u64) -> Stay {
        Stay { from, earlier_ns, again_ns: 0, since: self.account(), part: None, is_coming: false }
    }

    /// Counts a helper that has been counted in, some nanoseconds after it could have been. It has held the node's lock
    /// since a reading of the clock, and has just given it back.
    #[inline(always)]
    pub(super) fn count_joined(&mut self, notice_ns: u64, locked: Tick) {
        let times = &mut self.counters.times;
        (times.came, times.notice_ns) = (times.came + 1, times.notice_ns + notice_ns);
        times.join_held_ns += self.processor.between(locked, self.processor.tick());
    }

    /// Begins the worker's part in the timeline, at a node that its owner has shared at this moment.
    #[inline(always)]
    pub(super) fn begin_part(&self, stay: &mut Stay, role: Role, owner: usize, shared: u64) {
        stay.part = Some(self.begin_job(role, owner, shared));
    }

    /// Ends that part, if there is one.
    #[inline(always)]
    pub(super) fn end_part(&mut self, stay: &mut Stay, node: &Node, end: End) {
        if let Some(part) = stay.part.take() {
            self.end_job(part, node, end);
        }
    }

    /// Counts what coming has cost, once, where nobody waits for helpers: the worker has found a move or none.
    #[inline(always)]
    pub(super) fn count_coming(&mut self, stay: &mut Stay, node: &Node, finds_move: bool) {
        if std::mem::take(&mut stay.is_coming) {
            let join_ns = stay.until(self.processor, self.processor.tick());
            self.counters.times.joined(finds_move.then_some(join_ns), join_ns);
            self.counters.spend(node.kind(), join_ns, 0);
        }
    }

    /// Ends the stay of a helper whose owner waits for it. `first` is the reading of the clock before its first move,
    /// if it has found one.
    #[inline(always)]
    pub(super) fn end_stay(&mut self, stay: &Stay, first: Option<Tick>) -> Spent {
        let processor = self.processor;
        let account = self.give_account(stay);
        let stay_ns = stay.until(processor, processor.tick());
        let join_ns = first.map(|tick| stay.until(processor, tick));
        self.counters.times.joined(join_ns, stay_ns);
        Spent { account, cost_ns: join_ns.unwrap_or(stay_ns), stay_ns }
    }

    /// Ends the stay of a worker at a node where nobody waits for it.
    #[inline(always)]
    pub(super) fn leave_for_good(&mut self, stay: &mut Stay, node: &Node) -> Spent {
        let account = self.give_account(stay);
        self.count_coming(stay, node, false);
        Spent { account, cost_ns: 0, stay_ns: stay.until(self.processor, self.processor.tick()) }
    }

    /// Account of a stay, which counts for the node from now on: whatever the worker may be waiting for, or come back
    /// to, its work was not for that.
    #[inline(always)]
    fn give_account(&mut self, stay: &Stay) -> Account {
        let account = self.account() - stay.since;
        self.for_this_worker -= account;
        account
    }
}
