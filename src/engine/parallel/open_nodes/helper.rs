//! The helper's side: looking for an open node, joining it, and leaving it again.

use std::ops::Range;

use super::super::recorder::Stay;
use super::split_point::{GROUP, NOT_LARGE, PointId};
use super::{OpenNodes, Protocol};
use crate::chess::Board;
use crate::machine::{Access, Activity, Processor, Work};
use crate::search::{Node, Role, Team, Worker};

/// Time after which a processor that found a point's lock taken looks for work again, in nanoseconds of the virtual
/// machine: about as long as three others take to join there. Without it, most of what a machine of 64 processors does
/// is to look again.
const BETWEEN_TRIES: u32 = 3_000;

/// Number of times that this time doubles in a large team, where hundreds may come to a few points and nearly all of
/// them in vain.
const MOST_DOUBLINGS: u32 = 4;

impl<T: Team> Protocol<'_, '_, T> {
    /// A processor helps wherever it can, until all is over.
    pub(super) fn serve(&mut self) {
        let (processor, nodes) = (self.worker.processor, self.nodes);
        let before = processor.enter(Activity::Idle);
        self.place.free_since.set(processor.now());
        let mut in_vain = 0;
        while !nodes.is_over(processor) {
            self.help_or_sleep(&mut in_vain);
        }
        processor.enter(before);
    }

    /// A processor without work helps at a point, or sleeps if there is none. It has come to points `in_vain` so many
    /// times since it last helped, up to a limit.
    pub(super) fn help_or_sleep(&mut self, in_vain: &mut u32) {
        let (processor, nodes) = (self.worker.processor, self.nodes);
        let Some(id) = nodes.look_for_work(processor, None) else {
            return nodes.sleep(processor);
        };
        if self.join(id, None) {
            *in_vain = 0;
        } else if nodes.team > NOT_LARGE {
            processor.spend(Work::Nanoseconds(BETWEEN_TRIES * ((1 << *in_vain) - 1)));
            *in_vain = (*in_vain + 1).min(MOST_DOUBLINGS);
        }
    }

    /// Joins a point, if that is allowed, works there until nothing is left to do, and returns true. It is not allowed
    /// at a point that should lie below another and does not.
    pub(super) fn join(&mut self, id: PointId, below: Option<PointId>) -> bool {
        let (processor, nodes) = (self.worker.processor, self.nodes);
        let point = nodes.point(id);
        let before = processor.enter(Activity::Split);
        let mut stay = self.worker.come();
        // Who finds the lock taken looks for other work rather than wait.
        let Some(mut state) = processor.try_lock(&point.state) else {
            processor.enter(before);
            processor.spend(Work::Nanoseconds(BETWEEN_TRIES));
            if !T::Processor::IS_VIRTUAL {
                // With more threads than cores, who holds it may be waiting for this one's core.
                std::thread::yield_now();
            }
            return false;
        };
        let most = self.policy.most_helpers(nodes.team);
        let may_join = state.is_open
            && state.gives_moves()
            && state.helpers < most
            && below.is_none_or(|above| nodes.is_below(id, above));
        if !may_join {
            drop(state);
            processor.enter(before);
            return false;
        }
        let (node, shared) = (state.shared.node, state.shared.since);
        let notice_ns = processor.now().saturating_sub(state.open_since.max(self.place.free_since.get()));
        let locked = processor.tick();
        let (killers, copier) = (self.policy.teamwork().killers, self.policy.teamwork().copying.copier);
        let take_over = |worker: &mut Worker<'_, _, _, _>| {
            // The owner packs again only when all helpers have left.
            let cost = point.handover.unpack(worker, node.ply, killers, true);
            cost.pay(worker);
            cost
        };
        let paid = copier.locks_helpers().then(|| take_over(self.worker));
        state.helpers += 1;
        state.joined += 1;
        self.rate(id, &node, state.helpers);
        drop(state);
        self.worker.count_joined(notice_ns, locked);
        processor.spend(Work::Join);
        let paid = paid.unwrap_or_else(|| take_over(self.worker));
        stay.again_ns = point.handover.unpack_again(self.worker, paid);
        processor.enter(Activity::Search);
        self.worker.begin_part(&mut stay, Role::Help, id.owner as usize, shared);
        if self.policy.teamwork().owner_waits {
            self.help_at(id, &node, stay);
        } else {
            self.work_from(id, &node, stay);
        }
        processor.enter(before);
        true
    }

    /// Works at a point that it has joined and whose owner waits, until nothing is left to do there, and counts itself
    /// out.
    fn help_at(&mut self, id: PointId, node: &Node, mut stay: Stay) {
        let processor = self.worker.processor;
        let above = self.place.sit_down(id, node);
        self.place.calm_until.set(0);
        let (end, first) = self.work_at(id, node);
        self.place.go_back(above);
        self.worker.end_part(&mut stay, node, end);

        processor.enter(Activity::Split);
        let spent = self.worker.end_stay(&stay, first);
        let mut state = processor.lock(&self.nodes.point(id).state);
        state.shared.add(&spent);
        state.helpers -= 1;
        if state.is_open && state.researching == 0 {
            self.rate(id, node, state.helpers);
        }
        let was_last = state.helpers == 0;
        drop(state);
        // From here on the point may be another node's.
        if was_last {
            processor.unpark(id.owner as usize);
        }
        self.place.free_since.set(processor.now());
    }
}

/// The parts of these processors that belong to one group each.
fn by_groups(processors: Range<usize>) -> impl Iterator<Item = Range<usize>> {
    let (start, end) = (processors.start, processors.end);
    (start / GROUP..end.div_ceil(GROUP)).map(move |group| (GROUP * group).max(start)..(GROUP * (group + 1)).min(end))
}

impl<B: Board> OpenNodes<B> {
    /// A processor that has found no work sleeps until it is called.
    pub(super) fn sleep<P: Processor>(&self, processor: &P) {
        self.idle(processor).enter(processor);
        // Whoever opened a node before the bit was set has not seen it: look again before sleeping.
        if self.look_for_work(processor, None).is_none() && !self.is_over(processor) && self.ask(processor) {
            processor.park("an open node");
        }
        self.idle(processor).leave(processor);
    }

    /// The open node that is most worth joining, or the one among those below a point. All others of its team are
    /// asked: if each asked a few neighbours only, those far from the first owner would never find it, and no work
    /// would spread. In a large team the best one of the nearest group that has any will do, so that not all come to
    /// the same.
    pub(super) fn look_for_work<P: Processor>(&self, processor: &P, below: Option<PointId>) -> Option<PointId> {
        let (own, members) = (processor.id(), self.members(processor));
        processor.touch(Access::Free);
        let mut best = None;
        // A worker that leaves its nodes may come back to them as a helper.
        let first = if self.desks.is_empty() { own + 1 } else { own };
        let parts = [first..members.end, members.start..own].into_iter().flat_map(by_groups);
        for owners in parts.filter(|owners| !owners.is_empty()) {
            let group = self.groups.get(owners.start / GROUP);
            let asked = u32::MAX >> (u32::BITS as usize - owners.len()) << (owners.start % GROUP);
            let mut open = group.map_or(u32::MAX, |group| group.open(processor)) & asked;
            while open != 0 {
                let owner = owners.start / GROUP * GROUP + open.trailing_zeros() as usize;
                open &= open - 1;
                let id = |level| PointId { owner: owner as u32, level };
                let may_be = |level| below.is_none_or(|above| self.is_below(id(level), above));
                if let Some((rate, level)) = self.rates[owner].best(processor, may_be)
                    && best.is_none_or(|(greatest, _)| rate > greatest)
                {
                    best = Some((rate, id(level)));
                }
            }
            if best.is_some() && self.team > NOT_LARGE {
                break;
            }
        }
        best.map(|(_, id)| id)
    }
}
