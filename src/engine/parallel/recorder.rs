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

impl Split {
    /// The owner has decided to share a node.
    #[inline(always)]
    pub fn begin<P: Processor>(processor: &P) -> Self {
        Self { from: processor.tick(), open_ns: 0 }
    }

    /// The node is open, and all who are called have been called.
    #[inline(always)]
    pub fn is_open<P: Processor>(&mut self, processor: &P) {
        self.open_ns = processor.between(self.from, processor.tick());
    }

    /// All helpers have left. `joined` of them came, and if the split has failed, none searched a move.
    #[inline(always)]
    pub fn close<B: Board, P: Processor, S: Strategy>(
        self,
        worker: &mut Worker<'_, B, P, S>,
        shared: &SharedNode,
        joined: u32,
        is_failed: bool,
    ) {
        let (processor, kind) = (worker.processor, shared.node.kind());
        let span_ns = processor.between(self.from, processor.tick()) + shared.stay_ns;
        let cost_ns = self.open_ns + shared.cost_ns;
        let counters = &mut worker.counters;
        counters.splits.close(kind, joined, is_failed, shared.progress.cut.is_some());
        counters.spend(kind, cost_ns, span_ns);
        counters.distributions.close((cost_ns, span_ns), joined, shared.superfluous());
        counters.times.open_ns += self.open_ns;
        worker.for_this_worker += shared.by_helpers;
    }
}

/// Counts a node that has been opened. Its lock was held between two readings of the clock, and others have been called
/// since.
#[inline(always)]
pub fn opened<B: Board, P: Processor, S: Strategy>(worker: &mut Worker<'_, B, P, S>, locked: Tick, unlocked: Tick) {
    let (processor, times) = (worker.processor, &mut worker.counters.times);
    times.opened += 1;
    times.open_held_ns += processor.between(locked, unlocked);
    times.call_ns += processor.between(unlocked, processor.tick());
}

/// Counts a helper that has been counted in, some nanoseconds after it could have been. It has held the node's lock
/// since a reading of the clock, and has just given it back.
#[inline(always)]
pub fn came<B: Board, P: Processor, S: Strategy>(worker: &mut Worker<'_, B, P, S>, notice_ns: u64, locked: Tick) {
    let (processor, times) = (worker.processor, &mut worker.counters.times);
    (times.came, times.notice_ns) = (times.came + 1, times.notice_ns + notice_ns);
    times.join_held_ns += processor.between(locked, processor.tick());
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

impl Stay {
    /// A helper comes to a node.
    #[inline(always)]
    pub fn come<B: Board, P: Processor, S: Strategy>(worker: &Worker<'_, B, P, S>) -> Self {
        Self { is_coming: true, ..Self::at_own_node(worker, worker.processor.tick(), 0) }
    }

    /// A worker is at a node that was its own before, or that it is opening since a reading of the clock.
    #[inline(always)]
    pub fn at_own_node<B: Board, P: Processor, S: Strategy>(
        worker: &Worker<'_, B, P, S>,
        from: Tick,
        earlier_ns: u64,
    ) -> Self {
        Self { from, earlier_ns, again_ns: 0, since: worker.account(), part: None, is_coming: false }
    }

    /// Nanoseconds until a reading of the clock that have been spent for the node and are not counted there.
    #[inline(always)]
    pub fn until<P: Processor>(&self, processor: &P, tick: Tick) -> u64 {
        self.earlier_ns + processor.between(self.from, tick)
    }

    /// Begins the worker's part in the timeline, at a node that its owner has shared at this moment.
    #[inline(always)]
    pub fn begin_part<B: Board, P: Processor, S: Strategy>(
        &mut self,
        worker: &Worker<'_, B, P, S>,
        role: Role,
        owner: usize,
        shared: u64,
    ) {
        self.part = Some(worker.begin_job(role, owner, shared));
    }

    /// Ends that part, if there is one.
    #[inline(always)]
    pub fn end_part<B: Board, P: Processor, S: Strategy>(
        &mut self,
        worker: &mut Worker<'_, B, P, S>,
        node: &Node,
        end: End,
    ) {
        if let Some(part) = self.part.take() {
            worker.end_job(part, node, end);
        }
    }

    /// Counts what opening the worker's own node has cost, where nobody waits for its helpers.
    #[inline(always)]
    pub fn has_opened<B: Board, P: Processor, S: Strategy>(&self, worker: &mut Worker<'_, B, P, S>, node: &Node) {
        let open_ns = self.until(worker.processor, worker.processor.tick());
        worker.counters.spend(node.kind(), open_ns, 0);
        let times = &mut worker.counters.times;
        (times.opened, times.open_ns) = (times.opened + 1, times.open_ns + open_ns);
    }

    /// Counts what coming has cost, once, where nobody waits for helpers: the worker has found a move or none.
    #[inline(always)]
    pub fn has_come<B: Board, P: Processor, S: Strategy>(
        &mut self,
        worker: &mut Worker<'_, B, P, S>,
        node: &Node,
        finds_move: bool,
    ) {
        if std::mem::take(&mut self.is_coming) {
            let join_ns = self.until(worker.processor, worker.processor.tick());
            worker.counters.times.joined(finds_move.then_some(join_ns), join_ns);
            worker.counters.spend(node.kind(), join_ns, 0);
        }
    }

    /// Ends the stay of a worker that leaves a node where nobody waits for it.
    #[inline(always)]
    pub fn leave_for_good<B: Board, P: Processor, S: Strategy>(
        &mut self,
        worker: &mut Worker<'_, B, P, S>,
        node: &Node,
    ) -> Spent {
        let account = self.take_account(worker);
        self.has_come(worker, node, false);
        Spent { account, cost_ns: 0, stay_ns: self.until(worker.processor, worker.processor.tick()) }
    }

    /// Ends the stay of a helper whose owner waits for it. `first` is the reading of the clock before its first move,
    /// if it has found one.
    #[inline(always)]
    pub fn leave<B: Board, P: Processor, S: Strategy>(
        self,
        worker: &mut Worker<'_, B, P, S>,
        first: Option<Tick>,
    ) -> Spent {
        let processor = worker.processor;
        let account = self.take_account(worker);
        let without_again = |tick| processor.between(self.from, tick).saturating_sub(self.again_ns);
        let stay_ns = without_again(processor.tick());
        let join_ns = first.map(without_again);
        worker.counters.times.joined(join_ns, stay_ns);
        Spent { account, cost_ns: join_ns.unwrap_or(stay_ns), stay_ns }
    }

    /// The worker's account of the stay, which is another's now: whatever the worker may be waiting for, or come back
    /// to, its work was not for that.
    #[inline(always)]
    fn take_account<B: Board, P: Processor, S: Strategy>(&self, worker: &mut Worker<'_, B, P, S>) -> Account {
        let account = worker.account() - self.since;
        worker.for_this_worker -= account;
        account
    }
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

impl SharedNode {
    /// Adds what a worker that leaves has spent.
    #[inline(always)]
    pub fn add(&mut self, spent: &Spent) {
        self.by_helpers += spent.account;
        self.cost_ns += spent.cost_ns;
        self.stay_ns += spent.stay_ns;
    }
}
