//! Open nodes: owners publish what is worth sharing, and processors without work choose.
//!
//! An owner that has searched a node's eldest brothers may *open* the node: it fills a split point of its own with position,
//! window and the legal moves that are left, gives it a rate, and goes on with the moves as one worker among others. It calls
//! some who sleep and waits for nobody. A processor without work looks at the rates of its neighbours, without a lock, takes the best,
//! and *joins*: under the point's lock it is counted in and copies what it needs. So there is no central lock, no idle test
//! in the owner, and late joining is the only kind of joining.
//!
//! At the point everybody does the same: take the next move under the lock, search it by `Worker::brother` with the alpha
//! that all share, report under the lock. Whoever takes the last move or cuts closes the point. A cut sets a flag; whoever
//! works below walks up the chain of points at every node, and comes back without a result. A helper that leaves counts
//! itself out and calls the owner if it was the last; it touches the point no more, for the owner may use it again. The owner
//! waits until nobody is left, and takes the result.
//!
//! A search that was stopped from above leaves the point broken: unless a move had cut, its result is not known, and the
//! owner comes back without one, as somebody above it wants none.
//!
//! What is published when, is a [`Policy`]: root splitting, splitting along the principal variation, and young brothers wait
//! differ in nothing else.

use std::sync::atomic::{AtomicBool, Ordering};

use super::AnyStrategy;
use super::as_printed;
use super::idle::Idle;
use super::split_point::{LEVELS, Point, PointId, Position, Rates, SharedWindow, State};
use crate::chess::{Board, History, Move};
use crate::machine::{Access, Activity, Held, Processor, Work};
use crate::search::{Killers, MAX_PLY, Node, Picker, Progress, Shared, Verdict, Worker};

/// Which nodes are opened, and which of them a processor without work prefers.
pub trait Policy {
    /// Whether to open a node with so many moves left, illegal ones included.
    fn opens(&self, node: &Node, progress: &Progress, left: usize, processors: usize) -> bool;

    /// How much it is worth joining when so many helpers are there already, at least 1.
    fn rate(&self, node: &Node, _helpers: u32) -> u32 {
        // Large subtrees first: a helper is longer busy with them.
        node.plies().max(0) as u32 + 1
    }

    /// How many helpers may be at one node.
    fn most_helpers(&self, _processors: usize) -> u32 {
        u32::MAX
    }

    /// With which killers a helper begins.
    fn killers(&self) -> Killers;
}

/// What all workers share.
pub struct OpenNodes<B: Board> {
    /// A row of split points for each worker.
    points: Vec<Vec<Point<B>>>,
    rates: Vec<Rates>,
    idle: Idle,
    is_over: AtomicBool,
}

/// What each worker keeps.
#[derive(Default)]
pub struct Place {
    /// The point it works at, with all points above.
    at: Option<PointId>,
    /// How many of its own points are open or waited for.
    level: u32,
    /// The same for the protocol of the thesis.
    pub printed: as_printed::Stack,
}

/// Looking for work, a processor asks at most so many others each time.
const MOST_ASKED: usize = 64;
/// Fewer moves than this are not worth a split point.
const FEWEST_MOVES: usize = 2;

/// After a stop, an owner looks so often whether its helpers have left, in nanoseconds of the virtual machine.
const BETWEEN_LOOKS: u32 = 100;

type Own<'a, 'b, B, P> = &'a mut Worker<'b, B, P, AnyStrategy>;

impl<B: Board> OpenNodes<B> {
    /// No node is open.
    pub fn new(workers: usize) -> Self {
        Self {
            points: (0..workers).map(|_| (0..LEVELS).map(|_| Point::closed()).collect()).collect(),
            rates: (0..workers).map(|_| Rates::closed()).collect(),
            idle: Idle::new(workers),
            is_over: AtomicBool::new(false),
        }
    }

    fn point(&self, id: PointId) -> &Point<B> {
        &self.points[id.owner as usize][id.level as usize]
    }

    fn set_rate<P: Processor>(&self, processor: &P, id: PointId, rate: u32) {
        self.rates[id.owner as usize].set(processor, id.level, rate);
    }

    /// Whether the result of the point, or of one above it, is not wanted any more.
    #[inline]
    pub fn is_cut_off(&self, place: &Place) -> bool {
        let mut next = place.at;
        while let Some(id) = next {
            match self.point(id).is_cut_or_parent() {
                Ok(parent) => next = parent,
                Err(()) => return true,
            }
        }
        false
    }
}

/// The first processor has its answer.
pub fn end<B: Board, P: Processor>(nodes: &OpenNodes<B>, processor: &P) {
    processor.touch(Access::Free);
    nodes.is_over.store(true, Ordering::SeqCst);
    for id in (0..processor.count()).filter(|id| *id != processor.id()) {
        processor.unpark(id);
    }
}

/// A processor helps wherever it can, until all is over.
pub fn serve<B: Board, P: Processor>(worker: Own<'_, '_, B, P>, policy: &impl Policy) {
    let (processor, nodes) = (worker.processor, &worker.shared.open);
    let before = processor.enter(Activity::Idle);
    let is_over = || {
        processor.touch(Access::Free);
        nodes.is_over.load(Ordering::SeqCst) || processor.is_stopped()
    };
    while !is_over() {
        if let Some(id) = look_for_work(nodes, processor) {
            join(worker, policy, id);
            continue;
        }
        nodes.idle.enter(processor);
        // Whoever opened a node before the bit was set has not seen it: look again before sleeping.
        if look_for_work(nodes, processor).is_none() && !is_over() {
            processor.park("an open node");
        }
        nodes.idle.leave(processor);
    }
    processor.enter(before);
}

/// The open node that is most worth joining, among those of the nearest workers.
fn look_for_work<B: Board, P: Processor>(nodes: &OpenNodes<B>, processor: &P) -> Option<PointId> {
    let (own, count) = (processor.id(), processor.count());
    let asked = (1..count.min(MOST_ASKED + 1)).map(|distance| (own + distance) % count);
    let mut best = None;
    for owner in asked {
        if let Some((rate, level)) = nodes.rates[owner].best(processor)
            && best.is_none_or(|(greatest, _)| rate > greatest)
        {
            best = Some((rate, PointId { owner: owner as u32, level }));
        }
    }
    best.map(|(_, id)| id)
}

/// Offers the rest of a node to others, if the policy wants it, and searches it together with whoever comes.
pub fn share<B: Board, P: Processor>(
    worker: Own<'_, '_, B, P>,
    policy: &impl Policy,
    node: &Node,
    progress: &mut Progress,
    picker: &mut Picker,
) -> Option<Shared> {
    let processors = worker.processor.count();
    let has_room = (worker.own.level as usize) < LEVELS;
    if processors == 1 || !has_room || !policy.opens(node, progress, picker.left(), processors) {
        return Some(Shared::NotAtAll);
    }
    let id = PointId { owner: worker.processor.id() as u32, level: worker.own.level };
    if !open(worker, policy, id, node, progress, picker) {
        return Some(Shared::NotAtAll);
    }
    let nodes = &worker.shared.open;
    let above = worker.own.at.replace(id);
    worker.own.level += 1;
    work_at(worker, id, node);
    wait_for_helpers(worker, id);
    worker.own.level -= 1;
    worker.own.at = above;

    let mut state = worker.processor.lock(&nodes.point(id).state);
    let found = state.progress;
    worker.counters.splits_alone += u64::from(state.joined == 0);
    worker.counters.splits_cut += u64::from(found.cut.is_some());
    if !state.best_line.is_empty() {
        worker.lines.set(node.ply, &state.best_line);
    }
    let efforts = std::mem::take(&mut state.efforts);
    worker.effort_of_others += state.effort_of_helpers;
    let is_known = found.cut.is_some() || !state.is_broken;
    drop(state);
    for (mv, effort, verdict) in &efforts {
        worker.set_root_effort(*mv, *effort, *verdict);
    }
    *progress = found;
    is_known.then_some(Shared::Completely)
}

/// Fills a split point and opens it. `false`: there are too few legal moves left, and the picker is as it was.
fn open<B: Board, P: Processor>(
    worker: Own<'_, '_, B, P>,
    policy: &impl Policy,
    id: PointId,
    node: &Node,
    progress: &Progress,
    picker: &mut Picker,
) -> bool {
    let (processor, nodes) = (worker.processor, &worker.shared.open);
    let before = processor.enter(Activity::Split);
    let point = nodes.point(id);
    let saved = *picker;
    let mut held = processor.lock(&point.state);
    let state = &mut *held;
    state.moves.clear();
    while let Some(mv) = worker.pick(picker) {
        if node.in_check || worker.board.is_legal(mv, false) {
            state.moves.push(mv);
        }
    }
    if state.moves.len() < FEWEST_MOVES {
        *picker = saved;
        drop(held);
        processor.enter(before);
        return false;
    }
    worker.counters.splits += 1;
    (state.node, state.progress, state.next, state.is_open, state.is_broken) = (*node, *progress, 0, true, false);
    (state.helpers, state.joined) = (0, 0);
    state.best_line.clear();
    state.efforts.clear();
    state.effort_of_helpers = 0;
    let context = worker.context(node.ply);
    match &mut state.position {
        Some(position) => {
            position.board.clone_from(&worker.board);
            position.past.copy_reversible_from(&worker.past, worker.board.state());
            position.context = context;
        }
        none => {
            let mut past = History::with_capacity(2 * MAX_PLY);
            past.copy_reversible_from(&worker.past, worker.board.state());
            *none = Some(Position { board: worker.board.clone(), past, context });
        }
    }
    point.renew(progress.alpha, worker.own.at);
    let helpers_wanted = (state.moves.len() - 1).min(policy.most_helpers(processor.count()) as usize);
    processor.spend(Work::Split);
    // Under the lock: one who remembers an older rate may join, take the last move and close the point at once.
    nodes.set_rate(processor, id, policy.rate(node, 0));
    drop(held);
    nodes.idle.call(processor, helpers_wanted);
    processor.enter(before);
    true
}

/// A helper comes to a point, if it may, and works there until there is nothing left for it.
fn join<B: Board, P: Processor>(worker: Own<'_, '_, B, P>, policy: &impl Policy, id: PointId) {
    let (processor, nodes) = (worker.processor, &worker.shared.open);
    let point = nodes.point(id);
    let before = processor.enter(Activity::Split);
    let mut state = processor.lock(&point.state);
    let most = policy.most_helpers(processor.count());
    let may_join = state.is_open && state.next < state.moves.len() && state.helpers < most;
    let Some(position) = state.position.as_ref().filter(|_| may_join) else {
        drop(state);
        processor.enter(before);
        return;
    };
    let node = state.node;
    worker.board.clone_from(&position.board);
    let past_bytes = worker.past.copy_reversible_from(&position.past, position.board.state());
    worker.adopt(node.ply, &position.context, policy.killers());
    let bytes = size_of::<B>() + past_bytes + size_of_val(&position.context);
    state.helpers += 1;
    state.joined += 1;
    let rate = if state.helpers == most { 0 } else { policy.rate(&node, state.helpers) };
    nodes.set_rate(processor, id, rate);
    drop(state);
    worker.counters.joins += 1;
    worker.counters.copied_bytes += bytes as u64;
    processor.spend(Work::Join);
    processor.spend(Work::Copy { bytes: bytes as u32 });
    processor.enter(Activity::Search);

    let effort_before = worker.effort();
    worker.own.at = Some(id);
    work_at(worker, id, &node);
    worker.own.at = None;
    let effort = worker.effort() - effort_before;

    processor.enter(Activity::Split);
    let mut state = processor.lock(&point.state);
    state.effort_of_helpers += effort;
    state.helpers -= 1;
    if state.is_open {
        nodes.set_rate(processor, id, policy.rate(&node, state.helpers));
    }
    let was_last = state.helpers == 0;
    drop(state);
    // From here on the point may be another node's.
    if was_last {
        processor.unpark(id.owner as usize);
    }
    processor.enter(before);
}

/// Takes moves of a point and searches them, until there are none, one has cut, or the search is stopped from above.
fn work_at<B: Board, P: Processor>(worker: Own<'_, '_, B, P>, id: PointId, node: &Node) {
    let (processor, nodes) = (worker.processor, &worker.shared.open);
    let point = nodes.point(id);
    let window = SharedWindow { point, processor };
    while let Some(mv) = take_move(nodes, processor, id) {
        let (counters_before, effort_before) = (worker.counters, worker.effort());
        let score = worker.brother(node, &window, mv, false);
        let effort = worker.effort() - effort_before;
        let mut state = processor.lock(&point.state);
        let Some(score) = score else {
            state.is_broken = true;
            // All that this worker did for the move is lost, what was lost within it included.
            let spent = worker.counters.nodes() - counters_before.nodes();
            worker.counters.aborted_nodes = counters_before.aborted_nodes + spent;
            break;
        };
        if state.progress.cut.is_some() {
            break;
        }
        let verdict = state.progress.take(mv, score, node.beta);
        if node.ply == 0 {
            state.efforts.push((mv, effort, verdict));
        }
        match verdict {
            Verdict::NoBetter => {}
            Verdict::Raised => {
                point.raise(score);
                let below: Vec<Move> = worker.lines.from(node.ply + 1).collect();
                state.best_line.clear();
                state.best_line.push(mv);
                state.best_line.extend(below);
            }
            Verdict::Cut => {
                point.cut();
                close(nodes, processor, id, &mut state);
                break;
            }
        }
    }
}

/// The next move of a point, unless there is none or one has cut. Whoever takes the last closes the point.
fn take_move<B: Board, P: Processor>(nodes: &OpenNodes<B>, processor: &P, id: PointId) -> Option<Move> {
    let mut state = processor.lock(&nodes.point(id).state);
    if state.progress.cut.is_some() {
        return None;
    }
    let mv = *state.moves.get(state.next)?;
    state.next += 1;
    state.progress.searched += 1;
    if state.next == state.moves.len() {
        close(nodes, processor, id, &mut state);
    }
    Some(mv)
}

fn close<B: Board, P: Processor>(nodes: &OpenNodes<B>, processor: &P, id: PointId, state: &mut Held<'_, State<B>, P>) {
    if state.is_open {
        state.is_open = false;
        nodes.set_rate(processor, id, 0);
    }
}

/// The owner has nothing left to do at its point: it closes it and waits until nobody is there.
fn wait_for_helpers<B: Board, P: Processor>(worker: Own<'_, '_, B, P>, id: PointId) {
    let (processor, nodes) = (worker.processor, &worker.shared.open);
    let before = processor.enter(Activity::Wait);
    loop {
        let mut state = processor.lock(&nodes.point(id).state);
        close(nodes, processor, id, &mut state);
        let is_empty = state.helpers == 0;
        drop(state);
        if is_empty {
            break;
        }
        processor.park("helpers");
        if processor.is_stopped() {
            // Nobody sleeps any more; the helpers see the stop and leave, and only then the point is free.
            processor.spend(Work::Nanoseconds(BETWEEN_LOOKS));
            if !P::IS_VIRTUAL {
                std::thread::yield_now();
            }
        }
    }
    processor.enter(before);
}
