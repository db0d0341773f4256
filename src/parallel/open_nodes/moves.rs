//! What owner and helpers do alike at a point: take a move, search it, report what came of it, and take the next.

use super::split_point::{Done, NO_ROUND, PointId, SharedWindow, State};
use super::{OpenNodes, Own, Policy};
use crate::chess::{Board, Move, Score};
use crate::machine::{Held, Processor};
use crate::search::{Account, Loss, Node, Verdict};

/// What came of a move that was taken at a point.
struct Report {
    mv: Move,
    place: usize,
    /// None if its search was stopped.
    score: Option<Score>,
    account: Account,
}

/// A move of the point where a worker is has turned out better than alpha, and is about to be searched with the open window.
pub fn send_others_away<B: Board, P: Processor>(worker: Own<'_, '_, B, P>, node: &Node) {
    let (processor, nodes) = (worker.processor, &worker.shared.open);
    let Some(seat) = worker.own.at.filter(|seat| seat.round != NO_ROUND && node.ply == worker.own.ply) else {
        return;
    };
    worker.own.set_round(NO_ROUND);
    let point = nodes.point(seat.id);
    let mut state = processor.lock(&point.state);
    state.researching += 1;
    nodes.set_rate(processor, seat.id, 0);
    point.send_away(processor.now());
}

/// Takes moves of a point and searches them, until there are none, one has cut, or the search is stopped from above.
pub fn work_at<B: Board, P: Processor>(worker: Own<'_, '_, B, P>, policy: &impl Policy, id: PointId, node: &Node) {
    let processor = worker.processor;
    let window = SharedWindow { point: worker.shared.open.point(id), processor };
    let mut report = None;
    while let Some((place, mv)) = next_move(worker, policy, id, node, report) {
        let before = worker.account();
        let score = worker.brother(node, &window, mv, false);
        report = Some(Report { mv, place, score, account: worker.account() - before });
    }
}

/// Reports what came of the last move, and takes the next, unless there is none, one has cut, or the search is over. Both
/// under the lock, taken once.
fn next_move<B: Board, P: Processor>(
    worker: Own<'_, '_, B, P>,
    policy: &impl Policy,
    id: PointId,
    node: &Node,
    report: Option<Report>,
) -> Option<(usize, Move)> {
    let (processor, nodes) = (worker.processor, &worker.shared.open);
    let point = nodes.point(id);
    let mut state = processor.lock(&point.state);
    let mut opens_again = false;
    if let Some(report) = report {
        let was_open = worker.own.at.is_some_and(|seat| seat.round == NO_ROUND);
        if was_open && state.researching > 0 {
            state.researching -= 1;
            opens_again = state.researching == 0;
        }
        take_report(worker, &mut state, id, node, &report);
        if state.is_broken && report.score.is_none() {
            return None;
        }
    }
    let taken = state.take();
    worker.own.set_round(point.round());
    if taken.is_some() && state.left() == 0 {
        close(nodes, processor, id, &mut state);
    }
    let wanted = if opens_again && state.gives_moves() {
        state.is_open = true;
        nodes.set_rate(processor, id, policy.rate(node, state.helpers));
        state.left().min(policy.most_helpers(processor.count()) as usize)
    } else {
        0
    };
    drop(state);
    if wanted > 0 {
        let missing = nodes.idle.call(processor, wanted);
        if missing > 0 && id.owner as usize != processor.id() && point.owner_waits(processor) {
            processor.unpark(id.owner as usize);
        }
    }
    taken
}

/// What a move's search means for its point. Whoever cuts closes the point.
fn take_report<B: Board, P: Processor>(
    worker: Own<'_, '_, B, P>,
    state: &mut Held<'_, State<B>, P>,
    id: PointId,
    node: &Node,
    report: &Report,
) {
    let (processor, nodes) = (worker.processor, &worker.shared.open);
    let &Report { mv, place, score, account } = report;
    let losses = &mut worker.counters.losses;
    let Some(score) = score else {
        // Sent away, or is nobody interested in this node at all?
        let round = worker.own.at.map_or(NO_ROUND, |seat| seat.round);
        let point = nodes.point(id);
        let is_given_back = point.sent_away_at(round).is_some()
            && !processor.is_stopped()
            && point.cut_at().is_none()
            && nodes.cut_at_or_above(point.above()).is_none();
        if is_given_back {
            state.give_back(place, mv);
            losses.claim(&account, Loss::StaleWindow);
        } else {
            state.is_broken = true;
            losses.claim(&account, Loss::Aborted);
        }
        return;
    };
    if state.progress.cut.is_some() {
        if place > state.cutting {
            losses.claim(&account, Loss::Useless);
        }
        return;
    }
    let verdict = state.progress.take(mv, score, node.beta);
    match verdict {
        Verdict::NoBetter => {}
        Verdict::Raised => {
            nodes.point(id).raise(score);
            state.best_line.clear();
            state.best_line.push(mv);
            state.best_line.extend(worker.lines.from(node.ply + 1));
        }
        Verdict::Cut => {
            nodes.point(id).cut(processor.now());
            state.cutting = place;
            state.done.iter().filter(|done| done.place > place).for_each(|done| {
                losses.claim(&done.account, Loss::Useless);
            });
            let earlier = state.done.iter().filter(|done| done.place < place).count();
            worker.counters.saved_moves += (place - earlier) as u64;
            close(nodes, processor, id, state);
        }
    }
    state.done.push(Done { mv, place, account, verdict });
}

/// A point is open no more.
pub fn close<B: Board, P: Processor>(
    nodes: &OpenNodes<B>,
    processor: &P,
    id: PointId,
    state: &mut Held<'_, State<B>, P>,
) {
    if state.is_open {
        state.is_open = false;
        nodes.set_rate(processor, id, 0);
    }
}
