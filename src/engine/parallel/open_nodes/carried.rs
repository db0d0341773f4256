//! Nodes without owners: a processor without work has another one split any node of its stack, and whoever is the last
//! to leave a node carries the result up and goes on above, so that nobody waits.
//!
//! A worker has a *base*, the move that it searches at a point, and frames for the nodes below that nobody else knows
//! of. One of these nodes becomes a point when somebody has nothing to do: then its frame and all above it go into the
//! point, together with the worker's base, and the move that is being searched there becomes the new base. When a
//! point gives no more moves, a worker leaves, for good, unless it is the last one: that takes the frames and the base
//! out of the point and goes on with them as if they were its own. The root is a point from the beginning.

use std::ops::ControlFlow::{Break, Continue};
use std::sync::PoisonError;

use super::super::recorder::Stay;
use super::desk::Desk;
use super::moves::Report;
use super::owner::BETWEEN_LOOKS;
use super::split_point::{Base, PointId, SharedWindow};
use super::{OpenNodes, Opens, Protocol};
use crate::chess::{Board, Move};
use crate::counts::Account;
use crate::machine::{Access, Activity, Processor, Work};
use crate::search::{Frame, Node, Picker, Place, Progress, Role, Sharing, Team};
use crate::sync::Ordering;

/// A worker at a point.
pub(super) struct Hand<B: Board> {
    pub id: PointId,
    pub node: Node,
    pub base: Option<Base<B>>,
    pub stay: Stay,
    pub frames: Vec<Frame<B>>,
    /// Frame that is offered to be split.
    pub offered: Option<usize>,
    /// Whether idle processors may not know of the offer.
    pub is_news: bool,
}

impl<T: Team> Protocol<'_, '_, T> {
    /// Searches the root as a point. Whoever is the last there, the caller takes the result.
    pub(super) fn share_root(&mut self, node: &Node, progress: &mut Progress, picker: &mut Picker) -> Option<Sharing> {
        let (processor, nodes) = (self.worker.processor, self.nodes);
        let before = processor.enter(Activity::Split);
        let mut stay = self.worker.stay_since(processor.tick(), 0);
        let id = nodes.new_point(processor)?;
        let point = nodes.point(id);
        let mut state = processor.lock(&point.state);
        state.moves.clear();
        self.list(&mut state.moves, node, progress, picker);
        if state.moves.is_empty() {
            drop(state);
            nodes.free_point(processor, id);
            processor.enter(before);
            return Some(Sharing::NotAtAll);
        }
        state.shared.begin(self.worker, node, progress);
        if nodes.team > 1 {
            self.pack(id, node);
        }
        self.open_point(&mut state, id, node, progress, None);
        // The eldest is searched alone, like a move that is searched again.
        let first = state.take();
        state.researching = 1;
        nodes.set_rate(processor, id, 0);
        drop(state);
        point.carried.lock().unwrap_or_else(PoisonError::into_inner).above = None;
        nodes.set_root_is_done(processor, false);
        let shared = processor.now();
        if nodes.team > 1 {
            self.worker.counters.splits.make(node.kind(), progress.searched);
            self.worker.begin_part(&mut stay, Role::Own, processor.id(), shared);
        }
        let mut hand = self.sit_at(id, node, stay);
        processor.enter(Activity::Search);
        self.carry(&mut hand, first);
        self.wait_for_root();
        self.worker.go_to_root();

        let state = processor.lock(&point.state);
        *progress = state.shared.progress;
        self.worker.for_this_worker += state.shared.by_helpers;
        state.shared.tell_owner(self.worker);
        let is_known = progress.cut.is_some() || !state.is_broken;
        drop(state);
        nodes.free_point(processor, id);
        processor.enter(before);
        is_known.then_some(Sharing::Completely)
    }

    /// Helps wherever it can until the root is done.
    fn wait_for_root(&mut self) {
        let (processor, nodes) = (self.worker.processor, self.nodes);
        processor.enter(Activity::Idle);
        self.place.free_since.set(processor.now());
        let mut in_vain = 0;
        while !nodes.root_is_done(processor) {
            if processor.is_stopped() {
                // Nobody sleeps any more; the others see the stop and leave, or have failed, and then so does this one.
                processor.park("the root");
                processor.spend(Work::Nanoseconds(BETWEEN_LOOKS));
                if !T::Processor::IS_VIRTUAL {
                    std::thread::yield_now();
                }
                continue;
            }
            self.help_or_sleep(&mut in_vain);
        }
    }

    /// Works at a point that it has joined, and wherever that leads.
    pub(super) fn work_from(&mut self, id: PointId, node: &Node, stay: Stay) {
        let mut hand = self.sit_at(id, node, stay);
        self.carry(&mut hand, None);
    }

    fn sit_at(&mut self, id: PointId, node: &Node, stay: Stay) -> Hand<T::Board> {
        self.place.sit_down(id, node);
        Hand { id, node: *node, base: None, stay, frames: Vec::new(), offered: None, is_news: false }
    }

    /// Takes moves at a point and searches them; who is the last there goes on above. Ends where others are left.
    fn carry(&mut self, hand: &mut Hand<T::Board>, mut first: Option<(usize, Place, Move)>) {
        let (mut report, mut spent_since) = (None, Account::default());
        let mut below = Break(None);
        loop {
            let processor = self.worker.processor;
            let Some(base) = &mut hand.base else {
                let next = match first.take() {
                    Some(first) => Some(first),
                    None => self.next_move(
                        (hand.id, self.nodes.point(hand.id)),
                        &hand.node,
                        report.take().as_ref(),
                        &spent_since,
                    ),
                };
                let Some((listed, place, mv)) = next else {
                    match self.leave(hand) {
                        Some(carried) => below = carried,
                        None => return,
                    }
                    continue;
                };
                self.worker.count_coming(&mut hand.stay, &hand.node, true);
                if hand.node.ply == 0 {
                    self.worker.tell_root_step(mv, place.number + 1);
                }
                let window = SharedWindow { point: self.nodes.point(hand.id), processor };
                let before = self.worker.account();
                match self.worker.begin_trial(&hand.node, &window, mv, place) {
                    Some((trial, child)) => {
                        hand.base = Some(Base { listed, trial, before });
                        below = Continue(child);
                    }
                    None => {
                        let score = Some(crate::search::Window::alpha(&window));
                        report = Some(Report { mv, place: listed, score });
                        spent_since = before;
                    }
                }
                continue;
            };
            if let (Break(score), true) = (&below, hand.frames.is_empty()) {
                let window = SharedWindow { point: self.nodes.point(hand.id), processor };
                below = self.worker.go_on(&mut base.trial, &hand.node, &window, *score);
                if let Break(score) = below {
                    report = Some(Report { mv: base.trial.mv, place: base.listed, score });
                    spent_since = base.before;
                    hand.base = None;
                }
            } else {
                if self.nodes.team > 1 && below.is_continue() {
                    processor.spend(Work::StackedNode);
                }
                below = self.worker.step(&mut hand.frames, below);
                if self.nodes.team > 1 {
                    self.look_around(hand, below.is_continue());
                }
            }
        }
    }

    /// Offers the best node of the stack, and splits it if somebody wants that.
    fn look_around(&mut self, hand: &mut Hand<T::Board>, may_split: bool) {
        let (processor, nodes) = (self.worker.processor, self.nodes);
        let desk = &nodes.desks[processor.id()];
        if hand.offered.is_some_and(|at| at >= hand.frames.len()) {
            self.offer(hand, None);
        }
        if !may_split {
            return;
        }
        // Only the node on top has changed.
        let Some(top) = hand.frames.len().checked_sub(1) else { return };
        if hand.offered.is_none_or(|at| at == top) {
            let may_split = self.may_split(&hand.frames[top]);
            self.offer(hand, Some(top).filter(|_| may_split));
        }
        let asks = desk.take_request(processor);
        if asks == 0 && !(std::mem::take(&mut hand.is_news) && nodes.idle(processor).is_any(processor)) {
            return;
        }
        let mut is_split = false;
        while let Some(at) = hand.offered
            && (!is_split || nodes.idle(processor).is_any(processor))
        {
            let is_one_more = self.split(hand, at);
            // What is left may be offered, too.
            self.offer_best(hand);
            if !is_one_more {
                break;
            }
            is_split = true;
        }
        if !is_split {
            Desk::answer(processor, asks);
        }
    }

    /// Offers the best node of the stack.
    pub(super) fn offer_best(&mut self, hand: &mut Hand<T::Board>) {
        let best = (0..hand.frames.len()).find(|at| self.may_split(&hand.frames[*at]));
        self.offer(hand, best);
    }

    fn offer(&mut self, hand: &mut Hand<T::Board>, at: Option<usize>) {
        hand.is_news = at.is_some();
        hand.offered = at;
        let rate = at.map_or(0, |at| self.policy.rate(&hand.frames[at].node, 0));
        self.nodes.desks[self.worker.processor.id()].set_offer(self.worker.processor, rate);
    }

    /// Whether a node may be split now.
    pub(super) fn may_split(&self, frame: &Frame<T::Board>) -> bool {
        let Some((_, mut progress)) = frame.present() else { return false };
        // The move that is being searched has not been waited for.
        progress.searched -= 1;
        !frame.picker.is_empty() && self.policy.opens(&frame.node, &progress, self.nodes.team, None) != Opens::Never
    }

    pub(super) fn pack(&mut self, id: PointId, node: &Node) {
        let copying = &self.policy.teamwork().copying;
        self.nodes.point(id).handover.pack(self.worker, node.ply, copying, 0).pass(self.worker);
    }
}

impl<B: Board> OpenNodes<B> {
    pub(super) fn set_root_is_done<P: Processor>(&self, processor: &P, is_done: bool) {
        processor.touch(Access::Free);
        // Release: pairs with `root_is_done`.
        self.roots_done[self.team_of(processor)].store(is_done, Ordering::Release);
        if is_done {
            processor.unpark(self.members(processor).start);
        }
    }

    fn root_is_done<P: Processor>(&self, processor: &P) -> bool {
        processor.touch(Access::Free);
        // Acquire: pairs with `set_root_is_done`.
        self.roots_done[self.team_of(processor)].load(Ordering::Acquire)
    }
}
