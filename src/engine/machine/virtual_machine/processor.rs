//! A processor of the virtual machine: what each verb costs, and where others may go first.

use std::cell::{Cell, RefCell};
use std::panic::resume_unwind;

use corosensei::Yielder;

use super::super::call::SPIN_NS;
use super::super::cost::CostModel;
use super::super::processor::LINE_BYTES;
use super::super::processor::{Cached, RunNumber};
use super::super::{Access, Activity, Area, ForcedUnwind, Home, Line, LockWord, Processor, Waiting, Work};
use super::bus::Bus;
use super::network::Network;
use super::scheduler::{Scheduler, Slot};

/// Points at which a processor may give up its turn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Switching {
    /// Switching before shared accesses only: enough, and faster.
    #[default]
    AtTouch,
    /// Switching after private work too. Must change nothing: a test of the program.
    AtSpend,
}

/// Reasons for which a processor is suspended.
#[derive(Clone, Copy, Debug)]
pub enum Pause {
    /// Another processor's clock is behind.
    Turn,
    /// The processor waits until it is woken.
    Parked,
    /// The run has taken more steps than it may.
    Endless,
}

/// State that all processors of a run share.
pub struct Shared<'a> {
    pub run: RunNumber,
    pub scheduler: Scheduler,
    pub model: &'a CostModel,
    pub waiting: Waiting,
    pub switching: Switching,
    pub most_steps: u64,
    /// Number of processors of a node.
    pub node_size: usize,
    /// State of each node.
    pub nodes: Vec<NodeState>,
    pub network: Network,
    pub failed: Cell<bool>,
    /// Number of processors of each board that are neither idle nor waiting.
    pub busy: Vec<Cell<u32>>,
}

/// State that the processors of a node share.
pub struct NodeState {
    pub stopped: Cell<bool>,
    pub bus: Bus,
}

/// Most nanoseconds after which who waits in line looks again whether it is the head, whose clock may be far ahead.
const MOST_BEHIND: u64 = 1_000;

/// Number of waits after which a processor of a failed run is unwound.
const MOST_WAITS_AFTER_FAILURE: u32 = 10_000;

/// A processor in simulated time.
pub struct VirtualProcessor<'a> {
    /// Number among the processors of all nodes.
    place: usize,
    /// Number among the processors of its node.
    id: usize,
    node: usize,
    nodes: usize,
    shared: &'a Shared<'a>,
    own_node: &'a NodeState,
    slot: &'a Slot,
    yielder: &'a Yielder<(), Pause>,
    /// Number of locks that the processor holds. It is not suspended while it holds one.
    locks_held: Cell<u32>,
    waits_after_failure: Cell<u32>,
    /// Bit of its group among those that hold a line.
    group: u64,
    /// Bits of the groups of its board.
    board_groups: u64,
    board: usize,
    /// Account, for each large object that several change, of its lines that are in the cache. Objects are told apart
    /// by their addresses.
    cached: RefCell<Vec<(usize, Cached)>>,
    /// Thousandths by which other processors of its board slow its work, as of its last shared access.
    slowed_permille: Cell<u64>,
    /// Thousandths by which its work takes longer for good: on a slow processor, or since it is not the only one.
    own_permille: u64,
}

/// Number of groups of processors that a [`Line`] tells apart. Up to so many processors, each is a
/// group of its own.
const GROUPS: usize = u64::BITS as usize;

/// Bit of a processor's group.
fn group_of(id: usize, count: usize) -> u64 {
    1 << (id * GROUPS / count.max(GROUPS))
}

impl<'a> VirtualProcessor<'a> {
    pub fn new(place: usize, shared: &'a Shared<'a>, yielder: &'a Yielder<(), Pause>) -> Self {
        let count = shared.node_size;
        let (id, node) = (place % count, place / count);
        let board = shared.model.board_of(place);
        let neighbours = (0..count).filter(|other| shared.model.board_of(node * count + other) == board);
        Self {
            place,
            id,
            node,
            nodes: shared.nodes.len(),
            shared,
            own_node: &shared.nodes[node],
            slot: &shared.scheduler.slots[place],
            yielder,
            locks_held: Cell::new(0),
            waits_after_failure: Cell::new(0),
            group: group_of(id, count),
            board_groups: neighbours.fold(0, |groups, other| groups | group_of(other, count)),
            board,
            cached: RefCell::default(),
            slowed_permille: Cell::new(0),
            own_permille: shared.model.own_permille(place, count),
        }
    }

    /// Lets processors whose clocks are behind go first.
    #[inline(always)]
    fn let_others_go_first(&self) {
        if !self.shared.scheduler.is_first() {
            self.give_up_turn();
        }
    }

    fn give_up_turn(&self) {
        let scheduler = &self.shared.scheduler;
        if !scheduler.has_policy() {
            if self.locks_held.get() == 0 {
                self.yielder.suspend(Pause::Turn);
            }
            return;
        }
        let steps = scheduler.steps();
        if steps >= self.shared.most_steps {
            match self.shared.failed.get() {
                false => self.yielder.suspend(Pause::Endless),
                true if steps / 2 >= self.shared.most_steps => self.unwind_if_stuck(),
                true => {}
            }
        }
        if scheduler.chooses_another() {
            self.yielder.suspend(Pause::Turn);
        }
    }

    /// Waits until the holder of a lock, who is suspended, has given it back.
    fn wait_for_holder(&self, lock: &LockWord) {
        while lock.is_taken() {
            self.unwind_if_stuck();
            self.slot.lock.set(std::ptr::from_ref(lock).addr());
            self.yielder.suspend(Pause::Parked);
        }
    }

    /// Ends the processor's part: from here on it is idle.
    pub fn retire(&self) {
        self.let_others_go_first();
        self.enter(Activity::Idle);
        self.slot.is_retired.set(true);
    }

    /// Slowdown of this processor by others from now on. Only where they have gone first: so it does not depend on
    /// where else turns change.
    #[inline(always)]
    fn look_at_neighbours(&self) {
        let permille = self.shared.model.memory_sharer_permille;
        if permille > 0 {
            let others = self.shared.busy[self.board].get().saturating_sub(1);
            self.slowed_permille.set(u64::from(others) * permille);
        }
    }

    /// Advances the clock by what the model says, a little more or less with jitter.
    #[inline(always)]
    fn pass(&self, nanoseconds: u64) {
        let permille = self.shared.model.jitter_permille;
        let mut passed = nanoseconds;
        if permille > 0 && nanoseconds > 0 {
            let mut random = self.slot.random.borrow_mut();
            passed = self.shared.model.with_jitter(nanoseconds, random.below(2 * permille + 1));
        }
        if self.slowed_permille.get() > 0 {
            passed += passed * self.slowed_permille.get() / 1000;
        }
        if self.own_permille > 0 {
            passed += (passed * self.own_permille + 500) / 1000;
        }
        self.shared.scheduler.advance(passed);
        self.shared.scheduler.be_away(self.slot);
    }

    fn clock(&self) -> u64 {
        self.shared.scheduler.runner().clock()
    }

    /// Notes that the processor touches memory that another one of this node has touched before, if any has.
    #[inline(always)]
    fn guard(&self, line: &Line) {
        if self.nodes > 1 {
            let owner = line.last(self.shared.run).map_or(self.node, |place| place / self.shared.node_size);
            self.refuse_memory_of(owner);
        }
    }

    /// As [`guard`](Self::guard), for a large object.
    #[inline(always)]
    fn guard_large(&self, home: &Home) {
        if self.nodes > 1 {
            self.refuse_memory_of(home.touch(self.node, self.shared.run));
        }
    }

    #[inline(always)]
    fn refuse_memory_of(&self, node: usize) {
        assert!(node == self.node, "processor {} of node {} touches memory of node {node}", self.id, self.node);
    }

    /// Number among the processors of all nodes of one of this node.
    ///
    /// # Panics
    /// If there is no such processor on the node.
    #[inline]
    fn place_of(&self, id: usize) -> usize {
        let (count, node) = (self.shared.node_size, self.node);
        assert!(id < count, "processor {} of node {node} calls processor {id} of {count}: another node", self.id);
        node * count + id
    }

    /// Fetches a shared object for reading, if this processor's group has no copy.
    #[inline]
    fn read(&self, line: &Line) {
        self.guard(line);
        let holders = line.read(self.place, self.group, self.shared.run);
        // The nearest copy is fetched.
        self.fetch(holders.map(|holders| holders & self.board_groups == 0));
    }

    /// Fetches a shared object to change it, and makes all other copies invalid.
    #[inline]
    fn write(&self, line: &Line) {
        self.guard(line);
        let holders = line.write(self.place, self.group, self.shared.run);
        // It takes as long as the farthest copy needs.
        self.fetch(holders.map(|holders| holders & !self.board_groups != 0));
        self.own_node.bus.carry(line.tell_pollers(), self.clock());
    }

    fn with_cached<T>(&self, area: &Area, access: impl FnOnce(&mut Cached) -> T) -> T {
        self.guard_large(&area.home);
        let mut known = self.cached.borrow_mut();
        let address = std::ptr::from_ref(area).addr();
        let place = known.iter().position(|(of, _)| *of == address).unwrap_or_else(|| {
            known.push((address, Cached::new(area)));
            known.len() - 1
        });
        access(&mut known[place].1)
    }

    /// Fetches a shared object from afar or from the same board, over the bus; or does not need to.
    #[inline]
    fn fetch(&self, from_afar: Option<bool>) {
        if from_afar.is_some() {
            self.occupy_bus(1);
        }
        self.shared.scheduler.advance(self.shared.model.transfer(from_afar));
    }

    /// Waits for the bus and uses it for this number of cache lines.
    #[inline]
    fn occupy_bus(&self, lines: u64) {
        if let Some(through_at) = self.own_node.bus.carry(lines, self.clock()) {
            self.shared.scheduler.advance_to(through_at);
        }
    }

    fn wake(&self, place: usize, clock: u64) {
        let slot = &self.shared.scheduler.slots[place];
        if slot.parked.get().is_some() {
            self.shared.scheduler.wake(place, clock);
        } else {
            slot.token.set(true);
        }
    }

    /// Unwinds a processor that does not look at the stop flag: it goes on waiting although the run has failed.
    fn unwind_if_stuck(&self) {
        let waits = self.waits_after_failure.get() + 1;
        self.waits_after_failure.set(waits);
        if self.shared.failed.get() && waits > MOST_WAITS_AFTER_FAILURE && !std::thread::panicking() {
            resume_unwind(Box::new(ForcedUnwind));
        }
    }

    /// Takes a lock that is free at the present clock.
    fn hold(&self, lock: &LockWord, others_waiting: u32, was_contended: bool) {
        // The word is free, since no other processor of this machine can be inside. Taking it notices a lock that two
        // machines use at once.
        assert!(lock.try_take(self.place), "a lock is held by this processor already, or used by two machines at once");
        self.locks_held.set(self.locks_held.get() + 1);
        let model = self.shared.model;
        self.write(lock.line());
        self.shared.scheduler.advance(if was_contended {
            model.lock_handoff + u64::from(others_waiting) * model.lock_waiter
        } else {
            model.lock_free
        });
    }
}

// SAFETY: `hold`, by which both verbs take a lock, panics unless it has taken the word, which only `release` frees.
unsafe impl Processor for VirtualProcessor<'_> {
    const IS_VIRTUAL: bool = true;
    const MAY_HAVE_NODES: bool = true;

    #[inline(always)]
    fn id(&self) -> usize {
        self.id
    }

    #[inline(always)]
    fn count(&self) -> usize {
        self.shared.node_size
    }

    #[inline(always)]
    fn node(&self) -> usize {
        self.node
    }

    #[inline(always)]
    fn nodes(&self) -> usize {
        self.nodes
    }

    #[inline(always)]
    fn place(&self) -> usize {
        self.place
    }

    #[inline(always)]
    fn now(&self) -> u64 {
        self.clock()
    }

    fn post(&self, to: usize, words: &[u64]) {
        assert!(to != self.node && to < self.nodes, "node {} of {} posts to node {to}", self.node, self.nodes);
        self.shared.scheduler.advance(self.shared.model.net_overhead);
        // The port is shared.
        self.let_others_go_first();
        let (arrival, waits) = self.shared.network.post(self.node, to, words.into(), self.clock());
        if let Some(place) = waits.filter(|place| self.shared.scheduler.slots[*place].parked.get().is_some()) {
            self.shared.scheduler.wake(place, arrival);
        }
    }

    fn receive(&self) -> Option<(usize, Box<[u64]>)> {
        self.let_others_go_first();
        let letter = self.shared.network.receive(self.node, self.clock())?;
        self.shared.scheduler.advance(self.shared.model.net_overhead);
        Some(letter)
    }

    fn await_letter(&self, what: &'static str) {
        self.let_others_go_first();
        if self.shared.failed.get() {
            return self.unwind_if_stuck();
        }
        let network = &self.shared.network;
        if let Some(arrival) = network.next_arrival(self.node) {
            // One that is posted meanwhile may arrive earlier: the order of arrivals is kept by whoever receives.
            self.shared.scheduler.advance_to(arrival);
            return self.let_others_go_first();
        }
        network.wait(self.node, self.place);
        self.slot.parked.set(Some(what));
        self.yielder.suspend(Pause::Parked);
    }

    fn consult<T>(&self, node: usize, [there, back]: [u64; 2], look: impl FnOnce() -> T) -> T {
        let (scheduler, network) = (&self.shared.scheduler, &self.shared.network);
        scheduler.advance(self.shared.model.net_overhead);
        self.let_others_go_first();
        scheduler.advance_to(network.transmit(self.node, there, self.clock()));
        self.let_others_go_first();
        let found = look();
        scheduler.advance_to(network.transmit(node, back, self.clock()));
        found
    }

    fn price(&self, work: Work) -> u64 {
        self.shared.model.work(work)
    }

    #[inline]
    fn spend(&self, work: Work) {
        self.pass(self.shared.model.work(work));
        if self.shared.switching == Switching::AtSpend {
            self.let_others_go_first();
        }
    }

    #[inline]
    fn touch(&self, access: Access<'_>) {
        // A schedule that looks for errors may switch at any access.
        if let Access::ReadBeside(line) = access
            && !self.shared.scheduler.has_policy()
        {
            return self.read(line);
        }
        self.let_others_go_first();
        if matches!(access, Access::Free) {
            return;
        }
        self.look_at_neighbours();
        let model = self.shared.model;
        match access {
            Access::Free => {}
            Access::Table { bytes, home } => {
                self.guard_large(home);
                if model.is_in_memory(bytes) {
                    self.occupy_bus(1);
                }
                self.shared.scheduler.advance(model.probe(bytes, self.count()));
            }
            Access::Read(line) | Access::ReadBeside(line) => self.read(line),
            Access::Write(line) => self.write(line),
            Access::ReadArea { area, lines } => {
                let missing = self.with_cached(area, |cached| cached.read(area, lines));
                self.shared.scheduler.advance(Cached::time(missing, model.area_line));
            }
            Access::WriteArea(area) => {
                self.with_cached(area, |cached| cached.write(area));
                if self.count() > 1 {
                    self.shared.scheduler.advance(model.area_line);
                }
            }
            Access::Copy { bytes } => {
                let lines = u64::from(bytes).div_ceil(LINE_BYTES);
                self.occupy_bus(lines);
                self.pass(lines * model.copy_line);
            }
        }
    }

    fn park(&self, what: &'static str) {
        assert!(self.locks_held.get() == 0, "processor {} waits for {what} while it holds a lock", self.place);
        self.let_others_go_first();
        if self.own_node.stopped.get() {
            self.unwind_if_stuck();
            return;
        }
        if !self.slot.token.take() {
            self.slot.parked.set(Some(what));
            self.yielder.suspend(Pause::Parked);
            self.slot.token.set(false);
        }
    }

    fn poll(&self, what: &'static str, objects: &[&Line], _: impl Fn() -> bool) {
        let polls = self.shared.waiting.spins();
        for line in objects.iter().filter(|_| polls) {
            self.let_others_go_first();
            self.read(line);
            line.poll(self.group, true);
        }
        self.park(what);
        objects.iter().filter(|_| polls).for_each(|line| line.poll(self.group, false));
    }

    fn unpark(&self, id: usize) {
        self.let_others_go_first();
        let model = self.shared.model;
        let place = self.place_of(id);
        let slot = &self.shared.scheduler.slots[place];
        // Who has not waited long spins yet.
        let spins = self.shared.waiting == Waiting::SpinPark && self.clock() < slot.clock.get() + u64::from(SPIN_NS);
        let waiting = if spins { Waiting::Spin } else { self.shared.waiting };
        if slot.parked.get().is_some() {
            self.shared.scheduler.advance(model.call(waiting));
        }
        self.wake(place, self.clock() + model.wake(waiting));
    }

    fn stop(&self) {
        self.let_others_go_first();
        self.own_node.stopped.set(true);
        for id in (0..self.count()).filter(|id| *id != self.id) {
            self.wake(self.place_of(id), self.clock() + self.shared.model.wake(self.shared.waiting));
        }
    }

    #[inline]
    fn is_stopped(&self) -> bool {
        self.let_others_go_first();
        self.own_node.stopped.get()
    }

    fn is_busy(&self, id: usize) -> bool {
        let slot = &self.shared.scheduler.slots[self.place_of(id)];
        slot.parked.get().is_none() && !slot.is_retired.get()
    }

    #[inline]
    fn enter(&self, activity: Activity) -> Activity {
        let account = &self.slot.account;
        let (was_busy, is_busy) = (account.activity().is_busy(), activity.is_busy());
        if was_busy != is_busy {
            // Others see this only where it slows them.
            if self.shared.model.memory_sharer_permille > 0 {
                self.let_others_go_first();
            }
            let busy = &self.shared.busy[self.board];
            busy.set(busy.get() + u32::from(is_busy) - u32::from(was_busy));
        }
        account.enter(activity, self.clock())
    }

    #[inline(always)]
    fn midway(&self) -> bool {
        let has_policy = self.shared.scheduler.has_policy();
        if has_policy {
            self.let_others_go_first();
        }
        has_policy
    }

    fn acquire(&self, lock: &LockWord) {
        self.let_others_go_first();
        if self.shared.scheduler.has_policy() {
            let before = self.enter(Activity::Lock);
            self.wait_for_holder(lock);
            self.hold(lock, 0, false);
            self.enter(before);
            return;
        }
        let state = &lock.virtual_state;
        let free_at = || state.free_at(self.shared.run);
        let is_free = || self.clock() >= free_at();
        if is_free() {
            return self.hold(lock, 0, false);
        }
        let activity = self.enter(Activity::Lock);
        // Who holds a lock is not suspended, so it cannot let others go first: it does not line up.
        let is_in_order = self.shared.waiting.is_in_order();
        let ticket = (!is_in_order || self.locks_held.get() == 0).then(|| state.tickets.draw());
        let before = || ticket.as_ref().filter(|_| is_in_order).map_or(0, |ticket| u64::from(ticket.before()));
        let mut behind = 1;
        while !is_free() || before() > 0 {
            // Who is not the head of the line comes after those before it, by their clocks.
            let at = self.clock() + if before() > 0 { behind } else { 0 };
            self.shared.scheduler.advance_to(at.max(free_at() + before()));
            self.let_others_go_first();
            behind = (2 * behind).min(MOST_BEHIND);
        }
        drop(ticket);
        // In a queue only the head fetches the line of the lock when it is given back.
        let others = if self.shared.waiting == Waiting::Queue { 0 } else { state.tickets.waiting() };
        self.hold(lock, others.into(), true);
        self.enter(activity);
    }

    fn try_acquire(&self, lock: &LockWord) -> bool {
        self.let_others_go_first();
        let is_free = self.clock() >= lock.virtual_state.free_at(self.shared.run) && !lock.is_taken();
        if is_free {
            self.hold(lock, 0, false);
        } else {
            self.read(lock.line());
        }
        is_free
    }

    fn release(&self, lock: &LockWord) {
        lock.virtual_state.set_free_at(self.clock(), self.shared.run);
        lock.give_back();
        self.locks_held.set(self.locks_held.get() - 1);
        if self.shared.scheduler.has_policy() {
            self.shared.scheduler.wake_for_lock(std::ptr::from_ref(lock).addr());
        }
    }
}
