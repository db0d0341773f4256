//! The helper's side: looking for an open node, joining it, and leaving it again.

use std::sync::atomic::Ordering;

use super::super::handover::Parcel;
use super::moves::work_at;
use super::split_point::PointId;
use super::{OpenNodes, Own, Policy};
use crate::chess::Board;
use crate::machine::{Access, Activity, Processor, Work};

/// Looking for work, a processor asks at most so many others each time: all of them. If each asked its neighbours only, those
/// far from the first owner would never find it, and no work would spread.
const MOST_ASKED: usize = 1024;

/// A processor helps wherever it can, until all is over.
pub fn serve<B: Board, P: Processor>(worker: Own<'_, '_, B, P>, policy: &impl Policy) {
    let (processor, nodes) = (worker.processor, &worker.shared.open);
    let before = processor.enter(Activity::Idle);
    let is_over = || {
        processor.touch(Access::Free);
        nodes.is_over.load(Ordering::SeqCst) || processor.is_stopped()
    };
    while !is_over() {
        if let Some(id) = look_for_work(nodes, processor, None) {
            join(worker, policy, id, None);
            continue;
        }
        nodes.idle.enter(processor);
        // Whoever opened a node before the bit was set has not seen it: look again before sleeping.
        if look_for_work(nodes, processor, None).is_none() && !is_over() {
            processor.park("an open node");
        }
        nodes.idle.leave(processor);
    }
    processor.enter(before);
}

/// The open node that is most worth joining, among those of the nearest workers, or those of them below a point.
pub fn look_for_work<B: Board, P: Processor>(
    nodes: &OpenNodes<B>,
    processor: &P,
    below: Option<PointId>,
) -> Option<PointId> {
    let (own, count) = (processor.id(), processor.count());
    let asked = (1..count.min(MOST_ASKED + 1)).map(|distance| (own + distance) % count);
    let mut best = None;
    for owner in asked {
        let id = |level| PointId { owner: owner as u32, level };
        let may_be = |level| below.is_none_or(|above| nodes.is_below(id(level), above));
        if let Some((rate, level)) = nodes.rates[owner].best(processor, may_be)
            && best.is_none_or(|(greatest, _)| rate > greatest)
        {
            best = Some((rate, id(level)));
        }
    }
    best.map(|(_, id)| id)
}

/// A helper comes to a point, if it may, and works there until there is nothing left for it. It may not if the point is
/// to lie below another and does not.
pub fn join<B: Board, P: Processor>(
    worker: Own<'_, '_, B, P>,
    policy: &impl Policy,
    id: PointId,
    below: Option<PointId>,
) {
    let (processor, nodes) = (worker.processor, &worker.shared.open);
    let point = nodes.point(id);
    let before = processor.enter(Activity::Split);
    // Who finds the lock taken looks for other work rather than wait.
    let Some(mut state) = processor.try_lock(&point.state) else {
        processor.enter(before);
        if !P::IS_VIRTUAL {
            // With more threads than cores, who holds it may be waiting for this one's core.
            std::thread::yield_now();
        }
        return;
    };
    let most = policy.most_helpers(processor.count());
    let may_join = state.is_open
        && state.gives_moves()
        && state.helpers < most
        && below.is_none_or(|above| nodes.is_below(id, above));
    if !may_join {
        drop(state);
        processor.enter(before);
        return;
    }
    let node = state.node;
    let manners = policy.manners();
    let copying_since = processor.now();
    let position = &state.position;
    position.board.unpack(manners.copy, &mut worker.board);
    let past_bytes = worker.past.copy_reversible_from(&position.past, worker.board.state());
    worker.adopt(node.ply, &position.context, manners.killers);
    let beside = past_bytes + size_of_val(&position.context);
    worker.counters.handover_ns += processor.now() - copying_since;
    state.helpers += 1;
    state.joined += 1;
    let rate = if state.helpers == most { 0 } else { policy.rate(&node, state.helpers) };
    nodes.set_rate(processor, id, rate);
    drop(state);
    processor.spend(Work::Join);
    if P::IS_VIRTUAL {
        let spent_since = processor.now();
        Parcel::<B>::spend(manners.copy, processor, beside);
        worker.counters.handover_ns += processor.now() - spent_since;
    }
    worker.counters.copied_bytes += (Parcel::<B>::bytes(manners.copy) + beside) as u64;
    processor.enter(Activity::Search);

    let account_before = worker.account();
    let since = processor.now();
    let above = worker.own.sit_down(id, &node);
    work_at(worker, policy, id, &node);
    worker.own.go_back(above);
    worker.note_job(&node, id.owner as usize, since);
    let account = worker.account() - account_before;
    // It comes back to an owner that helped below its own node with what others have done there.
    worker.for_this_worker -= account;

    processor.enter(Activity::Split);
    let mut state = processor.lock(&point.state);
    state.by_helpers += account;
    state.helpers -= 1;
    if state.is_open && state.researching == 0 {
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
