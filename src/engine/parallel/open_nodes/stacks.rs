//! Stacks that change hands, where nobody owns a node: when a node becomes a point, the part of the stack above it goes
//! into the point, and the last worker to leave the point takes it out and goes on with it.

use std::ops::ControlFlow::Break;
use std::sync::PoisonError;

use super::super::recorder::Stay;
use super::super::shared_node::SharedNode;
use super::Protocol;
use super::carried::Hand;
use super::split_point::{Base, PointId, Seat};
use crate::machine::{Access, Activity, Processor, Tick};
use crate::search::{Below, End, Place, Role, Team};

impl<T: Team> Protocol<'_, '_, T> {
    /// Makes a point of a node of the stack. Whether that had moves left.
    pub(super) fn split(&mut self, hand: &mut Hand<T::Board>, at: usize) -> bool {
        let (processor, nodes) = (self.worker.processor, self.nodes);
        let Some((mv, progress)) = hand.frames[at].present().filter(|_| self.may_split(&hand.frames[at])) else {
            return false;
        };
        let Some(id) = nodes.new_point(processor) else { return false };
        let before = processor.enter(Activity::Split);
        let from = processor.tick();
        let away = self.worker.climb_to(&hand.frames, at);
        let point = nodes.point(id);
        let packs_first = !self.policy.teamwork().copying.copier.locks_owner();
        let unpacked = self.worker.counters.times;
        if packs_first {
            self.pack(id, &hand.frames[at].node);
        }
        let mut state = processor.lock(&point.state);
        let frame = &mut hand.frames[at];
        let node = frame.node;
        state.moves.clear();
        let number = progress.searched - 1;
        state.moves.push((mv, Place { number, is_eldest: number == 0, reduction: None }));
        self.list(&mut state.moves, &node, &progress, &mut frame.picker);
        if state.moves.len() < 2 {
            drop(state);
            self.worker.counters.waste_packs_since(&unpacked, node.kind());
            frame.picker.forget_beyond(away.height);
            self.worker.climb_back(away);
            nodes.free_point(processor, id);
            processor.enter(before);
            return false;
        }
        self.worker.counters.splits.make(node.kind(), progress.searched);
        state.shared.begin(self.worker, &node, &progress);
        if !packs_first {
            self.pack(id, &node);
        }
        let above = self.place.at.get().expect("it works at a point");
        self.open_point(&mut state, id, &node, &progress, Some(above));
        state.shared.next = 1;
        let wanted = (state.moves.len() - 1).min(self.policy.most_helpers(nodes.team) as usize);
        let shared = state.shared.since;
        let mut stay_above = self.put_aside(hand, at, (id, above), from);
        self.worker.climb_back(away);
        drop(state);
        self.worker.end_part(&mut stay_above, &hand.node, End::Done);
        (hand.id, hand.node) = (id, node);
        self.worker.begin_part(&mut hand.stay, Role::Own, processor.id(), shared);
        self.place.at.set(Some(Seat { id, round: 0 }));
        self.place.ply.set(node.ply);
        nodes.idle(processor).call(processor, wanted);
        self.worker.count_opened_to_leave(&hand.stay, &node);
        processor.enter(before);
        true
    }

    /// Puts the stack down to the frame that becomes a point into that point, with the base and the seat at the point
    /// above, and makes the move that is being searched there the new base. Returns the stay at the point above; the
    /// one at the new point has begun with a reading of the clock.
    fn put_aside(&mut self, hand: &mut Hand<T::Board>, at: usize, (id, above): (PointId, Seat), from: Tick) -> Stay {
        let processor = self.worker.processor;
        let mut carried = self.nodes.point(id).carried.lock().unwrap_or_else(PoisonError::into_inner);
        let carried = &mut *carried;
        let trial = self.worker.cut_off(&mut hand.frames, at, &mut carried.trunk);
        processor.touch(Access::Copy { bytes: carried.trunk.bytes(&self.worker.common.sizes) as u32 });
        let mut base = hand.base.take().expect("it works at a point");
        let now = self.worker.account();
        base.trial.before = base.trial.before.map(|before| now - before);
        carried.spent = (now - hand.stay.since, now - base.before);
        carried.stay_ns = hand.stay.until(processor, from);
        carried.by = processor.id();
        carried.above = Some((above, hand.node, base));
        self.worker.for_this_worker -= carried.spent.0;
        let stay = self.worker.stay_since(from, 0);
        hand.base = Some(Base { listed: 0, trial, before: stay.since });
        std::mem::replace(&mut hand.stay, stay)
    }

    /// Leaves a point that gives no more moves. The last one there goes on above, with the result of the node.
    pub(super) fn leave(&mut self, hand: &mut Hand<T::Board>) -> Option<Below> {
        let (processor, nodes) = (self.worker.processor, self.nodes);
        let Hand { id, node, .. } = *hand;
        let before = processor.enter(Activity::Split);
        let point = nodes.point(id);
        let spent = self.worker.leave_for_good(&mut hand.stay, &node);
        let mut state = processor.lock(&point.state);
        state.shared.add(&spent);
        let progress = state.shared.progress;
        let is_known = progress.cut.is_some() || !state.is_broken;
        self.worker.end_part(&mut hand.stay, &node, End::of(&progress, is_known));
        let is_last = state.helpers == 0;
        if !is_last {
            state.helpers -= 1;
            if state.is_open && state.researching == 0 {
                self.rate(id, &node, state.helpers);
            }
            drop(state);
            self.place.at.set(None);
            nodes.give_up_desk(processor);
            self.place.free_since.set(processor.now());
            processor.enter(before);
            return None;
        }
        nodes.close(processor, id, &mut state);
        if nodes.team > 1 {
            self.worker.counters.splits.close(node.kind(), state.joined, state.joined == 0, progress.cut.is_some());
            self.worker.counters.spend(node.kind(), 0, state.shared.stay_ns);
        }
        let goes_on = self.take_out(hand, &state.shared);
        drop(state);
        if !goes_on {
            self.place.at.set(None);
            nodes.give_up_desk(processor);
            nodes.set_root_is_done(processor, true);
            processor.enter(before);
            return None;
        }
        nodes.free_point(processor, id);
        processor.enter(before);
        let frame = hand.frames.last_mut().expect("a point lies below a frame");
        let Break(score) = self.worker.end(frame, is_known.then_some(progress)) else {
            unreachable!("a node ends with a result or without")
        };
        let below = Break(self.worker.pop(&mut hand.frames, score));
        if nodes.team > 1 {
            self.offer_best(hand);
        }
        Some(below)
    }

    /// Takes the stack out of the point where the worker is the last one, and comes to the point above with the result
    /// of the node. `false`: there is none above the root.
    fn take_out(&mut self, hand: &mut Hand<T::Board>, shared: &SharedNode) -> bool {
        let (processor, point) = (self.worker.processor, self.nodes.point(hand.id));
        let mut carried = point.carried.lock().unwrap_or_else(PoisonError::into_inner);
        let Some((seat, above, mut base)) = carried.above.take() else {
            return false;
        };
        if carried.by != processor.id() {
            processor.touch(Access::Copy { bytes: carried.trunk.bytes(&self.worker.common.sizes) as u32 });
        }
        self.worker.take_over(&mut hand.frames, &mut carried.trunk);
        if !shared.best_line.is_empty() {
            self.worker.lines.set(hand.node.ply, &shared.best_line);
        }
        let (mut spent, mut on_move) = carried.spent;
        spent += shared.by_helpers;
        on_move += shared.by_helpers;
        hand.stay = self.worker.stay_since(processor.tick(), carried.stay_ns + shared.stay_ns);
        self.worker.for_this_worker += spent;
        let now = self.worker.account();
        base.before = now - on_move;
        base.trial.before = base.trial.before.map(|so_far| now - so_far - shared.by_helpers);
        (hand.id, hand.node, hand.base, hand.offered) = (seat.id, above, Some(base), None);
        self.place.at.set(Some(seat));
        self.place.ply.set(above.ply);
        true
    }
}
