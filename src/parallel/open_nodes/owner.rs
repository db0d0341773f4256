//! The owner's side: opening a node, working there like everybody else, waiting for those who are still there, and taking
//! the result.

use super::helper::{join, look_for_work};
use super::moves::{close, work_at};
use super::split_point::{Done, LEVELS, PointId};
use super::{OpenNodes, Own, Policy};
use crate::chess::{Board, History};
use crate::machine::{Activity, Processor, Work};
use crate::search::{Account, MAX_PLY, Node, Picker, Progress, Shared};

/// Fewer moves than this are not worth a split point.
const FEWEST_MOVES: usize = 2;

/// After a stop, an owner looks so often whether its helpers have left, in nanoseconds of the virtual machine.
const BETWEEN_LOOKS: u32 = 100;

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
    let since = worker.processor.now();
    let above = worker.own.sit_down(id, node);
    worker.own.level += 1;
    loop {
        work_at(worker, policy, id, node);
        if !wait_for_helpers(worker, policy, id) {
            break;
        }
    }
    worker.own.level -= 1;
    worker.own.go_back(above);
    worker.note_job(node, worker.processor.id(), since);

    let mut state = worker.processor.lock(&nodes.point(id).state);
    let found = state.progress;
    worker.counters.splits.close(node, state.joined, state.joined == 0, found.cut.is_some());
    if !state.best_line.is_empty() {
        worker.lines.set(node.ply, &state.best_line);
    }
    worker.for_this_worker += state.by_helpers;
    let done = if node.ply == 0 { std::mem::take(&mut state.done) } else { Vec::new() };
    let is_known = found.cut.is_some() || !state.is_broken;
    drop(state);
    for Done { mv, account, verdict, .. } in done {
        worker.set_root_effort(mv, account.effort as u64, verdict);
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
    worker.counters.splits.make(node, progress.searched);
    (state.node, state.progress, state.next, state.is_open, state.is_broken) = (*node, *progress, 0, true, false);
    (state.helpers, state.joined, state.researching) = (0, 0, 0);
    state.given_back.clear();
    state.best_line.clear();
    state.done.clear();
    state.by_helpers = Account::default();
    state.position.board.pack(policy.manners().copy, &worker.board);
    state.position.past.copy_reversible_from(&worker.past, worker.board.state());
    state.position.context = worker.context(node.ply);
    point.renew(progress.alpha, worker.own.at);
    let helpers_wanted = (state.moves.len() - 1).min(policy.most_helpers(processor.count()) as usize);
    processor.spend(Work::Split);
    // Under the lock: one who remembers an older rate may join, take the last move and close the point at once.
    nodes.set_rate(processor, id, policy.rate(node, 0));
    drop(held);
    let missing = nodes.idle.call(processor, helpers_wanted);
    if policy.manners().helpful_master {
        call_masters(nodes, processor, id, missing);
    }
    processor.enter(before);
    true
}

/// Calls owners that wait above a point.
fn call_masters<B: Board, P: Processor>(nodes: &OpenNodes<B>, processor: &P, id: PointId, wanted: usize) {
    let waiting = nodes.above(id).filter(|id| nodes.point(*id).owner_waits(processor));
    for id in waiting.take(wanted) {
        processor.unpark(id.owner as usize);
    }
}

/// The owner has nothing to do at its point: it waits until nobody is there, helping below if it may. `true`: there are moves
/// to search again.
fn wait_for_helpers<B: Board, P: Processor>(worker: Own<'_, '_, B, P>, policy: &impl Policy, id: PointId) -> bool {
    let (processor, nodes) = (worker.processor, &worker.shared.open);
    let point = nodes.point(id);
    let before = processor.enter(Activity::Wait);
    // Where it was, once it has left to help.
    let mut home = None;
    let has_work = loop {
        let mut state = processor.lock(&point.state);
        let has_work = state.gives_moves() && !state.is_broken;
        let is_empty = state.helpers == 0;
        if !has_work && state.researching == 0 || is_empty {
            close(nodes, processor, id, &mut state);
        }
        drop(state);
        if has_work || is_empty {
            break has_work;
        }
        point.set_owner_waits(processor, true);
        if policy.manners().helpful_master {
            let work = if is_wanted(worker) { look_for_work(nodes, processor, Some(id)) } else { None };
            if let Some(work) = work {
                point.set_owner_waits(processor, false);
                home.get_or_insert_with(|| Home::of(worker));
                join(worker, policy, work, Some(id));
                continue;
            }
        }
        processor.park("helpers");
        point.set_owner_waits(processor, false);
        if processor.is_stopped() {
            // Nobody sleeps any more; the helpers see the stop and leave, and only then the point is free.
            processor.spend(Work::Nanoseconds(BETWEEN_LOOKS));
            if !P::IS_VIRTUAL {
                std::thread::yield_now();
            }
        }
    };
    if let Some(home) = home {
        home.restore(worker);
    }
    processor.enter(before);
    has_work
}

/// Whether somebody still wants what this worker is doing.
fn is_wanted<B: Board, P: Processor>(worker: Own<'_, '_, B, P>) -> bool {
    !worker.processor.is_stopped() && worker.shared.open.cut_at(&worker.own).is_none()
}

/// What an owner needs to come back to its node. All else that it knows of the line to it, a position below agrees with.
struct Home<B> {
    board: B,
    past: History,
}

impl<B: Board> Home<B> {
    fn of<P: Processor>(worker: Own<'_, '_, B, P>) -> Self {
        let elsewhere = History::with_capacity(2 * MAX_PLY);
        Self { board: worker.board.clone(), past: std::mem::replace(&mut worker.past, elsewhere) }
    }

    fn restore<P: Processor>(self, worker: Own<'_, '_, B, P>) {
        worker.board = self.board;
        worker.past = self.past;
    }
}
